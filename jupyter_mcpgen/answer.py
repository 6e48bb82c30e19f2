"""What a question gives: the result as data, chart and code, its evidence, and what can be decided about it.

A question that was asked back or refused gives an answer too: one that says what to do next instead of holding data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from jupyter_mcpgen.errors import AskedBack, DecisionError, NoAnswer, NotUnderstood, QuestionStopped
from jupyter_mcpgen.lab.mime import bundle, question_bundle
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import Evidence, is_sound
from jupyter_mcpgen.pipeline.again import alternatives_of
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.pipeline.draft import Computed, Reused, Staged
from jupyter_mcpgen.pipeline.snippet import pandas_of, sql_of
from jupyter_mcpgen.pipeline.verify import Verified
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.tools import function_of, named

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class _Told:
    """Why there is no result: a refusal, and what can be picked instead, if something can."""

    message: str
    question: QuestionBack
    is_refusal: bool


class Answer:
    """The answer to one question.

    `df` holds every row of the result, `chart` a Vega-Lite specification, `code` plain pandas for a cell, `sql` the
    second computation, `evidence` what was checked. A question asked back has `question` and `options` instead, a
    refused one `refusal`. Shown in a notebook it is the card.
    """

    def __init__(
        self,
        runtime: Runtime,
        found: Computed | Reused | _Told,
        variables: Mapping[str, Any],
        card: Card | None = None,
        reader: Reader = Reader.LADDER,
    ) -> None:
        self._runtime = runtime
        self._found = found
        self._variables = variables
        self._card = card
        self._reader = reader
        self.display_id = f"mcpgen-{uuid4().hex}"
        self.shown_in: int | None = None

    # what was found

    @property
    def df(self) -> pd.DataFrame:
        """The whole result, a copy each time; raises `NoAnswer` when there is none."""
        result = self._result.trial.result
        if result is None:
            raise NoAnswer(f"The result could not be computed. {self._result.trial.evidence[0].sentence}")
        return result.copy()

    @property
    def chart(self) -> dict[str, Any] | None:
        """The chart as a Vega-Lite specification with its data, or None for a result that none fits."""
        return self._result.trial.chart

    def altair(self) -> Any:
        """Return the chart as an altair chart; raises `NoAnswer` without one, or where altair is not installed."""
        if self.chart is None:
            raise NoAnswer("This answer has no chart. `answer.df` is the result, which you can plot yourself.")
        try:
            import altair  # type: ignore[import-not-found]  # optional
        except ImportError as error:
            raise NoAnswer("Install altair to get the chart as one of its own: `pip install altair`.") from error
        return altair.Chart.from_dict(self.chart)

    @property
    def reading(self) -> str:
        """What was computed, in one sentence."""
        return self._result.intent.reading

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Every check that was made, with its verdict and a sentence."""
        card = self.card
        return card.evidence if card is not None else self._result.trial.evidence

    @property
    def diff(self) -> Diff | None:
        """What changes, where this is the next version of a tool that was named; None for any other answer."""
        card = self.card
        return card.diff if card is not None else None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the question left open and how it was taken."""
        card = self.card
        return card.assumptions if card is not None else self._result.intent.assumptions

    @property
    def code(self) -> str:
        """Plain pandas that computes `df` in a cell where the table is a variable."""
        return pandas_of(self._result.intent, self._result.material, self._variables)

    @property
    def sql(self) -> str:
        """The second computation, for DuckDB; in a notebook `duckdb.sql(answer.sql)` finds the table by its name.

        A Dask frame it does not find: give it `duckdb.register(name, frame.compute())` first.
        """
        return sql_of(self._result.intent, self._result.material)

    @property
    def tool(self) -> Callable[..., pd.DataFrame] | None:
        """The approved tool as a function of a table, or None while it is not approved."""
        match self._found:
            case Reused(reuse=reuse):
                return function_of(reuse.tool)
            case Computed():
                card = self.card
                is_live = card is not None and card.is_live
                return function_of(self._runtime.registry.tool(card.tool_name)) if card and is_live else None
            case _:
                return None

    # what is left to do

    @property
    def question(self) -> str | None:
        """What was asked back, for a question of several readings; None for any other."""
        return self._found.message if isinstance(self._found, _Told) and not self._found.is_refusal else None

    @property
    def question_back(self) -> QuestionBack | None:
        """The question asked back with its readings and what they give, or None."""
        return self._found.question if isinstance(self._found, _Told) else None

    @property
    def options(self) -> tuple[str, ...]:
        """The readings that `pick` takes: of a question asked back, near to a refused one, or other than this one."""
        match self._found:
            case _Told(question=question):
                return tuple(option.label for option in question.options)
            case found:
                return tuple(other.label for other in alternatives_of(found.intent))

    @property
    def refusal(self) -> str | None:
        """Why there is no answer, for a question that was refused; None for any other."""
        return self._found.message if isinstance(self._found, _Told) and self._found.is_refusal else None

    @property
    def card(self) -> Card | None:
        """The card as it stands now, or None for a question that has no answer."""
        if self._card is not None and self._card.status is not ToolStatus.DRAFT and isinstance(self._found, Computed):
            self._card = self._runtime.card(self._card.card_id)
        return self._card

    @property
    def is_sound(self) -> bool:
        """True for an answer whose checks on the data passed."""
        return not isinstance(self._found, _Told) and is_sound(self._found.trial.evidence)

    @property
    def needs_staging(self) -> bool:
        """True while the code of a new answer is not tested yet, so that nothing can be decided."""
        is_draft = self._card is None or self._card.status is ToolStatus.DRAFT
        return isinstance(self._found, Computed) and is_draft

    def stage(self, course: Course | None = None) -> Answer:
        """Run the gates over the code and keep the card for a decision; an answer that has its card stays as it is.

        With a `course` somebody watches the gates and may stop them.
        """
        if isinstance(self._found, Computed) and self.needs_staging:
            staged = self._runtime.stage(self._found, course)
            self._card, self._found = staged.card, staged.computed
        return self

    def stage_while(self, attend: Callable[[Callable[[Course], Answer]], Answer]) -> Answer:
        """Do what `stage` does while somebody attends to it, who may stop it; nothing is kept then."""
        try:
            return attend(self.stage)
        except (QuestionStopped, KeyboardInterrupt):
            if isinstance(self._found, Computed) and self.needs_staging:
                # the thread that stages may not have noticed it yet
                self._runtime.registry.discard_draft(self._found.tool_id)
            raise

    def second_reading(self) -> Callable[[], Card | None] | None:
        """Return what has the model read the question again and returns the changed card, where that is set up."""
        if self._card is None or self.needs_staging or not isinstance(self._found, Computed):
            return None
        return self._runtime.second_reading(Staged(self._card, self._found), self._reader)

    def approve(
        self, name: str | None = None, *, as_read: bool = False, unchecked: bool = False
    ) -> Callable[..., pd.DataFrame]:
        """Accept the result, save its tool, under another name if one is given, and return the tool as a function.

        A question that the model alone read is saved only with `as_read=True`, a calculation that nothing checked a
        second time only with `unchecked=True`.
        """
        given = {Confirms.AS_READ: as_read, Confirms.UNCHECKED: unchecked}
        confirmed = [each for each, is_given in given.items() if is_given]
        self._card = self._runtime.approve(self._staged().card_id, name, confirmed=confirmed)
        return function_of(self._runtime.registry.tool(self._card.tool_name))

    def verify(self, data: Any, other: Any = None) -> Verified:
        """Check that the code still gives this answer on a table, or two; each is a data frame or a path."""
        given = {"data": data} if other is None else {"data": data, "other": other}
        card = self._shown().card_id
        return self._runtime.verify(card, *self._runtime.tables_for(card, named(given)))

    def reject(self, reason: str | None = None) -> Answer | None:
        """Reject the result; its card is archived with the reason. Returns the new answer that the reason asks for."""
        card = self._staged()
        self._card = self._runtime.answer(card.card_id, card.fingerprint, "registration", "reject", reason)
        refined = self._runtime.refine(card.card_id)
        return None if refined.staged is None else answer_of(refined.staged, self._runtime, self._variables)

    def pick(self, choice: int | str) -> Answer:
        """Answer in another reading: the number of one of the `options`, from 1, or its text."""
        options = self.options
        if isinstance(choice, int) and not 1 <= choice <= len(options):
            offered = "; ".join(f"({number}) {option}" for number, option in enumerate(options, 1)) or "none"
            raise DecisionError(f"There is no option `{choice}`. Options: {offered}.")
        label = options[choice - 1] if isinstance(choice, int) else choice
        match self._found:
            case _Told(question=question):
                if not question.options:
                    raise DecisionError("There is nothing to pick. Ask the question in other words.")
                picked_from = question.question_id
            case Computed():
                picked_from = self._staged().card_id
            case Reused():
                picked_from = self._card.card_id if self._card is not None else ""
        staged = self._runtime.pick_reading(picked_from, label)
        return answer_of(staged, self._runtime, self._variables)

    @property
    def parts(self) -> dict[str, str]:
        """The parts of the reading that `adjust` can change, each with its present value."""
        return {} if isinstance(self._found, _Told) else {part.key: part.value for part in self._shown().parts}

    def adjust(self, **parts: object) -> Answer:
        """Answer with other values in parts of the reading: `adjust(calculation="mean", group_by_columns=["region"])`.

        A list gives several columns or values; None or an empty list takes a part out.
        """
        given = {key: _texts(value) for key, value in parts.items()}
        return answer_of(self._runtime.adjust(self._shown().card_id, given), self._runtime, self._variables)

    def edit(self, code: str) -> Answer:
        """Answer by code that you changed, of the function that `to_edit` gives; it must compute the same."""
        return answer_of(self._runtime.edit(self._staged().card_id, code), self._runtime, self._variables)

    @property
    def to_edit(self) -> str:
        """The function that computes the answer, for you to change and give to `edit`."""
        return self._runtime.code(self._staged().card_id)

    def explain(self, row: int, column: str | None = None) -> pd.DataFrame:
        """Return the rows of the table behind a row of the result, counted from 1, or behind one of its cells."""
        return self._runtime.explain(self._shown().card_id, row, column).rows

    # how it shows

    def __repr__(self) -> str:
        """Say in one line what it is."""
        match self._found:
            case _Told(message=message, is_refusal=is_refusal):
                return f"Answer({'refused' if is_refusal else 'asked back'}: {' '.join(message.split())})"
            case found:
                card = self._card
                rows = found.trial.table.total_rows
                state = f", {card.status.value.lower()} as {card.tool_name} v{card.version}" if card else ""
                return f"Answer({found.intent.reading!r}, {rows:,} row{'' if rows == 1 else 's'}{state})"

    def mime_bundle(self) -> dict[str, Any]:
        """Return what a page shows: the card, the question back, or the refusal."""
        if isinstance(self._found, _Told):
            return question_bundle(self._found.question)
        card = self.card
        if card is None:
            raise NoAnswer("This answer has no card yet. Call `answer.stage()` first.")
        return bundle(card)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return self.mime_bundle()

    def _ipython_display_(self) -> None:
        from jupyter_mcpgen.lab.showing import show  # deferred: IPython only

        show(self)

    @property
    def _result(self) -> Computed | Reused:
        if not isinstance(self._found, _Told):
            return self._found
        if not self._found.question.options:
            raise NoAnswer(f"There is no answer to show: {self._found.message}")
        raise NoAnswer(
            f"There is no answer yet: {self._found.message} Choose with `answer.pick(1)`, then use what it returns."
        )

    def _shown(self) -> Card:
        """Return the card of an answer that has data."""
        self._result  # noqa: B018  raises for an answer that has none
        card = self.stage().card
        if card is None:
            raise NoAnswer("This answer has no card.")
        return card

    def _staged(self) -> Card:
        card = self._shown()
        if isinstance(self._found, Reused):
            raise DecisionError(f"There is nothing to decide: your tool `{card.tool_name}` gave this answer.")
        return card


def _texts(value: object) -> tuple[str, ...]:
    """Return the values of a part as they are typed."""
    if value is None:
        return ()
    several = value if isinstance(value, list | tuple) else (value,)
    return tuple(each if isinstance(each, str) else json.dumps(each) for each in several)


def answer_of(staged: Staged, runtime: Runtime, variables: Mapping[str, Any]) -> Answer:
    """Return the answer that a staged card shows; `variables` are the tables by name."""
    return Answer(runtime, staged.computed, variables, staged.card)


def answer_to(
    runtime: Runtime,
    question: str,
    data: DataRef,
    other: DataRef | None = None,
    *,
    name: str | None = None,
    variables: Mapping[str, Any],
    follow: bool = False,
    reader: Reader = Reader.LADDER,
    course: Course | None = None,
) -> Answer:
    """Return the answer to a question before its tool is tested; what is asked back or refused is an answer too.

    With `follow` the question may be a change of the one before about the same table.
    Raises a `McpgenError` for data that cannot be read.
    """
    try:
        found = runtime.compute(question, data, name, other, follow=follow, reader=reader, course=course)
    except AskedBack as asked:
        return Answer(runtime, _Told(str(asked), runtime.question(asked.question_id), is_refusal=False), variables)
    except NotUnderstood as refused:
        request = runtime.unanswered or runtime.conversation.request(question, data, other)
        shown = runtime.refused(refused, request)
        return Answer(runtime, _Told(str(refused), shown, is_refusal=True), variables)
    card = runtime.reused_card(found) if isinstance(found, Reused) else runtime.draft_card(found)
    return Answer(runtime, found, variables, card, reader)
