"""A language model in a notebook: connected, asked with its progress shown, interrupted, and switched off."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.imitations.acts import says, silent
from tests.imitations.server import Arrival, Imitation
from tests.notebooks.kernels import Run, kernel

pytestmark = pytest.mark.soak  # `tests/flow/test_model_commands.py` has the promises in a terminal

FRAME = """import pandas as pd
ovens = pd.DataFrame({"oven": ["A", "A", "B", "B", "C"], "burnt": [1, 0, 5, 0, 2]})"""
FIRST = "which stove wrecks the most bread in ovens"
SECOND = "which stove wrecks the least bread in ovens"
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


def asks_first(arrival: Arrival) -> bool:
    return arrival.method == "POST" and FIRST in arrival.raw.decode() and SECOND not in arrival.raw.decode()


def asks_second(arrival: Arrival) -> bool:
    return arrival.method == "POST" and SECOND in arrival.raw.decode()


@pytest.fixture(scope="module")
def server() -> Iterator[Imitation]:
    with Imitation(((asks_second, silent), (asks_first, says(json.dumps(REPLY))))) as imitation:
        yield imitation


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, state: Path, server: Imitation) -> Iterator[Run]:
    home = tmp_path_factory.mktemp("modelled")
    own = {
        "MCPGEN_REGISTRY__PATH": str(home / "registry"),
        "JUPYTER_DATA_DIR": str(state),
        "JUPYTER_CONFIG_DIR": str(home),
    }
    environment: Mapping[str, str] = {**os.environ, **own}
    with kernel(environment, home) as running:
        running("%load_ext jupyter_mcpgen", FRAME, f"%mcpgen model use {server.address} baker-7b")
        yield running


def test_the_progress_of_a_request_is_shown_while_it_lasts_and_then_the_answer_in_its_place(run: Run) -> None:
    run(
        "from jupyter_mcpgen.lab import asking, showing",
        "said = []",
        """def show_again(display):
    said.append(display.asking.doing)
    showing.show_again(display)""",
        "asking.show_again = show_again",
    )

    (shown,) = run.cell(f"%mcpgen {FIRST}").outputs

    assert shown.data[CARD_MIME]["status"] == "STAGED"
    assert "Language model: asking `baker-7b` …" in run("print(said)")


def test_an_interrupted_question_ends_its_request_and_says_so_in_a_sentence(run: Run, server: Imitation) -> None:
    from nbclient.exceptions import CellExecutionError

    process = int(run("import os; print(os.getpid())"))
    server.begun.clear()

    def interrupt() -> None:
        server.begun.wait(60)
        os.kill(process, signal.SIGINT)

    threading.Thread(target=interrupt).start()

    with pytest.raises(CellExecutionError):
        run(f"%mcpgen {SECOND}")

    (error,) = [each for each in run.client.nb.cells[-1].outputs if each.output_type == "error"]
    assert error.traceback == ["Stopped. Nothing was saved; ask again when you want."]
    assert server.gone.wait(60)
    assert "wrecks the least" not in run("%mcpgen list")


def test_it_is_tried_and_switched_off(run: Run) -> None:
    said = run("%mcpgen model")
    off = run("%mcpgen model off", "%mcpgen model")

    assert "baker-7b" in said
    assert "No language model is set up" in off
