"""Sorts the phrases of a question into the parts of an answer; a phrase that has no place makes the reading fail."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.parse import Cover
from jupyter_mcpgen.nl.predicates import about, equal_values
from jupyter_mcpgen.plan.expressions import Compare, CompareOp, IsIn, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind
from jupyter_mcpgen.plan.schema import ColumnType

DESCRIBES_ROWS = 0.3
"""What reading a word right before "crashes" as an amount costs."""


@dataclass(frozen=True)
class Parts:
    """The phrases of a cover by what they ask for."""

    measures: tuple[m.Measured, ...] = ()
    functions: tuple[AggregateFunction, ...] = ()
    columns: tuple[str, ...] = ()
    enumerated: bool = False
    """True when columns were listed with "and" between them."""
    keys: tuple[m.GroupKey, ...] = ()
    said_before_keys: int = 0
    """How many numbers had been named when the first groups were."""
    periods: tuple[m.GroupKey, ...] = ()
    """Periods named without "by": "monthly", "which month"."""
    subjects: tuple[m.GroupKey, ...] = ()
    """Periods named as a noun, which only a superlative can be about."""
    each: bool = False
    beside: bool = False
    """True when a number is asked for beside a count: "orders and revenue"."""
    counted: m.GroupKey | None = None
    """The periods that are counted: "how many days"."""
    on_days: bool = False
    listed: tuple[str, ...] = ()
    conditions: tuple[Predicate, ...] = ()
    contrasted: str | None = None
    having: tuple[m.Having, ...] = ()
    lacks: Predicate | None = None
    """What no row of a group may meet."""
    best: m.Best | None = None
    first: int | None = None
    superlative: m.Superlative | None = None
    top_row: m.TopRow | None = None
    commonest: m.Commonest | None = None
    ordered: m.Ordered | None = None
    direction: bool | None = None
    pair: m.Pair | None = None
    chart: ChartKind | None = None
    spread: bool = False
    """True for a chart that was not named: the question is how values are spread."""
    no_chart: bool = False
    lists_rows: bool = False
    names_rows: bool = False
    each_row: str | None = None
    """The "order" of "each order", where each row is one: what is asked for is asked of every row."""
    amount: str | None = None
    """The noun like "sales" that was taken to name rows; a doubt where rows are what is counted or listed."""
    names_table: bool = False
    overview: bool = False
    relation: bool = False
    varies: bool = False
    along: m.Column | m.GroupKey | None = None
    """What the first axis of a chart is to show, or what a figure is to be drawn over."""
    rising: m.Column | m.Measured | None = None
    """What the second axis of a chart is to show."""
    deals: bool = False
    """True for a verb like "sold", which may be about pieces rather than rows."""
    of_each: bool = False
    """True for "of each": by the groups that were named before."""
    described: str | None = None
    cost: float = 0.0
    assumptions: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    def without(self, *names: str) -> Parts:
        """Return the parts with some of them as if they had not been said."""
        blank = Parts()
        return replace(self, **{name: getattr(blank, name) for name in names})

    def has_only(self, *names: str) -> bool:
        """Tell whether nothing was said but some parts; what narrows the rows or notes an assumption is always fine."""
        blank = Parts()
        fine = {*names, *_ALWAYS_FINE}
        return all(name in fine or getattr(self, name) == getattr(blank, name) for name in _PARTS)


_ALWAYS_FINE = frozenset(
    {"conditions", "deals", "no_chart", "names_table", "amount", "said_before_keys", "cost", "assumptions", "doubts"}
    | {"spread"}
)
_PARTS = tuple(Parts.__dataclass_fields__)


def collect(cover: Cover, context: Context) -> Parts | None:
    """Sort the phrases of a cover into the parts of an answer; None when two of them contradict each other."""
    parts = Parts()
    before: Item | None = None
    for item in cover.items:
        added = _add(parts, item.meaning, context)
        if added is None:
            return None
        parts = replace(added, cost=added.cost + DESCRIBES_ROWS) if _describes_rows(before, item) else added
        before = item
    return parts


def _describes_rows(before: Item | None, item: Item) -> bool:
    """Tell whether an amount stands right before a row's noun: "fatal crashes" are crashes, not `injuries_fatal`."""
    bare = isinstance(item.meaning, m.RowNoun) and not item.meaning.pronoun and item.end == item.start + 1
    if before is None or before.end != item.start or not bare:
        return False
    return isinstance(before.meaning, m.Column) or (
        isinstance(before.meaning, m.Measured) and before.meaning.column is not None
    )


def _add(parts: Parts, meaning: m.Meaning, context: Context) -> Parts | None:
    return _add_number(parts, meaning, context) or _add_rows(parts, meaning) or _add_manner(parts, meaning)


def _add_number(parts: Parts, meaning: m.Meaning, context: Context) -> Parts | None:
    """Add what is computed, and by which groups."""
    match meaning:
        case m.Measured():
            return _measured(parts, meaning, context)
        case m.CountedPeriods(column, unit) if parts.counted is None:
            return replace(parts, counted=m.GroupKey(column, unit))
        case m.Several(measures):
            return replace(parts, measures=(*parts.measures, *measures))
        case m.MeasuredWhere(measured, predicate):
            added = _measured(parts, measured, context)
            return _where(added, predicate) if added is not None else None
        case m.RowsAnd(name):
            counted = m.Measured(AggregateFunction.COUNT, None)
            said = replace(parts, measures=(*parts.measures, counted), columns=(*parts.columns, name))
            return replace(said, beside=True)
        case m.LabelAnd(name, measures):
            columns = parts.columns if name in parts.columns else (*parts.columns, name)
            return replace(parts, columns=columns, measures=(*parts.measures, *measures), enumerated=True)
        case m.Function(function, dates_only=False):
            return replace(parts, functions=(*parts.functions, function))
        case m.Column(name):
            return parts if name in parts.columns else replace(parts, columns=(*parts.columns, name))
        case m.ColumnWhere(name, predicate):
            shown = _add_number(parts, m.Column(name), context)
            return _where(shown, predicate) if shown is not None else None
        case m.ColumnList(names):
            listed = tuple(name for name in names if name not in parts.columns)
            return replace(parts, columns=(*parts.columns, *listed), enumerated=True)
        case m.Grouped(keys, each):
            return _grouped(parts, keys, each)
        case m.GroupKey():
            return replace(parts, periods=(*parts.periods, meaning), each=True)
        case m.BarePeriod(column, unit):
            return replace(parts, subjects=(*parts.subjects, m.GroupKey(column, unit)))
        case m.Listed(name):
            return replace(parts, listed=(*parts.listed, name))
        case m.Superlative(m.Measured(_, _, str() as noun) as by):
            ranked = _add_rows(parts, replace(meaning, by=replace(by, noun=None)))
            return counted_as(ranked, noun, context) if ranked is not None else None
        case m.Ordered(m.Measured(_, _, str() as noun) as by):
            sorted_by = _add_rows(parts, replace(meaning, by=replace(by, noun=None)))
            return counted_as(sorted_by, noun, context) if sorted_by is not None else None
        case m.Having(m.Measured(_, _, str() as noun) as measured):
            limited = _add_number(parts, replace(meaning, measured=replace(measured, noun=None)), context)
            return counted_as(limited, noun, context) if limited is not None else None
        case m.Having():
            return replace(parts, having=(*parts.having, meaning))
        case m.Lacks(predicate) if parts.lacks is None:
            return replace(parts, lacks=predicate)
        case m.HavingSuch(having, predicate):
            such = _where(parts, predicate)
            return _add_number(such, having, context) if such is not None else None
        case _:
            return None


def _grouped(parts: Parts, keys: tuple[m.GroupKey, ...], each: bool) -> Parts | None:
    numbers = len(parts.measures) + len(parts.columns) + len(parts.functions)
    if parts.keys and 0 < parts.said_before_keys < numbers:
        return None  # two numbers, each with groups of its own
    new = tuple(key for key in keys if key not in parts.keys)
    before = parts.said_before_keys if parts.keys else numbers
    return replace(parts, keys=(*parts.keys, *new), each=parts.each or each, said_before_keys=before)


def _add_rows(parts: Parts, meaning: m.Meaning) -> Parts | None:
    """Add which rows count, in which order, and how many of them."""
    match meaning:
        case m.Condition(predicate):
            return _where(parts, predicate)
        case m.NotedCondition(predicate, note):
            said = _where(parts, predicate)
            return replace(said, assumptions=(*said.assumptions, note)) if said is not None else None
        case m.OnDays(predicate):
            said = _where(parts, predicate)
            return replace(said, on_days=True) if said is not None else None
        case m.Contrast(between=True) if not parts.varies:
            return None
        case m.Contrast(predicate, name) if parts.contrasted is None:
            said = _where(parts, predicate)
            return replace(said, contrasted=name) if said is not None else None
        case m.Best() if parts.best is None:
            return replace(parts, best=meaning)
        case m.BestBy(best, ordered) if parts.best is None and parts.ordered is None:
            return replace(parts, best=best, ordered=ordered)
        case m.First(count) if parts.first is None:
            return replace(parts, first=count)
        case m.Superlative(_, _, where) if parts.superlative is None:
            said = replace(parts, superlative=replace(meaning, where=None))
            return _where(said, where) if where is not None else said
        case m.TopRow() if parts.top_row is None:
            return replace(parts, top_row=meaning)
        case m.Commonest() if parts.commonest is None:
            return replace(parts, commonest=meaning)
        case m.Ordered() if parts.ordered is None:
            return replace(parts, ordered=meaning)
        case m.Direction(descending) if parts.direction is None:
            return replace(parts, direction=descending)
        case _:
            return None


def _add_manner(parts: Parts, meaning: m.Meaning) -> Parts | None:
    """Add what kind of answer is wanted."""
    match meaning:
        case m.ChartWord(kind, spread) if parts.chart is None:
            return replace(parts, chart=kind, spread=spread)
        case m.ChartWord(kind, spread) if parts.chart is kind and parts.spread != spread:
            return replace(parts, spread=False)  # a histogram of a distribution is a histogram
        case m.Pair() if parts.pair is None:
            return replace(parts, pair=meaning)
        case m.NoChart():
            return replace(parts, no_chart=True)
        case m.ListRows():
            return replace(parts, lists_rows=True)
        case m.RowNoun(noun, False, amount) if not parts.doubts:
            each_row = noun if meaning.each else parts.each_row
            return replace(parts, names_rows=True, each_row=each_row, amount=noun if amount else parts.amount)
        case m.TableNoun():
            return replace(parts, names_table=True)
        case m.NamedTable(words) if parts.described is None:
            return replace(parts, described=words)
        case m.Overview():
            return replace(parts, overview=True)
        case m.Relation():
            return replace(parts, relation=True)
        case m.Varies():
            return replace(parts, varies=True)
        case m.OnAxis("x", m.Column() | m.GroupKey() as shown) if parts.along is None:
            return replace(parts, along=shown)
        case m.OnAxis("y", m.Column() | m.Measured() as shown) if parts.rising is None:
            return replace(parts, rising=shown)
        case m.OfEach():
            return replace(parts, of_each=True)
        case m.Describing(word, deals):
            note = f"“{word}” is taken to say nothing more about the rows."
            return replace(parts, deals=parts.deals or deals, assumptions=(*parts.assumptions, note))
        case m.Filler():
            return parts
        case _:
            return None


def _where(parts: Parts, predicate: Predicate) -> Parts | None:
    """Add a condition; None for a second value of a column that has to have another one."""
    terms = terms_of(predicate)
    for term in terms:
        others = [other for other in parts.conditions if _left(other) == _left(term) and other != term]
        if any(_settles(other) or _settles(term) for other in others):
            return None
    if {_date_bound(term) for term in terms} & {_date_bound(term) for term in parts.conditions} - {None}:
        return None
    return replace(parts, conditions=(*parts.conditions, *terms))


def _settles(predicate: Predicate) -> bool:
    """Tell whether a condition leaves nothing to say about its column."""
    return equal_values(predicate) or (isinstance(predicate, Compare) and predicate.op is CompareOp.EQ)


def _left(predicate: Predicate) -> str:
    match predicate:
        case Compare():
            return predicate.left.model_dump_json()
        case IsIn():
            return predicate.operand.model_dump_json()
        case _:
            return predicate.model_dump_json()


def _date_bound(predicate: Predicate) -> tuple[str | None, CompareOp] | None:
    """Return which end of which date column a condition bounds: nobody bounds one end twice."""
    match predicate:
        case Compare(op=op, right=Lit(type=ColumnType.DATE)):
            return about(predicate), op
        case _:
            return None


def _measured(parts: Parts, measured: m.Measured, context: Context) -> Parts | None:
    said = replace(parts, measures=(*parts.measures, replace(measured, noun=None)))
    return counted_as(said, measured.noun, context) if measured.noun is not None else said


def note_of_rows_called(noun: str, context: Context) -> str:
    """Return what is assumed where nothing but a noun says what the rows are."""
    return f"Each row of `{context.profile.name}` is counted as one of the “{noun}”."


def counted_as(parts: Parts, noun: str, context: Context) -> Parts | None:
    """Return parts that note that rows are counted as what a noun says; None where they are called something else."""
    if parts.names_rows:
        return None
    note = note_of_rows_called(noun, context)
    doubts = (*parts.doubts, noun) if context.has_a_telling_name else parts.doubts
    return replace(parts, assumptions=(*parts.assumptions, note), doubts=doubts)
