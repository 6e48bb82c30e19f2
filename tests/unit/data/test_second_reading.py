"""A second reader must find the same cells in a text file; where it does not, the file is not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.data.references import file_ref, read_frame
from jupyter_mcpgen.data.second_reading import where_readers_differ
from jupyter_mcpgen.errors import UnreadableData


def written(folder: Path, content: str, codec: str = "utf-8") -> str:
    path = folder / "t.csv"
    path.write_bytes(content.encode(codec))
    return str(path)


@pytest.mark.parametrize(
    ("content", "codec"),
    [
        ("town,note\nUlm,\"two\n\nlines, one cell\"\nBonn,\"say \"\"yes\"\"\"\n", "utf-8"),
        ("Report\n\ntown;litres\nKöln;4,5\n\nUlm;3\nTotal;7,5\n", "cp1252"),
        ("town;litres\nUlm;4;\nBonn;5\n", "utf-8"),
        ("town\tlitres\r\nUlm\t\r\n\t5\r\n", "utf-16"),
        ("town§litres\nUlm§4\nBonn§5\n", "utf-8"),
        ("town\nUlm\nBonn\n", "utf-8"),
    ],
)  # fmt: skip
def test_two_readers_agree_on_texts_that_say_what_they_mean(tmp_path: Path, content: str, codec: str) -> None:
    assert where_readers_differ(written(tmp_path, content, codec)) is None


def test_a_cell_that_two_readers_read_differently_is_named_and_the_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, 'town,note\nUlm,plain\nBonn,"half" quoted\nKiel,plain\n')

    with pytest.raises(UnreadableData, match=r"row 2 is read in two ways: “half quoted” and “.*”\. Quote the cells"):
        read_frame(file_ref(path))
