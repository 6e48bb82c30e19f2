"""Every pair in `tests/cases/questions` comes out as the analyst who wrote it expects."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan
from tests.unit.nl.questions import Pair, frame, pairs, understood

LARGE = frozenset({"crashes"})
EVERY = 6
"""Of the questions of a table every sixth is asked with every change, and the others are run apart."""


def _by_table() -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in sorted(pairs(), key=lambda pair: pair.table):
        found.setdefault(pair.table, []).append(pair)
    return found


def _parts(asked: dict[str, list[Pair]]) -> list[Any]:
    """Return the questions of each table in two parts."""
    parts = [pytest.param(name, found[::EVERY], id=name) for name, found in asked.items()]
    others = {name: [pair for n, pair in enumerate(found) if n % EVERY] for name, found in asked.items()}
    return parts + [pytest.param(n, o, id=f"{n} others", marks=pytest.mark.soak) for n, o in others.items() if o]


ASKED = _by_table()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "asked"), _parts(ASKED))
def test_every_question_is_read_asked_back_or_refused_as_an_analyst_expects(name: str, asked: list[Pair]) -> None:
    unlike = {pair.question: came for pair in asked if (came := _unlike(pair)) is not None}

    assert unlike == {}


def _unlike(pair: Pair) -> str | None:
    """Return what came of a question, where an analyst expects something else."""
    match understood(pair):
        case Answered(winner):
            chart = winner.plan.chart.kind.value if winner.plan.chart is not None else None
            said = say_plan(winner.plan)
            is_noted = all(note in " ".join(winner.assumptions) for note in pair.notes)
            is_alike = (said, chart) == (pair.reading, pair.chart) and is_noted
            return None if is_alike else f"read as: {said} (chart: {chart}; assumed: {winner.assumptions})"
        case Asked(question):
            is_alike = pair.asked is not None and all(word in question for word in pair.asked)
            return None if is_alike else f"asked back: {question}"
        case Refused(message):
            told = message.casefold()
            is_alike = pair.refused is not None and all(word.casefold() in told for word in pair.refused)
            return None if is_alike else f"refused: {message}"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "asked"), _parts({n: found for n, found in ASKED.items() if n not in LARGE}))
def test_what_is_read_computes_the_same_in_pandas_and_in_duckdb(name: str, asked: list[Pair]) -> None:
    engine = Engine(frame(name))
    try:
        for plan in _plans(asked):
            difference = first_difference(_run_pandas(plan, frame(name)), engine.table(plan))
            assert difference is None, say_plan(plan)
    finally:
        engine.close()


def _plans(asked: list[Pair]) -> list[Plan]:
    """Return the plans of all readings offered for some questions: answers, chips and options."""
    found: dict[str, Plan] = {}
    for pair in asked:
        match understood(pair):
            case Answered(winner, alternatives):
                readings = (winner, *alternatives)
            case Asked(_, options):
                readings = options
            case Refused(nearest=nearest):
                readings = (nearest,) if nearest is not None else ()
        found |= {say_plan(reading.plan): reading.plan for reading in readings}
    return list(found.values())


def _run_pandas(plan: Plan, df: pd.DataFrame) -> pd.DataFrame:
    body = "\n".join(f"    {line}" for line in emit_pandas(plan).splitlines())
    namespace: dict[str, object] = {"pd": pd}
    exec("\n".join(emit_imports(plan)), namespace)  # noqa: S102  the code under test
    exec(f"def analyze(df):\n{body}\n", namespace)  # noqa: S102  the code under test
    result: pd.DataFrame = namespace["analyze"](df)  # type: ignore[operator]
    return result
