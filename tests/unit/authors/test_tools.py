"""The `tool.py` of a few question families, compared with recorded files."""

from __future__ import annotations

import pytest

from tests.recorded import CASES, tool, tool_files


@pytest.mark.parametrize("name", tool_files())
def test_a_tool_is_written_as_recorded(name: str) -> None:
    recorded = (CASES / "tools" / name).read_text(encoding="utf-8")

    assert tool(tool_files()[name]) == recorded, "python -m tests.recorded, then judge"
