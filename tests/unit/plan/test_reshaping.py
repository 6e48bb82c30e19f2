"""Columns that are called by periods, and lists in cells, as rows: what is taken, and that both engines do the same."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.errors import PlanError, WrongType
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.explain import rows_behind
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.fault_operators import Operator
from jupyter_mcpgen.plan.faults import faults_of
from jupyter_mcpgen.plan.ops import Aggregate, Measure
from jupyter_mcpgen.plan.period_names import PeriodForm, PeriodNames, period_names
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.shape import generalise, shape_key
from tests.engines import run_duckdb, run_pandas
from tests.laws import law
from tests.plans import plan_of, schema_of
from tests.strategies.tables import DTYPES, NAMES, VALUES

BY_YEAR = Unpivot(names=PeriodNames(form=PeriodForm.YEAR), name="year", value="value")
TOOLS = Members(column=Col(name="tools"), separator=";")


def _sum_by(*names: str) -> Aggregate:
    measure = Measure(function="sum", column=Col(name="value"))
    return Aggregate(by=Columns(names=names), measures=(measure,))


def _count_by(name: str) -> Aggregate:
    return Aggregate(by=Columns(names=(name,)), measures=(Measure(function="count"),))


@pytest.mark.parametrize(
    ("names", "form", "periods"),
    [
        (["region", "2019", "2020", "2022"], "%Y", [2019, 2020, 2022]),
        (["2021 units", "2022 units", "2023 units"], "%Y", [2021, 2022, 2023]),
        (["FY2021", "FY2022", "FY2023"], "%Y", [2021, 2022, 2023]),
        (["Jan", "Feb", "Mar", "May"], "%b", ["Jan", "Feb", "Mar", "May"]),
        (["May", "June", "July"], "%B", ["May", "June", "July"]),
        (["Q1", "Q2", "Q3", "Q4"], "Q%q", ["Q1", "Q2", "Q3", "Q4"]),
        (["sales_2023_01", "sales_2023_02", "sales_2023_03"], "%Y_%m", ["2023-01-01", "2023-02-01", "2023-03-01"]),
        (["Jan-23", "Feb-23", "Mar-23"], "%b-%y", ["2023-01-01", "2023-02-01", "2023-03-01"]),
        (["2023Q1", "2023Q2", "2023Q4"], "%YQ%q", ["2023-01-01", "2023-04-01", "2023-10-01"]),
        (["Q1 2023", "Q2 2023", "Q3 2023"], "Q%q %Y", ["2023-01-01", "2023-04-01", "2023-07-01"]),
        (["2023-01-30", "2023-01-31", "2023-02-01"], "%Y-%m-%d", ["2023-01-30", "2023-01-31", "2023-02-01"]),
    ],
)
def test_names_that_are_periods_are_read(names: list[str], form: str, periods: list[object]) -> None:
    (way,) = period_names(names, 3)

    read = [way.period(name) for name in way.among(names)]

    assert way.form.value == form
    assert [str(period).removesuffix(" 00:00:00") for period in read] == list(map(str, periods))


@pytest.mark.parametrize(
    "names",
    [
        ["2021", "2022"],
        ["1000", "2500", "5000", "7000"],
        ["Q1", "Q2", "Q3", "Q4", "Q5"],
        ["Marketing", "Maybe", "Decision", "Janitor"],
        ["price 2021 (of 5)", "price 2022 (of 6)", "price 2023 (of 7)"],
    ],
)
def test_other_names_are_no_periods(names: list[str]) -> None:
    assert period_names(names, 3) == ()


def test_names_with_other_words_around_their_years_are_told_apart() -> None:
    names = ["shop", "2021 units", "2022 units", "2023 units", "2021 revenue", "2022 revenue", "2023 revenue"]

    assert [way.words for way in period_names(names, 3)] == ["units", "revenue"]


def test_years_become_whole_numbers_and_cells_of_both_kinds_of_numbers_real_ones() -> None:
    plan = plan_of({"region": "text", "2021": "integer", "2022": "real"}, BY_YEAR)

    assert plan.result_schema == schema_of({"region": "text", "year": "integer", "value": "real"})


def test_columns_that_cannot_stand_below_each_other_are_refused() -> None:
    with pytest.raises(WrongType, match="`2021` is integer and `2022` is text"):
        plan_of({"2021": "integer", "2022": "text"}, BY_YEAR)
    with pytest.raises(PlanError, match="There is a column `value` already"):
        plan_of({"value": "text", "2021": "integer", "2022": "integer"}, BY_YEAR)
    with pytest.raises(PlanError, match="No column is called by a year"):
        plan_of({"region": "text"}, BY_YEAR)
    with pytest.raises(WrongType, match="`tools` is not text"):
        plan_of({"tools": "integer"}, TOOLS)


WIDE = pd.DataFrame({"region": ["north", "south", "north"], "2021": [1.0, 2.0, None], "2022": [4.0, 5.0, 6.0]})


def test_groups_of_a_wide_table_are_those_of_the_long_one_made_by_hand() -> None:
    wide = plan_of({"region": "text", "2021": "real", "2022": "real"}, BY_YEAR, _sum_by("region", "year"))
    long = pd.DataFrame(
        {
            "region": ["north", "south", "north"] * 2,
            "year": [2021] * 3 + [2022] * 3,
            "value": [1.0, 2.0, None, 4.0, 5.0, 6.0],
        }
    )
    by_hand = plan_of({"region": "text", "year": "integer", "value": "real"}, _sum_by("region", "year"))

    result = run_pandas(wide, WIDE)

    pd.testing.assert_frame_equal(result, run_pandas(by_hand, long))
    assert result["sum_value"].tolist() == [1.0, 10.0, 2.0, 5.0]


def test_one_more_year_in_the_next_file_is_computed_by_the_same_code() -> None:
    plan = plan_of({"region": "text", "2021": "real", "2022": "real"}, BY_YEAR, _sum_by("year"))
    wider = WIDE.assign(**{"2023": [7.0, 8.0, 9.0]})
    again = Plan(
        source="table",
        source_schema=schema_of({"region": "text", "2021": "real", "2022": "real", "2023": "real"}),
        steps=plan.steps,
    )

    result = run_pandas(plan, wider)

    assert result.to_dict("list") == {"year": [2021, 2022, 2023], "sum_value": [3.0, 15.0, 24.0]}
    assert first_difference(result, run_duckdb(again, wider)) is None
    assert shape_key(generalise(plan)) == shape_key(generalise(again))


def test_periods_are_dates_where_they_have_a_year() -> None:
    names = ["Q1 2023", "Q2 2023", "Q4 2023"]
    step = Unpivot(names=PeriodNames(form=PeriodForm.QUARTER_FIRST), name="quarter", value="value")
    plan = plan_of(dict.fromkeys(names, "integer"), step, _sum_by("quarter"))
    table = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=names)

    result = run_pandas(plan, table)

    assert result["quarter"].astype("str").tolist() == ["2023-01-01", "2023-04-01", "2023-10-01"]
    assert first_difference(result, run_duckdb(plan, table)) is None


SURVEY = pd.DataFrame({"age": [20, 30, 40, 50, 60], "tools": ["R; SQL", "R;R", None, " ; ", "SQL"]}).astype(
    {"tools": "str"}
)


def test_a_row_counts_once_for_each_of_its_members() -> None:
    plan = plan_of({"age": "integer", "tools": "text"}, TOOLS, _count_by("tools"))

    result = run_pandas(plan, SURVEY)

    assert result.to_dict("list") == {"tools": ["R", "SQL"], "count": [2, 2]}
    assert first_difference(result, run_duckdb(plan, SURVEY)) is None


def test_lists_that_a_frame_holds_are_taken_apart_as_their_json() -> None:
    step = Members(column=Col(name="tools"))
    plan = plan_of({"tools": "text"}, step, _count_by("tools"))
    table = pd.DataFrame({"tools": ['["R", "SQL"]', '["R"]', "[]", None, "no list"]}).astype({"tools": "str"})

    result = run_pandas(plan, table)

    assert result.to_dict("list") == {"tools": ["R", "SQL"], "count": [2, 1]}
    assert first_difference(result, run_duckdb(plan, table)) is None


def test_the_rows_behind_a_group_are_its_cells() -> None:
    plan = plan_of({"region": "text", "2021": "real", "2022": "real"}, BY_YEAR, _sum_by("year"))

    behind = rows_behind(plan, {"year": 2021, "sum_value": 3.0}, "sum_value")

    expected = {"region": ["north", "south"], "year": [2021, 2021], "value": [1.0, 2.0]}
    assert run_duckdb(behind, WIDE).to_dict("list") == expected


def test_the_reading_says_which_columns_are_taken_as_one() -> None:
    plan = plan_of({"region": "text", "2021": "real", "2022": "real"}, BY_YEAR, _sum_by("year"))
    lists = plan_of({"tools": "text"}, TOOLS, _count_by("tools"))

    assert say_plan(plan) == (
        "sum of value by year, the columns 2021 to 2022 taken as one column `year`, their cells as `value`"
    )
    assert say_plan(lists) == "number of rows by tools, each member of the lists in tools counted once per row"


def test_a_column_left_out_and_lists_kept_whole_are_planted_as_faults() -> None:
    plan = plan_of({"region": "text", "2021": "real", "2022": "real"}, BY_YEAR, _sum_by("year"))
    lists = plan_of({"tools": "text"}, TOOLS, _count_by("tools"))

    left_out = [fault for fault in faults_of(plan) if fault.operator is Operator.PERIOD_DROPPED]
    kept = [fault for fault in faults_of(lists) if fault.operator is Operator.LISTS_KEPT]

    assert [run_pandas(fault.plan, WIDE)["year"].tolist() for fault in left_out] == [[2022], [2021]]
    assert [run_pandas(fault.plan, SURVEY)["tools"].tolist() for fault in kept] == [[" ; ", "R; SQL", "R;R", "SQL"]]


HEADERS = {
    PeriodForm.YEAR: ["1999", "2000", "2021"],
    PeriodForm.MONTH: ["2020-12", "2021-01", "2021-02"],
    PeriodForm.MONTH_SHORT: ["Jan 2021", "feb 2021", "DEC 2021"],
    PeriodForm.MONTH_SHORTEST: ["Jan-68", "Feb-69", "Dec-21"],
    PeriodForm.QUARTER_UNDERSCORE: ["2020_Q4", "2021_Q1", "2021_Q2"],
    PeriodForm.QUARTER_FIRST_DASH: ["Q4-2020", "Q1-2021", "Q2-2021"],
    PeriodForm.MONTH_NAME: ["May", "june", "July"],
    PeriodForm.QUARTER_OF_YEAR: ["Q1", "Q2", "Q4"],
    PeriodForm.DAY: ["2020-12-31", "2021-01-01", "2021-02-28"],
}
AROUND = st.sampled_from(["", " units", "_", "units (", "'", '"', "\\", "$", "ü ", ".*"])


@st.composite
def wide_tables(draw: st.DrawFn) -> tuple[pd.DataFrame, Plan]:
    """Draw a table with columns of periods between any texts, and the plan of its long rows or of groups of them."""
    form = draw(st.sampled_from(list(HEADERS)))
    before, after = draw(AROUND), draw(AROUND)
    type_ = draw(st.sampled_from(list(ColumnType)))
    mixed = {ColumnType.INTEGER: [ColumnType.INTEGER, ColumnType.REAL]}.get(type_, [type_])
    periods = {f"{before}{name}{after}": draw(st.sampled_from(mixed)) for name in HEADERS[form]}
    others = draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))
    types = {**{name: draw(st.sampled_from(list(ColumnType))) for name in others}, **periods}
    order = draw(st.permutations(list(types)))
    rows = draw(st.integers(0, 6))
    frame = pd.DataFrame(
        {
            name: pd.Series(
                draw(st.lists(VALUES[types[name]], min_size=rows, max_size=rows)), dtype=DTYPES[types[name]]
            )
            for name in order
        }
    )
    step = Unpivot(names=PeriodNames(form=form, before=before, after=after), name="the period", value="the value")
    measures = (Measure(function="count"), Measure(function="count", column=Col(name="the value")))
    grouped = (Aggregate(by=Columns(names=("the period", *others[:1])), measures=measures),)
    steps = (step, *draw(st.sampled_from([(), grouped])))
    return frame, plan_of({name: types[name].value for name in order}, *steps)


@law(100)
@given(wide_tables())
def test_both_engines_put_the_same_columns_below_each_other(drawn: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = drawn

    difference = first_difference(run_pandas(plan, frame), run_duckdb(plan, frame))

    assert difference is None, f"{difference}\n{emit_pandas(plan)}"


@st.composite
def tables_with_lists(draw: st.DrawFn) -> tuple[pd.DataFrame, Plan]:
    """Draw texts that hold lists, empty members and repeated ones, and the plan of their members or of their counts."""
    separator = draw(st.sampled_from([";", "|", ",", ", ", "'", None]))
    words = st.sampled_from(["R", "r", "SQL", "", " ", " R ", "it's", "nan", "ü", "\t", "\u00a0x"])
    joined = st.lists(words, max_size=4).map(
        lambda parts: "[" + ", ".join(f'"{p}"' for p in parts) + "]" if separator is None else separator.join(parts)
    )
    rows = draw(st.integers(0, 6))
    lists = draw(st.lists(joined | st.none(), min_size=rows, max_size=rows))
    name = draw(st.sampled_from(NAMES))
    numbers = draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    frame = pd.DataFrame({"a number": pd.Series(numbers, dtype="int64"), name: pd.Series(lists, dtype="str")})
    step = Members(column=Col(name=name), separator=separator)
    counted = Aggregate(by=Columns(names=(name,)), measures=(Measure(function="count", label="how many rows"),))
    steps = (step, *draw(st.sampled_from([(), (counted,)])))
    return frame, plan_of({"a number": "integer", name: "text"}, *steps)


@law(100)
@given(tables_with_lists())
def test_both_engines_find_the_same_members(drawn: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = drawn

    difference = first_difference(run_pandas(plan, frame), run_duckdb(plan, frame))

    assert difference is None, f"{difference}\n{emit_pandas(plan)}"
