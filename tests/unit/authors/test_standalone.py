"""A tool runs on its own: its files in a folder, the real fastmcp, no package of ours, another process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.code import write_package
from jupyter_mcpgen.authors.contract import contract_of
from jupyter_mcpgen.authors.naming import tool_name
from jupyter_mcpgen.authors.reading_files import read_by
from jupyter_mcpgen.model.file_reading import FileReading
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.model.spec import DATA_PARAMETER
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape, generalise
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types
from tests.engines import run_duckdb
from tests.recorded import tool_files

ROWS = """state,weather,severity,deaths,rate,fatal,date
CA,Clear,3,0,1.5,false,2024-01-05
TX,Rain,4,1,2.25,true,2024-01-20
NY,Snow,4,2,,true,2024-02-01
CA,,5,0,0.5,false,2024-02-10
TX,Dense fog,3,1,4,true,2023-12-31
CA,Rain,4,3,1,true,2024-02-11
"""

LARGE = "CA,Clear,3,999999999999999999,1,true,2024-03-01\n"
"""Ten of these are more deaths than 64 bits hold."""

# blocks our own package, so that a tool that needs it fails here as it would elsewhere
RUNNER = """
import asyncio, json, sys, warnings
sys.modules["jupyter_mcpgen"] = None
warnings.simplefilter("error")
answers = {}
for name in json.loads(sys.argv[1]):
    sys.path.insert(0, name)
    for module in ("tool", "helpers"):
        sys.modules.pop(module, None)
    import tool
    function = getattr(tool, name)
    report = function(sys.argv[2])
    report.table.to_parquet(f"{name}.parquet", index=False)
    listed = asyncio.run(tool.mcp.list_tools())
    called = asyncio.run(tool.mcp.call_tool(name, {"file_path": sys.argv[2]}))
    bad = function(sys.argv[3])
    large = function(sys.argv[4])
    answers[name] = {
        "text": str(report),
        "failed": report.failed,
        "chart": report.details.get("chart"),
        "listed": [listing.name for listing in listed],
        "schema": listed[0].parameters,
        "called": called.content[0].text,
        "bad": str(bad),
        "bad_failed": bad.failed,
        "large": str(large),
        "large_failed": large.failed,
    }
    sys.path.remove(name)
print(json.dumps(answers))
"""


def shapes() -> dict[str, Shape]:
    return {tool_name(plan, frozenset()): generalise(plan) for plan in tool_files().values()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every recorded tool, a table, and a table that lacks its columns."""
    folder = tmp_path_factory.mktemp("tools")
    (folder / "table.csv").write_text(ROWS)
    (folder / "other.csv").write_text("a,b\n1,2\n")
    (folder / "large.csv").write_text(ROWS + LARGE * 10)
    for name, shape in shapes().items():
        (folder / name).mkdir()
        for file, text in write_package(contract_of(shape, name)).files.items():
            (folder / name / file).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, dict[str, Any]]:
    """Run all tools in one plain process."""
    names = json.dumps(list(shapes()))
    arguments = [names, *(str(folder / f"{table}.csv") for table in ("table", "other", "large"))]
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return answers


def reference(plan: Plan, folder: Path) -> pd.DataFrame:
    return run_duckdb(plan, load_csv_data_with_types(str(folder / "table.csv")))


@pytest.mark.parametrize("name", shapes())
def test_a_tool_gives_the_rows_of_the_reference(name: str, folder: Path, answers: dict[str, dict[str, Any]]) -> None:
    table = pd.read_parquet(folder / f"{name}.parquet")

    assert not answers[name]["failed"]
    assert first_difference(table, reference(shapes()[name].plan, folder)) is None


@pytest.mark.parametrize("name", shapes())
def test_a_tool_is_offered_over_mcp_with_its_own_schema(name: str, answers: dict[str, dict[str, Any]]) -> None:
    spec = contract_of(shapes()[name], name).spec

    assert answers[name]["listed"] == [name]
    assert answers[name]["called"] == answers[name]["text"]
    assert set(answers[name]["schema"]["properties"]) == set(spec.input_schema["properties"])
    assert answers[name]["schema"]["required"] == spec.input_schema["required"]


@pytest.mark.parametrize("name", shapes())
def test_a_table_without_the_columns_is_refused_with_their_names(name: str, answers: dict[str, dict[str, Any]]) -> None:
    assert answers[name]["bad_failed"]
    assert "`other.csv` has no column" in answers[name]["bad"]
    assert "Available columns: `a`, `b`" in answers[name]["bad"]


@pytest.mark.parametrize("name", shapes())
def test_a_total_beyond_64_bits_is_refused_and_never_wraps(name: str, answers: dict[str, dict[str, Any]]) -> None:
    adds_up = "sum" in name

    assert answers[name]["large_failed"] is adds_up
    assert ("`deaths` cannot be added up exactly" in answers[name]["large"]) is adds_up


@pytest.mark.parametrize("name", shapes())
def test_the_chart_shows_what_the_plan_says(name: str, answers: dict[str, dict[str, Any]]) -> None:
    chart = shapes()[name].plan.chart

    drawn = answers[name]["chart"]
    assert (drawn is None) == (chart is None)
    if chart is not None:
        assert set(drawn["data"]["values"][0]) == {n for n in (chart.x, chart.y, chart.color) if n is not None}


TOLD = """
import asyncio, json, sys
sys.modules["jupyter_mcpgen"] = None
import tool
path = sys.argv[1]
reports = [tool.sum_by_group(path), tool.sum_by_group(path, footer=2), tool.sum_by_group(path, header=None)]
called = asyncio.run(tool.mcp.call_tool("sum_by_group", {"file_path": path, "footer": None, "missing": []}))
print(json.dumps([*(str(each) for each in reports), called.content[0].text]))
"""


@pytest.mark.soak
def test_a_tool_reads_files_as_a_person_said_and_may_be_told_otherwise(tmp_path: Path) -> None:
    options = ReadOptions(delimiter=";", header=3, footer=1, missing=("Snow",))
    planned = contract_of(shapes()["sum_by_group"], "sum_by_group")
    for file, text in write_package(read_by(planned, {DATA_PARAMETER: FileReading(options=options)})).files.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    rows = "".join(f"{row.replace(',', ';')}\n" for row in ROWS.splitlines())
    (tmp_path / "told.csv").write_text(f"Crashes;2024\nclosed;\n{rows}closed;seen;0;90;0;true;2024-02-12\n")

    done = subprocess.run(
        [sys.executable, "-c", TOLD, "told.csv"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    told, shorter, elsewhere, called = json.loads(done.stdout)
    assert "Read as: semicolon-separated, UTF-8, header on line 3." in told
    assert ("| Rain | 4 |" in told, "Snow" in told, "| seen |" in told) == (True, False, False)
    assert "| Rain | 1 |" in shorter  # without the last row of the table as well
    assert "header on line 3" in elsewhere
    assert ("| Snow | 2 |" in called, "| seen | 90 |" in called) == (True, True)
