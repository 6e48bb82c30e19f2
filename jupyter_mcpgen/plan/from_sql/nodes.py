"""Small questions to the parsed SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.symbols import Symbol
from jupyter_mcpgen.plan.from_sql.unread import CannotHold

Read = Callable[[exp.Expr], Symbol]
"""Reads a part of an expression."""
DIALECT = "duckdb"
_NUMBERS = frozenset({"INT", "BIGINT", "INT128", "DOUBLE"})
"""Types whose numbers are those of a plan; narrower ones fail or lose digits."""


def only(node: exp.Expr, *known: str) -> None:
    """Refuse a part of SQL with an option that is not one of the known: it would change the meaning unread."""
    for name, value in node.args.items():
        if name not in known and value not in (None, False, []) and not (name == "big_int"):
            raise CannotHold(f"A plan cannot hold this option of SQL: {quoted(node)}.")


def quoted(node: exp.Expr) -> str:
    """Write a part of SQL as it is shown in a sentence."""
    text = node.sql(dialect=DIALECT)
    return f"`{text if len(text) <= 60 else text[:57] + '…'}`"


def bare(node: exp.Expr) -> exp.Expr:
    """Return what stands in brackets."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def stripped(node: exp.Expr) -> exp.Expr:
    """Return a number without brackets and without casts that leave it as it is."""
    node = bare(node)
    while isinstance(node, exp.Cast) and type_name(node) == "DOUBLE":
        node = bare(node.this)
    return node


def type_name(cast: exp.Cast) -> str:
    """Return the type that a value is cast to, such as `BIGINT`."""
    to = cast.args["to"]
    return str(to.this.value) if isinstance(to, exp.DataType) and not to.expressions else ""


def is_number_type(name: str) -> bool:
    """Tell whether a plan's numbers are of this type."""
    return name in _NUMBERS


def conjuncts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the conditions that must all hold."""
    node = bare(node)
    if isinstance(node, exp.And):
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    else:
        yield node


def integer(node: exp.Expr | None) -> int | None:
    """Return a whole number that is written out."""
    if node is None:
        return None
    node = bare(node)
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        return int(node.this)
    return None


def function_name(node: exp.Expr) -> str:
    """Return what a function is called in SQL, in lower case."""
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower()
    return node.sql_name().lower() if isinstance(node, exp.Func) else type(node).__name__.lower()
