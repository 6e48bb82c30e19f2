"""What is built of a tool works where this product is not: installed, tested, called, served, with equal results."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from sysconfig import get_path
from typing import Any

import nbformat
import pandas as pd
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from nbclient import NotebookClient

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.runtime import Runtime, current
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.verbs.perform import perform
from tests.levels import needs
from tests.products import own_place
from tests.small_tools import SmallTool

pytestmark = [needs(ProgramSandbox().missing()), pytest.mark.timeout(600)]
SOON = 120.0
SALES = "town,kind,price,sold\nNorth,book,3.5,2024-01-05\nSouth,bakery,4.0,2024-01-09\nNorth,bakery,2.5,2024-02-01\n"
HELLO = SmallTool("hello", "return f'hello {name}'", {"type": "object", "properties": {"name": {"type": "string"}}})
TOOLS = ("price_of", HELLO.name)
"""One that gives a table, and one that gives a value."""
SAMPLES = Path(__file__).parents[2] / "registry_store" / "starter" / "samples"


@dataclass(frozen=True)
class Exported:
    """A folder with what was built of approved tools, and an environment where it is installed and this product not."""

    folder: Path
    runtime: Runtime

    @property
    def programs(self) -> Path:
        """The folder of the environment's commands."""
        return self.folder / "environment" / "bin"

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command to its end in the folder."""
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=SOON, check=False)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exported]:
    """Approve two tools, build everything of them, and install the wheels in a fresh environment."""
    folder = tmp_path_factory.mktemp("exported")
    with own_place(folder):
        (folder / "sales.csv").write_text(SALES)
        for line in ("ask --name price_of total price by town in sales.csv", "approve"):
            assert main(shlex.split(line)) == 0
        HELLO.promote(current().registry)
        yield installed(Exported(folder, current()), TOOLS)


def installed(exported: Exported, tools: Iterable[str]) -> Exported:
    """Build everything of tools, and install the wheels without network; how tests in a build end is told elsewhere."""
    for tool in tools:
        for kind in ("tool", "script", "notebook"):
            said = perform(["build", f"{kind}:{tool}", "--to", "dist", "--skip-tests"], exported.runtime, {})
            assert "The build is done." in said.text
    make_environment(exported.folder / "environment")
    options = ("--no-index", "--no-deps", "--quiet", "--disable-pip-version-check")
    wheels = map(str, sorted((exported.folder / "dist").glob("*.whl")))
    done = exported.run(exported.programs / "python", "-m", "pip", "install", *options, *wheels)
    assert done.returncode == 0, done.stderr
    return exported


def make_environment(folder: Path) -> None:
    """Make an environment that finds the packages installed here, but not this product: it is none of them."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=SOON)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "here.pth").write_text(f"{get_path('purelib')}\n")
    looked = [str(folder / "bin" / "python"), "-c", "import jupyter_mcpgen"]
    found = subprocess.run(looked, cwd=folder, capture_output=True, text=True, timeout=SOON, check=False)
    assert "ModuleNotFoundError" in found.stderr


@pytest.mark.soak
def test_the_tests_of_a_tool_pass_where_it_was_installed(exported: Exported) -> None:
    for tool in TOOLS:
        tested = exported.run(
            exported.programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", f"mcp_tool_{tool}"
        )
        assert tested.returncode == 0, tested.stdout
        assert " passed" in tested.stdout


def served(exported: Exported, tool: str, calls: list[Mapping[str, Any]]) -> tuple[Any, list[Any]]:
    """Return what a client lists and gets from the server of an installed tool."""

    async def story() -> tuple[Any, list[Any]]:
        program = exported.programs / f"mcp-tool-{tool.replace('_', '-')}-server"
        async with Client(StdioTransport(str(program), [], keep_alive=False), timeout=SOON) as client:
            (listed,) = await client.list_tools()
            return listed, [await client.call_tool(tool, dict(call), raise_on_error=False) for call in calls]

    return asyncio.run(story())


@pytest.mark.every_run("price_of")
@pytest.mark.parametrize("tool", TOOLS)
def test_its_server_gives_what_the_registry_gives(exported: Exported, tool: str) -> None:
    calls: Mapping[str, list[Mapping[str, Any]]] = {
        "price_of": [
            {"file_path": str(exported.folder / "sales.csv")},
            {
                "file_path": str(SAMPLES / "orders.csv"),
                "value_column": "units",
                "group_by_columns": ["region", "channel"],
            },
        ],
        "hello": [{"name": "Ada"}],
    }

    listed, answers = served(exported, tool, calls[tool])

    spec = exported.runtime.registry.tool(tool).spec
    assert (listed.name, listed.input_schema, listed.output_schema) == (tool, spec.input_schema, spec.output_schema)
    assert spec.description in listed.description
    for call, answer in zip(calls[tool], answers, strict=True):
        ours = exported.runtime.call_tool(tool, call)
        assert (answer.is_error, ours.failed) == (False, False)
        assert answer.structured_content == json.loads(json.dumps(ours.structured))
        assert answer.content[0].text == ours.text


@pytest.mark.soak
def test_its_server_refuses_what_does_not_fit_and_says_when_there_is_no_result(exported: Exported) -> None:
    missing = str(exported.folder / "nothing.csv")

    _, (unfit, unknown, failed) = served(exported, "price_of", [{}, {"file_path": "a", "x": 1}, {"file_path": missing}])

    assert [each.is_error for each in (unfit, unknown, failed)] == [True, True, True]
    assert "'file_path' is a required property" in unfit.content[0].text
    assert "'x' was unexpected" in unknown.content[0].text
    assert failed.content[0].text == exported.runtime.call_tool("price_of", {"file_path": missing}).text


@pytest.mark.soak
def test_command_and_script_give_the_rows_of_the_tool(exported: Exported) -> None:
    data = exported.folder / "sales.csv"
    expected = exported.runtime.run_tool(
        "price_of", exported.runtime.reference(str(data)), {"group_by_columns": ["kind"]}
    )
    asked = (str(data), "--group-by-columns", "kind")

    for program in ([exported.programs / "mcp-tool-price-of"], [sys.executable, "-I", "dist/price_of.py"]):
        done = exported.run(*program, *asked, "--format", "csv")
        assert (done.returncode, done.stderr) == (0, "")
        pd.testing.assert_frame_equal(pd.read_csv(StringIO(done.stdout)), expected, check_dtype=False)
        to_read = exported.run(*program, *asked)
        assert to_read.stdout.startswith("## ")
        assert "output_json" not in to_read.stdout
    failed = exported.run(exported.programs / "mcp-tool-price-of", "nothing.csv")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "There is no file `nothing.csv`" in failed.stderr


@pytest.mark.soak
def test_a_script_prints_the_value_of_a_tool_that_gives_no_table(exported: Exported) -> None:
    told = exported.run(sys.executable, "-I", "dist/hello.py", "--name", "Ada")
    as_json = exported.run(sys.executable, "-I", "dist/hello.py", "--name", "Ada", "--format", "json")

    assert (told.stdout, as_json.stdout) == ("hello Ada\n", '"hello Ada"\n')


def test_a_notebook_computes_the_table_and_draws_its_chart(exported: Exported) -> None:
    book = nbformat.read(exported.folder / "dist" / "price_of.ipynb", as_version=4)
    nbformat.validate(book)
    (values,) = [cell for cell in book.cells if cell.source.startswith("file_path = ")]
    values.source = values.source.replace("data.csv", "sales.csv")

    NotebookClient(book, timeout=SOON, resources={"metadata": {"path": str(exported.folder)}}).execute()

    table, chart = [output["data"] for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert re.findall(r"<td>(.*?)</td>", table["text/html"]) == ["North", "6.0", "South", "4.0"]
    assert next(iter(chart)).startswith("application/vnd.vegalite")
    assert "jupyter_mcpgen" not in "".join(cell.source for cell in book.cells)


@pytest.mark.soak
def test_the_source_archive_builds_to_the_same_modules(exported: Exported) -> None:
    made = exported.folder / "again"
    archive = exported.folder / "dist" / "mcp_tool_price_of-1.0.0.tar.gz"
    options = ("--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check")
    done = exported.run(exported.programs / "python", "-m", "pip", "wheel", *options, "-w", str(made), str(archive))

    assert done.returncode == 0, done.stderr
    ours, theirs = (
        {name: wheel.read(name) for name in wheel.namelist() if not name.split("/")[0].endswith(".dist-info")}
        for wheel in map(zipfile.ZipFile, (*(exported.folder / "dist").glob("mcp_tool_price_of*.whl"), *made.iterdir()))
    )
    assert ours == theirs


CALL = """
import json, sys
from importlib import import_module
name, arguments = sys.argv[1], json.loads(sys.argv[2])
module = f"mcp_tool_{name}"
value = getattr(import_module(f"{module}.tool"), name)(**arguments)
answer = import_module(f"{module}.answers").answer_of(value)
print(json.dumps(answer.structured))
"""


@pytest.mark.soak
def test_every_tool_of_the_library_works_elsewhere_as_it_does_here(tmp_path: Path) -> None:
    with own_place(tmp_path):
        runtime = current()
        perform(["starter", "all", "--yes", "--unchecked"], runtime, {})
        names = [tool.name for tool in runtime.active()]
        exported = installed(Exported(tmp_path, runtime), names)
        for name in names:
            files = runtime.registry.loaded(name)[1].files
            sample = SAMPLES / ("notes.csv" if "notes" in f"{files.get('written.json')}" else "orders.csv")
            given = {each.name: str(sample) for each in runtime.registry.tool(name).spec.parameters if each.required}
            tested = exported.run(exported.programs / "python", "-m", "pytest", "-q", "--pyargs", f"mcp_tool_{name}")
            called = exported.run(exported.programs / "python", "-c", CALL, name, json.dumps(given))
            script = exported.run(sys.executable, "-I", f"dist/{name}.py", *given.values(), "--format", "json")

            assert tested.returncode == 0, tested.stdout
            assert script.returncode == 0, script.stderr
            assert leaves(json.loads(called.stdout)) == leaves(runtime.call_tool(name, given).structured)


def leaves(value: Any) -> list[Any]:
    """Return the values of an answer without its text; another process may add numbers up in another order."""
    match value:
        case dict():
            kept = (key for key in sorted(value) if key != "result" or not isinstance(value[key], str))
            return [(key, leaf) for key in kept for leaf in leaves(value[key])]
        case list():
            return [leaf for each in value for leaf in leaves(each)]
        case float():
            return [pytest.approx(value, rel=1e-9, abs=1e-12)]
    return [value]
