"""The tables that a SELECT names: by a name, or by the path of a file, as in `FROM 'data/sales.csv'`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.checked import Flaw, is_cte, parsed_select, written


def tables_named(sql: str) -> tuple[str, ...] | Flaw:
    """Return the tables that a SELECT reads, each once, or why it is none."""
    statement = parsed_select(sql)
    return statement if isinstance(statement, Flaw) else tuple(dict.fromkeys(map(_name, _read(statement))))


def files_by_name(sql: str, names: Mapping[str, str]) -> str:
    """Return a SELECT with the files in it called by their tables' names; `names` are those by the paths as written."""
    statement = parsed_select(sql)
    files = [] if isinstance(statement, Flaw) else [t for t in _read(statement) if _name(t) in names]
    if isinstance(statement, Flaw) or not files:
        return sql
    for table in files:
        table.set("this", exp.to_identifier(names[_name(table)], quoted=True))
        table.set("db", None)
    return written(statement)


def _read(statement: exp.Query) -> Iterator[exp.Table]:
    for table in statement.find_all(exp.Table, bfs=False):
        if isinstance(table.this, exp.Identifier) and not is_cte(table):
            yield table


def _name(table: exp.Table) -> str:
    """Return what a table is called; `sales.csv` without quotes is parsed as a table `csv` in `sales`."""
    return ".".join(part.name for part in table.parts)
