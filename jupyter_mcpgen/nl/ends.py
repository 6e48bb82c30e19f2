"""Nouns for two columns at once: a "route" is where a row begins together with where it ends.

The question is read as if the table had a column of routes, and every step of the answer then names both columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary, load_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    Distinct,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

Ends = tuple[str, str]


def read_ends(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a noun such as "route" taken for the two columns of its ends."""
    vocabulary = load_computed(language)
    context = context_of(profile, language)
    noun = _noun(question, vocabulary, context) if vocabulary is not None else None
    pairs = list(ends_of(vocabulary, context)) if vocabulary is not None and noun is not None else []
    if noun is None or len(pairs) != 1:
        return read(question, profile, language)
    ends = pairs[0]
    note = f"Each “{noun}” is taken to be one pair of `{ends[0]}` and `{ends[1]}`, in this direction."
    meant = read(question, _with_noun(profile, noun, ends), language)
    match meant:
        case Answered(winner, alternatives, no_chart):
            made = _over(winner, noun, ends, profile, note)
            others = (_over(other, noun, ends, profile, note) for other in alternatives)
            if made is not None:
                return Answered(made, tuple(other for other in others if other is not None), no_chart)
        case Asked(text, options):
            known = tuple(_over(option, noun, ends, profile, note) for option in options)
            if all(option is not None for option in known):
                return Asked(f"{text} {note}", tuple(option for option in known if option is not None))
        case Refused():
            return replace(meant, message=meant.message.replace(f", `{noun}`", ""), nearest=None)
    return read(question, profile, language)


def _noun(question: str, vocabulary: Vocabulary | None, context: Context) -> str | None:
    """Return the noun for two ends that a question has and the table does not, as one of it."""
    if vocabulary is None:
        return None
    for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma):
        plain = context.plain(token.lower)
        known = context.columns_with(plain) or plain in context.value_parts or plain in context.row_nouns
        if plain in vocabulary.ends_nouns and not known:
            return plain
    return None


def ends_of(vocabulary: Vocabulary, context: Context) -> Iterator[Ends]:
    """Yield each two columns of texts that are called alike but for the words for their ends."""
    own = {n: words for n, words in context.column_words.items() if context.type_of(n) is ColumnType.TEXT}
    for first, second in vocabulary.ends:
        for name, words in own.items():
            if first in words:
                other = tuple(second if word == first else word for word in words)
                yield from ((name, found) for found, found_words in own.items() if found_words == other)


def _with_noun(profile: Profile, noun: str, ends: Ends) -> Profile:
    """Return the profile of the table as if it had a column of the noun."""
    first, second = (next(c for c in profile.columns if c.name == name) for name in ends)
    distinct = max(2, min(first.distinct * second.distinct, profile.rows - 1))
    column = ColumnProfile(name=noun, role=Role.CATEGORY, nulls=0, distinct=distinct)
    fields = (*profile.schema_.fields, Field(name=noun, type=ColumnType.TEXT))
    return profile.replace(schema_=Schema(fields=fields), columns=(*profile.columns, column))


def _over(reading: Reading, noun: str, ends: Ends, profile: Profile, note: str) -> Reading | None:
    """Return a reading over the table as it is; None where it does not use the noun, or cannot without it."""
    plan = reading.plan
    if not any(noun in names_in(step) for step in plan.steps):
        return None
    try:
        steps = tuple(_named(plan.steps, noun, ends))
        chart = _drawn(plan.chart, noun, ends, counted=len(steps) > len(plan.steps))
        made = Plan(source=plan.source, source_schema=profile.schema_, steps=steps, chart=chart)
    except PlanError:
        return None
    return replace(reading, plan=made, assumptions=(note, *reading.assumptions))


def _named(steps: tuple[Step, ...], noun: str, ends: Ends) -> Iterator[Step]:
    """Yield the steps with both ends in the place of the noun; different ones are counted as groups of both ends."""
    counted = ""
    for step in steps:
        match step:
            case Aggregate(
                by=by, measures=(Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(name=name)),)
            ):
                if name != noun:
                    yield step
                    continue
                counted, rows = step.measures[0].name, (Measure(function=AggregateFunction.COUNT),)
                yield Aggregate(by=Columns(names=(*by.names, *ends)), measures=rows)
                yield Aggregate(by=by, measures=rows)
            case Aggregate():
                yield step.model_copy(update={"by": _both(step.by, noun, ends)})
            case Select() | Distinct():
                yield step.model_copy(update={"columns": _both(step.columns, noun, ends)})
            case Sort():
                yield Sort(keys=_keys(step.keys, noun, ends, counted))
            case TopPerGroup():
                keys = _keys(step.keys, noun, ends, counted)
                yield step.model_copy(update={"by": _both(step.by, noun, ends), "keys": keys})
            case _:
                yield step


def _both(columns: Columns, noun: str, ends: Ends) -> Columns:
    return Columns(names=tuple(end for name in columns.names for end in (ends if name == noun else (name,))))


def _keys(keys: tuple[SortKey, ...], noun: str, ends: Ends, counted: str) -> tuple[SortKey, ...]:
    """Return what to order by; a number of different ones is the number of groups now."""
    named = {counted: (AggregateFunction.COUNT.value,), noun: ends}
    return tuple(
        key.model_copy(update={"column": name}) for key in keys for name in named.get(key.column, (key.column,))
    )


def _drawn(chart: Chart | None, noun: str, ends: Ends, counted: bool) -> Chart | None:
    """Return the chart along one end, in the colours of the other; none where another column has the colours."""
    if chart is None or noun not in (chart.x, chart.color):
        count = AggregateFunction.COUNT.value
        return chart.model_copy(update={"y": count}) if chart is not None and counted else chart
    if chart.x == noun and chart.color is None:
        return chart.model_copy(update={"x": ends[0], "color": ends[1]})
    return None
