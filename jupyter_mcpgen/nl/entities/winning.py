"""Questions about who won or lost the most: by a column that counts it, or by one that names the winner of each row."""

from __future__ import annotations

from jupyter_mcpgen.nl.entities import plans
from jupyter_mcpgen.nl.entities.meant import Meant
from jupyter_mcpgen.nl.entities.naming import is_thing
from jupyter_mcpgen.nl.entities.serving import name_of_rows
from jupyter_mcpgen.nl.entities.sides import cell, is_other_side, is_own_side
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.lookup.counting import heads_the_table
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, IsIn, IsMissing, Lit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def won_the_most(found: Found, table: Table) -> Meant | None:
    """Read "which team won the most races": the most of `Wins`, or whom most rows name as the winner."""
    counted = _figure_of(found.meant("verb"), table)
    if counted is not None:
        return _by_figure(found, counted, table)
    if not _is_contest(found["noun"], table):
        return None
    named = _named_after(found.meant("verb"), found["kind"], table)
    if named is None or table.context.names_rows(named):
        return None
    note = f"Each row is taken to be one of the “{found['noun']}”, with its `{named}`."
    return Meant(_named_by_most(named, table, most=found.meant("end") == "most"), (note,))


def won_the_most_in(found: Found, table: Table) -> Meant | None:
    """Read "in which season did they win the most games" by the column that counts what was won in each row."""
    counted = _figure_of(found.meant("verb"), table)
    return _by_figure(found, counted, table) if counted is not None and is_own_side(found["a"], table) else None


def named_most(found: Found, table: Table) -> Meant | None:
    """Read "who was man of the match most often": whom most rows name in a column."""
    column = columns.named(found["what"], table)
    if column is None or table.context.type_of(column) is not ColumnType.TEXT or table.context.names_rows(column):
        return None
    if found["kind"] and columns.named(found["kind"], table) is not None:
        return None
    return Meant(_named_by_most(column, table, most=True))


def times_named(found: Found, table: Table) -> Meant | None:
    """Read "how often did Falke win" and "how often was Ida Rask on pole position": the rows that name whom it is."""
    named = columns.named(found["what"], table) if found["what"] else None
    fitting = [named] if found["what"] else _called_after(found.meant("verb"), table)
    cells = [cell(found["a"], table, column) for column in fitting if column is not None]
    one = next((condition for condition in cells if condition is not None), None)
    if one is None or len([condition for condition in cells if condition is not None]) > 1:
        return None
    counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    return Meant(plans.over(table.context.profile, Filter(predicate=one), counted))


def times_won(found: Found, table: Table) -> Meant | None:
    """Read "how many games did the Otters win" by the column that says won or lost, where all games are theirs.

    What the other side won, the own one lost.
    """
    outcome = _outcomes(table)
    if outcome is None or not _is_contest(found["noun"], table):
        return None
    column, by_meaning = outcome
    verb, rival, own = found.meant("verb"), found["rival"], is_own_side(found["a"], table)
    other = _other_side(found["a"] if not own else rival, table)
    if (not own and (rival or other is None)) or (rival and other is None):
        return None
    values = by_meaning.get(verb if own else _TURNED.get(verb, verb), ())
    if not values:
        return None
    kept = (Filter(predicate=IsIn(operand=Col(name=column), values=tuple(_text(value) for value in values))),)
    against = (Filter(predicate=other),) if other is not None else ()
    counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    whose = f"“{found['a']}”" if own else f"the side that plays against “{found['a']}”"
    note = f"All rows are taken to be about {whose}, and their `{column}` to be theirs."
    return Meant(plans.over(table.context.profile, *kept, *against, counted), (note,), found["condition"])


_TURNED = {"win": "lose", "lose": "win"}


def _other_side(text: str, table: Table) -> Compare | None:
    """Return the condition that the other side of a row is the one with a name; None where that is no such name."""
    one = cell(text, table) if text else None
    if one is None or not isinstance(one.left, Col):
        return None
    return one if is_other_side(one.left.name, table) else None


def _named_by_most(column: str, table: Table, *, most: bool) -> Plan:
    """Return the values of a column that most rows have, or the fewest, with how many have them."""
    count = Measure(function=AggregateFunction.COUNT)
    steps: tuple[Step, ...] = (*_known(column, table), Aggregate(by=Columns(names=(column,)), measures=(count,)))
    grouped = plans.over(table.context.profile, *steps)
    first = plans.at_place(SortKey(column=count.name, descending=most), 1, grouped.schema_at(len(steps)))
    return plans.over(table.context.profile, *steps, *first, plans.showing(column, count.name))


def _by_figure(found: Found, figure: str, table: Table) -> Meant | None:
    """Return the rows with the most of a figure, each of which is one of what is asked for."""
    if found["noun"].casefold() not in table.words("contests") and not _is_contest(found["noun"], table):
        return None
    kind = columns.named(found["kind"], table) if found["kind"] else name_of_rows(table)
    if kind is None or not table.context.is_key(kind):
        return None
    key = SortKey(column=figure, descending=found.meant("end") == "most")
    first = plans.at_place(key, 1, table.context.profile.schema_)
    note = f"“{found['verb']} … {found['noun']}” is taken to be about `{figure}`."
    known = _known(figure, table)
    return Meant(plans.over(table.context.profile, *known, *first, plans.showing(kind, figure)), (note,))


def _figure_of(verb: str, table: Table) -> str | None:
    """Return the one column of numbers that is called after winning, losing or drawing and nothing else."""
    context, words = table.context, table.choices("names_of_outcomes").get(verb, frozenset())
    numbers = [name for name in context.profile.schema_.names if context.is_number(name)]
    fitting = [name for name in numbers if set(split_name(name)) <= words]
    return fitting[0] if len(fitting) == 1 else None


def _named_after(verb: str, kind: str, table: Table) -> str | None:
    """Return the one column of texts that names who won or lost: `Winner`, `Winning driver` for a driver or a who."""
    context, words = table.context, table.choices("names_of_sides").get(verb, frozenset())
    fitting = _called_after(verb, table)
    if kind:
        plain = context.plain(kind.casefold())
        of_kind = [name for name in fitting if plain in context.column_words[name]]
        fitting = of_kind or [name for name in fitting if set(split_name(name)) <= words]
    elif len(fitting) > 1:
        fitting = [name for name in fitting if persons.names_persons(name, table)]
    return fitting[0] if len(fitting) == 1 else None


def _called_after(verb: str, table: Table) -> list[str]:
    """Return the columns of texts that are called after who won or lost."""
    context, words = table.context, table.choices("names_of_sides").get(verb, frozenset())
    texts = [name for name in context.profile.schema_.names if context.type_of(name) is ColumnType.TEXT]
    return [name for name in texts if words & set(split_name(name))]


def _is_contest(noun: str, table: Table) -> bool:
    """Tell whether a noun means the rows: by the table's words, or a word for contests that no column holds."""
    if is_thing(noun, table):
        return True
    column = columns.named(noun, table)
    if column is not None:
        tells = table.context.type_of(column) is ColumnType.TEXT or noun.casefold() in table.words("contests")
        return heads_the_table(column, table.context) or (tells and table.context.is_key(column))
    return noun.casefold() in table.words("contests")


def _outcomes(table: Table) -> tuple[str, dict[str, tuple[str, ...]]] | None:
    """Return the one column of which every value says won, lost or drawn, with its values by what they say."""
    context, meanings = table.context, table.choices("outcomes_of_contests")
    found = []
    for name in context.profile.schema_.names:
        own = context.column(name)
        if context.type_of(name) is not ColumnType.TEXT or not own.complete or own.nulls:
            continue
        said = {str(value): table.meaning("outcomes_of_contests", str(value).casefold()) for value in own.values}
        if said and set(said.values()) <= set(meanings):
            found.append(
                (name, {verb: tuple(value for value, meant in said.items() if meant == verb) for verb in meanings})
            )
    return found[0] if len(found) == 1 else None


def _known(column: str, table: Table) -> tuple[Filter, ...]:
    """Return the step that keeps the rows with a value in a column, where some have none."""
    if not table.context.column(column).nulls:
        return ()
    return (Filter(predicate=IsMissing(operand=Col(name=column), negated=True)),)


def _text(value: str) -> Lit:
    return Lit(value=value, type=ColumnType.TEXT)
