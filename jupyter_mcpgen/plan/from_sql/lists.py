"""Reads the list of a SELECT: what each column is called, and what `*` stands for."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.nodes import bare, function_name, only
from jupyter_mcpgen.plan.from_sql.scope import Scope
from jupyter_mcpgen.plan.from_sql.symbols import Symbol

Item = tuple[str, Symbol | exp.Expr]
"""The name of a column, and the expression, or what a column of `*` is."""


def listed_items(node: exp.Select, scope: Scope) -> Iterator[Item]:
    """Yield the columns of the SELECT list: what each is called, and the expression, or what `*` stands for."""
    taken: dict[str, int] = {}
    for each in node.expressions:
        if isinstance(each, exp.Star) or (isinstance(each, exp.Column) and isinstance(each.this, exp.Star)):
            yield from _starred(each, scope)
            continue
        name, value = (each.alias, each.this) if isinstance(each, exp.Alias) else (_default(each), each)
        taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
        if taken[name.casefold()] > 1 and not isinstance(each, exp.Alias):
            name = f"{name}_{taken[name.casefold()]}"
        yield name, value


def _starred(star: exp.Expr, scope: Scope) -> Iterator[Item]:
    inner = star.this if isinstance(star, exp.Column) else star
    only(inner, "except_", "replace")
    left_out = {each.name.casefold() for each in inner.args.get("except_") or ()}
    replaced = {each.alias.casefold(): each.this for each in inner.args.get("replace") or ()}
    table = star.table.casefold() if isinstance(star, exp.Column) else ""
    for origin, columns in scope.origins:
        for name, symbol in columns:
            if (table and origin.casefold() != table) or name.casefold() in left_out:
                continue
            if not table and (origin.casefold(), name.casefold()) in scope.hidden:
                continue
            yield name, replaced.get(name.casefold(), symbol)


def _default(node: exp.Expr) -> str:
    """Return what a column without an alias is called."""
    inner = bare(node)
    if isinstance(inner, exp.Column):
        return inner.name
    own = inner.this if isinstance(inner, exp.Filter | exp.WithinGroup | exp.Window) else inner
    column = next((each.name for each in own.find_all(exp.Column)), "")
    return f"{function_name(own)}_{column}" if column else function_name(own)
