"""The rules that spell and order the words of a question as the other rules expect them."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import (
    contrasts,
    doers,
    doing,
    empty_words,
    influences,
    latest,
    numbered_rows,
    peaks,
    rows_by_date,
    set_against,
    shorthand,
)

SPELLING = (
    shorthand.without_courtesy,
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
    latest.when_last,
    latest.first_and_last,
    influences.raised_against,
    influences.rising_with,
    influences.how_far_apart,
    rows_by_date.when_done,
    rows_by_date.done_last,
    peaks.most_in_which,
    peaks.most_made_in_which,
    empty_words.value_called_missing,
    shorthand.spelled_out,
)
"""Other ways to spell and to order the same words."""
