"""Writes a plan as the pandas code that a good analyst would write.

Columns, literals and limits that became tool parameters appear by their parameter's name. All other names and
literals go through `repr`, so a column named like code is still data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import assert_never

from jupyter_mcpgen.plan.check import expression_type
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Col,
    Columns,
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
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema

FRAME = "df"
_METHODS = {AggregateFunction.COUNT: "size", AggregateFunction.COUNT_DISTINCT: "nunique"}
_PERIODS = {
    DateUnit.START_OF_YEAR: "Y",
    DateUnit.START_OF_QUARTER: "Q",
    DateUnit.START_OF_MONTH: "M",
    DateUnit.START_OF_WEEK: "W-SUN",  # pandas names a week by its last day: Monday to Sunday
}
_PARTS = {
    DateUnit.YEAR: "year",
    DateUnit.QUARTER: "quarter",
    DateUnit.MONTH: "month",
    DateUnit.DAY: "day",
    DateUnit.HOUR: "hour",
}
_MIRRORED = {
    CompareOp.LT: CompareOp.GT,
    CompareOp.LE: CompareOp.GE,
    CompareOp.GT: CompareOp.LT,
    CompareOp.GE: CompareOp.LE,
}
_MATCHERS = {
    MatchMode.CONTAINS: "str.contains({text}, regex=False, na=False)",
    MatchMode.STARTS: "str.startswith({text}, na=False)",
    MatchMode.ENDS: "str.endswith({text}, na=False)",
}


@dataclass(frozen=True)
class _Table:
    """A variable that holds a table, and how to write the name of each of its columns."""

    frame: str
    names: Mapping[str, str]

    def column(self, column: Col) -> str:
        """Write a column of the table."""
        return f"{self.frame}[{self.name(column)}]"

    def name(self, column: Col) -> str:
        """Write the name of a column."""
        return column.parameter or self.names[column.name]

    def list(self, columns: Columns) -> str:
        """Write a list of names."""
        return columns.parameter or f"[{', '.join(self.names[name] for name in columns.names)}]"


@dataclass
class _Writer:
    """The statements so far, the variable that holds the table, and the methods chained onto it."""

    frame: str = FRAME
    chain: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    """How to write the name of each column of the current table."""

    @property
    def value(self) -> str:
        """The current table as an expression."""
        return f"({self.frame}{''.join(self.chain)})" if self.chain else self.frame

    @property
    def table(self) -> _Table:
        """The variable and the names of its columns."""
        return _Table(self.frame, self.names)

    def name_it(self, name: str) -> _Table:
        """Give the current table a variable, so that an expression may refer to it."""
        if self.chain or not self.frame.isidentifier():
            self.statements.append(f"{name} = {self.value}")
            self.frame, self.chain = name, []
        return self.table

    def replace(self, name: str, expression: str) -> None:
        """Make an expression the current table."""
        self.statements.append(f"{name} = {expression}")
        self.frame, self.chain = name, []


def emit_pandas(plan: Plan) -> str:
    """Return the body of a function over `df` that ends in a return statement; `pd` is the only name it needs."""
    writer = _written(plan)
    if not plan.steps or isinstance(plan.steps[-1], Filter | Derive | Select):
        writer.chain.append(".reset_index(drop=True)")
    return "\n".join([*writer.statements, f"return {writer.value}"])


def _written(plan: Plan) -> _Writer:
    writer = _Writer(names={name: repr(name) for name in plan.source_schema.names})
    for position, step in enumerate(plan.steps):
        _write(step, plan.schema_at(position), writer)
    return writer


def _write(step: Step, schema: Schema, writer: _Writer) -> None:
    match step:
        case Filter():
            _keep_text_as_text(schema, writer)
            table = writer.name_it("table")
            writer.replace("kept", f"{table.frame}[{_predicate(step.predicate, schema, table)}]")
        case Derive():
            _write_derive(step, writer)
        case Select():
            writer.chain.append(f"[{writer.table.list(step.columns)}]")
            writer.names = _names_of_list(step.columns, writer.names)
        case Aggregate():
            _write_aggregate(step, writer)
        case Sort():
            _write_sort(step, writer)
        case Limit():
            writer.chain.append(f".head({step.parameter or step.count})")
        case Describe():
            _write_describe(step, writer)
        case _:
            assert_never(step)


def _write_derive(step: Derive, writer: _Writer) -> None:
    table = writer.name_it("table")
    value = _expression(step.expression, table)
    if step.name == "self":  # the one name that no keyword of `assign` can have
        writer.replace("derived", f"{table.frame}.copy()")
        writer.statements.append(f'derived["self"] = {value}')
    else:
        writer.replace("derived", f"{table.frame}.assign({_keyword(step.name, value)})")
    writer.names = {**writer.names, step.name: repr(step.name)}


def _names_of_list(columns: Columns, names: Mapping[str, str]) -> dict[str, str]:
    """Return how to write the columns of a list after it was used; a parameter's by their place in it."""
    parameter = columns.parameter
    return {name: f"{parameter}[{i}]" if parameter else names[name] for i, name in enumerate(columns.names)}


def _keep_text_as_text(schema: Schema, writer: _Writer) -> None:
    """Give totals over no rows the type that a condition on them needs: pandas makes them numbers."""
    texts = [writer.names[field.name] for field in schema.fields if field.type is ColumnType.TEXT]
    if texts and writer.frame.startswith("pd.DataFrame({") and not writer.chain:
        kinds = ", ".join(f'{name}: "str"' for name in texts)
        writer.chain.append(f".astype({{{kinds}}})")


def _write_aggregate(step: Aggregate, writer: _Writer) -> None:
    measured = {measure.name: _measure_name(measure, writer.table) for measure in step.measures}
    keys = _names_of_list(step.by, writer.names)
    if not step.by.names:
        table = writer.name_it("table")
        cells = ", ".join(f"{measured[m.name]}: [{_whole(m, table)}]" for m in step.measures)
        writer.frame, writer.chain = f"pd.DataFrame({{{cells}}})", []
    else:
        by = writer.table.list(step.by)
        if step.measures == (Measure(function=AggregateFunction.COUNT),):
            writer.chain += [f".groupby({by}, observed=True)", '.size().reset_index(name="count")']
        else:
            first = keys[step.by.names[0]]
            cells = ", ".join(_named_aggregation(m, first, measured[m.name], writer.table) for m in step.measures)
            writer.chain += [f".groupby({by}, as_index=False, observed=True)", f".agg({cells})"]
    writer.names = keys | measured


def _named_aggregation(measure: Measure, first_key: str, name: str, table: _Table) -> str:
    column = first_key if measure.column is None else table.name(measure.column)
    method = _METHODS.get(measure.function, measure.function.value)
    if measure.function is AggregateFunction.COUNT and measure.column is not None:
        method = "count"
    value = f"({column}, {method!r})"
    return _keyword(measure.name, value) if name == repr(measure.name) else f"**{{{name}: {value}}}"


def _measure_name(measure: Measure, table: _Table) -> str:
    """Write the name of a result column, which follows the column's where that is a parameter's value."""
    if measure.column is None or table.name(measure.column) == repr(measure.column.name):
        return repr(measure.name)
    function, column = measure.function.value, table.name(measure.column)
    return f'f"{function}_{{{column}}}"' if measure.column.parameter else f'"{function}_" + {column}'


def _whole(measure: Measure, table: _Table) -> str:
    if measure.column is None:
        return f"len({table.frame})"
    method = "count" if measure.function is AggregateFunction.COUNT else _METHODS.get(measure.function)
    return f"{table.column(measure.column)}.{method or measure.function.value}()"


def _write_sort(step: Sort, writer: _Writer) -> None:
    names = [key.parameter or writer.names[key.column] for key in step.keys]
    descending = [key.descending for key in step.keys]
    if len(names) == 1:
        order = "" if not descending[0] else ", ascending=False"
        writer.chain.append(f'.sort_values({names[0]}{order}, kind="stable", ignore_index=True)')
    else:
        ascending = "" if not any(descending) else f", ascending={[not d for d in descending]}"
        writer.chain.append(f".sort_values([{', '.join(names)}]{ascending}, ignore_index=True)")


def _write_describe(step: Describe, writer: _Writer) -> None:
    table = writer.name_it("table")
    writer.statements += [
        f"numbers = {table.frame}[{table.list(step.columns)}]",
        "quartiles = numbers.quantile([0.25, 0.5, 0.75])",
    ]
    cells = {
        "count": "numbers.count()",
        "missing": "numbers.isna().sum()",
        "mean": "numbers.mean()",
        "std": "numbers.std()",
        "min": "numbers.min()",
        "q25": "quartiles.loc[0.25]",
        "median": "quartiles.loc[0.5]",
        "q75": "quartiles.loc[0.75]",
        "max": "numbers.max()",
    }
    figures = ", ".join(f"{name!r}: {value}" for name, value in cells.items())
    writer.frame = f"pd.DataFrame({{{figures}}})"
    writer.chain = ['.rename_axis("column")', ".reset_index()"]
    writer.names = {name: repr(name) for name in ("column", *cells)}


def _predicate(predicate: Predicate, schema: Schema, table: _Table) -> str:
    match predicate:
        case Compare():
            return _compare(predicate, schema, table)
        case IsIn():
            return _negatable(f"{table.column(predicate.operand)}.isin({_values(predicate)})", predicate, table)
        case TextMatch():
            text = f"{predicate.text.parameter}.lower()" if predicate.text.parameter else _lowered(predicate.text)
            match_ = _MATCHERS[predicate.mode].format(text=text)
            return _negatable(f"{table.column(predicate.operand)}.str.lower().{match_}", predicate, table)
        case IsMissing():
            return f"{table.column(predicate.operand)}.{'notna' if predicate.negated else 'isna'}()"
        case All():
            return " & ".join(f"({_predicate(term, schema, table)})" for term in predicate.terms)
        case AnyOf():
            return " | ".join(f"({_predicate(term, schema, table)})" for term in predicate.terms)
        case _:
            assert_never(predicate)


def _compare(predicate: Compare, schema: Schema, table: _Table) -> str:
    if isinstance(predicate.left, Lit):  # the column first, as everybody writes it
        turned = {"left": predicate.right, "op": _MIRRORED.get(predicate.op, predicate.op), "right": predicate.left}
        return _compare(predicate.model_copy(update=turned), schema, table)
    left, right = _expression(predicate.left, table), _expression(predicate.right, table)
    if expression_type(predicate.left, schema) is ColumnType.BOOLEAN and predicate.op in (CompareOp.EQ, CompareOp.NE):
        comparison = f"{left}.{'eq' if predicate.op is CompareOp.EQ else 'ne'}({right})"
    else:
        comparison = f"{left} {predicate.op.value} {right}"
    if predicate.op is not CompareOp.NE:
        return comparison
    # pandas says that a missing value differs from everything; a plan says that it satisfies no comparison
    present = [f"{_operand(s, table)}.notna()" for s in (predicate.left, predicate.right) if not isinstance(s, Lit)]
    return " & ".join([*present, f"({comparison})"])


def _values(predicate: IsIn) -> str:
    if predicate.parameter is None:
        return f"[{', '.join(_literal(value) for value in predicate.values)}]"
    are_dates = predicate.values[0].type is ColumnType.DATE
    return f"[pd.Timestamp(value) for value in {predicate.parameter}]" if are_dates else predicate.parameter


def _negatable(mask: str, predicate: IsIn | TextMatch, table: _Table) -> str:
    return f"{table.column(predicate.operand)}.notna() & ~{mask}" if predicate.negated else mask


def _expression(expression: Expression, table: _Table) -> str:
    match expression:
        case Col():
            return table.column(expression)
        case Lit():
            return _literal(expression)
        case Arithmetic():
            left, right = (_operand(side, table) for side in (expression.left, expression.right))
            if expression.op is ArithmeticOp.DIVIDE:
                right = _divisor(expression.right, right)
            return f"{left} {expression.op.value} {right}"
        case DatePart():
            return _date_part(expression, table)
        case _:
            assert_never(expression)


def _divisor(expression: Expression, text: str) -> str:
    """Write what is divided by, so that zero gives a missing value."""
    if not isinstance(expression, Lit):
        return f'{text}.replace(0, float("nan"))'
    return text if expression.value else 'float("nan")'


def _operand(expression: Expression, table: _Table) -> str:
    text = _expression(expression, table)
    return f"({text})" if isinstance(expression, Arithmetic) else text


def _date_part(part: DatePart, table: _Table) -> str:
    dates = f"{table.column(part.operand)}.dt"
    if part.unit in _PERIODS:
        return f'{dates}.to_period("{_PERIODS[part.unit]}").dt.start_time'
    if part.unit is DateUnit.START_OF_DAY:
        return f"{dates}.normalize()"
    number = f"{dates}.day_of_week + 1" if part.unit is DateUnit.WEEKDAY else f"{dates}.{_PARTS[part.unit]}"
    return f'({number}).astype("Int64")' if part.unit is DateUnit.WEEKDAY else f'{number}.astype("Int64")'


def _literal(literal: Lit) -> str:
    text = literal.parameter or repr(literal.value)
    return f"pd.Timestamp({text})" if literal.type is ColumnType.DATE else text


def _lowered(literal: Lit) -> str:
    return repr(str(literal.value).lower())


def _keyword(name: str, value: str) -> str:
    plain = name.isidentifier() and name.isascii() and not iskeyword(name) and name != "__debug__"
    return f"{name}={value}" if plain else f"**{{{name!r}: {value}}}"


def emit_chart(plan: Plan) -> str | None:
    """Return the arguments after the table of a call that draws the plan's chart, or None without one."""
    if plan.chart is None:
        return None
    writer = _written(plan)
    chart = plan.chart
    arguments = [repr(chart.kind.value), writer.names[chart.x], writer.names[chart.y or chart.x]]
    if chart.color is not None:
        arguments.append(f"color={writer.names[chart.color]}")
    return ", ".join(arguments)
