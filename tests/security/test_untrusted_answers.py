"""What sandboxed code and hostile data say is never more than data on our side of the wall."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.pipeline.draft import Reused, Staged
from jupyter_mcpgen.pipeline.labels import titled
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.toolkit.charts import vega_lite_chart
from jupyter_mcpgen.verbs.deciding import approve
from jupyter_mcpgen.verbs.words import UsageError
from tests.products import new_runtime

SALES = pd.DataFrame({"image": ['x" onerror="alert(1)', "b"], "units": [3, 4], "price": [1.5, 2.5]})


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return new_runtime(tmp_path_factory.mktemp("untrusted"))


@pytest.fixture(scope="module")
def promoted(runtime: Runtime) -> str:
    """Promote the tool of one question and return its name."""
    outcome = runtime.ask("total units by image", runtime.reference("sales", SALES))
    assert isinstance(outcome, Staged)
    approve([outcome.card.card_id], runtime, Face.TERMINAL)
    return outcome.card.tool_name


def test_no_line_of_a_tooltip_is_called_what_vega_shows_as_a_picture() -> None:
    chart = vega_lite_chart(SALES, "bar", "image", "units")

    assert [line["title"] for line in chart["encoding"]["tooltip"]] == ["image (column)", "units"]


def test_the_chart_of_a_card_is_drawn_by_us_from_the_checked_table(runtime: Runtime, promoted: str) -> None:
    card = runtime.card(runtime.registry.tool(promoted).tool_id)

    assert card.chart is not None
    assert set(card.chart["data"]) == {"values"}
    drawn = vega_lite_chart(pd.DataFrame(card.table.rows, columns=card.table.columns), "bar", *card.table.columns)
    assert card.chart == titled(drawn, {"sum_units": "Sum of units"})
    assert [line["title"] for line in card.chart["encoding"]["tooltip"]] == ["image (column)", "Sum of units"]


@pytest.mark.parametrize("path", ["/", "/etc", "x" * 5000, "a\0b"])
def test_a_folder_or_a_name_that_is_no_file_is_never_granted(runtime: Runtime, promoted: str, path: str) -> None:
    answer = runtime.call_tool(promoted, {"file_path": path})

    assert answer.failed


def test_the_name_of_a_live_tool_is_not_a_note_for_another_card(runtime: Runtime, promoted: str) -> None:
    waiting = runtime.ask("average price by image", runtime.reference("sales", SALES))
    assert isinstance(waiting, Staged)

    with pytest.raises(UsageError, match=promoted):
        approve([promoted], runtime, Face.TERMINAL)

    assert [tool.name for tool in runtime.active()] == [promoted]


def test_a_tool_used_again_gives_its_whole_result(runtime: Runtime, promoted: str, tmp_path: Path) -> None:
    many = pd.DataFrame(
        {"kind": [f"k{number:04}" for number in range(500)], "weight_kg": [number % 7 for number in range(500)]}
    )

    outcome = runtime.ask("total weight_kg by kind", runtime.reference("many", many))

    assert isinstance(outcome, Reused)
    assert outcome.trial.result is not None
    assert len(outcome.trial.result) == 500
