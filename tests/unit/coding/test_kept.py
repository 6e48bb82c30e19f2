"""What checkers said is kept by content, by several processes at once, and never for another checker or file."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jupyter_mcpgen.coding.checkers import CHECKERS
from jupyter_mcpgen.coding.checking import Checked
from jupyter_mcpgen.coding.kept import Kept
from jupyter_mcpgen.coding.tree import SourceFile

RUFF, MYPY, GCC = (next(one for one in CHECKERS if one.name == name) for name in ("ruff", "mypy", "gcc"))
FILES = tuple(SourceFile(f"{number}.py", "python", f"x = {number}\n".encode()) for number in range(8))
SAID = {file.path: Checked(complexities=(float(number),)) for number, file in enumerate(FILES)}


def test_many_at_once_lose_nothing_and_complain_of_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = Kept(tmp_path / "kept.sqlite")

    def keep_and_find(file: SourceFile) -> bool:
        kept.keep(RUFF, (file,), SAID)
        return file.path in kept.find(RUFF, FILES)

    with caplog.at_level(logging.WARNING), ThreadPoolExecutor(8) as pool:
        assert all(pool.map(keep_and_find, FILES * 5))
    assert kept.find(RUFF, FILES) == SAID
    assert caplog.records == []


def test_another_content_place_or_checker_has_no_answer(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.sqlite")
    kept.keep(RUFF, FILES, SAID)

    changed = SourceFile("0.py", "python", b"x = 9\n")
    moved = SourceFile("moved.py", "python", FILES[0].content)

    assert kept.find(RUFF, (changed, moved)) == {}
    assert kept.find(MYPY, FILES) == {}


def test_what_sees_all_files_has_no_answer_once_one_of_them_changed(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.sqlite")
    kept.keep(MYPY, FILES, SAID)
    kept.keep(RUFF, FILES, SAID)

    changed = (SourceFile("0.py", "python", b"x = 9\n"), *FILES[1:])

    assert kept.find(MYPY, FILES) == SAID
    assert kept.find(MYPY, changed) == {}
    assert set(kept.find(RUFF, changed)) == {file.path for file in FILES[1:]}


def test_what_depends_on_more_than_the_files_is_not_kept(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.sqlite")
    kept.keep(RUFF, FILES, {**SAID, "0.py": Checked(unchecked="a library is missing")})
    headed = (SourceFile("count.c", "c", b"#include <ffi.h>\n"),)

    kept.keep(GCC, headed, {"count.c": Checked()})

    assert set(kept.find(RUFF, FILES)) == {file.path for file in FILES[1:]}
    assert kept.find(GCC, headed) == {}
