"""Writes the summary of number columns, of all rows or of each group."""

from __future__ import annotations

from jupyter_mcpgen.plan.emit.pandas_expressions import names_of_list
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.ops import Describe

_OF_ALL = {
    "count": "numbers.count()",
    "missing": "numbers.isna().sum()",
    "mean": "numbers.mean()",
    "std": "numbers.std()",
    "min": "numbers.min()",
    "q25": "quartiles.loc[0.25]",
    "median": "quartiles.loc[0.5]",
    "q75": "quartiles.loc[0.75]",
    "max": "numbers.max()",
}
_OF_GROUPS = {
    "count": '"count"',
    "missing": "lambda numbers: numbers.isna().sum()",
    "mean": '"mean"',
    "std": '"std"',
    "min": '"min"',
    "q25": "lambda numbers: numbers.quantile(0.25)",
    "median": '"median"',
    "q75": "lambda numbers: numbers.quantile(0.75)",
    "max": '"max"',
}


def write_describe(step: Describe, writer: Writer) -> None:
    """Append one row of figures per number column, or per group and number column."""
    if step.by.names:
        _write_groups(step, writer)
        return
    table = writer.name_it("table")
    writer.statements += [
        f"numbers = {table.frame}[{table.list(step.columns)}]",
        "quartiles = numbers.quantile([0.25, 0.5, 0.75])",
    ]
    figures = ", ".join(f"{name!r}: {value}" for name, value in _OF_ALL.items())
    writer.frame = f"pd.DataFrame({{{figures}}})"
    writer.chain = ['.rename_axis("column")', ".reset_index()"]
    writer.names = {name: repr(name) for name in ("column", *_OF_ALL)}


def _write_groups(step: Describe, writer: Writer) -> None:
    """Write the figures of one column after the other, and put those of a group together."""
    table = writer.name_it("table")
    by = table.list(step.by)
    figures = ", ".join(f"{name}={value}" for name, value in _OF_GROUPS.items())
    shown = ", ".join(map(repr, ("column", *_OF_GROUPS)))
    names = names_of_list(step.by, writer.names)
    keys = f"*{by}" if step.by.parameter else ", ".join(names.values())
    writer.statements += [
        "summaries = []",
        f"for column in {table.list(step.columns)}:",
        f'    numbers = {table.frame}[column].astype("float64")',
        f"    groups = numbers.groupby([{table.frame}[key] for key in {by}], observed=True)",
        f"    summaries.append(groups.agg({figures}).reset_index().assign(column=column))",
    ]
    writer.frame = "pd.concat(summaries)"
    writer.chain = [f'.sort_values({by}, kind="stable", ignore_index=True)', f"[[{keys}, {shown}]]"]
    writer.names = names | {name: repr(name) for name in ("column", *_OF_GROUPS)}
