"""What code draws with matplotlib comes back beside its result: as files, on the card, and to MCP clients."""

from __future__ import annotations

from base64 import b64decode

import pandas as pd
import pytest

from jupyter_mcpgen.card_text import html, plain
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.figure import MOST
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown
from tests.flow.asking.test_written_drafts import LOADS, asked, computed

DRAWN = '''
import matplotlib.pyplot as plt
import pandas as pd


def draw_loads(df: pd.DataFrame) -> pd.DataFrame:
    """Draw the load of each quarry and return it."""
    tons = df.groupby("quarry", as_index=False)["tons"].sum()
    plt.bar(tons["quarry"], tons["tons"])
    plt.ylabel("tons")
    return tons
'''
PNG = b"\x89PNG\r\n\x1a\n"
UNCHECKED = NoSecond(reason="a drawing is no query")


def test_a_figure_that_the_code_leaves_open_is_saved_and_shown_on_the_card(runtime: Runtime) -> None:
    card = asked(runtime, DRAWN, UNCHECKED)

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    (figure,) = card.figures
    assert (figure.name, figure.type) == ("figure-1.png", "image/png")
    assert b64decode(figure.content).startswith(PNG)
    assert f'src="data:image/png;base64,{figure.content}"' in html(card)
    assert "Figure: figure-1.png (" in plain(card)
    assert "It leaves the figures that it draws, and no other files." in card.permissions


@pytest.mark.soak
@pytest.mark.ungated
def test_a_saved_tool_draws_for_whoever_calls_it(runtime: Runtime) -> None:
    card = asked(runtime, DRAWN, UNCHECKED)
    runtime.approve(card.card_id, confirmed=list(Confirms))
    data = runtime.reference("loads", LOADS)

    answer = runtime.call_tool(card.tool_name, {"file_path": data.path})

    assert not answer.failed, answer.text
    assert b64decode(answer.figures[0].content).startswith(PNG)
    assert runtime.registry.tool(card.tool_name).annotations.readOnlyHint


@pytest.mark.soak
def test_of_very_many_figures_the_first_few_are_kept(runtime: Runtime) -> None:
    many = DRAWN.replace("    return tons", "    for number in range(9):\n        plt.figure()\n    return tons")

    card = shown(runtime, computed(runtime, many, UNCHECKED))

    assert [figure.name for figure in card.figures] == [f"figure-{number}.png" for number in range(1, MOST + 1)]


@pytest.mark.parametrize(
    "line",
    ['plt.savefig("/tmp/loads.png")', "plt.show()", 'plt.gcf().savefig("loads.png")', 'plt.imread("loads.png")'],
)
def test_code_that_saves_shows_or_reads_pictures_itself_is_not_run(runtime: Runtime, line: str) -> None:
    card = shown(
        runtime, computed(runtime, DRAWN.replace("    return tons", f"    {line}\n    return tons"), UNCHECKED)
    )

    assert "so it was not run" in card.evidence_sentence
    assert card.figures == ()


@pytest.mark.soak
def test_the_same_drawing_is_the_same_file(runtime: Runtime) -> None:
    first, second = (computed(runtime, DRAWN, UNCHECKED).trial.figures[0] for _ in range(2))

    assert first.content == second.content


def test_code_that_draws_nothing_leaves_no_file(runtime: Runtime) -> None:
    nothing = DRAWN.replace('    plt.bar(tons["quarry"], tons["tons"])\n    plt.ylabel("tons")\n', "")

    assert computed(runtime, nothing, UNCHECKED).trial.figures == ()


def test_a_package_that_is_not_installed_is_named_with_what_to_install(runtime: Runtime) -> None:
    code = DRAWN.replace("import matplotlib.pyplot as plt", "import statsmodels.api as sm").replace(
        '    plt.bar(tons["quarry"], tons["tons"])\n    plt.ylabel("tons")\n', "    sm.add_constant([1.0])\n"
    )

    card = shown(runtime, computed(runtime, code, UNCHECKED))

    assert [f.message for f in card.findings if f.rule == "not-installed"] == [
        "`statsmodels` is not installed. Install it: `pip install statsmodels`."
    ]


@pytest.mark.soak
@pytest.mark.ungated
def test_a_figure_is_drawn_from_the_table_of_the_call(runtime: Runtime) -> None:
    card = asked(runtime, DRAWN, UNCHECKED)
    runtime.approve(card.card_id, confirmed=list(Confirms))
    other = runtime.reference("loads", pd.DataFrame({"quarry": ["West"], "tons": [1.0], "trips": [1]}))

    answer = runtime.call_tool(card.tool_name, {"file_path": other.path})

    assert answer.figures[0].content != card.figures[0].content
