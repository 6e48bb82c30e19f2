"""Text whose columns are lined up by spaces, as reports and terminals print it: cut where no line has a sign."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from .outcome import CELLS, CannotUnpack, Table

_MOST_BYTES = 1 << 28
_LEAST_LINES = 3
_RULE = re.compile(r"[-=+_ ]+")
_MOST_TOLD, _MOST_SHOWN = 12, 40
Span = tuple[int, int]


def aligned_table(path: Path, suffix: str, into: Path) -> Table:
    """Write the columns of a text as CSV; a text without columns is given on as it is.

    Raises `CannotUnpack` where columns run into each other.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise CannotUnpack(
            f"its columns are lined up by spaces, and such a text may have {_MOST_BYTES >> 20} MB. Save it as CSV."
        )
    text = _decoded(path.read_bytes())
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not _RULE.fullmatch(line)]
    spans = _spans(lines) if len(lines) >= _LEAST_LINES else []
    _require_apart(lines, spans)
    if len(spans) < 2:
        into.write_text(text, encoding="utf-8", newline="")
        return Table(str(into), suffix)
    with into.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([line[begin:end].strip() for begin, end in spans] for line in lines)
    cuts = [str(begin + 1) for begin, _ in spans]
    more = ", …" if len(cuts) > _MOST_TOLD else ""
    told = f"Read by the places of the columns: {len(spans)}, which begin at {', '.join(cuts[:_MOST_TOLD])}{more}."
    return Table(str(into), CELLS, (told,))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _spans(lines: list[str]) -> list[Span]:
    """Return where each column begins and ends.

    A part without a name is the end of the column before it, whose values have spaces at the same place by chance. One
    without values, one space before the next, is the beginning of a name of several words.
    """
    header, rows = lines[0], lines[1:]
    spans: list[Span] = []
    has_values = True
    for begin, end in _filled(lines):
        is_named = bool(header[begin:end].strip())
        if spans and (not is_named or (not has_values and begin == spans[-1][1] + 1)):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
        has_values = any(row[spans[-1][0] : end].strip() for row in rows)
    return spans


def _require_apart(lines: list[str], spans: list[Span]) -> None:
    """Raise `CannotUnpack` where a value of one column stands in the place of another."""
    header = lines[0]
    for begin, end in spans:
        gap = re.search(r"\S(\s\s+)\S", header[begin:end])
        if gap is not None:
            places = range(begin + gap.start(1), begin + gap.end(1))
            wide = max(lines[1:], key=lambda line: sum(place < len(line) and line[place] != " " for place in places))
            raise CannotUnpack(
                f"its columns are lined up by spaces, and under `{' '.join(header[begin:end].split())}` two of them "
                f"run into each other, as in `{wide[begin:end].strip()[:_MOST_SHOWN]}`. Mend these lines, or save it "
                "as CSV."
            )


def _filled(lines: list[str]) -> list[Span]:
    """Return the runs of places where some line has a sign."""
    filled = bytearray(max(map(len, lines)))
    for line in lines:
        for word in re.finditer(r"\S+", line):
            filled[word.start() : word.end()] = b"\1" * (word.end() - word.start())
    return [run.span() for run in re.finditer(rb"\x01+", bytes(filled))]
