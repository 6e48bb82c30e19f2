"""Random pairs of tables, the ways to make one of them, and plans over that one."""

from __future__ import annotations

import pandas as pd
from hypothesis import assume
from hypothesis import strategies as st

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second, Summary, Union
from tests.strategies.plans import plans
from tests.strategies.steps import unique_measures
from tests.strategies.tables import tables


@st.composite
def seconds(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame, Second]:
    """Draw two tables and a way to make one of them; names, types and values of the two often meet."""
    frame, schema = draw(tables())
    other, other_schema = draw(tables())
    if draw(st.booleans()):  # the same names again, as two tables of one database have them
        other = other.rename(columns=(new := dict(zip(other.columns, frame.columns, strict=False))))
        fields = (field.model_copy(update={"name": new.get(field.name, field.name)}) for field in other_schema.fields)
        names = list(other.columns)
        assume(len(set(names)) == len(names))
        other_schema = Schema(fields=tuple(fields))
    name = draw(st.sampled_from(["other", "customers", "", "it's"]))
    try:
        if draw(st.integers(0, 3)) == 0:
            return frame, other, Union(other=name, first_schema=schema, other_schema=other_schema)
        join = draw(st.sampled_from([_join, _join, _summary]))(draw, name, schema, other_schema)
        if join.relation.first_is_unique:
            frame = frame[~frame[[pair.first.name for pair in join.keys]].duplicated()].reset_index(drop=True)
        if isinstance(join, Join) and join.relation.second_is_unique:
            keys = [pair.second.name for pair in join.keys]
            other = other[other[keys].isna().any(axis=1) | ~other[keys].duplicated()].reset_index(drop=True)
        join.schema_  # noqa: B018  refuses two columns of one name
    except PlanError:
        assume(condition=False)
    return frame, other, join


def _join(draw: st.DrawFn, name: str, schema: Schema, other_schema: Schema) -> Join:
    pairs = [
        KeyPair(first=Col(name=first.name), second=Col(name=second.name))
        for first in schema.fields
        for second in other_schema.fields
        if first.type is second.type or (first.type.is_number and second.type.is_number)
    ]
    assume(pairs)
    keys = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=2, unique=True))
    how = draw(st.sampled_from(list(JoinKind)))
    relation = draw(st.sampled_from(list(Relation))) if how.adds_columns else Relation.MANY_TO_MANY
    schemas = {"first_schema": schema, "other_schema": other_schema}
    return Join(other=name, keys=tuple(keys), how=how, relation=relation, **schemas)


def _summary(draw: st.DrawFn, name: str, schema: Schema, other_schema: Schema) -> Summary:
    join = _join(draw, name, schema, other_schema)
    schemas = {"first_schema": schema, "other_schema": other_schema}
    relation = draw(st.sampled_from([Relation.MANY_TO_ONE, Relation.ONE_TO_ONE]))
    return Summary(
        other=name, keys=join.keys, measures=unique_measures(draw, other_schema), relation=relation, **schemas
    )


@st.composite
def two_tables_with_plans(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame, Plan]:
    """Draw two tables and a plan over the one that is made of them."""
    frame, other, second = draw(seconds())
    return frame, other, draw(plans(second.schema_)).over(second)
