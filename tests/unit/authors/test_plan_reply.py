"""A plan that a model replies with: the form that it must keep to, and the steps that it becomes."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.modelled.plan_form import plan_form
from jupyter_mcpgen.authors.modelled.plan_reply import Planned, read_plan
from jupyter_mcpgen.authors.modelled.replies import Refusal, Unusable
from jupyter_mcpgen.authors.modelled.sheet import Policy, Privacy
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.llm.schema import checker, not_portable
from jupyter_mcpgen.plan.english import say_plan

HIVES = pd.DataFrame(
    {
        "meadow": ["North", "North", "South", "South", "South", None],
        "keeper": ["Ada", "Ben", "Ada", "Cleo", "Ben", "Ada"],
        "honey": [4.5, 3.0, 6.0, None, 2.5, 9.0],
        "frames": [10, 8, 12, 6, 7, 9],
        "healthy": [True, True, False, True, False, True],
        "checked": pd.to_datetime(["2024-04-02", "2024-04-20", "2024-05-03", "2024-05-30", "2024-07-01", "2024-07-02"]),
    }
)
TABLE = profile("hives", HIVES)


def reply(**parts: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "notes": "",
        "kind": "plan",
        "derive": [],
        "filters": [],
        "group": [],
        "figures": [],
        "after": [],
        "having": [],
        "order": [],
        "limit": None,
        "limit_per": None,
        "show": [],
        "chart": None,
        "reading": "honey",
        "assumptions": [],
        "message": None,
        "missing": [],
    }
    return {**empty, **parts}


def figure(name: str, function: str, column: str | None = None, where: tuple[str, str, list[str]] | None = None) -> Any:
    column_, test, values = where or (None, None, [])
    return {
        "name": name,
        "function": function,
        "column": column,
        "where_column": column_,
        "where_test": test,
        "where_values": values,
    }


def by(column: str, part: str = "value") -> Any:
    return {"column": column, "by": part}


def keep(column: str, test: str, *values: str) -> Any:
    return {"column": column, "test": test, "values": list(values)}


def computed(name: str, left: str, op: str, right: str | None = None) -> Any:
    return {"name": name, "left": left, "op": op, "right": right}


def order(column: str, *, descending: bool = True) -> Any:
    return {"column": column, "descending": descending}


@pytest.mark.parametrize(
    "policy", [Policy(), Policy(Privacy.MASKED), Policy(Privacy.ROWS), Policy(low_cardinality_values=True)]
)
def test_the_form_of_a_plan_is_one_that_every_server_takes(policy: Policy) -> None:
    assert not_portable(plan_form(TABLE, policy, "honey")) == ()


@pytest.mark.parametrize(
    ("policy", "shown"),
    [
        (Policy(), False),
        (Policy(Privacy.MASKED), False),
        (Policy(Privacy.ROWS), True),
        (Policy(low_cardinality_values=True), True),
    ],
)
def test_the_form_has_values_only_where_they_may_be_shown(policy: Policy, shown: bool) -> None:
    form = json.dumps(plan_form(TABLE, policy, "honey"))

    assert "keeper" in form
    assert ("Cleo" in form, "North" in form) == (shown, shown)


def test_the_form_takes_no_column_and_no_shown_value_that_the_table_lacks() -> None:
    wrong = checker(plan_form(TABLE, Policy(Privacy.ROWS), "honey"))

    assert wrong(reply(group=[by("meadow")], figures=[figure("n", "count")])) is None
    assert wrong(reply(group=[by("field")], figures=[figure("n", "count")])) is not None
    assert wrong(reply(filters=[keep("keeper", "=", "Dora")])) is not None
    assert wrong(reply(figures=[figure("n", "average", "honey")])) is not None


@pytest.mark.parametrize(
    ("given", "says", "rows"),
    [
        (
            reply(group=[by("meadow")], figures=[figure("total", "sum", "honey")], order=[order("total")], limit=1),
            "sum of honey by meadow, largest first, first one",
            [("South", 8.5)],
        ),
        (
            reply(
                filters=[keep("keeper", "in", "Ada", "Ben"), keep("checked", ">=", "2024-05-01")],
                figures=[figure("n", "count")],
            ),
            None,
            [(3,)],
        ),
        (
            reply(
                group=[by("checked", "start_of_month")],
                figures=[figure("n", "count")],
                after=[computed("more", "n", "change")],
            ),
            None,
            [("2024-04-01", 2, None), ("2024-05-01", 2, 0), ("2024-07-01", 2, 0)],
        ),
        (
            reply(
                group=[by("keeper")],
                figures=[
                    figure("ill", "percent", None, ("healthy", "=", ["false"])),
                    figure("best", "max", "honey", ("frames", "<", ["11"])),
                ],
                having=[keep("ill", ">", "0")],
                order=[order("ill"), order("keeper", descending=False)],
            ),
            None,
            [("Ben", 50.0, 3.0), ("Ada", 100 / 3, 9.0)],
        ),
        (
            reply(
                derive=[computed("d1", "honey", "/", "frames")],
                filters=[keep("d1", "is not missing")],
                show=["keeper", "d1"],
                order=[order("d1")],
                limit=2,
            ),
            None,
            [("Ada", 1.0), ("Ada", 0.5)],
        ),
        (
            reply(
                show=["meadow", "honey"],
                filters=[keep("meadow", "is not missing")],
                order=[order("honey")],
                limit=1,
                limit_per="meadow",
            ),
            None,
            [("North", 4.5), ("South", 6.0)],
        ),
        (
            reply(
                group=[by("meadow")],
                figures=[figure("a", "sum", "honey"), figure("b", "sum", "frames")],
                after=[computed("r", "a", "/", "b"), computed("p", "b", "percent_of_total")],
            ),
            None,
            [("North", 7.5, 18, 7.5 / 18, 18 / 43 * 100), ("South", 8.5, 25, 0.34, 25 / 43 * 100)],
        ),
    ],
)
def test_a_plan_becomes_steps_that_give_its_rows(
    given: dict[str, Any], says: str | None, rows: list[tuple[Any, ...]]
) -> None:
    assert checker(plan_form(TABLE, Policy(), "honey"))(given) is None

    found = read_plan(given, TABLE)

    assert isinstance(found, Planned), found
    assert says is None or say_plan(found.plan) == says
    table = Engine(HIVES).table(found.plan)
    expected = pd.DataFrame(rows, columns=table.columns)
    if "start_of_month" in table:
        expected["start_of_month"] = pd.to_datetime(expected["start_of_month"])
    pd.testing.assert_frame_equal(table.reset_index(drop=True), expected, check_dtype=False)


@pytest.mark.parametrize(
    ("given", "flaw"),
    [
        (reply(figures=[figure("n", "sum", "hony")]), "Did you mean `honey`"),
        (reply(figures=[figure("n", "sum")]), "`sum` needs `column`"),
        (reply(figures=[figure("n", "rate")]), "`rate` needs `where_column`"),
        (reply(figures=[figure("n", "sum", "keeper")]), "keeper"),
        (reply(group=[by("meadow")]), "`group` needs at least one of `figures`"),
        (reply(filters=[keep("honey", ">", "much")]), "`honey` holds numbers, and `much` is none"),
        (reply(filters=[keep("honey", ">")]), "needs one of `values`"),
        (reply(filters=[keep("healthy", "=", "maybe")]), "`healthy` is true or false"),
        (reply(filters=[keep("checked", ">", "last May")]), "is not a date"),
        (reply(filters=[keep("keeper", "in")]), "needs `values`"),
        (reply(filters=[keep("keeper", "=", "Adda")]), "`keeper` has no value “Adda”. Nearest: Ada."),
        (reply(show=["honey"], after=[computed("r", "honey", "running_total")]), "needs a group to go along"),
        (reply(show=["honey"], limit=0), "outside what a plan takes"),
        (reply(show=["honey"], limit=1, limit_per="meadow"), "`limit_per` needs `order` and `limit`"),
        (
            reply(order=[{"column": "honey", "descending": True}], limit_per="keeper"),
            "`limit_per` needs `order` and `limit`",
        ),
        (
            reply(figures=[{**figure("s", "sum", "honey"), "where_values": ["1"]}]),
            "has `where_values` and no `where_column`",
        ),
        (reply(derive=[computed("d1", "honey", "+")]), "needs `left` and `right`"),
        (reply(kind="refusal"), "`refusal` needs `message`"),
    ],
)
def test_a_plan_that_says_nothing_that_can_be_done_has_a_flaw(given: dict[str, Any], flaw: str) -> None:
    found = read_plan(given, TABLE)

    assert isinstance(found, Unusable), found
    assert flaw in found.flaw


def test_a_text_is_taken_as_the_data_write_it_and_that_is_said() -> None:
    found = read_plan(reply(filters=[keep("keeper", "=", "ada")], figures=[figure("n", "count")]), TABLE)

    assert isinstance(found, Planned)
    assert found.assumptions == ("“ada” is written “Ada” in the data.",)


def test_only_a_flaw_with_values_of_the_data_is_marked_as_one() -> None:
    absent = read_plan(reply(filters=[keep("keeper", "=", "Zoe")], figures=[figure("n", "count")]), TABLE)
    other = read_plan(reply(figures=[figure("n", "sum", "hony")]), TABLE)

    assert (absent.shows_values, other.shows_values) == (True, False)  # type: ignore[union-attr]


def test_a_refusal_says_what_is_missing() -> None:
    found = read_plan(reply(kind="refusal", message="There is no rain here.", missing=["rain"]), TABLE)

    assert found == Refusal("There is no rain here.", ("rain",))
