"""Says which of several equally frequent values `mode(x)` takes: the smallest, as a plan does."""

from __future__ import annotations

from sqlglot import exp


def with_smallest_mode(statement: exp.Query) -> exp.Query:
    """Return a statement whose `mode(x)` is `mode(x ORDER BY x)`: one of the results that SQL leaves open."""
    made = statement.copy()
    for node in list(made.find_all(exp.Mode)):
        if isinstance(node.this, exp.Expr) and not isinstance(node.this, exp.Order | exp.Distinct):
            value = node.this
            ordered = exp.Ordered(this=value.copy(), nulls_first=False)
            node.set("this", exp.Order(this=value.copy(), expressions=[ordered]))
    return made
