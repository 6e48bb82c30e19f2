"""A tool that draws or that chance moves, over the faces that people and clients have: terminal and MCP."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from fastmcp import Client

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.runtime import Runtime, current
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.server.shelf import RegistryShelf
from tests.flow.asking.test_written_drafts import Scribe
from tests.products import own_place

WELLS = pd.DataFrame({"well": ["A", "B", "C"], "depth": [12.5, 30.0, 7.25]})
DRAWN = '''
import matplotlib.pyplot as plt
import pandas as pd


def draw_depths(df: pd.DataFrame) -> pd.DataFrame:
    """Draw the depth of each well."""
    plt.plot(df["depth"])
    return df[["well", "depth"]]
'''
GUESSED = '''
import numpy as np
import pandas as pd


def guess_depth(df: pd.DataFrame) -> float:
    """Return the depth of a well that is drawn."""
    return 0.0 if df.empty else float(np.random.default_rng().choice(df["depth"].fillna(0.0)))
'''
PNG = b"\x89PNG\r\n\x1a\n"


def saved(runtime: Runtime, code: str) -> str:
    vars(runtime)["services"] = replace(runtime.services, author=Scribe(code, NoSecond(reason="nothing to compare")))
    card = runtime.ask("depths of the wells", runtime.reference("wells", WELLS)).card  # type: ignore[union-attr]
    runtime.approve(card.card_id, confirmed=list(Confirms))
    return card.tool_name


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a folder with a table, and a registry with a tool that draws and one that chance moves."""
    home = tmp_path_factory.mktemp("wells")
    WELLS.to_csv(home / "wells.csv", index=False)
    (home / "kept").mkdir()
    with own_place(home):
        assert (saved(current(), DRAWN), saved(current(), GUESSED)) == ("draw_depths", "guess_depth")
        yield home


def typed(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(list(words))
    said = capfd.readouterr()
    return status, " ".join(f"{said.out} {said.err}".split())


def served(place: Path, name: str) -> tuple[Any, Any]:
    """Return a tool as a client finds it, and what a call of it gives."""

    async def story() -> tuple[Any, Any]:
        app = build_app(RegistryShelf(current().registry, current().call_tool), state_key=b"k" * 32)
        async with Client(app) as client:
            tools = {tool.name: tool for tool in await client.list_tools()}
            return tools[name], await client.call_tool(name, {"file_path": str(place / "wells.csv")})

    return asyncio.run(story())


def test_a_client_gets_a_figure_as_an_image_beside_the_structured_result(place: Path) -> None:
    _, answer = served(place, "draw_depths")

    text, image = answer.content
    assert (text.type, image.type, image.mime_type) == ("text", "image", "image/png")
    assert b64decode(image.data).startswith(PNG)
    assert answer.structured_content["rows"][0] == {"well": "A", "depth": 12.5}


def test_a_terminal_saves_the_figures_of_a_call_where_it_is_told_to(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("run", "draw_depths", "--data", "wells.csv", "--save", "kept")

    first, second = typed(capfd, *words), typed(capfd, *words)

    assert (first[0], second[0]) == (0, 0)
    assert "kept/figure-1.png" in first[1]
    assert "kept/figure-1-2.png" in second[1]
    assert (place / "kept" / "figure-1.png").read_bytes().startswith(PNG)


def test_a_terminal_names_the_figures_that_it_does_not_save(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, said = typed(capfd, "run", "draw_depths", "--data", "wells.csv")

    assert "Figure: figure-1.png (" in said
    assert "Add --save DIR to keep it." in said


def test_a_folder_that_is_not_there_is_said_before_anything_runs(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, said = typed(capfd, "run", "draw_depths", "--data", "wells.csv", "--save", "nowhere")

    assert (status, said) == (2, "There is no folder nowhere to save figures in. Make it first.")


def test_a_client_is_told_that_chance_moves_a_tool(place: Path) -> None:
    tool, answer = served(place, "guess_depth")

    assert not tool.annotations.idempotent_hint
    assert "The same call may give another result: it draws random numbers." in tool.description
    assert answer.structured_content["result"] in WELLS["depth"].tolist()


def test_the_card_says_before_approval_that_chance_moves_a_tool(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, said = typed(capfd, "show", "guess_depth")

    assert "May give another result each time: it draws random numbers." in said
    assert "The same call may give another result: it reads the clock or draws numbers." in said
