"""Values that a column spells in several ways, apart only in capitals and spaces: `card` beside `Card` and `card `.

A condition on one of them is one on all; the plan then begins with a step that makes the spellings one, and the reading
says so. Groups of a question without such a condition stay as they are written, and are remarked on elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from jupyter_mcpgen.model.profile import Kind, Profile, Role
from jupyter_mcpgen.nl.around.rows.spelled_kinds import Spellings, in_stored_spellings, kinds_spelled, with_one_spelling
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Understanding
from jupyter_mcpgen.nl.words.forms import stem
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

SHORTEST = 3
"""In shorter values a capital may tell kinds apart."""
_QUOTED = re.compile(r"\"([^\"]*)\"|“([^”]*)”")


def read_spelling_twins(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a condition on a value that is spelled in several ways put on all of them."""
    twins = _named(question, _twins(profile, language), context_of(profile, language).lexicon.language)
    if not twins:
        return read(question, profile, language)
    meant = read(_in_one_spelling(question, twins), with_one_spelling(profile, twins), language)
    match meant:
        case Answered(winner, alternatives, no_chart) if _chooses(winner.plan, twins):
            others = tuple(in_stored_spellings(other, twins, profile) for other in alternatives)
            return Answered(in_stored_spellings(winner, twins, profile), others, no_chart)
        case Asked(text, options) if options and all(_chooses(option.plan, twins) for option in options):
            return Asked(text, tuple(in_stored_spellings(option, twins, profile) for option in options))
        case _:
            return read(question, profile, language)


@lru_cache(maxsize=16)
def _twins(profile: Profile, language: str) -> dict[str, Spellings]:
    """Return the columns of labels with values that differ only in capitals and spaces, the commonest first."""
    known = kinds_spelled(profile, language)
    found: dict[str, Spellings] = {}
    for column in profile.columns:
        is_text = profile.schema_.type_of(column.name) is ColumnType.TEXT
        told = column.kind in (Kind.TRUTH, Kind.LONG_TEXT) or column.role is Role.IDENTIFIER or column.written
        if not is_text or not column.complete or told or column.name in known:
            continue
        kinds: dict[str, list[str]] = {}
        for value in column.values:
            if isinstance(value, str) and len(value.strip()) >= SHORTEST:
                kinds.setdefault(" ".join(value.split()).casefold(), []).append(value)
        spelled = {one: tuple(others) for one, *others in kinds.values() if others}
        if spelled:
            found[column.name] = spelled
    return found


def _named(question: str, twins: Mapping[str, Spellings], language: str) -> dict[str, Spellings]:
    """Return the columns of which a question names such a value, and no spelling of it in quotation marks."""
    plain = value_words(question)
    words, stems = f" {' '.join(plain)} ", {stem(word, language) for word in plain}
    quoted = {said for match in _QUOTED.finditer(question) for said in match.groups() if said}
    found: dict[str, Spellings] = {}
    for column, spellings in twins.items():
        written = {value for one, others in spellings.items() for value in (one, *others)}
        said = (" ".join(value_words(one)) for one in spellings)
        if not quoted & written and any(f" {one} " in words or stem(one, language) in stems for one in said):
            found[column] = spellings
    return found


def _in_one_spelling(question: str, twins: Mapping[str, Spellings]) -> str:
    """Return a question in which each such value is written as the table mostly has it."""
    for spellings in twins.values():
        for one in spellings:
            written = r"\s+".join(re.escape(word) for word in one.split())
            question = re.sub(rf"(?<![\w'’`/-]){written}(?![\w'’`/-])", one.strip(), question, flags=re.IGNORECASE)
    return question


def _chooses(plan: Plan, twins: Mapping[str, Spellings]) -> bool:
    """Tell whether a plan looks for a value of one of the columns."""
    chosen = {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step)}
    counted = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    chosen |= {name for measure in counted if measure.where is not None for name in names_in(measure.where)}
    return bool(chosen & set(twins))
