"""A table of very many columns is correlated as far as it can be shown, and the card says how far."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.statistics import Correlations


@pytest.mark.parametrize(
    ("columns", "taken", "said"),
    [
        (40, 39, "`probe_000` is correlated with every other number column."),
        (130, 100, "`probe_000` is correlated with the first 100 of 129 other number columns."),
    ],
)
def test_a_column_is_correlated_with_all_others_or_the_note_says_with_which(
    columns: int, taken: int, said: str
) -> None:
    values = np.random.default_rng(0).normal(size=(50, columns))
    table = profile("t", pd.DataFrame(values, columns=[f"probe_{number:03}" for number in range(columns)]))

    understood = understand("correlation of probe_000 with all other columns", table, "en")

    assert isinstance(understood, Answered)
    (step,) = understood.winner.plan.steps
    assert isinstance(step, Correlations)
    assert len(step.columns.names) == taken
    assert said in understood.winner.assumptions
