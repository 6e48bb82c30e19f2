"""Reads a question in the table's own words first, where everyday words name a column without its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday import (
    amounts,
    budgets,
    clocks,
    coded,
    comparatives,
    contrasts,
    conversions,
    counts,
    currencies,
    deals,
    decorated,
    doing,
    effects,
    empty_words,
    enough_rows,
    firsts,
    fractions,
    gains,
    having_any,
    having_most,
    having_some,
    kept_groups,
    keyed,
    lasting,
    latest,
    leaving,
    limits_alone,
    listed_values,
    losses,
    matches,
    money,
    named_rates,
    outcomes,
    overviews,
    peaks,
    people,
    periods,
    places_of_both_ends,
    rankings,
    ratios,
    repeated,
    rivals,
    several,
    shorthand,
    sides,
    sizes,
    spans_of_years,
    speeds,
    spellings,
    steadiness,
    stock,
    superlatives,
    surpassing,
    top_of_groups,
    units,
    unsaid_rivals,
    when_highest,
    whole_groups,
    yesno,
)
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding

Read = Callable[[str, Profile, str], Understanding]
Rule = Callable[[Speech, Table], Speech | None]
LONGEST = 400
"""A longer text is no everyday question."""

SPELLING: tuple[Rule, ...] = (
    shorthand.without_courtesy,
    shorthand.how_high_on_average,
    shorthand.how_high,
    shorthand.kind_of_label,
    shorthand.number_of_kinds,
    shorthand.of_each_row,
    shorthand.figure_beside,
    shorthand.left_out_behind,
    contrasts.compared_in,
    contrasts.groups_differ,
    contrasts.how_it_compares,
    contrasts.shared_head,
    doing.with_a_particle,
    latest.when_last,
    latest.first_and_last,
    peaks.most_in_which,
    peaks.most_made_in_which,
    empty_words.value_called_missing,
    shorthand.spelled_out,
)
"""Other ways to spell and to order the same words."""
SURE: tuple[Rule, ...] = (
    listed_values.compared_by_nothing,
    leaving.went_or_stayed,
    leaving.went_or_side,
    shorthand.spelled_out,
    several.each_figure_of_each,
    yesno.rows_dated,
    yesno.rows_of_a_flag,
    keyed.who_dealt_with,
    named_rates.ranked_by_rate,
    named_rates.rate_of_value,
    top_of_groups.groups_then_top,
    rankings.best_period_of_each,
    rankings.first_of_groups,
    top_of_groups.told_in_percent,
    top_of_groups.above_the_average_of_all,
    top_of_groups.defined_behind,
    named_rates.number_of_outcome,
    top_of_groups.per_row_of_each,
    money.part_of_pieces,
    money.pieces_said,
    steadiness.most_consistent,
    conversions.in_another_unit,
    conversions.limit_in_another_unit,
    conversions.range_in_a_unit,
    conversions.within_a_time,
    conversions.per_unit_of_time,
    speeds.fastest_first,
    speeds.quality_first,
    places_of_both_ends.in_the_same,
    empty_words.over_all_rows,
    fractions.best_part,
    surpassing.surpassed,
    firsts.by_first,
    losses.lost_to,
    losses.lost_to_outcomes,
    budgets.beside_the_plan,
    budgets.beside_a_planned_column,
    kept_groups.only_groups,
    kept_groups.at_least_so_many,
    periods.over_a_year,
    stock.stock_value,
    stock.in_stock,
    ratios.known_ratio,
    shorthand.what_was_made,
    spellings.abbreviated_days,
    spellings.abbreviated_months,
    contrasts.week_parts,
    contrasts.two_weekdays,
    contrasts.two_periods,
    matches.between_two,
    matches.of_one,
    contrasts.two_values,
    periods.part_of_year,
    periods.months_of_year,
    periods.came_out,
    periods.year_beside,
    spans_of_years.winter_of_a_year,
    spans_of_years.value_on_a_date,
    periods.verbs_of_years,
    periods.lately,
    periods.month_without_year,
    sizes.parties_by_size,
    units.spelled_units,
    units.so_many_deep,
    comparatives.than_a_number,
    comparatives.than_average,
    comparatives.rows_into_bins,
    comparatives.groups_first,
    periods.within,
    clocks.said_of_a_clock,
    periods.part_of_week,
    periods.each_weekday,
    amounts.percents,
    limits_alone.limit_in_a_column,
    people.persons_of_rows,
    people.aged,
    yesno.men_and_women,
    spellings.hyphened_places,
    amounts.figures,
    deals.deals_over,
    currencies.currency,
    rivals.more_likely,
    rivals.more_than_others,
    rivals.of_both,
    rivals.number_of_both,
    effects.changed,
    effects.how_long,
    gains.gains_and_losses,
    gains.most_money,
    gains.of_gains_or_losses,
    gains.margin,
    gains.most_taken_in,
    peaks.when_recorded,
    peaks.highest_when,
    peaks.do_the_most,
    peaks.did_most_of,
    people.on_average,
    having_most.most_of_a_mass,
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
    whole_groups.in_all_rows,
    whole_groups.in_no_row,
    having_some.having_some,
    coded.having_coded,
    doing.doing,
    sides.with_and_without,
    sides.both_sides,
    sides.part_of_all,
    sides.share_having,
    sides.share_of_those_in,
    sides.share_of_rows,
    sides.share_of_some,
    sides.how_many_did,
    outcomes.did_to_rows,
    sides.those_who,
    sides.who_did,
    yesno.headcount,
    amounts.order_value,
    deals.figure_of_deals,
    deals.total_of_a_row,
    amounts.per_row,
    amounts.rate_per_piece,
    amounts.per_piece,
    amounts.how_much_spent,
    deals.how_much_was,
    deals.total_done,
    decorated.sold_best,
    enough_rows.best_with_enough,
    having_most.by_verb,
    having_most.who_did_most,
    having_most.most_that_verb,
    having_most.largest_by,
    superlatives.by_quality,
    decorated.who_did_with_a_figure,
    having_most.who_has_most,
    having_most.busiest,
    counts.by_number_of,
    yesno.rates,
    coded.rate_of_coded,
    coded.number_of_coded,
    yesno.having,
    yesno.new_rows,
    yesno.counts,
    yesno.entities,
    yesno.active_in_periods,
    yesno.entities_by,
    yesno.events,
    amounts.summed,
    periods.over_time,
    yesno.denied,
    amounts.missing_values,
    amounts.rows_lacking,
    amounts.cell_of,
    when_highest.highest_of_one,
    when_highest.best_of_no_figure,
    overviews.return_of_a_price,
    listed_values.each_listed,
    listed_values.each_year_listed,
)
"""What the words mean more surely than anything else that may be read into them."""
AT_LEAST: tuple[Rule, ...] = (
    *SURE,
    overviews.typical_row,
    overviews.any_missing,
    overviews.first_few,
    when_highest.days_when,
    limits_alone.number_in_words,
    limits_alone.late_by,
    limits_alone.usual_unit,
    limits_alone.with_a_sign,
    several.all_of_a_kind,
    several.every_number,
    several.ends_beside,
    unsaid_rivals.unsaid_rival,
    unsaid_rivals.unsaid_rival_did,
    unsaid_rivals.busier_part,
    empty_words.the_only,
    shorthand.titled,
    top_of_groups.distribution_within,
    money.said_of_money,
    rankings.dealing_with_the_most,
    sides.denied_by_prefix,
    sides.share_of_flag,
    shorthand.asked_trend,
    shorthand.rows_per_period,
    shorthand.rows_per_group,
    keyed.all_of_a_row,
    keyed.deed_of_a_row,
    keyed.row_by_key,
    repeated.done_so_often,
    repeated.flagged_most_often,
    shorthand.only_a_value,
    shorthand.both_figures,
    shorthand.bare_rate,
    shorthand.split_of,
    shorthand.ordered_by_quality,
    shorthand.drivers,
    periods.period_of_a_date,
    doing.that_we_did,
    counts.number_of_them,
    sides.as_a_percentage,
    kept_groups.top_of_each,
    having_most.contributed_most,
    rankings.repeated_persons,
    rankings.handles_the_most,
    latest.last_of_each,
    latest.not_since,
    having_any.having_any,
    lasting.duration_in,
    lasting.lasted,
    lasting.done_within,
    lasting.duration,
    spellings.initials,
    effects.time_of_doing,
    outcomes.came_most,
    doing.done_to_rows,
    shorthand.days_of_a_value,
    shorthand.kinds_of_a_label,
    shorthand.left_out,
    outcomes.outcomes,
    spellings.countries,
    spellings.names_in_part,
    counts.what_is_counted,
    spellings.done_by_rows,
    spellings.said_of_a_date,
    spellings.said_of_a_value,
    effects.set_beside,
    effects.spread_by,
    gains.lost_money,
    gains.profit,
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
    doing.done_with_a_figure,
    decorated.which_did_with_a_figure,
    decorated.best_for,
    decorated.decorated,
    decorated.decorated_before,
    decorated.called_by_verb,
    periods.quarter_of_any_year,
    amounts.number_per_row,
    amounts.in_units,
    amounts.pay_gap,
    amounts.doubted,
    amounts.difference_in,
    yesno.yet,
    yesno.still,
    yesno.whose_name,
    yesno.rows_called,
    yesno.nouns_of_flags,
    people.as_rows,
    people.people_with_attributes,
    rankings.ranked_by_worth,
    spellings.other_words,
    limits_alone.rows_over,
)
"""What they may mean where nothing else can be read."""


def read_everyday(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, said in the table's own words where it is not yet."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None or len(question) > LONGEST:
        return read(question, profile, language)
    table = Table(context_of(profile, language), vocabulary)
    spelled = _said(question, SPELLING, table)
    if spelled.refusal:
        return Refused(spelled.refusal)
    if spelled.text != question:
        meant = read_everyday(spelled.text, profile, language, read)
        return _noted(meant, spelled) if isinstance(meant, Answered) else meant
    surely = _said(question, SURE, table)
    if surely.refusal:
        return Refused(surely.refusal)
    asked: Asked | None = None
    if surely.text != question:
        meant = read(surely.text, profile, language)
        if isinstance(meant, Answered):
            return _noted(meant, surely)
        asked = meant if isinstance(meant, Asked) else None
    plain = read(question, profile, language)
    if isinstance(plain, Answered):
        return plain
    if asked is not None:
        plain = asked
    perhaps = _said(question, AT_LEAST, table)
    if perhaps.refusal and isinstance(plain, Refused):
        return Refused(perhaps.refusal)
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
        if rule.__name__ in table.vocabulary.wordings and not said.refusal:
            said = rule(said, table) or said
    return said


def _noted(understood: Answered, said: Speech) -> Answered:
    """Put the assumptions behind the words before those of the reading."""
    winner = understood.winner
    notes = tuple(dict.fromkeys(ratios.as_computed(note, winner.plan) for note in said.notes if note))
    return replace(understood, winner=replace(winner, assumptions=(*notes, *winner.assumptions)))
