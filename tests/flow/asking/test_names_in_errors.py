"""What a tool says about a notebook's table calls it as the notebook does, and lists the columns that it has."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import keep, staged

HIVES = pd.DataFrame({"hive": ["A", "B", "A"], "honey": [1.5, 2.5, 3.5]}, index=[4, 9, 2])


@pytest.mark.ungated
def test_a_missing_column_is_told_of_the_variable_and_of_its_own_columns(runtime: Runtime) -> None:
    data = runtime.reference("hives", HIVES)
    card = keep(runtime, staged(runtime.ask("total honey by hive", data)))

    with pytest.raises(ToolFailed) as failed:
        runtime.run_tool(card.tool_name, data, {"value_column": "hony"})

    assert "`hives` has no column `hony`" in str(failed.value)
    assert ".parquet" not in str(failed.value)
    assert "index" not in str(failed.value)
