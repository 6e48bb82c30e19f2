"""Reads a question in the table's own words first, where everyday words name a column without its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday import amounts, periods, superlatives, yesno
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding

Read = Callable[[str, Profile, str], Understanding]
Rule = Callable[[Speech, Table], Speech | None]
LONGEST = 400
"""A longer text is no everyday question."""

SURE: tuple[Rule, ...] = (
    periods.part_of_year,
    periods.months_of_year,
    periods.came_out,
    periods.verbs_of_years,
    amounts.percents,
    yesno.men_and_women,
    yesno.headcount,
    amounts.order_value,
    amounts.how_much_spent,
    amounts.figures,
    superlatives.by_verb,
    superlatives.by_quality,
    superlatives.who_has_most,
    superlatives.busiest,
    yesno.rates,
    yesno.holding,
    yesno.counts,
    yesno.entities,
    yesno.events,
    amounts.summed,
    periods.over_time,
    yesno.antonyms,
    amounts.missing,
    amounts.cell_of,
)
"""What the words mean more surely than anything else that may be read into them."""
AT_LEAST: tuple[Rule, ...] = (
    *SURE,
    superlatives.most_done,
    superlatives.most_of_what,
    superlatives.top_rows,
    superlatives.best_average,
    superlatives.name_them,
    amounts.verbs_compared,
    amounts.how_often,
    amounts.done_by,
    amounts.stay,
    periods.quarter_of_any_year,
    amounts.per_row,
    amounts.per_piece,
    amounts.in_units,
    amounts.pay_gap,
    amounts.differences,
    yesno.still,
    yesno.whose_name,
    yesno.rows_called,
)
"""What they may mean where nothing else can be read."""


def read_everyday(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, said in the table's own words where it is not yet."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None or len(question) > LONGEST:
        return read(question, profile, language)
    table = Table(context_of(profile, language), vocabulary)
    surely = _said(question, SURE, table)
    if surely.text != question:
        understood = read(surely.text, profile, language)
        if isinstance(understood, Answered):
            return _noted(understood, surely)
    plain = read(question, profile, language)
    if isinstance(plain, Answered):
        return plain
    perhaps = _said(question, AT_LEAST, table)
    if perhaps.text in (question, surely.text):
        return plain
    understood = read(perhaps.text, profile, language)
    match understood:
        case Answered():
            return _noted(understood, perhaps)
        case Asked() if isinstance(plain, Refused):
            return understood
        case _:
            return plain


def _said(question: str, rules: tuple[Rule, ...], table: Table) -> Speech:
    said = Speech(question)
    for rule in rules:
        said = rule(said, table) or said
    return said


def _noted(understood: Answered, said: Speech) -> Answered:
    """Put the assumptions behind the words before those of the reading."""
    winner = understood.winner
    notes = tuple(dict.fromkeys(note for note in said.notes if note))
    return replace(understood, winner=replace(winner, assumptions=(*notes, *winner.assumptions)))
