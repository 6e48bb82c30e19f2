"""A tool that was kept, in a notebook: it verifies itself from Python, and `stats` counts what happened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebooks.kernels import Run, kernel

pytestmark = pytest.mark.soak  # `tests/flow/test_verify.py` has the promises for every face

FRAME = """import pandas as pd
import jupyter_mcpgen
from jupyter_mcpgen import tools
ferries = pd.DataFrame({"pier": ["Ost", "West", "Ost"], "cars": [14, 9, 21]})"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, state: Path) -> Iterator[Run]:
    """Return a kernel with the tool `cars_of`, one rejected answer, one call, and one call that failed."""
    home = tmp_path_factory.mktemp("kept")
    own = {"MCPGEN_REGISTRY__PATH": str(home / "registry"), "JUPYTER_DATA_DIR": str(state)}
    with kernel({**os.environ, **own}, home) as running:
        running("%load_ext jupyter_mcpgen", FRAME)
        assert "Nothing is counted yet. Ask a question first." in running("%mcpgen stats")
        running(
            "%mcpgen ask --name cars_of total cars by pier in ferries",
            "%mcpgen approve",
            "%mcpgen average cars by pier in ferries",
            "%mcpgen reject boats, not cars",
            "tools.cars_of(ferries)",
            "try:\n    tools.cars_of(ferries, value_column='trucks')\nexcept Exception:\n    print('failed')",
        )
        yield running


def test_a_tool_verifies_itself_on_the_frame_that_it_was_approved_for(run: Run) -> None:
    said = run("found = tools.cars_of.verify(ferries)\nprint(found.same, found.sentence)")

    assert "True Same answer on the same data: `cars_of` gives the same 2 rows." in said


def test_a_tool_says_what_differs_first_on_another_frame(run: Run) -> None:
    other = run("found = tools.cars_of.verify(ferries.assign(cars=[14, 9, 22]))\nprint(found.same, found.sentence)")
    shorter = run("print(tools.cars_of.verify(ferries.head(2)).sentence)")

    assert "False The data differ: some values differ." in other
    assert "The data differ: 2 rows now, 3 then." in shorter


def test_a_tool_verifies_itself_on_a_file_of_the_same_values(run: Run) -> None:
    said = run("ferries.to_csv('ferries.csv', index=False)\nprint(tools.cars_of.verify('ferries.csv').same)")

    assert "True" in said


def test_stats_count_answers_decisions_and_calls(run: Run) -> None:
    shown = run("%mcpgen stats")

    assert "| answers generated | 2 |" in shown
    assert "| approved | 1 |" in shown
    assert "| rejected | 1 |" in shown
    assert "| `cars_of` | 2 | 1 |" in shown
