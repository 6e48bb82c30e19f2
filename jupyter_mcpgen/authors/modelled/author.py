"""The author that asks a language model for SQL, and reads the SQL back into a plan where it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.authors.modelled.coding import write_instead
from jupyter_mcpgen.authors.modelled.literals import settle_literals
from jupyter_mcpgen.authors.modelled.prompting import code_prompt, repaired, sql_prompt
from jupyter_mcpgen.authors.modelled.replies import Back, NoSelect, Query, Refusal, Unusable, read_reply
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.authors.selects import granted, planned
from jupyter_mcpgen.authors.signature import signature_of
from jupyter_mcpgen.errors import NotUnderstood, UnreadableReply, UnusableCode
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.plan.from_sql import Flaw, Unread, check_select, with_smallest_mode, without_rounding, written


@dataclass(frozen=True)
class _Checked:
    """A query that may be run: parsed, over the granted tables, its texts as the data write them."""

    statement: exp.Query
    query: Query


class ModelledAuthor(Drafting):
    """Asks a model once, and once more where a reply cannot be used; what it writes is checked like all else."""

    def __init__(self, name: str, model: Callable[[], Model], policy: Policy) -> None:
        self.name = name
        self._model = model
        self._policy = policy

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood | OpenQuestion:
        """Have the model read a request; raises `NotUnderstood` with its refusal, or a `ModelError`."""
        tables = (profile, *((other,) if other is not None else ()))
        model = self._model()
        prompt = sql_prompt(request, tables, self._policy)
        answer = self._answer(model, prompt, tables)
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

    def _answer(
        self, model: Model, prompt: Prompt, tables: Sequence[Profile]
    ) -> _Checked | Back | Refusal | NoSelect | Unusable:
        """Return what the model answers; a reply that cannot be used is shown to it once, with what is wrong.

        A flaw that quotes values is not sent to a model that must not see them; the person is told.
        """
        try:
            reply = model.ask(prompt)[0]
        except UnreadableReply as unreadable:
            text, flaw = unreadable.text, unreadable.reason
        else:
            answer = _checked(reply, tables)
            if not isinstance(answer, Unusable) or (answer.shows_values and not self._policy.shows_values):
                return answer
            text, flaw = reply.text, answer.flaw
        return _checked(model.ask(repaired(prompt, text, flaw))[0], tables)

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

    def _coded(self, checked: _Checked, request: Request, tables: Sequence[Profile], model: Model) -> WrittenIntent:
        columns = checked.statement.named_selects
        code = self._code(model, code_prompt(request, tables, columns, self._policy), len(tables))
        return WrittenIntent(
            reading=checked.query.reading,
            code=code,
            second=Second(sql=written(checked.statement), is_ordered=checked.statement.args.get("order") is not None),
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
        return Unusable(f"{statement.reason}{nearest}")
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
