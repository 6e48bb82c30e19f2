"""Ends the reading: leaves out what nothing needs, shows the columns of the SELECT, and gives real names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from jupyter_mcpgen.plan.check import schema_after
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    Bin,
    Case,
    Col,
    Columns,
    DateName,
    DatePart,
    Expression,
    Lit,
    Parse,
    TextCall,
    TimeBetween,
)
from jupyter_mcpgen.plan.from_sql.changing import renamed
from jupyter_mcpgen.plan.from_sql.rows import MARK, Rows
from jupyter_mcpgen.plan.from_sql.scope import Relation
from jupyter_mcpgen.plan.from_sql.symbols import settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import FIGURES, Aggregate, Derive, Measure, Rename, Select, SortKey, Step, Window
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reading import Reading
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Second, Summary


def finish(relation: Relation) -> Reading:
    """Return the plan that shows the columns of a relation, in their order and under their names."""
    rows = relation.rows
    rows.need_whole_groups()
    names = [name for name, _ in relation.columns]
    if len({name.casefold() for name in names}) < len(names):
        raise CannotHold("Two columns of the result have one name. Give one of them another with AS.")
    shown = _shown(relation)
    rows.flush()
    steps = _needed(rows.steps, set(shown))
    first, second, called = _named_figures(rows, dict(zip(shown, names, strict=True)))
    steps = tuple(renamed(step, called) for step in steps)
    final = {called.get(column, column): name for column, name in zip(shown, names, strict=True)}
    steps, named = _named(first, steps, final, set(final))
    called = {old: named.get(new, new) for old, new in called.items()} | named
    shown = [called.get(column, column) for column in shown]
    schema = _after(first, steps)
    ordered = _still_there(relation.keys, called, schema, set(named.values()))
    if list(schema.names) != shown:
        steps = (*steps, Select(columns=Columns(names=tuple(shown))))
    steps = (*steps, *_renames(shown, names))
    return Reading(Plan(source=rows.source, source_schema=first, second=second, steps=steps), ordered)


def _still_there(
    keys: Iterable[SortKey], called: Mapping[str, str], schema: Schema, new: set[str]
) -> tuple[SortKey, ...]:
    """Return the first of some keys whose columns the rows still have at the end, under the names they got."""
    found: list[SortKey] = []
    for key in keys:
        name = called.get(key.column, key.column)
        if name not in schema.names or (name in new and key.column not in called):
            break  # another column has taken its place
        found.append(key.model_copy(update={"column": name}))
    return tuple(found)


def _shown(relation: Relation) -> list[str]:
    """Return the columns of the rows that the result shows; a value that is shown twice is a column twice."""
    rows, shown = relation.rows, list[str]()
    for _, symbol in relation.columns:
        value = settle(symbol, rows)
        name = rows.column(value)
        if name in shown:
            name = rows.new_name()
            rows.add(Derive(name=name, expression=value))
        shown.append(name)
    return shown


def _needed(steps: Sequence[Step], shown: set[str]) -> tuple[Step, ...]:
    """Return the steps without the provisional columns that nothing needs."""
    needed, kept = set(shown), list[Step]()
    for step in reversed(steps):
        if isinstance(step, Derive | Window) and step.name.startswith(MARK) and step.name not in needed:
            continue
        if isinstance(step, Aggregate):
            step = _with_needed(step, needed)
        needed.update(names_in(step))
        kept.append(step)
    return tuple(reversed(kept))


def _with_needed(step: Aggregate, needed: set[str]) -> Aggregate:
    used = tuple(measure for measure in step.measures if measure.name in needed)
    return step.model_copy(update={"measures": used or step.measures[:1]})


def _named_figures(rows: Rows, wanted: dict[str, str]) -> tuple[Schema, Second | None, dict[str, str]]:
    """Give the figures of a second table their names."""
    second = rows.second
    if not isinstance(second, Summary):
        return rows.first, second, {}
    taken, called, measures = set(second.first_schema.names), dict[str, str](), list[Measure]()
    for measure in second.measures:
        plain = measure.model_copy(update={"label": None})
        name = _free([wanted.get(measure.name, ""), plain.name], taken)
        taken.add(name)
        called[measure.name] = name
        measures.append(plain if plain.name == name else measure.model_copy(update={"label": name}))
    fields = {field: getattr(second, field) for field in type(second).model_fields}
    summary = Summary(**fields | {"measures": tuple(measures)})
    return summary.schema_, summary, called


def _named(
    first: Schema, steps: tuple[Step, ...], final: Mapping[str, str], shown: set[str]
) -> tuple[tuple[Step, ...], dict[str, str]]:
    """Give every provisional column a name: the one that the result shows it under, or one that says what it is."""
    reserved, schema, done, called = set(final.values()), first, list[Step](), dict[str, str]()
    rest = list(steps)
    while rest:
        step = rest.pop(0)
        for old in _made(step):
            others = {name for name in _made_names(step) if name != old}
            taken = {*(step.by.names if isinstance(step, Aggregate) else schema.names), *others}
            wanted = final.get(old, "")
            if wanted in taken and isinstance(step, Derive | Window) and _may_replace(wanted, step, rest, shown):
                taken.discard(wanted)
            default = _default(step, old)
            new = _free([wanted, default if default not in reserved else ""], taken, default)
            called[old] = new
            step = _as_plain(renamed(step, {old: new}), new)
            rest = [renamed(each, {old: new}) for each in rest]
        done.append(step)
        schema = schema_after(step, schema)
    return tuple(done), called


def _made(step: Step) -> list[str]:
    return [name for name in _made_names(step) if name.startswith(MARK)]


def _made_names(step: Step) -> list[str]:
    match step:
        case Derive() | Window():
            return [step.name]
        case Aggregate():
            return [measure.name for measure in step.measures]
        case _:
            return []


def _may_replace(name: str, step: Step, rest: Iterable[Step], shown: Iterable[str]) -> bool:
    """Tell whether a column may take the place of another: nothing needs that one any more."""
    if isinstance(step, Window) and name in set(names_in(step)):
        return False
    for later in rest:
        if name in set(names_in(later)):
            return False
        if isinstance(later, FIGURES):
            return True
    return name not in shown


def _free(wanted: Iterable[str], taken: set[str], default: str = "value") -> str:
    """Return the first name that is wanted and free, else the last resort with a number."""
    for name in wanted:
        if name and name not in taken:
            return name
    number = 2
    while f"{default}_{number}" in taken:
        number += 1
    return f"{default}_{number}"


def _default(step: Step, old: str) -> str:
    match step:
        case Derive():
            return describe(step.expression)
        case Window():
            return (
                f"{step.function.value}_{step.column.name}"
                if not step.column.name.startswith(MARK)
                else step.function.value
            )
        case Aggregate():
            measure = next(measure for measure in step.measures if measure.name == old)
            return measure.model_copy(update={"label": None}).name
        case _:
            return "value"


def _as_plain(step: Step, name: str) -> Step:
    """Leave out a label that says what a measure is called anyway."""
    if not isinstance(step, Aggregate):
        return step
    measures = tuple(_unlabelled(m) if m.name == name else m for m in step.measures)
    return step.model_copy(update={"measures": measures})


def _unlabelled(measure: Measure) -> Measure:
    plain = measure.model_copy(update={"label": None})
    return plain if plain.name == measure.name else measure


def describe(value: Expression) -> str:
    """Return what a computed column is called that has no name of its own."""
    match value:
        case Col():
            return value.name
        case Lit():
            return str(value.value)
        case Arithmetic():
            return f"{_operand(value.left)} {value.op.value} {_operand(value.right)}"
        case DatePart():
            return f"{value.unit.value.removeprefix('start_of_')} of {value.operand.name}"
        case DateName():
            return f"{value.unit.value} of {value.operand.name}"
        case TimeBetween():
            return value.unit.value
        case TextCall():
            return f"{value.function.value} of {value.operand.name}"
        case Bin():
            return f"interval of {value.operand.name}"
        case Case():
            columns = dict.fromkeys(names_in(value))
            return " by ".join([*columns][:2]) if columns else "choice"
        case Parse():
            return f"{'date' if isinstance(value.writing, DateWriting) else 'value'} of {value.operand.name}"


def _operand(value: Expression) -> str:
    text = describe(value)
    return f"({text})" if isinstance(value, Arithmetic) else text


def _after(first: Schema, steps: Iterable[Step]) -> Schema:
    for step in steps:
        first = schema_after(step, first)
    return first


def _renames(shown: list[str], names: list[str]) -> Iterator[Step]:
    """Yield the steps that give columns the names of the result; names that change places go by way of others."""
    called = list(shown)
    for _ in range(2):
        for at, name in enumerate(names):
            if called[at] == name:
                continue
            if name not in called:
                yield Rename(column=Col(name=called[at]), name=name)
                called[at] = name
            elif _ == 0:
                spare = _free([], {*called, *names}, name)
                yield Rename(column=Col(name=called[at]), name=spare)
                called[at] = spare
