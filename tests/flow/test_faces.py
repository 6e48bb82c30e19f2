"""The notebook, Python and the terminal say the same things: one story told in each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

SALES = pd.DataFrame(
    {"region": ["North", "South", "North", None], "units": [3, 4, 5, 6], "price": [1.5, 2.0, 2.5, 3.0]}
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faces")


@pytest.fixture(scope="module")
def shell(home: Path) -> Iterator[InteractiveShell]:
    """Load the extension into a plain IPython, over a registry of its own."""
    from jupyter_mcpgen import runtime

    patch = pytest.MonkeyPatch()
    patch.setenv("MCPGEN_REGISTRY__PATH", str(home / "registry"))
    patch.setenv("JUPYTER_DATA_DIR", str(home / "data"))
    runtime._built.cache_clear()
    shell = InteractiveShell()
    shell.user_ns["sales"] = SALES
    with capture_output():
        shell.run_line_magic("load_ext", "jupyter_mcpgen")
    yield shell
    runtime._built.cache_clear()
    patch.undo()


def say(shell: InteractiveShell, line: str, cell: str | None = None) -> str:
    """Run `%mcpgen …`, or `%%mcpgen …` over a cell, and return what it shows."""
    with capture_output() as shown:
        result = shell.run_line_magic("mcpgen", line) if cell is None else shell.run_cell_magic("mcpgen", line, cell)
    texts = [output.data.get("text/plain", "") for output in shown.outputs]
    return "\n".join([shown.stdout, *texts, "" if result is None else result.to_string()])


def test_the_story_in_a_notebook(shell: InteractiveShell) -> None:
    asked = say(shell, "total units by region in sales")
    assert "12 = total over the rows used" in asked
    assert "3 of 4 rows used, 1 without `region`" in asked

    approved = say(shell, "approve")
    assert "`sum_by_group` v1.0.0 is live" in approved

    assert "sum_by_group" in say(shell, "list")
    assert "You already have this" in say(shell, "total price by region in sales")

    from jupyter_mcpgen import tools

    assert "sum_by_group" in dir(tools)
    table = tools.sum_by_group(SALES, value_column="price")
    assert table.to_dict("list") == {"region": ["North", "South"], "sum_price": [4.0, 2.0]}
    assert table.attrs["mcpgen"]["version"] == "1.0.0"

    by_magic = say(shell, "run sum_by_group --data sales value_column=price group_by_columns=region")
    assert "sum_price" in by_magic

    assert "no longer active" in say(shell, "undo sum_by_group")
    assert "archived" in say(shell, "reject the region is wrong")
    assert "No tools are kept yet" in say(shell, "list")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("average profit by region in sales", "profit"),
        ("approve", "No card waits"),
        ("approve nothing-123", "nothing-123"),
        ("show nothing", "nothing"),
        ("run nothing --data sales", "No tool named `nothing`"),
        ("undo nothing", "No tool named `nothing`"),
        ("ask", "Ask a question"),
        ("serve --port many", "is no port"),
        ("total units in nowhere.csv", "nowhere.csv"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_traceback(shell: InteractiveShell, line: str, said: str) -> None:
    shown = say(shell, line)

    assert "**Not done.**" in shown
    assert said in shown
    assert "Traceback" not in shown


def test_a_cell_magic_takes_its_question_from_the_cell(shell: InteractiveShell) -> None:
    assert "largest price" in say(shell, "--data sales", "highest price\n").lower()

    say(shell, "reject")


def test_a_missing_tool_is_an_attribute_error_with_a_hint(shell: InteractiveShell) -> None:
    from jupyter_mcpgen import tools

    with pytest.raises(AttributeError, match="No tool named `sum_by_grop`"):
        _ = tools.sum_by_grop


def test_the_story_in_a_terminal(home: Path) -> None:
    SALES.to_csv(home / "sales.csv", index=False)
    environment = {
        **os.environ,
        "MCPGEN_REGISTRY__PATH": str(home / "terminal"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "COLUMNS": "200",
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())", *words]
        return subprocess.run(
            command, cwd=home, env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
        )

    asked = run("ask", "total units by region in sales.csv")
    assert asked.returncode == 0, asked.stderr
    assert "3 of 4 rows used" in asked.stdout

    approved = run("approve")
    assert "sum_by_group v1.0.0 is live" in approved.stdout

    called = run("run", "sum_by_group", "--data", "sales.csv", "value_column=price")
    assert "sum_price" in called.stdout

    unknown = run("ask", "average profit by region in sales.csv")
    assert unknown.returncode == 1
    assert "profit" in unknown.stderr

    mistyped = run("aprove")
    assert mistyped.returncode == 2
    assert "There is no command" in mistyped.stderr
