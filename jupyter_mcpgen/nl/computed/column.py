"""A column that a question computes: how, and the question and the table as if the table had it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Profile, Role
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Col, Expression
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

_STAND_IN = "qzx"
"""What no word of a question is taken for."""


@dataclass(frozen=True)
class Computed:
    """A column by its name, the step that makes it, and the question that names it in the place of a phrase."""

    name: str
    type: ColumnType
    step: Step
    question: str
    notes: tuple[str, ...] = ()
    unit: str | None = None
    instead: Callable[[Col], Expression] | None = None
    """What conditions compare with in the column's place, such as twice its values."""
    bounds: tuple[float, float] | None = None
    """What no value can lie outside of, where that is known."""
    adds_up: bool | None = None
    """Whether its values add up over rows, where that is known."""
    sooner: str | None = None
    """A question that says the same without the column; where it can be answered, the column is not made."""
    labels: int | None = None
    """How many different values it has, where they are labels."""
    values: tuple[str, ...] = ()
    """Its values, where they are known and have no order of their own."""
    order: tuple[str, ...] = ()
    """Its values in their own order, where they have one."""
    before: tuple[Step, ...] = ()
    """Steps whose columns the column is made of; their columns are not shown."""
    is_within: bool = False
    """True where the figures of `before` are those of the rows and the groups that are asked for, not of all rows."""
    is_new: bool = False
    """True where a question gives the column its name, which may be any word."""
    is_unaveraged: bool = False
    """True where the question names no average, and one over all rows would say nothing."""
    required: bool = False
    """True where the question means nothing without the column."""


def with_column(profile: Profile, computed: Computed) -> Profile:
    """Return a table's profile with a computed column, whose values are not known yet."""
    column = ColumnProfile(
        name=computed.name,
        role=Role.MEASURE if computed.labels is None else Role.CATEGORY,
        nulls=0,
        distinct=computed.labels or max(2, profile.rows // 2),
        unit=computed.unit,
        kind=Kind.ORDERED if computed.order else None if computed.unit is None else Kind.DURATION,
        values=computed.order or computed.values,
        complete=bool(computed.order or computed.values),
        order=computed.order,
    )
    low, high = computed.bounds or (None, None)
    column = column.replace(adds_up=computed.adds_up, minimum=low, maximum=high)
    fields = (*profile.schema_.fields, Field(name=computed.name, type=computed.type))
    return profile.replace(schema_=Schema(fields=fields), columns=(*profile.columns, column))


def spoken(computed: Computed, number: int) -> Computed:
    """Return a column under a name without any words of the table's, where its own would be taken for other columns.

    The "order" of `days_from_order_date_to_ship_date` is no order.
    """
    plain = computed.unit is None and computed.sooner is None and not computed.required
    if computed.is_new:
        pass
    elif plain or len(split_name(computed.name)) == 1:
        return computed
    name = f"{_STAND_IN}{number}"
    return replace(computed, name=name, question=computed.question.replace(f"`{computed.name}`", f"`{name}`"))


def free_name(name: str, profile: Profile) -> str:
    """Return a name that no column of a table has."""
    taken = {known.casefold() for known in profile.schema_.names}
    while name.casefold() in taken:
        name += "_"
    return name


def has_finite_ends(name: str, context: Context) -> bool:
    """Tell whether the smallest and the largest value of a column are numbers that arithmetic can go on with."""
    known = context.column(name)
    return all(isinstance(end, int | float) and math.isfinite(end) for end in (known.minimum, known.maximum))


def text_of(tokens: tuple[Token, ...]) -> str:
    """Return the text of some words of a question."""
    return " ".join(f"`{token.text}`" if token.kind is TokenKind.QUOTED else token.text for token in tokens)
