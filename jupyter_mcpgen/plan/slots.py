"""Names the slots of a plan: which of its columns, constants and limits become the parameters of a tool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from jupyter_mcpgen.plan.expressions import (
    Bin,
    Col,
    Columns,
    Compare,
    DateName,
    DatePart,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TextCall,
    TextMatch,
    TimeBetween,
    When,
)
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
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
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType, Node
from jupyter_mcpgen.plan.sources import Join, KeyPair, Second, Summary, Union
from jupyter_mcpgen.plan.statistics import Statistic
from jupyter_mcpgen.plan.visible import name_in_words

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


class Namer:
    """Names slots in reading order; one column in one role is one parameter."""

    def __init__(self, derived: set[str]) -> None:
        self.parameters: list[Parameter] = []
        self._derived = derived
        self._sees_source = True
        self._measures_stay = False
        """True where a join may repeat the rows of the first table: another column might be counted too often."""
        self._columns: dict[tuple[str, str], str] = {}
        self._used: Counter[str] = Counter()

    def name_slots(self, step: Step) -> Step:
        """Return the step with its slots named; steps after an aggregation see columns that it made."""
        named = self._named(step)
        self._sees_source = self._sees_source and not isinstance(step, FIGURES)
        return named

    def name_keys(self, second: Second) -> Second:
        """Return the second table with the columns named that it is joined by, and those of its figures."""
        if isinstance(second, Union):
            return second
        repeats = isinstance(second, Join) and second.how.adds_columns
        self._measures_stay = repeats and not second.relation.second_is_unique
        keys = tuple(
            KeyPair(
                first=self._column(pair.first, "key_column", "Column of the first table to join by."),
                second=self._column(
                    pair.second,
                    "other_key_column",
                    f"Column of the second table that `{name_in_words(pair.first.name)}` must equal.",
                ),
            )
            for pair in second.keys
        )
        if isinstance(second, Join):
            return second.model_copy(update={"keys": keys})
        fields = {name: getattr(second, name) for name in type(second).model_fields}
        return Summary(**fields | {"keys": keys, "measures": tuple(map(self._figure, second.figures))})

    def _figure(self, measure: Measure) -> Measure:
        """Name the column of a figure of the second table; what a label says stays as it is."""
        if measure.column is None or measure.label is not None:
            return measure
        described = f"Column of the second table to take the {measure.function.value} of."
        return measure.model_copy(update={"column": self._column(measure.column, "other_value_column", described)})

    def _named(self, step: Step) -> Step:
        match step:
            case _ if isinstance(step, Statistic):
                named = {field: self._slot(getattr(step, field), *slot) for field, slot in step.slots.items()}
                return step.model_copy(update=named)
            case Filter():
                return step.model_copy(update={"predicate": self._predicate(step.predicate)})
            case Derive():
                return step.model_copy(update={"expression": rebuilt(step.expression, self._operand)})
            case Aggregate():
                measures = tuple(self._measure(measure) for measure in step.measures)
                by = self._list(step.by, "group_by_columns", "Columns to group by; one result row per combination.")
                return step.model_copy(update={"measures": measures, "by": by})
            case Select():
                update = {"columns": self._list(step.columns, "columns", "Columns to show, in order.")}
                return step.model_copy(update=update)
            case Describe():
                by = self._list(step.by, "group_by_columns", "Columns to group by; a summary of each combination.")
                update = {"columns": self._list(step.columns, "columns", "Number columns to summarise."), "by": by}
                return step.model_copy(update=update)
            case Sort():
                return step.model_copy(update={"keys": tuple(self._sort_key(key) for key in step.keys)})
            case Limit():
                name = self._new("top", "int", "How many rows to keep, at least 1.", step.count)
                return step.model_copy(update={"parameter": name})
            case Distinct():
                return step.model_copy(
                    update={"columns": self._list(step.columns, "columns", "Columns to compare rows by.")}
                )
            case TopPerGroup():
                by = self._list(step.by, "group_by_columns", "Columns to keep the first rows of each combination of.")
                keys = tuple(self._sort_key(key) for key in step.keys)
                name = self._new("top", "int", "How many rows of each group to keep, at least 1.", step.count)
                return step.model_copy(update={"by": by, "keys": keys, "parameter": name})
            case Window():
                return self._window(step)
            case Resample():
                date = self._column(step.date, "date_column", "Date column that the periods are taken from.")
                measures = tuple(self._measure(measure) for measure in step.measures)
                by = self._list(step.by, "group_by_columns", "Columns to group by; one result row per combination.")
                return step.model_copy(update={"date": date, "measures": measures, "by": by})
            case Pivot():
                return self._pivot(step)
            case Rename():
                return step.model_copy(
                    update={"column": self._column(step.column, "renamed_column", "Column to rename.")}
                )
            case Unpivot() | Members():
                return step  # its columns follow from their names; those of lists stay, with their separator

    def _slot(self, value: Any, role: str, description: str) -> Any:
        match value:
            case Col():
                return self._column(value, role, description)
            case Columns():
                return self._list(value, role, description)
            case Lit() if role == "bins":
                return value.model_copy(update={"parameter": self._new(role, "int", description, value.value)})
            case Lit():
                return self._value(value, role, description)
            case _:
                return value

    def _predicate(self, predicate: Predicate) -> Predicate:
        return cast("Predicate", rebuilt(predicate, self._condition))

    def _window(self, step: Window) -> Window:
        column = self._column(step.column, "value_column", "Column whose rows are compared.")
        by = self._list(step.by, "group_by_columns", "Columns within whose combinations rows are compared.")
        order = None if step.order is None else self._sort_key(step.order)
        named = step.model_copy(update={"column": column, "by": by, "order": order})
        if not step.function.has_size:
            return named
        averages = step.function is WindowFunction.MOVING_AVERAGE
        role, what = ("window", "to average") if averages else ("periods", "to look back")
        name = self._new(role, "int", f"How many rows {what}, at least 1.", step.size)
        return named.model_copy(update={"parameter": name})

    def _pivot(self, step: Pivot) -> Pivot:
        by = self._list(step.by, "group_by_columns", "Columns to group by; one result row per combination.")
        column = self._column(step.column, "pivot_column", "Column whose values become columns.")
        type_ = f"Sequence[{_PYTHON_TYPES[step.values[0].type]}]"
        type_ = "Sequence[int]" if step.values[0].type is ColumnType.INTEGER else type_
        values = tuple(value.value for value in step.values)
        name = self._new(
            "pivot_values", type_, f"Values of `{name_in_words(step.column.name)}` to show, a column each.", values
        )
        measure = self._measure(step.measure)
        return step.model_copy(update={"by": by, "column": column, "measure": measure, "parameter": name})

    def _condition(self, node: Node) -> Node:
        match node:
            case Compare(left=Col() as column, right=Lit() as value):
                named = self._column(column, "filter_column", "Column that the condition looks at.")
                about = f"Value that `{name_in_words(column.name)}` is compared with ({node.op.value})."
                return node.model_copy(update={"left": named, "right": self._value(value, "filter_value", about)})
            case IsIn():
                named = self._column(node.operand, "filter_column", "Column that the condition looks at.")
                values = tuple(value.value for value in node.values)
                type_ = f"Sequence[{_PYTHON_TYPES[node.values[0].type]}]"
                name = self._new("filter_values", type_, f"Values of `{name_in_words(node.operand.name)}`.", values)
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
            case When():
                return node.model_copy(update={"condition": self._predicate(node.condition)})
            case DateName() | TextCall():
                role = "date_column" if isinstance(node, DateName) else "text_column"
                named = self._column(node.operand, role, f"Column that the {role.partition('_')[0]} is taken from.")
                return node.model_copy(update={"operand": named})
            case Bin():
                return self._bin(node)
            case TimeBetween():
                return self._time_between(node)
            case DatePart():
                named = self._column(node.operand, "date_column", "Date column that the period is taken from.")
                return node.model_copy(update={"operand": named})
            case Col(parameter=None):
                return self._column(node, "operand_column", "Number column that is computed with.")
            case _:
                return node

    def _time_between(self, node: TimeBetween) -> TimeBetween:
        start, end = (
            self._column(side, "date_column", "Date column that time is counted from or to.")
            if isinstance(side, Col)
            else self._value(side, "date", "Date that time is counted from or to.")
            for side in (node.start, node.end)
        )
        return node.model_copy(update={"start": start, "end": end})

    def _bin(self, node: Bin) -> Bin:
        named = self._column(node.operand, "operand_column", "Number column that is cut into intervals.")
        if node.count is not None:
            name = self._new("intervals", "int", "How many intervals, at least 1.", node.count)
        elif node.is_whole:
            name = self._width(int(node.width or 0), "int")
        else:
            name = self._width(node.width or 0.0, "float")
        return node.model_copy(update={"operand": named, "parameter": name})

    def _width(self, width: float, type_: str) -> str:
        """Name the width of intervals; a label and its lower end share one."""
        known = next((p.name for p in self.parameters if p.name.startswith("width") and p.default == width), None)
        return known or self._new("width", type_, "Width of an interval, above 0.", width)

    def _measure(self, measure: Measure) -> Measure:
        if measure.where is not None:
            return measure.model_copy(update={"where": self._predicate(measure.where)})
        if measure.column is None or self._measures_stay:
            return measure
        named = self._column(measure.column, "value_column", f"Column to take the {measure.function.value} of.")
        return measure.model_copy(update={"column": named})

    def _sort_key(self, key: SortKey) -> SortKey:
        if key.order:
            return key  # the order is that of one column's values
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


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a copy with `change` applied to each node, children after their parent so that a parent may name them."""
    changed = change(node)
    update: dict[str, Any] = {}
    for name in type(changed).model_fields:
        value = getattr(changed, name)
        if isinstance(value, Node):
            update[name] = rebuilt(value, change)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            update[name] = tuple(rebuilt(item, change) for item in value)
    return changed.model_copy(update=update)
