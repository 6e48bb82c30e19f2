"""`explain` leads from a figure on a card back to the rows of the data that it was computed from."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import PlanError, UnknownColumn
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.words import UsageError
from tests.products import ungated

SALES = """region,product,units,sold
North,tea,3,2024-01-05
South,tea,4,2024-01-09
North,coffee,1,2024-03-02
North,tea,2,2024-03-03
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explained")


@pytest.fixture(scope="module")
def runtime(place: Path) -> Runtime:
    """Return a product with one card on it: units by region and product."""
    built = ungated(place)
    (place / "sales.csv").write_text(SALES)
    asked = built.ask("pivot total units by region and product", built.reference(str(place / "sales.csv")))
    assert isinstance(asked, Staged)
    return built


def test_a_cell_leads_to_the_rows_behind_it(runtime: Runtime) -> None:
    said = perform(["explain", "1", "tea"], runtime, {})

    assert said.frame is not None
    assert said.frame["units"].tolist() == [3, 2]
    assert said.text == (
        "2 rows stand behind it: rows, where region is North and product is tea and units is not missing."
    )


def test_a_row_leads_to_all_the_rows_of_its_group(runtime: Runtime) -> None:
    card_id = runtime.registry.staged()[0].tool_id

    said = perform(["explain", card_id, "1"], runtime, {})

    assert said.frame is not None
    assert said.frame["units"].tolist() == [3, 1, 2]


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["9"], PlanError, "The result has 2 rows, so row `9` does not exist."),
        (["1", "tee"], UnknownColumn, "Did you mean `tea`"),
        ([], UsageError, "explain [ID] ROW [COLUMN]"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(
    runtime: Runtime, words: list[str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refusal:
        perform(["explain", *words], runtime, {})

    assert message in str(refusal.value)
