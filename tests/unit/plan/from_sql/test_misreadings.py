"""Planted misreadings: whatever the reader could get wrong, running the SELECT beside its plan shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.plan.from_sql import Unread
from jupyter_mcpgen.plan.reading import Reading
from tests.misreadings import MISREADINGS, Misreading
from tests.selects import desks, selects

SAME_ANYWAY = {
    "lose_a_condition": {"a truth and its opposite"},
    "join_otherwise": {
        "a self join",
        "a filtered table joined",
        "a left join with a condition on the second table after it",
        "an inner join in WHERE",
        "an inner join with groups",
    },
    "give_nothing_where_a_choice_gives_a_value": {"an order by a CASE", "weekends by dayofweek"},
    "order_the_other_way": {"a row number as a value", "the first of each group"},
    "take_another_figure": {"a mean of each group beside the mean of all", "groups above the mean of all"},
    "take_another_period": {"weekends by dayofweek"},
}
"""Misreadings that change nothing, by the SELECT: what is left out there follows from the rest."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("misread", MISREADINGS, ids=lambda misread: misread.__name__)
def test_a_planted_misreading_is_contradicted_by_the_rows_of_the_select(misread: Misreading) -> None:
    tried, unseen = 0, set()
    for select in selects():
        reading = select.reading
        if isinstance(reading, Unread):
            continue
        for wrong in misread(reading.plan):
            tried += 1
            if not _is_contradicted(select.sql, replace(reading, plan=wrong)):
                unseen.add(select.about)

    assert unseen == SAME_ANYWAY.get(misread.__name__, set())
    assert tried > 0


def _is_contradicted(sql: str, reading: Reading) -> bool:
    for desk in desks():
        try:
            if desk.difference(desk.run(sql), reading) is not None:
                return True
        except McpgenError:
            return True  # a plan that cannot be computed is dropped as well
    return False


def test_every_misreading_has_a_place_in_some_select() -> None:
    counts = {misread.__name__: 0 for misread in MISREADINGS}
    for select in selects():
        reading = select.reading
        for misread in MISREADINGS if not isinstance(reading, Unread) else ():
            counts[misread.__name__] += sum(1 for _ in misread(reading.plan))

    assert min(counts.values()) > 0, counts
