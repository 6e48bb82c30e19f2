"""How the planner answers the questions of `tests/cases/questions`: right, wrong, asked back and refused.

`make bench ARGS=questions` prints it. A question is answered right with the reading that its pair expects or calls
fair, or with the same rows in another form; one that must be asked back also where a reading to choose stands beside
the answer. `python -m benchmarks.questions` renews the fingerprints of what is read as expected.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby

from benchmarks.answers import Fingerprint, fingerprint, is_alike
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan
from tests.unit.nl.questions import CASES, Pair, frame, pairs, table

ANSWERS = CASES / "answers.jsonl"
"""The fingerprints of the expected answers, a line for each question."""


class Outcome(StrEnum):
    """What came of a question."""

    RIGHT = "right"
    WRONG = "wrong"
    ASKED = "asked"
    REFUSED = "refused"


@dataclass(frozen=True)
class Judged:
    """A pair, what came of it, and in which words."""

    pair: Pair
    outcome: Outcome
    said: str
    milliseconds: float
    """Of processor time, for the reading."""


def judged(some: Iterable[Pair]) -> Iterator[Judged]:
    """Yield what came of each pair; pairs of a table should stand together."""
    for _, of_table in groupby(some, key=lambda pair: pair.table):
        yield from _of_table(list(of_table))


def _of_table(asked: Sequence[Pair]) -> list[Judged]:
    engine = Engine(frame(asked[0].table))
    try:
        return [_judge(pair, engine) for pair in asked]
    finally:
        engine.close()


def _judge(pair: Pair, engine: Engine) -> Judged:
    profile = table(pair.table)
    begin = time.process_time()
    meant = understand(pair.question, profile, pair.language)
    spent = (time.process_time() - begin) * 1000
    return Judged(pair, _outcome(pair, meant, engine), _said(meant), spent)


def _outcome(pair: Pair, meant: Understanding, engine: Engine) -> Outcome:
    match meant:
        case Asked():
            return Outcome.RIGHT if pair.asked is not None else Outcome.ASKED
        case Refused():
            return Outcome.RIGHT if pair.refused is not None else Outcome.REFUSED
        case Answered(winner, others):
            plans = [winner.plan, *(other.plan for other in others)]
            return Outcome.RIGHT if _is_right(pair, plans, engine) else Outcome.WRONG


def _is_right(pair: Pair, plans: Sequence[Plan], engine: Engine) -> bool:
    """Tell whether the first of some plans answers a question; the others are those that stand beside it."""
    said = [say_plan(plan) for plan in plans]
    if said[0] in (pair.reading, *pair.fair):
        return True
    if pair.asked is not None:
        return len(said) > 1 and any(one in option for one in said for option in pair.asked)
    expected = answers().get((pair.table, pair.question))
    return pair.reading is not None and expected is not None and is_alike(engine.table(plans[0]), expected)


def _said(meant: Understanding) -> str:
    match meant:
        case Answered(winner):
            return say_plan(winner.plan)
        case Asked(question):
            return question
        case Refused(message):
            return message


@cache
def answers() -> dict[tuple[str, str], Fingerprint]:
    """Return the fingerprints of the expected answers, by table and question."""
    lines = (json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines())
    return {(name, question): Fingerprint(rows, whole, tuple(cols)) for name, question, rows, whole, cols in lines}


def renewed() -> Iterator[str]:
    """Yield the lines of `ANSWERS` again: computed where a question is read as its pair expects, else as before."""
    for pair in pairs():
        known = answers().get((pair.table, pair.question))
        meant = understand(pair.question, table(pair.table), pair.language)
        if isinstance(meant, Answered) and say_plan(meant.winner.plan) == pair.reading:
            engine = Engine(frame(pair.table))
            try:
                known = fingerprint(engine.table(meant.winner.plan))
            finally:
                engine.close()
        if known is not None:
            line = [pair.table, pair.question, known.rows, known.whole, list(known.columns)]
            yield json.dumps(line, ensure_ascii=False)


def as_markdown() -> str:
    """Return the table over all pairs, by language, with the processor time of a question."""
    lines = [
        "| questions | n | right | wrong | asked | refused | CPU p50 / p95, ms |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for language in sorted({pair.language for pair in pairs()}):
        asked = sorted((pair for pair in pairs() if pair.language == language), key=lambda pair: pair.table)
        of_tables = [list(found) for _, found in groupby(asked, key=lambda pair: pair.table)]
        with ProcessPoolExecutor() as side_by_side:
            found = [one for some in side_by_side.map(_of_table, of_tables, chunksize=4) for one in some]
        came = Counter(one.outcome for one in found)
        parts = " | ".join(f"{came[outcome] / len(found):.1%}" for outcome in Outcome)
        times = sorted(one.milliseconds for one in found)
        spent = f"{times[len(times) // 2]:.1f} / {times[int(len(times) * 0.95)]:.1f}"
        lines.append(f"| {language} | {len(found):,} | {parts} | {spent} |")
    return "\n".join(lines)


if __name__ == "__main__":
    lines = list(renewed())
    ANSWERS.write_text("\n".join(lines) + "\n", encoding="utf-8")
