"""Says any plan in one English sentence: the reading that an analyst checks first."""

from __future__ import annotations

import re
from typing import assert_never

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    MatchMode,
    Predicate,
    TextMatch,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_FUNCTIONS = {
    AggregateFunction.COUNT: "number of values of",
    AggregateFunction.COUNT_DISTINCT: "number of different",
    AggregateFunction.SUM: "sum of",
    AggregateFunction.MEAN: "mean of",
    AggregateFunction.MEDIAN: "median of",
    AggregateFunction.MIN: "smallest",
    AggregateFunction.MAX: "largest",
    AggregateFunction.STD: "standard deviation of",
    AggregateFunction.VAR: "variance of",
}
_OPERATORS = {
    CompareOp.EQ: "is",
    CompareOp.NE: "is not",
    CompareOp.LT: "is less than",
    CompareOp.LE: "is at most",
    CompareOp.GT: "is greater than",
    CompareOp.GE: "is at least",
}


_CONFUSING = re.compile(r"^(missing|not|true|false)\b|\b(and|or|where)\b|^[\d.,+-]*$|[“”,()]", re.IGNORECASE)
_MATCHES = {
    MatchMode.CONTAINS: ("contains", "does not contain"),
    MatchMode.STARTS: ("starts with", "does not start with"),
    MatchMode.ENDS: ("ends with", "does not end with"),
}


def say_plan(plan: Plan) -> str:
    """Return the reading, such as `sum of injuries_fatal by weather_condition, largest first`."""
    of_rows, of_groups = _filters(plan)
    derived = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    said = {id(step) for step in (*of_rows, *of_groups)}
    others = [step for step in plan.steps if id(step) not in said and not isinstance(step, Derive)]
    aggregates = [step for step in others if isinstance(step, Aggregate)]
    only = aggregates[0].measures[0].name if aggregates and len(aggregates[0].measures) == 1 else None
    parts = [_say_step(step, derived, position, only) for position, step in enumerate(others)]
    if not others or isinstance(others[0], Sort | Limit):
        parts.insert(0, "rows")
    text = "".join(parts)
    text += "".join(
        [_say_filters(of_rows, ", where "), _say_filters(of_groups, ", then where " if of_rows else ", where ")]
    )
    grouped = {name for step in aggregates for name in step.by.names}
    made = [f"{name} = {_say_value(value)}" for name, value in derived.items() if name not in grouped]
    if made:
        text += ", with " + " and ".join(made)
    return text


def _filters(plan: Plan) -> tuple[list[Filter], list[Filter]]:
    """Return the conditions on rows and those on groups; one that comes after a limit is said in its place."""
    limits = [position for position, step in enumerate(plan.steps) if isinstance(step, Limit)]
    sooner = plan.steps[: limits[0]] if limits else plan.steps
    groups = [position for position, step in enumerate(sooner) if isinstance(step, Aggregate | Describe)]
    split = groups[0] if groups else len(sooner)
    rows, made = sooner[:split], sooner[split:]
    return [s for s in rows if isinstance(s, Filter)], [s for s in made if isinstance(s, Filter)]


def _say_filters(filters: list[Filter], opening: str) -> str:
    said = _in_brackets if len(filters) > 1 else say_predicate
    return opening + " and ".join(said(step.predicate) for step in filters) if filters else ""


def say_measure(measure: Measure) -> str:
    """Return one measure in words."""
    if measure.column is None:
        return "number of rows"
    return f"{_FUNCTIONS[measure.function]} {measure.column.name}"


def say_predicate(predicate: Predicate) -> str:
    """Return one condition in words."""
    match predicate:
        case Compare():
            return f"{_say_value(predicate.left)} {_OPERATORS[predicate.op]} {_say_value(predicate.right)}"
        case IsIn():
            values = " or ".join(_say_value(value) for value in predicate.values)
            return f"{predicate.operand.name} is {'not ' if predicate.negated else ''}{values}"
        case TextMatch():
            verb = _MATCHES[predicate.mode][predicate.negated]
            return f"{predicate.operand.name} {verb} {_say_value(predicate.text)}"
        case IsMissing():
            return f"{predicate.operand.name} is {'not ' if predicate.negated else ''}missing"
        case All():
            return " and ".join(_in_brackets(term) for term in predicate.terms)
        case AnyOf():
            return " or ".join(_in_brackets(term) for term in predicate.terms)
        case _:
            assert_never(predicate)


def _in_brackets(predicate: Predicate) -> str:
    text = say_predicate(predicate)
    return f"({text})" if isinstance(predicate, All | AnyOf) else text


def _say_step(step: Step, derived: dict[str, Expression], position: int, only: str | None) -> str:
    match step:
        case Aggregate():
            measures = " and ".join(say_measure(measure) for measure in step.measures)
            by = " and ".join(_say_key(name, derived) for name in step.by.names)
            return f"{', then ' if position else ''}{measures}{' by ' + by if by else ''}"
        case Select():
            return f"{', showing ' if position else ''}{', '.join(step.columns.names)}"
        case Sort():
            return ", " + " then ".join(_say_order(key, only) for key in step.keys)
        case Limit():
            return f", first {step.count}" if step.count > 1 else ", first one"
        case Describe():
            return f"{', then ' if position else ''}summary of {', '.join(step.columns.names)}"
        case Filter():
            return f", keeping those where {say_predicate(step.predicate)}"
        case Derive():
            return ""
        case _:
            assert_never(step)


def _say_key(name: str, derived: dict[str, Expression]) -> str:
    expression = derived.get(name)
    return name if expression is None else _say_value(expression)


def _say_order(key: SortKey, only: str | None) -> str:
    """Say an order; the only measure there is need not be named again."""
    end = "largest" if key.descending else "smallest"
    return f"{end} first" if key.column == only else f"by {key.column} {end} first"


def _say_value(expression: Expression) -> str:
    match expression:
        case Col():
            return expression.name
        case Lit():
            return _say_literal(expression)
        case Arithmetic():
            return f"({_say_value(expression.left)} {expression.op.value} {_say_value(expression.right)})"
        case DatePart():
            return f"{_say_unit(expression.unit)} of {expression.operand.name}"
        case _:
            assert_never(expression)


def _say_literal(literal: Lit) -> str:
    """Say a constant; a text is quoted where it could be read as a part of the sentence or as a number."""
    text = str(literal.value)
    if literal.type is not ColumnType.TEXT:
        return text
    plain = text.strip() == text != "" and text.isprintable() and _CONFUSING.search(text) is None
    return text if plain else f"“{text}”"


_PARTS_OF_PERIODS = {
    DateUnit.QUARTER: "calendar quarter",
    DateUnit.MONTH: "calendar month",
    DateUnit.DAY: "day of the month",
}
"""Parts of a larger period, said so that they do not sound like the periods themselves."""


def _say_unit(unit: DateUnit) -> str:
    return _PARTS_OF_PERIODS.get(unit, unit.value.removeprefix("start_of_"))


def say_generally(plan: Plan) -> str:
    """Say what a family of questions asks, such as `sum of a column by groups, largest first`."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    parts: list[str] = []
    if aggregate is not None:
        parts.append(" and ".join(dict.fromkeys(_general_measure(measure) for measure in aggregate.measures)))
        parts.append(_general_groups(plan, aggregate))
    elif any(isinstance(step, Describe) for step in plan.steps):
        parts.append("summary figures of number columns")
    else:
        parts.append("rows of a table")
    of_rows, of_groups = _filters(plan)
    if of_rows:
        parts.append(" that meet a condition" if aggregate is None else ", over the rows that meet a condition")
    if of_groups:
        parts.append(", only those that meet a condition")
    sort = next((step for step in plan.steps if isinstance(step, Sort)), None)
    if sort is not None:
        parts.append(f", {'largest' if sort.keys[0].descending else 'smallest'} first")
    if any(isinstance(step, Limit) for step in plan.steps):
        parts.append(", only the first ones")
    return "".join(parts)


def _general_measure(measure: Measure) -> str:
    return "number of rows" if measure.column is None else f"{_FUNCTIONS[measure.function]} a column"


def _general_groups(plan: Plan, aggregate: Aggregate) -> str:
    if not aggregate.by.names:
        return ""
    derived = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    units = [derived[name] for name in aggregate.by.names if name in derived]
    periods = [_say_unit(unit.unit) for unit in units if isinstance(unit, DatePart)]
    words = [*(["groups"] if len(units) < len(aggregate.by.names) else []), *periods]
    return " by " + " and ".join(words)
