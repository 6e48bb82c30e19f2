"""Which columns of its source a plan reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from jupyter_mcpgen.plan.expressions import All, AnyOf, Col, Columns, Compare, IsIn, Lit, Parse, Predicate, TextMatch
from jupyter_mcpgen.plan.neighbours import neighbours
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Filter,
    Limit,
    Measure,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType, Node
from jupyter_mcpgen.plan.sources import Summary
from jupyter_mcpgen.plan.statistics import TwoGroups

READS_WHAT_IT_NAMES = (Filter, Derive, Sort, Limit, Window, TopPerGroup)
"""Steps that read the columns that they name, and hand on all the others."""
_Found = TypeVar("_Found")
_SUMMING_WINDOWS = frozenset({WindowFunction.RUNNING_TOTAL, WindowFunction.SHARE, WindowFunction.PERCENT})

_OF_NUMBERS = frozenset(
    {
        *(AggregateFunction.MEAN, AggregateFunction.MEDIAN, AggregateFunction.QUANTILE),
        *(AggregateFunction.STD, AggregateFunction.VAR, AggregateFunction.SKEW, AggregateFunction.KURT),
    }
)


def used_columns(plan: Plan) -> frozenset[str]:
    """Return the source columns that the steps and the chart name, figures of a second table apart."""
    named = set(reshaped_columns(plan))
    for step in plan.steps:
        named.update(names_in(step))
        if isinstance(step, FIGURES):
            break  # what comes after sees the result's columns, which may have the names of others
    else:
        named.update(drawn_columns(plan))
    return frozenset(named.intersection(_given(plan)))


def reads_only_named(plan: Plan) -> bool:
    """Tell whether the result depends on no other columns of the source than those that the steps name."""
    for step in plan.steps:
        if isinstance(step, (*FIGURES, Select)):
            return True
        if not isinstance(step, READS_WHAT_IT_NAMES):
            return False
    return False


def reshaped_columns(plan: Plan) -> tuple[str, ...]:
    """Return the columns whose names make them rows: which ones these are is another thing in another table."""
    steps = ((step, plan.schema_at(at)) for at, step in enumerate(plan.steps))
    return tuple(name for step, schema in steps if isinstance(step, Unpivot) for name in step.columns(schema))


def _given(plan: Plan) -> tuple[str, ...]:
    """Return the columns of the source that its tables have, not those that are made of a second one."""
    second = plan.second
    return second.first_schema.names if isinstance(second, Summary) else plan.source_schema.names


def summed_columns(plan: Plan) -> tuple[Col, ...]:
    """Return the number columns of the source whose values are added up."""
    known = _given(plan)
    return tuple(c for c in _columns_added_up(plan) if c.name in known and plan.source_schema.type_of(c.name).is_number)


def added_up(plan: Plan) -> frozenset[str]:
    """Return the columns that are added up, whether they are the source's or a step has made them."""
    return frozenset(column.name for column in _columns_added_up(plan))


def _columns_added_up(plan: Plan) -> tuple[Col, ...]:
    return tuple(dict.fromkeys(column for step in plan.steps for column in _added_up(step)))


def averaged_columns(plan: Plan) -> tuple[Col, ...]:
    """Return the number columns of the source of which a figure is made that only numbers have, but for a sum."""
    made = (
        measure.column
        for step in plan.steps
        for measure in nodes_in(step)
        if isinstance(measure, Measure) and measure.function in _OF_NUMBERS and measure.column is not None
    )
    known = _given(plan)
    found = (c for c in dict.fromkeys(made) if c.name in known and plan.source_schema.type_of(c.name).is_number)
    return tuple(found)


def parsed_columns(plan: Plan) -> tuple[str, ...]:
    """Return the text columns of the source that are read as what they write."""
    texts = {field.name for field in plan.source_schema.fields if field.type is ColumnType.TEXT}
    return tuple(name for name in parsed(plan) if name in texts.intersection(_given(plan)))


def parsed(plan: Plan) -> tuple[str, ...]:
    """Return the columns that are read as what they write, whether they are the source's or a step has made them."""
    nodes = (node for step in plan.steps for node in nodes_in(step))
    return tuple(dict.fromkeys(node.operand.name for node in nodes if isinstance(node, Parse)))


def _added_up(step: Step) -> Iterator[Col]:
    match step:
        case Aggregate(measures=measures) | Resample(measures=measures):
            yield from (m.column for m in measures if m.function is AggregateFunction.SUM and m.column is not None)
        case Pivot(measure=Measure(function=AggregateFunction.SUM, column=Col() as column)):
            yield column
        case Window(function=function, column=column) if function in _SUMMING_WINDOWS:
            yield column
        case _:
            return


def columns_of_figures(summary: Summary) -> tuple[Col, ...]:
    """Return the columns of the second table that its figures are made of, each once."""
    return tuple(dict.fromkeys(column for measure in summary.measures for column in columns_in(measure)))


def summed_of_figures(summary: Summary) -> tuple[Col, ...]:
    """Return the number columns of the second table whose values are added up."""
    summed = dict.fromkeys(column for column in _added_up(summary.grouped))
    return tuple(column for column in summed if summary.other_schema.type_of(column.name).is_number)


def columns_in(node: Node) -> Iterator[Col]:
    """Yield every column that a value, a condition or a measure reads, as often as it does."""
    if isinstance(node, Col):
        yield node
        return
    for field in type(node).model_fields:
        value = getattr(node, field)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield from columns_in(child)


def drawn_columns(plan: Plan) -> tuple[str, ...]:
    """Return the columns of the result that the chart shows."""
    return () if plan.chart is None else plan.chart.columns


def names_in(node: Node) -> Iterator[str]:
    """Yield every column that a node names."""
    match node:
        case Col():
            yield node.name
        case Columns():
            yield from node.names
        case SortKey():
            yield node.column
        case _:
            for field in type(node).model_fields:
                value = getattr(node, field)
                for child in value if isinstance(value, tuple) else (value,):
                    if isinstance(child, Node):
                        yield from names_in(child)


def wanted_values(plan: Plan) -> dict[str, list[bool | int | float | str]]:
    """Return values of each column that tell what a plan names beside it from something similar.

    These are the constants of conditions, the values that become columns or have a place in an order, what is next to
    a number or a day, and for a text that is searched others that hold it elsewhere.
    """
    wanted: dict[str, list[bool | int | float | str]] = {}
    own = set(plan.source_schema.names)
    for step in plan.steps:
        if isinstance(step, Unpivot):
            own |= {step.value}
        for name, value in _told_beside(step):
            if name in own:
                near = neighbours(value, plan.table_schema.type_of(name))
                wanted.setdefault(name, []).extend((value, *near))
        own -= {step.name} if isinstance(step, Derive | Window | Resample | Rename) else set()
        if isinstance(step, FIGURES):  # of the source, only what it groups by is left
            own &= set(step.by.names) if isinstance(step, Aggregate | Describe | Resample | Pivot) else set()
    for step in plan.steps:
        if isinstance(step, Members):
            known = wanted.get(step.column.name, [])
            wanted[step.column.name] = [*known, *_lists(step, [str(value) for value in known] or ["x"])]
    return {name: list(dict.fromkeys(values)) for name, values in in_source(plan, wanted).items()}


def in_source(plan: Plan, found: Mapping[str, _Found]) -> dict[str, _Found]:
    """Return what is found of columns by the names that they have in the source: of cells for each of their columns."""
    own = dict(found)
    for place, step in enumerate(plan.steps):
        if isinstance(step, Unpivot) and step.value in own:
            own |= dict.fromkeys(step.columns(plan.schema_at(place)), own.pop(step.value))
    return own


def _lists(step: Members, members: list[str]) -> Iterator[str]:
    """Yield lists with each of some members: before and after another one, twice, and with an empty one."""
    for member in members:
        for listed in ([member, "y"], ["y", member], [member, member], [member, " ", f" {member} "]):
            quoted = ", ".join(f'"{each}"' for each in listed)
            yield f"[{quoted}]" if step.separator is None else step.separator.join(listed)


def _told_beside(step: Step) -> Iterator[tuple[str, bool | int | float | str]]:
    """Yield the columns beside which a step names a value, with the value."""
    if isinstance(step, TwoGroups):
        yield from ((step.group.name, end.value) for end in (step.first, step.second))
    if isinstance(step, Pivot):
        yield from ((step.column.name, value.value) for value in step.values)
    for node in nodes_in(step):
        if isinstance(node, Compare | IsIn | TextMatch):
            yield from _compared(node)
        if isinstance(node, TextMatch):
            text = str(node.text.value)
            around = (f"{text} x", f"x {text}", f"x {text} x", text.swapcase())
            yield from ((node.operand.name, near) for near in around)
        if isinstance(node, SortKey):
            yield from ((node.column, value) for value in node.order)


def compared_columns(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Return the pairs of columns that conditions compare with each other: rows in which they are equal tell most."""
    nodes = [node for step in plan.steps for node in nodes_in(step)]
    sides = [(node.left, node.right) for node in nodes if isinstance(node, Compare)]
    pairs = [(a.name, b.name) for a, b in sides if isinstance(a, Col) and isinstance(b, Col)]
    return tuple(dict.fromkeys(pairs))


def nodes_in(node: Node) -> Iterator[Node]:
    """Yield a node and every node in it."""
    yield node
    for field in type(node).model_fields:
        value = getattr(node, field)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield from nodes_in(child)


def constants_of(plan: Plan) -> dict[str, list[bool | int | float | str]]:
    """Return the constants that a plan names beside each column: in conditions anywhere, in orders, as new columns."""
    found: dict[str, list[bool | int | float | str]] = {}
    for step in plan.steps:
        for name, value in _named_beside(step):
            found.setdefault(name, []).append(value)
        if isinstance(step, FIGURES):
            break
    for step in plan.steps:
        for node in nodes_in(step):
            if isinstance(node, SortKey) and node.order:
                found.setdefault(node.column, []).extend(node.order)
    return {name: list(dict.fromkeys(values)) for name, values in in_source(plan, found).items()}


def _named_beside(step: Step) -> Iterator[tuple[str, bool | int | float | str]]:
    match step:
        case TwoGroups():
            yield from ((step.group.name, end.value) for end in (step.first, step.second))
        case Pivot():
            yield from ((step.column.name, value.value) for value in step.values)
        case _:
            pass
    for node in nodes_in(step):
        if isinstance(node, Compare | IsIn | TextMatch):
            yield from _compared(node)


def _compared(predicate: Predicate) -> Iterator[tuple[str, bool | int | float | str]]:
    match predicate:
        case (
            Compare(left=Col(name=name), right=Lit(value=value)) | Compare(left=Lit(value=value), right=Col(name=name))
        ):
            yield name, value
        case IsIn():
            yield from ((predicate.operand.name, literal.value) for literal in predicate.values)
        case TextMatch():
            yield predicate.operand.name, predicate.text.value
        case All() | AnyOf():
            for term in predicate.terms:
                yield from _compared(term)
        case _:
            return
