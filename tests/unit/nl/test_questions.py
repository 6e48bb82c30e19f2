"""Every pair in `tests/cases/questions` comes out as the analyst who wrote it expects."""

from __future__ import annotations

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


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: f"{pair.table}: {pair.question}")
def test_a_question_is_read_asked_back_or_refused_as_an_analyst_expects(pair: Pair) -> None:
    match understood(pair):
        case Answered(winner):
            chart = winner.plan.chart.kind.value if winner.plan.chart is not None else None
            assert (say_plan(winner.plan), chart) == (pair.reading, pair.chart)
            assert [note for note in pair.notes if note not in " ".join(winner.assumptions)] == []
        case Asked(question):
            assert pair.asked is not None, question
            assert [word for word in pair.asked if word not in question] == [], question
        case Refused(message):
            assert pair.refused is not None, message
            assert [word for word in pair.refused if word.casefold() not in message.casefold()] == [], message


@pytest.mark.parametrize("name", sorted({pair.table for pair in pairs()} - LARGE))
def test_what_is_read_computes_the_same_in_pandas_and_in_duckdb(name: str) -> None:
    engine = Engine(frame(name))
    try:
        for plan in _plans(name):
            difference = first_difference(_run_pandas(plan, frame(name)), engine.table(plan))
            assert difference is None, say_plan(plan)
    finally:
        engine.close()


def _plans(name: str) -> list[Plan]:
    """Return the plans of all readings offered for a table's questions: answers, chips and options."""
    found: dict[str, Plan] = {}
    for pair in pairs():
        if pair.table == name:
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
