"""The rules that spell and order the words of a question as the other rules expect them."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts import written_limits
from jupyter_mcpgen.nl.everyday.compared import contrasts, influences, set_against
from jupyter_mcpgen.nl.everyday.deeds import doers, doing, prizes, settled_later
from jupyter_mcpgen.nl.everyday.parts import percent_limits, shares_of_a_kind
from jupyter_mcpgen.nl.everyday.ranked import air, commonest, peaks
from jupyter_mcpgen.nl.everyday.spoken import (
    codes_as_words,
    contractions,
    empty_words,
    peoples,
    shorthand,
    sorted_alone,
    spellings,
)
from jupyter_mcpgen.nl.everyday.things import numbered_rows
from jupyter_mcpgen.nl.everyday.times import (
    clocks,
    counted_back,
    ends_of_periods,
    latest,
    rows_by_age,
    rows_by_date,
    years_of_things,
)

SPELLING = (
    shorthand.without_courtesy,
    sorted_alone.sorted_alone,
    shares_of_a_kind.share_among_some,
    codes_as_words.others_of_a_kind,
    codes_as_words.codes_for_pronouns,
    spellings.names_in_part,
    peoples.peoples,
    spellings.possessives_of_values,
    numbered_rows.numbered_rows,
    numbered_rows.per_numbered_row,
    doers.done_by_aged,
    shorthand.how_high_on_average,
    shorthand.how_high,
    shorthand.kind_of_label,
    shorthand.number_of_kinds,
    shorthand.of_each_row,
    shorthand.figure_beside,
    shorthand.left_out_behind,
    percent_limits.percent_first,
    set_against.two_functions,
    set_against.range_of_figure,
    set_against.apart_in,
    set_against.higher_of_two,
    set_against.higher_in_one_period,
    set_against.three_values,
    contrasts.compared_in,
    contrasts.groups_differ,
    contrasts.how_it_compares,
    contrasts.shared_head,
    doing.with_a_particle,
    prizes.prizes_won,
    prizes.prizes_counted,
    settled_later.had_not_settled,
    settled_later.settled_amount,
    latest.when_last,
    latest.first_and_last,
    influences.raised_against,
    influences.rising_with,
    influences.regressed,
    influences.how_far_apart,
    clocks.hours_of_a_half,
    counted_back.older_as_of,
    ends_of_periods.end_of_a_period,
    ends_of_periods.year_to_year,
    rows_by_age.row_by_age,
    rows_by_age.who_did_last,
    rows_by_age.when_done_last,
    rows_by_date.when_done,
    rows_by_date.done_last,
    commonest.commonest_kind,
    commonest.several_commonest,
    air.most_polluted,
    air.air_quality,
    peaks.most_in_which,
    peaks.most_made_in_which,
    contractions.not_in_full,
    empty_words.value_called_missing,
    empty_words.being_in_a_value,
    shorthand.spelled_out,
    written_limits.value_of_a_limit,
    years_of_things.year_of_most_deeds,
    years_of_things.by_year_of_deed,
)
"""Other ways to spell and to order the same words."""
