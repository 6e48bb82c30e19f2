"""Refuses an answer that says nothing: no rows, no values, or a zero because no row meets the conditions.

Such a result passes every check of the calculation. What leaves nothing is named, and the nearest question that leaves
something can be picked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.errors import FoundNothing, PlanError, ReferenceFailed, did_you_mean
from jupyter_mcpgen.model.intent import intent_of
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.pipeline.draft import Trial
from jupyter_mcpgen.plan.english_values import say_predicate, say_value
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, IsIn, IsMissing, Lit, Predicate
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Distinct,
    Filter,
    Measure,
    Pivot,
    Resample,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

if TYPE_CHECKING:
    import pandas as pd

    from jupyter_mcpgen.model.intent import Intent
    from jupyter_mcpgen.model.request import Request
    from jupyter_mcpgen.model.written import Understood
    from jupyter_mcpgen.pipeline.material import Material
    from jupyter_mcpgen.pipeline.services import Services

_COUNT = Measure(function=AggregateFunction.COUNT)
_SHARES = (AggregateFunction.COUNT, AggregateFunction.RATE, AggregateFunction.PERCENT)
_VALUE = "value"
_MOST_VALUES = 5_000
"""How many values of a column are looked at for one that is spelled alike."""


@dataclass(frozen=True)
class _Nothing:
    """Why an answer says nothing, and the steps that leave out what caused it, if that leaves something."""

    why: str
    nearest: tuple[Step, ...] | None = None


def refuse_nothing(request: Request, intent: Understood, trial: Trial, material: Material, services: Services) -> None:
    """Raise `FoundNothing` for a result that is empty, all missing, or zero because nothing matches."""
    if trial.result is None or any(item.verdict is Verdict.FAILED for item in trial.evidence):
        return  # the card says what failed
    if isinstance(intent, WrittenIntent):
        _refuse_empty(trial.result)
        return
    values = _values(trial.result, intent.plan)
    if bool((values.notna() & (values != 0)).to_numpy().any()):
        return
    try:
        nothing = next(_causes(intent.plan, material.engine), None)
    except ReferenceFailed:
        return  # the evidence says that the reference could not be computed
    if nothing is None and not bool(values.notna().to_numpy().any()):
        nothing = _Nothing(f"Every value of the answer is missing: {_named(trial.table.columns)}.")
    if nothing is None:
        return
    nearest = _nearest(intent, nothing)
    if nearest is None:
        raise FoundNothing(nothing.why)
    text = f"{nothing.why} Without that condition: (1) {nearest.reading}?"
    question = OpenQuestion(request=request, text=text, intents=(nearest,), refusal=nothing.why)
    services.ask_back(question)
    raise FoundNothing(nothing.why, question.question_id)


def _refuse_empty(result: pd.DataFrame) -> None:
    """Raise `FoundNothing` for a result of written code without a row or a value; its cause is not known."""
    if result.empty:
        raise FoundNothing("The code found no rows. Check the conditions of the question, and ask again.")
    if not bool(result.notna().to_numpy().any()):
        raise FoundNothing(f"Every value of the answer is missing: {_named(tuple(map(str, result.columns)))}.")


def _nearest(intent: Intent, nothing: _Nothing) -> Intent | None:
    if nothing.nearest is None:
        return None
    plan = intent.plan
    try:
        near = Plan(
            source=plan.source,
            source_schema=plan.source_schema,
            second=plan.second,
            steps=nothing.nearest,
            chart=plan.chart,
        )
    except PlanError:
        return None
    other = intent_of(near, intent.input, intent.assumptions, (), intent.other_input)
    return other.replace(output_format=intent.output_format)


def _causes(plan: Plan, engine: Engine) -> Iterator[_Nothing]:
    """Yield why a plan gives nothing, the first step that leaves nothing first."""
    for place in range(len(plan.steps) + 1):
        if _rows(plan, plan.steps[:place], engine) == 0:
            yield _emptied(plan, place, engine)
            return
        if place == len(plan.steps):
            return
        step = plan.steps[place]
        if isinstance(step, Aggregate | Resample | Pivot):
            yield from _without_values(plan, place, engine)


def _rows(plan: Plan, steps: tuple[Step, ...], engine: Engine) -> float:
    return engine.figure(plan.with_steps((*steps, Aggregate(measures=(_COUNT,)))))


def _emptied(plan: Plan, place: int, engine: Engine) -> _Nothing:
    """Say what the step before a place did, after which there are no rows."""
    if place == 0:
        both = f" Nothing in `{plan.second.other}` goes with a row of `{plan.source}`." if plan.second else ""
        return _Nothing(f"`{plan.source}` has no rows to compute with.{both}")
    step = plan.steps[place - 1]
    if isinstance(step, Filter):
        return _unmet(plan, place - 1, step.predicate, engine)
    return _Nothing(f"No row of `{plan.source}` has a value to group by.")


def _unmet(plan: Plan, place: int, predicate: Predicate, engine: Engine) -> _Nothing:
    """Say which condition no row meets, and leave it out; `place` is where the rows are that it is asked of."""
    before = plan.steps[:place]
    what = "group" if any(isinstance(step, FIGURES) for step in before) else "row"
    terms = predicate.terms if isinstance(predicate, All) else (predicate,)
    met = [_rows(plan, (*before, Filter(predicate=term)), engine) for term in terms]
    unmet = [term for term, rows in zip(terms, met, strict=True) if rows == 0]
    if unmet:
        said = " and ".join(map(say_predicate, unmet))
        hints = "".join(_hint(term, plan, before, engine) for term in unmet)
        why = f"No {what} of `{plan.source}` matches: {said}.{hints}"
    else:
        each = ", ".join(f"{say_predicate(t)} ({rows:,.0f} {what}s)" for t, rows in zip(terms, met, strict=True))
        why = f"No {what} of `{plan.source}` matches all of this together: {each}."
    kept = tuple(term for term in terms if term not in (unmet or terms[-1:]))
    rest = () if not kept else (Filter(predicate=kept[0] if len(kept) == 1 else All(terms=kept)),)
    steps = (*before, *rest, *plan.steps[place + 1 :])
    is_own_step = place < len(plan.steps) and isinstance(plan.steps[place], Filter)
    return _Nothing(why, steps if is_own_step and _leaves_rows(plan, (*before, *rest), engine) else None)


def _leaves_rows(plan: Plan, steps: tuple[Step, ...], engine: Engine) -> bool:
    return _rows(plan, steps, engine) > 0


def _hint(term: Predicate, plan: Plan, before: tuple[Step, ...], engine: Engine) -> str:
    """Say what there is instead: the range of a number or a date, or a text that is spelled alike."""
    match term:
        case Compare(op=CompareOp.EQ, left=Col() as column, right=Lit(type=ColumnType.TEXT) as wanted):
            return _alike(column, (wanted,), plan, before, engine)
        case IsIn(operand=Col() as column, values=values, negated=False) if values[0].type is ColumnType.TEXT:
            return _alike(column, values, plan, before, engine)
        case Compare(left=left, right=Lit(type=ColumnType.INTEGER | ColumnType.REAL | ColumnType.DATE)):
            value = Derive(name=_VALUE, expression=left)
            ends = tuple(
                Measure(function=function, column=Col(name=_VALUE))
                for function in (AggregateFunction.MIN, AggregateFunction.MAX)
            )
            found = engine.table(plan.with_steps((*before, value, Aggregate(measures=ends))))
            if found.isna().to_numpy().any():
                return ""
            least, most = (_short(end) for end in found.iloc[0].tolist())
            return f" {_sentence(say_value(left))} goes from {least} to {most}."
        case _:
            return ""


def _alike(column: Col, wanted: tuple[Lit, ...], plan: Plan, before: tuple[Step, ...], engine: Engine) -> str:
    known = engine.table(plan.with_steps((*before, Distinct(columns=Columns(names=(column.name,))))))
    values = [str(value) for value in known[column.name].dropna().head(_MOST_VALUES)]
    return "".join(did_you_mean(str(literal.value), values) for literal in wanted)


def _short(value: object) -> str:
    text = f"{value:,.6g}" if isinstance(value, float) else str(value)
    return text.removesuffix(" 00:00:00")


def _sentence(text: str) -> str:
    return f"`{text}`" if " " not in text else f"The {text}"


def _without_values(plan: Plan, place: int, engine: Engine) -> Iterator[_Nothing]:
    """Yield why the figures of a step say nothing: a condition that is counted and never met, or no value at all."""
    step = plan.steps[place]
    measures = (step.measure,) if isinstance(step, Pivot) else getattr(step, "measures", ())
    before = plan.steps[:place]
    counted = [measure.where for measure in measures if measure.where is not None and measure.function in _SHARES]
    if counted and len(counted) == len(measures):
        if any(_rows(plan, (*before, Filter(predicate=condition)), engine) > 0 for condition in counted):
            return
        yield _unmet(plan, place, counted[0], engine)
    taken = [measure.column for measure in measures if measure.column is not None]
    if taken and len(taken) == len(measures):
        present = tuple(
            Measure(
                function=AggregateFunction.COUNT, where=IsMissing(operand=column, negated=True), label=f"value {number}"
            )
            for number, column in enumerate(dict.fromkeys(taken))
        )
        if not engine.table(plan.with_steps((*before, Aggregate(measures=present)))).iloc[0].any():
            names = _named(tuple(dict.fromkeys(column.name for column in taken)))
            yield _Nothing(f"{names} has no value in any of the rows that the question is about.")


def _values(result: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """Return the columns of a result that are no labels of its groups; all of them where there are no others."""
    labels = {name for step in plan.steps if isinstance(step, Aggregate | Pivot) for name in step.by.names}
    labels |= {name for step in plan.steps if isinstance(step, Resample) for name in (step.name, *step.by.names)}
    return result[[name for name in result.columns if name not in labels] or list(result.columns)]


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
