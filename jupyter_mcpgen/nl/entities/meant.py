"""What a question about single rows means: its plan, what was assumed, and the words that say which rows count."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.text.tokens import TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True)
class Meant:
    """A plan, and what was assumed for it."""

    plan: Plan
    notes: tuple[str, ...] = ()
    condition: str = ""
    """Words that say which rows count, before anything else is done."""


def number_in(text: str) -> Lit | None:
    """Return the one number that a text is, or None."""
    tokens = tokenize(text)
    if len(tokens) != 1 or tokens[0].kind is not TokenKind.NUMBER:
        return None
    number = tokens[0].number
    return Lit(value=number, type=ColumnType.INTEGER if isinstance(number, int) else ColumnType.REAL)
