"""Changes at the ends of a plan that no answer of this planner gives, as one from a model may be."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembly.expressions import Columns
from jupyter_mcpgen.nl.assembly.query import Query
from jupyter_mcpgen.nl.dialogue.change import Change
from jupyter_mcpgen.nl.dialogue.kept_conditions import Conditions
from jupyter_mcpgen.nl.dialogue.merging import merged
from jupyter_mcpgen.nl.grammar.meanings import Extreme, Test
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Parse, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Derive, Filter, Limit, Sort, Step, Window
from jupyter_mcpgen.plan.plan import Plan


def edited(plan: Plan, change: Change, table: Table) -> Plan | None:
    """Return a plan of other rows, of fewer groups or with another chart; None where more of it would change."""
    query = change.query
    plain = Query(tests=query.tests, drawn=query.drawn, extreme=query.extreme)
    if query != plain or change.edits or change.cue.drops or plan.second is not None or plan.reshaping:
        return None
    try:
        steps = _of_rows(plan.steps, query.tests, table) if query.tests else plan.steps
        found = _first(steps, query.extreme) if query.extreme is not None else steps
        if found is None:
            return None
        chart = plan.chart if not change.cue.no_chart else None
        if query.kind is not None:
            if chart is None:
                return None
            chart = chart.model_copy(update={"kind": query.kind})
        return plan.with_steps(found, chart)
    except PlanError:
        return None


def _of_rows(steps: Sequence[Step], tests: tuple[Test, ...], table: Table) -> tuple[Step, ...]:
    """Return steps over fewer rows: the new conditions stand behind what is made of each row, before any figure."""
    place = next((at for at, step in enumerate(steps) if not isinstance(step, Derive | Window | Filter)), len(steps))
    before, behind = steps[:place], steps[place:]
    filters = [term for step in before if isinstance(step, Filter) for term in terms_of(step.predicate)]
    own = [term for term in filters if set(names_in(term)) <= set(table.names)]
    read = {step.name for step in before if isinstance(step, Derive) and isinstance(step.expression, Parse)}
    made = {step.name for step in before if isinstance(step, Derive | Window)} - read
    known = Conditions(table, {}, {}).tests(All(terms=tuple(own))) if own else ()
    kept = merged(known, tests).tests
    columns = Columns(table)
    terms = [*(term for term in filters if term not in own), *(columns.predicate(test) for test in kept)]
    if made & {name for term in own for name in names_in(term)} or columns.derived or columns.before_tests:
        raise PlanError("The rows cannot be chosen by what is made of them later.")
    parsed = [step for step in columns.parsed() if isinstance(step, Derive) and step.name not in read]
    rest = [step for step in before if not isinstance(step, Filter)]
    return (*parsed, *rest, *_filter(terms), *behind)


def _filter(terms: Sequence[Predicate]) -> list[Step]:
    if not terms:
        return []
    return [Filter(predicate=terms[0] if len(terms) == 1 else All(terms=tuple(terms)))]


def _first(steps: Sequence[Step], extreme: Extreme) -> tuple[Step, ...] | None:
    """Return the first few of what is sorted already; None for another order."""
    if extreme.by is not None or extreme.count is None or extreme.nth is not None:
        return None
    rest = steps[:-1] if steps and isinstance(steps[-1], Limit) else steps
    match rest:
        case [*_, Sort(keys=(key, *_))] if key.descending is extreme.descending:
            return (*rest, Limit(count=extreme.count))
        case _:
            return None
