"""Tests of the sandbox fail on Linux where it is missing, unless somebody says that this is known."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from tests.levels import WITHOUT, require

TESTS = Path(__file__).parents[1]
BY_ITSELF = re.compile(r"skipif\(\s*(?:TWO|ONE|_MISSING|Pro\w+\([^)]*\)\.missing\(\))|missing := backend\.missing\(\)")


@pytest.mark.parametrize("layers", [ALL_LAYERS, WITHOUT_NAMESPACES])
def test_a_missing_sandbox_is_a_failure(monkeypatch: pytest.MonkeyPatch, layers: frozenset[Layer]) -> None:
    monkeypatch.delenv(WITHOUT, raising=False)

    with pytest.raises(pytest.fail.Exception, match=f"no kernel for it.*{WITHOUT}"):
        require("no kernel for it", layers)


@pytest.mark.parametrize(
    ("known", "layers", "outcome"),
    [
        ("level 1", ALL_LAYERS, pytest.skip.Exception),
        ("level 1", WITHOUT_NAMESPACES, pytest.fail.Exception),
        ("all", ALL_LAYERS, pytest.skip.Exception),
        ("all", WITHOUT_NAMESPACES, pytest.skip.Exception),
        ("0", WITHOUT_NAMESPACES, pytest.fail.Exception),
    ],
)
def test_what_is_known_to_be_missing_is_left_out_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, known: str, layers: frozenset[Layer], outcome: type[BaseException]
) -> None:
    monkeypatch.setenv(WITHOUT, known)

    with pytest.raises(outcome):
        require("no kernel for it", layers)


def test_a_sandbox_that_is_there_is_no_matter() -> None:
    require(None)


def test_no_test_leaves_itself_out_for_want_of_a_sandbox() -> None:
    by_themselves = [path.name for path in TESTS.rglob("*.py") if BY_ITSELF.search(path.read_text(encoding="utf-8"))]

    assert by_themselves == []
