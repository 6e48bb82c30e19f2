"""Two tables made one: the rows that come out, the columns and their names, what cannot be put together."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.errors import PlanError, ReferenceFailed, UnknownColumn, WrongType
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.english import say_generally, say_plan
from jupyter_mcpgen.plan.explain import rows_behind
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.rewrite import rewrite
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.shape import generalise, shape_key
from tests.engines import arguments_of, run_duckdb, run_pandas
from tests.plans import group, plan_of, schema_of, sort, steps_of, table_of, typed, where
from tests.second_tables import join, plan_over, summary, union, way_of

CASES = Path(__file__).parents[2] / "cases" / "two_tables" / "rows.toml"
ORDERS = schema_of({"order": "integer", "customer_id": "integer", "amount": "real", "name": "text"})
CUSTOMERS = schema_of({"customer_id": "integer", "name": "text", "country": "text"})


@dataclass(frozen=True)
class Case:
    """Two tables, a plan over them and the rows expected."""

    promise: str
    frame: pd.DataFrame
    other: pd.DataFrame
    plan: Plan
    expected: pd.DataFrame


def cases() -> list[Case]:
    return [_case(entry) for entry in tomllib.loads(CASES.read_text(encoding="utf-8"))["case"]]


def _case(entry: dict[str, object]) -> Case:
    frame, schema = table_of(entry["first"])
    other, other_schema = table_of(entry["other"])
    plan = plan_over("first", way_of(entry["second"])(schema, other_schema), *steps_of(entry.get("steps", ())))
    return Case(entry["promise"], frame, other, plan, _drawn(entry["result"], plan.result_schema))


def _drawn(text: str, schema: Schema) -> pd.DataFrame:
    header, *lines = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    assert header == list(schema.names)
    return pd.DataFrame({n: typed([line[i] for line in lines], schema.type_of(n)) for i, n in enumerate(header)})


def _generalised(plan: Plan, frame: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    shape = generalise(plan)
    return run_pandas(shape.plan, frame, arguments_of(shape), other)


def _pandas(plan: Plan, frame: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    return run_pandas(plan, frame, other=other)


@pytest.mark.parametrize("engine", [_pandas, run_duckdb, _generalised], ids=["pandas", "duckdb", "parameters"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.promise)
def test_two_tables_give_the_rows_that_an_expert_expects(
    case: Case, engine: Callable[[Plan, pd.DataFrame, pd.DataFrame], pd.DataFrame]
) -> None:
    result = engine(case.plan, case.frame, case.other)

    assert first_difference(result, case.expected) is None, f"\n{result}"


@pytest.mark.parametrize(
    ("relation", "side"), [("many_to_one", "second"), ("one_to_many", "first"), ("one_to_one", "second")]
)
def test_a_key_that_repeats_rows_is_an_error_in_both_computations(relation: str, side: str) -> None:
    frame, schema = table_of("k integer | a integer\n1 | 2\n1 | 3")
    plan = plan_over("first", join("other", "k", relation=relation)(schema, schema))
    one = frame.head(1)
    repeated = (frame, one) if side == "first" else (one, frame)

    with pytest.raises(ValueError, match="not unique"):
        run_pandas(plan, repeated[0], other=repeated[1])
    with pytest.raises(ReferenceFailed, match=f"several rows of the {side} table"):
        run_duckdb(plan, *repeated)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: join("customers", "custmer_id")(ORDERS, CUSTOMERS), UnknownColumn, "Did you mean `customer_id`"),
        (lambda: join("customers", "customer_id = contry")(ORDERS, CUSTOMERS), UnknownColumn, "Did you mean `country`"),
        (lambda: join("customers", "customer_id = name")(ORDERS, CUSTOMERS), WrongType, "they cannot be equal"),
        (lambda: join("c", "customer_id", "customer_id = customer_id")(ORDERS, CUSTOMERS), PlanError, "twice"),
        (
            lambda: join("c", "customer_id", how="anti", relation="many_to_one")(ORDERS, CUSTOMERS),
            PlanError,
            "repeats no row",
        ),
        (
            lambda: union("march")(ORDERS, schema_of({"order": "text"})),
            WrongType,
            "`order` is integer in one table and text in `march`",
        ),
        (lambda: union("march")(ORDERS, schema_of({"day": "date"})), PlanError, "no column name in common"),
        (
            lambda: summary("orders", "customer_id", of=("sum amont",))(CUSTOMERS, ORDERS),
            UnknownColumn,
            "Did you mean `amount`",
        ),
        (lambda: summary("orders", "customr_id", of=("count",))(CUSTOMERS, ORDERS), UnknownColumn, "customer_id"),
        (lambda: summary("orders", "name", of=("mean name",))(CUSTOMERS, ORDERS), WrongType, "has no mean"),
        (lambda: summary("orders", "name = amount", of=("count",))(CUSTOMERS, ORDERS), WrongType, "cannot be equal"),
        (lambda: summary("orders", "name", of=("count", "count"))(CUSTOMERS, ORDERS), PlanError, "named `count`"),
    ],
)
def test_what_cannot_be_put_together_is_refused_with_the_reason(
    make: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        make()


def test_a_name_that_two_columns_would_get_is_refused() -> None:
    second = join("customers", "customer_id")(schema_of({"customer_id": "integer", "n": "text", "n_customers": "text"}),
                                              schema_of({"customer_id": "integer", "n": "text"}))  # fmt: skip

    with pytest.raises(PlanError, match="Two columns are named `n_customers`"):
        plan_over("orders", second)


def test_a_plan_whose_columns_do_not_follow_from_its_tables_is_refused() -> None:
    second = join("customers", "customer_id")(ORDERS, CUSTOMERS)

    with pytest.raises(PlanError, match="follow from both"):
        Plan(source="orders", source_schema=ORDERS, second=second)


@pytest.mark.parametrize(
    ("way", "said", "family"),
    [
        (
            join("customers", "customer_id", relation="many_to_one"),
            "sum of amount by name, over orders joined with customers by customer_id, all rows of orders kept",
            "sum of a column by groups, over a table joined with a second one",
        ),
        (
            join("customers", "order = customer_id", how="inner"),
            "sum of amount by name, over orders joined with customers by order = customer_id, only rows with a match",
            "sum of a column by groups, over the rows of a table joined with their matches in a second one",
        ),
        (
            join("customers", "customer_id", how="anti"),
            "sum of amount by name, over orders without a match in customers by customer_id",
            "sum of a column by groups, over the rows that have no match in a second table",
        ),
        (
            union("customers"),
            "sum of amount by name, over orders and customers below each other",
            "sum of a column by groups, over two tables below each other",
        ),
        (
            summary("customers", "customer_id", of=("count", "max country")),
            "sum of amount by name, over orders with number of rows and largest country in customers by customer_id",
            "sum of a column by groups, each row with figures of the rows of a second table that have its key",
        ),
    ],
)
def test_a_plan_says_which_tables_it_works_on(way: object, said: str, family: str) -> None:
    plan = plan_over("orders", way(ORDERS, CUSTOMERS), group("name", "sum amount"))

    assert (say_plan(plan), say_generally(plan)) == (said, family)


def test_the_code_is_the_merge_that_an_analyst_writes() -> None:
    plan = plan_over(
        "orders", join("customers", "customer_id", relation="many_to_one")(ORDERS, CUSTOMERS), group("country", "count")
    )

    assert emit_pandas(plan) == (
        "matches = other.dropna(subset=['customer_id'])\n"
        "joined = df.merge(matches, how=\"left\", on='customer_id', suffixes=(\"\", '_customers'), "
        'validate="many_to_one")\n'
        "return (joined.groupby(['country'], observed=True).size().reset_index(name='count'))"
    )


def test_tools_for_other_tables_and_keys_are_of_one_family() -> None:
    stock = schema_of({"part": "text", "weight": "real"})
    parts = schema_of({"code": "text", "maker": "text"})
    by_country = plan_over(
        "orders",
        join("customers", "order = customer_id", relation="many_to_one")(
            schema_of({"order": "integer", "amount": "real"}), CUSTOMERS
        ),
        group("country", "sum amount"),
    )
    by_maker = plan_over(
        "stock", join("parts", "part = code", relation="many_to_one")(stock, parts), group("maker", "sum weight")
    )
    shape = generalise(by_country)

    assert shape_key(shape) == shape_key(generalise(by_maker))
    bound = shape.bind(arguments_of(generalise(by_maker)), stock, parts)
    assert emit_duckdb(bound) == emit_duckdb(by_maker)
    assert shape_key(shape) != shape_key(generalise(plan_of({"a": "text", "b": "real"}, group("a", "sum b"))))


def test_the_rows_behind_a_figure_are_those_of_the_joined_table() -> None:
    frame, schema = table_of("customer_id integer | amount integer\n1 | 5\n2 | 7\n1 | 1")
    other, other_schema = table_of("customer_id integer | country text\n1 | Peru\n2 | Chad")
    plan = plan_over("orders", join("customers", "customer_id")(schema, other_schema), group("country", "sum amount"))

    behind = run_duckdb(rows_behind(plan, {"country": "Peru", "sum_amount": 6}), frame, other)

    assert behind.to_dict("list") == {"customer_id": [1, 1], "amount": [5, 1], "country": ["Peru", "Peru"]}


def test_rewriting_leaves_the_second_table_in() -> None:
    second = join("customers", "customer_id")(ORDERS, CUSTOMERS)
    plan = plan_over("orders", second, group("country", "sum amount"), where("country", "==", "Peru"))

    assert rewrite(plan).second == second
    assert rewrite(plan) != plan


FIGURES = summary("orders", "customer_id", of=("count = orders", "sum amount"), relation="one_to_one")


def test_figures_of_a_second_table_are_grouped_then_merged_as_an_analyst_writes_it() -> None:
    plan = plan_over("customers", FIGURES(CUSTOMERS, ORDERS), sort("sum_amount desc"))

    assert emit_pandas(plan) == (
        "groups = (other.groupby(['customer_id'], observed=True))\n"
        "summary = (pd.DataFrame({'orders': groups.size(), 'sum_amount': groups['amount'].sum(min_count=1)})"
        ".reset_index())\n"
        "joined = df.merge(summary, how=\"left\", on='customer_id', validate=\"one_to_one\", indicator='found')\n"
        "return (joined.fillna({'orders': 0}).astype({'orders': \"int64\"})"
        ".assign(sum_amount=joined['sum_amount'].mask(joined['found'] == \"left_only\", 0)).drop(columns='found')"
        ".sort_values('sum_amount', ascending=False, kind=\"stable\", ignore_index=True))"
    )


def test_a_first_table_that_repeats_a_key_is_an_error_where_figures_must_count_once() -> None:
    frame, schema = table_of("k integer | a integer\n1 | 2\n1 | 3")
    plan = plan_over("first", summary("other", "k", of=("count",), relation="one_to_one")(schema, schema))

    with pytest.raises(ValueError, match="not unique"):
        run_pandas(plan, frame, other=frame)
    with pytest.raises(ReferenceFailed, match="several rows of the first table"):
        run_duckdb(plan, frame, frame)


def test_a_tool_for_figures_takes_other_columns_and_its_steps_follow_their_names() -> None:
    plan = plan_over(
        "customers", FIGURES(CUSTOMERS, ORDERS), where("sum_amount", ">", 5), group("country", "mean sum_amount")
    )
    trips = schema_of({"member": "integer", "km": "integer"})
    members = schema_of({"id": "integer", "town": "text"})
    arguments = {"key_column": "id", "other_key_column": "member", "other_value_column": "km", "filter_value": 5}
    shape = generalise(plan)

    bound = shape.bind(arguments | {"group_by_columns": ["town"]}, members, trips)

    assert say_plan(bound) == (
        "mean of sum_km by town, where sum_km is greater than 5, over customers with number of rows and sum of km in "
        "orders by id = member"
    )
    assert shape_key(generalise(bound)) == shape_key(shape)
    riders, _ = table_of("id integer | town text\n1 | Lund\n2 | Lund\n3 | Ystad")
    ridden, _ = table_of("member integer | km integer\n1 | 4\n1 | 3\n2 | 9\n3 | 1")
    called = run_pandas(shape.plan, riders, arguments | {"group_by_columns": ["town"]}, ridden)
    assert first_difference(called, run_duckdb(bound, riders, ridden)) is None
    assert called.to_dict("list") == {"town": ["Lund"], "mean_sum_km": [8.0]}


def test_the_rows_behind_a_figure_of_a_second_table_are_its_rows() -> None:
    schema = schema_of({"id": "real", "town": "text"})
    loans, other_schema = table_of("member integer | days integer\n1 | 5\n2 | 7\n1 | —\n— | 4")
    way = summary("loans", "id = member", of=("count", "sum days"))
    plan = plan_over("members", way(schema, other_schema), sort("count desc"))

    def behind(row: dict[str, object], column: str | None) -> list[object]:
        found = rows_behind(plan, row, column)
        assert (found.source, found.second) == ("loans", None)
        days = run_duckdb(found, loans)["days"]
        return [*days.dropna().tolist(), len(days)]

    assert behind({"id": 1.0, "town": "Lund", "count": 2, "sum_days": 5}, "count") == [5, 2]
    assert behind({"id": 1.0, "town": "Lund", "count": 2, "sum_days": 5}, "sum_days") == [5, 1]
    assert behind({"id": None, "town": "Lund", "count": 0, "sum_days": 0}, None) == [0]
    with pytest.raises(PlanError, match="`town` is a value of the row itself"):
        rows_behind(plan, {"id": 1.0, "town": "Lund"}, "town")
    with pytest.raises(PlanError, match="does not show `id`"):
        rows_behind(plan, {"town": "Lund", "count": 2}, "count")
