"""The completer of a real kernel and of a real IPython shell, as the Tab key asks it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

TABLE = "import pandas as pd; sales = pd.DataFrame({'region': ['North', 'South'], 'unit price': [1.5, 2.0]})"
ASKED = {
    "%mcpgen appr": ["approve"],
    "%mcpgen --da": ["--data", "--dates"],
    "%mcpgen average unit pr": ["unit price"],
    "y = %mcpgen average unit price by reg": ["region"],
    "%mcpgen rows in sales where region is Sou": ["South"],
    "%%mcpgen --data sales\naverage unit price\nby reg": ["region"],
    "%%mcpgen sql\nSELECT reg": ["region"],
    "import os\n%mcpgen help conn": ["connect"],
}
TERMINAL = f"""
import json, sys
from IPython.core.completer import provisionalcompleter
from IPython.terminal.interactiveshell import TerminalInteractiveShell
shell = TerminalInteractiveShell.instance()
shell.run_cell("%load_ext jupyter_mcpgen")
shell.run_cell({TABLE!r})
found = {{}}
with provisionalcompleter():
    for text in json.loads(sys.argv[1]):
        found[text] = [each.text for each in shell.Completer.completions(text, len(text))]
shell.run_cell("%unload_ext jupyter_mcpgen")
print(json.dumps([found, len(shell.Completer.custom_matchers)]))
"""


@pytest.fixture
def kernel(environment: dict[str, str], tmp_path: Path) -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="python3", env=environment, cwd=str(tmp_path))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(kernel: BlockingKernelClient, code: str) -> None:
    assert kernel.execute_interactive(code, output_hook=lambda message: None)["content"]["status"] == "ok"


def completed(kernel: BlockingKernelClient, code: str) -> tuple[list[str], str]:
    """Return what a kernel offers at the end of a cell, and the text that it would take the place of."""
    content = kernel.complete(code, len(code), reply=True, timeout=60)["content"]
    return content["matches"], code[content["cursor_start"] : content["cursor_end"]]


@pytest.mark.soak
def test_a_kernel_completes_commands_columns_and_values(kernel: BlockingKernelClient) -> None:
    run(kernel, "%load_ext jupyter_mcpgen")
    run(kernel, TABLE)

    assert {code: completed(kernel, code)[0] for code in ASKED} == ASKED
    assert completed(kernel, "%mcpgen average unit pr")[1] == "unit pr"  # the whole name takes its place
    assert "print" in completed(kernel, "pri")[0]  # what is ours leaves Python alone
    assert completed(kernel, "%%mcpgen edit some-01\nimport colle")[0] == ["collections"]


@pytest.mark.soak
def test_a_pending_answer_is_completed_by_its_id(kernel: BlockingKernelClient) -> None:
    run(kernel, "%load_ext jupyter_mcpgen")
    run(kernel, TABLE)
    run(kernel, "answer = %mcpgen average unit price by region in sales")
    run(kernel, "assert answer.card.card_id")

    (card_id,) = completed(kernel, "%mcpgen approve ")[0]

    run(kernel, f"assert answer.card.card_id == {card_id!r}")
    assert completed(kernel, f"%mcpgen adjust {card_id} calc")[0] == ["calculation="]
    run(kernel, f"%mcpgen approve {card_id}")
    (tool,) = completed(kernel, "%mcpgen unpublish ")[0]
    assert "group_by_columns=" in completed(kernel, f"%mcpgen run {tool} ")[0]


@pytest.mark.soak
def test_reload_ext_leaves_one_completer_and_unload_ext_none(kernel: BlockingKernelClient) -> None:
    count = "len(get_ipython().Completer.custom_matchers)"
    run(kernel, f"before = {count}")

    run(kernel, "%load_ext jupyter_mcpgen")
    run(kernel, "%reload_ext jupyter_mcpgen")
    run(kernel, f"assert {count} == before + 1")
    run(kernel, "%unload_ext jupyter_mcpgen")
    run(kernel, f"assert {count} == before")
    assert "approve" not in completed(kernel, "%mcpgen appr")[0]


@pytest.mark.soak
def test_a_terminal_completes_the_same(environment: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TERMINAL, json.dumps(list(ASKED))],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, **environment, "IPYTHONDIR": str(tmp_path / "ipython")},
    )

    found, left = json.loads(done.stdout.splitlines()[-1])
    assert found == ASKED
    assert left == 0
