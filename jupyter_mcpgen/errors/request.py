"""A request that cannot be read, and a plan that cannot be built or computed."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.errors.root import McpgenError, did_you_mean


class PlanError(McpgenError):
    """A plan that cannot be built over the schema it is for."""


class UnknownColumn(PlanError):
    """A plan names a column that the data does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        offer = did_you_mean(name, known) or f" Columns: {', '.join(f'`{k}`' for k in known[:12])}."
        super().__init__(f"There is no column `{name}`.{offer}")
        self.name = name
        self.known = known


class WrongType(PlanError):
    """An operation on a column of a type that it does not take."""


class UnusableCode(McpgenError):
    """Written code that no tool can be made of; the message says what to change."""


class ReferenceFailed(PlanError):
    """The reference computation in SQL did not finish, so nothing can be said about agreement."""


class NotUnderstood(McpgenError):
    """A request that could not be turned into a plan; the message is the honest refusal or the question back.

    `missing` names what was asked for and cannot be computed by anything here.
    """

    def __init__(self, message: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing


class AskedBack(NotUnderstood):
    """A request that can be read in several ways; `question_id` names the open question to pick one of."""

    def __init__(self, message: str, question_id: str) -> None:
        super().__init__(message)
        self.question_id = question_id


class NearlyUnderstood(NotUnderstood):
    """A refused request with something near to it that can be computed; `question_id` asks whether that will do."""

    def __init__(self, message: str, question_id: str) -> None:
        super().__init__(message)
        self.question_id = question_id


class FoundNothing(NotUnderstood):
    """A request that was understood and has no answer: no row meets its conditions, or there is no value.

    `question_id` asks whether the nearest that has an answer will do; it is empty where there is none.
    """

    def __init__(self, message: str, question_id: str = "") -> None:
        super().__init__(message)
        self.question_id = question_id


class QuestionStopped(McpgenError):
    """A person stopped a question; nothing of it was kept."""

    def __init__(self) -> None:
        super().__init__("The question was stopped, and nothing of it was kept. Ask it again when you want.")
