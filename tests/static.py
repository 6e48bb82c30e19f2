"""What the gates say of a tool's files that nobody runs."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.analysis.contract import check_contract
from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.analysis.safety import check_safety
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.validation import Finding


def static_findings(files: Mapping[str, str], spec: ToolSpec, capabilities: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return everything that is known about the files of a tool without running them."""
    contract = check_contract(files.get("tool.py", ""), spec)
    return (*contract, *check_safety(files, capabilities), *check_lint(files))
