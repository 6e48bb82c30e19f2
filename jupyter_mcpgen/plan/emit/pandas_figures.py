"""Python that every statistic is written with: finite values, undefined figures, significance, one row."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.expressions import Col

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
