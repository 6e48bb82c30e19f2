"""Reads a question in the table's own words first, where everyday words name a column without its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday import (
    amounts,
    clocks,
    comparatives,
    contrasts,
    counts,
    deals,
    doing,
    effects,
    gains,
    having_most,
    matches,
    outcomes,
    peaks,
    people,
    periods,
    repeated,
    rivals,
    sides,
    sizes,
    spellings,
    superlatives,
    yesno,
)
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding

Read = Callable[[str, Profile, str], Understanding]
Rule = Callable[[Speech, Table], Speech | None]
LONGEST = 400
"""A longer text is no everyday question."""

SURE: tuple[Rule, ...] = (
    spellings.abbreviated_days,
    spellings.abbreviated_months,
    contrasts.two_periods,
    matches.between_two,
    matches.of_one,
    contrasts.two_values,
    periods.part_of_year,
    periods.months_of_year,
    periods.came_out,
    periods.verbs_of_years,
    periods.lately,
    periods.month_without_year,
    sizes.parties_by_size,
    comparatives.than_a_number,
    comparatives.than_average,
    comparatives.rows_into_bins,
    comparatives.groups_first,
    periods.within,
    clocks.said_of_a_clock,
    periods.part_of_week,
    periods.each_weekday,
    amounts.percents,
    yesno.men_and_women,
    spellings.hyphened_places,
    amounts.figures,
    deals.deals_over,
    deals.currency,
    rivals.more_likely,
    rivals.more_than_others,
    rivals.of_both,
    effects.changed,
    effects.how_long,
    gains.gains_and_losses,
    gains.margin,
    gains.most_taken_in,
    peaks.when_recorded,
    peaks.highest_when,
    peaks.do_the_most,
    peaks.did_most_of,
    people.on_average,
    repeated.value_of_each,
    repeated.number_for_each,
    repeated.total_for_each,
    repeated.more_than_times,
    deals.more_on_average,
    repeated.more_in_total,
    repeated.with_more_of,
    sizes.part_of_another,
    sizes.per_person,
    sizes.size_of_a_party,
    doing.doing,
    sides.with_and_without,
    sides.both_sides,
    sides.part_of_all,
    sides.share_having,
    sides.share_of_rows,
    sides.share_of_some,
    sides.how_many_did,
    sides.those_who,
    sides.who_did,
    people.aged,
    yesno.headcount,
    amounts.order_value,
    deals.figure_of_deals,
    deals.total_of_a_row,
    amounts.per_piece,
    amounts.how_much_spent,
    deals.how_much_was,
    deals.total_done,
    having_most.by_verb,
    having_most.who_did_most,
    superlatives.by_quality,
    having_most.who_has_most,
    having_most.busiest,
    yesno.rates,
    yesno.having,
    yesno.new_rows,
    yesno.counts,
    yesno.entities,
    yesno.events,
    amounts.summed,
    periods.over_time,
    yesno.denied,
    amounts.missing_values,
    amounts.rows_lacking,
    amounts.cell_of,
)
"""What the words mean more surely than anything else that may be read into them."""
AT_LEAST: tuple[Rule, ...] = (
    *SURE,
    spellings.initials,
    effects.time_of_doing,
    outcomes.came_most,
    outcomes.rate_of_outcome,
    doing.done_to_rows,
    outcomes.outcomes,
    spellings.countries,
    spellings.names_in_part,
    counts.what_is_counted,
    spellings.done_by_rows,
    spellings.said_of_a_date,
    spellings.said_of_a_value,
    effects.set_beside,
    effects.spread_by,
    gains.selling,
    gains.taken_in,
    peaks.most_of_a_column,
    having_most.most_done,
    having_most.most_of_what,
    having_most.used_most,
    having_most.top_rows,
    having_most.best_average,
    having_most.best_by,
    having_most.best_in,
    having_most.name_them,
    amounts.verbs_compared,
    amounts.how_often,
    amounts.stay,
    doing.doing_it,
    periods.quarter_of_any_year,
    amounts.per_row,
    amounts.number_per_row,
    amounts.in_units,
    amounts.pay_gap,
    amounts.doubted,
    amounts.difference_in,
    yesno.still,
    yesno.whose_name,
    yesno.rows_called,
    yesno.nouns_of_flags,
    people.as_rows,
    people.persons_of_rows,
    spellings.other_words,
)
"""What they may mean where nothing else can be read."""


def read_everyday(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, said in the table's own words where it is not yet."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None or len(question) > LONGEST:
        return read(question, profile, language)
    table = Table(context_of(profile, language), vocabulary)
    surely = _said(question, SURE, table)
    asked: Asked | None = None
    if surely.text != question:
        meant = read(surely.text, profile, language)
        if isinstance(meant, Answered):
            return _noted(meant, surely)
        asked = meant if isinstance(meant, Asked) else None
    plain = read(question, profile, language)
    if isinstance(plain, Answered):
        return plain
    if asked is not None and isinstance(plain, Refused):
        plain = asked
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


def in_own_words(text: str, profile: Profile, language: str) -> str:
    """Return a fragment of a question in the table's own words, where its everyday words have a sure meaning."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None or len(text) > LONGEST:
        return text
    return _said(text, SURE, Table(context_of(profile, language), vocabulary)).text


def _said(question: str, rules: tuple[Rule, ...], table: Table) -> Speech:
    """Apply the rules that the language has phrases for, which stand under their names."""
    said = Speech(question)
    for rule in rules:
        if rule.__name__ in table.vocabulary.wordings:
            said = rule(said, table) or said
    return said


def _noted(understood: Answered, said: Speech) -> Answered:
    """Put the assumptions behind the words before those of the reading."""
    winner = understood.winner
    notes = tuple(dict.fromkeys(note for note in said.notes if note))
    return replace(understood, winner=replace(winner, assumptions=(*notes, *winner.assumptions)))
