"""Completes what is typed after `%mcpgen` and `%%mcpgen`, for IPython's own completer: terminals and pages alike."""

from __future__ import annotations

import re
from collections.abc import Mapping

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult

from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.verbs.commands import takes_text
from jupyter_mcpgen.verbs.completing import complete
from jupyter_mcpgen.verbs.names import Names

_LINE = re.compile(r"(?:^|[=(])\s*%mcpgen\s+(.*)$")
_CELL = re.compile(r"\s*%%mcpgen\b[ \t]*(.*)")
_EDITED = "edit"
"""The command whose cell is Python, which IPython completes by itself."""


def matched(context: CompletionContext, namespace: Mapping[str, object]) -> SimpleMatcherResult:
    """Return what may come next at the cursor; nothing unless one of our magics comes before it."""
    typed = _typed(context)
    if typed is None:
        return {"completions": []}
    found = complete(typed, Names(namespace, _registry))
    return {
        "completions": [SimpleCompletion(text=one.text, type=one.kind) for one in found.found],
        "matched_fragment": found.fragment,
        "suppress": True,  # what Python and other magics know has no meaning here
    }


def _typed(context: CompletionContext) -> str | None:
    """Return the text between the magic and the cursor, in a line or in a cell."""
    first, *below = context.full_text.split("\n")
    cell = _CELL.match(first)
    if cell is None:
        line = _LINE.search(context.text_until_cursor)
        return line[1] if line is not None else None
    if context.cursor_line == 0:
        cell = _CELL.match(context.text_until_cursor)
        return cell[1] if cell is not None and not context.text_until_cursor.endswith("mcpgen") else None
    if cell[1].split()[:1] == [_EDITED]:
        return None
    head = cell[1] if takes_text(cell[1]) else f"ask {cell[1]}"
    lines = [*below[: context.cursor_line - 1], context.text_until_cursor]
    return "\n".join([head, *lines])


def _registry() -> Registry:
    """Return the registry of the product of this process, or while there is none the one that the settings name."""
    import sys

    if "jupyter_mcpgen.runtime" in sys.modules:
        from jupyter_mcpgen.runtime import current

        return current().registry
    from jupyter_mcpgen.opening import open_configured
    from jupyter_mcpgen.settings import load_settings

    return open_configured(load_settings().values)
