"""A variable from `pandas.read_csv` has the whole numbers that its file has, also where some are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.references import frame_ref, read_frame
from jupyter_mcpgen.data.whole_numbers import whole_numbers_with_gaps
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import CASES, pairs


def test_whole_numbers_with_gaps_are_whole_and_their_gaps_stay() -> None:
    whole = whole_numbers_with_gaps(pd.DataFrame({"year": [1915.0, None, -3.0]}))

    assert whole["year"].dtype == "Int64"
    assert whole["year"].tolist() == [1915, pd.NA, -3]


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 2.0, 3.0],  # without a gap, pandas would have kept whole numbers
        [1.5, None, 2.0],
        [None, None],
        [np.inf, None, 1.0],
        [2.0**53, None, 1.0],  # more digits than a decimal fraction has
    ],
)
def test_other_decimal_fractions_stay_as_they_are(values: list[float | None]) -> None:
    frame = pd.DataFrame({"a": values}, dtype="float64")

    assert whole_numbers_with_gaps(frame)["a"].dtype == "float64"


def test_the_variable_is_not_changed(tmp_path) -> None:
    frame = pd.DataFrame({"year": [1915.0, None]})

    frame_ref("terms", frame, tmp_path)

    assert frame["year"].dtype == "float64"


def test_questions_about_a_variable_are_read_as_those_about_its_file(tmp_path) -> None:
    variable = pd.read_csv(CASES / "tables" / "provosts.csv")
    known = profile("provosts", read_frame(frame_ref("provosts", variable, tmp_path)))
    asked = [pair for pair in pairs() if pair.table == "provosts" and pair.reading is not None]

    assert "float64" in {str(dtype) for dtype in variable.dtypes}
    assert len(asked) > 10
    for pair in asked:
        understood = read(pair.question, known)
        assert isinstance(understood, Answered), (pair.question, understood)
        assert say_plan(understood.winner.plan) == pair.reading
