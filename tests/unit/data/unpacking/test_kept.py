"""Unpacked tables are kept within a bound, and nothing but a file is taken from the sandbox."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_mcpgen.data.unpacking.answers import OneTable, UnpackedTable
from jupyter_mcpgen.data.unpacking.kept import KeptTables

FOUND = OneTable(table=UnpackedTable(file="table", suffix=".csv", notes=("Read.",)), digest="d")


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    (tmp_path / "table").write_bytes(b"x" * 1000)
    return tmp_path / "table"


def test_a_kept_table_is_found_with_what_was_done(tmp_path: Path, unpacked: Path) -> None:
    kept = KeptTables(tmp_path / "kept")
    place = kept.place_of("digest", "a.xlsx", None)

    assert kept.find(place) is None
    said = kept.keep(place, FOUND, unpacked, "a.csv")

    assert kept.find(place) == said == FOUND.replace(table=FOUND.table.replace(file="a.csv"))
    assert (place / "a.csv").read_bytes() == unpacked.read_bytes()
    assert (
        len({kept.place_of("digest", name, sheet) for name in ("a.xlsx", "b.xlsx") for sheet in (None, "", "s")}) == 6
    )


def test_a_table_that_another_process_kept_meanwhile_stays_the_one_that_is_read(tmp_path: Path, unpacked: Path) -> None:
    kept = KeptTables(tmp_path / "kept")
    place = kept.place_of("digest", "a.xlsx", None)
    first = kept.keep(place, FOUND, unpacked, "a.csv")
    file = (place / "a.csv").stat().st_ino

    again = kept.keep(place, FOUND, unpacked, "a.csv")

    assert (again, (place / "a.csv").stat().st_ino) == (first, file)
    assert list((tmp_path / "kept").iterdir()) == [place]


def test_of_too_many_tables_those_go_that_were_used_longest_ago(tmp_path: Path, unpacked: Path) -> None:
    kept = KeptTables(tmp_path / "kept", most_bytes=2600)
    places = [kept.place_of(digest, "a.csv", None) for digest in ("first", "second", "third")]
    for age, place in enumerate(places[:2]):
        kept.keep(place, FOUND, unpacked, "a.csv")
        os.utime(place, (age, age))

    kept.find(places[0])
    kept.keep(places[2], FOUND, unpacked, "a.csv")

    assert [kept.find(place) is not None for place in places] == [True, False, True]


def test_a_link_in_the_place_of_a_table_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "table").symlink_to(tmp_path / "secret")
    kept = KeptTables(tmp_path / "kept")

    with pytest.raises(OSError, match="symbolic links"):
        kept.keep(kept.place_of("d", "a.csv", None), FOUND, tmp_path / "table", "a.csv")

    assert list((tmp_path / "kept").iterdir()) == []
