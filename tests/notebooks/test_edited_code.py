"""The code of an answer in a notebook: given in the next cell, changed there, and answered by."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.notebooks.kernels import Run, kernel

FRAME = """import pandas as pd
boats = pd.DataFrame({"harbour": ["Ry", "Ry", "Ans"], "tons": [1.5, 2.5, 3.0]})"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, state: Path) -> Iterator[Run]:
    home = tmp_path_factory.mktemp("edited")
    own = {"MCPGEN_REGISTRY__PATH": str(home / "registry"), "JUPYTER_DATA_DIR": str(state)}
    with kernel({**os.environ, **own}, home) as running:
        running("%load_ext jupyter_mcpgen", FRAME)
        yield running


@pytest.mark.soak
def test_the_code_of_an_answer_is_given_in_the_next_cell_and_that_cell_answers_by_it(run: Run) -> None:
    run("answer = %mcpgen average tons by harbour in boats")
    run("cells = []", "get_ipython().set_next_input = lambda text, replace=False: cells.append(text)")
    told = run("%mcpgen edit mean_by_group")
    cell = run("print(cells[0])").strip()
    outputs = run.cell(cell.replace(".mean()", '.agg("mean")')).outputs
    live = run("%mcpgen approve")

    cards = [each.data[CARD_MIME] for each in outputs if CARD_MIME in each.get("data", {})]
    assert "Change the code and run it: in a notebook in the next cell" in told
    assert cell.startswith("%%mcpgen edit mean_by_group-")
    assert cards[-1]["sound"]
    assert '.agg("mean")' in cards[-1]["code"]
    assert "`mean_by_group` v1.0.0 is live" in live


def test_code_from_python_is_taken_the_same_way(run: Run) -> None:
    run("answer = %mcpgen largest tons by harbour in boats")

    edited = run("answer.edit(answer.to_edit.replace('.max()', '.agg(\"max\")')).df")

    assert "2.5" in edited
    assert "3.0" in edited
