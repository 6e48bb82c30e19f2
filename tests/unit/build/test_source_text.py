"""Source that is moved to another margin says the same: no text in it changes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jupyter_mcpgen import build
from jupyter_mcpgen.build.source_text import dedented, indented

PIECES = {
    "a text over lines": 'note = """Dear,\n  all\n\n    fine"""\nreturn note\n',
    "a text of bytes, and one that goes on": "seed = b'''a\nb'''\nname = 'a\\\nb'\n",
    "a text with parts": 'for bed in beds:\n    yield f"""{bed}\n  {bed!r:>{3}}\n"""\n',
    "texts beside each other": 'name = (\n    "a"\n    "b"\n)\n',
    "lines of another system, and signs that end no line": 'a = 1\r\nif a:\r\n    b = """\x0c\n\u2028"""\r\n',
    "no line at the end": "return 1",
}
MODULES = {path.name: path.read_text(encoding="utf-8") for path in Path(build.__file__).parent.glob("*.py")}


def says(source: str) -> list[str]:
    return list(map(ast.dump, ast.parse(source).body))


@pytest.mark.parametrize("source", [*PIECES.values(), *MODULES.values()], ids=[*PIECES, *MODULES])
def test_statements_say_the_same_one_level_deeper(source: str) -> None:
    (function,) = ast.parse(f"def grow():\n{indented(source)}\n").body

    assert isinstance(function, ast.FunctionDef)
    assert list(map(ast.dump, function.body)) == says(source)


def test_statements_are_moved_to_the_left_margin() -> None:
    assert dedented("    a = 1\n    if a:\n        b = 2\n") == "a = 1\nif a:\n    b = 2\n"
    assert dedented("a = 1\n") == "a = 1\n"


@pytest.mark.parametrize("text", ['"""one\n    two"""', '"""one\ntwo"""'])
def test_no_text_is_moved_with_them(text: str) -> None:
    assert dedented(f"    a = {text}\n") is None
