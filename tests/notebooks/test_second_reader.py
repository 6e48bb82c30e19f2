"""A second reader in a notebook: the card is shown at once, and says later what the model read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.imitations.acts import says, silent
from tests.imitations.server import Act, Arrival, Imitation, Wire
from tests.notebooks.kernels import Run, kernel

FRAME = """import pandas as pd
looms = pd.DataFrame({"hall": ["N", "N", "S", "S", "S"], "metres": [12.0, 8.5, 6.0, 1.0, 9.25]})"""
ASKED = "total metres by hall in looms"
HUNG = "largest metres by hall in looms"
REPLY: dict[str, Any] = {
    "notes": "",
    "kind": "sql",
    "sql": "SELECT hall, sum(metres) AS s FROM looms GROUP BY hall",
    "reading": "metres by hall",
    "chart": None,
    "assumptions": [],
    "message": None,
    "options": [],
    "missing": [],
}


def when(text: str, other: str) -> Any:
    def asks(arrival: Arrival) -> bool:
        body = arrival.raw.decode()
        return arrival.method == "POST" and text in body and other not in body

    return asks


def once(released: Event, act: Act) -> Act:
    """Answer only when a test says so."""

    def wait(wire: Wire) -> None:
        released.wait(120)
        act(wire)

    return wait


@pytest.fixture
def released() -> Event:
    return Event()


@pytest.fixture
def server(released: Event) -> Iterator[Imitation]:
    hung = when("largest metres by hall", "total metres by hall")
    first = when("total metres by hall", "largest metres by hall")
    with Imitation(((hung, silent), (first, once(released, says(json.dumps(REPLY)))))) as imitation:
        yield imitation
        released.set()


@pytest.fixture
def run(tmp_path: Path, state: Path, server: Imitation) -> Iterator[Run]:
    own = {
        "MCPGEN_REGISTRY__PATH": str(tmp_path / "registry"),
        "MCPGEN_LLM__SECOND_READER": "true",
        "MCPGEN_LLM__CACHE": "false",
        "JUPYTER_DATA_DIR": str(state),
        "JUPYTER_CONFIG_DIR": str(tmp_path),
    }
    environment: Mapping[str, str] = {**os.environ, **own}
    with kernel(environment, tmp_path) as running:
        running("%load_ext jupyter_mcpgen", FRAME, f"%mcpgen model use {server.address} weaver-7b")
        yield running


@pytest.mark.soak
def test_the_card_is_there_before_the_model_answers_and_is_shown_again_when_it_has(run: Run, released: Event) -> None:
    shown = [each.data[CARD_MIME] for each in run.cell(f"%mcpgen {ASKED}").outputs if CARD_MIME in each.get("data", {})]

    released.set()
    run("import threading", "[each.join() for each in threading.enumerate() if each.name == 'mcpgen-second-reader']")

    assert [(card["status"], card["read_by"]) for card in shown] == [
        ("STAGED", "Read by the planner: is this what you meant?")
    ]
    again = [each.data for each in run.client.nb.cells[-3].outputs if CARD_MIME in each.get("data", {})]
    assert [data[CARD_MIME]["read_by"] for data in again] == [
        "Read the same way by two readers, the planner and the model."
    ]
    assert "two readers" in again[0]["text/html"]


@pytest.mark.soak
def test_a_kernel_closes_and_other_cells_run_while_a_model_says_nothing(run: Run, server: Imitation) -> None:
    server.begun.clear()

    run(f"%mcpgen {HUNG}")

    assert server.begun.wait(120)
    assert "STAGED" in str(run.client.nb.cells[-1].outputs)
    assert "is live" in run("%mcpgen approve")
    assert not server.gone.is_set()
    assert run.client.kc is not None
    run.client.kc.shutdown()
    assert server.gone.wait(120)
