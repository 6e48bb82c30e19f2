"""What `snippets` prints can be typed and run, and `activity` tells what was decided."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.runtime import current
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.snippets import calls_of
from tests.products import own_place

SALES = "town,kind of shop,price\nNorth,book shop,3.5\nSouth,bakery,4.0\nNorth,bakery,2.5\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a folder with a table and two approved tools, one of them with a default that has blanks."""
    folder = tmp_path_factory.mktemp("snippets")
    (folder / "data.csv").write_text(SALES)
    with own_place(folder, gates=False):
        for words in ("ask --name price_of total price by town in data.csv", "approve"):
            assert main(words.split()) == 0
        assert main(["ask", "--name", "price_in", "total price by kind of shop in data.csv"]) == 0
        assert main(["approve", "enough", "checked"]) == 0
        yield folder


def test_a_call_is_typed_as_it_is_printed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = {each.label: each.text for each in calls_of(Registry(place / "registry").tool("price_of"))}

    assert typed["Command line"] == (
        "jupyter mcpgen run price_of --data data.csv value_column=price group_by_columns=town"
    )
    assert main(shlex.split(typed["Command line"])[2:]) == 0
    assert "North" in capsys.readouterr().out
    call = json.loads(typed["MCP"])
    answer = current().call_tool(
        call["params"]["name"], {**call["params"]["arguments"], "file_path": str(place / "data.csv")}
    )
    assert not answer.failed, answer.text


def test_a_default_that_cannot_be_typed_is_left_out_and_holds(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = {each.label: each.text for each in calls_of(Registry(place / "registry").tool("price_in"))}

    assert typed["Command line"] == "jupyter mcpgen run price_in --data data.csv value_column=price"
    assert "group_by_columns=['kind of shop']" in typed["Python"]
    assert main(shlex.split(typed["Command line"])[2:]) == 0
    assert "bakery" in capsys.readouterr().out


def test_the_commands_print_the_calls_and_what_was_decided(place: Path) -> None:
    told = perform(["snippets", "price_of"], current(), {}).text
    assert "tools.price_of(df, value_column='price', group_by_columns=['town'])" in told

    rows = perform(["activity", "price_in"], current(), {}).text.splitlines()[2:]

    assert [row.split(" | ")[1:3] for row in rows[:2]] == [
        ["live", "`price_in` 1.0.0"],
        ["approved", "`price_in` 1.0.0"],
    ]
    assert rows[0].endswith("enough checked |")
    assert all("price_of" not in row for row in rows)
