"""The rules about sides of groups, steps of scales and ends of figures, in the order in which they are tried."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts import limits_of_figures, ranges
from jupyter_mcpgen.nl.everyday.compared import (
    contests,
    higher_by,
    more_often,
    numbered_bins,
    plain_rows,
    shared_scales,
    steps_of_scales,
)
from jupyter_mcpgen.nl.everyday.deeds import done_alone, done_to_all
from jupyter_mcpgen.nl.everyday.parts import both_held, said_by_header
from jupyter_mcpgen.nl.everyday.ranked import (
    asked_of_one,
    averaged_qualities,
    doing_better,
    extremes_by_figure,
    top_periods,
)
from jupyter_mcpgen.nl.everyday.spoken import grouped_first
from jupyter_mcpgen.nl.everyday.things import kinds_by_group

SURE_OF_SIDES = (
    contests.results_of_one,
    contests.scored_at,
    contests.results,
    contests.score_of_both,
    grouped_first.grouped_first,
    asked_of_one.is_the_first,
    asked_of_one.has_the_most,
    both_held.both_held,
    done_to_all.done_every,
    done_to_all.done_so_many,
    done_to_all.those_told,
    said_by_header.header_said_of_rows,
    done_alone.how_many_done,
    doing_better.does_better,
    doing_better.who_did_it_by,
    shared_scales.steps_of_the_named,
    steps_of_scales.step_or_beyond,
    steps_of_scales.limit_by_a_step,
    steps_of_scales.end_of_a_scale,
    steps_of_scales.step_of_another,
    steps_of_scales.number_or_beyond,
    limits_of_figures.limit_of_what,
    limits_of_figures.range_before_figure,
    ranges.rows_between,
    numbered_bins.bins_of_figure,
    numbered_bins.figure_in_bins,
    averaged_qualities.group_performing,
    averaged_qualities.quality_of_average,
    averaged_qualities.most_on_average,
    top_periods.most_per_period,
    extremes_by_figure.extreme_by_figure,
    extremes_by_figure.extreme_of_whom,
    more_often.more_often,
    plain_rows.flag_and_plain,
    plain_rows.with_or_without,
    higher_by.how_much_higher,
    higher_by.higher_on_average,
    higher_by.more_of_two,
    higher_by.how_many_of_each,
)
"""What stands among the sure meanings of words, before limits of numbers are read."""
PERHAPS_OF_SIDES = (higher_by.how_much_more_alone,)
"""What is tried where nothing else can be read."""
LAST_OF_SIDES = (
    kinds_by_group.rows_of_some,
    kinds_by_group.kinds_by_group,
)
"""What is said where nothing else could be."""
