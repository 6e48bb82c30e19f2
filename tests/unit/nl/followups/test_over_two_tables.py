"""What follows an answer over two tables changes it as it changes an answer over one."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.test_joining import table

OVER = ", over rope_orders joined with rope_customers by cust_id = customer_id, all rows of rope_orders kept"


@pytest.mark.parametrize(
    ("said", "reading"),
    [
        ("without refunds", "sum of amount by country, largest first, where status is not refunded"),
        ("compare France and Spain", "sum of amount by country, largest first, where country is France or Spain"),
        ("what is the average of those", "sum of amount by country, then mean of sum_amount"),
        ("how many of them are refunded", "number of rows, where status is refunded"),
    ],
)
def test_a_follow_up_is_of_both_tables(said: str, reading: str) -> None:
    orders, customers = table("rope_orders"), table("rope_customers")
    first = understand("total amount by country", orders, "en", other=customers)
    assert isinstance(first, Answered)

    then = understand(said, orders, "en", ("total amount by country", first.winner.plan), other=customers)

    assert isinstance(then, Answered), then
    assert say_plan(then.winner.plan) == f"{reading}{OVER}"
