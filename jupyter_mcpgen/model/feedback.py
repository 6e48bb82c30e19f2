"""A person's answers, and how words become a decision (seed 000 step 7 with rulings R1 to R8 and R50)."""

from __future__ import annotations

import re
from enum import StrEnum

from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.record import Record

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_YES = frozenset({"yes", "y", "correct", "good"})
_NO = re.compile(
    r"\W*(?:(?:no|n)(?:\W*$|\s*[^\w\s])|"
    r"(?:wrong|incorrect|reject|rejected|not (?:correct|right|good)|looks (?:bad|wrong))\b)"
)
"""A clear no: one that stands alone or before a pause, so that "no idea" and "no problem" are none."""
_APPROVE = frozenset({"approve", "approved"})
_REJECT = frozenset({"reject", "rejected", "no"})
_DISQUALIFIERS = frozenset({"but", "however", "except", "although", "though", "no", "not", "reject", "don't", "never"})


class OutputVerdict(StrEnum):
    """The answer to "Is this output correct?"."""

    ACCEPTED = "OUTPUT_ACCEPTED"
    REJECTED = "OUTPUT_REJECTED"
    PENDING = "PENDING"


class Decision(StrEnum):
    """The answer to "Save it as a reusable tool?"; silence and doubt leave it pending, never approved."""

    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    PENDING = "PENDING"


class Reason(StrEnum):
    """What a rejection finds wrong, read from its words."""

    COLUMN_MISMATCH = "COLUMN_MISMATCH"
    """Another column was meant."""
    WRONG_METRIC = "WRONG_METRIC"
    """Another statistic was meant."""
    MISSING_FILTER = "MISSING_FILTER"
    """A condition was meant that the answer leaves out."""
    OUTPUT_FORMAT = "OUTPUT_FORMAT"
    """Another chart, a table or a file format was meant."""
    OTHER = "OTHER"
    """The words name none of these."""


class Face(StrEnum):
    """Where a decision was made."""

    NOTEBOOK = "notebook"
    """On the card of a notebook, or in a cell with `%mcpgen`."""
    PANEL = "panel"
    """On a page of JupyterLab, over its server and without a kernel."""
    TERMINAL = "terminal"
    PYTHON = "python"
    CLIENT = "client"
    """In the AI client that offered a tool, where the person switched that on."""
    STANDING = "standing consent"
    """Nowhere now: a person always allows this content."""


REPLACED = "replaced"
"""Who archives a card that another one takes the place of: nobody rejected it."""


class UserFeedback(Record):
    """What a person answered to the two questions, when, and in which words.

    `timestamp` is ISO 8601 in UTC; `decided_by` names the account or session that answered, `face` says where (older
    answers do not). `confirmed` is what was said besides an approval, `reasons` are what the words of a rejection find
    wrong.
    """

    output: OutputVerdict = OutputVerdict.PENDING
    decision: Decision = Decision.PENDING
    notes: str | None = None
    timestamp: str
    decided_by: str = "local"
    confirmed: tuple[Confirms, ...] = ()
    reasons: tuple[Reason, ...] = ()
    face: Face | None = None


def _words(answer: str) -> list[str]:
    return _WORD.findall(answer.casefold().replace("’", "'"))


def read_output_verdict(answer: str) -> OutputVerdict:
    """Read an answer to the first question: a clear yes, a clear no, or what decides nothing and is asked again."""
    if _NO.match(answer.casefold()):
        return OutputVerdict.REJECTED
    words = _words(answer)
    agrees = bool(words) and (words[0] in _YES or words[:2] == ["looks", "good"])
    return OutputVerdict.ACCEPTED if agrees and not _mixed(words[1:]) else OutputVerdict.PENDING


def read_decision(answer: str) -> Decision:
    """Read an answer to the second question: only a first word "approve" without a "but" approves.

    "ok", "sure", "ship it" and silence stay pending, so the question is asked again.
    """
    words = _words(answer)
    if not words:
        return Decision.PENDING
    if words[0] in _APPROVE:
        return Decision.REJECTED if _mixed(words[1:]) else Decision.APPROVED
    return Decision.REJECTED if words[0] in _REJECT else Decision.PENDING


def _mixed(words: list[str]) -> bool:
    return any(word in _DISQUALIFIERS for word in words)
