"""Generalisation: a plan's columns, literals and limits become the parameters of a tool.

A tool is the *shape* of a plan. `generalise` names the slots, `Shape.bind` fills them with other values, so one
question makes a tool for its whole family of questions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, cast

from jupyter_mcpgen.errors import PlanError, WrongType
from jupyter_mcpgen.plan.columns import drawn_columns, names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, DatePart, IsIn, IsMissing, Lit, TextMatch
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Describe, Filter, Limit, Measure, Select, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Node, Schema

LIST_OF_TEXT = "Sequence[str]"
_PYTHON_TYPES = {
    ColumnType.INTEGER: "float",  # a whole number was typed; any number fits the column
    ColumnType.REAL: "float",
    ColumnType.TEXT: "str",
    ColumnType.BOOLEAN: "bool",
    ColumnType.DATE: "str",
}


class Parameter(Node):
    """A slot of a shape: its name, Python type and meaning, and the value in the original plan."""

    name: str
    type: str
    description: str
    default: bool | int | float | str | tuple[bool | int | float | str, ...]
    is_column: bool = False


class Shape(Node):
    """A plan whose slots are named, and its parameters in reading order."""

    plan: Plan
    parameters: tuple[Parameter, ...]

    def bind(self, arguments: Mapping[str, Any], schema: Schema | None = None) -> Plan:
        """Return the plan for other values, over another schema if one is given.

        Raises `PlanError` for a name that is no parameter, `UnknownColumn` or `WrongType` for values that do not fit.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in arguments.items():
            if name not in known:
                raise PlanError(f"There is no parameter `{name}`. Parameters: {', '.join(sorted(known))}.")
            _check_fits(known[name], value)
        filled = _rebuild_all(self.plan.steps, lambda node: _fill(node, arguments))
        steps, renamed = _follow(self.plan.steps, filled)
        chart = self.plan.chart
        if chart is not None:
            places = {"x": chart.x, "y": chart.y, "color": chart.color}
            chart = chart.model_copy(update={place: renamed.get(n, n) for place, n in places.items() if n is not None})
        return Plan(source=self.plan.source, source_schema=schema or self.plan.source_schema, steps=steps, chart=chart)

    def least_columns(self, parameter: Parameter) -> int:
        """Return how many columns a list must name, because later steps or the chart use them by their place."""
        names = parameter.default if isinstance(parameter.default, tuple) else ()
        later = {name for step in _after_list(self.plan.steps, parameter.name) for name in names_in(step)}
        used = later.union(drawn_columns(self.plan))
        return max([1, *(place for place, name in enumerate(names, 1) if name in used)])


def _after_list(steps: tuple[Step, ...], parameter: str) -> tuple[Step, ...]:
    for place, step in enumerate(steps):
        columns = step.by if isinstance(step, Aggregate) else getattr(step, "columns", None)
        if isinstance(columns, Columns) and columns.parameter == parameter:
            return steps[place + 1 :]
    return ()


def _check_fits(parameter: Parameter, value: Any) -> None:
    """Refuse a value that is not of the parameter's kind; whether a column exists is seen later."""
    if isinstance(parameter.default, tuple):
        fits = isinstance(value, list | tuple) and len(value) > 0
        fits = fits and (not parameter.is_column or all(isinstance(name, str) for name in value))
        what = "a list with at least one value"
    elif parameter.is_column:
        fits, what = isinstance(value, str), "the name of a column"
    elif parameter.type == "int":
        fits, what = isinstance(value, int) and not isinstance(value, bool) and value >= 1, "a whole number from 1 on"
    else:
        fits, what = isinstance(value, bool | int | float | str), "one value"
    if not fits:
        raise WrongType(f"`{parameter.name}` must be {what}, not `{value!r}`.")


def generalise(plan: Plan) -> Shape:
    """Name every slot of a plan; columns that the plan itself makes follow from the others and stay fixed."""
    namer = _Namer({step.name for step in plan.steps if isinstance(step, Derive)})
    steps = tuple(namer.name_slots(step) for step in plan.steps)
    return Shape(
        plan=Plan(source=plan.source, source_schema=plan.source_schema, steps=steps, chart=plan.chart),
        parameters=tuple(namer.parameters),
    )


class _Namer:
    """Names slots in reading order; one column in one role is one parameter."""

    def __init__(self, derived: set[str]) -> None:
        self.parameters: list[Parameter] = []
        self._derived = derived
        self._sees_source = True
        self._columns: dict[tuple[str, str], str] = {}
        self._used: Counter[str] = Counter()

    def name_slots(self, step: Step) -> Step:
        """Return the step with its slots named; steps after an aggregation see columns that it made."""
        named = self._named(step)
        self._sees_source = self._sees_source and not isinstance(step, Aggregate | Describe)
        return named

    def _named(self, step: Step) -> Step:
        match step:
            case Filter():
                return step.model_copy(update={"predicate": _rebuild(step.predicate, self._condition)})
            case Derive():
                return step.model_copy(update={"expression": _rebuild(step.expression, self._operand)})
            case Aggregate():
                measures = tuple(self._measure(measure) for measure in step.measures)
                by = self._list(step.by, "group_by_columns", "Columns to group by; one result row per combination.")
                return step.model_copy(update={"measures": measures, "by": by})
            case Select():
                update = {"columns": self._list(step.columns, "columns", "Columns to show, in order.")}
                return step.model_copy(update=update)
            case Describe():
                update = {"columns": self._list(step.columns, "columns", "Number columns to summarise.")}
                return step.model_copy(update=update)
            case Sort():
                return step.model_copy(update={"keys": tuple(self._sort_key(key) for key in step.keys)})
            case Limit():
                name = self._new("top", "int", "How many rows to keep, at least 1.", step.count)
                return step.model_copy(update={"parameter": name})

    def _condition(self, node: Node) -> Node:
        match node:
            case Compare(left=Col() as column, right=Lit() as value):
                named = self._column(column, "filter_column", "Column that the condition looks at.")
                about = f"Value that `{column.name}` is compared with ({node.op.value})."
                return node.model_copy(update={"left": named, "right": self._value(value, "filter_value", about)})
            case IsIn():
                named = self._column(node.operand, "filter_column", "Column that the condition looks at.")
                values = tuple(value.value for value in node.values)
                type_ = f"Sequence[{_PYTHON_TYPES[node.values[0].type]}]"
                name = self._new("filter_values", type_, f"Values of `{node.operand.name}`.", values)
                return node.model_copy(update={"operand": named, "parameter": name})
            case TextMatch():
                named = self._column(node.operand, "filter_column", "Column that is searched.")
                text = self._value(node.text, "filter_text", f"Text that {node.mode.value}; case does not matter.")
                return node.model_copy(update={"operand": named, "text": text})
            case IsMissing():
                named = self._column(node.operand, "filter_column", "Column that is checked for missing values.")
                return node.model_copy(update={"operand": named})
            case _:
                return node

    def _operand(self, node: Node) -> Node:
        match node:
            case DatePart():
                named = self._column(node.operand, "date_column", "Date column that the period is taken from.")
                return node.model_copy(update={"operand": named})
            case Col(parameter=None):
                return self._column(node, "operand_column", "Number column that is computed with.")
            case _:
                return node

    def _measure(self, measure: Measure) -> Measure:
        if measure.column is None:
            return measure
        named = self._column(measure.column, "value_column", f"Column to take the {measure.function.value} of.")
        return measure.model_copy(update={"column": named})

    def _sort_key(self, key: SortKey) -> SortKey:
        named = self._column(Col(name=key.column), "sort_column", "Column to order the rows by.")
        return key.model_copy(update={"parameter": named.parameter})

    def _column(self, column: Col, role: str, description: str) -> Col:
        if not self._sees_source or column.name in self._derived or column.parameter is not None:
            return column
        slot = (role, column.name)
        if slot not in self._columns:
            self._columns[slot] = self._new(role, "str", description, column.name, is_column=True)
        return column.model_copy(update={"parameter": self._columns[slot]})

    def _list(self, columns: Columns, role: str, description: str) -> Columns:
        if not self._sees_source or not columns.names or self._derived.intersection(columns.names):
            return columns
        name = self._new(role, LIST_OF_TEXT, description, columns.names, is_column=True)
        return columns.model_copy(update={"parameter": name})

    def _value(self, literal: Lit, role: str, description: str) -> Lit:
        name = self._new(role, _PYTHON_TYPES[literal.type], description, literal.value)
        return literal.model_copy(update={"parameter": name})

    def _new(self, role: str, type_: str, description: str, default: Any, *, is_column: bool = False) -> str:
        self._used[role] += 1
        name = role if self._used[role] == 1 else f"{role}_{self._used[role]}"
        self.parameters.append(
            Parameter(name=name, type=type_, description=description, default=default, is_column=is_column)
        )
        return name


def _rebuild(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a copy with `change` applied to each node, children after their parent so that a parent may name them."""
    changed = change(node)
    update: dict[str, Any] = {}
    for name in type(changed).model_fields:
        value = getattr(changed, name)
        if isinstance(value, Node):
            update[name] = _rebuild(value, change)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            update[name] = tuple(_rebuild(item, change) for item in value)
    return changed.model_copy(update=update)


def _rebuild_all(steps: tuple[Step, ...], change: Callable[[Node], Node]) -> tuple[Step, ...]:
    return tuple(cast("Step", _rebuild(step, change)) for step in steps)


def _fill(node: Node, arguments: Mapping[str, Any]) -> Node:
    parameter = getattr(node, "parameter", None)
    if parameter is None or parameter not in arguments:
        return node
    value = arguments[parameter]
    match node:
        case Col():
            return node.model_copy(update={"name": value})
        case Columns():
            return node.model_copy(update={"names": tuple(value)})
        case Lit():
            return Lit(value=value, type=node.type, parameter=parameter)
        case IsIn():
            lits = tuple(Lit(value=item, type=node.values[0].type) for item in value)
            return IsIn(operand=node.operand, values=lits, negated=node.negated, parameter=parameter)
        case SortKey():
            return node.model_copy(update={"column": value})
        case Limit():
            return Limit(count=value, parameter=parameter)
        case _:
            return node


def _follow(old: tuple[Step, ...], new: tuple[Step, ...]) -> tuple[tuple[Step, ...], dict[str, str]]:
    """Let each step name the columns that the steps before it make now; returns also what the result's are called."""
    renamed: dict[str, str] = {}
    followed: list[Step] = []
    for before, filled in zip(old, new, strict=True):
        after = cast("Step", _rebuild(filled, lambda node, names=renamed: _rename(node, names)))  # type: ignore[misc]
        renamed = _names_after(before, after, renamed)
        followed.append(after)
    return tuple(followed), renamed


def _names_after(before: Step, after: Step, renamed: dict[str, str]) -> dict[str, str]:
    """Map each column that a step gave to the column that stands in its place now."""
    match before, after:
        case Aggregate(), Aggregate():
            keys = zip(before.by.names, after.by.names, strict=False)
            return dict(keys) | {m.name: n.name for m, n in zip(before.measures, after.measures, strict=True)}
        case Select(), Select() if before.columns.parameter is not None:
            return dict(zip(before.columns.names, after.columns.names, strict=False))
        case Describe(), Describe():
            return {}
        case _:
            return renamed


def _rename(node: Node, renamed: Mapping[str, str]) -> Node:
    if not renamed or getattr(node, "parameter", None) is not None:
        return node
    match node:
        case Col():
            return node.model_copy(update={"name": renamed.get(node.name, node.name)})
        case Columns():
            return node.model_copy(update={"names": tuple(renamed.get(name, name) for name in node.names)})
        case SortKey():
            return node.model_copy(update={"column": renamed.get(node.column, node.column)})
        case _:
            return node


def shape_key(shape: Shape) -> str:
    """Return a text that two shapes share when they differ in the values of their parameters only.

    How many columns a list holds is part of its value, unless a later step or the chart uses one by its place.
    """
    steps, renamed = _follow(shape.plan.steps, _rebuild_all(shape.plan.steps, _placeholder))
    texts = [step.model_dump_json() for step in _rebuild_all(steps, _without_length)]
    if shape.plan.chart is not None:
        drawn = shape.plan.chart.model_dump()
        texts.append(json.dumps({place: renamed.get(name, name) for place, name in drawn.items()}))
    return "|".join(texts)


def _placeholder(node: Node) -> Node:
    """Put the name of a slot in the place of its value."""
    parameter = getattr(node, "parameter", None)
    if parameter is None:
        return node
    match node:
        case Col():
            return node.model_copy(update={"name": f"{{{parameter}}}"})
        case Columns():
            places = range(len(node.names))
            return node.model_copy(update={"names": tuple(f"{{{parameter}[{place}]}}" for place in places)})
        case Lit():
            return node.model_copy(update={"value": "?"})
        case IsIn():
            return node.model_copy(update={"values": ()})
        case SortKey():
            return node.model_copy(update={"column": f"{{{parameter}}}"})
        case Limit():
            return node.model_copy(update={"count": 1})
        case _:
            return node


def _without_length(node: Node) -> Node:
    named = isinstance(node, Columns) and node.parameter is not None
    return node.model_copy(update={"names": ()}) if named else node
