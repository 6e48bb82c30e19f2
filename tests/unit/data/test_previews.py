"""The beginning of a file is shown as it is written and as it is read, or with the reason why it cannot be."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.data.previews import PREVIEWED_COLUMNS, preview_text
from jupyter_mcpgen.model.request import ReadOptions

TEXT = "Milk 2024\nfarm;litres;\nHill;4;\nLake;6;\nchecked;9;\n"


def written(folder: Path, content: bytes) -> Path:
    path = folder / "milk.csv"
    path.write_bytes(content)
    return path


def test_lines_and_rows_are_those_of_the_file(tmp_path: Path) -> None:
    preview = preview_text(written(tmp_path, TEXT.encode()), ReadOptions(header=2, footer=1))

    assert preview.lines == tuple(TEXT.splitlines())
    assert (preview.columns, preview.rows) == (("farm", "litres"), (("Hill", "4"), ("Lake", "6")))
    assert preview.note.startswith("Read as: semicolon-separated, UTF-8, header on line 2.")
    assert "left out: “checked;9”" in preview.note


def test_what_cannot_be_read_so_shows_its_lines_and_says_why(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT.encode())

    preview, unknown = preview_text(path, ReadOptions(header=30)), preview_text(path, ReadOptions(encoding="klingon"))

    assert (preview.lines, preview.rows) == (tuple(TEXT.splitlines()), ())
    assert "nothing stands below its first 29 lines" in preview.refused
    assert "klingon" in unknown.refused


def test_an_encoding_is_seen_in_the_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "town,n\nšl,1\n".encode("cp1250"))

    assert preview_text(path, ReadOptions(encoding="cp1250")).lines[1] == "šl,1"
    assert preview_text(path, ReadOptions(encoding="cp1252")).lines[1] == "šl,1".encode("cp1250").decode("cp1252")


def test_of_a_wide_and_long_file_only_the_beginning_is_shown(tmp_path: Path) -> None:
    names = ",".join(f"c{number}" for number in range(30))
    rows = "\n".join(",".join(["12345"] * 30) for _ in range(20_000))

    preview = preview_text(written(tmp_path, f"{names}\n{rows}\n".encode()), ReadOptions())

    assert (len(preview.columns), len(preview.rows), len(preview.lines)) == (PREVIEWED_COLUMNS, 5, 12)
