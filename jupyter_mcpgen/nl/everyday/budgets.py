"""What was planned and what came of it, or is on hand: "projects over budget", "items below reorder level"."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.nl.everyday.speech import Speech, Table


def beside_the_plan(said: Speech, table: Table) -> Speech | None:
    """Say "over budget" as the actual figure above the planned one, where the table has one of each."""
    found = said.find(table.wording("beside_the_plan"))
    if found is None:
        return None
    both = _plan_and_actual(found.meant("plan"), table)
    if both is None:
        return None
    planned, came_to = both
    if len(came_to) > 1:
        parts = {"planned": planned, "side": found.meant("side"), "first": came_to[0], "said": found.text}
        return said.refusing(found.said("several", named=" / ".join(f"`{name}`" for name in came_to), **parts))
    actual = came_to[0]
    side = found.meant("side")
    note = f"“{found.text}” is taken to mean `{actual}` {side} `{planned}`."
    own, behind = table.context.column_words[planned], said.behind(found).split()
    while behind and table.context.plain(behind[0].casefold().strip("?.!,")) in own:
        behind = behind[1:]  # "below target units" is said of `target_units`
    return said.saying(
        f"{said.before(found)} {found.said('compared', actual=actual, side=side, planned=planned)} {' '.join(behind)}",
        note,
    )


def _plan_and_actual(noun: str, table: Table) -> tuple[str, tuple[str, ...]] | None:
    """Return the column of what was planned, and those of what it may have come to; None where either is not there."""
    context = table.context
    measures = {name: set(own) for name, own in context.column_words.items() if context.is_measure(name)}
    plans = [name for name, own in measures.items() if context.plain(noun) in own]
    plans = plans or [name for name, own in measures.items() if any(table.akin(noun, word) for word in own)]
    if len(plans) != 1:
        return None
    planned = measures.pop(plans[0])
    of = {word for word in planned if word != context.plain(noun) and not table.akin(noun, word)}
    surely, *others = _ways_to_come_to(noun, of, table)
    fitting = tuple(name for name, own in measures.items() if surely(own))
    fitting = fitting or tuple(name for name, own in measures.items() if any(fits(own) for fits in others))
    return (plans[0], fitting) if fitting else None


def _ways_to_come_to(noun: str, of: set[str], table: Table) -> tuple[Callable[[set[str]], bool], ...]:
    """Return how the column beside a plan may be called, the surest first: of the same; the actual one, the cost."""
    actual, achieved, spent, held = (table.words(key) for key in ("actual", "achieved", "spent", "held"))
    if noun in table.words("stock_plans"):
        return (lambda own: bool(own & held),)
    return (
        lambda own: bool(of) and own - actual == of,
        lambda own: bool(own & actual),
        lambda own: bool(own & (achieved if noun in table.words("targets") else spent)),
    )
