"""Writes a plan as narwhals code: one text for frames of Dask, DuckDB, Polars and pandas, which stay where they are.

It is the third computation, and the distributed path. A step that narwhals, or the engine below it, does not do exactly
by the rules of `docs/semantics.md` raises `NotExact`; nothing is approximated. Names and literals go through `repr`.

A lazy frame has no order of rows. A plan that needs the order of its source (the first rows, ties, rows listed as they
stand) is exact only with `order`, the name of a column that numbers them.
"""

from __future__ import annotations

from contextlib import suppress
from typing import assert_never

from jupyter_mcpgen.errors import NotExact
from jupyter_mcpgen.plan.emit.narwhals_engines import Ability, Below, unfit_name
from jupyter_mcpgen.plan.emit.narwhals_expressions import predicate_text, value_text
from jupyter_mcpgen.plan.emit.narwhals_groups import write_aggregate, write_describe, write_pivot
from jupyter_mcpgen.plan.emit.narwhals_sources import FRAME, write_source
from jupyter_mcpgen.plan.emit.narwhals_windows import write_sort, write_top_per_group, write_window
from jupyter_mcpgen.plan.emit.narwhals_writer import Writer, column, named, spare_prefix
from jupyter_mcpgen.plan.ops import (
    FIGURES,
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
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.statistics import Statistic


def emit_narwhals(plan: Plan, below: Below, order: str | None = None) -> str:
    """Return the body of a function over `df`, a frame of the engine below, that returns a `nw.DataFrame`.

    It needs `nw` (narwhals), `ncs` (its selectors) and `datetime`; a plan with a second table needs that as `other`.
    `order` names a column of the frame, or of both, that numbers its rows; it is none of the plan's. Raises `NotExact`
    for a plan that narwhals over this engine does not compute exactly.
    """
    with suppress(NotExact):  # most figures do not depend on the order of the rows: then it is not read either
        return _emit(plan, below, None)
    return _emit(plan, below, order)


def _emit(plan: Plan, below: Below, order: str | None) -> str:
    schemas = [plan.schema_at(position) for position in range(len(plan.steps) + 1)]
    both = [] if plan.second is None else [plan.second.first_schema, plan.second.other_schema]
    writer = Writer(below=below, spare=spare_prefix([*schemas, *both]), frame=FRAME)
    names = dict.fromkeys(name for schema in [*schemas, *both] for name in schema.names)
    unfit = unfit_name(below, [*names, *([] if order is None else [order])])
    if unfit is not None:
        writer.refuse(f"a column of the name {unfit!r}")
    write_source(plan, order, writer)
    for position, step in enumerate(plan.steps):
        _write(step, schemas[position], writer)
        if isinstance(step, FIGURES) and below is Below.DASK:
            writer.collect()  # few rows are left, and pandas is exact where Dask is not
    if below is Below.DASK:
        writer.collect()
    writer.sort("a table")
    shown = plan.result_schema.names
    if writer.carried != shown:
        writer.select(map(repr, shown), shown)
    writer.collect()
    return "\n".join([*writer.statements, f"return {writer.value}"])


def _write(step: Step, schema: Schema, writer: Writer) -> None:
    match step:
        case Filter():
            writer.chain.append(f".filter({predicate_text(step.predicate, schema, writer)})")
        case Derive():
            value = value_text(step.expression, schema, writer)
            writer.free(step.name)
            writer.add([(step.name, value)])
            writer.show(step.name)
        case Select():
            writer.keep(step.columns.names)
        case Aggregate():
            write_aggregate(step, schema, writer)
        case Sort():
            write_sort(step, writer)
        case Limit():
            writer.need(Ability.FIRST_ROWS, "the first rows")
            writer.sort("the first rows")
            writer.chain.append(f".head({step.count})")
        case Describe():
            write_describe(step, schema, writer)
        case Distinct():
            _write_distinct(step, writer)
        case TopPerGroup():
            write_top_per_group(step, writer)
        case Window():
            write_window(step, schema, writer)
        case Resample():
            writer.refuse("periods without rows")
        case Pivot():
            write_pivot(step, schema, writer)
        case Rename():
            writer.rename(step.column.name, step.name)
        case _ if isinstance(step, Statistic):
            writer.refuse(f"the statistic `{step.kind}`")
        case _:
            assert_never(step)


def _write_distinct(step: Distinct, writer: Writer) -> None:
    """Write each combination of values once; it stands where its first row stood, if the rows have an order."""
    names = step.columns.names
    keys = ", ".join(map(repr, names))
    if writer.unique is None:
        writer.chain.append(f".select({keys}).unique()")
        writer.became(names, (), names)
    else:
        place = writer.number("the first of several equal rows").column
        first = writer.new_name()
        writer.chain.append(f".group_by({keys}).agg({named(f'{column(place)}.min()', first)})")
        writer.became((*names, first), (), names)
        writer.number_by(first)
        writer.visible = names
