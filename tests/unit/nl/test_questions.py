"""Every pair in `tests/cases/questions`: what is asked of a table, and what must come of it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from jupyter_mcpgen.data import demo
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types

CASES = Path(__file__).parents[2] / "cases" / "questions"


@dataclass(frozen=True)
class Pair:
    """A question about a table, with the reading, or the words that a question back or a refusal must name."""

    table: str
    question: str
    reading: str | None = None
    asked: tuple[str, ...] | None = None
    refused: tuple[str, ...] | None = None
    chart: str | None = None


def pairs() -> list[Pair]:
    found = []
    for path in sorted(CASES.glob("*.toml")):
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in tree["pair"]:
            lists = {key: tuple(entry[key]) for key in ("asked", "refused") if key in entry}
            found.append(Pair(tree["table"], entry["question"], entry.get("reading"), **lists, chart=entry.get("chart")))
    return found


@lru_cache(maxsize=16)
def table(name: str) -> Profile:
    path = CASES / "tables" / f"{name}.csv"
    frame = load_csv_data_with_types(str(path)) if path.exists() else getattr(demo, name)()
    return profile(name, frame)


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: f"{pair.table}: {pair.question}")
def test_a_question_is_read_asked_back_or_refused_as_an_analyst_expects(pair: Pair) -> None:
    understood = read(pair.question, table(pair.table))

    match understood:
        case Answered(winner):
            chart = winner.plan.chart.kind.value if winner.plan.chart is not None else None
            assert (say_plan(winner.plan), chart) == (pair.reading, pair.chart)
        case Asked(question):
            assert pair.asked is not None, question
            assert [word for word in pair.asked if word not in question] == [], question
        case Refused(message):
            assert pair.refused is not None, message
            assert [word for word in pair.refused if word.casefold() not in message.casefold()] == [], message
