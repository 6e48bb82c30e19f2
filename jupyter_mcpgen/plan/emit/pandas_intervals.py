"""Writes intervals that hold a figure of all that could have been seen, with pandas and scipy."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.pandas_expressions import literal_text
from jupyter_mcpgen.plan.emit.pandas_figures import FINITE, NOTHING, rows_of, write_figures
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.statistics import MeanInterval


def write_mean_interval(step: MeanInterval, writer: Writer) -> None:
    """Append a mean with its confidence interval, of all rows or of each group.

    The margin is Student's t of n - 1 degrees of freedom times the standard error of the mean
    (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.2).
    """
    table = writer.name_it("table")
    body = [
        f'values = {rows_of(step.by, table)}[{table.name(step.column)}].astype("float64")',
        f"values = values[values{FINITE}]",
        f"margin = {NOTHING}",
        "if len(values) < 2:",
        f'    finding = "{findings.LONE_VALUE}"',
        "elif values.nunique() < 2:",
        f'    margin, finding = 0.0, "{findings.NO_WIDTH}"',
        "else:",
        f"    margin = stats.t.ppf((1 + {literal_text(step.level)}) / 2, len(values) - 1) * values.sem()",
        f"    few = len(values) < {findings.LEAST_FOR_MEAN}",
        f'    finding = "{findings.SMALL_SAMPLE}" if few else "{findings.LARGE_SAMPLE}"',
    ]
    write_figures(
        step.by,
        table,
        body,
        writer,
        n="len(values)",
        mean="values.mean()",
        margin="margin",
        low="values.mean() - margin",
        high="values.mean() + margin",
        finding="finding",
    )
