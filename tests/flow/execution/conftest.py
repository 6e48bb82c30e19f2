"""One server with the tools that run code, a real client that calls them, and data that runs may read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from jupyter_mcpgen.model.event import ProgramRan
from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor, DockerSettings
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.tools import coding, sandbox
from jupyter_mcpgen.tools.offer import Offer
from jupyter_mcpgen.tools.running import Runner
from tests.fakes.folder_shelf import FolderShelf
from tests.flow.execution.client import DATA, Answer, Call

NO_ENGINE = "unix:///nonexistent/engine.sock"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named")
    folder.chmod(0o755)
    for parent in folder.parents[:2]:
        parent.chmod(0o755)
    (folder / "table.csv").write_text(DATA)
    (folder / "site-packages" / "team_tool").mkdir(parents=True)
    (folder / "site-packages" / "team_tool" / "__init__.py").write_text("ANSWER = 42\n")
    (folder / "site-packages" / "team_tool.js").write_text("exports.ANSWER = 42;\n")
    return folder


@pytest.fixture(scope="module")
def heard() -> list[ProgramRan]:
    """Return the runs that were announced so far."""
    return []


@pytest.fixture(scope="module")
def offers(
    tmp_path_factory: pytest.TempPathFactory, data: Path, heard: list[ProgramRan]
) -> Iterator[tuple[Offer[Any], ...]]:
    executor = Executor(pages=Pages(tmp_path_factory.mktemp("pages")), data=(data,))
    sessions = Sessions(executor)
    runner = Runner(executor, sessions, hear=heard.append)
    yield (
        *sandbox.offers(runner, "note"),
        *coding.offers(runner, DockerExecutor(DockerSettings(url=NO_ENGINE)), "note"),
    )
    sessions.close()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, offers: tuple[Offer[Any], ...]) -> FastMCP:
    shelf = FolderShelf(tmp_path_factory.mktemp("registry"))
    return build_app(shelf, offers, state_key=b"k" * 32, concurrent_calls=2, progress_seconds=0.05)


@pytest.fixture(scope="module")
def promised(offers: tuple[Offer[Any], ...]) -> dict[str, Any]:
    """Return the schema of each tool's answer, as its guide has it."""
    return {offer.name: offer.output_schema for offer in offers}


@pytest.fixture
def call(app: FastMCP, promised: dict[str, Any]) -> Call:
    """Call a tool; whatever structured answer comes back, also with a failure, keeps what the tool promises."""
    from jsonschema import Draft202012Validator  # costs more than a second in each process

    def one(name: str, /, **arguments: Any) -> Answer:
        async def story() -> Answer:
            async with Client(app) as client:
                return Answer(await client.call_tool(name, arguments, raise_on_error=False))

        answer = asyncio.run(story())
        if answer.data:
            Draft202012Validator(promised[name]).validate(answer.data)
        return answer

    return one


@pytest.fixture
def session(call: Call) -> Iterator[str]:
    made: str = call("create_session").data["session_id"]
    yield made
    call("destroy_session", session_id=made)
