"""What is made sure of in a meaning once a question is read: each check knows one way in which it may be wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.answers.askers import naming_whom, telling_how_much, telling_when, telling_where
from jupyter_mcpgen.nl.around.answers.first_of_one import refusing_first_of_one
from jupyter_mcpgen.nl.around.answers.names_in_full import asking_whose_name, heeding_whole_names
from jupyter_mcpgen.nl.around.answers.one_cell import showing_one_cell
from jupyter_mcpgen.nl.around.counted.amounts_below_zero import asking_which_end
from jupyter_mcpgen.nl.around.counted.bare_amounts import refusing_bare_amounts
from jupyter_mcpgen.nl.around.counted.counted_cells import counting_not_listing, refusing_other_things
from jupyter_mcpgen.nl.around.counted.counted_in_parts import counting_parts
from jupyter_mcpgen.nl.around.counted.counted_or_summed import asking_number_or_total
from jupyter_mcpgen.nl.around.counted.counts_in_columns import asking_rows_or_counts
from jupyter_mcpgen.nl.around.counted.grades_of_scores import asking_grade_or_score
from jupyter_mcpgen.nl.around.counted.kinds_of_money import asking_rows_or_money
from jupyter_mcpgen.nl.around.counted.one_figure_each import taking_the_one_figure
from jupyter_mcpgen.nl.around.counted.rates_of_others import refusing_rates_of_others, refusing_scores_for_things
from jupyter_mcpgen.nl.around.counted.rows_or_pieces import asking_rows_or_pieces, noting_pieces
from jupyter_mcpgen.nl.around.counted.summed_truth import refusing_sums_of_truth
from jupyter_mcpgen.nl.around.counted.swallowed_figures import heeding_figures
from jupyter_mcpgen.nl.around.counted.taken_off import taking_off_amounts
from jupyter_mcpgen.nl.around.limits.compared_in_sum import comparing_sums
from jupyter_mcpgen.nl.around.limits.limits_before_groups import asking_which_limit
from jupyter_mcpgen.nl.around.limits.limits_in_scales import limiting_in_its_scale
from jupyter_mcpgen.nl.around.limits.limits_in_sum import limiting_rows, limiting_sums
from jupyter_mcpgen.nl.around.limits.limits_in_units import (
    asking_of_equal_units,
    refusing_counts_beside_money,
    refusing_units_of_others,
)
from jupyter_mcpgen.nl.around.limits.limits_of_shares import refusing_ages_of_years, refusing_limits_beyond_shares
from jupyter_mcpgen.nl.around.limits.limits_told_again import asking_of_second_limit
from jupyter_mcpgen.nl.around.limits.occasions import refusing_other_limits
from jupyter_mcpgen.nl.around.limits.rows_or_all import asking_row_or_all
from jupyter_mcpgen.nl.around.parts.added_rates import settling_added_rates
from jupyter_mcpgen.nl.around.parts.added_totals import adding_totals
from jupyter_mcpgen.nl.around.parts.empty_groups import leaving_out_empty_groups
from jupyter_mcpgen.nl.around.parts.empty_places import refusing_empty_places
from jupyter_mcpgen.nl.around.parts.lacking_parts import keeping_rows_without
from jupyter_mcpgen.nl.around.parts.missing_values import settling_missing
from jupyter_mcpgen.nl.around.parts.never_both import totalling_what_is_never_both
from jupyter_mcpgen.nl.around.parts.percentages_of import taking_percentages_of
from jupyter_mcpgen.nl.around.parts.piece_or_group import asking_piece_or_group
from jupyter_mcpgen.nl.around.parts.ranges_of_parts import keeping_ranges_whole
from jupyter_mcpgen.nl.around.parts.some_or_none import counting_zero_as_none
from jupyter_mcpgen.nl.around.parts.spelled_missing import noting_rows_without_value, noting_spelled_missing
from jupyter_mcpgen.nl.around.parts.uneven_parts import asking_which_rows, noting_parts
from jupyter_mcpgen.nl.around.parts.unmade_parts import refusing_unmade_parts, refusing_unmade_products
from jupyter_mcpgen.nl.around.repeated.averages_of_each import asking_rows_or_totals
from jupyter_mcpgen.nl.around.repeated.counted_by_date import counting_what_is_dated
from jupyter_mcpgen.nl.around.repeated.counted_names import asking_rows_or_names
from jupyter_mcpgen.nl.around.repeated.counted_persons import asking_rows_or_persons
from jupyter_mcpgen.nl.around.repeated.figures_of_all import of_all_of_them
from jupyter_mcpgen.nl.around.repeated.gaps_of_whom import asking_whose_gaps
from jupyter_mcpgen.nl.around.repeated.kinds_for_things import telling_kinds_from_things
from jupyter_mcpgen.nl.around.repeated.largest_numbers import counting_largest
from jupyter_mcpgen.nl.around.repeated.levels import asking_which_time
from jupyter_mcpgen.nl.around.repeated.listed_once import listing_once, listing_things
from jupyter_mcpgen.nl.around.repeated.namesakes import telling_namesakes_apart
from jupyter_mcpgen.nl.around.repeated.repeated_amounts import taking_once_each
from jupyter_mcpgen.nl.around.repeated.repeated_ids import counting_each_once
from jupyter_mcpgen.nl.around.repeated.repeated_levels import asking_once_each
from jupyter_mcpgen.nl.around.repeated.rows_as_things import averaging_rows
from jupyter_mcpgen.nl.around.repeated.running_levels import refusing_sums_of_levels
from jupyter_mcpgen.nl.around.rows.equal_amounts import equal_as_written, refusing_equal_columns
from jupyter_mcpgen.nl.around.rows.marked_columns import heeding_marks
from jupyter_mcpgen.nl.around.rows.named_scale import asking_of_the_named
from jupyter_mcpgen.nl.around.rows.not_since import without_rows_since
from jupyter_mcpgen.nl.around.rows.said_of_rows import applying_what_is_said, asking_about_stronger
from jupyter_mcpgen.nl.around.rows.told_rows import noting_rows_told
from jupyter_mcpgen.nl.around.rows.unheard_deeds import refusing_unheard_deeds
from jupyter_mcpgen.nl.around.rows.whole_entities import holding_of_all_rows
from jupyter_mcpgen.nl.around.times.calendar_days import in_calendar_days
from jupyter_mcpgen.nl.around.times.dates_of_events import by_the_date_of_events
from jupyter_mcpgen.nl.around.times.figures_of_periods import of_whole_periods
from jupyter_mcpgen.nl.around.times.lasting_states import refusing_lasting_states
from jupyter_mcpgen.nl.around.times.months_alone import keeping_months_whole
from jupyter_mcpgen.nl.around.times.months_beside_dates import asking_which_month
from jupyter_mcpgen.nl.around.times.never_done import keeping_never_done
from jupyter_mcpgen.nl.around.times.periods_of_missing import refusing_periods_of_missing
from jupyter_mcpgen.nl.around.times.years_beside_dates import asking_which_year
from jupyter_mcpgen.nl.around.times.years_of_rows import telling_years
from jupyter_mcpgen.nl.comparing.clockless import without_empty_hours
from jupyter_mcpgen.nl.comparing.limits import without_contradiction
from jupyter_mcpgen.nl.constraints.doubtful import without_doubtful
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday.amounts.currencies import asking_of_currencies
from jupyter_mcpgen.nl.reading import Understanding
from jupyter_mcpgen.nl.tables.denying_names import asked_by_whole_names

Check = Callable[[Understanding], Understanding]


def settled(meant: Understanding, question: str, profile: Profile, language: str) -> Understanding:
    """Return a meaning after every check: as it was, in other steps, with a note, asked about or refused."""
    context = context_of(profile, language)
    checks: tuple[Check, ...] = (
        partial(heeding_whole_names, question=question, context=context),
        partial(asking_whose_name, question=question, context=context),
        partial(keeping_ranges_whole, question=question, language=language),
        partial(by_the_date_of_events, question=question, context=context, language=language),
        partial(keeping_never_done, question=question, context=context, language=language),
        partial(heeding_figures, question=question, context=context),
        partial(refusing_unheard_deeds, question=question, context=context, language=language),
        partial(refusing_first_of_one, question=question, profile=profile, language=language),
        partial(refusing_unmade_parts, question=question, context=context, language=language),
        partial(refusing_unmade_products, question=question, profile=profile, language=language),
        partial(asking_of_currencies, profile=profile, language=language),
        partial(telling_how_much, question=question, context=context),
        partial(telling_when, question=question, context=context),
        partial(telling_where, question=question, context=context),
        partial(naming_whom, question=question, context=context, language=language),
        partial(asking_of_the_named, question=question, context=context),
        partial(applying_what_is_said, question=question, context=context, language=language),
        refusing_periods_of_missing,
        partial(refusing_lasting_states, question=question, context=context, language=language),
        partial(refusing_units_of_others, question=question, context=context),
        partial(asking_of_equal_units, question=question, context=context),
        partial(refusing_counts_beside_money, question=question, context=context),
        partial(limiting_in_its_scale, context=context),
        partial(refusing_other_limits, question=question, context=context, language=language),
        partial(listing_once, question=question, context=context),
        partial(listing_things, question=question, context=context, language=language),
        partial(comparing_sums, question=question, context=context, language=language),
        partial(limiting_sums, question=question, context=context, language=language),
        partial(limiting_rows, question=question, context=context, language=language),
        partial(asking_rows_or_names, question=question, context=context),
        partial(of_all_of_them, question=question, context=context, language=language),
        partial(averaging_rows, question=question, context=context),
        partial(counting_largest, question=question, context=context),
        partial(refusing_sums_of_truth, question=question, context=context, language=language),
        partial(showing_one_cell, context=context),
        partial(counting_not_listing, question=question, context=context),
        partial(refusing_other_things, question=question, context=context),
        partial(asking_which_limit, question=question, context=context),
        partial(asked_by_whole_names, question=question, context=context, language=language),
        partial(asking_rows_or_pieces, question=question, context=context, language=language),
        partial(counting_parts, question=question, context=context),
        partial(asking_number_or_total, question=question, context=context),
        partial(asking_grade_or_score, context=context, language=language),
        partial(asking_piece_or_group, question=question, context=context),
        partial(asking_of_second_limit, question=question, context=context, language=language),
        partial(refusing_rates_of_others, question=question, context=context),
        partial(refusing_scores_for_things, question=question, context=context),
        partial(refusing_bare_amounts, question=question, context=context, language=language),
        partial(asking_which_end, context=context, language=language),
        partial(taking_off_amounts, context=context, language=language),
        partial(refusing_equal_columns, question=question, context=context, language=language),
        partial(asking_rows_or_money, question=question, context=context, language=language),
        partial(refusing_sums_of_levels, question=question, context=context, language=language),
        partial(refusing_ages_of_years, context=context),
        partial(refusing_empty_places, question=question, context=context, language=language),
        without_contradiction,
        partial(without_empty_hours, context=context),
        keeping_months_whole,
        partial(asking_whose_gaps, context=context, language=language),
        partial(asking_which_year, context=context),
        partial(asking_which_month, question=question, context=context),
        partial(telling_years, question=question, context=context),
        partial(asking_rows_or_counts, question=question, context=context, language=language),
        partial(taking_the_one_figure, question=question, context=context),
        partial(asking_once_each, context=context),
        partial(taking_once_each, context=context, language=language),
        partial(asking_rows_or_totals, question=question, context=context, language=language),
        partial(asking_which_time, context=context),
        partial(of_whole_periods, question=question, context=context),
        partial(leaving_out_empty_groups, context=context),
        partial(refusing_limits_beyond_shares, context=context, language=language),
        partial(settling_missing, question=question, context=context, language=language),
        partial(noting_spelled_missing, context=context),
        partial(counting_each_once, question=question, context=context, language=language),
        partial(asking_rows_or_persons, question=question, context=context, language=language),
        partial(counting_what_is_dated, question=question, context=context, language=language),
        partial(noting_pieces, question=question, context=context, language=language),
        partial(counting_zero_as_none, question=question, context=context, language=language),
        partial(without_rows_since, question=question, context=context, language=language),
        partial(holding_of_all_rows, question=question, context=context, language=language),
        partial(asking_row_or_all, question=question, context=context, language=language),
        partial(telling_kinds_from_things, question=question, context=context, language=language),
        partial(telling_namesakes_apart, question=question, context=context, language=language),
        partial(totalling_what_is_never_both, context=context),
        partial(adding_totals, context=context),
        partial(noting_rows_without_value, context=context),
        partial(heeding_marks, context=context, language=language),
        partial(keeping_rows_without, context=context),
        partial(noting_parts, context=context),
        partial(asking_which_rows, context=context),
        partial(settling_added_rates, question=question, context=context),
        partial(taking_percentages_of, context=context, language=language),
        partial(in_calendar_days, context=context),
        partial(without_doubtful, profile=profile),
        partial(asking_about_stronger, context=context),
        partial(noting_rows_told, question=question, context=context),
        partial(equal_as_written, context=context),
    )
    return reduce(lambda meaning, check: check(meaning), checks, meant)
