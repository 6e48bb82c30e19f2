"""A text file that is kept as Parquet has the values, names and notes that the text has, until its content changes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.data.kept_texts import SaidOfFiles, kept_text
from jupyter_mcpgen.data.references import file_ref, read_frame, repeated_columns, snapshot_notes
from jupyter_mcpgen.data.unpacking.kept import KeptTables
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.pipeline.files import Files
from jupyter_mcpgen.pipeline.unpacking import Unpacker

TEXT = "Milk 2024\n\nfarm;day;code;litres;litres\nHill;2024-01-05;007;4,5;1\nLake;2024-01-06;008;;2\nTotal;;;4,5;3\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    def no_sandbox() -> None:
        pytest.fail("plain text needs no sandbox")

    return Files(Unpacker(no_sandbox, KeptTables(tmp_path / "kept")), SaidOfFiles(tmp_path / "said"))


def written(folder: Path, text: str = TEXT) -> str:
    path = folder / "milk.csv"
    path.write_text(text)
    return str(path)


def test_a_large_text_is_kept_and_means_the_same(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    plain = files.reference(path)
    monkeypatch.setattr("jupyter_mcpgen.pipeline.files.LARGE_BYTES", len(TEXT))

    kept = files.reference(path)

    assert (plain.path, kept.path.endswith("milk.parquet"), kept.origin, kept.name) == (path, True, path, "milk.csv")
    pd.testing.assert_frame_equal(read_frame(kept), read_frame(plain))
    assert snapshot_notes(kept) == snapshot_notes(plain)
    assert repeated_columns(kept) == repeated_columns(plain) == {"litres": ("litres", "litres.1")}


def test_what_is_said_of_a_file_holds_for_its_content_wherever_it_lies(files: Files, tmp_path: Path) -> None:
    path = written(tmp_path)

    files.read_so(path, ReadOptions(header=3, footer=0))

    assert read_frame(files.reference(path))["farm"].tolist() == ["Hill", "Lake", "Total"]
    (tmp_path / "copy").mkdir()
    assert len(read_frame(files.reference(written(tmp_path / "copy")))) == 3
    assert files.reference(written(tmp_path, TEXT + "\n")).packed is None
    files.read_so(written(tmp_path), ReadOptions())
    assert len(read_frame(files.reference(path))) == 2


def test_a_kept_text_is_read_once(tmp_path: Path) -> None:
    path, kept = Path(written(tmp_path)), KeptTables(tmp_path / "kept")
    checked: list[Path] = []
    place, table = kept_text(kept, path, "digest", ReadOptions(), checked.append)
    path.unlink()

    assert kept_text(kept, path, "digest", ReadOptions(), checked.append) == (place, table)
    assert checked == [path]
    assert read_frame(file_ref(place / str(table.file)))["farm"].tolist() == ["Hill", "Lake"]


@pytest.mark.parametrize("said", [{"header": -1}, {"delimiter": ",,"}, {"lines": 3}, {"skip": "two"}])
def test_what_is_no_option_is_named(said: dict[str, object]) -> None:
    with pytest.raises(DataError, match=f"`read` cannot be used: `{next(iter(said))}`"):
        ReadOptions.of(said)
