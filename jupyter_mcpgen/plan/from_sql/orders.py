"""Reads ORDER BY; missing values come last in a plan, as in DuckDB."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.nodes import Read, bare, function_name, only, quoted
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.symbols import Numbered, Symbol, settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import SortKey


def read_keys(ordered: Iterable[exp.Expr], read: Read, rows: Rows, by: tuple[str, ...] = ()) -> tuple[SortKey, ...]:
    """Read what rows are ordered by, within groups of the columns `by`."""
    keys: list[SortKey] = []
    first_side = False
    for each in ordered:
        node = each.this if isinstance(each, exp.Ordered) else each
        if isinstance(each, exp.Ordered):
            only(each, "this", "desc", "nulls_first")
        descending = bool(each.args.get("desc"))
        wanted = _listed(bare(node), read, rows)
        if wanted is not None:
            keys.append(wanted.model_copy(update={"descending": descending}))
            continue
        symbol: Symbol = read(node)
        if isinstance(symbol, Numbered) and not descending and _is_in_groups(symbol, keys, by):
            if symbol.side == 2 and not first_side:
                raise CannotHold("The rows of two tables are ordered by their places in the second one.")
            first_side = first_side or symbol.side == 1
            keys += symbol.keys
            if not symbol.side:
                break  # a place in the table decides everything
        else:
            name = rows.column(settle(symbol, rows))
            if each.args.get("nulls_first") and name not in rows.present:
                raise CannotHold(f"{quoted(each)} puts missing values first, where a plan has them last.")
            keys.append(SortKey(column=name, descending=descending))
    return tuple(keys)


def _is_in_groups(numbered: Numbered, keys: list[SortKey], by: tuple[str, ...]) -> bool:
    return set(numbered.by) <= {*by, *(key.column for key in keys)}


def _listed(node: exp.Expr, read: Read, rows: Rows) -> SortKey | None:
    """Read `list_position(['low', 'high'], x)`: an order of texts that is not that of their letters."""
    if not (isinstance(node, exp.Anonymous) and function_name(node) == "list_position"):
        return None
    array, value = node.expressions
    words = array.expressions if isinstance(array, exp.Array) else []
    if not words or not all(isinstance(word, exp.Literal) and word.is_string for word in words):
        raise CannotHold(f"{quoted(node)} is a place in something other than a list of texts.")
    return SortKey(column=rows.column(settle(read(value), rows)), order=tuple(str(word.this) for word in words))
