"""The author that asks a language model for SQL, and reads the SQL back into a plan where it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from jupyter_mcpgen.authors.author import Candidate, Candidates
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.authors.modelled.coding import repair_code, write_instead
from jupyter_mcpgen.authors.modelled.literals import settle_literals
from jupyter_mcpgen.authors.modelled.plan_reply import Planned, read_plan
from jupyter_mcpgen.authors.modelled.prompting import PLAN, Surface, code_prompt, plan_prompt, question_prompt, repaired
from jupyter_mcpgen.authors.modelled.replies import Back, NoSelect, Query, Refusal, Unusable, read_reply
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.authors.selects import drawn, granted, planned
from jupyter_mcpgen.authors.signature import signature_of
from jupyter_mcpgen.errors import NotUnderstood, UnreadableReply, UnusableCode
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply
from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.intent import Intent, ReadBy, intent_of
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.plan.from_sql import (
    Flaw,
    FlawKind,
    Unread,
    check_select,
    with_smallest_mode,
    without_rounding,
    written,
)


@dataclass(frozen=True)
class _Checked:
    """A query that may be run: parsed, over the granted tables, its texts as the data write them."""

    statement: exp.Query
    query: Query


_Found = _Checked | Planned | Back | Refusal | NoSelect | Unusable


_Checking = Callable[[Reply], _Found]


class ModelledAuthor(Drafting):
    """Asks a model once, and once more where a reply cannot be used; what it writes is checked like all else.

    With several `candidates` it asks for so many replies at a time, and which one is taken is for the data to show.
    """

    def __init__(
        self,
        name: str,
        model: Callable[[], Model],
        policy: Policy,
        *,
        surface: Surface = Surface.AUTO,
        candidates: int = 1,
    ) -> None:
        self.name = name
        self._model = model
        self._policy = policy
        self._surface = surface
        self._candidates = candidates

    def understand(
        self, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood | OpenQuestion | Candidates:
        """Have the model read a request; raises `NotUnderstood` with its refusal, or a `ModelError`."""
        tables = (profile, *((other,) if other is not None else ()))
        model = self._model()
        found = self._found(model, request, tables)
        usable = [each for each in found if isinstance(each, _Checked | Planned)]
        rest = [each for each in found if not isinstance(each, _Checked | Planned | Unusable)]
        if len(usable) > len(rest) and self._candidates > 1:
            replies = tuple(self._candidate(each, request, tables, model) for each in usable)
            return Candidates(replies, self._candidates)
        answer = next(iter((usable or rest) if len(usable) >= len(rest) else rest), found[0])
        match answer:
            case Refusal(message=message, missing=missing):
                raise NotUnderstood(message, missing)
            case Unusable(flaw=flaw):
                raise NotUnderstood(f"The model's reply could not be used: {flaw.rstrip('.')}. Ask in other words.")
            case Back(message=message, options=options):
                return self._asked(request, message, options, tables)
            case NoSelect():
                return write_instead(answer, request, tables, model, self._policy)
            case _Checked():
                return self._intent(answer, request, tables, model)
            case Planned():
                return _of_plan(answer, request)

    def _found(self, model: Model, request: Request, tables: Sequence[Profile]) -> Sequence[_Found]:
        """Return what the replies of the model say, on the surface that is asked for."""
        prompt = question_prompt(request, tables, self._policy, self._surface)
        if prompt.name == PLAN:
            return self._replies(model, prompt, lambda reply: read_plan(reply.value or {}, tables[0]))[-1]
        turns = self._replies(model, prompt, lambda reply: _checked(reply, tables))
        lost = len(turns) > 1 and all(isinstance(turn[0], Unusable) and turn[0].is_of_names for turn in turns)
        if not lost or self._surface is not Surface.AUTO or len(tables) > 1:
            return turns[-1]
        in_form = model.ask(plan_prompt(request, tables[0], self._policy))[0]
        return [read_plan(in_form.value or {}, tables[0])]

    def _replies(self, model: Model, prompt: Prompt, checked: _Checking) -> list[Sequence[_Found]]:
        """Return what the replies say, turn by turn; where none can be used, one is shown to the model with its flaw.

        A flaw that quotes values is only sent where the policy shows values; otherwise the person reads it.
        """
        turns: list[Sequence[_Found]] = []
        try:
            replies = model.ask(prompt, candidates=self._candidates)
        except UnreadableReply as unreadable:
            text, flaw = unreadable.text, unreadable.reason
        else:
            found = [checked(reply) for reply in replies]
            turns.append(found)
            first = found[0]
            if not all(isinstance(each, Unusable) for each in found) or not isinstance(first, Unusable):
                return turns
            if first.shows_values and not self._policy.shows_values:
                return turns
            text, flaw = replies[0].text, first.flaw
        return [*turns, [checked(model.ask(repaired(prompt, text, flaw))[0])]]

    def _candidate(
        self, answer: _Checked | Planned, request: Request, tables: Sequence[Profile], model: Model
    ) -> Candidate:
        if isinstance(answer, Planned):
            intent = _of_plan(answer, request)
            return Candidate(intent, lambda: intent)
        return Candidate(_second(answer), lambda: self._intent(answer, request, tables, model))

    def _asked(
        self, request: Request, message: str, options: Sequence[Query], tables: Sequence[Profile]
    ) -> OpenQuestion:
        """Return the question back with the options that can be computed as they are."""
        intents: list[Intent] = []
        for option in options:
            checked = _check(option, tables)
            intent = checked if isinstance(checked, Unusable) else _planned(checked, request, tables)
            if isinstance(intent, Intent):
                intents.append(intent)
        if not intents:
            raise NotUnderstood(f"{message} Say which is meant in the question.")
        return OpenQuestion(request=request, text=message, intents=tuple(intents))

    def _intent(self, checked: _Checked, request: Request, tables: Sequence[Profile], model: Model) -> Understood:
        """Return the plan that the query is, or the query beside code that is written without sight of it."""
        intent = _planned(checked, request, tables)
        return intent if isinstance(intent, Intent) else self._coded(checked, request, tables, model)

    def code_for(self, statement: exp.Query, reading: str, request: Request, tables: Sequence[Profile]) -> Understood:
        """Have code written for a SELECT that a person wrote and no plan holds; raises a `ModelError`."""
        checked = _Checked(statement, Query(sql=written(statement), reading=reading))
        return self._coded(checked, request, tables, self._model())

    def code_instead(
        self, intent: Intent, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood:
        """Have code written for the query that a plan was read from, as for one that no plan holds."""
        tables = (profile, *((other,) if other is not None else ()))
        statement = None if intent.own is None else check_select(intent.own.sql, granted(tables))
        if intent.own is None or statement is None or isinstance(statement, Flaw):
            return intent
        chart = None if intent.plan.chart is None else intent.plan.chart.kind
        query = Query(intent.own.sql, intent.own.reading or intent.reading, intent.assumptions, chart)
        return self._coded(_Checked(statement, query), request, tables, self._model())

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Have code repaired by the model, which sees what was found wrong and never the second computation."""
        tables = (profile, *((other,) if other is not None else ()))
        found = tuple(diagnostics.sentences(shows_values=self._policy.shows_values))
        return repair_code(intent, found, request, tables, self._model(), self._policy)

    def _coded(self, checked: _Checked, request: Request, tables: Sequence[Profile], model: Model) -> WrittenIntent:
        columns = checked.statement.named_selects
        code = self._code(model, code_prompt(request, tables, columns, self._policy), len(tables))
        return WrittenIntent(
            reading=checked.query.reading,
            code=code,
            second=_second(checked),
            input=request.data.path,
            other_input=request.other.path if request.other is not None and len(tables) > 1 else None,
            assumptions=checked.query.assumptions,
            chart=checked.query.chart,
            columns=tuple(sorted({column.name for column in checked.statement.find_all(exp.Column)})),
        )

    def _code(self, model: Model, prompt: Prompt, tables: int) -> str:
        """Return code that a tool can be made of; a reply that has none is shown to the model once."""
        try:
            reply = model.ask(prompt)[0]
        except UnreadableReply as unreadable:
            text, flaw = unreadable.text, unreadable.reason
        else:
            try:
                return _code_in(reply, tables)
            except UnusableCode as unusable:
                text, flaw = reply.text, str(unusable)
        return _code_in(model.ask(repaired(prompt, text, flaw))[0], tables)


def _second(checked: _Checked) -> Second:
    """Return a query as a computation beside an answer."""
    is_ordered = checked.statement.args.get("order") is not None
    return Second(sql=written(checked.statement), is_ordered=is_ordered)


def _of_plan(planned: Planned, request: Request) -> Intent:
    """Return the intent of a plan that a model replied with: nothing stands beside it that it could be held to."""
    plan = drawn(planned.plan, planned.chart)
    return intent_of(plan, request.data.path, planned.assumptions, ()).replace(read_by=ReadBy.MODEL)


def _code_in(reply: Reply, tables: int) -> str:
    """Return the code of a reply; raises `UnusableCode` for code that no tool over so many tables can be made of."""
    code = str((reply.value or {}).get("code", ""))
    taken = len(signature_of(code).tables)
    if taken != tables:
        raise UnusableCode(f"The function must take {tables} tables, and takes {taken}.")
    return code


def _checked(reply: Reply, tables: Sequence[Profile]) -> _Checked | Back | Refusal | NoSelect | Unusable:
    found = read_reply(reply.value or {})
    return _check(found, tables) if isinstance(found, Query) else found


def _check(query: Query, tables: Sequence[Profile]) -> _Checked | Unusable:
    """Return a query that may be run, with notes on texts that were written in another way."""
    statement = check_select(query.sql, granted(tables))
    if isinstance(statement, Flaw):
        nearest = f" Nearest: {', '.join(statement.nearest)}." if statement.nearest else ""
        is_of_names = statement.kind in (FlawKind.UNKNOWN_COLUMN, FlawKind.UNKNOWN_TABLE)
        return Unusable(f"{statement.reason}{nearest}", is_of_names=is_of_names)
    settled = settle_literals(statement, tables)
    if settled.absent:
        return Unusable(" ".join(settled.absent), shows_values=True)
    return _Checked(
        with_smallest_mode(without_rounding(settled.statement)),
        replace(query, assumptions=(*query.assumptions, *settled.notes)),
    )


def _planned(checked: _Checked, request: Request, tables: Sequence[Profile]) -> Intent | Unread:
    query = checked.query
    intent = planned(checked.statement, request, tables, ReadBy.MODEL, query.assumptions, query.chart)
    if isinstance(intent, Unread) or intent.own is None:
        return intent
    return intent.replace(own=intent.own.replace(reading=query.reading))
