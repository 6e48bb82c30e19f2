"""How many rows of one kind there are for each of another: "ratio of paid to open invoices by region"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.identifiers import identifiers_of
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.everyday.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Case, Col, Predicate, When
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan

Read = Callable[[str, Profile, str], Understanding]


@dataclass(frozen=True)
class _Kind:
    """What some rows are called, the condition that they meet, the steps that it needs, and what was assumed."""

    name: str
    condition: Predicate
    before: tuple[Step, ...]
    notes: tuple[str, ...]


_COUNTS = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)


def read_value_ratios(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the number of one kind of rows divided by that of another where it asks so."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None:
        return read(question, profile, language)
    table = Table(context_of(profile, language), vocabulary)
    for found in Speech(question).find_each(table.wording("ratio_of_values")):
        made = _ratio(found, table, read)
        if made is not None:
            return Answered(made)
    return read(question, profile, language)


def _ratio(found: Found, table: Table, read: Read) -> Reading | None:
    profile, language = table.context.profile, table.vocabulary.language
    if columns.last_figure(found["b"], table) is not None:
        return None  # "ratio of West to East sales" is one of sales, not of rows
    other, noun = _with_noun(found["b"], table)
    counted = noun or table.say("rows")
    kinds = [_kind(word, found.said("kind", kind=word, noun=counted), table, read) for word in (found["a"], other)]
    first, second = kinds
    if first is None or second is None or first.condition == second.condition:
        return None
    meant = read(found.said("all", noun=counted), profile, language)
    try:
        return _divided(meant.winner, first, second, profile) if isinstance(meant, Answered) else None
    except PlanError:
        return None  # the numbers have names of columns


def _with_noun(text: str, table: Table) -> tuple[str, str]:
    """Return what a kind of rows is called, and the noun behind it for what is counted."""
    kind, _, noun = text.rpartition(" ")
    is_noun = columns.is_row(noun, table) or columns.is_person(noun, table) or bool(identifiers_of(noun, table))
    return (kind, noun) if kind and is_noun else (text, "")


def _kind(word: str, question: str, table: Table, read: Read) -> _Kind | None:
    """Return the condition of rows that a word is said of; None where it is none."""
    meant = read(question, table.context.profile, table.vocabulary.language)
    steps = meant.winner.plan.steps if isinstance(meant, Answered) else ()
    conditions = [step for step in steps if isinstance(step, Filter)]
    counts = [step for step in steps if isinstance(step, Aggregate)]
    before = tuple(step for step in steps if isinstance(step, Derive))
    if len(conditions) != 1 or len(counts) != 1 or counts[0].by.names or len(before) + 2 != len(steps):
        return None
    name = "_".join(re.findall(r"\w+", word.casefold()))
    notes = meant.winner.assumptions if isinstance(meant, Answered) else ()
    return _Kind(name, conditions[0].predicate, before, notes)


def _divided(reading: Reading, first: _Kind, second: _Kind, profile: Profile) -> Reading | None:
    """Return the numbers of both kinds in each group, and the one divided by the other."""
    steps = reading.plan.steps
    place = next((place for place, step in enumerate(steps) if isinstance(step, Aggregate)), None)
    grouped = steps[place] if place is not None else None
    if place is None or not isinstance(grouped, Aggregate) or len(grouped.measures) != 1:
        return None
    counted = grouped.measures[0]
    if counted.function not in _COUNTS or counted.where is not None:
        return None
    if any(not isinstance(step, Sort) for step in steps[place + 1 :]):
        return None
    kinds = (first, second)
    names = [f"{kind.name}_{counted.function.value}" for kind in kinds]
    measures, chosen = _measures(counted, kinds, names)
    name = f"{first.name}_per_{second.name}"
    ratio = Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name=names[0]), right=Col(name=names[1]))
    own = [step for step in dict.fromkeys((*first.before, *second.before)) if step not in steps[:place]]
    ranked = (Sort(keys=(SortKey(column=name, descending=True),)),)
    after = ranked if _ranks(steps[place + 1 :], counted) else steps[place + 1 :]
    made: tuple[Step, ...] = (
        *own,
        *steps[:place],
        *chosen,
        grouped.model_copy(update={"measures": measures}),
        Derive(name=name, expression=ratio),
        *after,
    )
    chart = reading.plan.chart.model_copy(update={"y": name}) if reading.plan.chart is not None else None
    plan = Plan(source=reading.plan.source, source_schema=profile.schema_, steps=made, chart=chart)
    notes = tuple(dict.fromkeys((*first.notes, *second.notes, *reading.assumptions)))
    return replace(reading, plan=plan, assumptions=notes)


def _measures(
    counted: Measure, kinds: tuple[_Kind, _Kind], names: list[str]
) -> tuple[tuple[Measure, ...], tuple[Step, ...]]:
    """Return the number of each kind; different values are those of a column that only rows of the kind have."""
    if counted.column is None:
        both = zip(kinds, names, strict=True)
        return tuple(counted.model_copy(update={"where": kind.condition, "label": name}) for kind, name in both), ()
    chosen = tuple(
        Derive(
            name=f"{kind.name}_{counted.column.name}",
            expression=Case(branches=(When(condition=kind.condition, value=counted.column),)),
        )
        for kind in kinds
    )
    both_chosen = zip(chosen, names, strict=True)
    return tuple(
        counted.model_copy(update={"column": Col(name=step.name), "label": name}) for step, name in both_chosen
    ), chosen


def _ranks(after: tuple[Step, ...], counted: Measure) -> bool:
    """Tell whether groups are ordered by the number that becomes two."""
    return any(isinstance(step, Sort) and any(key.column == counted.name for key in step.keys) for step in after)
