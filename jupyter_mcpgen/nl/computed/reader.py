"""Reads a question that computes a column first, as one about a table that has that column already."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.ages import age_in_year
from jupyter_mcpgen.nl.computed.arithmetic import arithmetic_in
from jupyter_mcpgen.nl.computed.bands import band_in, grouped_by_others, uncut_band
from jupyter_mcpgen.nl.computed.classes import classes_in
from jupyter_mcpgen.nl.computed.column import Computed, spoken, with_column
from jupyter_mcpgen.nl.computed.cuts import cut_in, in_equal_widths, unclear_cut
from jupyter_mcpgen.nl.computed.decades import decade_in
from jupyter_mcpgen.nl.computed.defined import defined_in
from jupyter_mcpgen.nl.computed.figures import figure_in
from jupyter_mcpgen.nl.computed.gaps import gap_in
from jupyter_mcpgen.nl.computed.groups import ComparedGroups, groups_in
from jupyter_mcpgen.nl.computed.halves import half_in
from jupyter_mcpgen.nl.computed.scaled import scaled_in
from jupyter_mcpgen.nl.computed.seasons import season_in
from jupyter_mcpgen.nl.computed.times import time_in
from jupyter_mcpgen.nl.computed.turned import turned
from jupyter_mcpgen.nl.computed.vocabulary import load_computed
from jupyter_mcpgen.nl.computed.week_parts import week_part_in
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, TimeBetween
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Select, Step, Window
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.slots import rebuilt

Follow = Callable[[Plan, Profile], Understanding | None]
_UNUSED = "I could not connect `{}` with the rest of the question. Say what to do with it."
MOST_COLUMNS = 3
"""How many columns one question may compute."""


def read_computed(
    question: str, profile: Profile, language: str, read: Read, most: int = MOST_COLUMNS
) -> Understanding:
    """Return what a question means, with the columns that it computes made before the other steps."""
    groups = _groups(question, profile, language) if most else None
    if groups is not None:
        return _of_groups(groups, question, profile, language, read)
    said_so, note = _turned(question, profile, language) if most == MOST_COLUMNS else (question, "")
    if said_so != question:
        meant = read_computed(said_so, profile, language, read, most - 1)
        if isinstance(meant, Answered):
            notes = (*([note] if note else []), *meant.winner.assumptions)
            return replace(meant, winner=replace(meant.winner, assumptions=notes))
    defined = _defined(question, profile, language) if most else None
    if defined is not None:
        over_defined = over_computed(defined, profile, language, read, most)
        if isinstance(over_defined, Answered | Asked):
            return over_defined
    computed = _found(question, profile, language) if most else None
    if computed is None:
        uncut = _uncut(question, profile, language)
        plain = uncut or _grouped(read(question, profile, language), question, profile, language)
        return _in_bins(question, profile, language, read) or plain if isinstance(plain, Refused) else plain
    sooner = read(computed.sooner, profile, language) if computed.sooner is not None else None
    if isinstance(sooner, Answered):
        return sooner
    made = over_computed(computed, profile, language, read, most)
    if isinstance(made, Answered | Asked) or (computed.required and made is not None):
        return made
    if computed.required:
        return Refused(_UNUSED.format(computed.name))
    return read(question, profile, language)


def over_computed(computed: Computed, profile: Profile, language: str, read: Read, most: int) -> Understanding | None:
    """Return what a question means that names a computed column; None where it does not need it."""
    said = spoken(computed, most)
    over_it = read_computed(said.question, with_column(profile, said), language, read, most - 1)
    return with_step(over_it, computed, said.name, profile)


def followed_computed(plan: Plan, profile: Profile, follow: Follow) -> Understanding | None:
    """Return what a follow-up makes of an answer that began with a computed column; None where it cannot tell.

    `follow` changes a plan over the table that has the column.
    """
    first = plan.steps[0] if plan.steps else None
    is_time = isinstance(first, Derive) and isinstance(first.expression, TimeBetween)
    if not (is_time or (isinstance(first, Window) and first.function.is_figure)) or not isinstance(
        first, Derive | Window
    ):
        return None
    unit = (
        first.expression.unit.value if isinstance(first, Derive) and isinstance(first.expression, TimeBetween) else None
    )
    type_ = plan.schema_at(1).type_of(first.name)
    computed = Computed(name=first.name, type=type_, step=first, question="", unit=unit)
    said = spoken(computed, MOST_COLUMNS)
    extended = with_column(profile, said)
    rest = _called(
        {"steps": plan.model_dump(mode="json")["steps"][1:], "chart": plan.model_dump(mode="json")["chart"]},
        computed.name,
        said.name,
        plan.source,
        extended,
    )
    meant = follow(rest, extended) if rest is not None else None
    return None if meant is None else with_step(meant, computed, said.name, profile)


def with_step(meant: Understanding, computed: Computed, spoken_of: str, profile: Profile) -> Understanding | None:
    """Return a meaning over a table that has the column as one over the table as it is; None where it cannot be."""
    match meant:
        case Answered(winner, alternatives, no_chart):
            made = _over(winner, computed, spoken_of, profile)
            others = [_over(other, computed, spoken_of, profile) for other in alternatives]
            return None if made is None else Answered(made, tuple(o for o in others if o is not None), no_chart)
        case Asked(text, options):
            chosen = [_over(option, computed, spoken_of, profile) for option in options]
            known = tuple(option for option in chosen if option is not None)
            if computed.required and len(known) == 1:
                return Answered(known[0])  # the others are no meaning of a question that names the column
            return Asked(text.replace(spoken_of, computed.name), known) if len(known) == len(options) else None
        case Refused():
            own = meant.message.replace(f", `{spoken_of}`", "").replace(spoken_of, computed.name)
            return replace(meant, message=own, nearest=None, named=None)


def _grouped(meant: Understanding, question: str, profile: Profile, language: str) -> Understanding:
    """Return a meaning that says so where "age group by city" could be groups of ages as well."""
    vocabulary = load_computed(language)
    if vocabulary is None or not isinstance(meant, Answered):
        return meant
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    note = grouped_by_others(tokens, vocabulary, context)
    notes = (note, *meant.winner.assumptions)
    return replace(meant, winner=replace(meant.winner, assumptions=notes)) if note else meant


def _uncut(question: str, profile: Profile, language: str) -> Refused | None:
    vocabulary = load_computed(language)
    if vocabulary is None:
        return None
    context = context_of(profile, language)
    unclear = unclear_cut(question, vocabulary.classes, context) if vocabulary.classes else None
    return unclear or uncut_band(tokenize(question, decimal_comma=context.lexicon.decimal_comma), vocabulary, context)


def _groups(question: str, profile: Profile, language: str) -> ComparedGroups | None:
    vocabulary = load_computed(language)
    if vocabulary is None:
        return None
    context = context_of(profile, language)
    return groups_in(tokenize(question, decimal_comma=context.lexicon.decimal_comma), vocabulary, context)


def _turned(question: str, profile: Profile, language: str) -> tuple[str, str]:
    """Return a question with the columns that it compares around their comparison, and what was assumed."""
    vocabulary = load_computed(language)
    if vocabulary is None:
        return question, ""
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    return turned(tokens, vocabulary, context) or (question, "")


def _in_bins(question: str, profile: Profile, language: str, read: Read) -> Answered | None:
    """Return what a question means that cuts a number into bins of equal width; None where it does not."""
    vocabulary = load_computed(language)
    words = vocabulary.classes if vocabulary is not None else {}
    binned = in_equal_widths(question, words, context_of(profile, language)) if words else None
    meant = read(binned[0], profile, language) if binned is not None else None
    if binned is None or not isinstance(meant, Answered):
        return None
    notes = (*filter(None, binned[1:]), *meant.winner.assumptions)
    return replace(meant, winner=replace(meant.winner, assumptions=notes))


def _of_groups(groups: ComparedGroups, question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return the groups whose figures compare as asked; where there is none for each, the question as it stands."""
    meant = read_computed(groups.question, profile, language, read, MOST_COLUMNS - 1)
    match meant:
        case Answered(winner) if (plan := groups.complete(winner.plan)) is not None:
            return Answered(replace(winner, plan=plan))
        case Asked(options=options):
            plans = [groups.complete(option.plan) for option in options]
            made = tuple(replace(o, plan=p) for o, p in zip(options, plans, strict=True) if p is not None)
            if len(made) == len(options) > 1:
                return asking_which(made)
        case _:
            pass
    return read(question, profile, language)


def _defined(question: str, profile: Profile, language: str) -> Computed | None:
    vocabulary = load_computed(language)
    return None if vocabulary is None else defined_in(question, profile, vocabulary, context_of(profile, language))


def _found(question: str, profile: Profile, language: str) -> Computed | None:
    vocabulary = load_computed(language)
    if vocabulary is None:
        return None
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    classes = classes_in(question, profile, vocabulary.classes, context) if vocabulary.classes else None
    classes = classes or (cut_in(question, profile, vocabulary.classes, context) if vocabulary.classes else None)
    return classes or (
        time_in(tokens, profile, vocabulary, context)
        or age_in_year(tokens, profile, vocabulary, context)
        or gap_in(tokens, profile, vocabulary, context)
        or scaled_in(tokens, profile, vocabulary, context)
        or figure_in(tokens, profile, vocabulary, context)
        or arithmetic_in(tokens, profile, vocabulary, context)
        or season_in(tokens, profile, vocabulary, context)
        or band_in(tokens, profile, vocabulary, context)
        or decade_in(tokens, profile, vocabulary, context)
        or week_part_in(tokens, profile, vocabulary, context)
        or half_in(tokens, profile, vocabulary, context)
    )


def _over(reading: Reading, computed: Computed, spoken_of: str, profile: Profile) -> Reading | None:
    """Return a reading over the table as it is; None where it does not use what was to be computed, or cannot."""
    old = reading.plan
    if not any(spoken_of in set(names_in(step)) for step in old.steps):
        return None
    if computed.is_unaveraged and any(_averages(step, spoken_of) for step in old.steps):
        return None
    tree = old.model_dump(mode="json", include={"steps", "chart"})
    named = _called(tree, spoken_of, computed.name, old.source, with_column(profile, computed))
    if named is None:
        return None
    try:
        steps = tuple(_instead(step, computed) if isinstance(step, Filter) else step for step in named.steps)
        made = _within(computed, steps) if computed.is_within else (*computed.before, computed.step, *steps)
        plan = Plan(source=old.source, source_schema=profile.schema_, steps=made)
        plan = shown_without(plan, computed.before).model_copy(update={"chart": named.chart})
    except PlanError:
        return None
    notes = tuple(note.replace(spoken_of, computed.name) for note in reading.assumptions)
    label = reading.label.replace(spoken_of, computed.name)
    return replace(reading, plan=plan, label=label, assumptions=(*computed.notes, *notes))


def _averages(step: Step, name: str) -> bool:
    return isinstance(step, Aggregate) and any(
        measure.function is AggregateFunction.MEAN and measure.column is not None and measure.column.name == name
        for measure in step.measures
    )


def _within(computed: Computed, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return steps behind a column whose figures are of the rows that they keep, and of each of their groups."""
    kept = tuple(takewhile(lambda step: isinstance(step, Filter), steps))
    grouped = [step.by for step in steps if isinstance(step, Aggregate)]
    by = grouped[0] if grouped else Columns(names=())
    figures = (replaced.model_copy(update={"by": by}) for replaced in computed.before if isinstance(replaced, Window))
    return (*kept, *figures, computed.step, *steps[len(kept) :])


def shown_without(plan: Plan, helping: tuple[Step, ...]) -> Plan:
    """Return a plan whose result does not show the columns of some steps that only help others."""
    names = {step.name for step in helping if isinstance(step, Derive | Window)}
    shown = tuple(name for name in plan.result_schema.names if name not in names)
    whole = len(shown) == len(plan.result_schema.names)
    return plan if whole else plan.with_steps((*plan.steps, Select(columns=Columns(names=shown))))


def _called(tree: Mapping[str, Any], old: str, new: str, source: str, profile: Profile) -> Plan | None:
    """Return the plan of a tree with a column, and what is called after it, under another name; None if it is none."""
    renamed = json.loads(json.dumps(tree).replace(old, new))
    try:
        return Plan.model_validate({**renamed, "source": source, "source_schema": profile.schema_})
    except PlanError:
        return None


def _instead(step: Filter, computed: Computed) -> Filter:
    """Let a condition compare with what the column stands for."""
    instead = computed.instead
    if instead is None:
        return step

    def change(node: Node) -> Node:
        return instead(node) if isinstance(node, Col) and node.name == computed.name else node

    return Filter.model_validate(rebuilt(step, change).model_dump())
