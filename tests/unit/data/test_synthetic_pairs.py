"""Generated pairs of tables: their keys meet, and repeat only where they may."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.data.synthetic_pairs import synthesize_pair, with_repeated_keys
from jupyter_mcpgen.plan.sources import Join
from tests.second_tables import join, union

LOANS = profile("loans", pd.DataFrame({"member": [1.0, 2.0, None], "days": [3, 4, 5], "desk": ["a", "b", "a"]}))
MEMBERS = profile("members", pd.DataFrame({"id": [1, 2, 5], "desk": ["a", "b", "c"], "town": ["Lund", "Ystad", "Ed"]}))
ONCE = join("members", "member = id", relation="many_to_one")(LOANS.schema_, MEMBERS.schema_)


def pair(case: Case, way: Join = ONCE) -> tuple[pd.DataFrame, pd.DataFrame]:
    return synthesize_pair(way, (LOANS, MEMBERS), 200, 7, case, ({}, {}))


@pytest.mark.parametrize("case", [case for case in Case if case not in (Case.EMPTY, Case.ALL_NULL)])
def test_most_rows_have_a_match_and_no_key_repeats_that_must_not(case: Case) -> None:
    loans, members = pair(case)

    assert members["id"].dropna().is_unique
    assert loans["member"].isin(members["id"]).any() or case is Case.SINGLE_ROW
    assert list(loans.columns) == list(LOANS.schema_.names)
    assert list(members.columns) == list(MEMBERS.schema_.names)


def test_some_rows_have_no_match_and_some_no_key() -> None:
    loans, members = pair(Case.NULLS)

    assert loans["member"].isna().sum() > 1
    assert members["id"].isna().sum() > 1
    assert (~loans["member"].dropna().isin(members["id"])).any()


def test_the_same_arguments_give_the_same_tables() -> None:
    for one, again in zip(pair(Case.TYPICAL), pair(Case.TYPICAL), strict=True):
        pd.testing.assert_frame_equal(one, again)


def test_a_planted_repetition_is_in_the_table_that_must_not_have_one() -> None:
    loans, members = pair(Case.TYPICAL)

    first, second = with_repeated_keys(ONCE, loans, members)

    assert first is loans
    assert second["id"].duplicated().sum() == 1


def test_tables_below_each_other_have_their_own_columns() -> None:
    way = union("members")(LOANS.schema_, MEMBERS.schema_)

    loans, members = synthesize_pair(way, (LOANS, MEMBERS), 50, 7, Case.TYPICAL, ({}, {"desk": ["zz"]}))

    assert (len(loans), len(members)) == (50, 50)
    assert "zz" in set(members["desk"])
