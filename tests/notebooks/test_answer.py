"""The answer in a notebook: a card that is shown once, and a value that holds the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME, QUESTION_MIME
from tests.notebooks.kernels import Run, kernel

FRAMES = """import pandas as pd
stalls = pd.DataFrame({"town": ["Ry", "Ry", "Ans"], "fruit": ["plum", "pear", "plum"], "kilos": [1.5, 2.5, 3.0]})
many = pd.DataFrame({"crate": [f"c{n}" for n in range(1_000)], "kilos": [n * 1.25 for n in range(1_000)]})
prices = pd.DataFrame({"shop": ["A", "B"], "unit_price": [1.0, 2.0], "list_price": [3.0, 4.0]})"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, state: Path) -> Iterator[Run]:
    import os

    home = tmp_path_factory.mktemp("answers")
    own = {"MCPGEN_REGISTRY__PATH": str(home / "registry"), "JUPYTER_DATA_DIR": str(state)}
    environment: Mapping[str, str] = {**os.environ, **own}
    with kernel(environment, home) as running:
        running("%load_ext jupyter_mcpgen", FRAMES)
        yield running


def cards(run: Run, source: str) -> list[str]:
    """Return the status of each card that a cell shows."""
    outputs = run.cell(source).outputs
    assert [each.output_type for each in outputs if each.output_type == "error"] == [], outputs
    return [each.data[CARD_MIME]["status"] for each in outputs if CARD_MIME in each.get("data", {})]


def approved_in(run: Run, name: str) -> str:
    """Return the face that the approval of a tool names."""
    path = f"pathlib.Path(os.environ['MCPGEN_REGISTRY__PATH'], 'active/tools/{name}/approval.json')"
    return run("import json, os, pathlib", f"print(json.loads({path}.read_text())['face'])").strip()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "source",
    [
        "%mcpgen total kilos by town in stalls",
        "answer = %mcpgen average kilos by fruit in stalls",
        "answer",
        "display(answer)",
        "_",
        "import jupyter_mcpgen\njupyter_mcpgen.ask('highest kilos', stalls, data_name='stalls')",
        "last = %mcpgen lowest kilos in stalls\ndisplay(last)\nlast",
    ],
)
def test_the_card_is_shown_once_and_waits_for_a_decision(run: Run, source: str) -> None:
    run("answer = %mcpgen median kilos by town in stalls", "answer")

    assert cards(run, source) == ["STAGED"]


def test_the_value_of_a_bare_magic_is_the_answer(run: Run) -> None:
    run("%mcpgen total kilos by town in stalls")

    assert "Answer('sum of kilos by town" in run("print(repr(_))")
    assert "4.0" in run("_.df")


@pytest.mark.soak
def test_an_answer_has_every_row_and_its_code_runs_in_the_next_cell(run: Run) -> None:
    run("answer = %mcpgen total kilos by crate in many")

    assert "1000" in run("len(answer.df)")
    assert "Showing" in run("answer")
    checked = run(
        "space = {'many': many}\nexec(answer.code, space)\n"
        "pd.testing.assert_frame_equal(space['result'], answer.df, check_dtype=False)\n'the same'"
    )
    assert "the same" in checked
    assert "1000" in run("import duckdb\nlen(duckdb.sql(answer.sql).df())")
    assert "vega-lite" in run("answer.chart['$schema']")


def test_what_is_asked_back_or_refused_is_an_answer_that_says_what_to_do(run: Run) -> None:
    asked = run.cell("asked = %mcpgen average price by shop in prices").outputs
    assert [QUESTION_MIME in each.data for each in asked] == [True]
    assert "2" in run("len(asked.options)")
    assert "NoAnswer" in run("try:\n    asked.df\nexcept Exception as error:\n    print(type(error).__name__, error)")
    assert cards(run, "asked.pick(1)") == ["STAGED"]

    refused = run("refused = %mcpgen average profit by town in stalls", "refused.refusal")
    assert "profit" in refused
    assert "refused" in run("repr(refused)")


@pytest.mark.soak
def test_an_answer_is_approved_and_the_next_one_of_its_kind_shows_the_same_full_card(run: Run) -> None:
    run("answer = %mcpgen standard deviation of kilos by town in stalls")

    called = run("saved = answer.approve()", "saved(stalls, value_column='kilos')")
    assert "std_kilos" in called
    assert approved_in(run, "std_by_group") == "python"
    assert "std_kilos" in run("answer.tool(stalls)")
    assert "std_by_group" in run("dir(tools)")

    again = run.cell("again = %mcpgen standard deviation of kilos by fruit in stalls").outputs
    (card,) = [each.data[CARD_MIME] for each in again]
    assert (card["reused"], card["status"], card["tool_name"]) == (True, "PROMOTED", "std_by_group")
    assert card["evidence"] != []
    assert "pear" in run("again.explain(2)")
    assert "is no longer active" in run("%mcpgen undo std_by_group")


@pytest.mark.soak
def test_approve_and_reject_without_an_id_mean_the_latest_card_of_this_kernel(run: Run) -> None:
    run("%mcpgen total kilos by town in stalls", "%mcpgen lowest kilos by town in stalls")

    assert "`min_by_group` v1.0.0 is live" in run("%mcpgen approve")
    assert approved_in(run, "min_by_group") == "notebook"
    assert "`sum_by_group` is rejected" in run("%mcpgen reject not this one")


def test_variables_of_the_person_are_not_replaced(run: Run) -> None:
    run("tools = 'mine'", "%reload_ext jupyter_mcpgen")

    assert "mine" in run("tools")


@pytest.mark.soak
@pytest.mark.parametrize(
    "source",
    [
        "answer = %mcpgen sql SELECT town, sum(kilos) AS kilos FROM stalls WHERE fruit <> 'a  b' GROUP BY town",
        "%%mcpgen sql\n-- by town\nSELECT town, sum(kilos) AS kilos\nFROM stalls\nWHERE fruit <> 'a  b'\nGROUP BY town",
    ],
)
def test_a_select_over_a_variable_is_an_answer_and_its_texts_stay_as_they_are(run: Run, source: str) -> None:
    shown = run.cell(source)

    assert [each for each in shown.outputs if each.output_type == "error"] == []
    value = run("(answer if 'answer' in source else _).df.values.tolist()".replace("source", repr(source)))
    assert "['Ans', 3.0]" in value
    assert "['Ry', 4.0]" in value
