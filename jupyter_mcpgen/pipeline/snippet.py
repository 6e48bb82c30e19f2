"""An answer's computation as a person runs it: plain pandas for a cell, and SQL over the table by its own name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.authors.signature import signature_of
from jupyter_mcpgen.data.lazy_frames import is_dask
from jupyter_mcpgen.data.parquet_tables import names_of
from jupyter_mcpgen.data.preparation import preparation
from jupyter_mcpgen.errors import NoAnswer
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.plain_code import PlainCode
from jupyter_mcpgen.model.request import DataKind, DataRef
from jupyter_mcpgen.model.second import NoSecond, PlannedSecond, Second
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.emit.duckdb import SOURCE, emit_duckdb
from jupyter_mcpgen.plan.emit.duckdb_expressions import identifier
from jupyter_mcpgen.plan.emit.duckdb_sources import OTHER
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.emit.pandas_sources import OTHER as OTHER_FRAME
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.emit.pandas_writer import FRAME
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

if TYPE_CHECKING:
    import pandas as pd

RESULT = "result"
RESULT_MARK = "__result__"
"""Stands for the result until a name is chosen that no table has."""
_WIDTH = 88
_LOADER = "load_csv_data_with_types"
_WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
_MOST_PACKED_BYTES = 1 << 21
_READERS = {".parquet": "read_parquet", ".feather": "read_feather", ".arrow": "read_feather"}


def pandas_of(intent: Understood, material: Material, variables: Mapping[str, Any]) -> str:
    """Return code that computes an answer in a cell which has the tables as variables, and shows it."""
    if isinstance(intent, Intent):
        return plain_pandas(intent.plan, material, variables)
    return written_pandas(intent.code, material, variables)


def sql_of(intent: Understood, material: Material) -> str:
    """Return the second computation as SQL over the tables by name; raises `NoAnswer` where there is none."""
    if isinstance(intent, Intent):
        return laid_out(sql_over(intent.plan, material))
    match intent.second:
        case Second(sql=sql):
            return laid_out(written_sql(sql, material))
        case PlannedSecond(shape=shape):
            return laid_out(sql_over(shape.plan, material))
        case NoSecond(reason=reason):
            raise NoAnswer(f"This answer has no second computation: {reason}")


def laid_out(sql: str) -> str:
    """Return a query with each clause of its steps on a line of its own; nothing but blanks is changed."""
    from sqlglot import TokenType, tokenize  # deferred: 100 ms

    clauses = {TokenType.SELECT, TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.ORDER_BY}
    lines, begun, depth, indented = list[str](), 0, 0, ""
    for token in tokenize(sql, read="duckdb"):
        depth -= token.token_type is TokenType.R_PAREN
        ends_step = token.token_type is TokenType.R_PAREN and depth == 0
        if token.start > begun and (ends_step or (token.token_type in clauses and depth <= 1)):
            lines.append(f"{indented}{sql[begun : token.start].rstrip()}")
            begun, indented = token.start, "  " * depth
        depth += token.token_type is TokenType.L_PAREN
    return "\n".join([*lines, f"{indented}{sql[begun:]}"])


def _in_cell(sql: str, opening: Sequence[str]) -> str:
    """Return the statements that compute a query in a cell and show its rows, after those that open its tables."""
    imports = ["import duckdb", *(["import pandas as pd"] if any("pd." in line for line in opening) else [])]
    start = "\n".join([*imports, "", *opening, ""])
    quotes = "'''" if '"""' in sql else '"""'
    # a cell reads a carriage return as a line break, and hides signs that change how a line is read
    if quotes in sql or "\\" in sql or not sql.replace("\n", "").isprintable():
        return f"{start}duckdb.sql({sql!r}).df()"
    return f"{start}duckdb.sql({quotes}\n{sql}\n{quotes}).df()"


def plain_code(intent: Understood, material: Material, variables: Mapping[str, Any]) -> PlainCode:
    """Return both computations of an answer as they run in a cell."""
    pandas = pandas_of(intent, material, variables)
    try:
        sql = sql_of(intent, material)
    except NoAnswer as none:
        return PlainCode(pandas=pandas, no_sql=str(none))
    return PlainCode(pandas=pandas, sql=_in_cell(sql, _shown_to_duckdb(material, variables)))


def _shown_to_duckdb(material: Material, variables: Mapping[str, Any]) -> list[str]:
    """Return the statements that give DuckDB the tables that it does not find by their variables: those of Dask."""
    statements: list[str] = []
    for called, table in _tables(material):
        name = table.ref.name
        if table.ref.kind is not DataKind.FILE and is_dask(variables.get(name)):
            lines, held = _opened(called, table, frozenset(names_of(table.rows)), variables)
            statements += [*lines, f"duckdb.register({name!r}, {held})"]
    return statements


def _tables(material: Material) -> list[tuple[str, Material]]:
    """Return the tables of an answer with what plain code calls them."""
    return [(FRAME, material), *([(OTHER_FRAME, material.other)] if material.other is not None else [])]


def plain_pandas(plan: Plan, material: Material, variables: Mapping[str, Any]) -> str:
    """Return code that computes the answer in a cell which has the tables as variables, and shows it.

    `variables` holds the tables that were asked about by name; one that was a file is read first. The code overwrites
    none of them.
    """
    taken = frozenset(variables)
    names: dict[str, str] = {}
    opening: list[str] = []
    for called, table in _tables(material):
        lines, names[called] = _opened(called, table, _columns(plan, table), variables)
        opening += lines
    result = _free(RESULT, taken)
    body = _body(plan, names, taken, result)
    lines = [*opening, body, result]
    imports = list(emit_imports(plan))
    imports += ["import pandas as pd"] if any("pd." in line for line in lines) else []
    imports += [f"from jupyter_mcpgen.toolkit import {_LOADER}"] if any(_LOADER in line for line in opening) else []
    return formatted("\n".join([*imports, *lines]), line_length=_WIDTH)


def written_pandas(code: str, material: Material, variables: Mapping[str, Any]) -> str:
    """Return written code with the call that computes the answer in a cell which has the tables as variables."""
    opening: list[str] = []
    names: list[str] = []
    for called, table in _tables(material):
        lines, name = _opened(called, table, frozenset(names_of(table.rows)), variables)
        opening += lines
        names.append(name)
    function, result = signature_of(code).name, _free(RESULT, frozenset(variables))
    imports = ["import pandas as pd"] if any("pd." in line for line in opening) else []
    imports += [f"from jupyter_mcpgen.toolkit import {_LOADER}"] if any(_LOADER in line for line in opening) else []
    called_so = f"{result} = {function}({', '.join(names)})"
    return formatted("\n".join([*imports, code, "", "", *opening, called_so, result]), line_length=_WIDTH)


def written_sql(sql: str, material: Material) -> str:
    """Return a query over tables by their names so that DuckDB finds them: a file is read by its path."""
    tables = [material, *([material.other] if material.other is not None else [])]
    named = ", ".join(
        f"{identifier(table.profile.name)} AS (SELECT * FROM {_relation(table.ref)})"  # noqa: S608  as above
        for table in tables
        if table.ref.kind is DataKind.FILE or table.profile.name != table.ref.name
    )
    return f"WITH {named} SELECT * FROM ({sql})" if named else sql  # noqa: S608  the query was checked


def sql_over(plan: Plan, material: Material) -> str:
    """Return the reference query over the tables by the names that a person gave them."""
    query = emit_duckdb(plan)
    tables = {SOURCE: material, **({OTHER: material.other} if material.other is not None else {})}
    named = ", ".join(
        f"{called} AS (SELECT * FROM {_relation(table.ref)})"  # noqa: S608  names and paths are quoted
        for called, table in tables.items()
    )
    return f"WITH {named}, {query.removeprefix('WITH ')}"


def _relation(ref: DataRef) -> str:
    if ref.kind is DataKind.FILE:
        path = ref.path.replace("'", "''")
        return f"'{path}'"
    return identifier(ref.name)


def _opened(
    called: str, table: Material, columns: frozenset[str], variables: Mapping[str, Any]
) -> tuple[list[str], str]:
    """Return the statements that open a table, and the name of the variable that then holds it."""
    name = table.ref.name
    if table.ref.kind is DataKind.FILE or name not in variables:
        return [f"{called} = {_read(table, columns)}"], called
    statements = preparation(name, variables[name], table.columns(names_of(table.rows)), columns)
    if not statements:
        return [], name
    own = _free(called, frozenset(variables))
    return [_renamed(ast.parse(statement), {FRAME: own} if name != FRAME else {}) for statement in statements], own


def _columns(plan: Plan, table: Material) -> frozenset[str]:
    """Return the columns of a table that the plan reads or shows; all of them, where it names none."""
    known = frozenset(names_of(table.rows))
    return ((used_columns(plan) | frozenset(plan.result_schema.names)) & known) or known


def _read(table: Material, columns: frozenset[str]) -> str:
    """Return how a file is read: by pandas alone, where that gives the values that the answer was computed from."""
    path = Path(table.ref.path)
    shown = [name for name in names_of(table.rows) if name in columns]
    dates = [name for name in shown if table.profile.schema_.type_of(name) is ColumnType.DATE]
    for read in _ways_to_read(table.ref, dates):
        if _gives(read, table, shown):
            return str(read)
    reader = _READERS.get(path.suffix.lower())
    return f"pd.{reader}({str(path)!r})" if reader is not None else f"{_LOADER}({str(path)!r})"


@dataclass(frozen=True)
class _Reading:
    """A function of pandas that reads a file, and its arguments."""

    reader: str
    path: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        named = "".join(f", {name}={value!r}" for name, value in self.arguments.items())
        return f"pd.{self.reader}({self.path!r}{named})"

    def frame(self) -> pd.DataFrame:
        """Read the file."""
        import pandas as pd  # deferred: 300 ms

        frame: pd.DataFrame = getattr(pd, self.reader)(self.path, **self.arguments)
        return frame


def _ways_to_read(ref: DataRef, dates: list[str]) -> Iterator[_Reading]:
    """Give the ways in which pandas may read a file, or the small packed one that it came from."""
    in_text = {"parse_dates": dates} if dates else {}
    if Path(ref.path).suffix.lower() == ".csv":
        packed = ref.packed
        if packed is None:
            yield _Reading("read_csv", ref.path, in_text)
        elif Path(packed.path).is_file() and Path(packed.path).stat().st_size <= _MOST_PACKED_BYTES:
            if Path(packed.path).suffix.lower() in _WORKBOOKS:
                sheet = {} if packed.sheet is None else {"sheet_name": packed.sheet}
                yield _Reading("read_excel", packed.path, {**sheet, "engine": "calamine"})
            elif packed.sheet is None:
                yield _Reading("read_csv", packed.path, in_text)


def _gives(read: _Reading, table: Material, shown: list[str]) -> bool:
    """Tell whether pandas reads the columns as they were read for the answer."""
    try:
        plain = read.frame()[shown]
    except (KeyError, ValueError, OSError, ImportError):
        return False
    return first_difference(plain, table.columns(shown)) is None


def _body(plan: Plan, names: Mapping[str, str], taken: frozenset[str], result: str) -> str:
    """Return the statements of a plan over variables of these names, ending with the result in a variable."""
    tree = ast.parse(f"def answer():\n{indent(emit_pandas(plan), '    ')}")
    (function,) = tree.body
    if not isinstance(function, ast.FunctionDef):
        raise TypeError("the emitted code is the body of a function")
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    stored |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own = {name: _free(name, taken | set(names.values()) | {result}) for name in stored}
    *statements, last = function.body
    value = last.value if isinstance(last, ast.Return) and last.value is not None else ast.Constant(value=None)
    assigned = ast.Assign(targets=[ast.Name(id=RESULT_MARK, ctx=ast.Store())], value=value)
    module = ast.Module(body=[*statements, ast.copy_location(assigned, last)], type_ignores=[])
    return _renamed(module, {**own, **names, RESULT_MARK: result})


def _renamed(tree: ast.Module, names: Mapping[str, str]) -> str:
    """Return code with variables called otherwise; names of columns and texts stay as they are."""
    return ast.unparse(ast.fix_missing_locations(_Renaming(names).visit(tree)))


class _Renaming(ast.NodeTransformer):
    """Gives variables and arguments other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename a variable."""
        return ast.copy_location(ast.Name(id=self._names.get(node.id, node.id), ctx=node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Rename an argument of a lambda."""
        return ast.copy_location(ast.arg(arg=self._names.get(node.arg, node.arg)), node)


def _free(name: str, taken: AbstractSet[str]) -> str:
    while name in taken:
        name += "_"
    return name
