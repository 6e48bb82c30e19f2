"""The tables that a drafted tool is tried on before it sees the person's data, and the plan over just their columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.invented import Wanted, invented, rounded
from jupyter_mcpgen.data.synthetic import Case, synthesize, with_equal_values
from jupyter_mcpgen.data.synthetic_pairs import synthesize_pair, with_repeated_keys
from jupyter_mcpgen.data.with_columns import with_columns
from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.plan.columns import (
    columns_of_figures,
    compared_columns,
    constants_of,
    in_source,
    nodes_in,
    reshaped_columns,
    used_columns,
    wanted_values,
)
from jupyter_mcpgen.plan.expressions import Parse
from jupyter_mcpgen.plan.ops import FIGURES, Distinct, Select
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.slots import Parameter
from jupyter_mcpgen.plan.sources import Join, Relation, Second, Summary, Union
from jupyter_mcpgen.plan.writings import Writing

if TYPE_CHECKING:
    import pandas as pd

ROWS = 200
"""How many rows a generated table has, unless its kind says otherwise."""
LARGE_ROWS = 100_000
"""How many the large one has."""
FEW_ROWS = 24
"""How many its second table has where every row may match many: the joined table must not have billions."""
SEED = 20_261
"""Fixed, so that a question gives the same tables every time."""
MISSING_COLUMN = "missing_column"
"""The case of a table that lacks a needed column."""
ELSEWHERE = "other_columns"
"""The case of a table that a tool is called on for other columns."""
REPEATED_KEY = "repeated_key"
"""The case of a second table in which a key occurs twice."""
SMALL_ROWS = 8
"""How many rows a table has that people read."""
SMALL = (Case.TYPICAL, Case.EMPTY, Case.SINGLE_ROW, Case.NULLS, Case.DUPLICATES, Case.TIES, Case.NEGATIVE)
"""The kinds of tables of which a tool's own tests have a small one."""


@dataclass(frozen=True)
class Tables:
    """What a tool is called with: one table, or two, and the arguments that differ from the defaults."""

    frame: pd.DataFrame
    other: pd.DataFrame | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)

    @property
    def both(self) -> tuple[pd.DataFrame, ...]:
        """The one table, or the two."""
        return (self.frame,) if self.other is None else (self.frame, self.other)

    def is_like(self, other: Tables) -> bool:
        """Tell whether a call on these is the same as one on others."""
        pairs = zip(self.both, other.both, strict=True)
        return self.arguments == other.arguments and all(mine.equals(theirs) for mine, theirs in pairs)

    def map(self, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Tables:
        """Return the tables, each of them changed."""
        return replace(self, frame=change(self.frame), other=None if self.other is None else change(self.other))

    def load(self, engine: Engine) -> None:
        """Give the tables to the reference."""
        engine.load(self.frame, self.other)

    def written(self, folder: Path, name: str) -> dict[str, Any]:
        """Write the tables to files, and return the arguments that name them, with those that differ."""
        arguments = {**self.arguments, "file_path": str(_write(self.frame, folder / f"{name}.parquet"))}
        if self.other is not None:
            arguments["other_path"] = str(_write(self.other, folder / f"{name}.other.parquet"))
        return arguments

    def bound(self, shape: Shape) -> Plan:
        """Return the plan of a shape over the columns that these tables have."""
        plan = shape.plan
        if plan.second is None or self.other is None:
            return shape.bind(self.arguments, _restricted(plan.source_schema, self.frame.columns))
        first = _restricted(plan.second.first_schema, self.frame.columns)
        return shape.bind(self.arguments, first, _restricted(plan.second.other_schema, self.other.columns))


@dataclass(frozen=True)
class Drawn:
    """How generated tables are drawn: how many rows, from which seed, and the values that have to occur."""

    rows: int
    seed: int
    wanted: Wanted

    def rows_of(self, case: Case) -> int:
        """Return how many rows a case has."""
        return LARGE_ROWS if case is Case.LARGE else self.rows


def tables_for(
    plan: Plan,
    material: Material,
    *,
    every_column: bool = False,
    seed: int = SEED,
    cases: Collection[Case] = tuple(Case),
) -> dict[Case, Tables]:
    """Return a table of each case, with the columns that the plan reads and, where it may, one that it must ignore.

    Another `seed` gives other tables. With `every_column` they have all columns of the person's tables, because a query
    beside the plan may name others, and a column without a missing value there has none here: only so far does the plan
    say what the query says.
    """
    drawn = Drawn(ROWS, seed, wanted_values(plan))
    tables = {case: _tables(plan, material, case, drawn, every_column=every_column) for case in cases}
    if every_column:
        tables = as_complete(tables, material)
    narrow = any(isinstance(step, (*FIGURES, Select, Distinct)) for step in plan.steps)
    if used_columns(plan) and narrow:
        return {case: Tables(with_unused(table.frame), table.other) for case, table in tables.items()}
    return tables


def tables_elsewhere(shape: Shape, material: Material) -> dict[str, Tables]:
    """Return a table to call a tool on for other columns than its own, and none where it takes no other column.

    None for two tables either: which table a column is taken from, and what it is matched by, is the plan's.
    """
    if shape.plan.second is not None:
        return {}
    taken, others = set(used_columns(shape.plan)), dict[str, object]()
    for parameter in shape.parameters:
        for name in _like(shape, parameter, taken):
            value = (name, *parameter.default[1:]) if isinstance(parameter.default, tuple) else name
            try:
                shape.bind({**others, parameter.name: value})
            except PlanError:
                continue  # it would not be the same question, such as a key that two tables are joined by
            others[parameter.name] = value
            taken.add(name)
            break
    if not others:
        return {}
    drawn = Drawn(ROWS, SEED, wanted_values(shape.plan))
    tables = _tables(shape.plan, material, Case.TYPICAL, drawn, every_column=True)
    return {ELSEWHERE: Tables(tables.frame, tables.other, others)}


def _like(shape: Shape, parameter: Parameter, taken: Collection[str]) -> Iterator[str]:
    """Yield the columns that a parameter could name in the place of its first one: free, and of the same kind."""
    schema = shape.plan.source_schema
    first = parameter.default[0] if isinstance(parameter.default, tuple) else parameter.default
    if not parameter.is_column or first not in schema.names:
        return
    kind = schema.type_of(str(first))
    for column in schema.fields:
        if column.name not in taken and (column.type is kind or (column.type.is_number and kind.is_number)):
            yield column.name


def as_complete(tables: dict[Case, Tables], material: Material) -> dict[Case, Tables]:
    """Return the tables with values wherever the person's columns have one in every row, those of the typical table."""
    typical = tables[Case.TYPICAL]
    return {
        case: Tables(
            _filled(given.frame, typical.frame, material.profile),
            given.other
            if given.other is None or typical.other is None or material.other is None
            else _filled(given.other, typical.other, material.other.profile),
        )
        for case, given in tables.items()
    }


def _filled(table: pd.DataFrame, typical: pd.DataFrame, profile: Profile) -> pd.DataFrame:
    complete = [name for name in table.columns if name in typical.columns and not profile.column(str(name)).nulls]
    gaps = [name for name in complete if table[name].isna().any() and len(table) <= len(typical)]
    values = {name: table[name].where(table[name].notna(), typical[name].head(len(table))) for name in gaps}
    return with_columns(table, values)


def refused_for(plan: Plan, tables: Tables) -> dict[str, Tables]:
    """Return tables that a tool must refuse: one that lacks a needed column, and a key that repeats rows."""
    refused: dict[str, Tables] = {}
    if isinstance(plan.second, Join | Summary):
        key = plan.second.keys[0].first.name
        refused[MISSING_COLUMN] = Tables(with_unused(tables.frame).drop(columns=[key]), tables.other)
        free = Relation.MANY_TO_ONE if isinstance(plan.second, Summary) else Relation.MANY_TO_MANY
        if plan.second.relation is not free and tables.other is not None:
            refused[REPEATED_KEY] = Tables(*with_repeated_keys(plan.second, tables.frame, tables.other))
    elif used := used_columns(plan):
        reshaped = frozenset(reshaped_columns(plan))
        dropped = [min(used - reshaped)] if used - reshaped else sorted(reshaped)
        without = [_without(table, dropped) for table in (tables.frame, tables.other) if table is not None]
        refused[MISSING_COLUMN] = Tables(without[0], without[1] if len(without) > 1 else None)
    return refused


def _without(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    return with_unused(table).drop(columns=list(columns), errors="ignore")


def small_tables(plan: Plan, material: Material, seed: int, *, every_column: bool = False) -> dict[Case, Tables]:
    """Return tables of a few invented rows: what they hold is from nowhere but the plan, so they may be passed on."""
    wanted = constants_of(plan)
    writings = {node.operand.name: node.writing for node in _parsed(plan)}
    made_up = as_invented(material, wanted, in_source(plan, writings))
    drawn = Drawn(SMALL_ROWS, seed, wanted)
    tables = {case: _tables(plan, made_up, case, drawn, every_column=every_column) for case in SMALL}
    if every_column:
        tables = as_complete(tables, made_up)
    return {case: given.map(lambda frame: rounded(frame, wanted)) for case, given in tables.items()}


def as_invented(material: Material, wanted: Wanted, writings: Mapping[str, Writing]) -> Material:
    """Return the tables with made-up values in the place of the person's, for what is generated from them."""
    other = None if material.other is None else as_invented(material.other, wanted, writings)
    return replace(material, profile=invented(material.profile, wanted, writings), other=other)


def _parsed(plan: Plan) -> Iterator[Parse]:
    return (node for step in plan.steps for node in nodes_in(step) if isinstance(node, Parse))


def _tables(plan: Plan, material: Material, case: Case, drawn: Drawn, *, every_column: bool) -> Tables:
    read = frozenset() if every_column else used_columns(plan)
    used, wanted, second = read, drawn.wanted, plan.second
    rows, seed = drawn.rows_of(case), drawn.seed
    if second is None or material.other is None:
        schema = material.profile.schema_
        frame = synthesize(schema, material.profile, rows, seed, case, wanted, used.intersection(schema.names) or None)
        return Tables(with_equal_values(frame, compared_columns(plan), seed))
    profiles = (material.profile, material.other.profile)
    own = {name: wanted.get(name, ()) for name in second.first_schema.names}
    theirs = {name: wanted.get(called, ()) for name, called in _called(second).items()}
    pair = synthesize_pair(second, profiles, rows, seed, case, (own, theirs))
    if case is Case.LARGE and isinstance(second, Join) and second.relation is Relation.MANY_TO_MANY:
        pair = pair[0], pair[1].head(FEW_ROWS)
    pair = with_equal_values(pair[0], compared_columns(plan), seed), pair[1]
    if not used:
        return Tables(*pair)
    first, other = _needed(second, used)
    return Tables(pair[0][first], pair[1][other])


def _called(second: Second) -> dict[str, str]:
    """Return what the columns of the second table are called in the table made of both."""
    match second:
        case Join():
            return second.taken
        case Union():
            return {name: name for name in second.other_schema.names}
        case Summary():
            return {}


def _needed(second: Second, used: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the columns of each table that a plan needs: those it names, the keys, and what tells names apart."""
    called = _called(second)
    keys = () if isinstance(second, Union) else second.keys
    apart = {old for old, new in called.items() if new != old and new in used}
    first = {pair.first.name for pair in keys} | apart | set(used)
    other = {pair.second.name for pair in keys} | {old for old, new in called.items() if new in used}
    if isinstance(second, Summary):
        other |= {column.name for column in columns_of_figures(second)}
    if not keys:  # the two must have a column in common
        shared = [name for name in second.first_schema.names if name in second.other_schema.names]
        first, other = first | {shared[0]}, other | {shared[0]}
    return (
        [name for name in second.first_schema.names if name in first],
        [name for name in second.other_schema.names if name in other],
    )


def _restricted(schema: Schema, names: Collection[str]) -> Schema:
    return Schema(fields=tuple(field for field in schema.fields if field.name in names))


def with_unused(table: pd.DataFrame) -> pd.DataFrame:
    """Add a column that nobody asked about and that has no value, so that it must not matter."""
    name = f"not {' '.join(table.columns)}"  # longer than every name there is
    return with_columns(table, {name: float("nan")})


def _write(table: pd.DataFrame, path: Path) -> Path:
    table.to_parquet(path, index=False)
    path.chmod(0o644)
    return path
