"""Reads constants that are written by way of something else, and figures that are written by way of a choice."""

from __future__ import annotations

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.from_sql.nodes import bare, quoted
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.schema import ColumnType


def cast_constant(value: Lit, type_: str, node: exp.Cast) -> Lit:
    """Return a text that is cast as the constant that it writes."""
    text = str(value.value)
    try:
        match type_:
            case "DATE":
                return Lit(value=text[: len("2024-01-31")], type=ColumnType.DATE)
            case "TIMESTAMP" | "TIMESTAMPNTZ":
                return Lit(value=text, type=ColumnType.DATE)
            case "INT" | "BIGINT" | "INT128":
                return Lit(value=int(text), type=ColumnType.INTEGER)
            case "DOUBLE":
                return Lit(value=float(text), type=ColumnType.REAL)
            case "TEXT":
                return value
            case _:
                raise CannotHold(f"A plan cannot hold the conversion {quoted(node)}.")
    except ValueError as error:
        raise CannotHold(f"{quoted(node)} is no such constant.") from error


def figure_of_itself(node: exp.Case) -> exp.Window | None:
    """Return the figure of a plan that stands beside values: the value itself where the two agree to nine digits."""
    ifs, default = node.args["ifs"], node.args.get("default")
    if len(ifs) != 1 or not isinstance(default, exp.Window):
        return None
    near = bare(ifs[0].this)
    if not (isinstance(near, exp.LTE) and isinstance(near.left, exp.Abs) and isinstance(bare(near.left.this), exp.Sub)):
        return None
    difference = bare(near.left.this)
    same = difference.args["expression"] == default and difference.this == ifs[0].args["true"]
    return default if same and near.right.sql() == f"1e-9 * ABS({default.sql()})" else None


def made_date(node: exp.DateFromParts) -> Lit:
    """Read a date of constant parts."""
    parts = [node.args.get(name) for name in ("year", "month", "day")]
    if not all(isinstance(part, exp.Literal) for part in parts):
        raise CannotHold(f"{quoted(node)} makes a date of columns.")
    year, month, day = (int(part.name) for part in parts if part is not None)
    return Lit(value=f"{year:04}-{month:02}-{day:02}", type=ColumnType.DATE)
