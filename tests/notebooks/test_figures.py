"""A figure that code draws, in a notebook: on the card of a real kernel, and with a call from Python."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.notebooks.kernels import kernel

ROOT = Path(__file__).parents[2]
PREPARED = f"""import sys
sys.path.insert(0, {str(ROOT)!r})
import pandas as pd
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.runtime import current
from tests.flow.asking.test_written_drafts import Scribe
stalls = pd.DataFrame({{"town": ["Ry", "Ry", "Ans"], "kilos": [1.5, 2.5, 3.0]}})
code = '''
import matplotlib.pyplot as plt
import pandas as pd
import pytest


def draw_kilos(df: pd.DataFrame) -> pd.DataFrame:
    "Draw the kilos of each town."
    kilos = df.groupby("town", as_index=False)["kilos"].sum()
    plt.bar(kilos["town"], kilos["kilos"])
    return kilos
'''
author = Scribe(code, NoSecond(reason="a drawing is no query"))
vars(current())["_author"] = lambda reader, course=None: author"""


@pytest.mark.soak
def test_a_notebook_shows_the_figure_on_the_card_and_keeps_it_in_the_page(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with kernel(environment, tmp_path) as run:
        run("%load_ext jupyter_mcpgen", PREPARED)
        outputs = run.cell("%mcpgen draw the kilos of each town in stalls").outputs
        shown = next(output.data for output in outputs if CARD_MIME in output.get("data", {}))
        run("%mcpgen approve --as-read --unchecked")
        called = run("from jupyter_mcpgen import tools", "tools.draw_kilos(stalls).attrs['mcpgen']['figures']")

    (figure,) = shown[CARD_MIME]["figures"]
    assert b64decode(figure["content"]).startswith(b"\x89PNG")
    assert f"data:image/png;base64,{figure['content']}" in shown["text/html"]
    assert "figure-1.png (" in called
