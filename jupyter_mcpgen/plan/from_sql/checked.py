"""Accepts one SELECT over the granted tables, and nothing that could do or see anything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from jupyter_mcpgen.plan.from_sql.functions import ARGUMENTS, NAMED, TYPED
from jupyter_mcpgen.plan.from_sql.granted import Tables, find_table
from jupyter_mcpgen.plan.from_sql.nodes import DIALECT, function_name, quoted
from jupyter_mcpgen.plan.from_sql.series import flaw_of_series, series_column

_PARTS: frozenset[type[exp.Expr]] = frozenset(
    {
        *(exp.Select, exp.Subquery, exp.Union, exp.Intersect, exp.Except, exp.With, exp.CTE, exp.TableAlias),
        *(exp.From, exp.Join, exp.Table, exp.Where, exp.Group, exp.Having, exp.Qualify, exp.Order, exp.Ordered),
        *(exp.Limit, exp.Offset, exp.Distinct, exp.Window, exp.WindowSpec, exp.Filter, exp.WithinGroup),
        *(exp.IgnoreNulls, exp.RespectNulls, exp.Rollup, exp.Cube, exp.GroupingSets),
        *(exp.Column, exp.Identifier, exp.Star, exp.Alias, exp.Paren, exp.Tuple, exp.Var, exp.Interval),
        *(exp.Literal, exp.Boolean, exp.Null, exp.ByteString, exp.DataType, exp.DataTypeParam),
        *(exp.Not, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is),
        *(exp.In, exp.Between, exp.Like, exp.ILike, exp.Escape, exp.Any, exp.All),
        *(exp.GenerateSeries, exp.Explode, exp.Unnest),
        *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.DPipe),
    }
)
_NEAREST = 3
DEEPEST = 200
"""How deeply the parts of a statement may be nested."""


class FlawKind(StrEnum):
    """What is wrong with a statement that is not run."""

    SYNTAX = "syntax"
    """It cannot be parsed, or it is not one SELECT."""
    NOT_ALLOWED = "not_allowed"
    """It calls or reads something that no SELECT here may."""
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_COLUMN = "unknown_column"


@dataclass(frozen=True)
class Flaw:
    """Why a statement is not run; for a name that is not there the nearest ones that are."""

    kind: FlawKind
    reason: str
    name: str = ""
    nearest: tuple[str, ...] = ()


_TOO_DEEP = Flaw(FlawKind.SYNTAX, "The SQL is nested too deeply.")


def check_select(sql: str, tables: Tables) -> exp.Query | Flaw:
    """Return the statement if it is one SELECT over the granted tables with columns they have, else its flaw.

    What is run should be `written` from what was parsed, so that nothing in the text was read in two ways.
    """
    try:
        return _checked(sql, tables)
    except RecursionError:
        return _TOO_DEEP


def parsed_select(sql: str) -> exp.Query | Flaw:
    """Return the statement if it is one SELECT, whatever it reads, else its flaw."""
    try:
        return _parsed(sql)
    except RecursionError:
        return _TOO_DEEP


def _checked(sql: str, tables: Tables) -> exp.Query | Flaw:
    statement = _parsed(sql)
    if isinstance(statement, Flaw):
        return statement
    return (
        _flaw_of_parts(statement)
        or _flaw_of_tables(statement, tables)
        or _flaw_of_columns(statement, tables)
        or statement
    )


def _parsed(sql: str) -> exp.Query | Flaw:
    try:
        statements = [each for each in sqlglot.parse(sql, read=DIALECT) if each is not None]
    except SqlglotError as error:
        return Flaw(FlawKind.SYNTAX, f"The SQL cannot be parsed: {_first_line(error)}")
    if len(statements) != 1:
        return Flaw(FlawKind.SYNTAX, f"There must be one statement, and there are {len(statements)}.")
    statement = statements[0]
    if _is_deep(statement):
        return _TOO_DEEP
    if not isinstance(statement, exp.Query) or not isinstance(statement, exp.Select | exp.SetOperation | exp.Subquery):
        return Flaw(FlawKind.SYNTAX, f"Only a SELECT is run, and {quoted(statement)} is none.")
    return statement


def written(statement: exp.Expr) -> str:
    """Write a parsed statement as DuckDB SQL, without comments."""
    return statement.sql(dialect=DIALECT, comments=False)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def _flaw_of_parts(statement: exp.Expr) -> Flaw | None:
    for node in statement.walk():
        if isinstance(node, exp.Anonymous):
            allowed = function_name(node) in NAMED
        else:
            allowed = type(node) in _PARTS or type(node) in TYPED
        if not allowed:
            what = function_name(node)
            return Flaw(FlawKind.NOT_ALLOWED, f"`{what}` is not allowed here: {quoted(node)}.", what)
        wrong = _malformed(node)
        if wrong is not None:
            return Flaw(FlawKind.SYNTAX, wrong)
        if isinstance(node, exp.With) and node.args.get("recursive"):
            return Flaw(FlawKind.NOT_ALLOWED, "A recursive query is not allowed here.", "recursive")
        if isinstance(node, exp.Select):
            unusual = [
                name for name in ("into", "locks", "sample", "hint", "laterals", "connect") if node.args.get(name)
            ]
            if unusual:
                return Flaw(FlawKind.NOT_ALLOWED, f"`{unusual[0].upper()}` is not allowed here.", unusual[0])
    return None


def _malformed(node: exp.Expr) -> str | None:
    """Say what is wrong with a part that can be parsed and means nothing."""
    match node:
        case exp.Anonymous() if ARGUMENTS.get(function_name(node)) not in (None, len(node.expressions)):
            name = function_name(node)
            return f"`{name}` has {ARGUMENTS[name]} arguments, not those of {quoted(node)}."
        case exp.GenerateSeries():
            return flaw_of_series(node)
        case exp.Select() if not node.expressions:
            return f"{quoted(node)} names no columns."
        case exp.In() if not node.expressions and node.args.get("query") is None:
            return f"{quoted(node)} lists no values."
        case _:
            return None


def _is_deep(statement: exp.Expr) -> bool:
    """Tell whether a statement is nested more deeply than anybody writes."""
    level: list[exp.Expr] = [statement]
    for _ in range(DEEPEST):
        level = [child for node in level for child in node.iter_expressions()]
        if not level:
            return False
    return True


def _flaw_of_tables(statement: exp.Expr, tables: Tables) -> Flaw | None:
    for table in statement.find_all(exp.Table):
        name = table.name
        if isinstance(table.this, exp.GenerateSeries):
            continue
        if not isinstance(table.this, exp.Identifier) or table.args.get("db") or table.args.get("catalog"):
            return Flaw(FlawKind.NOT_ALLOWED, f"Only the tables that were given are read, not {quoted(table)}.", name)
        if find_table(name, tables) is None and not is_cte(table):
            near = _nearest(name, tables)
            known = ", ".join(f"`{each}`" for each in tables)
            return Flaw(FlawKind.UNKNOWN_TABLE, f"There is no table `{name}`. Tables: {known}.", name, near)
    return None


def is_cte(table: exp.Table) -> bool:
    """Tell whether a name is that of a CTE which is defined around the place."""
    node: exp.Expr | None = table
    while node is not None:
        clause = node.args.get("with_")
        if clause is not None and any(cte.alias.casefold() == table.name.casefold() for cte in clause.expressions):
            return True
        node = node.parent
    return False


def _flaw_of_columns(statement: exp.Query, tables: Tables) -> Flaw | None:
    try:
        scopes = traverse_scope(statement)
        for scope in scopes:
            for column in (each for each in scope.columns if each.parent_select is scope.expression):
                flaw = _flaw_of_column(column, scope, tables)
                if flaw is not None:
                    return flaw
    except SqlglotError as error:
        return Flaw(FlawKind.SYNTAX, f"The SQL cannot be read: {_first_line(error)}")
    return None


def _flaw_of_column(column: exp.Column, scope: Scope, tables: Tables) -> Flaw | None:
    if isinstance(column.this, exp.Star):
        return None
    name, table = column.name, column.table
    known: dict[str, None] = {}
    around: Scope | None = scope
    while around is not None:
        for alias, names in _sources(around, tables):
            if not table or alias.casefold() == table.casefold():
                known.update(dict.fromkeys(names))
        if not table:
            known.update(dict.fromkeys(_aliases(around.expression)))
        around = around.parent
    folded = {each.casefold() for each in known}
    if name.casefold() in folded or (name.casefold() == "all" and isinstance(column.parent, exp.Ordered)):
        return None
    shown = f"{table}.{name}" if table else name
    near = _nearest(name, known)
    offer = f" Did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
    return Flaw(FlawKind.UNKNOWN_COLUMN, f"There is no column `{shown}`.{offer}", shown, near)


def _aliases(expression: exp.Expr) -> Iterator[str]:
    for each in expression.args.get("expressions") or ():
        if isinstance(each, exp.Alias):
            yield each.alias


def _sources(scope: Scope, tables: Tables) -> Iterator[tuple[str, list[str]]]:
    for alias, source in scope.sources.items():
        yield alias, _outputs(source, tables)


def _outputs(source: object, tables: Tables) -> list[str]:
    if isinstance(source, exp.Table) and isinstance(source.this, exp.GenerateSeries):
        return _called([series_column(source.this) or ""], source.args.get("alias"))
    if isinstance(source, exp.Table):
        known = find_table(source.name, tables)
        names = [label for label, _ in tables[known].labels] if known is not None else []
        return _called(names, source.args.get("alias"))
    if isinstance(source, Scope) and isinstance(source.expression, exp.Unnest):
        return _called(["unnest"], source.expression.args.get("alias"))
    if isinstance(source, Scope):
        names = _selected(source, tables)
        parent = source.expression.parent
        return _called(names, parent.args.get("alias") if parent is not None else None)
    return []


def _called(names: list[str], alias: exp.Expr | None) -> list[str]:
    new = [each.name for each in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []
    return [*new, *names[len(new) :]]


def _selected(scope: Scope, tables: Tables) -> list[str]:
    if isinstance(scope.expression, exp.SetOperation):
        return [name for side in scope.set_operation_scopes or () for name in _selected(side, tables)]
    found: list[str] = []
    for each in scope.expression.args.get("expressions") or ():
        if isinstance(each, exp.Star) or (isinstance(each, exp.Column) and isinstance(each.this, exp.Star)):
            table = each.table if isinstance(each, exp.Column) else ""
            for alias, names in _sources(scope, tables):
                if not table or alias.casefold() == table.casefold():
                    found += names
        else:
            found.append(each.alias_or_name)
    return found


def _nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    by_folded: Mapping[str, str] = {each.casefold(): each for each in known}
    near = get_close_matches(name.casefold(), by_folded, n=_NEAREST, cutoff=0.6)
    return tuple(by_folded[each] for each in near)
