"""A tool of the starter library in a real kernel, and then over a real MCP client: it is nobody's before `--yes`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from scipy import stats

from tests.notebooks.kernels import Run, kernel

PLANTS = (
    "import pandas as pd\nplants = pd.DataFrame({'height': [1.0, 2, 3, 7, 8, 9.5], 'kind': ['oak'] * 3 + ['elm'] * 3})"
)
ASKED = {"value_column": "height", "group_column": "kind", "first_group": "oak", "second_group": "elm"}
TABLE = "height,kind\n1.0,oak\n2,oak\n3,oak\n7,elm\n8,elm\n9.5,elm\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "plants.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def run(environment: dict[str, str], home: Path) -> Iterator[Run]:
    with kernel(environment, home) as running:
        running("%load_ext jupyter_mcpgen", PLANTS)
        yield running


def called_by_a_client(home: Path, state: str) -> tuple[set[str], str]:
    """Return what a client finds, and what it is answered where it calls the tool on a file of its own."""

    async def story() -> tuple[set[str], str]:
        arguments = ["-m", "jupyter_mcpgen.server", "--stdio", "--registry", str(home / "registry"), "--state", state]
        command = StdioServerParameters(
            command=sys.executable, args=arguments, cwd=home, env={**os.environ, "JUPYTER_DATA_DIR": state}
        )
        async with Client(stdio_client(command), cache=None) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            answer = await client.call_tool("run_t_test", {"file_path": str(home / "plants.csv"), **ASKED})
            return listed, answer.content[0].text

    return asyncio.run(asyncio.wait_for(story(), 120))


@pytest.mark.soak
def test_it_is_shown_then_installed_with_a_word_and_called_from_python_and_by_a_client(
    run: Run, home: Path, environment: dict[str, str]
) -> None:
    shown = run("%mcpgen starter run_t_test")
    assert "Nothing is installed yet." in shown
    assert "You have no tools yet." in run("%mcpgen list")

    assert "You approved and signed `run_t_test`" in run("%mcpgen starter run_t_test --yes")

    given = ", ".join(f"{name}={value!r}" for name, value in ASKED.items())
    assert "-6.166667" in run(f"from jupyter_mcpgen import tools\nprint(tools.run_t_test(plants, {given}).to_string())")
    listed, answer = called_by_a_client(home, environment["JUPYTER_DATA_DIR"])
    assert "run_t_test" in listed
    expected = stats.ttest_ind([1.0, 2, 3], [7, 8, 9.5], equal_var=False).pvalue
    assert f'"p_value": {expected:.8f}' in answer
