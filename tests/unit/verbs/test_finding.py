"""A question names its table as a variable or a file, and what cannot be found is listed."""

from __future__ import annotations

import dask.dataframe as dd
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from jupyter_mcpgen.errors import UnknownData
from jupyter_mcpgen.verbs.finding import Found, column_names, find_table, find_tables, tables_in

SALES = pd.DataFrame({"region": ["N"]})


def _fails(part: pd.DataFrame) -> pd.DataFrame:
    raise AssertionError("nobody asked for these rows")


NEVER_COMPUTED = dd.from_pandas(SALES, npartitions=1).map_partitions(_fails, meta=SALES.head(0))


def test_tables_of_every_library_are_found_and_nothing_else() -> None:
    namespace = {
        "frame": SALES,
        "eager": pl.DataFrame({"a": [1]}),
        "lazy": pl.LazyFrame({"a": [1]}),
        "arrow": pa.table({"a": [1]}),
        "spread": dd.from_pandas(SALES, npartitions=1),
        "spread_series": dd.from_pandas(SALES["region"], npartitions=1),
        "series": SALES["region"],
        "number": 3,
        "library": pd,
        "kind": pd.DataFrame,
        "_hidden": SALES,
    }

    assert set(tables_in(namespace)) == {"frame", "eager", "lazy", "arrow", "spread"}


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (pd.DataFrame({"column_names": [1], 2: [3]}), ("column_names", "2")),
        (pl.DataFrame({"a": [1], "b": [2]}), ("a", "b")),
        (pa.table({"a": [1], "b": [2]}), ("a", "b")),
        (pl.LazyFrame({"a": [1]}), ()),
        (NEVER_COMPUTED, ("region",)),
    ],
    ids=["pandas", "polars", "arrow", "lazy", "dask"],
)
def test_the_names_of_columns_are_told_without_running_a_query(table: object, names: tuple[str, ...]) -> None:
    assert column_names(table) == names


def test_the_variable_that_the_question_names_is_taken() -> None:
    other = SALES.copy()

    found = find_table("total units in sales", None, {"sales": SALES, "other": other})

    assert found == Found("sales", SALES, "total units in sales")


def test_the_only_table_there_is_needs_no_name() -> None:
    assert find_table("total units", None, {"sales": SALES}).name == "sales"


@pytest.mark.parametrize(
    ("question", "path", "plain"),
    [
        ("average price in data/sales.csv by region", "data/sales.csv", "average price in sales by region"),
        ("average price in 'my sales 2024.csv'", "my sales 2024.csv", "average price in my_sales_2024"),
        ("rows of sales.parquet", "sales.parquet", "rows of sales"),
    ],
)
def test_a_path_is_taken_out_of_the_question(question: str, path: str, plain: str) -> None:
    assert find_table(question, None, {"other": SALES}) == Found(path, None, plain)


def test_the_option_outranks_the_question() -> None:
    found = find_table("total units in sales", "other", {"sales": SALES, "other": SALES})

    assert found.name == "other"


@pytest.mark.parametrize("data", [None, "slaes"])
def test_what_cannot_be_found_is_refused_with_what_there_is(data: str | None) -> None:
    with pytest.raises(UnknownData, match="`sales`"):
        find_table("total units", data, {"sales": SALES, "orders": SALES})


def test_a_question_about_no_table_in_particular_is_asked_for_one() -> None:
    with pytest.raises(UnknownData, match=r"You did not name a table\. Tables here: `sales`, `orders`\."):
        find_table("total units", None, {"sales": SALES, "orders": SALES})


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("total units in sales joined with stock", ("stock", "sales")),
        ("total units in sales", ("sales", None)),
        ("units in a.csv and b.csv combined", ("a.csv", "b.csv")),
        ("units in a.csv joined with stock", ("a.csv", "stock")),
    ],
)
def test_a_second_table_that_a_question_names_is_found_too(question: str, names: tuple[str, str | None]) -> None:
    found = find_tables(question, None, {"sales": SALES, "stock": SALES.copy()})

    assert (found.name, found.other.name if found.other is not None else None) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("number of products by town in orders joined with customers", {"customers", "orders"}),
        ("join orders with customers and count them by products", {"customers", "orders"}),
        ("customers without orders by products", {"orders", "customers"}),
        ("products, orders and customers", {"orders", "customers", "products"}),
    ],
)
def test_of_three_tables_the_two_that_are_joined_are_meant(question: str, names: set[str]) -> None:
    found = find_tables(question, None, dict.fromkeys(("orders", "customers", "products"), SALES))

    assert found.other is not None
    assert {found.name, found.other.name} <= names


def test_the_options_name_both_tables() -> None:
    tables = {"sales": SALES, "stock": SALES.copy()}

    found = find_tables("total units", "sales", tables, second="stock")

    assert (found.name, found.other) == ("sales", Found("stock", tables["stock"], ""))


def test_a_question_that_names_no_table_goes_on_with_both() -> None:
    tables = {"sales": SALES, "stock": SALES.copy()}

    goes_on = find_tables("now by month", None, tables, "sales", "stock")
    another = find_tables("how many rows in sales", None, tables, "sales", "stock")

    assert goes_on.other == Found("stock", tables["stock"], "")
    assert another.other is None


def test_paths_of_two_files_are_taken_out_of_the_question() -> None:
    found = find_tables("units in data/a.csv and 'b c.csv' combined", None, {})

    assert (found.question, found.other) == ("units in a and b_c combined", Found("b c.csv", None, ""))
