"""Which failures no rule knows: told of without a word that the program or its author chose.

Advice is specific where a rule knows the failure. What has only the general advice on exceptions, or none, counts as
not classified; that is what a new rule would be written for.
"""

from __future__ import annotations

import builtins
import logging
import sys

from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.fuel.import_costs import NATIVE, WASI_PYTHON
from jupyter_mcpgen.sandbox.guidance.rules.stderr import raised_in

log = logging.getLogger(__name__)

_JAVASCRIPT = frozenset({"AggregateError", "Error", "RangeError", "ReferenceError", "SyntaxError", "TypeError"})
_PUBLIC_ROOTS = frozenset({"java", "javax", *sys.stdlib_module_names, *NATIVE, *WASI_PYTHON})


def is_a_failure(execution: Execution) -> bool:
    """Return whether code ran and failed by itself; what never began, was cancelled or was lost tells nothing."""
    unseen = execution.status is Status.SETUP_ERROR or execution.reason in (Reason.CANCELLED, Reason.LOST)
    return execution.status is not Status.SUCCESS and not unseen


def is_classified(guidance: ErrorGuidance | None) -> bool:
    """Return whether a rule knew the failure."""
    return guidance is not None and guidance.error_type is not ErrorType.UNCAUGHT_EXCEPTION


def log_unclassified(execution: Execution) -> None:
    """Log that no rule knew a failure, with its exception where that has a public name."""
    raised = raised_in(execution.stderr, execution.language)
    named = raised is not None and _is_public(raised.name)
    log.info(
        "No rule knows a failure: language %s, reason %s, exit code %s, exception %s",
        execution.language,
        execution.reason.value,
        execution.exit_code,
        raised.name if raised is not None and named else "of its own" if raised is not None else "none",
    )


def _is_public(name: str) -> bool:
    """Return whether a language or a known package has an exception of that name, and not only the program."""
    root, dot, _ = name.partition(".")
    return root in _PUBLIC_ROOTS if dot else name in _JAVASCRIPT or hasattr(builtins, name)
