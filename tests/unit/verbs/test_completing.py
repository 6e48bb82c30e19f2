"""What is offered after `%mcpgen`: all of it read from the commands, the variables, the files and the registry."""

from __future__ import annotations

from pathlib import Path

import dask.dataframe as dd
import pandas as pd
import polars as pl
import pytest

from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.verbs.commands import COMMANDS
from jupyter_mcpgen.verbs.completing import OFFERED, complete
from jupyter_mcpgen.verbs.names import LOOKED_AT, Names
from jupyter_mcpgen.verbs.places import alternatives, is_typed_so, places_of
from tests.builders import approval, approved, draft

NOTHING_TO_OFFER = {
    *("WORDS", "ROW", "NOTE", "REASON", "NUMBER", "LABEL", "TOKEN", "URL", "CODE", "BUILD", "--template TEMPLATE"),
    *("--key-env VARIABLE", "--port N", "--days N", "--output FILE", "--tables DIR", "--exclude GLOB"),
}
"""What only the person who types knows, or what a notebook has no use for."""
SALES = pd.DataFrame(
    {"region": ["North", "North West", "South"], "Unit Price": [1.5, 2.0, 3.0], "hidden name": ["a\x1b[0m", "b", "c"]}
)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Names:
    folder = tmp_path_factory.mktemp("place")
    (folder / "data").mkdir()
    (folder / "data" / "orders.csv").write_text("order,amount\n1,2\n")
    (folder / "notes.md").write_text("not a table")
    registry = Registry(folder / "registry")
    for made in (draft(tool_id="kept-01"), draft("mean_by_group", tool_id="waiting-02")):
        registry.stage(*made.parts)
    registry.promote("kept-01", approval(draft(tool_id="kept-01")), approved())
    variables = {"sales": SALES, "clients": pl.DataFrame({"client": ["Ada", "Grace"]}), "number": 3}
    return Names(variables, lambda: registry, folder)


def offered(text: str, names: Names) -> list[str]:
    return [one.text for one in complete(text, names).found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("appr", ["approve"]),
        ("--d", ["--data", "--delimiter", "--decimal", "--dates"]),
        ("ask --w", ["--with"]),
        ("ask --data ", ["sales", "clients", "data/", "registry/"]),
        ("ask --data data/", ["data/orders.csv"]),
        ("ask --data=sal", ["sales"]),
        ("ask --author pl", ["planner"]),
        ("approve ", ["waiting-02"]),
        ("approve --", ["--name", "--as-read", "--unchecked"]),
        ("show ", ["waiting-02", "sum_by_group"]),
        ("run ", ["sum_by_group"]),
        ("run sum_by_group ", ["column="]),
        ("run sum_by_group --data sales column=reg", ["region"]),
        ("explain 1 ", ["weather", "fatal"]),
        ("token ", ["list", "create", "revoke"]),
        ("token create x --scope ", ["call", "admin"]),
        ("consent mine al", ["allow", "always"]),
        ("connect cl", ["claude", "claude-code"]),
        ("option unsafe ", ["on", "off"]),
        ("help conf", ["config"]),
        ("starter count_", ["count_missing_values"]),
        ("model ", ["use", "test", "off"]),
        ("model use x ", []),
        ("average unit", ["Unit Price"]),
        ("average Unit Pri", ["Unit Price"]),
        ("average Unit Price by reg", ["region"]),
        ("Unit Price where region is north w", ["North West"]),
        ("Unit Price where region is Sou", ["South"]),
        ("clients where client is A", ["Ada"]),
        ("amount in data/orders.csv by ord", ["order"]),
        ("show sales where reg", ["region"]),
        ("sql SELECT reg", ["region"]),
    ],
)
def test_what_may_come_next_is_offered(text: str, expected: list[str], names: Names) -> None:
    assert offered(text, names) == expected


def test_what_only_a_terminal_does_is_not_offered(names: Names) -> None:
    assert "eval" not in offered("", names)
    assert {"--json", "--csv", "--output", "--save"} & set(offered("ask --", names)) == set()


def test_a_value_that_would_be_obeyed_by_a_terminal_is_not_offered(names: Names) -> None:
    assert offered("sales where hidden name is a", names) == []


def test_every_part_of_every_command_is_offered_or_known_to_be_free() -> None:
    left = set()
    for name, command in COMMANDS.items():
        places = places_of(command.usage)
        elements = {element for way in places.ways for element in way} - set(OFFERED)
        parts = {part for element in elements for part in alternatives(element) if not is_typed_so(part)}
        valued = {f"{option} {takes}" for option, takes in places.options.items() if takes}
        parts |= {part for part in valued if not all(map(is_typed_so, alternatives(part.split()[-1])))}
        left |= {part for part in parts if not {part, f"{name} {part}"} & set(OFFERED)}

    assert left == NOTHING_TO_OFFER


def test_no_more_than_the_first_rows_of_a_table_are_looked_at(names: Names) -> None:
    values = ["first"] * LOOKED_AT + ["later"]
    long = Names({"long": pd.DataFrame({"word": values})}, names.open_registry)

    assert offered("long where word is fir", long) == ["first"]
    assert offered("long where word is lat", long) == []


def test_a_lazy_table_is_not_run_for_its_values(names: Names) -> None:
    def fail(frame: object) -> object:
        raise AssertionError("the query ran")

    rows = pd.DataFrame({"about": ["x"]})
    lazy = pl.LazyFrame(rows).map_batches(fail)
    spread = dd.from_pandas(rows, npartitions=1).map_partitions(fail, meta=rows.head(0))

    assert offered("lazy where about is x", Names({"lazy": lazy}, names.open_registry)) == []
    assert offered("spread where about is x", Names({"spread": spread}, names.open_registry)) == []
    assert offered("spread where abo", Names({"spread": spread}, names.open_registry)) == ["about"]


def test_a_registry_that_cannot_be_opened_offers_nothing_of_it(tmp_path: Path) -> None:
    path = tmp_path / "registry"
    path.write_text("a file")

    assert offered("run ", Names({}, lambda: Registry(path))) == []
