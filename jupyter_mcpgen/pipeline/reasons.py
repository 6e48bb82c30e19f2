"""Reads the words of a rejection: what they find wrong with an answer, held against its plan and its table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from jupyter_mcpgen.model.feedback import Reason
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import All, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Pivot, Resample
from jupyter_mcpgen.plan.plan import Plan

_SURE = 0.1
"""A meaning that costs more is a guess."""
_NEAR = 2
"""So many words may stand between a column and what it is compared by: "crew is under 3"."""
_NAMES: Mapping[Reason, frozenset[str]] = MappingProxyType(
    {
        Reason.WRONG_METRIC: frozenset({"metric", "statistic", "aggregation", "kennzahl", "statistik"}),
        Reason.MISSING_FILTER: frozenset({"filter", "condition", "bedingung"}),
        Reason.OUTPUT_FORMAT: frozenset(
            {"format", "json", "markdown", "csv", "chart", "plot", "graph", "diagramm", "grafik"}
        ),
    }
)
"""What each complaint is called; the word for a column is in the lexicon, as are charts by name."""


_CLAUSE_END = re.compile(r"[:;,.!?]+(?:\s+|$)|\s+[–—-]\s+")
_COMPLAINT = re.compile(
    rf"\b(?:{'|'.join(sorted(name for names in _NAMES.values() for name in names))})\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Objection:
    """What the words of a rejection name, apart by whether the answer has it already."""

    reasons: tuple[Reason, ...]
    columns: frozenset[str] = frozenset()
    """The columns that the answer does not use."""
    used: frozenset[str] = frozenset()
    """The columns that it uses."""
    functions: frozenset[AggregateFunction] = frozenset()
    """The statistics that it does not compute."""
    computed: frozenset[AggregateFunction] = frozenset()
    """The statistics that it computes."""
    denies: bool = False
    """Whether one thing is said to be meant and not another: "the median, not the sum"."""
    fragments: tuple[str, ...] = ()
    """Parts of the words, and what they amount to, each of which might say the change as a follow-up."""

    @property
    def is_specific(self) -> bool:
        """Tell whether the words say what is wrong."""
        return bool(set(self.reasons) - {Reason.OTHER})


def read_objection(words: str, intent: Understood, profile: Profile, language: str) -> Objection:
    """Return what the words of a rejection find wrong; words that name nothing are `OTHER`."""
    context = context_of(profile, language)
    tokens = tokenize(words, decimal_comma=context.lexicon.decimal_comma)
    items = _outermost([item for item in link(tokens, context) if item.cost <= _SURE])
    used, computed = frozenset(intent.columns), frozenset[AggregateFunction]()
    if not isinstance(intent, WrittenIntent):
        computed = functions_of(intent.plan)
    conditions = list(_conditions(items))
    compared = {item.start for item in _compared(items)}
    columns = {i.meaning.name for i in items if isinstance(i.meaning, m.Column) and i.start not in compared}
    functions = {each for item in items if (each := _function(item)) is not None}
    said = {token.lower for token in tokens}
    named = {reason for reason, names in _NAMES.items() if names & said}
    if columns - used or any(isinstance(i.meaning, m.ColumnNoun) and i.end == i.start + 1 for i in items):
        named.add(Reason.COLUMN_MISMATCH)
    if functions - computed:
        named.add(Reason.WRONG_METRIC)
    if conditions:
        named.add(Reason.MISSING_FILTER)
    if any(isinstance(item.meaning, m.NoChart | m.ChartWord) for item in items):
        named.add(Reason.OUTPUT_FORMAT)
    wanted = frozenset(columns - used)
    denies = any(isinstance(item.meaning, m.Not) for item in items) or _replaces(words, context)
    swaps = _swaps(wanted, columns & used, used, denies, context)
    short = [item for item in items if isinstance(item.meaning, m.ChartWord) or _function(item) in functions - computed]
    spoken = (" ".join(token.text for token in tokens[item.start : item.end]) for item in short)
    return Objection(
        reasons=tuple(reason for reason in Reason if reason in named) or (Reason.OTHER,),
        columns=wanted,
        used=frozenset(columns & used),
        functions=frozenset(functions - computed),
        computed=frozenset(functions & computed),
        denies=denies,
        fragments=tuple(dict.fromkeys((*_parts(words), *swaps, *spoken))),
    )


def _parts(words: str) -> Iterator[str]:
    """Yield the words, then each clause of them, and what stands behind the name of the complaint."""
    yield words.strip()
    for clause in filter(None, map(str.strip, _CLAUSE_END.split(words))):
        yield clause
        *_, last = (0, *(found.end() for found in _COMPLAINT.finditer(clause)))
        if clause[last:].strip():
            yield clause[last:].strip()


def _replaces(words: str, context: Context) -> bool:
    """Tell whether something is said to stand in the place of something else."""
    said = f" {' '.join(words.casefold().split())} "
    return any(f" {phrase} " in said for phrase in context.lexicon.in_place_of)


def _swaps(
    wanted: frozenset[str], named: set[str], used: frozenset[str], denies: bool, context: Context
) -> Iterator[str]:
    """Yield the exchange of the one column of the answer that the one named may take the place of.

    A figure takes the place of a figure, and a label that of a label. One that is named besides stays, unless the
    words deny it.
    """
    if len(wanted) != 1:
        return
    (new,) = wanted
    alike = {
        name for name in used if name in context.column_words and context.is_measure(name) == context.is_measure(new)
    }
    given_up = alike & named if alike & named else alike
    if len(given_up) == 1 and (denies or not alike & named):
        (old,) = given_up
        yield f"`{new}` {min(context.lexicon.in_place_of)} `{old}`"


def functions_of(plan: Plan) -> frozenset[AggregateFunction]:
    """Return the statistics that a plan computes."""
    several = (step.measures for step in plan.steps if isinstance(step, Aggregate | Resample))
    single = (step.measure for step in plan.steps if isinstance(step, Pivot))
    return frozenset(measure.function for measure in (*(one for each in several for one in each), *single))


def conditions_of(plan: Plan) -> tuple[Predicate, ...]:
    """Return the conditions of a plan, one by one."""
    return tuple(one for step in plan.steps if isinstance(step, Filter) for one in _single(step.predicate))


def _single(predicate: Predicate) -> tuple[Predicate, ...]:
    return predicate.terms if isinstance(predicate, All) else (predicate,)


def _outermost(items: list[Item]) -> list[Item]:
    """Return the meanings that do not lie inside that of more words: the column of a "column chart" is none."""
    return [
        item
        for item in items
        if not any(
            other.start <= item.start and item.end <= other.end and other.end - other.start > item.end - item.start
            for other in items
        )
    ]


def _function(item: Item) -> AggregateFunction | None:
    match item.meaning:
        case m.Function(function=function):
            return function
        case m.CountWord(trailing=False):
            return AggregateFunction.COUNT
        case _:
            return None


def _conditions(items: list[Item]) -> Iterator[Item]:
    """Yield what says which rows were meant: values, stretches of time, numbers that are compared or led to."""
    leads = [item for item in items if isinstance(item.meaning, m.WhereWord | m.Comparison | m.Between | m.TimeSide)]
    for item in items:
        match item.meaning:
            case m.Value() | m.PartValue() | m.Season():
                yield item
            case m.Number() | m.Span() if any(lead.start < item.start for lead in leads):
                yield item
            case _:
                continue


def _compared(items: list[Item]) -> Iterator[Item]:
    """Yield the columns that belong to a condition: one that is compared, or that stands beside a value of its own."""
    comparisons = [item.start for item in items if isinstance(item.meaning, m.Comparison)]
    values = [(item, item.meaning.column) for item in items if isinstance(item.meaning, m.Value)]
    for item in items:
        if not isinstance(item.meaning, m.Column):
            continue
        own = (value for value, column in values if column == item.meaning.name)
        beside = any(item.end == value.start or value.end == item.start for value in own)
        if beside or any(0 <= start - item.end <= _NEAR for start in comparisons):
            yield item
