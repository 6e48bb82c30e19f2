"""Generalisation: a plan's columns, literals and limits become the parameters of a tool.

A tool is the *shape* of a plan. `generalise` names the slots, `Shape.bind` fills them with other values, so one
question makes a tool for its whole family of questions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from jupyter_mcpgen.errors import PlanError, WrongType
from jupyter_mcpgen.plan.columns import drawn_columns, names_in
from jupyter_mcpgen.plan.expressions import (
    Bin,
    Col,
    Columns,
    IsIn,
    Lit,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Chart,
    Derive,
    Describe,
    Distinct,
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
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType, Node, Schema
from jupyter_mcpgen.plan.slots import Namer, Parameter, rebuilt
from jupyter_mcpgen.plan.sources import Second, Summary, Union
from jupyter_mcpgen.plan.statistics import (
    CorrelationMatrix,
    Correlations,
    FigureStatistic,
    LinearRegression,
    MeanInterval,
    Normality,
    Statistic,
)

_CONSTRAINTS = (Filter, Sort, Limit)
"""Steps that say which rows, in which order; the others say what is computed."""


class Shape(Node):
    """A plan whose slots are named, and its parameters in reading order."""

    plan: Plan
    parameters: tuple[Parameter, ...]

    def bind(
        self, arguments: Mapping[str, Any], schema: Schema | None = None, other_schema: Schema | None = None
    ) -> Plan:
        """Return the plan for other values, over the schemas of another table, or of two other ones, if given.

        Raises `PlanError` for a name that is no parameter, `UnknownColumn` or `WrongType` for values that do not fit.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in arguments.items():
            if name not in known:
                raise PlanError(f"There is no parameter `{name}`. Parameters: {', '.join(sorted(known))}.")
            _check_fits(known[name], value)
        filled = _rebuild_all(self.plan.steps, lambda node: _fill(node, arguments))
        second, known_schema = self.plan.second, schema or self.plan.source_schema
        figures: dict[str, str] = {}
        if second is not None:
            bound = _bound(second, arguments, schema or second.first_schema, other_schema or second.other_schema)
            figures = _figures_of_second(second, bound)
            second, known_schema = bound, bound.schema_
        steps, chart = followed(self.plan, filled, figures)
        return Plan(source=self.plan.source, source_schema=known_schema, second=second, steps=steps, chart=chart)

    def least_columns(self, parameter: Parameter) -> int:
        """Return how many columns a list must name, because later steps or the chart use them by their place."""
        become_columns = any(isinstance(s, Pivot) and s.parameter == parameter.name for s in self.plan.steps)
        if not isinstance(parameter.default, tuple) or not (parameter.is_column or become_columns):
            return 1
        names = tuple(map(str, parameter.default))
        later = {name for step in _after_list(self.plan.steps, parameter.name) for name in names_in(step)}
        used = later.union(drawn_columns(self.plan))
        needed = [s.least_columns for s in self.plan.steps if isinstance(s, Statistic) and _takes(s, parameter.name)]
        return max([1, *needed, *(place for place, name in enumerate(names, 1) if name in used)])


def _takes(step: Statistic, parameter: str) -> bool:
    """Tell whether a parameter names the columns of a statistic, and not what it groups by."""
    columns = getattr(step, "columns", None)
    return isinstance(columns, Columns) and columns.parameter == parameter


def _bound(second: Second, arguments: Mapping[str, Any], first_schema: Schema, other_schema: Schema) -> Second:
    """Return a second table over other schemas; what tells its columns apart keeps the name of the one it was for."""
    schemas = {"first_schema": first_schema, "other_schema": other_schema}
    filled = rebuilt(second, lambda node: _fill(node, arguments))
    return type(second)(**{name: getattr(filled, name) for name in type(second).model_fields} | schemas)


def _figures_of_second(before: Second, after: Second) -> dict[str, str]:
    """Map the figures of a second table to those that stand in their place."""
    if not (isinstance(before, Summary) and isinstance(after, Summary)):
        return {}
    return {old.name: new.name for old, new in zip(before.figures, after.figures, strict=True)}


def _after_list(steps: tuple[Step, ...], parameter: str) -> tuple[Step, ...]:
    for place, step in enumerate(steps):
        if isinstance(step, Pivot) and step.parameter == parameter:
            return steps[place + 1 :]
        lists = (getattr(step, name, None) for name in ("by", "columns"))
        if any(isinstance(columns, Columns) and columns.parameter == parameter for columns in lists):
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
    figures = plan.second.figures if isinstance(plan.second, Summary) else ()
    made = {step.name for step in plan.steps if isinstance(step, Derive | Window | Resample | Rename)}
    made.update(name for step in plan.steps if isinstance(step, Unpivot | Members) for name in step.made)
    namer = Namer({*made, *(figure.name for figure in figures)})
    second = namer.name_keys(plan.second) if plan.second is not None else None
    steps = tuple(namer.name_slots(step) for step in plan.steps)
    return Shape(
        plan=Plan(source=plan.source, source_schema=plan.source_schema, second=second, steps=steps, chart=plan.chart),
        parameters=tuple(namer.parameters),
    )


def followed(
    plan: Plan, changed: tuple[Step, ...], figures: Mapping[str, str] | None = None
) -> tuple[tuple[Step, ...], Chart | None]:
    """Return changed steps, one for each of a plan, and its chart, with the names that the steps before them give now.

    `figures` are the columns of the source that are called otherwise now.
    """
    steps, renamed = _follow(plan.steps, changed, figures or {})
    chart = plan.chart
    if chart is not None:
        places = {"x": chart.x, "y": chart.y, "color": chart.color}
        chart = chart.model_copy(update={place: renamed.get(n, n) for place, n in places.items() if n is not None})
    return steps, chart


def _rebuild_all(steps: tuple[Step, ...], change: Callable[[Node], Node]) -> tuple[Step, ...]:
    return tuple(cast("Step", rebuilt(step, change)) for step in steps)


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
        case Limit() | TopPerGroup():
            return node.model_copy(update={"count": value})
        case Window():
            return node.model_copy(update={"size": value})
        case Bin():
            return node.model_copy(update={"width" if node.width is not None else "count": value})
        case Pivot():
            values = tuple(Lit(value=item, type=node.values[0].type) for item in value)
            return node.model_copy(update={"values": values})
        case _:
            return node


def _follow(
    old: tuple[Step, ...], new: tuple[Step, ...], figures: Mapping[str, str]
) -> tuple[tuple[Step, ...], dict[str, str]]:
    """Let each step name the columns that the steps before it make now; returns also what the result's are called.

    `figures` are the columns of the source that are called otherwise now.
    """
    renamed = dict(figures)
    followed: list[Step] = []
    for before, filled in zip(old, new, strict=True):
        after = cast("Step", rebuilt(filled, lambda node, names=renamed: with_names(node, names)))  # type: ignore[misc]
        renamed = _names_after(before, after, renamed)
        followed.append(after)
    return tuple(followed), renamed


def _names_after(before: Step, after: Step, renamed: dict[str, str]) -> dict[str, str]:
    """Map each column that a step gave to the column that stands in its place now."""
    match before, after:
        case Aggregate(), Aggregate():
            return _figures_after(before, after)
        case Resample(), Resample():
            return _figures_after(before, after)
        case Pivot(), Pivot():
            keys = zip(before.by.names, after.by.names, strict=False)
            return dict(keys) | dict(zip(before.names, after.names, strict=False))
        case Select(), Select() if before.columns.parameter is not None:
            return dict(zip(before.columns.names, after.columns.names, strict=False))
        case Distinct(), Distinct() if before.columns.parameter is not None:
            return dict(zip(before.columns.names, after.columns.names, strict=False))
        case CorrelationMatrix(), CorrelationMatrix():
            return dict(zip(before.columns.names, after.columns.names, strict=False))
        case Describe(), Describe():
            return dict(zip(before.by.names, after.by.names, strict=False))
        case Correlations(), Correlations():
            return dict(zip(before.by.names, after.by.names, strict=False))
        case LinearRegression(), LinearRegression():
            return dict(zip(before.by.names, after.by.names, strict=False))
        case Normality(), Normality():
            return dict(zip(before.by.names, after.by.names, strict=False))
        case MeanInterval(), MeanInterval():
            return dict(zip(before.by.names, after.by.names, strict=False))
        case _ if isinstance(before, FigureStatistic):
            return {}
        case _:
            return renamed


def _figures_after(before: Aggregate | Resample, after: Aggregate | Resample) -> dict[str, str]:
    keys = zip(before.by.names, after.by.names, strict=False)
    return dict(keys) | {m.name: n.name for m, n in zip(before.measures, after.measures, strict=True)}


def with_names(node: Node, renamed: Mapping[str, str]) -> Node:
    """Return a node that calls columns by other names; a slot keeps its own."""
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
    steps, renamed = _steps_by_slot(shape)
    texts = [step.model_dump_json() for step in steps]
    if shape.plan.chart is not None:
        chart = shape.plan.chart
        drawn = {"x": chart.x, "y": chart.y, "color": chart.color}
        named = {place: name and renamed.get(name, name) for place, name in drawn.items()}
        texts.append(json.dumps({"kind": chart.kind.value, **named}))
        texts += [json.dumps(chart.look.arguments)] if chart.look.arguments else []
    if shape.plan.second is not None:
        texts.append(_second_key(shape.plan.second))
    return "|".join(texts)


def operation_key(shape: Shape) -> str:
    """Return a text that two shapes share when they compute the same, of other rows, in another order or form."""
    steps, _ = _steps_by_slot(shape)
    texts = [step.model_dump_json() for step in steps if not isinstance(step, _CONSTRAINTS)]
    return "|".join([*texts, *([_second_key(shape.plan.second)] if shape.plan.second is not None else [])])


def constraints_key(shape: Shape) -> str:
    """Return a text that two shapes share when they have the same conditions, order and limit, whatever the values."""
    steps, _ = _steps_by_slot(shape)
    return "|".join(step.model_dump_json() for step in steps if isinstance(step, _CONSTRAINTS))


def _steps_by_slot(shape: Shape) -> tuple[tuple[Step, ...], dict[str, str]]:
    """Return the steps with the names of slots in the place of values, and what the result's columns are called."""
    second = shape.plan.second
    figures = dict(_slotted_figures(second)) if isinstance(second, Summary) else {}
    steps, renamed = _follow(shape.plan.steps, _rebuild_all(shape.plan.steps, _slotted), figures)
    return _rebuild_all(steps, _without_length), renamed


def _second_key(second: Second) -> str:
    """Return what two ways to a second table share that differ in their tables and keys only."""
    if isinstance(second, Union):
        return second.kind
    if isinstance(second, Summary):
        figures = [_rebuilt_figure(figure).model_dump_json() for figure in second.figures]
        return json.dumps([second.kind, second.relation, len(second.keys), figures])
    suffixed = any(new != old for old, new in second.taken.items())
    return json.dumps([second.kind, second.how, second.relation, len(second.keys), suffixed and second.other])


def _slotted_figures(second: Summary) -> Iterator[tuple[str, str]]:
    """Yield what the figures of a second table are called, and what with the names of slots."""
    for figure in second.figures:
        yield figure.name, _rebuilt_figure(figure).name


def _rebuilt_figure(figure: Measure) -> Measure:
    return cast("Measure", rebuilt(figure, _slotted))


def _slotted(node: Node) -> Node:
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
        case Limit() | TopPerGroup():
            return node.model_copy(update={"count": 1})
        case Window():
            return node.model_copy(update={"size": 1})
        case Bin():
            return node.model_copy(update={"width": None, "count": None})
        case Pivot():
            names = (f"{{{parameter}[{place}]}}" for place in range(len(node.values)))
            return node.model_copy(update={"values": tuple(Lit(value=name, type=ColumnType.TEXT) for name in names)})
        case _:
            return node


def _without_length(node: Node) -> Node:
    if isinstance(node, Pivot) and node.parameter is not None:
        return node.model_copy(update={"values": ()})
    named = isinstance(node, Columns) and node.parameter is not None
    return node.model_copy(update={"names": ()}) if named else node
