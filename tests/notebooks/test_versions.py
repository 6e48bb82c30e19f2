"""The next version of a tool in a notebook: shown with what it changes, approved, compared, taken back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.notebooks.kernels import kernel

FRAME = """import pandas as pd
boats = pd.DataFrame({"harbour": ["Ry", "Ry", "Ans"], "tons": [1.5, 2.5, 3.0]})"""


@pytest.mark.soak
def test_a_next_version_is_shown_approved_compared_and_rolled_back_by_magic_and_from_python(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    with kernel(environment, tmp_path) as run:
        run(
            "%load_ext jupyter_mcpgen",
            FRAME,
            "%mcpgen ask --name tons_of total tons by harbour in boats",
            "%mcpgen approve",
        )

        asked = run.cell("answer = %mcpgen ask --name tons_of average tons by harbour in boats").outputs
        said = run("answer.diff.summary")
        live = run("%mcpgen approve")
        compared = run("%mcpgen diff tons_of")
        listed = run("%mcpgen versions tons_of")
        back = run("%mcpgen rollback tons_of", "import jupyter_mcpgen\njupyter_mcpgen.tools.tons_of(boats)")
        forth = run("jupyter_mcpgen.rollback('tons_of', '1.1.0').version", "jupyter_mcpgen.tools.tons_of(boats)")
        known = run("[tool.version for tool in jupyter_mcpgen.versions('tons_of')]")
        other = run("jupyter_mcpgen.diff('tons_of', '1.1.0', '1.0.0').result")
        gone = run("jupyter_mcpgen.unpublish('tons_of')", "%mcpgen list")

    diffs = [each.data[CARD_MIME]["diff"] for each in asked if CARD_MIME in each.get("data", {})]
    assert [diff["after"] for diff in diffs] == ["1.1.0"]
    assert "takes the place of v1.0.0: calls of v1.0.0 still work." in said
    assert "`tons_of` v1.1.0 is live" in live
    assert "with `mean_tons` and without `sum_tons`" in compared
    assert "| 1.0.0 | archived |" in listed
    assert "`tons_of` v1.0.0 is active." in back
    assert "sum_tons" in back
    assert "mean_tons" in forth
    assert "['1.1.0', '1.0.0']" in known
    assert "with `sum_tons` and without `mean_tons`" in other
    assert "You have no tools yet" in gone
