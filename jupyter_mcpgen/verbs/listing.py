"""`list`: the tools that were kept, and the cards that wait."""

from __future__ import annotations

from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.verbs.said import Said


def list_tools(registry: Registry) -> Said:
    """List active tools and waiting cards."""
    active, waiting = registry.active(), registry.staged()
    lines = ["| tool | version | what it does |", "|---|---|---|"]
    lines += [f"| `{tool.name}` | {tool.version} | {tool.spec.description} |" for tool in active]
    parts = ["\n".join(lines) if active else "You have no tools yet. Ask a question and approve the answer."]
    if waiting:
        cards = "\n".join(f"- `{c.tool_id}`: {registry.card(c.tool_id).reading}{_unfinished(c)}" for c in waiting)
        parts.append(f"Pending answers:\n\n{cards}")
    parts += [f"Not loaded: {problem}" for problem in registry.problems()]
    return Said(text="\n\n".join(parts))


def _unfinished(candidate: ToolCandidate) -> str:
    is_draft = candidate.status is ToolStatus.DRAFT
    return " (its checks did not finish; `approve` runs them)" if is_draft else ""
