"""Gates 1 and 2 together: everything that is known about a tool before its code runs."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.analysis.contract import check_contract
from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.analysis.policy import check_policy
from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.validation import Finding
from jupyter_mcpgen.toolkit import helpers_source

HELPERS_CHANGED = Rule(
    "helpers-changed", "`{subject}` is not the toolkit's own text, so it is unchecked code.", "Export the tool again."
)


def safety_findings(files: Mapping[str, str], spec: ToolSpec, capabilities: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return the findings of contract and policy over the files of a tool: what must be known before any of it runs.

    `helpers.py` holds what generated code may not do itself, such as opening files, so it must be ours to the letter.
    """
    source = files.get("tool.py", "")
    changed = files.get("helpers.py", helpers_source()) != helpers_source()
    helpers = (HELPERS_CHANGED.finding("helpers.py", None),) if changed else ()
    return (*check_contract(source, spec), *check_policy(source, capabilities), *helpers)


def static_findings(files: Mapping[str, str], spec: ToolSpec, capabilities: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return everything that is known about the files of a tool without running them, cheapest gate first."""
    return (*safety_findings(files, spec, capabilities), *check_lint(files))
