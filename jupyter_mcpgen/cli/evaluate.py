"""`jupyter mcpgen eval`: answers many questions in one process, without staging anything.

A question is one JSON line `{"id", "question", "table"}`, a prediction one JSON line with status, answer and rows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.references import file_ref, read_frame
from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.pipeline.material import table_name
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.verbs.words import split_options

MOST_ROWS = 10_000


def evaluate(words: Sequence[str], questions: IO[str] = sys.stdin, predictions: IO[str] = sys.stdout) -> int:
    """Answer every question of a stream: `eval [--tables DIR] [--language en|de] [--force-best]`."""
    typed = split_options(words, ("tables", "language"), ("force-best",))
    language = typed.options.get("language", "en")
    tables = _Tables(Path(typed.options.get("tables", ".")))
    for line in questions:
        if line.strip():
            prediction = _predict(line, tables, language, force_best="force-best" in typed.options)
            predictions.write(json.dumps(prediction, ensure_ascii=False, default=str) + "\n")
            predictions.flush()
    return 0


@dataclass
class _Tables:
    """The tables of a run; the last one is kept open, because questions come table by table."""

    folder: Path
    _name: str = ""
    _open: tuple[Profile, Engine] | None = field(default=None)

    def get(self, name: str) -> tuple[Profile, Engine]:
        """Return the profile and the engine of a table, loaded once for a run of questions."""
        if self._open is None or name != self._name:
            self._close()
            ref = file_ref(self.folder / name)
            frame = read_frame(ref)
            self._name, self._open = name, (profile(table_name(ref), frame), Engine(frame))
        return self._open

    def _close(self) -> None:
        """Let go of the table before, so that nothing is asked of it where the next one cannot be read."""
        if self._open is not None:
            self._open[1].close()
        self._open = None


@dataclass(frozen=True)
class _Question:
    """A question of the stream."""

    id: Any
    text: str
    table: str


@dataclass(frozen=True)
class _NoQuestion:
    """A line that is none, and why."""

    id: Any
    why: str


def _question(line: str) -> _Question | _NoQuestion:
    try:
        given = json.loads(line)
    except json.JSONDecodeError as error:
        return _NoQuestion(None, f"This line is no JSON: {error}.")
    told = given if isinstance(given, dict) else {}
    missing = [f"`{key}`" for key in ("id", "question", "table") if key not in told]
    if missing:
        return _NoQuestion(told.get("id"), f"This line lacks {', '.join(missing)}.")
    return _Question(told["id"], str(told["question"]), str(told["table"]))


def _predict(line: str, tables: _Tables, language: str, *, force_best: bool) -> dict[str, Any]:
    """Return what is written for a line: an answer, or an abstention that says why it is one."""
    question = _question(line)
    if isinstance(question, _NoQuestion):
        return _abstention(question.id, "refused", question.why)
    try:
        known, engine = tables.get(question.table)
        understood = understand(question.text, known, language)
        status, best, others = _best(understood)
        if best is None or (status != "answered" and not force_best):
            return _abstention(question.id, status, None, others)
        table = table_of(engine.table(best.plan), MOST_ROWS)
    except McpgenError as error:
        return _abstention(question.id, "refused", str(error))
    return {
        "id": question.id,
        "status": status,
        "answer": list(_answer(best.plan, table)),
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "chart": best.plan.chart.kind.value if best.plan.chart else None,
        "reading": say_plan(best.plan),
        "alternatives": [say_plan(other.plan) for other in others],
    }


def _abstention(given: Any, status: str, reading: str | None, others: Sequence[Reading] = ()) -> dict[str, Any]:
    """Return a prediction without an answer, in the fields that every prediction has."""
    return {
        "id": given,
        "status": status,
        "answer": None,
        "columns": None,
        "rows": None,
        "chart": None,
        "reading": reading,
        "alternatives": [say_plan(other.plan) for other in others],
    }


def _best(understood: Understanding) -> tuple[str, Reading | None, tuple[Reading, ...]]:
    match understood:
        case Answered(winner, alternatives):
            return "answered", winner, alternatives
        case Asked(_, options):
            return "ask", options[0] if options else None, options
        case Refused(nearest=nearest):
            return "refused", nearest, ()


def _answer(plan: Plan, table: Table) -> Iterator[Any]:
    """Yield the values of the column that answers: the figure of a total, the groups of a ranking, else the first."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    column = 0
    if aggregate is not None and aggregate.by.names and table.total_rows > 1:
        figure = aggregate.measures[0].name
        column = table.columns.index(figure) if figure in table.columns else 0
    return (row[column] for row in table.rows if row)
