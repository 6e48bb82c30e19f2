"""Which files of a project are read: its own source, whole, and nothing that a link or a dot leads to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_mcpgen.coding.tree import MOST_BYTES, read_file, read_tree
from jupyter_mcpgen.errors import AnalysisError, FolderMissing, SourceMissing, UnsupportedLanguage


def names(root: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> list[str]:
    return [file.path for file in read_tree(root, include, exclude).files]


def test_hidden_and_installed_files_are_left_out_and_others_have_their_language(project: Path) -> None:
    found = {file.path: file.language for file in read_tree(project).files}

    assert found == {
        "broken.py": "python",
        "count.c": "c",
        "empty/__init__.py": "python",
        "orders.py": "python",
        "pack-age/tangled.py": "python",
        "page.js": "javascript",
        "torn.js": "javascript",
    }


@pytest.mark.parametrize(
    ("include", "exclude", "left"),
    [
        (("**/*.js",), (), ["page.js", "torn.js"]),
        (("./*.py",), (), ["broken.py", "empty/__init__.py", "orders.py", "pack-age/tangled.py"]),
        (("pack-age/**",), (), ["pack-age/tangled.py"]),
        (("**/*.py",), ("**/empty/**", "b*.py"), ["orders.py", "pack-age/tangled.py"]),
    ],
)
def test_globs_choose(project: Path, include: tuple[str, ...], exclude: tuple[str, ...], left: list[str]) -> None:
    assert names(project, include, exclude) == left


def test_a_pattern_that_fits_nothing_is_an_error_and_no_project_without_flaws(project: Path) -> None:
    with pytest.raises(AnalysisError, match="No source file"):
        read_tree(project, ["**/*.rs"])


def test_a_link_is_not_followed_and_named_where_it_may_lead_to_source(tmp_path: Path, project: Path) -> None:
    (tmp_path / "own.py").write_text("x = 1\n")
    (tmp_path / "other.py").symlink_to(project / "orders.py")
    (tmp_path / "folder").symlink_to(project)
    (tmp_path / "node_modules").symlink_to(project)
    (tmp_path / "notes.txt").symlink_to(project / "notes.txt")

    tree = read_tree(tmp_path)

    assert ([file.path for file in tree.files], tree.skipped) == (["own.py"], ("folder (a link)", "other.py (a link)"))
    assert read_tree(tmp_path, exclude=["folder/", "oth*"]).skipped == ()


def test_a_file_that_is_too_large_is_named(tmp_path: Path) -> None:
    (tmp_path / "large.py").write_bytes(b"#" * (MOST_BYTES + 1))
    (tmp_path / "small.py").write_text("x = 1\n")

    tree = read_tree(tmp_path)

    assert ([file.path for file in tree.files], tree.skipped) == (["small.py"], ("large.py (1,000,001 bytes)",))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for name in ("closed/a.py", "b.py", "c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    for name in ("closed", "b.py"):
        (tmp_path / name).chmod(0)

    tree = read_tree(tmp_path)

    assert [file.path for file in tree.files] == ["c.py"]
    assert tree.skipped == ("b.py (Permission denied)", "closed (Permission denied)")


def test_what_is_not_there_or_in_no_known_language_says_so(project: Path) -> None:
    with pytest.raises(SourceMissing):
        read_file(project / "gone.py")
    with pytest.raises(UnsupportedLanguage, match=r"`notes\.txt`.*`\.py`"):
        read_file(project / "notes.txt")
    with pytest.raises(FolderMissing, match="There is no folder"):
        read_tree(project / "orders.py")


def test_a_package_with_the_name_of_a_folder_of_builds_is_read(tmp_path: Path) -> None:
    for folder in ("shop/build", "build/lib"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "sow.py").write_text("x = 1\n")
    (tmp_path / "shop" / "build" / "__init__.py").write_text("")

    assert names(tmp_path) == ["shop/build/__init__.py", "shop/build/sow.py"]


def test_folders_as_deep_as_the_system_takes_are_read(tmp_path: Path) -> None:
    here = os.getcwd()
    os.chdir(tmp_path)
    for _ in range(1_500):
        os.mkdir("d")
        os.chdir("d")
    Path("x.py").write_text("x = 1\n")
    try:
        assert names(tmp_path) == [f"{'d/' * 1_500}x.py"]
    finally:  # what pytest removes folders with goes no deeper than the stack
        Path("x.py").unlink()
        for _ in range(1_500):
            os.chdir("..")
            os.rmdir("d")
        os.chdir(here)


def test_a_name_that_is_no_text_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.py")).write_text("x = 1\n")
    except OSError:
        pytest.skip("This file system takes names of text alone.")
    (tmp_path / "a.py").write_text("x = 1\n")

    tree = read_tree(tmp_path)

    assert [file.path for file in tree.files] == ["a.py"]
    assert tree.skipped == ("b\\udcff.py (its name is no text)",)


@pytest.mark.parametrize("pattern", ["*a" * 12 + "b", "**/a/" * 12 + "b"])
def test_a_pattern_that_would_be_tried_without_end_is_refused(tmp_path: Path, pattern: str) -> None:
    (tmp_path / f"{'a' * 200}.py").write_text("x = 1\n")

    with pytest.raises(AnalysisError, match="too many wildcards"):
        read_tree(tmp_path, exclude=[pattern])
