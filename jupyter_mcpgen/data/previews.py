"""The beginning of a text file as it is written, and as the table that is read of it, for a person to compare."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from jupyter_mcpgen.data.kept_texts import reading_of_text
from jupyter_mcpgen.data.references import reason_of
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.model.file_preview import FilePreview
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.toolkit.encodings import HEAD_BYTES, MIXED, decoded, encoding_of
from jupyter_mcpgen.toolkit.layouts import Layout, layout_of
from jupyter_mcpgen.toolkit.tables import read_as
from jupyter_mcpgen.toolkit.text_rows import lines_of, rows_of

PREVIEWED_ROWS, PREVIEWED_COLUMNS = 5, 20
_LINES = 12
_LONGEST_LINE, _LONGEST_CELL = 160, 40
_LOOKED_AT = 1 << 16


def preview_text(path: Path, options: ReadOptions) -> FilePreview:
    """Return the beginning of a text file, read as a person says; what cannot be read so says why."""
    reading = reading_of_text(options)
    preview = FilePreview(name=path.name, options=options)
    try:
        options.require_usable()
        encoding = options.encoding or encoding_of(path, HEAD_BYTES)
        text = _beginning(path, encoding)
        written = tuple(line.rstrip("\r\n")[:_LONGEST_LINE] for line in lines_of(text)[:_LINES])
        preview = preview.replace(lines=written)
        layout = layout_of(path, encoding, reading)
        note = " ".join(read_as(str(path), reading))
    except ValueError as error:
        return preview.replace(refused=reason_of(path, error))
    except (DataError, LookupError) as error:
        return preview.replace(refused=str(error))
    shown = [place for place in range(len(layout.every_name)) if place not in layout.empty][:PREVIEWED_COLUMNS]
    first = islice(rows_of(_table(text, layout), layout.delimiter), PREVIEWED_ROWS if layout.has_rows else 0)
    return preview.replace(
        note=note,
        columns=tuple(layout.every_name[place] for place in shown),
        rows=tuple(tuple(_cell(row.cells, place) for place in shown) for row in first),
    )


def _beginning(path: Path, encoding: str) -> str:
    if encoding == MIXED:
        return decoded(path, encoding)[:_LOOKED_AT]
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        return file.read(_LOOKED_AT).removeprefix("\ufeff")


def _table(text: str, layout: Layout) -> list[str]:
    """Return the lines of the rows of a table, as far as the beginning of its file has them."""
    content = text.encode("utf-8", "surrogatepass")
    whole = content[: len(content) - layout.cut] if layout.is_whole and len(text) < _LOOKED_AT else content
    return lines_of(whole.decode("utf-8", "surrogatepass"))[layout.first_line - 1 :]


def _cell(cells: list[str], place: int) -> str:
    return in_one_cell(cells[place]) if place < len(cells) else ""


def in_one_cell(value: object) -> str:
    """Return a value as a small cell shows it."""
    return str(value).strip()[:_LONGEST_CELL]
