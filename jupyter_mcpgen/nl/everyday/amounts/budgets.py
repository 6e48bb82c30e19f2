"""What was planned and what came of it, or is on hand: "projects over budget", "items below reorder level"."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.forms import split_name


def beside_the_plan(said: Speech, table: Table) -> Speech | None:
    """Say "over budget" as the actual figure above the planned one, where the table has one of each."""
    found = said.find(table.wording("beside_the_plan"))
    if found is None:
        return None
    both = _plan_and_actual(found.meant("plan"), table)
    if both is None:
        return None
    return _compared(said, found, *both, table)


def beside_a_planned_column(said: Speech, table: Table) -> Speech | None:
    """Say "shifts over the hours planned" by `hours_planned` and what it came to; of any other column, ask for it."""
    found = said.find(table.wording("beside_a_planned_column"))
    before = said.before(found).split() if found is not None else []
    while before and before[-1].casefold() in table.words("before_a_limit"):
        before = before[:-1]
    if found is None or not before or not _is_row(before[-1].casefold(), table):
        return None
    column = columns.figure(found["what"], table)
    if column is None:
        return None
    noun = next((word for word in table.context.column_words[column] if word in table.words("planned")), "")
    came_to = _came_to(column, noun, _measures(table), table) if noun else ()
    if not came_to:
        return said.refusing(found.said("open", column=column, said=found.text))
    return _compared(said, found, column, came_to, table)


def usage_of_a_plan(said: Speech, table: Table) -> Speech | None:
    """Refuse "budget usage", which is no budget, but how much of it was used."""
    for found in said.find_all(table.wording("usage_of_a_plan")):
        column = columns.named(found["what"], table)
        if column is None or not columns.is_planned(column, table) or table.is_data(found.text):
            continue
        if columns.named(found.text, table) not in (None, column):
            continue
        return said.refusing(found.said(said=found.text, column=column))
    return None


def came_to(said: str, column: str | None, table: Table) -> tuple[str, str] | None:
    """Return the column of a plan that words name, and the one of what it came to; None where several may be it."""
    if column is None:
        both = _plan_and_actual(said, table) if " " not in said else None
        return (both[0], both[1][0]) if both is not None and len(both[1]) == 1 else None
    noun = next((word for word in table.context.column_words[column] if word in table.words("planned")), "")
    fitting = _came_to(column, noun, _measures(table), table) if noun and columns.is_planned(column, table) else ()
    return (column, fitting[0]) if len(fitting) == 1 else None


def _is_row(noun: str, table: Table) -> bool:
    """Tell whether a noun means rows, or the column that tells them apart."""
    key = columns.named(noun, table)
    return columns.is_row(noun, table, table.words("one_row")) or (key is not None and table.context.is_key(key))


def _compared(said: Speech, found: Found, planned: str, came_to: tuple[str, ...], table: Table) -> Speech:
    """Say that what came of a plan is on one side of it; refuse where several columns may tell what came of it."""
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
    context, measures = table.context, _measures(table)
    plans = [name for name, own in measures.items() if context.plain(noun) in own]
    plans = plans or [name for name, own in measures.items() if any(table.akin(noun, word) for word in own)]
    if len(plans) != 1:
        return None
    fitting = _came_to(plans[0], noun, measures, table)
    return (plans[0], fitting) if fitting else None


def _measures(table: Table) -> dict[str, set[str]]:
    context = table.context
    return {name: set(own) for name, own in context.column_words.items() if context.is_measure(name)}


def _came_to(plan: str, noun: str, measures: Mapping[str, set[str]], table: Table) -> tuple[str, ...]:
    """Return the columns that may hold what a plan came to, which is called by a noun such as "budget"."""
    unit = _unit(plan, table)
    others = {name: own for name, own in measures.items() if name != plan}
    others = {name: own for name, own in others.items() if not unit or _unit(name, table) in ("", unit)}
    of = {word for word in measures[plan] if word != table.context.plain(noun) and not table.akin(noun, word)}
    surely, *ways = _ways_to_come_to(noun, of, table)
    fitting = tuple(name for name, own in others.items() if surely(own))
    return fitting or tuple(name for name, own in others.items() if any(fits(own) for fits in ways))


def _unit(name: str, table: Table) -> str:
    """Return the unit of a column, also where another one's tells it: a `Target MWh` beside `Energy (MWh)`."""
    units = {(column.unit or "").casefold() for column in table.context.profile.columns} - {""}
    return (table.context.column(name).unit or next(iter(sorted(units & set(split_name(name)))), "")).casefold()


def _ways_to_come_to(noun: str, of: set[str], table: Table) -> tuple[Callable[[set[str]], bool], ...]:
    """Return how the column beside a plan may be called, the surest first: of the same; the actual one, the cost."""
    actual, achieved, spent, held = (table.words(key) for key in ("actual", "achieved", "spent", "held"))
    if noun in table.words("stock_plans"):
        plans = table.words("stock_plans")
        return (lambda own: bool(own & held) and not own & plans,)
    return (
        lambda own: bool(of) and own - actual == of,
        lambda own: bool(own & actual),
        lambda own: bool(own & (achieved if noun in table.words("targets") else spent)),
    )


def use_of_a_kind(said: Speech, table: Table) -> Speech | None:
    """Say "electricity use by year" as the one column of what was used, in the rows of that value."""
    found = said.find(table.wording("use_of_a_kind"))
    if found is None or not _is_value(found.folded("what"), table) or _is_named(found.folded("word"), table):
        return None
    own = table.context.column_words
    fitting = [name for name in own if set(own[name]) & table.words("used_up") and columns.is_figure(name, table)]
    if len(fitting) != 1:
        return said.refusing(found.said("unknown", said=found.text.strip(), word=found["word"]))
    if len([one for one in said.find_all(table.wording("use_of_a_kind")) if _is_value(one.folded("what"), table)]) > 1:
        return said.refusing(found.said("several", column=fitting[0], group=_group(found.folded("what"), table)))
    note = f"“{found['word']}” is taken to mean `{fitting[0]}`."
    return said.put(found, found.said("of", what=found["what"], column=fitting[0]), note)


def _is_value(text: str, table: Table) -> bool:
    return bool(table.context.values.get(text))


def _group(value: str, table: Table) -> str:
    return table.context.values[value][0].column


def _is_named(word: str, table: Table) -> bool:
    """Tell whether a column or a value has a word."""
    context = table.context
    return bool(context.columns_with(context.plain(word))) or word in context.value_parts
