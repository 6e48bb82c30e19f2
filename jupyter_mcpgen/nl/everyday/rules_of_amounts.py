"""The rules about amounts, limits and values whose column is told by a unit, a sign, a year, a quality or a deed."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts import actuals, gains, ranges, row_sizes, signed, sizes, unit_limits
from jupyter_mcpgen.nl.everyday.compared import chosen_most, differences
from jupyter_mcpgen.nl.everyday.deeds import done_alone, done_amounts, done_most, not_done, totals_of_deeds
from jupyter_mcpgen.nl.everyday.parts import named_rates, parts_of_events, percent_limits, ratios
from jupyter_mcpgen.nl.everyday.ranked import commonest, rankings, superlatives, worst
from jupyter_mcpgen.nl.everyday.rules_of_sides import LAST_OF_SIDES, PERHAPS_OF_SIDES
from jupyter_mcpgen.nl.everyday.spoken import (
    called_as_table,
    empty_words,
    overviews,
    scores,
    several,
    shorthand,
    spellings,
    split_stays,
)
from jupyter_mcpgen.nl.everyday.things import both_had, excluded_things, figures_of_some
from jupyter_mcpgen.nl.everyday.times import delays, lasting, years_of_things

DEEDS = (
    signed.of_money_going_out,
    signed.of_pieces_taken_back,
    actuals.beside_the_budget,
    actuals.spent_of_the_budget,
    delays.said_of_delays,
    scores.in_all_subjects,
    scores.total_score,
    split_stays.nights_of_stays,
    gains.most_profitable,
    ratios.return_on_cost,
    ratios.ratio_of_two,
    ratios.part_in_percent,
    ratios.won_of_played,
    ranges.between_two_ends_of_it,
    ranges.end_of_a_figure,
    parts_of_events.leading_to,
    called_as_table.called_as_table,
    chosen_most.who_did_better,
    chosen_most.chosen_most_by,
    worst.worst_figure,
    worst.improving,
    figures_of_some.correlated_with_flag,
    figures_of_some.correlated_in_some,
    percent_limits.percents_of_another,
    percent_limits.times_of_the_plan,
    differences.further_than,
    not_done.done_but_not,
    excluded_things.left_out_things,
    parts_of_events.part_of_events,
    parts_of_events.part_done,
    done_alone.done_rows,
    both_had.with_both,
    both_had.missing_both,
    totals_of_deeds.who_of_several_with_a_figure,
    totals_of_deeds.who_of_those_served,
    done_most.did_the_most,
    done_most.did_so_much,
    done_amounts.amount_done,
    done_amounts.amount_by_one,
    done_amounts.ranked_by_deed,
)
"""What was done, and by whom, before the amounts of it are said in other units."""
SURE_OF_AMOUNTS = (
    shorthand.total_per_period_on_average,
    several.columns_from_to,
    unit_limits.degrees,
    years_of_things.older_than_a_year,
    years_of_things.older_than_so_long,
    percent_limits.percents_of_it,
    totals_of_deeds.who_did_the_superlative,
)
"""What stands among the sure meanings of words, before units are spelled as columns are headed with them."""
PERHAPS_OF_AMOUNTS = (
    *PERHAPS_OF_SIDES,
    percent_limits.times_of_another,
    parts_of_events.how_often_it,
    scores.perfect_score,
    scores.so_many_stars,
    scores.passed_subject,
    unit_limits.limit_by_its_unit,
    unit_limits.around_a_number,
    row_sizes.row_size,
    row_sizes.bigger_than,
    row_sizes.biggest_row,
    sizes.per_head,
    sizes.people_of_places,
    sizes.per_measured,
    sizes.how_many_live,
    lasting.took_how_long,
    empty_words.unknown_value,
    superlatives.by_kin_quality,
    named_rates.end_of_a_flag,
    named_rates.rate_of_staying,
    commonest.commonest,
    rankings.place_of_groups,
    overviews.path_of_a_price,
    overviews.scaled_how,
    spellings.called_by_kind,
)
"""What is tried where nothing else can be read."""
LAST_OF_AMOUNTS = (totals_of_deeds.who_of_several, *LAST_OF_SIDES)
"""What is said where nothing else could be."""
