"""A list of rows that is too large for one result shows its first rows and says so."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown, staged

ROWS = 200_000
LOG = pd.DataFrame({"message": [f"{number:0400d}" for number in range(ROWS)], "level": ["low", "high"] * (ROWS // 2)})


@pytest.mark.soak
def test_a_list_that_is_too_large_shows_its_first_rows(runtime: Runtime) -> None:
    card = staged(runtime.ask("rows where level is low", runtime.reference("log", LOG)))

    assert card.sound, [e.sentence for e in card.evidence]
    assert card.table.total_rows == 1_000
    assert any("The first 1,000 of 100,000 rows are listed" in note for note in card.assumptions)


@pytest.mark.soak
def test_a_list_of_so_many_rows_as_were_asked_for_is_not_cut(runtime: Runtime) -> None:
    card = shown(runtime, runtime.compute("first 2000 rows where level is low", runtime.reference("log", LOG)))

    assert card.table.total_rows == 2_000
