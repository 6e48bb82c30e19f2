"""Reads functions of texts, and texts found in others; a plan's search does not mind capitals."""

from __future__ import annotations

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import (
    Col,
    Compare,
    CompareOp,
    Expression,
    Lit,
    MatchMode,
    TextCall,
    TextFunction,
    TextMatch,
    negate,
)
from jupyter_mcpgen.plan.from_sql.nodes import Read, function_name, only, quoted
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.symbols import Symbol, Truth, settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.schema import ColumnType

_CALLS: dict[type[exp.Expr], TextFunction] = {
    exp.Lower: TextFunction.LOWER,
    exp.Upper: TextFunction.UPPER,
    exp.Length: TextFunction.LENGTH,
}
_SEARCHES = {
    "contains": MatchMode.CONTAINS,
    "starts_with": MatchMode.STARTS,
    "prefix": MatchMode.STARTS,
    "ends_with": MatchMode.ENDS,
    "suffix": MatchMode.ENDS,
}


def read_text_call(node: exp.Lower | exp.Upper | exp.Length, read: Read, rows: Rows) -> Symbol:
    """Read a function of a text."""
    value = settle(read(node.this), rows)
    if isinstance(value, Lit):
        raise CannotHold(f"{quoted(node)} is made of a constant. Write the constant itself.")
    return TextCall(function=_CALLS[type(node)], operand=Col(name=rows.column(value)))


def is_search(node: exp.Expr) -> bool:
    """Tell whether a function looks for a text in another."""
    return function_name(node) in _SEARCHES


def read_search(node: exp.Expr, read: Read, rows: Rows) -> Truth:
    """Read `contains`, `starts_with` and the like."""
    if isinstance(node, exp.Anonymous):
        text, wanted = node.expressions
    else:
        only(node, "this", "expression")
        text, wanted = node.this, node.expression
    mode = _SEARCHES[function_name(node)]
    if isinstance(wanted, exp.Lower) and isinstance(wanted.this, exp.Literal) and isinstance(text, exp.Lower):
        return _match(mode, settle(read(text.this), rows), str(wanted.this.this), rows)
    if not (isinstance(wanted, exp.Literal) and wanted.is_string):
        raise CannotHold(f"{quoted(node)} looks for something other than a constant text.")
    return _found(mode, settle(read(text), rows), str(wanted.this), rows)


def read_like(node: exp.Like | exp.ILike, read: Read, rows: Rows) -> Truth:
    """Read LIKE and ILIKE with `%` at an end or at both."""
    only(node, "this", "expression", "negate")
    pattern = node.expression
    if not (isinstance(pattern, exp.Literal) and pattern.is_string):
        raise CannotHold(f"{quoted(node)} looks for something other than a constant text.")
    text = str(pattern.this)
    before, after = text.startswith("%"), len(text) > 1 and text.endswith("%")
    wanted = text.removeprefix("%").removesuffix("%") if after else text.removeprefix("%")
    if "%" in wanted or "_" in wanted or "\\" in wanted or not wanted:
        raise CannotHold(f"{quoted(node)} has a pattern that a plan's search of texts cannot hold.")
    value = settle(read(node.this), rows)
    if not (before or after):
        return _equal(node, value, wanted, rows)
    mode = MatchMode.CONTAINS if before and after else MatchMode.STARTS if after else MatchMode.ENDS
    if isinstance(node, exp.ILike):
        return _match(mode, value, wanted, rows)
    return _found(mode, value, wanted, rows)


def _equal(node: exp.Like | exp.ILike, value: Expression, text: str, rows: Rows) -> Truth:
    if isinstance(node, exp.ILike):
        if not text.isascii():
            raise CannotHold(f"{quoted(node)} compares letters beyond ASCII without regard to case.")
        value, text = TextCall(function=TextFunction.LOWER, operand=Col(name=rows.column(value))), text.lower()
    same = Compare(op=CompareOp.EQ, left=value, right=Lit(value=text, type=ColumnType.TEXT))
    return Truth(same, negate(same))


def _found(mode: MatchMode, value: Expression, text: str, rows: Rows) -> Truth:
    """Find a text by its exact letters: a plan can where the column is in lower case, or where nothing has a case."""
    if isinstance(value, TextCall) and value.function is TextFunction.LOWER and text.isascii() and text == text.lower():
        return _match(mode, value.operand, text, rows)
    if text.isascii() and text.lower() == text.upper():
        return _match(mode, value, text, rows)
    raise CannotHold(
        f"A search for `{text}` that minds capitals, where a plan's search does not. Write ILIKE if either will do."
    )


def _match(mode: MatchMode, value: Expression, text: str, rows: Rows) -> Truth:
    found = TextMatch(mode=mode, operand=Col(name=rows.column(value)), text=Lit(value=text, type=ColumnType.TEXT))
    return Truth(found, negate(found))
