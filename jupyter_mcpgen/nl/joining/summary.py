"""Reads a question about rows of one table with figures of another: the figures are taken for columns of the first."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.asked import AskedFigures, is_of_each, is_sure, said_of
from jupyter_mcpgen.nl.joining.clause import forms_of
from jupyter_mcpgen.nl.joining.figures import STAND_IN, find_figures
from jupyter_mcpgen.nl.joining.keys import Pair, found_keys, is_told, is_unique, later_keys
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, any_of, load_vocabulary
from jupyter_mcpgen.nl.joins.profiles import profile_of_both
from jupyter_mcpgen.nl.reading import Answered, Asked, ReadAlone, Reading, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english_sources import say_keys
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import FIGURES, ZERO_WHEN_EMPTY, Aggregate, AggregateFunction, Measure, Select
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import weighed_measures
from jupyter_mcpgen.plan.sources import KeyPair, Relation, Summary

"""Reads a question over one table."""
_EXACT = frozenset(
    {
        (AggregateFunction.MIN, AggregateFunction.MIN),
        (AggregateFunction.MAX, AggregateFunction.MAX),
        (AggregateFunction.SUM, AggregateFunction.SUM),
        (AggregateFunction.COUNT, AggregateFunction.SUM),
    }
)
"""Figures whose figure, the second, is that of all rows of the second table."""
_OF_FIGURES = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT, AggregateFunction.SUM})
"""Figures of which every figure says something: the mean of totals, not the mean of means."""


def read_figures(
    question: str, tables: tuple[Profile, Profile], language: str, read: ReadAlone, *, surely: bool
) -> Understanding | None:
    """Return what a question means that names figures of one table for the rows of the other; None for any other.

    With `surely` only one that names both tables, asks to add figures to a table, or asks for them of each of its rows.
    """
    vocabulary = load_vocabulary(language)
    if vocabulary is None:
        return None
    for first, other in (tables, tables[::-1]):
        asked = _asked(question, first, other, vocabulary)
        if asked is None:
            continue
        if not surely or is_sure(question, asked):
            return _answer(asked, read)
        meant = _answer(asked, read) if is_of_each(asked) else None
        return meant if isinstance(meant, Answered) else None
    return None


def with_figures_called(question: str, first: Profile, other: Profile, summary: Summary, language: str) -> str:
    """Return a question with figures by their names instead of by phrases, where they are there already."""
    vocabulary = load_vocabulary(language)
    figures = find_figures(question, first, other, vocabulary) if vocabulary is not None else None
    if figures is None or not set(figures.measures) <= set(summary.measures):
        return question
    called = dict(zip(summary.measures, summary.figures, strict=True))
    for place, measure in enumerate(figures.measures):
        question = (question if place else figures.question).replace(STAND_IN.format(place), called[measure].name)
    return question


def _asked(question: str, first: Profile, other: Profile, vocabulary: Vocabulary) -> AskedFigures | None:
    figures = find_figures(question, first, other, vocabulary)
    if figures is None or not figures.named:
        return None
    table = any_of(forms_of(first.name))
    if re.search(rf"\b(?:{table})\b", figures.question, re.IGNORECASE) is None:
        return None
    asked = AskedFigures(figures, figures.question, first, other, vocabulary)
    return None if _are_single(asked) else asked


def _answer(asked: AskedFigures, read: ReadAlone) -> Understanding | None:
    """Return what is asked of the first table with the figures, by the key that is named or found."""
    named = later_keys(asked.rest, asked.first, asked.other, asked.vocabulary)
    if named is not None:
        pairs, rest = named
        return _over(replace(asked, rest=rest), pairs, read)
    found = found_keys(asked.first, asked.other, asked.vocabulary)
    if not found.pairs:
        return None
    if len(found.pairs) == 1 or is_told(found, asked.first, asked.other):
        return _over(asked, found.pairs[:1], read)
    readings = [_over(asked, (pair,), read) for pair in found.pairs]
    names = " or ".join(own if own == other else f"{own} = {other}" for own, other in found.pairs)
    return Asked(
        f"`{asked.first.name}` and `{asked.other.name}` can be joined by {names}. Which one is meant? Say it with "
        "“on …”.",
        tuple(reading.winner for reading in readings if isinstance(reading, Answered)),
    )


def _are_single(asked: AskedFigures) -> bool:
    """Tell whether it is the first table that has several rows for one of the other: figures of one row say nothing."""
    found = found_keys(asked.first, asked.other, asked.vocabulary).pairs
    alone = [pair for pair in found if is_unique(asked.other.column(pair[1]), asked.other)]
    return bool(alone) and not any(is_unique(asked.first.column(own), asked.first) for own, _ in found)


def _over(asked: AskedFigures, pairs: tuple[Pair, ...], read: ReadAlone) -> Understanding:
    first, other, measures = asked.first, asked.other, asked.figures.measures
    standing = tuple(m.model_copy(update={"label": name}) for m, name in zip(measures, asked.names, strict=True))
    try:
        summary = _summary(first, other, pairs, measures)
        spoken = _summary(first, other, pairs, standing)
    except PlanError as error:
        return Refused(f"`{first.name}` cannot be shown with figures of `{other.name}`. {error}")
    rest = said_of(asked)
    if not rest.is_more:
        return _named(_plain(spoken), asked, summary)
    meant = _named(read(rest.text, profile_of_both(first, other, spoken)), asked, summary)
    return _checked(meant, summary, rest.columns) if isinstance(meant, Answered) else meant


def _plain(spoken: Summary) -> Understanding:
    rows = Plan(source="rows", source_schema=spoken.schema_)
    return Answered(Reading(plan=rows, label="", cost=0.0))


def _summary(first: Profile, other: Profile, pairs: tuple[Pair, ...], measures: tuple[Measure, ...]) -> Summary:
    keys = tuple(KeyPair(first=Col(name=own), second=Col(name=theirs)) for own, theirs in pairs)
    unique = len(pairs) == 1 and is_unique(first.column(pairs[0][0]), first) and first.column(pairs[0][0]).nulls <= 1
    return Summary(
        other=other.name,
        first_schema=first.schema_,
        other_schema=other.schema_,
        keys=keys,
        measures=measures,
        relation=Relation.ONE_TO_ONE if unique else Relation.MANY_TO_ONE,
    )


def _named(meant: Understanding, asked: AskedFigures, summary: Summary) -> Understanding:
    """Put the figures' own names in the place of their stand-ins, and both tables into each plan."""
    match meant:
        case Answered(winner, alternatives):
            made = _placed(winner, asked, summary)
            others = tuple(_placed(other, asked, summary) for other in alternatives)
            return replace(meant, winner=made, alternatives=others)
        case Asked(text, options):
            return Asked(_said(text, asked), tuple(_placed(option, asked, summary) for option in options))
        case Refused(message):
            figures = ", ".join(figure.name for figure in summary.figures)
            about = f"Over {asked.first.name} with {figures} of {asked.other.name}: {_said(message, asked)}"
            return replace(meant, message=about, nearest=None)


def _said(text: str, asked: AskedFigures) -> str:
    for spoken, name in asked.names.items():
        text = text.replace(spoken, name)
    return text


def _placed(reading: Reading, asked: AskedFigures, summary: Summary) -> Reading:
    tree = json.dumps(reading.plan.model_dump(mode="json", include={"steps", "chart"}))
    for spoken, figure in zip(asked.names, summary.figures, strict=True):
        tree = tree.replace(spoken, json.dumps(figure.name)[1:-1])
    own = {"source": asked.first.name, "source_schema": summary.schema_, "second": summary}
    plan = Plan.model_validate({**json.loads(tree), **own})
    notes = tuple(_said(note, asked) for note in reading.assumptions)
    label = _said(reading.label, asked)
    return replace(reading, plan=plan, label=label, assumptions=(*notes_of(summary, asked.first.name), *notes))


def notes_of(summary: Summary, source: str) -> tuple[str, ...]:
    """Return what is assumed about rows that have no match."""
    zero = [f.name for f in summary.figures if f.function in ZERO_WHEN_EMPTY]
    missing = [f.name for f in summary.figures if f.function not in ZERO_WHEN_EMPTY]
    parts = [*([f"0 as {_listed(zero)}"] if zero else []), *([f"no {_listed(missing)}"] if missing else [])]
    return (
        f"Each row of `{source}` with figures of the rows of `{summary.other}` that have its {say_keys(summary)}.",
        f"A row without any has {' and '.join(parts)}. Rows of `{summary.other}` that match none are left out.",
    )


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _checked(meant: Answered, summary: Summary, columns: tuple[str, ...]) -> Understanding:
    """Show the figures, and the columns that are to stand beside them; refuse what would be lost or mislead."""
    wanted = (*columns, *(figure.name for figure in summary.figures))
    winner = _with_columns(meant.winner, wanted)
    plan = winner.plan
    seen = {*plan.result_schema.names, *(name for step in plan.steps for name in names_in(step))}
    lost = [name for name in wanted if name not in seen]
    if lost:
        return Refused(
            f"I understood {_listed(lost)}, but not what it is for in the rest of the question. Ask for the rows with "
            f"their figures first: “{plan.source} with the number of {summary.other}”.",
            nearest=winner,
        )
    wrong = _misleading(plan, summary)
    if wrong is not None:
        return wrong
    others = (_with_columns(other, wanted) for other in meant.alternatives)
    return replace(meant, winner=winner, alternatives=tuple(o for o in others if _misleading(o.plan, summary) is None))


def _with_columns(reading: Reading, wanted: tuple[str, ...]) -> Reading:
    """Return a reading that shows some columns too where it chooses columns of rows."""
    plan = reading.plan
    last = plan.steps[-1] if plan.steps else None
    made = any(isinstance(step, FIGURES) for step in plan.steps)
    if not isinstance(last, Select) or made or plan.chart is not None:
        return reading
    chosen = Select(columns=Columns(names=tuple(dict.fromkeys([*last.columns.names, *wanted]))))
    return replace(reading, plan=plan.model_copy(update={"steps": (*plan.steps[:-1], chosen)}))


def _misleading(plan: Plan, summary: Summary) -> Refused | None:
    """Return the refusal of a figure of figures that is none of the second table's rows."""
    made = {figure.name: figure.function for figure in summary.figures}
    first = next((step for step in plan.steps if isinstance(step, FIGURES)), None)
    measures = first.measures if isinstance(first, Aggregate) else weighed_measures(plan)
    for measure in measures:
        function = made.get(measure.column.name) if measure.column is not None else None
        if function is None or measure.column is None:
            continue
        name, shared = measure.column.name, not summary.relation.first_is_unique
        if shared and measure.function in (AggregateFunction.SUM, AggregateFunction.COUNT):
            return Refused(
                f"Several rows of `{plan.source}` share a key, so `{name}` stands in each of them and would be counted "
                f"several times. Ask for it over both tables: “… in {summary.other} joined with {plan.source}”."
            )
        if function not in _OF_FIGURES and (function, measure.function) not in _EXACT:
            return Refused(
                f"A {measure.function.value} of `{name}` weighs each row of `{plan.source}` alike, however many rows "
                f"of `{summary.other}` it has. Ask for it over both tables: “… in {summary.other} joined with "
                f"{plan.source}”."
            )
    return None
