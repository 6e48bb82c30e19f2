"""A table may have a column of any name, also one that a method of pandas calls its first argument."""

from __future__ import annotations

from contextlib import closing

import pandas as pd

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.with_columns import with_columns
from tests.plans import group, plan_of


def test_a_column_called_self_is_changed_like_any_other() -> None:
    table = pd.DataFrame({"self": [1, 2], 7: [3, 4]})

    changed = with_columns(table, {"self": [5, 6], "new": [7, 8]})

    assert changed.to_dict("list") == {"self": [5, 6], 7: [3, 4], "new": [7, 8]}
    assert table.to_dict("list") == {"self": [1, 2], 7: [3, 4]}


def test_the_reference_computes_over_a_category_called_self() -> None:
    frame = pd.DataFrame({"self": pd.Categorical(["a", "b", "a"]), "hours": [1, 2, 4]})

    with closing(Engine(frame)) as engine:
        found = engine.table(plan_of({"self": "text", "hours": "integer"}, group("self", "sum hours")))

    assert dict(found.itertuples(index=False, name=None)) == {"a": 5, "b": 2}
