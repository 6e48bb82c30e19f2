"""`list`, `search`, `versions`: the tools that were kept, their versions, and the cards that wait."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.card_text import escaped
from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.model.candidate import CLIENT, ToolCandidate, ToolStatus
from jupyter_mcpgen.model.usage import ToolUse
from jupyter_mcpgen.person import person
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.registry.store import Registry, utc_now
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

MOST_FOUND = 20
"""How many tools a search shows."""


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
    """Find tools by words: `search WORDS`. Only the tools that are shown are read, and compared with their approval."""
    query = " ".join(words)
    if not query:
        raise UsageError("Which words? `search WORDS` finds tools by them, and `list` shows all tools.")
    hits, uses = registry.search(query, MOST_FOUND), Monitor(Layout(registry.root), utc_now).read().tools
    if not hits.best:
        return Said(text="No tool has any of these words. `list` shows all tools.")
    lines = ["| tool | version | what it does | calls | last used |", "|---|---|---|---|---|"]
    troubles = []
    for name in hits.best:
        try:
            tool = registry.tool(name)
        except RegistryError as error:
            troubles.append(f"Not loaded: {error}")
            continue
        use = uses.get(name, ToolUse())
        told = f"{escaped(tool.spec.description)} | {use.calls:,} | {use.last_used[:10] or 'never'}"
        lines.append(f"| `{name}` | {tool.version} | {told} |")
    rest = hits.found - len(hits.best)
    more = [f"{rest:,} more have one of these words. Add a word to rank them better."] if rest else []
    return Said(text="\n\n".join(["\n".join(lines), *more, *troubles]))


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
    tools, before = registry.versions(name), registry.predecessor(name)
    active = before.version if before is not None and before.is_active else None
    lines = ["| version | | approved | what it does |", "|---|---|---|---|"]
    lines += [
        f"| {each.version} | pending: `{each.tool_id}` | | {escaped(each.spec.description)} |"
        for each in registry.next_versions(name)
    ]
    for tool in tools:
        state = "active" if tool.version == active else "archived"
        lines.append(f"| {tool.version} | {state} | {tool.promoted_at[:10]} | {escaped(tool.spec.description)} |")
    parts = ["\n".join(lines)]
    if active is None:
        parts.append(f"No version is active. To bring one back: `%mcpgen rollback {name} VERSION`.")
    elif all(tool.version != active for tool in tools):
        parts.append(f"Version {active} is active and does not run: its files are not as approved.")
    return Said(text="\n\n".join(parts))


def _unfinished(candidate: ToolCandidate) -> str:
    if candidate.created_by.startswith(CLIENT):
        return " (offered by an AI client; `inbox` shows its code)"
    is_draft = candidate.status is ToolStatus.DRAFT
    return " (its checks did not finish; `approve` runs them)" if is_draft else ""
