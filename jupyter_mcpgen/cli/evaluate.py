"""`jupyter mcpgen eval`: answers many questions in one process, as `ask` does before it stages anything.

A question is one JSON line `{"id", "question", "table"}`, a prediction one JSON line with status, answer and rows.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from jupyter_mcpgen.errors import AskedBack, FoundNothing, McpgenError, NearlyUnderstood, NotUnderstood
from jupyter_mcpgen.model.intent import Alternative, Intent
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.pipeline.again import alternatives_of
from jupyter_mcpgen.pipeline.draft import Computed, Reused
from jupyter_mcpgen.pipeline.present import evidence_sentence
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.ops import Aggregate, ChartKind
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.settings import load_settings
from jupyter_mcpgen.verbs.asking import reader_named
from jupyter_mcpgen.verbs.words import split_options

MOST_ROWS = 10_000


def evaluate(words: Sequence[str], questions: IO[str] = sys.stdin, predictions: IO[str] = sys.stdout) -> int:
    """Answer every question of a stream: `eval [--tables DIR] [--language en|de] [--author NAME]`.

    Each question stands for itself: none follows the one before. Tools that were approved elsewhere are not used.
    """
    typed = split_options(words, ("tables", "language", "author"), ("force-best",))
    reader = reader_named(typed.options.get("author"))
    folder = Path(typed.options.get("tables", "."))
    with tempfile.TemporaryDirectory(prefix="mcpgen-eval-") as registry:
        overrides = {"registry.path": Path(registry), **_language(typed.options.get("language"))}
        runtime = build(load_settings(overrides=overrides).values)
        for line in questions:
            if line.strip():
                prediction = _predict(line, folder, runtime, reader, force_best="force-best" in typed.options)
                predictions.write(json.dumps(prediction, ensure_ascii=False, default=str) + "\n")
                predictions.flush()
    return 0


def _language(typed: str | None) -> dict[str, str]:
    return {} if typed is None else {"planner.language": typed}


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


def _predict(line: str, folder: Path, runtime: Runtime, reader: Reader, *, force_best: bool) -> dict[str, Any]:
    """Return what is written for a line: an answer, or an abstention that says why it is one."""
    question = _question(line)
    if isinstance(question, _NoQuestion):
        return _prediction(question.id, "refused", message=question.why)
    runtime.conversation.clear()
    try:
        data = runtime.reference(str(folder / question.table))
        computed = runtime.compute(question.text, data, reader=reader)
    except AskedBack as asked:
        return _of_readings(question, "ask", asked, asked.question_id, runtime, force_best=force_best)
    except (NearlyUnderstood, FoundNothing) as refused:
        return _of_readings(question, "refused", refused, refused.question_id, runtime, force_best=force_best)
    except NotUnderstood as refused:
        return _prediction(question.id, "refused", message=str(refused), missing=refused.missing)
    except McpgenError as error:
        return _prediction(question.id, "refused", message=str(error))
    sound = is_sound(computed.trial.evidence)
    others = _alternatives(alternatives_of(computed.intent), data, runtime)
    said = evidence_sentence(computed.trial.evidence)
    return _prediction(question.id, "answered" if sound else "refused", computed, others, message=said)


def _of_readings(
    question: _Question, status: str, why: NotUnderstood, question_id: str, runtime: Runtime, *, force_best: bool
) -> dict[str, Any]:
    """Return a question back or a refusal, with what each reading to pick from would give."""
    opened = runtime.questions.find(question_id) if question_id else None
    computed = None
    if force_best and opened is not None:
        with suppress(McpgenError):  # the best reading has no answer: what is written is why none was given
            computed = runtime.compute_as(opened.request, opened.intents[0])
    planned = [] if opened is None else [each for each in opened.intents if isinstance(each, Intent)]
    others = [] if opened is None else _alternatives(planned, opened.request.data, runtime)
    return _prediction(question.id, status, computed, others, message=str(why), missing=why.missing)


def _prediction(
    given: Any,
    status: str,
    computed: Computed | Reused | None = None,
    alternatives: Sequence[Mapping[str, Any]] = (),
    message: str | None = None,
    missing: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a prediction in the fields that every one has; without an answer these are empty."""
    result = computed.trial.result if computed is not None else None
    table = None if result is None else table_of(result, MOST_ROWS)
    intent = computed.intent if computed is not None else None
    plan = intent.plan if isinstance(intent, Intent) else None
    return {
        "id": given,
        "status": status,
        "answer": None if plan is None or table is None else list(_answer(plan, table)),
        "columns": None if table is None else list(table.columns),
        "rows": None if table is None else [list(row) for row in table.rows],
        "fields": None if plan is None else sorted(used_columns(plan)),
        "chart": _kind_of_chart(computed),
        "reading": None if computed is None else computed.intent.reading,
        "alternatives": list(alternatives),
        "message": message,
        "missing": ", ".join(missing) or None,
    }


def _kind_of_chart(computed: Computed | Reused | None) -> str | None:
    match computed.intent if computed is not None else None:
        case Intent(plan=plan) if plan.chart is not None:
            return plan.chart.kind.value
        case WrittenIntent(chart=ChartKind() as kind):
            return kind.value
        case _:
            return None


def _alternatives(readings: Sequence[Intent | Alternative], data: DataRef, runtime: Runtime) -> list[dict[str, Any]]:
    """Return each reading with its rows, as the reference computes them."""
    return [{"reading": each.reading, **_rows(each.plan, data, runtime)} for each in readings]


def _rows(plan: Plan, data: DataRef, runtime: Runtime) -> dict[str, Any]:
    try:
        table = table_of(runtime.look_up(plan, data), MOST_ROWS)
    except McpgenError:
        return {"columns": None, "rows": None}
    return {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}


def _answer(plan: Plan, table: Table) -> Iterator[Any]:
    """Yield the values of the column that answers: the figure of a total, the groups of a ranking, else the first."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    column = 0
    if aggregate is not None and aggregate.by.names and table.total_rows > 1:
        figure = aggregate.measures[0].name
        column = table.columns.index(figure) if figure in table.columns else 0
    return (row[column] for row in table.rows if row)
