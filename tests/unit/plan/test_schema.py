"""The columns that a plan is checked against."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import UnknownColumn
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema


def test_a_copy_with_other_columns_knows_their_types() -> None:
    schema = Schema(fields=(Field(name="a", type=ColumnType.TEXT),))
    assert schema.type_of("a") is ColumnType.TEXT

    copied = schema.model_copy(update={"fields": (Field(name="b", type=ColumnType.INTEGER),)})

    assert copied.type_of("b") is ColumnType.INTEGER
    with pytest.raises(UnknownColumn):
        copied.type_of("a")
