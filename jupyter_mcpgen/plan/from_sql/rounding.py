"""Takes ROUND off what a SELECT shows: how many digits are shown is presentation, and a plan's values have them all."""

from __future__ import annotations

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.nodes import bare


def without_rounding(statement: exp.Query) -> exp.Query:
    """Return a statement that shows its numbers with all digits: the same one where nothing shown is rounded.

    Only ROUND around a whole column of the outermost list is taken off, where nothing but ORDER BY reads that column:
    the rows are then ordered by the number itself. Where a LIMIT keeps some of them, it may only settle what is left
    open, or other rows would be kept.
    """
    if not isinstance(statement, exp.Select) or statement.args.get("distinct") is not None:
        return statement
    made = statement.copy()
    for place, item in enumerate(made.expressions):
        inner = bare(item.this if isinstance(item, exp.Alias) else item)
        if not isinstance(inner, exp.Round) or _is_read_again(item, made) or _settles_order(item, place, made):
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


def _settles_order(item: exp.Expr, place: int, statement: exp.Select) -> bool:
    """Tell whether ORDER BY computes with a column, or a LIMIT goes by other columns where ROUND makes rows equal."""
    order = statement.args.get("order")
    keys = [] if order is None else [bare(key.this) for key in order.expressions]
    is_cut = any(statement.args.get(clause) is not None for clause in ("limit", "offset"))
    for number, key in enumerate(keys, 1):
        if isinstance(key, exp.Var):  # ORDER BY ALL
            return is_cut and place + 1 < len(statement.expressions)
        columns = [column.name.casefold() for column in key.find_all(exp.Column) if not column.table]
        is_place = isinstance(key, exp.Literal) and not key.is_string and key.this == str(place + 1)
        if is_place or item.alias_or_name.casefold() in columns:
            is_whole = is_place or isinstance(key, exp.Column)
            return not is_whole or (is_cut and number < len(keys))
    return False
