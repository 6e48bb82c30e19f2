"""Reads a question in the table's own words first, where everyday words name a column without its name."""

from __future__ import annotations

import re
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.amounts.which_money import asking_which_money
from jupyter_mcpgen.nl.everyday.asking_back import asked_back
from jupyter_mcpgen.nl.everyday.parts import ratios
from jupyter_mcpgen.nl.everyday.rules import AT_LEAST, SURE, Rule
from jupyter_mcpgen.nl.everyday.rules_of_spelling import SPELLING
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.lookup.reader import NOT_USED
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in

_LIMITED = re.compile(r"`([^`]+)` [<>]")
"""How rules say that a column is limited."""
LONGEST = 400
"""A longer text is no everyday question."""


def read_everyday(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, said in the table's own words where it is not yet."""
    if len(question) > LONGEST:
        return read(question, profile, language)
    table = table_of(profile, language)
    spelled = _said(question, SPELLING, table)
    if spelled.refusal:
        return Refused(spelled.refusal)
    if spelled.ways:
        return asked_back(spelled, lambda way: read_everyday(way, profile, language, read))
    if spelled.text != question:
        meant = read_everyday(spelled.text, profile, language, read)
        return _noted(meant, spelled) if isinstance(meant, Answered) else meant
    surely = _said(question, SURE, table)
    if surely.refusal:
        return Refused(surely.refusal)
    if surely.ways:
        return asked_back(surely, lambda way: read_everyday(way, profile, language, read))
    asked: Asked | None = None
    if surely.text != question:
        meant = read(surely.text, profile, language)
        if isinstance(meant, Answered):
            return asking_which_money(_noted(meant, surely), question, surely.notes, table)
        asked = meant if isinstance(meant, Asked) else None
    plain = read(question, profile, language)
    if isinstance(plain, Answered) and asked is not None and _misses_a_limit(plain, surely, table):
        return asked
    if isinstance(plain, Answered):
        return _heeding(plain, question, surely, table, read)
    if asked is not None:
        plain = asked
    perhaps = _said(question, AT_LEAST, table)
    if perhaps.refusal and isinstance(plain, Refused):
        return Refused(perhaps.refusal)
    if perhaps.ways and isinstance(plain, Refused):
        return asked_back(perhaps, lambda way: read_everyday(way, profile, language, read))
    if perhaps.text in (question, surely.text):
        return plain
    understood = read(perhaps.text, profile, language)
    if isinstance(understood, Refused):
        further = _said(perhaps.text, SURE, table)  # what was said otherwise may now be read more surely
        if further.text != perhaps.text and not further.refusal:
            understood = read(further.text, profile, language)
            perhaps = replace(further, notes=(*perhaps.notes, *further.notes))
    match understood:
        case Answered():
            return asking_which_money(_noted(understood, perhaps), question, perhaps.notes, table)
        case Asked() if isinstance(plain, Refused):
            return understood
        case _:
            return plain


def _heeding(plain: Answered, question: str, surely: Speech, table: Table, read: Read) -> Understanding:
    """Return a meaning; where it left out a word that surely means something, what is meant with that."""
    left = [note.removeprefix(NOT_USED) for note in plain.winner.assumptions if note.startswith(NOT_USED)]
    known = [note.partition("”")[0] + "”" for note in surely.notes if note.startswith("“")]
    perhaps = _said(question, AT_LEAST, table) if left and any(word in left[0] for word in known) else None
    if perhaps is None or perhaps.refusal or perhaps.ways:
        return plain
    heeded = read(perhaps.text, table.context.profile, table.vocabulary.language)
    return _noted(heeded, perhaps) if isinstance(heeded, Answered) else heeded


def _misses_a_limit(plain: Answered, surely: Speech, table: Table) -> bool:
    """Tell whether a meaning leaves out a column that a comparative limits: "the pulse of patients older than 60"."""
    limited = set(_LIMITED.findall(surely.text)) & set(table.context.column_words)
    used = {name for step in plain.winner.plan.steps for name in names_in(step)}
    return not limited <= used


def in_own_words(text: str, profile: Profile, language: str) -> str:
    """Return a fragment of a question in the table's own words, where its everyday words have a sure meaning."""
    if len(text) > LONGEST:
        return text
    return _said(text, SURE, table_of(profile, language)).text


def _said(question: str, rules: tuple[Rule, ...], table: Table) -> Speech:
    """Apply the rules that the language has phrases for, which stand under their names."""
    said = Speech(question)
    for rule in rules:
        if rule.__name__ in table.vocabulary.wordings and not said.refusal and not said.ways:
            said = rule(said, table) or said
    return said


def _noted(understood: Answered, said: Speech) -> Answered:
    """Put the assumptions behind the words before those of the reading."""
    winner = understood.winner
    notes = tuple(dict.fromkeys(ratios.as_computed(note, winner.plan) for note in said.notes if note))
    return replace(understood, winner=replace(winner, assumptions=(*notes, *winner.assumptions)))
