"""The notebooks run from top to bottom in a kernel of their own, as a reader and as a headless job run them."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.imitations.acts import always, says
from tests.imitations.server import Imitation
from tests.notebooks.kernels import SECONDS_PER_CELL, kernel, text_of

REPLY = {
    "notes": "",
    "kind": "sql",
    "sql": "SELECT oven, sum(burnt) AS lost FROM ovens GROUP BY oven ORDER BY lost DESC NULLS LAST",
    "reading": "burnt loaves by oven",
    "chart": None,
    "assumptions": [],
    "message": None,
    "options": [],
    "missing": [],
}

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]

    assert cells != []
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_quickstart_asks_approves_calls_reuses_refuses_and_takes_back(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    said = executed("quickstart.ipynb", environment, tmp_path)

    asked = said["%mcpgen average temp_max by weather in seattle"]
    assert "mean of temp_max by weather, largest first" in asked
    assert "Calculation checked: pandas and SQL agree." in asked
    assert "1,461 of 1,461 rows used" in asked
    assert "`mean_by_group` v1.0.0 is live" in said["%mcpgen approve both"]
    assert "mean_wind" in said["import jupyter_mcpgen"]
    assert "'version': '1.0.0'" in said["windy.attrs"]
    reused = said["%mcpgen average horsepower by origin in autos"]
    assert "Answered by your tool v1.0.0: tools.mean_by_group(" in reused
    assert "6 of the rows used have no `Horsepower`." in reused
    assert "4,426 = column total" in said["%mcpgen total precipitation by month in seattle_arrow"]
    assert "is rejected and archived" in said["%mcpgen reject"]
    assert "406 of 406 rows used" in said["%mcpgen how many cars are there by origin in {path}"]
    days = said["%mcpgen how many days are there by weather in seattle"]
    assert "Answered by your tool v1.0.0: tools.count_by_group(" in days
    assert "`fuel` is not a column or value of `autos`" in said["%mcpgen average fuel price"]
    before, after = said["%mcpgen list"].split("▢")
    assert "| `mean_by_group` | 1.0.0 |" in before
    assert "| `count_by_group` | 1.0.0 |" in before
    assert "`count_by_group` is no longer active" in said["%mcpgen undo count_by_group"]
    assert "| `count_by_group`" not in after


@pytest.mark.soak
def test_crashes_tells_deaths_from_deadly_crashes_and_substitutes_nothing(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    said = executed("crashes.ipynb", environment, tmp_path)

    deaths = said["%mcpgen how do fatal injuries vary by weather in crashes"]
    assert "389 = column total." in deaths
    assert "Calculation checked: pandas and SQL agree. 209,305 of 209,306 rows used." in deaths
    assert "1 row without `weather_condition` was left out." in deaths
    crashes = said["%mcpgen pick number of rows by weather_condition"]
    assert re.search(r"CLEAR +290\b", crashes)
    assert "351 of 209,306 rows used" in crashes
    assert "is rejected and archived" in said["%mcpgen reject people"]
    assert "389 = column total." in said["%mcpgen total fatal injuries by weather condition in crashes"]
    assert "`sum_by_group` v1.0.0 is live" in said["%mcpgen approve people"]
    devices = said["%mcpgen compare injuries by traffic control device in crashes"]
    assert "Answered by your tool v1.0.0: tools.sum_by_group(" in devices
    assert "80,105 = column total" in devices
    assert "389" in said["int(deaths"]
    assert "`profit` is not a column or value of `crashes`" in said["%mcpgen average profit"]
    asked = said["%mcpgen Run ANOVA"]
    assert "which number and groups?" in asked
    assert CARD_MIME not in asked
    refused = said["%mcpgen Cluster"]
    assert "cannot compute clusters" in refused
    assert CARD_MIME not in refused
    assert "Cluster crashes by damage" in said["import json"]
    assert "| `sum_by_group` | 1.0.0 |" in said["%mcpgen list"]


@pytest.mark.soak
def test_builds_hands_a_tool_on_and_checks_code(environment: Mapping[str, str], tmp_path: Path) -> None:
    said = executed("builds.ipynb", environment, tmp_path)

    exported = said["%mcpgen export plants_per_bed --to {folder}"]
    assert "Its tests pass in the sandbox." in exported
    assert "mcp_tool_plants_per_bed-1.0.0-py3-none-any.whl" in exported
    assert "plants_per_bed.py" in said["%mcpgen build script:plants_per_bed --to {folder}"]
    assert "'catalogue.html'" in said["import time"]
    assert "F401" in said["%mcpgen analyze {source}"]
    assert "return-value" in said["%mcpgen analyze {source}"]
    assert "**pass**: 4 of 4 gates passed" in said["%mcpgen gates {source} max_errors=1"]
    assert "+import math" in said["%mcpgen debug {program}"]


@pytest.mark.soak
def test_files_are_asked_taken_away_and_followed_by_next_months(environment: Mapping[str, str], tmp_path: Path) -> None:
    said = executed("files.ipynb", environment, tmp_path)

    assert "1 of the rows used has no `amount`." in said["answer = %mcpgen total amount by customer_id"]
    assert "140.0" in said["answer.df"]
    assert "pd.read_csv(" in said["print(answer.code)"]
    assert "over orders march joined with customers by customer_id" in said["cities = %mcpgen"]
    assert "Lund,140.0" in said["cities.df.to_csv"]
    assert "25.0" in said["april = folder"]
    assert "gives the same 3 rows" in said["%mcpgen verify"]
    assert "did you mean `amt`?" in said["%mcpgen run amount_per_customer"]
    assert "line 3 has 3 fields, the header has 2" in said["%mcpgen total a in"]


@pytest.mark.soak
def test_a_model_reads_what_the_planner_does_not_and_never_approves(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    with Imitation(((always, says(json.dumps(REPLY))),)) as server:
        named = {**environment, "MCPGEN_TOUR_MODEL": f"{server.address} baker-7b"}
        said = executed("models.ipynb", named, tmp_path)

    assert "which stove wrecks the most bread" in said["%mcpgen preview"]
    asked = said["answer = %mcpgen which stove"]
    assert "Calculation checked: pandas and SQL agree." in asked
    assert "Read by the model" in asked
    assert "--as-read" in said["%mcpgen approve"].split("▢")[0]
    assert "v1.0.0 is live" in said["%mcpgen approve --as-read"]
    assert "No language model" in said["%mcpgen model"]


@pytest.mark.soak
def test_a_tool_of_a_client_is_read_allowed_called_and_kept_as_it_was(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    said = executed("dynamic_tools.ipynb", environment, tmp_path)

    assert "offered by the AI client" in said["%mcpgen inbox"]
    assert said['async with client:\n    print("margin" in'].strip() == "False"
    assert "`margin` v1.0.0 is live" in said["%mcpgen consent {request} allow"]
    assert "{'margin': 0.25}" in said["async with client:\n    answer ="]
    assert "is declined" in said["%mcpgen consent {request} decline"]
    assert said["print(tools.margin"].strip() == "{'margin': 0.2}"


@pytest.mark.soak
def test_a_headless_run_ends_with_a_staged_card_that_says_how_to_decide_and_outlives_its_kernel(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    with kernel(environment, tmp_path) as run:
        run("%load_ext jupyter_mcpgen", SMALL)
        asked = run("%mcpgen total sales by region in shops")
        found = re.search(r"%mcpgen approve (sum_by_group-[0-9a-f]{8})", asked)
        assert found is not None
        # as a crash does: nothing in the kernel gets a chance to clean up
        os.kill(int(run("import os; os.getpid()").split()[0]), signal.SIGKILL)

    with kernel(environment, tmp_path) as run:
        run("%load_ext jupyter_mcpgen")
        shown = run(f"%mcpgen show {found[1]}")
        assert "60 = column total." in shown
        assert "`sum_by_group` v1.0.0 is live" in run(f"%mcpgen approve {found[1]}")
        run(SMALL)
        assert "north" in run("import jupyter_mcpgen; jupyter_mcpgen.tools.sum_by_group(shops, value_column='sales')")


SMALL = """import pandas as pd
shops = pd.DataFrame({"region": ["north", "north", "south"], "sales": [10, 20, 30]})"""


class Said(dict[str, str]):
    """What each cell printed, found by how its source begins; cells with the same source are joined by `▢`."""

    def __missing__(self, beginning: str) -> str:
        found = [text for source, text in self.items() if source.startswith(beginning)]
        assert len(found) == 1, f"{len(found)} cells begin with {beginning!r}"
        return found[0]


def executed(name: str, environment: Mapping[str, str], folder: Path) -> Said:
    """Run a notebook to its end and return what its cells printed; a cell that fails or hangs fails the test."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    client = NotebookClient(notebook, timeout=SECONDS_PER_CELL, resources={"metadata": {"path": str(folder)}})
    client.execute(env=dict(environment))
    said = Said()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            text = text_of(cell)
            said[cell.source] = f"{said[cell.source]}▢{text}" if cell.source in said else text
    return said
