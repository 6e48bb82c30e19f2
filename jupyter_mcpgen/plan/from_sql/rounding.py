"""Takes ROUND off what a SELECT shows: how many digits are shown is presentation, and a plan's values have them all."""

from __future__ import annotations

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.nodes import bare


def without_rounding(statement: exp.Query) -> exp.Query:
    """Return a statement that shows its numbers with all digits: the same one where nothing shown is rounded.

    Only ROUND around a whole column of the outermost list is taken off, where nothing but ORDER BY reads that column:
    an order by the number itself is one of the orders that rounded ones may come in.
    """
    if not isinstance(statement, exp.Select) or statement.args.get("distinct") is not None:
        return statement
    made = statement.copy()
    for place, item in enumerate(made.expressions):
        inner = bare(item.this if isinstance(item, exp.Alias) else item)
        if not isinstance(inner, exp.Round) or _is_read_again(item, made):
            continue
        name = item.alias if isinstance(item, exp.Alias) else f"round_{place + 1}"
        item.replace(exp.alias_(inner.this.copy(), name, quoted=True))
    return made


def _is_read_again(item: exp.Expr, statement: exp.Select) -> bool:
    """Tell whether a condition, a group or another column of the list reads a column by its name."""
    name = item.alias_or_name.casefold()
    readers = [statement.args.get(clause) for clause in ("where", "group", "having", "qualify")]
    readers += [other for other in statement.expressions if other is not item]
    group = statement.args.get("group")
    by_place = group is not None and (
        group.args.get("all") or any(isinstance(e, exp.Literal) for e in group.expressions)
    )
    grouped = bool(by_place) and item.find(exp.AggFunc) is None
    named = any(
        column.name.casefold() == name and not column.table
        for reader in readers
        if reader is not None
        for column in reader.find_all(exp.Column)
    )
    return grouped or (bool(name) and named)
