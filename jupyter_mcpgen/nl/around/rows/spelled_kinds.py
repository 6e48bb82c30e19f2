"""Kinds that a column spells in several ways that plainly mean one: `F` beside `Female`, `M` beside `male`.

The question is read over a table in which each such kind has one spelling, so that conditions, groups and shares all
mean the same rows; where its plan uses the column, the plan begins with a step that makes the spellings one, and the
reading says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile, Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.expressions import Case, Col, IsIn, Lit, When
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

Spellings = Mapping[str, tuple[str, ...]]
"""The other spellings of a kind by the one that stands for all."""


def read_spelled_kinds(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the spellings of one kind taken for one another."""
    several = kinds_spelled(profile, language)
    if not several:
        return read(question, profile, language)
    meant = read(_in_one_spelling(question, several), with_one_spelling(profile, several), language)
    match meant:
        case Answered(winner, alternatives, no_chart):
            others = tuple(in_stored_spellings(other, several, profile) for other in alternatives)
            return Answered(in_stored_spellings(winner, several, profile), others, no_chart)
        case Asked(text, options):
            return Asked(text, tuple(in_stored_spellings(option, several, profile) for option in options))
        case Refused():
            return meant.with_readings(partial(in_stored_spellings, several=several, profile=profile))


@lru_cache(maxsize=16)
def kinds_spelled(profile: Profile, language: str) -> dict[str, Spellings]:
    """Return the columns of a person's sex in which one is spelled in several ways, with the spellings of each."""
    vocabulary = load_vocabulary(language)
    genders = vocabulary.words("gender")
    sides = (vocabulary.words("one_woman"), vocabulary.words("one_man"))
    named = context_of(profile, language).column_words
    found: dict[str, Spellings] = {}
    for column in profile.columns:
        is_text = profile.schema_.type_of(column.name) is ColumnType.TEXT
        if not is_text or not column.complete or not set(named[column.name]) & genders:
            continue
        values = [value for value in column.values if isinstance(value, str)]
        kinds = [[value for value in values if value.strip().casefold() in side] for side in sides]
        spelled = {(one := max(kind, key=len)): tuple(v for v in kind if v != one) for kind in kinds if len(kind) > 1}
        if spelled:
            found[column.name] = spelled
    return found


def _in_one_spelling(question: str, several: Mapping[str, Spellings]) -> str:
    """Return a question in which another spelling, written as the table has it, is the one that stands for all."""
    for spellings in several.values():
        for one, others in spellings.items():
            written = "|".join(re.escape(other) for other in others)
            question = re.sub(rf"(?<![\w'’&/-])(?:{written})(?![\w'’&/-])", one, question)
    return question


def with_one_spelling(profile: Profile, several: Mapping[str, Spellings]) -> Profile:
    """Return the profile of a table in which each such kind has one spelling."""
    columns = tuple(_merged(c, several[c.name]) if c.name in several else c for c in profile.columns)
    return profile.replace(columns=columns)


def _merged(column: ColumnProfile, spellings: Spellings) -> ColumnProfile:
    meant = {other: one for one, others in spellings.items() for other in others}
    values = tuple(dict.fromkeys(meant.get(value, value) for value in column.values))
    letters = {
        chr(FIRST_PLACE + 1 + at): chr(FIRST_PLACE + 1 + values.index(meant.get(value, value)))
        for at, value in enumerate(column.values)
    }
    places = "".join(letters.get(letter, letter) for letter in column.places)
    return column.replace(values=values, distinct=len(values), places=places)


def in_stored_spellings(reading: Reading, several: Mapping[str, Spellings], profile: Profile) -> Reading:
    """Return a reading whose plan makes the spellings one before anything else, where it uses their column."""
    old = reading.plan
    used = used_columns(old)
    said = [name for name in several if name in used]
    steps = tuple(Derive(name=name, expression=_one_spelling(name, several[name])) for name in said)
    plan = Plan(source=old.source, source_schema=profile.schema_, steps=(*steps, *old.steps), chart=old.chart)
    notes = tuple(note for name in said for note in _notes(name, several[name]))
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, *notes))


def _one_spelling(name: str, spellings: Spellings) -> Case:
    branches = tuple(
        When(condition=IsIn(operand=Col(name=name), values=tuple(map(_text, others))), value=_text(one))
        for one, others in spellings.items()
    )
    return Case(branches=branches, otherwise=Col(name=name))


def _text(value: str) -> Lit:
    return Lit(value=value, type=ColumnType.TEXT)


def _notes(name: str, spellings: Spellings) -> Iterator[str]:
    for one, others in spellings.items():
        listed = " and ".join(f"“{other}”" for other in others)
        yield f"{listed} of `{name}` {'is' if len(others) == 1 else 'are'} read as “{one}”."
