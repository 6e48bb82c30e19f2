"""Consent in the client that offers a tool, where the person switched that on: real clients of both eras.

Whatever a client sends of its own accord decides nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult, ErrorData, InputRequiredResult

from jupyter_mcpgen.server import launch
from tests.products import know_proof

ERAS = ("legacy", "auto")
CODE = 'def {name}(text: str) -> str:\n    """Write a text in capital letters."""\n    return text.upper()\n'
ALL = {"allow": True, "unchecked": True}

Answer = Callable[[Any], ElicitResult | ErrorData]


class Person:
    """Answers what a client puts to its person, and remembers what was asked."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[Any] = []
        self._answer = answer

    async def __call__(self, context: Any, params: Any) -> ElicitResult | ErrorData:
        """Answer a question."""
        self.asked.append(params)
        return self._answer(params)


def ticks(**boxes: bool) -> Answer:
    return lambda _: ElicitResult(action="accept", content=dict(boxes))


def says(action: Any) -> Answer:
    return lambda _: ElicitResult(action=action)


def fails(_: Any) -> ErrorData:
    return ErrorData(code=-32603, message="The client's window broke.")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return where everything of these tests is kept; the option is on."""
    folder = tmp_path_factory.mktemp("home")
    know_proof(folder / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(folder / "data"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(folder / "config"))
        patch.setenv("MCPGEN_SERVER__ELICITATION", "true")
        yield folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[launch.ServerStatus]:
    yield launch.start(home / "registry", folder=home / "server")
    launch.stop(home / "server")


@contextlib.asynccontextmanager
async def connected(server: launch.ServerStatus, era: str, person: Person | None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {server.token.get_secret_value()}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(server.url, http_client=http)
        async with Client(transport, mode=era, cache=None, elicitation_callback=person) as client:  # type: ignore[arg-type]
            yield client


async def offered(client: Client, name: str) -> dict[str, Any]:
    answer = await client.call_tool(
        "dynamic_register_tool", {"name": name, "source_code": CODE.format(name=name), "capabilities": ["cap:numpy"]}
    )
    return answer.structured_content or {}


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 120))  # type: ignore[arg-type]


def face_of(home: Path, name: str) -> str:
    approval = home / "registry" / "active" / "tools" / name / "approval.json"
    return str(json.loads(approval.read_text())["face"])


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_a_person_reads_the_code_in_their_client_and_allows_it_there(
    server: launch.ServerStatus, home: Path, era: str
) -> None:
    name, person = f"allowed_{era}", Person(ticks(**ALL))

    async def story() -> None:
        async with connected(server, era, person) as client:
            answer = await offered(client, name)
            assert (answer["status"], answer["message"]) == ("success", f"The person allowed '{name}'.")
            assert name in {tool.name for tool in (await client.list_tools()).tools}
            called = await client.call_tool(name, {"text": "ab"})
            assert (called.structured_content or {})["result"] == "AB"

    run(story)

    (question,) = person.asked
    assert CODE.format(name=name).strip() in question.message
    assert "`cap:numpy`" in question.message
    form = question.requested_schema
    assert {box: part["default"] for box, part in form["properties"].items()} == dict.fromkeys(ALL, False)
    assert face_of(home, name) == "client"


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("how", "answer"),
    [
        ("unread", ticks(allow=True)),
        ("cancelled", says("cancel")),
        ("broken", fails),
    ],
)
def test_without_a_whole_yes_the_offer_goes_on_waiting(
    server: launch.ServerStatus, era: str, how: str, answer: Answer
) -> None:
    name, person = f"{how}_{era}", Person(answer)

    async def story() -> None:
        async with connected(server, era, person) as client:
            with contextlib.suppress(MCPError):  # the modern client ends its own call
                assert (await offered(client, name))["status"] == "pending"
            inspected = await client.call_tool("dynamic_inspect_tool", {"name": name})
            assert (inspected.structured_content or {})["status"] == "pending"

    run(story)

    assert len(person.asked) == 1


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("answer", [ticks(), ticks(unchecked=True), says("decline")])
def test_a_no_declines_the_offer(server: launch.ServerStatus, era: str, answer: Answer) -> None:
    async def story() -> None:
        async with connected(server, era, Person(answer)) as client:
            told = await offered(client, f"declined_{era}")
            assert (told["status"], told["error"]) == ("error", "ConsentDeniedError")

    run(story)


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_cannot_ask_leaves_the_offer_waiting(server: launch.ServerStatus, era: str) -> None:
    async def story() -> None:
        async with connected(server, era, None) as client:
            assert (await offered(client, f"unable_{era}"))["status"] == "pending"

    run(story)


@pytest.mark.soak
def test_nobody_is_asked_where_it_is_not_switched_on(home: Path) -> None:
    person = Person(ticks(**ALL))
    arguments = ["-m", "jupyter_mcpgen.server", "--stdio", "--registry", str(home / "registry")]
    environment = {name: value for name, value in os.environ.items() if name != "MCPGEN_SERVER__ELICITATION"}

    async def story() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=[*arguments, "--state", str(home / "apart")], env=environment
        )
        with (home / "apart.log").open("w") as log:
            async with Client(stdio_client(command, errlog=log), cache=None, elicitation_callback=person) as client:  # type: ignore[arg-type]
                assert (await offered(client, "switched_off"))["status"] == "pending"

    run(story)

    assert person.asked == []


def test_an_answer_counts_once_for_the_offer_it_was_given_to_and_only_with_its_sealed_state(
    server: launch.ServerStatus,
) -> None:
    """What a client could do by hand: answer unasked, answer twice, and answer for another offer."""
    said = {"consent": ElicitResult(action="accept", content=dict(ALL))}

    async def story() -> None:
        async with connected(server, "auto", Person(ticks(**ALL))) as client:

            async def sent(name: str, **more: Any) -> Any:
                arguments = {"name": name, "source_code": CODE.format(name=name)}
                return await client.session.call_tool(
                    "dynamic_register_tool", arguments, allow_input_required=True, **more
                )

            async def status_of(name: str) -> str:
                found = await client.call_tool("dynamic_inspect_tool", {"name": name})
                return str((found.structured_content or {})["status"])

            unasked = await sent("by_hand", input_responses=said)
            assert isinstance(unasked, InputRequiredResult)  # it is asked, whatever was said before
            with pytest.raises(MCPError):
                await sent("by_hand", input_responses=said, request_state="made up")
            other = await sent("another")
            assert isinstance(other, InputRequiredResult)
            with pytest.raises(MCPError):
                await sent("by_hand", input_responses=said, request_state=other.request_state)
            assert [await status_of("by_hand"), await status_of("another")] == ["pending", "pending"]

            allowed = await sent("by_hand", input_responses=said, request_state=unasked.request_state)
            assert allowed.structured_content["status"] == "success"
            await client.call_tool("dynamic_revoke_tool", {"name": "by_hand"})
            replayed = await sent("by_hand", input_responses=said, request_state=unasked.request_state)
            assert replayed.structured_content["status"] == "pending"

    run(story)
