"""A tool as an expert would write it, with its spec, for the tests of the gates."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.model.spec import ToolSpec

SAMPLE = Path(__file__).parents[2] / "cases" / "tools" / "sum_by_group"


@pytest.fixture(scope="session")
def tool() -> str:
    """Return the source of the sample tool."""
    return (SAMPLE / "tool.py").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def spec() -> ToolSpec:
    """Return the spec that the sample tool keeps."""
    return ToolSpec.model_validate_json((SAMPLE / "spec.json").read_bytes())
