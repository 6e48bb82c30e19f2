"""Reads a question that computes a column first, as one about a table that has that column already."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.arithmetic import arithmetic_in
from jupyter_mcpgen.nl.computed.column import Computed, spoken, with_column
from jupyter_mcpgen.nl.computed.figures import figure_in
from jupyter_mcpgen.nl.computed.groups import ComparedGroups, groups_in
from jupyter_mcpgen.nl.computed.times import time_in
from jupyter_mcpgen.nl.computed.turned import turned
from jupyter_mcpgen.nl.computed.vocabulary import load_computed
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.slots import rebuilt

Read = Callable[[str, Profile, str], Understanding]
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
    computed = _found(question, profile, language) if most else None
    if computed is None:
        return read(question, profile, language)
    sooner = read(computed.sooner, profile, language) if computed.sooner is not None else None
    if isinstance(sooner, Answered):
        return sooner
    said = spoken(computed, most)
    meant = read_computed(said.question, with_column(profile, said), language, read, most - 1)
    match meant:
        case Answered(winner, alternatives, no_chart):
            made = _over(winner, computed, said.name, profile)
            if made is not None:
                others = tuple(
                    other for a in alternatives if (other := _over(a, computed, said.name, profile)) is not None
                )
                return Answered(made, others, no_chart)
        case Asked(text, options):
            made_options = tuple(
                o for option in options if (o := _over(option, computed, said.name, profile)) is not None
            )
            if len(made_options) == len(options):
                return Asked(text.replace(said.name, computed.name), made_options)
        case Refused() if computed.required:
            own = meant.message.replace(f", `{said.name}`", "").replace(said.name, computed.name)
            return replace(meant, message=own, nearest=None)
        case _:
            pass
    return read(question, profile, language)


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
                lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(made, 1))
                return Asked(f"This can be read in {len(made)} ways: {lines}. Which one do you mean?", made)
        case _:
            pass
    return read(question, profile, language)


def _found(question: str, profile: Profile, language: str) -> Computed | None:
    vocabulary = load_computed(language)
    if vocabulary is None:
        return None
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    return (
        time_in(tokens, profile, vocabulary, context)
        or figure_in(tokens, profile, vocabulary, context)
        or arithmetic_in(tokens, profile, vocabulary, context)
    )


def _over(reading: Reading, computed: Computed, spoken_of: str, profile: Profile) -> Reading | None:
    """Return a reading over the table as it is; None where it does not use what was to be computed, or cannot."""
    old = reading.plan
    if not any(spoken_of in set(names_in(step)) for step in old.steps):
        return None
    tree = json.loads(old.model_dump_json(include={"steps", "chart"}).replace(spoken_of, computed.name))
    try:
        named = Plan.model_validate(
            {**tree, "source": old.source, "source_schema": with_column(profile, computed).schema_}
        )
        steps = tuple(_instead(step, computed) if isinstance(step, Filter) else step for step in named.steps)
        plan = Plan(source=old.source, source_schema=profile.schema_, steps=(computed.step, *steps), chart=named.chart)
    except PlanError:
        return None
    notes = tuple(note.replace(spoken_of, computed.name) for note in reading.assumptions)
    label = reading.label.replace(spoken_of, computed.name)
    return replace(reading, plan=plan, label=label, assumptions=(*computed.notes, *notes))


def _instead(step: Filter, computed: Computed) -> Filter:
    """Let a condition compare with what the column stands for."""
    instead = computed.instead
    if instead is None:
        return step

    def change(node: Node) -> Node:
        return instead(node) if isinstance(node, Col) and node.name == computed.name else node

    return Filter.model_validate(rebuilt(step, change).model_dump())
