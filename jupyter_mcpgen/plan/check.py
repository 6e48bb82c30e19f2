"""Types of expressions and the schema after each step; refuses what makes no sense, with the column named."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.errors import PlanError, WrongType
from jupyter_mcpgen.plan.check_statistics import schema_after_statistic
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Bin,
    Case,
    Col,
    Columns,
    Compare,
    DateName,
    DatePart,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Parse,
    Predicate,
    TextCall,
    TextFunction,
    TextMatch,
    TimeBetween,
)
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
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
    WindowFunction,
)
from jupyter_mcpgen.plan.reshaping import Members, Unpivot, schema_after_reshaping
from jupyter_mcpgen.plan.schema import ColumnType, Field, Node, Schema
from jupyter_mcpgen.plan.statistics import Statistic
from jupyter_mcpgen.plan.writings import TruthWriting

DESCRIBE_FIELDS = (
    Field(name="column", type=ColumnType.TEXT),
    Field(name="count", type=ColumnType.INTEGER),
    Field(name="missing", type=ColumnType.INTEGER),
    *(Field(name=n, type=ColumnType.REAL) for n in ("mean", "std", "min", "q25", "median", "q75", "max")),
)
_ORDERED = frozenset({AggregateFunction.MIN, AggregateFunction.MAX})
_OF_BOOLEANS = frozenset({AggregateFunction.SUM, AggregateFunction.MEAN})
_COUNTS = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT})
_PARTS = frozenset({AggregateFunction.RATE, AggregateFunction.PERCENT})
_TAKEN = frozenset({AggregateFunction.MODE, AggregateFunction.FIRST, AggregateFunction.LAST})
"""Functions whose result is one of the values."""
_KEEPS_INTEGERS = frozenset({AggregateFunction.SUM, AggregateFunction.MIN, AggregateFunction.MAX})


def expression_type(expression: Expression, schema: Schema) -> ColumnType:
    """Return the type of a value; raises `UnknownColumn` or `WrongType`."""
    match expression:
        case Col():
            return schema.type_of(expression.name)
        case Lit():
            return expression.type
        case Arithmetic():
            _need_column(expression.left, expression.right)
            for side in (expression.left, expression.right):
                if not expression_type(side, schema).is_number:
                    raise WrongType(f"{_say(side)} is not a number, so `{expression.op}` cannot use it.")
            return ColumnType.REAL
        case DatePart():
            if expression_type(expression.operand, schema) is not ColumnType.DATE:
                raise WrongType(f"`{expression.operand.name}` is not a date, so it has no {expression.unit.value}.")
            return ColumnType.DATE if expression.unit.is_period else ColumnType.INTEGER
        case DateName():
            if expression_type(expression.operand, schema) is not ColumnType.DATE:
                raise WrongType(f"`{expression.operand.name}` is not a date, so it has no {expression.unit.value}.")
            return ColumnType.TEXT
        case TimeBetween():
            return _time_type(expression, schema)
        case TextCall():
            if expression_type(expression.operand, schema) is not ColumnType.TEXT:
                what = expression.function.value
                raise WrongType(f"`{expression.operand.name}` is not text, so `{what}` cannot use it.")
            return ColumnType.INTEGER if expression.function is TextFunction.LENGTH else ColumnType.TEXT
        case Parse():
            return _parsed_type(expression, schema)
        case Bin():
            return _bin_type(expression, schema)
        case Case():
            return _case_type(expression, schema)
        case _:
            assert_never(expression)


def check_predicate(predicate: Predicate, schema: Schema) -> None:
    """Accept a condition over the schema; raises `UnknownColumn` or `WrongType`."""
    match predicate:
        case Compare():
            left, right = expression_type(predicate.left, schema), expression_type(predicate.right, schema)
            _need_column(predicate.left, predicate.right)
            if left is not right and not (left.is_number and right.is_number):
                raise WrongType(
                    f"{_say(predicate.left)} is {left.value} and {_say(predicate.right)} is {right.value}: "
                    f"they cannot be compared with `{predicate.op}`."
                )
        case IsIn():
            for value in predicate.values:
                check_predicate(Compare(op="==", left=predicate.operand, right=value), schema)
        case TextMatch():
            for side in (predicate.operand, predicate.text):
                if expression_type(side, schema) is not ColumnType.TEXT:
                    raise WrongType(f"{_say(side)} is not text, so it cannot be searched with `{predicate.mode}`.")
        case IsMissing():
            schema.type_of(predicate.operand.name)
        case All() | AnyOf():
            for term in predicate.terms:
                check_predicate(term, schema)
        case _:
            assert_never(predicate)


def schema_after(step: Step, schema: Schema) -> Schema:
    """Return the columns that a step gives; raises `UnknownColumn` or `WrongType`."""
    match step:
        case Filter():
            check_predicate(step.predicate, schema)
            _need_no_counted_bins(step)
            return schema
        case Derive():
            return _with(Field(name=step.name, type=expression_type(step.expression, schema)), schema)
        case Select():
            return Schema(fields=tuple(Field(name=n, type=schema.type_of(n)) for n in step.columns.names))
        case Aggregate():
            keys = tuple(Field(name=n, type=schema.type_of(n)) for n in step.by.names)
            return Schema(fields=(*keys, *(_measure_field(measure, schema) for measure in step.measures)))
        case Sort():
            for key in step.keys:
                _check_order(key, schema)
                if key.order and len(step.keys) > 1:
                    raise PlanError(f"`{key.column}` has an order of its own. Sort by it alone, after the other keys.")
            return schema
        case Limit():
            return schema
        case Describe():
            for name in step.columns.names:
                if not schema.type_of(name).is_number:
                    raise WrongType(f"`{name}` is not a number, so it has no mean or quartiles.")
            keys = tuple(Field(name=n, type=schema.type_of(n)) for n in step.by.names)
            return Schema(fields=(*keys, *DESCRIBE_FIELDS))
        case Distinct():
            return Schema(fields=tuple(Field(name=n, type=schema.type_of(n)) for n in step.columns.names))
        case TopPerGroup():
            for name in step.by.names:
                schema.type_of(name)
            for key in step.keys:
                _need_no_order(key, schema)
            return schema
        case Window():
            return _with_window(step, schema)
        case Resample():
            return _resampled(step, schema)
        case Pivot():
            return _pivoted(step, schema)
        case Rename():
            schema.type_of(step.column.name)
            old = step.column.name
            return Schema(
                fields=tuple(f.model_copy(update={"name": step.name}) if f.name == old else f for f in schema.fields)
            )
        case Unpivot() | Members():
            return schema_after_reshaping(step, schema)
        case _ if isinstance(step, Statistic):
            return schema_after_statistic(step, schema)
        case _:
            assert_never(step)


def _check_order(key: SortKey, schema: Schema) -> None:
    """Refuse an order of values for a column that is no text, and one that names a value twice."""
    type_ = schema.type_of(key.column)
    if key.order and type_ is not ColumnType.TEXT:
        raise WrongType(f"`{key.column}` is {type_.value}, so its values have an order already.")
    if len(set(key.order)) < len(key.order):
        raise PlanError(f"The order of `{key.column}` names a value twice.")


def _need_no_order(key: SortKey, schema: Schema) -> None:
    """Refuse an order of values where only that of the column itself is known."""
    schema.type_of(key.column)
    if key.order:
        raise PlanError(f"Only a sort can follow an order of the values of `{key.column}`.")


def _with_window(step: Window, schema: Schema) -> Schema:
    type_ = schema.type_of(step.column.name)
    for name in step.by.names:
        schema.type_of(name)
    if step.order is not None:
        _need_no_order(step.order, schema)
    dated = step.function is WindowFunction.RANK and type_ is ColumnType.DATE
    shifted = step.function is WindowFunction.LAG and type_ is not ColumnType.BOOLEAN
    if (step.fraction is None) == (step.function is WindowFunction.QUANTILE):
        raise WrongType("A quantile needs a fraction, and nothing else has one.")
    if not (type_.is_number or dated or shifted):
        raise WrongType(f"`{step.column.name}` is {type_.value}, so it has no {step.function.value.replace('_', ' ')}.")
    if step.function in (WindowFunction.RUNNING_TOTAL, WindowFunction.LAG, WindowFunction.CHANGE):
        result = type_
    else:
        result = ColumnType.INTEGER if step.function is WindowFunction.RANK else ColumnType.REAL
    return _with(Field(name=step.name, type=result), schema)


def _resampled(step: Resample, schema: Schema) -> Schema:
    if not step.unit.is_period:
        raise WrongType(f"`{step.unit.value}` is not a period, so nothing lies between two of them.")
    grouped = Aggregate(by=Columns(names=(step.name, *step.by.names)), measures=step.measures)
    return schema_after(grouped, schema_after(period_of(step), schema))


def period_of(step: Resample) -> Derive:
    """Return the step that gives each row its period."""
    return Derive(name=step.name, expression=DatePart(unit=step.unit, operand=step.date))


def _pivoted(step: Pivot, schema: Schema) -> Schema:
    type_ = schema.type_of(step.column.name)
    if type_ in (ColumnType.REAL, ColumnType.DATE):
        raise WrongType(f"`{step.column.name}` is {type_.value}, so its values cannot become columns.")
    if not step.by.names:
        raise WrongType("A table with a column per value needs a column for its rows.")
    for value in step.values:
        if value.type is not type_:
            raise WrongType(f"{_say(value)} is {value.type.value} and `{step.column.name}` is {type_.value}.")
    keys = tuple(Field(name=n, type=schema.type_of(n)) for n in step.by.names)
    figure = _measure_field(step.measure, schema)
    return Schema(fields=(*keys, *(figure.model_copy(update={"name": name}) for name in step.names)))


def _with(new: Field, schema: Schema) -> Schema:
    """Return a schema with one more column, or with another one in its place."""
    if new.name in schema.names:
        return Schema(fields=tuple(new if field.name == new.name else field for field in schema.fields))
    return Schema(fields=(*schema.fields, new))


def _parsed_type(expression: Parse, schema: Schema) -> ColumnType:
    type_ = schema.type_of(expression.operand.name)
    if isinstance(expression.writing, CountedWriting | DigitsWriting):
        if not type_.is_number:
            raise WrongType(f"`{expression.operand.name}` is no number, so it counts no moments.")
        return ColumnType.DATE
    if type_ is not ColumnType.TEXT:
        raise WrongType(f"`{expression.operand.name}` is not text, so nothing in it has to be read.")
    match expression.writing:
        case NumberWriting() | ClockWriting():
            return ColumnType.REAL
        case DateWriting() | ZonedWriting():
            return ColumnType.DATE
        case TruthWriting():
            return ColumnType.BOOLEAN
        case _:
            assert_never(expression.writing)


def _time_type(expression: TimeBetween, schema: Schema) -> ColumnType:
    _need_column(expression.start, expression.end)
    for side in (expression.start, expression.end):
        if expression_type(side, schema) is not ColumnType.DATE:
            raise WrongType(f"{_say(side)} is not a date, so no {expression.unit.value} lie between it and another.")
    return ColumnType.INTEGER if expression.unit.seconds is None else ColumnType.REAL


def _bin_type(expression: Bin, schema: Schema) -> ColumnType:
    type_ = schema.type_of(expression.operand.name)
    if not type_.is_number:
        raise WrongType(f"`{expression.operand.name}` is {type_.value}, so it has no intervals.")
    if (expression.width is None) == (expression.count is None):
        raise WrongType("Intervals have either a width or a number of them.")
    if (expression.width is not None and expression.width <= 0) or (
        expression.count is not None and expression.count < 1
    ):
        raise WrongType("The width of intervals, and how many there are, must be above zero.")
    if expression.labelled:
        return ColumnType.TEXT
    return ColumnType.INTEGER if type_ is ColumnType.INTEGER and expression.is_whole else ColumnType.REAL


def _case_type(expression: Case, schema: Schema) -> ColumnType:
    for branch in expression.branches:
        check_predicate(branch.condition, schema)
    values = [branch.value for branch in expression.branches]
    values += [expression.otherwise] if expression.otherwise is not None else []
    types = {expression_type(value, schema) for value in values}
    if types == {ColumnType.INTEGER, ColumnType.REAL}:
        return ColumnType.REAL
    if len(types) > 1:
        raise WrongType(f"A column cannot hold {' and '.join(sorted(type_.value for type_ in types))}.")
    return types.pop()


def _need_no_counted_bins(node: Node) -> None:
    """Refuse intervals by their number in a condition: they depend on all rows, so they are a column of their own."""
    if isinstance(node, Bin) and node.count is not None:
        raise WrongType(f"Intervals of `{node.operand.name}` by their number are made first, then compared.")
    for name in type(node).model_fields:
        value = getattr(node, name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                _need_no_counted_bins(child)


def _measure_field(measure: Measure, schema: Schema) -> Field:
    function = measure.function
    _check_options(measure, schema)
    if function in _PARTS:
        return Field(name=measure.name, type=ColumnType.REAL)
    if measure.column is None:
        if function is not AggregateFunction.COUNT:
            raise WrongType(f"`{function.value}` needs a column.")
        return Field(name=measure.name, type=ColumnType.INTEGER)
    type_ = schema.type_of(measure.column.name)
    if function in _COUNTS:
        return Field(name=measure.name, type=ColumnType.INTEGER)
    if function in _TAKEN or (function in _ORDERED and type_ is not ColumnType.BOOLEAN):
        return Field(name=measure.name, type=type_)
    if not (type_.is_number or (type_ is ColumnType.BOOLEAN and function in _OF_BOOLEANS)):
        raise WrongType(f"`{measure.column.name}` is {type_.value}, so it has no {function.value}.")
    keeps = function in _KEEPS_INTEGERS and type_ in (ColumnType.INTEGER, ColumnType.BOOLEAN)
    return Field(name=measure.name, type=ColumnType.INTEGER if keeps else ColumnType.REAL)


def _check_options(measure: Measure, schema: Schema) -> None:
    """Refuse what does not go with a function: a fraction, a condition, a column."""
    function = measure.function
    if (measure.fraction is None) == (function is AggregateFunction.QUANTILE):
        raise WrongType("A quantile needs a fraction, and nothing else has one.")
    if measure.where is None:
        if function in _PARTS:
            raise WrongType(f"A {function.value} needs a condition that rows meet.")
        return
    if measure.column is not None or function not in (*_PARTS, AggregateFunction.COUNT):
        raise WrongType(f"`{function.value}` cannot look at some rows only: filter them first.")
    check_predicate(measure.where, schema)
    _need_no_counted_bins(measure.where)


def _need_column(left: Expression, right: Expression) -> None:
    if isinstance(left, Lit) and isinstance(right, Lit):
        raise WrongType(f"{_say(left)} and {_say(right)} are both constants, so no column is used.")


def _say(expression: Expression) -> str:
    match expression:
        case Col():
            return f"`{expression.name}`"
        case Lit():
            return f"`{expression.value}`"
        case Arithmetic() | DatePart() | DateName() | TimeBetween() | TextCall() | Parse() | Bin() | Case():
            return "the computed value"
        case _:
            assert_never(expression)
