"""`%mcpgen explore` where no page listens: the look is in the notebook, and its questions can be typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import OVERVIEW_MIME
from tests.notebooks.kernels import kernel

TABLE = "import pandas as pd; teams = pd.DataFrame({'team': ['red', 'blue', 'green'] * 4, 'points': range(12)})"


@pytest.mark.soak
def test_a_question_that_a_notebook_suggests_can_be_typed_in_the_next_cell(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with kernel(environment, tmp_path) as run:
        run("%load_ext jupyter_mcpgen", TABLE)

        (output,) = run.cell("%mcpgen explore teams").outputs

        assert {"text/plain", "text/markdown", OVERVIEW_MIME} == set(output.data)
        lines = output.data["text/plain"].splitlines()
        assert lines[0] == "teams: 12 rows, 2 columns."
        typed = [line.strip() for line in lines if line.startswith("  %mcpgen ")]
        assert typed[0] == "%mcpgen total points by team in teams"
        said = run(typed[0])
        assert "sum of points by team" in said
        assert "There is no command" in run("%mcpgen explor")
