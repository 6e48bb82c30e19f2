"""A second table: how its rows come to those of the first, before any step of a plan.

A plan with a second table works on one table all the same: the two joined by keys, one below the other, or the first
with figures of the second. That table's columns follow from both schemas, as pandas' `merge` and `concat` would name
them.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from jupyter_mcpgen.errors import PlanError, WrongType
from jupyter_mcpgen.plan.check import schema_after
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, Measure
from jupyter_mcpgen.plan.schema import ColumnType, Node, Schema
from jupyter_mcpgen.plan.schema import Field as Column


class JoinKind(StrEnum):
    """Which rows a join gives. A missing key matches nothing, not even another missing key."""

    LEFT = "left"
    """Every row of the first table, with each row of the second that matches; without a match its values are gaps."""
    INNER = "inner"
    """The pairs that match."""
    OUTER = "outer"
    """The rows of a left join, then the rows of the second table that match none, in their order.

    A key with one name in both tables has the value of the table that the row comes from.
    """
    SEMI = "semi"
    """The rows of the first table that have a match, once each, with their own columns only."""
    ANTI = "anti"
    """The rows of the first table that have none."""

    @property
    def adds_columns(self) -> bool:
        """True for joins whose rows have the columns of both tables."""
        return self in (JoinKind.LEFT, JoinKind.INNER, JoinKind.OUTER)


class Relation(StrEnum):
    """How many rows may have the same key on each side; more of them are an error, as pandas' `validate` checks it.

    A row that repeats counts several times in a total. In the second table rows without a key do not count; in the
    first a missing key counts like a value.
    """

    MANY_TO_MANY = "many_to_many"
    """Any number."""
    MANY_TO_ONE = "many_to_one"
    """One in the second table, so that no row of the first is repeated."""
    ONE_TO_MANY = "one_to_many"
    """One in the first table, so that no row of the second is repeated."""
    ONE_TO_ONE = "one_to_one"

    @property
    def first_is_unique(self) -> bool:
        """True when each key occurs once in the first table."""
        return self in (Relation.ONE_TO_MANY, Relation.ONE_TO_ONE)

    @property
    def second_is_unique(self) -> bool:
        """True when each key occurs once in the second table."""
        return self in (Relation.MANY_TO_ONE, Relation.ONE_TO_ONE)


class KeyPair(Node):
    """A column of the first table and the one of the second that it must equal."""

    first: Col
    second: Col

    @property
    def is_one_column(self) -> bool:
        """True when both have one name: the joined table has it once."""
        return self.first.name == self.second.name


class Join(Node):
    """The rows of a first table with those of another one that have equal keys.

    The order is that of the first table, then that of the second. A column of the second table whose name the first has
    too is called `name_other`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    kind: Literal["join"] = "join"
    other: str
    first_schema: Schema
    other_schema: Schema
    keys: tuple[KeyPair, ...] = Field(min_length=1)
    how: JoinKind = JoinKind.LEFT
    relation: Relation = Relation.MANY_TO_MANY

    @model_validator(mode="after")
    def _check(self) -> Join:
        _check_keys(self)
        if self.relation is not Relation.MANY_TO_MANY and not self.how.adds_columns:
            raise PlanError(f"A {self.how.value} join repeats no row, so nothing has to match once.")
        return self

    @property
    def suffix(self) -> str:
        """What a name of the second table gets that the first has too."""
        return f"_{self.other}"

    def is_mixed(self, pair: KeyPair) -> bool:
        """Tell whether a whole number is compared with a real one; both are real numbers then."""
        return _is_mixed(pair, self)

    @cached_property
    def taken(self) -> dict[str, str]:
        """What the columns that come from the second table are called in the joined one, by their own names."""
        if not self.how.adds_columns:
            return {}
        merged = {pair.second.name for pair in self.keys if pair.is_one_column}
        known = set(self.first_schema.names)
        names = [name for name in self.other_schema.names if name not in merged]
        return {name: f"{name}{self.suffix}" if name in known else name for name in names}

    @cached_property
    def schema_(self) -> Schema:
        """The columns of the joined table; raises `PlanError` when two of them get one name."""
        if not self.how.adds_columns:
            return self.first_schema
        mixed = [pair for pair in self.keys if self.is_mixed(pair)]
        real = {pair.first.name for pair in mixed} | {self.taken.get(pair.second.name) for pair in mixed}
        own = [(field.name, field.type) for field in self.first_schema.fields]
        others = [(new, self.other_schema.type_of(old)) for old, new in self.taken.items()]
        return Schema(
            fields=tuple(Column(name=n, type=ColumnType.REAL if n in real else t) for n, t in (*own, *others))
        )


class Summary(Node):
    """The rows of a first table, each with figures of all rows of another one that have its keys.

    A left join with the other table after that was grouped by its keys, so no row of the first is there twice. A sum
    and a count of no rows are 0, every other figure of none is missing. Rows of the other table without a key belong to
    no group. A figure whose name the first table has already is called `name_other`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    kind: Literal["summary"] = "summary"
    other: str
    first_schema: Schema
    other_schema: Schema
    keys: tuple[KeyPair, ...] = Field(min_length=1)
    measures: tuple[Measure, ...] = Field(min_length=1)
    relation: Literal[Relation.MANY_TO_ONE, Relation.ONE_TO_ONE] = Relation.MANY_TO_ONE
    """Whether rows of the first table may share a key, so that the same figures stand in several rows."""

    @model_validator(mode="after")
    def _check(self) -> Summary:
        _check_keys(self)
        self.schema_  # noqa: B018  refuses figures that do not fit, and two columns of one name
        return self

    def is_mixed(self, pair: KeyPair) -> bool:
        """Tell whether a whole number is compared with a real one; both are real numbers then."""
        return _is_mixed(pair, self)

    @cached_property
    def figures(self) -> tuple[Measure, ...]:
        """The measures under the names that they have beside the columns of the first table."""
        known = set(self.first_schema.names)
        clashing = {m.name: m.model_copy(update={"label": f"{m.name}_{self.other}"}) for m in self.measures}
        return tuple(clashing[m.name] if m.name in known else m for m in self.measures)

    @cached_property
    def grouped(self) -> Aggregate:
        """The step that makes the figures, over the other table."""
        return Aggregate(by=Columns(names=tuple(pair.second.name for pair in self.keys)), measures=self.figures)

    @cached_property
    def typed_schemas(self) -> tuple[Schema, Schema]:
        """The columns of both tables, where keys of whole and of real numbers are all real."""
        mixed = [pair for pair in self.keys if self.is_mixed(pair)]
        first = _with_real(self.first_schema, [pair.first.name for pair in mixed])
        return first, _with_real(self.other_schema, [pair.second.name for pair in mixed])

    @cached_property
    def schema_(self) -> Schema:
        """The columns of the first table, then the figures; raises `PlanError` when two of them get one name."""
        first, other = self.typed_schemas
        figures = schema_after(self.grouped, other).fields[len(self.keys) :]
        return Schema(fields=(*first.fields, *figures))


def _with_real(schema: Schema, names: list[str]) -> Schema:
    fields = (Column(name=f.name, type=ColumnType.REAL if f.name in names else f.type) for f in schema.fields)
    return Schema(fields=tuple(fields))


def _is_mixed(pair: KeyPair, way: Join | Summary) -> bool:
    return way.first_schema.type_of(pair.first.name) is not way.other_schema.type_of(pair.second.name)


def _check_keys(way: Join | Summary) -> None:
    """Refuse keys that cannot be equal, and a column that is named twice."""
    for pair in way.keys:
        _check_pair(pair, way)
    for side in ("first", "second"):
        names = [getattr(pair, side).name for pair in way.keys]
        if len(set(names)) < len(names):
            raise PlanError(f"The keys of a join name a column of the {side} table twice. Name each one once.")


def _check_pair(pair: KeyPair, join: Join | Summary) -> None:
    first, second = join.first_schema.type_of(pair.first.name), join.other_schema.type_of(pair.second.name)
    if first is not second and not (first.is_number and second.is_number):
        raise WrongType(
            f"`{pair.first.name}` is {first.value} and `{pair.second.name}` of `{join.other}` is {second.value}: "
            "they cannot be equal. Name a pair of columns of one type, or convert one of them first."
        )


class Union(Node):
    """The rows of a first table, then those of another one, with columns matched by their names.

    A column that only one of them has is missing for the rows of the other; whole numbers and real ones become real.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    kind: Literal["union"] = "union"
    other: str
    first_schema: Schema
    other_schema: Schema

    @model_validator(mode="after")
    def _check(self) -> Union:
        if not set(self.first_schema.names) & set(self.other_schema.names):
            raise PlanError(
                f"The table and `{self.other}` have no column name in common, so their rows cannot stand below each "
                "other. Rename the columns that mean the same, or join the tables by a key."
            )
        self.schema_  # noqa: B018  refuses columns of one name whose types cannot be mixed
        return self

    @cached_property
    def mixed(self) -> tuple[str, ...]:
        """The columns that hold whole numbers in one table and real ones in the other."""
        both = [field for field in self.first_schema.fields if field.name in self.other_schema.names]
        return tuple(field.name for field in both if field.type is not self.other_schema.type_of(field.name))

    @cached_property
    def only_in_one(self) -> tuple[str, ...]:
        """The columns that one of the two tables lacks."""
        first, second = self.first_schema.names, self.other_schema.names
        return (*(name for name in first if name not in second), *(name for name in second if name not in first))

    @cached_property
    def schema_(self) -> Schema:
        """The columns of both: those of the first table, then those that only the second has."""
        for name in self.mixed:
            types = self.first_schema.type_of(name), self.other_schema.type_of(name)
            if not all(type_.is_number for type_ in types):
                raise WrongType(
                    f"`{name}` is {types[0].value} in one table and {types[1].value} in `{self.other}`, so its values "
                    "cannot stand in one column. Rename one of them, or convert it first."
                )
        own = (
            Column(name=f.name, type=ColumnType.REAL if f.name in self.mixed else f.type)
            for f in self.first_schema.fields
        )
        more = (field for field in self.other_schema.fields if field.name not in self.first_schema.names)
        return Schema(fields=(*own, *more))


Second = Annotated[Join | Union | Summary, Field(discriminator="kind")]
