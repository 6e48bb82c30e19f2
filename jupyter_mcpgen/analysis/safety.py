"""What must be known of a tool's files before any of it runs: nothing in them does what was not granted."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.analysis.policy import check_policy
from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.model.validation import Finding
from jupyter_mcpgen.toolkit import helpers_source

HELPERS_CHANGED = Rule(
    "helpers-changed", "`{subject}` is not the toolkit's own text, so it is unchecked code.", "Export the tool again."
)


def check_safety(files: Mapping[str, str], capabilities: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return what the policy finds in the files of a tool.

    `helpers.py` holds what generated code may not do itself, such as opening files, so it must be ours to the letter.
    """
    changed = files.get("helpers.py", helpers_source()) != helpers_source()
    helpers = (HELPERS_CHANGED.finding("helpers.py", None),) if changed else ()
    return (*check_policy(files.get("tool.py", ""), capabilities), *helpers)
