"""Reference: on the person's data the code and a second computation agree; it ran before the answer was shown."""

from __future__ import annotations

from jupyter_mcpgen.model.validation import TWO_WAYS
from jupyter_mcpgen.pipeline.examples import CHECK as EXAMPLES
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject

CHECKS = frozenset({"run", TWO_WAYS, "own_query", EXAMPLES, "replies"})
"""What is said of the result as a whole; the rest accounts for its parts."""


def _check(subject: Subject, _: float) -> Found:
    return Found(evidence=tuple(item for item in subject.told if item.check in CHECKS))


REFERENCE = Gate("reference", Needs.ANSWER, Cost.CHEAP, blocking=True, seconds=30, check=_check)
