"""A table that a client names is looked at and read in one place: a link that is put there in between leads nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.errors import DataNotAllowed, SandboxError
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.server.data_folders import DataFolders, only_open_data
from jupyter_mcpgen.verbs.deciding import approve
from tests.products import new_runtime

OPEN = pd.DataFrame({"kind": ["open", "open"], "units": [1, 2]})
PRIVATE = pd.DataFrame({"kind": ["private"], "units": [42]})


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return new_runtime(tmp_path_factory.mktemp("swapped"))


@pytest.fixture(scope="module")
def tool(runtime: Runtime) -> str:
    """Return the name of a tool that a person approved."""
    outcome = runtime.ask("total units by kind", runtime.reference("stock", OPEN))
    assert isinstance(outcome, Staged)
    approve([outcome.card.card_id], runtime, Face.TERMINAL)
    return outcome.card.tool_name


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Give a table in a folder that is open to clients; one beside it is not."""
    for name, frame in (("open", OPEN), ("private", PRIVATE)):
        (tmp_path / name / "below").mkdir(parents=True)
        frame.to_csv(tmp_path / name / "below" / "stock.csv", index=False)
    return tmp_path / "open" / "below" / "stock.csv"


def nothing(data: Path) -> None:
    """Leave everything as it is."""


def swap_file(data: Path) -> None:
    """Put a link to the private table where the open one was."""
    data.unlink()
    data.symlink_to(data.parents[2] / "private" / "below" / "stock.csv")


def swap_folder(data: Path) -> None:
    """Put a link to the private folder where the open one was."""
    data.parent.rename(data.parent.with_name("moved"))
    data.parent.symlink_to(data.parents[2] / "private" / "below")


def call(runtime: Runtime, tool: str, data: Path, act: Callable[[Path], None]) -> ToolAnswer:
    """Call a tool as a client does, overtaken by somebody after its path was looked at."""

    def overtaken(name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        act(data)
        return runtime.call_tool(name, arguments)

    folders = DataFolders(whole=(data.parents[1],), closed=())
    return only_open_data(overtaken, folders)(tool, {"file_path": str(data)})


def test_the_table_is_read_when_nobody_interferes(runtime: Runtime, tool: str, data: Path) -> None:
    assert call(runtime, tool, data, nothing).structured["rows"] == [{"kind": "open", "sum_units": 3}]


@pytest.mark.parametrize("swap", [swap_file, swap_folder])
def test_a_table_that_became_a_link_after_it_was_looked_at_is_not_read(
    runtime: Runtime, tool: str, data: Path, swap: Callable[[Path], None]
) -> None:
    with pytest.raises(SandboxError, match="a link leads from there to another place"):
        call(runtime, tool, data, swap)

    assert pd.read_csv(data).equals(PRIVATE), "the link leads to the private table"


def test_a_link_that_is_there_before_is_followed_and_its_end_looked_at(
    runtime: Runtime, tool: str, data: Path, tmp_path: Path
) -> None:
    inside, outside = data.with_name("inside.csv"), data.with_name("outside.csv")
    inside.symlink_to(data)
    outside.symlink_to(tmp_path / "private" / "below" / "stock.csv")

    assert call(runtime, tool, inside, nothing).structured["rows"] == [{"kind": "open", "sum_units": 3}]
    with pytest.raises(DataNotAllowed):
        call(runtime, tool, outside, nothing)
