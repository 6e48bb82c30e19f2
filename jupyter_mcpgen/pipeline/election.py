"""Which of several replies of a model is taken: the one whose rows most of them give.

Replies of one model share its errors, so their agreement is said as a number and is no independent check.
"""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.authors.author import Candidate, Candidates
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.errors import NotUnderstood, PlanError
from jupyter_mcpgen.model.intent import Agreeing, Intent, ReadBy
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.agreement import same_rows
from jupyter_mcpgen.pipeline.generated import Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.written_reference import Rows, SqlReference, cases_of
from jupyter_mcpgen.plan.ops import Sort, TopPerGroup
from jupyter_mcpgen.plan.shape import generalise


def elect(
    candidates: Candidates, request: Request, material: Material, services: Services
) -> Understood | OpenQuestion:
    """Return the simplest of the replies that most agree on; where as many say something else, ask which is meant."""
    groups = _groups(candidates.replies, material, services)
    if not groups:
        raise NotUnderstood("None of the model's replies could be computed. Ask in other words.")
    most = max(len(group) for group in groups)
    winners = [min(group, key=lambda each: each.size) for group in groups if len(group) == most]
    agreeing = Agreeing(replies=most, asked=candidates.asked)
    intents = tuple(winner.understood().replace(agreeing=agreeing) for winner in winners)
    if len(intents) == 1:
        return intents[0]
    return which_of(intents if candidates.beside is None else (candidates.beside, *intents), request)


def which_of(intents: Sequence[Understood], request: Request) -> OpenQuestion:
    """Ask which of several readings is meant, each by a number and by words that no other one has."""
    told = tuple(
        intent.replace(reading=f"{intent.reading} (reading {number})")
        if any(other.reading == intent.reading for other in intents[: number - 1])
        else intent
        for number, intent in enumerate(intents, 1)
    )
    by_planner = any(intent.read_by is ReadBy.PLANNER for intent in told)
    readers = "The planner and the model" if by_planner else "The model"
    named = ", or ".join(f"({number}) {intent.reading}" for number, intent in enumerate(told, 1))
    return OpenQuestion(request=request, text=f"{readers} read this in several ways: {named}?", intents=told)


def said_of_replies(intent: Understood) -> tuple[Evidence, ...]:
    """Say how many replies of the model gave these rows, if several were asked for."""
    if intent.agreeing is None:
        return ()
    replies, asked = intent.agreeing.replies, intent.agreeing.asked
    sentence = f"{replies} of {asked} replies of the model gave these rows."
    return (Evidence(check="replies", verdict=Verdict.PASSED, sentence=sentence, figure=replies),)


def is_ordered(computes: Intent | Second) -> bool:
    """Tell whether a query, or a plan, says in which order its rows come."""
    if isinstance(computes, Second):
        return computes.is_ordered
    return any(isinstance(step, Sort | TopPerGroup) for step in computes.plan.steps)


def rows_everywhere(
    computes: Intent | Second, given: Sequence[Tables], material: Material, services: Services
) -> list[Rows]:
    """Return the rows of a query, or of a plan, on the person's data, then on each of the generated tables."""
    if isinstance(computes, Second):
        return SqlReference(computes.sql, computes.is_ordered, services).rows_everywhere(given, material)
    shape = generalise(computes.plan)
    engine = Engine(given[0].frame, given[0].other)
    try:
        found = [Rows(material.engine.table(computes.plan))]
        for tables in given:
            tables.load(engine)
            found.append(Rows(engine.table(tables.bound(shape))))
        return found
    except PlanError as error:
        return [Rows(None, str(error))]
    finally:
        engine.close()


def _groups(replies: Sequence[Candidate], material: Material, services: Services) -> list[list[Candidate]]:
    """Return the replies that can be computed, those together that give the same rows wherever they are."""
    given = list(cases_of(material).values())
    groups: list[tuple[list[Rows], list[Candidate]]] = []
    known: dict[str, list[Rows]] = {}
    for reply in replies:
        key = reply.computes.model_dump_json()
        rows = known.setdefault(key, []) or rows_everywhere(reply.computes, given, material, services)
        known[key] = rows
        if rows[0].table is None:
            continue
        for first, group in groups:
            if _same(first, rows, is_ordered=is_ordered(reply.computes) and is_ordered(group[0].computes)):
                group.append(reply)
                break
        else:
            groups.append((rows, [reply]))
    return [group for _, group in groups]


def _same(some: Sequence[Rows], others: Sequence[Rows], *, is_ordered: bool) -> bool:
    for one, other in zip(some, others, strict=False):
        if one.table is None or other.table is None:
            if one.table is not other.table:
                return False
            continue
        if same_rows(other.table, one.table, is_ordered=is_ordered) is not None:
            return False
    return True
