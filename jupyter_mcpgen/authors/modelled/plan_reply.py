"""Reads a plan that a model replied with into the steps of a plan, strictly: what does not fit is a flaw."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from jupyter_mcpgen.authors.modelled.literals import known_texts, settle_text
from jupyter_mcpgen.authors.modelled.plan_form import COMPARED, ITSELF
from jupyter_mcpgen.authors.modelled.replies import Refusal, Unusable, told
from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Case,
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
    When,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    ChartKind,
    Derive,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.visible import visible

_COMPARISONS = {
    "=": CompareOp.EQ,
    "!=": CompareOp.NE,
    "<": CompareOp.LT,
    "<=": CompareOp.LE,
    ">": CompareOp.GT,
    ">=": CompareOp.GE,
}
_COMPARED = dict(
    zip(
        COMPARED,
        (
            WindowFunction.RANK,
            WindowFunction.PERCENT,
            WindowFunction.RUNNING_TOTAL,
            WindowFunction.CHANGE,
            WindowFunction.PERCENT_CHANGE,
        ),
        strict=True,
    )
)
_RATES = frozenset({AggregateFunction.RATE, AggregateFunction.PERCENT})
_Part = Mapping[str, Any]


@dataclass(frozen=True)
class Planned:
    """A plan that a model replied with, what the question left open, and the chart that shows the result."""

    plan: Plan
    assumptions: tuple[str, ...]
    chart: ChartKind | None


class _Wrong(Exception):
    """A part of a reply that no step can be made of."""

    def __init__(self, flaw: str, *, shows_values: bool = False) -> None:
        super().__init__(flaw)
        self.shows_values = shows_values


def read_plan(value: _Part, table: Profile) -> Planned | Refusal | Unusable:
    """Read a reply that keeps to the form of a plan over a table."""
    if value["kind"] == "refusal":
        if not value["message"]:
            return Unusable("a reply of the kind `refusal` needs `message`")
        return Refusal(told(value["message"]), tuple(map(told, value["missing"])))
    try:
        building = _Building(table)
        plan = building.built(value)
    except _Wrong as wrong:
        return Unusable(str(wrong), shows_values=wrong.shows_values)
    except PlanError as error:
        return Unusable(str(error))
    except ValidationError:
        return Unusable("a number or a list in the plan is outside what a plan takes")
    chart = None if value["chart"] is None else ChartKind(value["chart"])
    return Planned(plan, (*map(told, value["assumptions"]), *building.notes), chart)


class _Building:
    """Puts the steps together, one part of the reply after the other; each is checked against the columns it sees."""

    def __init__(self, table: Profile) -> None:
        self._plan = Plan(source=table.name, source_schema=table.schema_)
        self._named = {visible(name): name for name in table.schema_.names}
        self._known = known_texts((table,))
        self._shown: list[str] = []
        self.notes: list[str] = []

    def built(self, value: _Part) -> Plan:
        """Return the whole plan."""
        for part in value["derive"]:
            self._add(Derive(name=part["name"], expression=self._derived(part)))
        self._keep(value["filters"])
        groups = [self._grouped(part) for part in value["group"]]
        if value["figures"]:
            measures = tuple(self._measure(part) for part in value["figures"])
            self._add(Aggregate(by=Columns(names=tuple(groups)), measures=measures))
            self._shown = [*groups, *(measure.name for measure in measures)]
        elif groups:
            raise _Wrong("`group` needs at least one of `figures`")
        else:
            self._shown = [self._column(name) for name in value["show"] or self._named]
        for part in value["after"]:
            self._after(part, groups)
        self._keep(value["having"])
        self._cut(value)
        if list(self._plan.result_schema.names) != self._shown:
            self._add(Select(columns=Columns(names=tuple(dict.fromkeys(self._shown)))))
        return self._plan

    def _add(self, step: Step) -> None:
        self._plan = self._plan.with_steps((*self._plan.steps, step))

    def _column(self, name: str) -> str:
        """Return a column by the name that the model was shown; raises `UnknownColumn` with the nearest."""
        known = name if name in self._plan.result_schema.names else self._named.get(name, name)
        self._plan.result_schema.type_of(known)
        return known

    def _operand(self, text: str | None) -> Expression:
        if text is None:
            raise _Wrong("+ - * / needs `left` and `right`")
        if (
            text not in self._named
            and text not in self._plan.result_schema.names
            and (number := _number(text)) is not None
        ):
            return number
        return Col(name=self._column(text))

    def _derived(self, part: _Part) -> Expression:
        if part["op"] not in list(ArithmeticOp):
            return DatePart(unit=DateUnit(part["op"]), operand=Col(name=self._column(part["left"])))
        left, right = self._operand(part["left"]), self._operand(part["right"])
        return Arithmetic(op=ArithmeticOp(part["op"]), left=left, right=right)

    def _keep(self, parts: Sequence[_Part]) -> None:
        terms = tuple(self._condition(part["column"], part["test"], part["values"]) for part in parts)
        if terms:
            self._add(Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms)))

    def _condition(self, name: str, test: str, values: Sequence[str]) -> Predicate:
        column = Col(name=self._column(name))
        if test in ("is missing", "is not missing"):
            return IsMissing(operand=column, negated=test == "is not missing")
        if test in _COMPARISONS or test not in ("in", "not in"):
            if len(values) != 1:
                raise _Wrong(f"the condition `{name} {test}` needs one of `values`, and has {len(values)}")
        elif not values:
            raise _Wrong(f"the condition `{name} {test}` needs `values`")
        literals = tuple(self._literals(column.name, values, settled=test in ("=", "!=", "in", "not in")))
        if test in _COMPARISONS:
            return Compare(op=_COMPARISONS[test], left=column, right=literals[0])
        if test in ("in", "not in"):
            return IsIn(operand=column, values=literals, negated=test == "not in")
        mode = {"starts with": MatchMode.STARTS, "ends with": MatchMode.ENDS}.get(test, MatchMode.CONTAINS)
        return TextMatch(mode=mode, operand=column, text=literals[0])

    def _literals(self, column: str, values: Iterable[str], *, settled: bool) -> Iterator[Lit]:
        type_ = self._plan.result_schema.type_of(column)
        for text in values:
            if type_ is ColumnType.TEXT:
                found = settle_text(text, column, self._known if settled else {})
                if found.absent:
                    raise _Wrong(found.absent, shows_values=True)
                self.notes += [found.note] if found.note and found.note not in self.notes else []
                yield Lit(value=found.text, type=type_)
            elif type_ is ColumnType.DATE:
                yield Lit(value=text, type=type_)
            elif type_ is ColumnType.BOOLEAN:
                if text.lower() not in ("true", "false"):
                    raise _Wrong(f"`{column}` is true or false, and not `{told(text)}`")
                yield Lit(value=text.lower() == "true", type=type_)
            else:
                number = _number(text)
                if number is None:
                    raise _Wrong(f"`{column}` holds numbers, and `{told(text)}` is none")
                yield number

    def _grouped(self, part: _Part) -> str:
        column = self._column(part["column"])
        if part["by"] == ITSELF:
            return column
        unit = DateUnit(part["by"])
        name = unit.value if unit.value not in self._plan.result_schema.names else f"{unit.value} of {column}"
        self._add(Derive(name=name, expression=DatePart(unit=unit, operand=Col(name=column))))
        return name

    def _measure(self, part: _Part) -> Measure:
        function = AggregateFunction(part["function"])
        column = None if part["column"] is None else Col(name=self._column(part["column"]))
        where = None
        if part["where_column"] is None and part["where_values"]:
            raise _Wrong(f"the figure `{told(part['name'])}` has `where_values` and no `where_column`")
        if part["where_column"] is not None:
            where = self._condition(part["where_column"], part["where_test"] or "=", part["where_values"])
        if function in _RATES and where is None:
            raise _Wrong(f"`{function.value}` needs `where_column`, `where_test` and `where_values`")
        if function in _RATES or (function is AggregateFunction.COUNT and column is None):
            return Measure(function=function, where=where, label=part["name"])
        if column is None:
            raise _Wrong(f"`{function.value}` needs `column`")
        return Measure(function=function, column=self._only_where(column, where, part["name"]), label=part["name"])

    def _only_where(self, column: Col, where: Predicate | None, figure: str) -> Col:
        """Return a column with values where a condition holds alone."""
        if where is None:
            return column
        name = f"{column.name} of {figure}"
        self._add(Derive(name=name, expression=Case(branches=(When(condition=where, value=column),))))
        return Col(name=name)

    def _after(self, part: _Part, groups: Sequence[str]) -> None:
        name, function = part["name"], _COMPARED.get(part["op"])
        if function is None:
            self._add(Derive(name=name, expression=self._derived(part)))
        else:
            order = None
            if function.is_ordered:
                if not groups:
                    raise _Wrong(f"`{part['op']}` needs a group to go along")
                order = SortKey(column=groups[0])
            by = Columns(names=tuple(groups[1:]) if order is not None else ())
            column = Col(name=self._column(part["left"]))
            self._add(Window(name=name, function=function, column=column, by=by, order=order))
        self._shown = [*(each for each in self._shown if each != name), name]

    def _cut(self, value: _Part) -> None:
        keys = tuple(
            SortKey(column=self._column(part["column"]), descending=part["descending"]) for part in value["order"]
        )
        if value["limit_per"] is not None:
            if not keys or value["limit"] is None:
                raise _Wrong("`limit_per` needs `order` and `limit`")
            by = Columns(names=(self._column(value["limit_per"]),))
            self._add(TopPerGroup(by=by, keys=keys, count=value["limit"]))
            return
        if keys:
            self._add(Sort(keys=keys))
        if value["limit"] is not None:
            self._add(Limit(count=value["limit"]))


def _number(text: str) -> Lit | None:
    if re.fullmatch(r"[-+]?[0-9]{1,18}", text.strip()):
        return Lit(value=int(text), type=ColumnType.INTEGER)
    try:
        value = float(text)
    except ValueError:
        return None
    return Lit(value=value, type=ColumnType.REAL) if math.isfinite(value) else None
