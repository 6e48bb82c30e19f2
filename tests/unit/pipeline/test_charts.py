"""A person may switch to the charts that say something about a result, and to no other."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.pipeline.charts import chart_of, kinds_that_fit
from jupyter_mcpgen.plan.ops import ChartKind

OVENS = pd.DataFrame({"oven": ["A", "B", "C"], "loaves": [3, 5, 4]})


@pytest.mark.parametrize(
    ("result", "kinds"),
    [
        (OVENS, (ChartKind.BAR, ChartKind.LINE, ChartKind.PIE)),
        (OVENS.assign(loaves=[3, -5, 4]), (ChartKind.BAR, ChartKind.LINE)),
        (OVENS.assign(burnt=[1, 0, 2]), (ChartKind.BAR, ChartKind.LINE, ChartKind.SCATTER, ChartKind.PIE)),
        (OVENS[:1], ()),
        (OVENS[["oven"]], ()),
        (OVENS[["oven"]].assign(time=pd.to_timedelta([1, 2, 3], unit="h")), ()),
    ],
    ids=["a figure", "below zero", "two figures", "one row", "no figure", "durations"],
)
def test_the_kinds_that_fit(result: pd.DataFrame, kinds: tuple[ChartKind, ...]) -> None:
    assert kinds_that_fit(result) == kinds
    assert all(chart_of(result, kind) is not None for kind in kinds)
