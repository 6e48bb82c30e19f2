"""The pairs of `tests/cases/questions`: what is asked of a table, and what must come of it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import pandas as pd

from jupyter_mcpgen.data import demo
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan
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
    language: str = "en"
    notes: tuple[str, ...] = ()
    """Words that the assumptions beside the answer must hold."""
    fair: tuple[str, ...] = ()
    """Other readings that answer the question as well, judged one by one."""


@lru_cache(maxsize=1)
def pairs() -> tuple[Pair, ...]:
    """Return every pair, in the order of the files."""
    found = []
    for path in sorted(CASES.glob("*.toml")):
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in tree["pair"]:
            lists = {key: tuple(entry[key]) for key in ("asked", "refused", "notes", "fair") if key in entry}
            plain = {"language": tree.get("language", "en")} | {
                key: entry[key] for key in ("question", "reading", "chart") if key in entry
            }
            found.append(Pair(tree["table"], **plain, **lists))
    return tuple(found)


@cache
def frame(name: str) -> pd.DataFrame:
    """Return a table by name: of the cases, else of the demo."""
    path = CASES / "tables" / f"{name}.csv"
    return load_csv_data_with_types(str(path)) if path.exists() else getattr(demo, name)()


@cache
def table(name: str) -> Profile:
    """Return the profile of a table."""
    return profile(name, frame(name))


@cache
def understood(pair: Pair) -> Answered | Asked | Refused:
    """Return what comes of a pair's question; read once, as reading is alike every time."""
    return read(pair.question, table(pair.table), pair.language)


def said_one_after_the_other(name: str, *questions: str) -> Understanding:
    """Return what the last of several questions of a table means; those before it have answers."""
    earlier: tuple[str, Plan] | None = None
    for question in questions[:-1]:
        before = understand(question, table(name), "en", earlier)
        assert isinstance(before, Answered), before
        earlier = question, before.winner.plan
    return understand(questions[-1], table(name), "en", earlier)


def transcript(*tables: str) -> str:
    """Return each question about some tables, or all, with all that came of it, a line each; equal in every process."""
    asked = [pair for pair in pairs() if not tables or pair.table in tables]
    return "".join(f"{pair.table}: {pair.question} -> {_said(pair)}\n" for pair in asked)


def _said(pair: Pair) -> str:
    match understood(pair):
        case Answered(winner, alternatives):
            chips = [(chip.label, chip.cost, say_plan(chip.plan)) for chip in alternatives]
            return f"{say_plan(winner.plan)} {winner.plan.chart} {winner.cost} {winner.assumptions} {chips}"
        case Asked(question):
            return question
        case Refused(message, words):
            return f"{message} {words}"
