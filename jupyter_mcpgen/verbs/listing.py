"""`list`, `search`, `versions`: the tools that were kept, their versions, and the cards that wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jupyter_mcpgen.card_text import escaped
from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.model.candidate import CLIENT, ToolCandidate, ToolStatus
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.model.usage import ToolUse
from jupyter_mcpgen.person import person
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.registry.store import Registry, utc_now
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

MOST_FOUND = 20
"""How many tools a search shows."""


@dataclass(frozen=True)
class Found:
    """Tools, each with how it was used; `more` fit besides, and `problems` say which do not load."""

    tools: tuple[tuple[PromotedTool, ToolUse], ...]
    more: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Version:
    """One version of a tool; one that waits for a decision has the id of its card."""

    number: str
    state: Literal["active", "archived", "pending"]
    approved_at: str
    description: str
    card_id: str = ""


def list_tools(registry: Registry) -> Said:
    """List active tools and waiting cards."""
    active, waiting = registry.active(), registry.staged()
    lines = ["| tool | version | what it does |", "|---|---|---|"]
    lines += [f"| `{tool.name}` | {tool.version} | {escaped(tool.spec.description)} |" for tool in active]
    parts = ["\n".join(lines) if active else "You have no tools yet. Ask a question and approve the answer."]
    if waiting:
        cards = "\n".join(f"- `{c.tool_id}`: {registry.card(c.tool_id).reading}{_unfinished(c)}" for c in waiting)
        parts.append(f"Pending answers:\n\n{cards}")
    parts += [f"Not loaded: {problem}" for problem in registry.problems()]
    return Said(text="\n\n".join(parts))


def search(words: Sequence[str], registry: Registry) -> Said:
    """Find tools by words: `search WORDS`."""
    query = " ".join(words)
    if not query:
        raise UsageError("Which words? `search WORDS` finds tools by them, and `list` shows all tools.")
    found = find_tools(query, registry)
    if not (found.tools or found.problems):
        return Said(text="No tool has any of these words. `list` shows all tools.")
    lines = ["| tool | version | what it does | calls | last used |", "|---|---|---|---|---|"]
    for tool, use in found.tools:
        told = f"{escaped(tool.spec.description)} | {use.calls:,} | {use.last_used[:10] or 'never'}"
        lines.append(f"| `{tool.name}` | {tool.version} | {told} |")
    more = [f"{found.more:,} more have one of these words. Add a word to rank them better."] if found.more else []
    return Said(text="\n\n".join(["\n".join(lines), *more, *(f"Not loaded: {each}" for each in found.problems)]))


def find_tools(query: str, registry: Registry, most: int = MOST_FOUND) -> Found:
    """Return the active tools that fit some words best, or without words those that were used last.

    Only the tools that are returned are read, and compared with their approval.
    """
    uses = Monitor(Layout(registry.root), utc_now).read().tools
    if query:
        names, number = registry.search(query, most)
    else:
        known = sorted(tool.name for tool in registry.indexed())
        number = len(known)
        names = tuple(sorted(known, key=lambda name: uses.get(name, ToolUse()).last_used, reverse=True)[:most])
    tools = []
    problems = []
    for name in names:
        try:
            tools.append((registry.tool(name), uses.get(name, ToolUse())))
        except RegistryError as error:
            problems.append(str(error))
    return Found(tuple(tools), number - len(names), tuple(problems))


def rebuild(words: Sequence[str], registry: Registry) -> Said:
    """List the tools anew that lie in the registry's folder, as after a `git pull`: `rebuild [NAME …]`.

    Only what was approved counts. A version that you took out of use, or an older one, is taken up by its name only.
    """
    before = {tool.name: tool.fingerprint for tool in registry.active()}
    after = {tool.name: tool for tool in registry.rebuild(person(), split_options(words, ()).words)}
    new = [tool for tool in after.values() if before.get(tool.name) != tool.fingerprint]
    gone = sorted(before.keys() - after.keys())
    said = [f"`{tool.name}` v{tool.version}, {registry.approver(tool)}" for tool in new]
    parts = ["Taken up:\n\n" + "\n".join(f"- {each}" for each in said) if said else "There is nothing new."]
    if gone:
        parts.append("No longer there: " + ", ".join(f"`{name}`" for name in gone) + ".")
    parts += [f"Not loaded: {problem}" for problem in registry.problems()]
    return Said(text="\n\n".join(parts))


def list_versions(words: Sequence[str], registry: Registry) -> Said:
    """List the versions of a tool: `versions NAME`. The newest is first, those that wait for a decision before all."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("Which tool? `versions NAME`. `list` shows the names.")
    (name,) = typed.words
    versions = versions_of(name, registry)
    lines = ["| version | | approved | what it does |", "|---|---|---|---|"]
    for each in versions:
        state = f"pending: `{each.card_id}`" if each.card_id else each.state
        lines.append(f"| {each.number} | {state} | {each.approved_at[:10]} | {escaped(each.description)} |")
    parts = ["\n".join(lines)]
    before = registry.predecessor(name)
    if before is None or not before.is_active:
        parts.append(f"No version is active. To bring one back: `%mcpgen rollback {name} VERSION`.")
    elif all(each.state != "active" for each in versions):
        parts.append(f"Version {before.version} is active and does not run: its files are not as approved.")
    return Said(text="\n\n".join(parts))


def versions_of(name: str, registry: Registry) -> tuple[Version, ...]:
    """Return the versions of a tool, those that wait for a decision before all others, and the newest first."""
    tools, before = registry.versions(name), registry.predecessor(name)
    active = before.version if before is not None and before.is_active else None
    pending = (
        Version(each.version, "pending", "", each.spec.description, each.tool_id)
        for each in registry.next_versions(name)
    )
    approved = (
        Version(
            tool.version,
            "active" if tool.version == active else "archived",
            tool.promoted_at,
            tool.spec.description,
        )
        for tool in tools
    )
    return (*pending, *approved)


def _unfinished(candidate: ToolCandidate) -> str:
    if candidate.created_by.startswith(CLIENT):
        return " (offered by an AI client; `inbox` shows its code)"
    is_draft = candidate.status is ToolStatus.DRAFT
    return " (its checks did not finish; `approve` runs them)" if is_draft else ""
