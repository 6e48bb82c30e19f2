"""`eval` answers a stream of questions in the fields that `bench/score.py` reads, and no line ends the stream."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.cli.evaluate import evaluate

FIELDS = [
    *("id", "status", "answer", "columns", "rows", "fields", "chart", "reading", "alternatives"),
    *("message", "missing"),
]
KILNS = "kiln,glaze,pots,price\nEast,blue,4,9.5\nWest,green,7,8.0\nEast,green,2,12.5\n"
SHELVES = "shelf,books\nA,12\nB,30\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kilns.csv").write_text(KILNS)
    (tmp_path / "shelves.csv").write_text(SHELVES)
    return tmp_path


def predicted(folder: Path, *lines: object, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Answer lines, each a record or a text, and return the predictions."""
    asked = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    written = io.StringIO()
    assert evaluate(["--tables", str(folder), *options], io.StringIO(asked), written) == 0
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_an_answer_has_the_figures_of_the_groups_and_the_whole_table(folder: Path) -> None:
    (told,) = predicted(folder, {"id": 1, "question": "total pots by kiln", "table": "kilns.csv"})

    assert list(told) == FIELDS
    assert told == {
        "id": 1,
        "status": "answered",
        "answer": [7, 6],
        "columns": ["kiln", "sum_pots"],
        "rows": [["West", 7], ["East", 6]],
        "fields": ["kiln", "pots"],
        "chart": "bar",
        "reading": "sum of pots by kiln, largest first",
        "alternatives": [],
        "message": told["message"],
        "missing": None,
    }
    assert told["message"] == "Calculation checked: pandas and SQL agree. 3 of 3 rows used. 13 = column total."


def test_what_is_asked_back_and_refused_has_no_answer(folder: Path) -> None:
    asked, refused = predicted(
        folder,
        {"id": "a", "question": "how much by glaze", "table": "kilns.csv"},
        {"id": "b", "question": "average profit by kiln", "table": "kilns.csv"},
    )

    assert [list(asked), list(refused)] == [FIELDS, FIELDS]
    assert (refused["id"], refused["status"], refused["answer"], refused["rows"]) == ("b", "refused", None, None)
    assert asked["answer"] is None


@pytest.mark.soak
def test_the_best_reading_is_given_where_that_is_asked_for(folder: Path) -> None:
    (told,) = predicted(
        folder, {"id": 1, "question": "average profit by kiln", "table": "kilns.csv"}, options=("--force-best",)
    )

    assert (told["status"], told["rows"] is None) == ("refused", False)


@pytest.mark.soak
def test_a_table_that_is_not_there_leaves_the_questions_after_it_answered(folder: Path) -> None:
    told = predicted(
        folder,
        {"id": 1, "question": "total pots", "table": "kilns.csv"},
        {"id": 2, "question": "total pots", "table": "lost.csv"},
        {"id": 3, "question": "total pots", "table": "kilns.csv"},
        {"id": 4, "question": "total books", "table": "shelves.csv"},
    )

    assert [(one["status"], one["answer"]) for one in told] == [
        ("answered", [13]),
        ("refused", None),
        ("answered", [13]),
        ("answered", [42]),
    ]


@pytest.mark.soak
def test_a_line_that_is_no_question_is_said_to_be_none(folder: Path) -> None:
    broken, bare, fine = predicted(
        folder, "not json", {"id": 2}, {"id": 3, "question": "sum of pots", "table": "kilns.csv"}
    )

    assert [list(broken), list(bare)] == [FIELDS, FIELDS]
    assert (broken["id"], bare["id"]) == (None, 2)
    assert (broken["status"], bare["message"]) == ("refused", "This line lacks `question`, `table`.")
    assert fine["answer"] == [13]


def test_other_readings_come_with_their_rows(folder: Path) -> None:
    (asked,) = predicted(folder, {"id": "a", "question": "how many kilns", "table": "kilns.csv"})

    assert asked["status"] == "ask"
    assert "2 ways" in asked["message"]
    assert [other["rows"] for other in asked["alternatives"]] == [[[2]], [[3]]]


@pytest.mark.soak
def test_a_question_that_no_row_answers_is_refused_as_it_is_by_ask(folder: Path) -> None:
    (refused,) = predicted(folder, {"id": 1, "question": "total pots where price above 50", "table": "kilns.csv"})

    assert (refused["status"], refused["rows"]) == ("refused", None)
    assert "`price` goes from 8 to 12.5" in refused["message"]
    assert refused["alternatives"][0]["rows"] == [[13]]


@pytest.mark.soak
def test_a_question_does_not_follow_the_one_before(folder: Path) -> None:
    first, second = predicted(
        folder,
        {"id": 1, "question": "total pots by kiln", "table": "kilns.csv"},
        {"id": 2, "question": "only green", "table": "kilns.csv"},
    )

    assert first["status"] == "answered"
    assert (second["columns"] or []) != ["kiln", "sum_pots"]
