"""Python that every statistic is written with: finite values, undefined figures, significance, one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.pandas_expressions import Table
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.expressions import Col, Columns

NOTHING = 'float("nan")'
FINITE = '.abs() < float("inf")'


def significance(value: str) -> str:
    """Return the expression for what is said of a p-value."""
    return f'"{findings.SIGNIFICANT}" if {value} < {findings.SIGNIFICANCE} else "{findings.NOT_SIGNIFICANT}"'


def undefined(*cases: tuple[str, str]) -> Iterator[str]:
    """Write why a figure may not be defined; what follows is the branch in which it is."""
    for number, (condition, finding) in enumerate(cases):
        yield f"{'elif' if number else 'if'} {condition}:"
        yield f'    finding = "{finding}"'
    yield "else:"


def write_one_row(writer: Writer, **cells: str) -> None:
    """Let the result be one row of named cells."""
    written = ", ".join(f'"{name}": [{value}]' for name, value in cells.items())
    writer.frame, writer.chain = f"pd.DataFrame({{{written}}})", []


def write_figures(by: Columns, table: Table, body: Sequence[str], writer: Writer, **cells: str) -> None:
    """Write statements that lead to named cells, once or for `rows_of_group` of each group; a row for each."""
    if not by.names:
        writer.statements += body
        write_one_row(writer, **cells)
        return
    listed = table.list(by)
    writer.statements += [
        "rows = []",
        f"for key, rows_of_group in {table.frame}.groupby({listed}, observed=True):",
        *(f"    {line}" for line in body),
        f"    rows.append((*key, {', '.join(cells.values())}))",
    ]
    keys = f"*{listed}" if by.parameter else listed[1:-1]
    writer.replace("figures", f"pd.DataFrame(rows, columns=[{keys}, {', '.join(map(repr, cells))}])")
    writer.chain.append(f'.sort_values({listed}, kind="stable", ignore_index=True)')


def rows_of(by: Columns, table: Table) -> str:
    """Return the frame that the statements of `write_figures` work on."""
    return "rows_of_group" if by.names else table.frame


def write_finite_values(column: Col, writer: Writer) -> None:
    """Append `values`, the finite values of a column."""
    table = writer.name_it("table")
    writer.statements += [
        f'values = {table.column(column)}.astype("float64")',
        f"values = values[values{FINITE}]",
    ]


def finite_pair(pair: str, frame: str, first: str, second: str) -> Iterator[str]:
    """Write a table of the rows that have finite values in two columns."""
    yield f'{pair} = {frame}[[{first}, {second}]].astype("float64")'
    yield f"{pair} = {pair}[({pair}{FINITE}).all(axis=1)]  # rows with both values"
