"""A question in a real kernel: one output for all of its states, and an interrupt at any moment ends it whole."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.notebooks.kernels import Run, kernel

if TYPE_CHECKING:
    from nbformat import NotebookNode

ROWS = """import pandas as pd
sales = pd.DataFrame({"region": list("abcde") * 2000, "price": [n * 0.25 for n in range(10_000)]})"""
ASK = "%mcpgen median price by region in sales"
NEXT = "%mcpgen average price by region in sales"
STOPPED = ["Stopped. Nothing was saved; ask again when you want."]
# what is asked of the registry and of the folders of the kernel, after whatever was left alone has noticed
LOOK = """import threading, time
from jupyter_mcpgen.runtime import current
def left():
    threads = [thread.name for thread in threading.enumerate() if thread.name == "mcpgen-question"]
    folders = [path.name for path in current().workspace.iterdir()]
    return threads + [name for name in folders if name.startswith(("package-", "cases-"))]
end = time.monotonic() + 60
while left() and time.monotonic() < end:
    time.sleep(0.05)
print([card.status.value for card in current().registry.candidates()], current().registry.doctor().ok, left())"""
TIMES = 12
LASTS = 1.5
"""For about how many seconds the question is on its way."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, state: Path) -> Iterator[Run]:
    home = tmp_path_factory.mktemp("stopped")
    own = {"MCPGEN_REGISTRY__PATH": str(home / "registry"), "JUPYTER_DATA_DIR": str(state)}
    environment: Mapping[str, str] = {**os.environ, **own}
    with kernel(environment, home) as running:
        running("%load_ext jupyter_mcpgen", ROWS)
        yield running


def interrupted(run: Run, source: str, process: int, seconds: float) -> NotebookNode:
    """Run a cell and interrupt its kernel as the notebook's button does; returns the cell."""
    from nbclient.exceptions import CellExecutionError

    timer = threading.Timer(seconds, os.kill, (process, signal.SIGINT))
    timer.start()
    try:
        return run.cell(source)
    except CellExecutionError:
        return run.client.nb.cells[-1]
    finally:
        timer.join()


@pytest.mark.soak
def test_all_states_of_a_question_are_one_output_and_the_last_is_its_card(run: Run) -> None:
    (output,) = run.cell(NEXT).outputs

    assert output.data[CARD_MIME]["status"] == "STAGED"
    assert "mean of price by region" in output.data["text/plain"]
    run("%mcpgen reject")


@pytest.mark.soak
def test_interrupted_at_any_moment_it_ends_in_a_sentence_and_leaves_all_or_nothing(run: Run) -> None:
    process = int(run("import os; print(os.getpid())"))
    moments = random.Random(26)
    before = run(LOOK)

    for _ in range(TIMES):
        # a pause behind it, so that an interrupt that comes too late for the question meets the cell all the same
        asked = interrupted(run, f"{ASK}\nimport time; time.sleep({LASTS})", process, moments.uniform(0, LASTS))

        errors = [each for each in asked.outputs if each.output_type == "error"]
        shown = [each.data[CARD_MIME] for each in asked.outputs if CARD_MIME in each.get("data", {})]
        assert len(shown) <= 1
        if errors and errors[0].traceback == STOPPED:
            assert [each["state"] for each in shown] == ["stopped"]
            assert run(LOOK) == before
        else:  # it came too late
            assert [each["status"] for each in shown] == ["STAGED"]
            run("%mcpgen reject")
            before = run(LOOK)

    assert "STAGED" in str(run.cell(NEXT).outputs[0].data[CARD_MIME])


def test_a_question_from_python_is_ended_by_an_interrupt_as_well(run: Run) -> None:
    before = run(LOOK)
    run(
        "import os, threading, jupyter_mcpgen",
        "goes_on, hold = threading.Event(), lambda event: goes_on.wait() if event.kind == 'gate_finished' else None",
        "current().listeners.append(hold)",
    )
    process = int(run("print(os.getpid())"))

    asked = interrupted(run, "jupyter_mcpgen.ask('median price by region', sales)", process, LASTS)

    assert [each.traceback for each in asked.outputs] == [STOPPED]
    run("goes_on.set()", "current().listeners.remove(hold)")
    assert run(LOOK) == before


def test_a_command_that_is_interrupted_is_carried_out_to_its_end(run: Run) -> None:
    run("%mcpgen reject", ASK)
    process = int(run("import os; print(os.getpid())"))

    interrupted(run, "%mcpgen approve\nimport time; time.sleep(2)", process, 0.05)

    assert "['median_by_group'] True" in run(
        "import time\nfrom jupyter_mcpgen.runtime import current",
        "end = time.monotonic() + 60\nwhile not current().active() and time.monotonic() < end: time.sleep(0.05)",
        "print([tool.name for tool in current().active()], current().registry.doctor().ok)",
    )
