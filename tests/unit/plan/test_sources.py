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
from tests.plans import group, plan_of, schema_of, steps_of, table_of, typed, where
from tests.second_tables import join, plan_over, union, way_of

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
        "return (joined.groupby(['country'], observed=True).size().reset_index(name=\"count\"))"
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
