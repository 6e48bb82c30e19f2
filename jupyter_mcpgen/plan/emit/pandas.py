"""Writes a plan as the pandas code that a good analyst would write.

Columns, literals and limits that became tool parameters appear by their parameter's name. All other names and
literals go through `repr`, so a column named like code is still data.
"""

from __future__ import annotations

from itertools import takewhile
from typing import assert_never

from jupyter_mcpgen.plan.emit.pandas_expressions import names_of_list, predicate_text, value_text
from jupyter_mcpgen.plan.emit.pandas_groups import write_aggregate, write_pivot, write_resample
from jupyter_mcpgen.plan.emit.pandas_reshaping import write_reshaping
from jupyter_mcpgen.plan.emit.pandas_sources import write_second
from jupyter_mcpgen.plan.emit.pandas_statistics import write_statistic
from jupyter_mcpgen.plan.emit.pandas_summaries import write_describe
from jupyter_mcpgen.plan.emit.pandas_windows import write_sort, write_top_per_group, write_window
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.statistics import RowStatistic, Statistic

_KEEP_LABELS = (Filter, Derive, Select, Window, Rename, RowStatistic)
"""Steps behind which rows are labelled as before, so that the labels of rows that are left out are missing."""


def emit_pandas(plan: Plan) -> str:
    """Return the body of a function over `df` that ends in a return statement; it needs `pd` and `emit_imports`.

    A plan with a second table needs that as `other`.
    """
    writer = write_steps(plan)
    kept = tuple(takewhile(lambda step: isinstance(step, (Limit, *_KEEP_LABELS)), reversed(plan.steps)))
    if not plan.steps or isinstance(plan.steps[-1], _KEEP_LABELS) or any(isinstance(step, Filter) for step in kept):
        writer.chain.append(".reset_index(drop=True)")
    return "\n".join([*writer.statements, f"return {writer.value}"])


def write_steps(plan: Plan) -> Writer:
    """Write all steps of a plan; what the writer then holds is their table."""
    writer = Writer(names={name: repr(name) for name in plan.source_schema.names})
    if plan.second is not None:
        write_second(plan.second, writer)
    for position, step in enumerate(plan.steps):
        _write(step, plan.schema_at(position), writer)
    return writer


def _write(step: Step, schema: Schema, writer: Writer) -> None:
    match step:
        case Filter():
            _keep_text_as_text(schema, writer)
            table = writer.name_it("table")
            writer.replace("kept", f"{table.frame}[{predicate_text(step.predicate, schema, table)}]")
        case Derive():
            writer.assign("derived", {step.name: value_text(step.expression, schema, writer.name_it("table"))})
        case Select():
            writer.chain.append(f"[{writer.table.list(step.columns)}]")
            writer.names = names_of_list(step.columns, writer.names)
        case Aggregate():
            write_aggregate(step, schema, writer)
        case Sort():
            write_sort(step, writer)
        case Limit():
            writer.chain.append(f".head({step.parameter or step.count})")
        case Describe():
            write_describe(step, writer)
        case Distinct():
            writer.chain += [f"[{writer.table.list(step.columns)}]", ".drop_duplicates(ignore_index=True)"]
            writer.names = names_of_list(step.columns, writer.names)
        case TopPerGroup():
            write_top_per_group(step, writer)
        case Window():
            write_window(step, schema, writer)
        case Resample():
            write_resample(step, schema, writer)
        case Pivot():
            write_pivot(step, schema, writer)
        case Rename():
            writer.chain.append(f".rename(columns={{{writer.table.name(step.column)}: {step.name!r}}})")
            kept = {step.name if name == step.column.name else name: name for name in writer.names}
            writer.names = {new: repr(new) if new == step.name else writer.names[name] for new, name in kept.items()}
        case Unpivot() | Members():
            write_reshaping(step, schema, writer)
        case _ if isinstance(step, Statistic):
            write_statistic(step, schema, writer)
        case _:
            assert_never(step)


def _keep_text_as_text(schema: Schema, writer: Writer) -> None:
    """Give totals over no rows the type that a condition on them needs: pandas makes them numbers."""
    texts = [writer.names[field.name] for field in schema.fields if field.type is ColumnType.TEXT]
    if texts and writer.frame.startswith("pd.DataFrame({") and not writer.chain:
        kinds = ", ".join(f'{name}: "str"' for name in texts)
        writer.chain.append(f".astype({{{kinds}}})")


def emit_chart(plan: Plan) -> str | None:
    """Return the arguments after the table of a call that draws the plan's chart, or None without one."""
    if plan.chart is None:
        return None
    writer = write_steps(plan)
    chart = plan.chart
    arguments = [repr(chart.kind.value), writer.names[chart.x], writer.names[chart.y or chart.x]]
    if chart.color is not None:
        arguments.append(f"color={writer.names[chart.color]}")
    arguments += [f"{name}={value!r}" for name, value in chart.look.arguments.items()]
    return ", ".join(arguments)
