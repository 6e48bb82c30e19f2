"""The rows that a SELECT works on: the steps so far, what is known of the values, and the order.

Columns that SQL makes have provisional names until the whole SELECT is read; `naming` gives them real ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.plan.check import expression_type, schema_after
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Expression, IsMissing, Predicate, terms_of
from jupyter_mcpgen.plan.from_sql.presence import always_has_value, has_value_everywhere, is_present, present_where
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Distinct,
    Filter,
    Limit,
    Measure,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.sources import Second

MARK = "\0"
"""What a provisional name begins with; no column that SQL can name has it."""


@dataclass
class Rows:
    """The rows of a source after some steps; grows by methods that each add the step of their name where it is due."""

    source: str
    first: Schema
    second: Second | None = None
    present: frozenset[str] = frozenset()
    """The columns that have a value in every row."""
    unique: frozenset[frozenset[str]] = frozenset()
    """Sets of columns of which no two rows have the same values."""
    steps: tuple[Step, ...] = ()
    base: tuple[SortKey, ...] = ()
    """What the rows are known to be ordered by."""
    pending: tuple[SortKey, ...] = ()
    """What they are still to be ordered by, before `base`."""
    gaps: frozenset[str] = frozenset()
    """Group columns whose missing values SQL keeps as a group and a plan leaves out."""
    made: Mapping[Expression, str] = field(default_factory=dict)
    """The columns that values were put into."""
    version: int = 0
    """How often rows were left out or made anew."""
    cut: tuple[tuple[str, ...], tuple[SortKey, ...], int] | None = None
    """The groups and the order whose first rows these are, and the version of the rows before."""
    grouped: tuple[Step, ...] = ()
    """The steps that gave the rows which became groups, with the conditions that groups have values."""
    whole_groups: bool = True
    """True where the groups hold every one of those rows."""
    counter: list[int] = field(default_factory=lambda: [0])

    def __post_init__(self) -> None:
        self.schema = self.first

    def copy(self) -> Rows:
        """Return the same rows, to grow apart from these; provisional names stay different."""
        other = replace(self)
        other.schema = self.schema
        return other

    def new_name(self) -> str:
        """Return a provisional name."""
        self.counter[0] += 1
        return f"{MARK}{self.counter[0]}"

    def add(self, step: Step) -> None:
        """Add a step; raises `PlanError` where it does not fit the columns."""
        self.schema = schema_after(step, self.schema)
        self.steps = (*self.steps, step)

    def need_whole_groups(self) -> None:
        """Refuse to go on while a group of missing values, which a plan leaves out, is still there in SQL."""
        if self.gaps:
            raise CannotHold(missing_group(min(self.gaps)))

    def filter(self, condition: Predicate) -> None:
        """Keep the rows for which a condition holds; that a group has a value needs no step, as a plan's groups do."""
        found = present_where(condition)
        terms = tuple(term for term in terms_of(condition) if not _says_present(term, self.gaps))
        self.gaps -= found
        self.present |= found
        if not terms:
            return
        last = self.steps[-1] if self.steps else None
        if isinstance(last, Filter):
            self.steps, terms = self.steps[:-1], (*terms_of(last.predicate), *terms)
        self.add(Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms)))
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self.cut = None

    def column(self, value: Expression) -> str:
        """Return the column that holds a value, made if there is none."""
        if isinstance(value, Col):
            return value.name
        if value not in self.made:
            name = self.new_name()
            self.add(Derive(name=name, expression=value))
            self.made = {**self.made, value: name}
            if is_present(value, self.present):
                self.present |= {name}
        return self.made[value]

    def type_of(self, value: Expression) -> ColumnType:
        """Return the type of a value; raises `UnknownColumn` or `WrongType`."""
        return expression_type(value, self.schema)

    def sort(self, keys: Iterable[SortKey]) -> None:
        """Order the rows by keys, and rows that are equal in them as they were; written when it is needed."""
        self.pending = self.decisive((*keys, *self.pending))

    @property
    def order(self) -> tuple[SortKey, ...]:
        """All that is known of the order, first the keys that matter most."""
        return self.decisive((*self.pending, *self.base))

    def decisive(self, keys: Iterable[SortKey]) -> tuple[SortKey, ...]:
        """Return the keys without those that decide nothing after the ones before them."""
        kept: list[SortKey] = []
        for key in keys:
            seen = {other.column for other in kept}
            if any(columns <= seen for columns in self.unique):
                break
            if key.column not in seen:
                kept.append(key)
        return tuple(kept)

    def due(self) -> tuple[SortKey, ...]:
        """Return the keys that the rows still have to be sorted by: the last ones may hold already."""
        keys = list(self.pending)
        while keys and _goes_on(keys, self.base):
            keys.pop()
        return tuple(keys)

    def flush(self) -> None:
        """Write the sort that is due."""
        keys = self.due()
        order = self.order
        run: list[SortKey] = []
        for key in reversed(keys):
            if key.order:
                self._sort_by(run)
                self._sort_by([key])
                run = []
            else:
                run.insert(0, key)
        self._sort_by(run)
        self.base, self.pending = order, ()

    def _sort_by(self, keys: list[SortKey]) -> None:
        if keys:
            self.need_whole_groups()
            self.add(Sort(keys=tuple(keys)))

    def limit(self, count: int) -> None:
        """Keep the first rows."""
        self.need_whole_groups()
        self.flush()
        self.add(Limit(count=count))
        self._changed()

    def is_numbered(self, by: tuple[str, ...], keys: tuple[SortKey, ...], version: int) -> bool:
        """Tell whether rows are still numbered as they were: nothing left any out but a cut by that very number."""
        return version == self.version or self.cut == (by, keys, version)

    def top(self, by: tuple[str, ...], keys: tuple[SortKey, ...], count: int) -> None:
        """Keep the first rows of each group in an order, ties as the rows stand."""
        cut = by, keys, self.version
        self._top(by, keys, count)
        self.cut = cut

    def _top(self, by: tuple[str, ...], keys: tuple[SortKey, ...], count: int) -> None:
        self.need_whole_groups()
        if not by:
            self.sort(keys)
            self.limit(count)
            return
        for name in by:
            if name not in self.present:
                raise CannotHold(missing_group(name))
        if any(key.order for key in self.pending):
            self.flush()
        whole = self.decisive((*(SortKey(column=name) for name in by), *keys, *self.order))
        within = [key for key in whole if key.column not in by]
        held = [key for key in self.base if key.column not in by]
        while len(within) > 1 and _goes_on(within, held):
            within.pop()
        within = within or [SortKey(column=by[0])]
        if any(key.order for key in within):
            raise CannotHold("The first rows of each group need an ORDER BY of plain columns.")
        self._leave_out_presence(by)
        self.add(TopPerGroup(by=Columns(names=by), keys=tuple(within), count=count))
        self._changed()
        self.base = self.decisive((*(SortKey(column=name) for name in by), *within, *held))
        self.pending = ()

    def _leave_out_presence(self, by: tuple[str, ...]) -> None:
        """Leave out conditions that a group has a value, as the groups of a plan have anyway."""
        kept: list[Step] = []
        rest = list(self.steps)
        while rest and isinstance(step := rest[-1], Derive | Filter | Sort):
            rest.pop()
            terms = terms_of(step.predicate) if isinstance(step, Filter) else ()
            others = tuple(term for term in terms if not _says_present(term, frozenset(by)))
            if isinstance(step, Filter) and len(others) < len(terms):
                if others:
                    kept.append(Filter(predicate=others[0] if len(others) == 1 else All(terms=others)))
            else:
                kept.append(step)
        self.steps = (*rest, *reversed(kept))

    def distinct(self, names: tuple[str, ...], *, keeps_order: bool) -> None:
        """Keep each combination of columns once."""
        self.need_whole_groups()
        if any(columns <= set(names) for columns in self.unique):
            return
        if keeps_order:
            self.flush()
        self.add(Distinct(columns=Columns(names=names)))
        known = tuple(key for key in self.base if key.column in names)
        self.base = known if keeps_order and len(known) == len(self.base) else ()
        self.pending = tuple(key for key in self.pending if key.column in names)
        self._became(names)
        self.unique = frozenset({frozenset(names)})

    def aggregate(self, by: tuple[str, ...], measures: tuple[Measure, ...], *, needs_order: bool) -> None:
        """Make one row per group."""
        self.need_whole_groups()
        if needs_order:
            self.flush()
        self.gaps = frozenset(by) - self.present
        before = self.present
        self.grouped, self.whole_groups = self.steps, not self.gaps
        self._leave_out_presence(by)
        self.add(Aggregate(by=Columns(names=by), measures=measures))
        self._became((*by, *(m.name for m in measures)))
        filled = {m.name for m in measures if always_has_value(m, before, grouped=bool(by))}
        self.present = (frozenset(by) - self.gaps) | filled
        self.unique = frozenset({frozenset(by)})
        self.base, self.pending = self.decisive(SortKey(column=name) for name in by), ()

    def _became(self, names: tuple[str, ...]) -> None:
        self.present = self.present.intersection(names)
        self.unique = frozenset()
        self.made = {}
        self._changed()

    def insert_after(self, step: Window, before: tuple[Step, ...]) -> str:
        """Add a column that compares the rows that some steps gave."""
        if self.steps[: len(before)] != before:
            raise CannotHold("A figure of all rows is used after the steps before it were put together otherwise.")
        return self.insert(step, len(before))

    def insert(self, step: Window, place: int) -> str:
        """Add a column that compares the rows there were before a step; what follows must hand it on.

        An equal column over the same rows is taken instead.
        """
        while place < len(self.steps) and isinstance(self.steps[place], Derive | Window):
            place += 1
        before, after = self.steps[:place], self.steps[place:]
        for known in reversed(before):
            if not isinstance(known, Derive | Window):
                break
            if isinstance(known, Window) and known.model_copy(update={"name": step.name}) == step:
                return known.name
        if not all(isinstance(s, Filter | Derive | Window | Sort | Limit | TopPerGroup) for s in after):
            raise CannotHold("A figure of all rows is used after the rows became groups of their own.")
        made_later = {s.name for s in after if isinstance(s, Derive | Window)}
        if made_later & {step.column.name, *step.by.names}:
            raise CannotHold("A figure of more rows than the SELECT reads is one of values that are computed later.")
        self.steps, self.schema = (*before, step, *after), self.first
        for each in self.steps:
            self.schema = schema_after(each, self.schema)
        return step.name

    def hand_on(self, step: Window, place: int) -> str:
        """Add a figure of the rows there were before a step, and have the groups made of them hand it on."""
        groups = next((at for at, s in enumerate(self.steps) if at >= place and isinstance(s, Aggregate)), None)
        found = None if groups is None else self.steps[groups]
        if groups is None or not isinstance(found, Aggregate) or not found.by.names:
            return self.insert(step, place)
        before = replace(self, steps=self.steps[:groups])
        column = Col(name=before.insert(step, place))
        known = next((m for m in found.measures if (m.function, m.column) == (AggregateFunction.MIN, column)), None)
        own = known or Measure(function=AggregateFunction.MIN, column=column, label=self.new_name())
        measures = found.measures if known else (*found.measures, own)
        made = found.model_copy(update={"measures": measures})
        after = self.steps[groups + 1 :]
        if not all(isinstance(s, Filter | Derive | Window | Sort | Limit | TopPerGroup) for s in after):
            raise CannotHold("A figure of all rows is used after the rows became groups of groups.")
        self.steps, self.schema = (*before.steps, made, *after), self.first
        for each in self.steps:
            self.schema = schema_after(each, self.schema)
        return own.name

    def window(self, step: Window) -> str:
        """Add a column that compares the rows as they are now."""
        self.need_whole_groups()
        name = self.insert(step, len(self.steps))
        if has_value_everywhere(step, self.present):
            self.present |= {name}
        return name

    def window_of(self, name: str) -> Window | None:
        """Return the step that made a column, if it compares rows."""
        return next((s for s in self.steps if isinstance(s, Window) and s.name == name), None)

    def plan(self) -> Plan:
        """Return the plan so far."""
        return Plan(source=self.source, source_schema=self.first, second=self.second, steps=self.steps)


def _goes_on(keys: list[SortKey], base: Iterable[SortKey]) -> bool:
    """Tell whether rows that are ordered by `base` are, where all keys but the last are equal, ordered by the last."""
    before = {key.column for key in keys[:-1]}
    left = next((key for key in base if key.column not in before), None)
    return left == keys[-1]


def missing_group(name: str) -> str:
    """Say why rows without a group value are in the way."""
    shown = "a computed group" if name.startswith(MARK) else f"`{name}`"
    return (
        f"{shown} may be missing, and SQL makes a group of the rows without it where a plan leaves them out. "
        "Add a condition that it IS NOT NULL."
    )


def _says_present(term: Predicate, names: frozenset[str]) -> bool:
    return isinstance(term, IsMissing) and term.negated and term.operand.name in names
