"""A tool goes into one file with what it needs of its helpers, and what cannot stand there is refused."""

from __future__ import annotations

import ast

import pytest

from jupyter_mcpgen.build.single_file import SingleFile, single_file, vendored_parts
from jupyter_mcpgen.errors import NotStandalone
from jupyter_mcpgen.toolkit.vendor import PUBLIC_NAMES, helpers_source

HELPERS = '''"""Vendored."""

from __future__ import annotations

import re
import math as mathematics

_WORD = re.compile("a")


# what a word is
def is_word(text: str) -> bool:
    return _shown(_WORD.fullmatch(text)) is not None


def _shown(value: object) -> object:
    return value


def unused() -> float:
    return mathematics.pi
'''
TOOL = '''"""Counts."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import is_word, unused
from pydantic import Field

mcp = FastMCP("count")


def analyze(texts: Sequence[str]) -> int:
    return sum(map(is_word, texts))


@mcp.tool()
def count(
    texts: Annotated[
        Sequence[str], Field(description="Größe, two lines")
    ] = ("a",),
) -> int:
    """Count."""
    return analyze(texts)


if __name__ == "__main__":
    mcp.run()
'''


def whole(parts: SingleFile) -> str:
    return "\n\n".join([*parts.imports, *parts.helpers, *parts.own, parts.function])


def test_only_what_is_needed_is_taken_and_nothing_of_a_server_is_left() -> None:
    parts = single_file("count", TOOL, HELPERS)

    assert parts.imports == ("import re", "from collections.abc import Sequence")
    assert [text.splitlines()[0] for text in parts.helpers] == [
        '_WORD = re.compile("a")',
        "# what a word is",
        "def _shown(value: object) -> object:",
    ]
    assert parts.own == ("def analyze(texts: Sequence[str]) -> int:\n    return sum(map(is_word, texts))",)
    assert parts.function.startswith('def count(\n    texts: Sequence[str] = ("a",),\n) -> int:')


def test_the_file_computes_what_the_tool_computes() -> None:
    variables: dict[str, object] = {}

    exec("from __future__ import annotations\n" + whole(single_file("count", TOOL, HELPERS)), variables)  # noqa: S102

    assert variables["count"](["a", "b", "a"]) == 2


def test_a_name_that_the_tool_has_too_is_another_one_in_the_helpers() -> None:
    own = TOOL.replace("def analyze", "def _shown():\n    return 1\n\n\ndef analyze").replace("sum(", "_shown() * sum(")

    parts = single_file("count", own, HELPERS)

    assert any("def _shown_of_helpers(value" in text for text in parts.helpers)
    assert any("return _shown_of_helpers(_WORD" in text for text in parts.helpers)
    assert "def _shown():" in "\n".join(parts.own)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import helpers\n\n\ndef count():\n    return helpers.is_word('a')\n", "imports `helpers` as a whole"),
        ("from helpers import is_word as word\n\n\ndef count():\n    return word('a')\n", "other names"),
        ("import re; x = 1\n\n\ndef count():\n    return x\n", "shares a line"),
        ("def other():\n    return 1\n", "defines that name elsewhere"),
        ("import numpy as re\nfrom helpers import is_word\n\n\ndef count():\n    return re, is_word('a')\n", "by `re`"),
    ],
)
def test_what_cannot_stand_in_one_file_is_refused_with_the_reason(code: str, said: str) -> None:
    with pytest.raises(NotStandalone, match=said):
        single_file("count", code, HELPERS)


def test_other_source_of_the_file_may_not_take_a_name_of_the_tool() -> None:
    with pytest.raises(NotStandalone, match="both define `analyze`"):
        single_file("count", TOOL, HELPERS, "def analyze():\n    return 1\n")


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_each_helper_stands_alone_with_what_it_needs(name: str) -> None:
    parts = vendored_parts(helpers_source(), [name])

    defined = {
        each.id for part in parts for node in part.nodes for each in ast.walk(node) if isinstance(each, ast.Name)
    }
    known = {part.node.name for part in parts if isinstance(part.node, ast.FunctionDef | ast.ClassDef)}
    private = {each for each in defined if each.startswith("_") and f"def {each}(" in helpers_source()}
    assert name in known
    assert private <= known
