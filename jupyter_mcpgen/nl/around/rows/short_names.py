"""Columns called by the short forms of one field: the `PTS`, `AST` and `TRB` of players are points, assists, rebounds.

The question is read over a table whose columns are called by the whole words; what was read says the short names again.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from jupyter_mcpgen.model.profile import ColumnProfile, Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.everyday.saying.identifiers import repeats, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table, table_of
from jupyter_mcpgen.nl.other_names import in_other_words, written_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.jargon import Jargon, jargon_of, written_out_names
from jupyter_mcpgen.nl.words.outcomes_told import outcomes_told
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Field, Schema

OPENED, CLOSED = "‹", "›"
"""What stands around a name that is no column's own, so that it is found again in whatever is said of it."""
_SLOT = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`")


def read_short_names(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with columns called by short forms of one field read by the words of that field."""
    meant = names_in_full(profile, language)
    jargon = jargon_of(profile.schema_.names, context_of(profile, language).lexicon.jargon)
    if not meant and not jargon.said:
        return read(question, profile, language)
    short = {f"{OPENED}{said}{CLOSED}": name for name, said in meant.items()}
    full = {name: said for said, name in short.items()}
    context = context_of(profile, language)
    told = outcomes_told(profile, context.lexicon.outcomes)
    asked = _written_out(question, full, told, jargon, context)
    understood = read(asked, _called(profile, full), language)
    match understood:
        case Answered(winner, alternatives, no_chart):
            others = tuple(_shortened(other, short, told, profile) for other in alternatives)
            return Answered(_shortened(winner, short, told, profile), others, no_chart)
        case Asked(text, options):
            return Asked(in_other_words(text, short), tuple(_shortened(one, short, told, profile) for one in options))
        case Refused(message, words):
            stored = understood.with_readings(partial(_shortened, short=short, told=told, profile=profile))
            return replace(stored, message=in_other_words(message, short), words=_said(words, short))


@lru_cache(maxsize=16)
def names_in_full(profile: Profile, language: str) -> Mapping[str, str]:
    """Return the words that columns stand for which are called by short forms, by their names."""
    context, names = context_of(profile, language), profile.schema_.names
    return {
        **_whose_identifier(table_of(profile, language)),
        **written_out_names(names, jargon_of(names, context.lexicon.jargon), partial(_has_fractions, context=context)),
        **outcomes_told(profile, context.lexicon.outcomes),
    }


def _has_fractions(name: str, context: Context) -> bool:
    """Tell whether some known value of a column of numbers is no whole one."""
    known = context.column(name)
    numbers = (value for value in (*known.values, known.minimum, known.maximum) if isinstance(value, float))
    return any(not number.is_integer() for number in numbers)


def _whose_identifier(table: Table) -> Mapping[str, str]:
    """Return what a bare `ID` that several rows share tells apart: the athletes of `athlete_events`, not the events."""
    context = table.context
    said = [context.lexicon.base(word) for word in split_name(context.profile.name)]
    persons = [word for word in said[:-1] if word in table.words("persons")]
    keys = [name for name in context.column_words if told_apart(name, table) == () and repeats(name, table)]
    if len(persons) != 1 or len(keys) != 1 or said[-1] in table.words("persons"):
        return {}
    called = f"{persons[0]} {keys[0]}"
    return {keys[0]: called} if called not in context.column_words else {}


def _called(profile: Profile, full: Mapping[str, str]) -> Profile:
    """Return the profile of the table with whole words for the names of such columns."""
    columns = tuple(_named(column, full.get(column.name, column.name)) for column in profile.columns)
    fields = tuple(Field(name=full.get(one.name, one.name), type=one.type) for one in profile.schema_.fields)
    return profile.replace(columns=columns, schema_=Schema(fields=fields))


def _named(column: ColumnProfile, name: str) -> ColumnProfile:
    """Return the profile of a column, and of what its texts write, under another name."""
    written = tuple(way.replace(values=way.values.replace(name=name)) for way in column.written)
    return column.replace(name=name, written=written)


def _written_out(
    question: str, full: Mapping[str, str], told: Mapping[str, str], jargon: Jargon, context: Context
) -> str:
    """Return a question in the words of the field; of what was typed, "so" and "min" may say something else."""
    for name, said in full.items():
        question = question.replace(f"`{name}`", f"`{said}`")
        if name in told:
            question = _put(name, told[name], question, as_typed=False)
            question = _put(" ".join(split_name(name)), told[name], question, as_typed=False)
    named = {said.strip(OPENED + CLOSED): name for name, said in full.items()}
    for short, plain in sorted(jargon.short.items(), key=lambda one: -len(one[0])):
        averaged = jargon.on_average.get(plain, plain)
        said = averaged if averaged in named else plain
        known = short in context.lexicon.words or short in context.values
        typed = named.get(said, short) if known else short  # "MIN" is a column, and "min" the lowest
        if said in named and len(short) > 1 and not (known and typed == short):
            whole = f"`{OPENED}{said}{CLOSED}`" if _asks_for_something(said, context) else said
            question = _put(typed, whole, question, as_typed=known)
    return _in_words_of_columns(question, jargon, named, context)


def _asks_for_something(said: str, context: Context) -> bool:
    """Tell whether a name has a word in it that asks for figures or groups, as "maximum" and "per" do."""
    meanings = (meaning for word in said.split() for meaning in context.lexicon.meanings(word))
    return any(isinstance(meaning, m.Function | m.GroupWord) for meaning in meanings)


def _in_words_of_columns(question: str, jargon: Jargon, named: Container[str], context: Context) -> str:
    """Return a question in which what the field says otherwise is said by columns, by what these are `named`."""
    for phrase, said in sorted(jargon.said.items(), key=lambda one: -len(one[0])):
        values = {slot: context.values.get(slot, ()) for slot in _SLOT.findall(said)}
        if all(len(found) == 1 for found in values.values()):
            meant = said.format(**{slot: str(found[0].value) for slot, found in values.items()})
            for counted, averaged in jargon.on_average.items():
                meant = meant.replace(counted, averaged) if averaged in named else meant
            asked = _put(phrase, meant, question, as_typed=False)
            others = _put(phrase, "", question, as_typed=False)
            if asked != question and _put(meant, "", others, as_typed=False) == others:
                question = asked
    return question


def _put(phrase: str, other: str, question: str, *, as_typed: bool) -> str:
    """Return a question in which a phrase outside quotes is another one."""
    way = re.compile(rf"(?<![\w`‹]){re.escape(phrase)}(?![\w`›%+-])", 0 if as_typed else re.IGNORECASE)
    pieces = zip(_QUOTED.split(question), [*_QUOTED.findall(question), ""], strict=True)
    return "".join(way.sub(other, piece) + quoted for piece, quoted in pieces)


def _shortened(reading: Reading, short: Mapping[str, str], told: Mapping[str, str], profile: Profile) -> Reading:
    """Return a reading over the table as it is."""
    old, called = reading.plan, dict(short)
    steps = tuple(written_otherwise(step, called) for step in old.steps)
    chart = None if old.chart is None else written_otherwise(old.chart, called)
    plan = Plan(source=old.source, source_schema=profile.schema_, second=old.second, steps=steps, chart=chart)
    return replace(
        reading,
        plan=plan,
        label=in_other_words(reading.label, called),
        assumptions=(*_said(reading.assumptions, short), *_told(plan, told)),
        doubts=_said(reading.doubts, short),
    )


def _told(plan: Plan, told: Mapping[str, str]) -> tuple[str, ...]:
    """Return what a yes of a column is taken to mean that a plan uses and whose name does not say it."""
    used = {name for step in plan.steps for name in names_in(step)}
    return tuple(f"A yes in `{name}` is taken to mean “{said}”." for name, said in told.items() if name in used)


def _said(texts: tuple[str, ...], short: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(in_other_words(text, dict(short)) for text in texts)
