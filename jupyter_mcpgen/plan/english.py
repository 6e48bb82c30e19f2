"""Says any plan in one English sentence: the reading that an analyst checks first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never, get_args

from jupyter_mcpgen.plan.english_measures import say_measure, say_measure_generally
from jupyter_mcpgen.plan.english_reshaping import say_reshaping, say_reshaping_generally
from jupyter_mcpgen.plan.english_sources import say_second, say_second_generally
from jupyter_mcpgen.plan.english_statistics import say_statistic, say_statistic_generally
from jupyter_mcpgen.plan.english_values import (
    in_brackets,
    say_literal,
    say_predicate,
    say_unit,
    say_value,
)
from jupyter_mcpgen.plan.english_windows import GENERAL_WINDOWS, say_window, with_figures_named
from jupyter_mcpgen.plan.expressions import (
    Bin,
    Case,
    DateName,
    DatePart,
    Expression,
    Parse,
    TimeBetween,
)
from jupyter_mcpgen.plan.ops import (
    CUTS,
    FIGURES,
    Aggregate,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
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
from jupyter_mcpgen.plan.statistics import Outliers, RowStatistic, Statistic


def say_plan(plan: Plan) -> str:
    """Return the reading, such as `sum of injuries_fatal by weather_condition, largest first`."""
    compared, steps = with_figures_named(plan)
    of_rows, of_groups = ([], []) if compared else _filters(plan)
    derived = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    said = {id(step) for step in (*of_rows, *of_groups)}
    unsaid = (*said, *(id(step) for step in _select_without_repeats(plan, derived)))
    others = [step for step in steps if id(step) not in unsaid and not isinstance(step, Derive | Unpivot | Members)]
    noun = next((say_unit(step.unit) for step in others if isinstance(step, Resample)), "row")
    parts = [
        f", then {_say_figures(step, derived, _of_what(others[:place]))}"
        if isinstance(step, Aggregate) and place
        else f"{', then ' if place else ''}different rows"
        if isinstance(step, Distinct) and step.columns.names == plan.schema_at(plan.steps.index(step)).names
        else _say_step(step, derived, place, _only_figure(others[:place]), noun)
        for place, step in enumerate(others)
    ]
    if not others or isinstance(others[0], Filter | Sort | Limit | TopPerGroup | Window | Rename):
        parts.insert(0, "rows")
    text = "".join(parts)
    text += "".join(
        [_say_filters(of_rows, ", where "), _say_filters(of_groups, ", then where " if of_rows else ", where ")]
    )
    grouped = {name for step in others for name in _key_names(step)}
    unsaid_yet = {name: value for name, value in derived.items() if name not in grouped or isinstance(value, Case)}
    made = [_say_derived(name, value) for name, value in unsaid_yet.items()]
    if made:
        text += ", with " + " and ".join(made)
    text += "".join(f", {said}" for said in _say_reshaped(plan))
    if plan.second is not None:
        text += (" of " if text == "rows" else ", over ") + say_second(plan.source, plan.second)
    return text


def _say_reshaped(plan: Plan) -> list[str]:
    steps = enumerate(plan.steps)
    return [say_reshaping(s, plan.schema_at(at)) for at, s in steps if isinstance(s, Unpivot | Members)]


def _say_derived(name: str, value: Expression) -> str:
    """Say a column that a plan makes; one that is only read in another way needs no second name."""
    said = say_value(value)
    return said if isinstance(value, Parse) and value.operand.name == name else f"{name} = {said}"


def _key_names(step: Step) -> tuple[str, ...]:
    """Return the columns whose values head the rows or the columns of a result."""
    match step:
        case Aggregate() | Resample() | TopPerGroup() | Describe() | Outliers():
            return step.by.names
        case Pivot():
            return (*step.by.names, step.column.name)
        case _:
            return ()


def _select_without_repeats(plan: Plan, derived: dict[str, Expression]) -> list[Step]:
    """Return the choices of columns that leave out only what another column says too, such as a weekday's number."""
    keys = {name: _say_key(name, derived) for step in plan.steps for name in _key_names(step)}
    found: list[Step] = []
    for position, step in enumerate(plan.steps):
        if isinstance(step, Select):
            seen = plan.schema_at(position).names
            dropped = [name for name in seen if name not in step.columns.names]
            kept = {keys[name] for name in step.columns.names if name in keys}
            in_order = [name for name in seen if name not in dropped] == list(step.columns.names)
            if dropped and in_order and all(name in derived and keys.get(name) in kept for name in dropped):
                found.append(step)
    return found


def _filters(plan: Plan) -> tuple[list[Filter], list[Filter]]:
    """Return the conditions on rows and those on groups; one that comes after a limit is said in its place."""
    cuts = (*CUTS, Window, *get_args(RowStatistic))
    limits = [position for position, step in enumerate(plan.steps) if isinstance(step, cuts)]
    sooner = plan.steps[: limits[0]] if limits else plan.steps
    groups = [position for position, step in enumerate(sooner) if isinstance(step, FIGURES)]
    split = groups[0] if groups else len(sooner)
    rows, made = sooner[:split], sooner[split:]
    return [s for s in rows if isinstance(s, Filter)], [s for s in made if isinstance(s, Filter)]


def _say_filters(filters: list[Filter], opening: str) -> str:
    said = in_brackets if len(filters) > 1 else say_predicate
    return opening + " and ".join(said(step.predicate) for step in filters) if filters else ""


def _only_figure(before: Sequence[Step]) -> str | None:
    """Return the name of the figure that the groups have after some steps, where it is the only one."""
    made = [step for step in before if isinstance(step, Aggregate | Resample)]
    return made[-1].measures[0].name if made and len(made[-1].measures) == 1 else None


def _of_what(before: Sequence[Step]) -> str:
    """Return what a row stands for after some steps."""
    return "group" if any(isinstance(step, Aggregate) and step.by.names for step in before) else "row"


def _say_figures(step: Aggregate, derived: dict[str, Expression], counted: str) -> str:
    measures = " and ".join(say_measure(measure, counted) for measure in step.measures)
    by = " and ".join(dict.fromkeys(_say_key(name, derived) for name in step.by.names))
    return f"{measures}{' by ' + by if by else ''}"


def _say_step(step: Step, derived: dict[str, Expression], position: int, only: str | None, noun: str) -> str:
    match step:
        case Aggregate():
            return _say_figures(step, derived, "row")
        case Select():
            return f"{', showing ' if position else ''}{', '.join(step.columns.names)}"
        case Sort():
            return ", " + " then ".join(_say_order(key, only) for key in step.keys)
        case Limit():
            return f", first {step.count}" if step.count > 1 else ", first one"
        case Describe():
            each = " and ".join(_say_key(name, derived) for name in step.by.names)
            by = f" by {each}" if each else ""
            return f"{', then ' if position else ''}summary of {', '.join(step.columns.names)}{by}"
        case Filter():
            return f", keeping those where {say_predicate(step.predicate)}"
        case Derive() | Unpivot() | Members():
            return ""
        case Distinct():
            return f"{', then ' if position else ''}different {' and '.join(step.columns.names)}"
        case TopPerGroup():
            keys = " then ".join(_say_order(key, None) for key in step.keys)
            each = " and ".join(_say_key(name, derived) for name in step.by.names)
            return f", the first {step.count} of each {each} {keys}"
        case Window():
            within = " and ".join(_say_key(name, derived) for name in step.by.names)
            return f", with {say_window(step, within, noun)}"
        case Resample():
            measures = " and ".join(say_measure(measure) for measure in step.measures)
            period = say_unit(step.unit)
            by = " and ".join([f"{period} of {step.date.name}", *(_say_key(name, derived) for name in step.by.names)])
            return f"{', then ' if position else ''}{measures} by {by}, also for a {period} without rows"
        case Pivot():
            by = " and ".join(_say_key(name, derived) for name in step.by.names)
            values = ", ".join(say_literal(value) for value in step.values)
            column = _say_key(step.column.name, derived)
            figure = say_measure(step.measure)
            return f"{', then ' if position else ''}{figure} by {by}, one column per {column} ({values})"
        case Rename():
            return f", with {step.column.name} called {step.name}"
        case _ if isinstance(step, Statistic):
            return f"{', then ' if position else ''}{say_statistic(step)}"
        case _:
            assert_never(step)


def _say_key(name: str, derived: dict[str, Expression]) -> str:
    expression = derived.get(name)
    return name if expression is None or isinstance(expression, Case) else say_value(expression)


def _say_order(key: SortKey, only: str | None) -> str:
    """Say an order; the only measure there is need not be named again."""
    if key.order:
        lowest, highest = key.order[0], key.order[-1]
        first, last = (highest, lowest) if key.descending else (lowest, highest)
        return f"by {key.column} from {first} to {last}"
    end = "largest" if key.descending else "smallest"
    return f"{end} first" if key.column == only else f"by {key.column} {end} first"


def say_generally(plan: Plan) -> str:
    """Say what a family of questions asks, such as `sum of a column by groups, largest first`."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    parts: list[str] = []
    shape = next((_GENERAL[type(step)](step) for step in plan.steps if type(step) in _GENERAL), None)
    if aggregate is None and shape is not None:
        parts.append(shape)
    elif aggregate is not None:
        parts.append(" and ".join(dict.fromkeys(say_measure_generally(measure) for measure in aggregate.measures)))
        parts.append(_general_groups(plan, aggregate))
    elif any(isinstance(step, Describe) for step in plan.steps):
        grouped = any(isinstance(step, Describe) and step.by.names for step in plan.steps)
        parts.append(f"summary figures of number columns{' by groups' if grouped else ''}")
    else:
        parts.append("rows of a table")
    of_rows, of_groups = _filters(plan)
    if aggregate is not None:
        parts += [f", over the {say_statistic_generally(s)}" for s in plan.steps if isinstance(s, RowStatistic)]
    if of_rows:
        plain = aggregate is None and shape is None
        parts.append(" that meet a condition" if plain else ", over the rows that meet a condition")
    if of_groups:
        parts.append(", only those that meet a condition")
    windows = {GENERAL_WINDOWS[step.function]: step for step in plan.steps if isinstance(step, Window)}
    compared, _ = with_figures_named(plan)
    parts += [f", {'compared ' if compared and w.function.is_figure else ''}with {said}" for said, w in windows.items()]
    if any(isinstance(step, TopPerGroup) for step in plan.steps):
        parts.append(", only the first ones of each group")
    sort = next((step for step in plan.steps if isinstance(step, Sort)), None)
    if sort is not None:
        end = "largest" if sort.keys[0].descending else "smallest"
        parts.append(", in an order of the values" if sort.keys[0].order else f", {end} first")
    if any(isinstance(step, Limit) for step in plan.steps):
        parts.append(", only the first ones")
    parts += [f", {say_reshaping_generally(step)}" for step in plan.steps if isinstance(step, Unpivot | Members)]
    if plan.second is not None:
        parts.append(f", {say_second_generally(plan.second)}")
    return "".join(parts)


def _general_resample(step: Resample) -> str:
    measures = " and ".join(dict.fromkeys(say_measure_generally(measure) for measure in step.measures))
    groups = " and groups" if step.by.names else ""
    return f"{measures} by {say_unit(step.unit)}{groups}, also for empty ones"


_GENERAL: dict[type[Step], Callable[[Any], str]] = {
    Distinct: lambda step: "different values of columns",
    Resample: _general_resample,
    Pivot: lambda step: f"{say_measure_generally(step.measure)} by groups, one column per value of a column",
    **dict.fromkeys(get_args(Statistic), say_statistic_generally),
}


def _general_groups(plan: Plan, aggregate: Aggregate) -> str:
    if not aggregate.by.names:
        return ""
    derived = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    units = [derived[name] for name in aggregate.by.names if name in derived]
    words = [*(["groups"] if len(units) < len(aggregate.by.names) else []), *map(_general_key, units)]
    return " by " + " and ".join(dict.fromkeys(words))


def _general_key(expression: Expression) -> str:
    match expression:
        case DatePart() | DateName():
            return say_unit(expression.unit)
        case TimeBetween():
            return f"{expression.unit.value} between two dates"
        case Bin():
            return "intervals of a column"
        case _:
            return "a computed value"
