"""A module that lies where its name alone does not find it is found for the advice, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.guidance.beside import folder_of, place_of

FILES = ("main.py", "lib/mine.py", "lib/deep/other/__init__.py", "lib/page.js", "lib/kit/index.js", "top.py")


@pytest.mark.parametrize(
    ("name", "language", "found"),
    [
        ("mine", "python", "lib/mine.py"),
        ("other", "python", "lib/deep/other/__init__.py"),
        ("top", "python", None),  # it is on the path already
        ("ine", "python", None),
        ("page", "python", None),
        ("page", "javascript", "lib/page.js"),
        ("kit", "javascript", "lib/kit/index.js"),
        ("mine", "bash", None),
        ("../lib/mine", "python", None),
        ("*", "python", None),
    ],
)
def test_a_module_of_the_workspace_is_found_below_its_top(name: str, language: str, found: str | None) -> None:
    assert place_of(name, language, FILES, ()) == found


@pytest.mark.parametrize(
    ("file", "name", "folder"),
    [
        ("lib/mine.py", "mine", "lib"),
        ("lib/deep/other/__init__.py", "other", "lib/deep"),
        ("/data/site-packages/a/__init__.py", "a", "/data/site-packages"),
    ],
)
def test_the_folder_to_be_put_on_the_path_holds_the_module(file: str, name: str, folder: str) -> None:
    assert folder_of(file, name) == folder


def test_of_the_data_each_folder_and_those_just_in_it_are_looked_at(tmp_path: Path) -> None:
    for path in ("flat.py", "site-packages/near/__init__.py", "a/b/far.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    data = (str(tmp_path / "flat.py"), str(tmp_path / "gone"), str(tmp_path))

    found = {name: place_of(name, "python", (), data) for name in ("flat", "near", "far")}

    assert found == {
        "flat": str(tmp_path / "flat.py"),
        "near": str(tmp_path / "site-packages" / "near" / "__init__.py"),
        "far": None,
    }
