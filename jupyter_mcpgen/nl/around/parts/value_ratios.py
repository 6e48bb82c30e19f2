"""How many rows of one kind, or how much of it, there is for each of another: "ratio of paid to open invoices"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.amounts.conversions import adds_up_by_unit
from jupyter_mcpgen.nl.everyday.deeds.deeds import is_amount
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Read, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.flags import ones_and_zeros
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Case, Col, Predicate, When
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class _Kind:
    """What some rows are called, the condition that they meet, the steps that it needs, and what was assumed."""

    name: str
    condition: Predicate
    before: tuple[Step, ...]
    notes: tuple[str, ...]


_ADDING_UP = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT, AggregateFunction.SUM)


def read_value_ratios(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the number of one kind of rows divided by that of another where it asks so."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("ratio_of_values")):
        made = _ratio(found, table, read)
        pieces = _pieces_meant(found, table) if made is not None else None
        of_pieces = _ratio(found, table, read, pieces) if pieces is not None else None
        if made is not None and of_pieces is not None:
            return asking_which((made, of_pieces), how=IN_ITS_WORDS)
        if made is not None:
            return Answered(made)
    return read(question, profile, language)


def _pieces_meant(found: Found, table: Table) -> str | None:
    """Return the one column of how much each row is about, where no noun says whether rows or that are meant."""
    context = table.context
    measures = [name for name in context.column_words if context.is_measure(name) and not context.is_of_money(name)]
    measures = [name for name in measures if name not in ones_and_zeros(context.profile)]
    masses = [name for name in measures if context.adds_up(name) is True or adds_up_by_unit(name, table)]
    pieces = context.pieces or masses
    nothing_said = not _with_noun(found["b"], table)[1] and _with_amount(found["b"], table) is None
    return pieces[0] if len(pieces) == 1 and nothing_said else None


def _ratio(found: Found, table: Table, read: Read, amount: str | None = None) -> Reading | None:
    """Return the number of rows of one kind, or a total of theirs, divided by that of another kind."""
    profile, language = table.context.profile, table.vocabulary.language
    other, noun = _with_noun(found["b"], table)
    if (said := _with_amount(found["b"], table)) is not None:
        other, amount = said  # "ratio of West to East sales" is one of sales, not of rows
    counted = noun or table.say("rows")
    kinds = [_kind(word, _rows_of(word, found, counted, table), table, read) for word in (found["a"], other)]
    first, second = kinds
    if first is None or second is None or first.condition == second.condition:
        return None
    whole = found.said("all", noun=counted) if amount is None else found.said("summed", column=amount)
    meant = read(whole, profile, language)
    try:
        return _divided(meant.winner, first, second, profile) if isinstance(meant, Answered) else None
    except PlanError:
        return None  # the numbers have names of columns


def _with_amount(text: str, table: Table) -> tuple[str, str] | None:
    """Return what a kind of rows is called, and the amount behind it: "night" and `energy_kwh`."""
    words = text.split()
    for width in range(min(columns.MOST_WORDS, len(words) - 1), 0, -1):
        column = columns.measured(" ".join(words[-width:]), table)
        if column is not None:
            return (" ".join(words[:-width]), column) if is_amount(column, table) else None
    return None


def _with_noun(text: str, table: Table) -> tuple[str, str]:
    """Return what a kind of rows is called, and the noun behind it for what is counted."""
    kind, _, noun = text.rpartition(" ")
    is_noun = columns.is_row(noun, table) or columns.is_person(noun, table) or bool(identifiers_of(noun, table))
    return (kind, noun) if kind and is_noun else (text, "")


def _rows_of(word: str, found: Found, noun: str, table: Table) -> str:
    """Return the question of how many rows of a kind there are, by the one column that has it as a value."""
    called = values_called(word, table)
    if len(called) != 1:
        return found.said("kind", kind=word, noun=noun)
    ((column, value),) = called
    return found.said("value", noun=noun, column=column, value=value)


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
    if counted.function not in _ADDING_UP or counted.where is not None:
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
    """Return the figure of each kind; values of a column are those of another that only rows of the kind have."""
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
