"""The rules about what the dates of a row tell: how long it took, whether it was late, and what is open."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.spoken import parts_of_dates
from jupyter_mcpgen.nl.everyday.times import (
    last_rows,
    late,
    open_rows,
    punctual_flags,
    said_dates,
    same_period,
    spans_of_rows,
    tenure,
    weekends,
)

SURE_OF_TIMES = (
    parts_of_dates.part_of_date_first,
    tenure.longest_serving,
    tenure.tenure,
    tenure.age_of_born,
    open_rows.end_of_open,
    same_period.in_the_same_period,
    same_period.two_dated_deeds,
    said_dates.slashed_date,
    said_dates.dashed_date,
    said_dates.or_later,
    said_dates.outside_a_year,
    said_dates.decade_said,
    last_rows.last_of_one,
    last_rows.when_last_done,
    last_rows.last_done_before,
    last_rows.at_the_last,
    weekends.more_on_weekends,
    weekends.weekend_figure,
    said_dates.events_dated,
    punctual_flags.how_late,
    punctual_flags.punctual_or_not,
    punctual_flags.said_by_flag,
    late.not_on_time,
    late.late_rate,
    late.days_late,
    late.late_by_days,
    late.late_rows,
    late.overdue,
    late.due_next,
    open_rows.rate_of_open,
    open_rows.open_amount,
    open_rows.open_rows,
    spans_of_rows.longest_rows,
    spans_of_rows.deed_within,
    spans_of_rows.quickest_group,
    spans_of_rows.rows_lasting,
    spans_of_rows.time_to_deed,
    spans_of_rows.span_of_rows,
    spans_of_rows.turnaround,
)
"""What is told by two dates of a row, before anything else is read into its words."""
