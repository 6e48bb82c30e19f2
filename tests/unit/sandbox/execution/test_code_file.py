"""The text of a program reaches its file unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.code_file import java_names, make_runnable, write_code
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.scratch import wipe


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_the_text_is_kept_exactly_and_the_extension_is_right(tmp_path: Path, name: str) -> None:
    code = "é\r\n\t日本 🎉\0\n\n"

    written = write_code(tmp_path, LANGUAGES[name], code, None, None)

    assert written.source.read_bytes() == code.encode()
    assert written.source.suffix == LANGUAGES[name].extension
    assert (written.source.parent, written.folder.parent) == (written.folder, tmp_path)


def test_each_call_has_a_fresh_folder(tmp_path: Path) -> None:
    folders = {write_code(tmp_path, LANGUAGES["c"], "", None, None).folder for _ in range(3)}

    assert len(folders) == 3


@pytest.mark.parametrize("stdin", [None, ""])
def test_no_input_makes_no_file(tmp_path: Path, stdin: str | None) -> None:
    assert write_code(tmp_path, LANGUAGES["c"], "", stdin, None).stdin is None


def test_white_space_is_input(tmp_path: Path) -> None:
    written = write_code(tmp_path, LANGUAGES["c"], "", " \r\n", None)

    assert written.stdin is not None
    assert written.stdin.read_bytes() == b" \r\n"


def test_wiping_a_folder_that_is_not_there_is_quiet(tmp_path: Path) -> None:
    wipe(tmp_path / "gone")


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("public class Hello { public static void main(String[] a) {} }", ("Hello", "Hello")),
        ("class A {} class B { static void main(String[] a) {} }", ("B", "B")),
        ("public class A {} class B { public static void main(String[] a) {} }", ("A", "B")),
        ("package x.y;\npublic final class A { public static final void main(String... a) {} }", ("A", "x.y.A")),
        ("// public class No\n/* class No2 */ class Yes { String s = \"class No3\"; static void main(String[] a){} }",
         ("Yes", "Yes")),
        ("public record R(int x) { public static void main(String[] a) {} }", ("R", "R")),
        ("nonsense", ("Main", "Main")),
    ],
)  # fmt: skip
def test_java_is_told_the_names_that_it_demands(code: str, names: tuple[str, str]) -> None:
    assert java_names(code) == names


def test_a_compiler_that_left_a_link_left_no_program(tmp_path: Path) -> None:
    written = write_code(tmp_path, LANGUAGES["c"], "", None, None)
    written.binary.symlink_to("/bin/sh")

    assert not make_runnable(written)


def test_java_starts_the_class_around_main_and_not_one_inside_it() -> None:
    code = "public class A { interface Try { void run(); } static void x() { } public static void main(String[] a) {} }"

    assert java_names(code) == ("A", "A")
    assert java_names("class A { static class B { static void main(String[] a) {} } }") == ("A", "A$B")
