"""Real MCP clients of both protocol eras, over both transports, against a server process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import mcp_types
import psutil
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.server import launch, tokens
from jupyter_mcpgen.settings import SEARCH_BEYOND
from tests.fakes.folder_shelf import promote, tamper

SERVER = str(Path(__file__).parents[1] / "fakes" / "folder_server.py")
PROGRAM = (sys.executable, SERVER)
ERAS = ("legacy", "auto")
SOON = 20.0
PROMOTIONS = SEARCH_BEYOND - 1
"""With one tool that is there before, the most that lists name."""
OLDER_SUBSCRIPTIONS = pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")
DISCOVERY = ("list_available_tools", "search_tools", "call_tool")

Listener = tuple[Client, Callable[[], Awaitable[None]]]
"""A client, and what waits for the next announcement that it hears."""


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    promote(tmp_path / "registry", "double")
    return tmp_path / "registry"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def server(registry: Path, state: Path) -> Iterator[launch.ServerStatus]:
    """Start a server of the test's own, for tests that change its tools."""
    yield launch.start(registry, folder=state, program=PROGRAM)
    launch.stop(state)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[launch.ServerStatus, Path]]:
    """One server for the tests that only ask, with its state folder."""
    folder = tmp_path_factory.mktemp("shared")
    for code in ("double", "fails", "raises", "crashes", "lies", "sleeps"):
        promote(folder / "registry", code, code=code)
    yield launch.start(folder / "registry", folder=folder / "state", program=PROGRAM), folder / "state"
    launch.stop(folder / "state")


class Told:
    """Counts the announcements that a client received."""

    def __init__(self) -> None:
        self._news: asyncio.Queue[None] = asyncio.Queue()

    async def __call__(self, message: Any) -> None:
        """Take a message."""
        if isinstance(message, mcp_types.ToolListChangedNotification):
            self._news.put_nowait(None)

    async def wait(self) -> None:
        """Wait for one announcement."""
        await asyncio.wait_for(self._news.get(), SOON)


@contextlib.asynccontextmanager
async def connected(transport: Any, era: str) -> AsyncIterator[Listener]:
    """Connect a client of one era that hears announcements the way its era does."""
    told = Told()
    async with Client(transport, mode=era, cache=None, message_handler=told) as client:
        if era == "legacy":
            yield client, told.wait
            return
        async with client.listen(tools_list_changed=True) as news:

            async def wait() -> None:
                await asyncio.wait_for(anext(news), SOON)

            yield client, wait


@contextlib.asynccontextmanager
async def over_http(server: launch.ServerStatus) -> AsyncIterator[Any]:
    headers = {"Authorization": f"Bearer {server.token.get_secret_value()}"}
    async with httpx2.AsyncClient(headers=headers, timeout=SOON) as http:
        yield streamable_http_client(server.url, http_client=http)


def over_stdio(registry: Path, state: Path) -> Any:
    arguments = [SERVER, "--stdio", "--registry", str(registry), "--state", str(state)]
    return stdio_client(StdioServerParameters(command=sys.executable, args=arguments))


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


async def tools_come_and_go(registry: Path, *listeners: Listener) -> None:
    for client, _ in listeners:
        assert await names(client) == [*DISCOVERY, "double"]

    added = promote(registry, "halve_not")
    for client, told in listeners:
        await told()
        assert await names(client) == [*DISCOVERY, "double", "halve_not"]
        answer = await client.call_tool("halve_not", {"x": 21})
        assert (answer.is_error, answer.structured_content) == (False, {"result": 42})
        assert answer.content[0].text == "**42**"

    added.unlink()
    for client, told in listeners:
        await told()
        assert await names(client) == [*DISCOVERY, "double"]
        assert (await client.call_tool("halve_not", {"x": 21})).is_error

    tamper(registry / "active" / "double.json")
    for client, told in listeners:
        await told()
        assert await names(client) == list(DISCOVERY)
        refused = await client.call_tool("double", {"x": 21})
        assert refused.is_error
        assert refused.content[0].text.startswith("`double` is not what was approved")


def test_a_tool_promoted_revoked_or_tampered_with_elsewhere_reaches_clients_of_both_eras_over_http(
    server: launch.ServerStatus, registry: Path
):
    async def story() -> None:
        async with contextlib.AsyncExitStack() as stack:
            transports = [await stack.enter_async_context(over_http(server)) for _ in ERAS]
            pairs = zip(transports, ERAS, strict=True)
            listeners = [await stack.enter_async_context(connected(transport, era)) for transport, era in pairs]
            await tools_come_and_go(registry, *listeners)

    asyncio.run(story())


@pytest.mark.soak
@pytest.mark.parametrize("era", ERAS)
def test_a_tool_promoted_revoked_or_tampered_with_elsewhere_reaches_clients_over_stdio(
    registry: Path, state: Path, era: str
):
    async def story() -> None:
        async with connected(over_stdio(registry, state), era) as listener:
            await tools_come_and_go(registry, listener)

    asyncio.run(story())


KINDS = ("tools", "resources", "prompts")


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ERAS)
def test_a_promotion_is_announced_for_tools_resources_and_prompts(
    server: launch.ServerStatus, registry: Path, era: str
):
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def told(message: Any) -> None:
        if isinstance(message, mcp_types.Notification):
            heard.put_nowait(str(message.method))

    async def methods(client: Client) -> set[str]:
        if era == "legacy":
            return {await asyncio.wait_for(heard.get(), SOON) for _ in KINDS}
        async with client.listen(**dict.fromkeys([f"{kind}_list_changed" for kind in KINDS], True)) as news:
            promote(registry, "later")
            return {type(await asyncio.wait_for(anext(news), SOON)).__name__ for _ in KINDS}

    async def story() -> tuple[set[str], set[str], set[str]]:
        async with over_http(server) as transport, Client(transport, mode=era, cache=None, message_handler=told) as one:
            await one.list_tools()
            if era == "legacy":
                promote(registry, "later")
            found = await methods(one)
            resources = {str(each.uri) for each in (await one.list_resources()).resources}
            return found, resources, {each.name for each in (await one.list_prompts()).prompts}

    found, resources, prompts = asyncio.run(story())
    assert found == (
        {f"notifications/{kind}/list_changed" for kind in KINDS}
        if era == "legacy"
        else {"ToolsListChanged", "ResourcesListChanged", "PromptsListChanged"}
    )
    assert {"mcpgen://tools/later/source", "mcpgen://tools/later/card"} <= resources
    assert prompts == {"double", "later"}


@pytest.mark.soak
@pytest.mark.every_run("auto")
@OLDER_SUBSCRIPTIONS
@pytest.mark.parametrize("era", ERAS)
def test_a_subscriber_hears_of_another_version_of_what_it_reads_and_of_nothing_else(
    server: launch.ServerStatus, registry: Path, era: str
):
    watched, other = "mcpgen://tools/double/card", "mcpgen://tools/double/source"
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def told(message: Any) -> None:
        if isinstance(message, mcp_types.ResourceUpdatedNotification):
            heard.put_nowait(message.params.uri)

    async def story() -> list[str]:
        async with contextlib.AsyncExitStack() as stack:
            transport = await stack.enter_async_context(over_http(server))
            client = Client(transport, mode=era, cache=None, message_handler=told)
            one = await stack.enter_async_context(client)
            if era == "legacy":
                await one.subscribe_resource(other)
                await one.subscribe_resource(watched)
                await one.unsubscribe_resource(other)
            else:
                await stack.enter_async_context(one.listen(resource_subscriptions=[watched]))
            uris = []
            for words in ("Doubles a number, again.", "Doubles a number, once more."):
                promote(registry, "double", description=words)
                uris.append(await asyncio.wait_for(heard.get(), SOON))
                assert (await one.read_resource(watched)).contents[0].text == f"**{words}**"
            return uris

    assert asyncio.run(story()) == [watched, watched]


@pytest.mark.soak
@OLDER_SUBSCRIPTIONS
def test_nobody_subscribes_to_what_is_not_there(shared: tuple[launch.ServerStatus, Path]):
    async def story() -> None:
        async with over_http(shared[0]) as transport, Client(transport, mode="legacy") as client:
            with pytest.raises(MCPError, match="Resource not found: 'mcpgen://tools/nobody/card'"):
                await client.subscribe_resource("mcpgen://tools/nobody/card")

    asyncio.run(story())


@pytest.mark.parametrize("era", ERAS)
def test_a_client_is_offered_the_names_that_fit_an_address(shared: tuple[launch.ServerStatus, Path], era: str):
    async def offered(client: Client, uri: str, argument: str, begun: str) -> list[str]:
        about = mcp_types.ResourceTemplateReference(type="ref/resource", uri=uri)
        return (await client.complete(about, {"name": argument, "value": begun})).completion.values

    async def story() -> tuple[list[str], list[str]]:
        async with over_http(shared[0]) as transport, Client(transport, mode=era, cache=None) as client:
            return (
                await offered(client, "mcpgen://tools/{name}/source", "name", "s"),
                await offered(client, "mcpgen://guides/errors/{error_type}", "error_type", "div"),
            )

    assert asyncio.run(story()) == (["sleeps"], ["DivisionByZero"])


def test_thirty_two_callers_at_once_all_get_their_own_answer(shared: tuple[launch.ServerStatus, Path]):
    async def story() -> list[Any]:
        async with over_http(shared[0]) as transport, Client(transport, cache=None) as client:
            answers = await asyncio.gather(*(client.call_tool("sleeps", {"x": x}) for x in range(32)))
            return [answer.structured_content for answer in answers]

    assert asyncio.run(story()) == [{"result": 2 * x} for x in range(32)]


@pytest.mark.soak
def test_two_servers_list_the_same_bytes_and_a_tool_that_prints_does_not_break_stdio(registry: Path, tmp_path: Path):
    async def story(state: Path) -> tuple[Any, str]:
        async with Client(over_stdio(registry, state), cache=None) as client:
            answer = (await client.call_tool("chatty", {"x": 2})).structured_content
            return answer, (await client.list_tools()).model_dump_json()

    promote(registry, "zebra")
    promote(registry, "aardvark")
    promote(registry, "chatty", code="prints")

    first, second = (asyncio.run(story(tmp_path / name)) for name in ("one", "two"))

    assert first == second
    assert first[0] == {"result": 4}


def ask(server: launch.ServerStatus, **headers: str) -> int:
    """Send a hand-written request with the good token, unless the headers say otherwise; return the status."""
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        },
    }
    sent = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {server.token.get_secret_value()}",
        **headers,
    }
    answer = httpx2.post(server.url, json=request, headers={k: v for k, v in sent.items() if v}, timeout=SOON)
    return answer.status_code


def test_only_a_bearer_of_a_good_token_from_a_known_place_is_let_in(shared: tuple[launch.ServerStatus, Path]):
    server, state = shared

    def bearer(**grant: Any) -> str:
        return f"Bearer {tokens.issue(state, 'test', **{'now': launch.time.time(), **grant})}"

    answers = {
        "good": ask(server),
        "no token": ask(server, Authorization=""),
        "bad token": ask(server, Authorization="Bearer nonsense"),
        "expired token": ask(server, Authorization=bearer(lifetime_days=-1)),
        "token without the scope": ask(server, Authorization=bearer(scopes=("tools:read",))),
        "another good token": ask(server, Authorization=bearer()),
        "foreign host": ask(server, Host="evil.example"),
        "foreign host without token": ask(server, Host="evil.example", Authorization=""),
        "foreign origin": ask(server, Origin="https://evil.example"),
        "null origin": ask(server, Origin="null"),
        "local origin without token": ask(server, Origin="http://localhost:8888", Authorization=""),
    }

    assert answers == {
        "good": 200,
        "no token": 401,
        "bad token": 401,
        "expired token": 401,
        "token without the scope": 403,
        "another good token": 200,
        "foreign host": 421,
        "foreign host without token": 421,
        "foreign origin": 403,
        "null origin": 403,
        "local origin without token": 401,
    }


def test_failures_say_what_happened_and_what_to_do(shared: tuple[launch.ServerStatus, Path]):
    async def story() -> dict[str, tuple[bool, str]]:
        async with over_http(shared[0]) as transport, Client(transport, cache=None) as client:
            calls = {
                **{code: (code, {"x": 1}) for code in ("fails", "raises", "crashes", "lies")},
                "unknown parameter": ("double", {"X": 1}),
                "wrong type": ("double", {"x": "two"}),
                "missing": ("double", {}),
            }
            answers = {label: await client.call_tool(name, sent) for label, (name, sent) in calls.items()}
            return {label: (answer.is_error, answer.content[0].text) for label, answer in answers.items()}

    assert asyncio.run(story()) == {
        "fails": (True, "The column `x` is empty."),
        "raises": (True, "`raises` ran out of memory. Use fewer rows."),
        "crashes": (True, "Error calling tool 'crashes'"),
        "lies": (
            True,
            "`lies` ran, but its answer is not what it promises, `result`: 'not a number' is not of type 'number'. "
            "Ask the question again for a new version.",
        ),
        "unknown parameter": (True, "`double` has no parameter `X`. Did you mean `x`?"),
        "wrong type": (
            True,
            "`double` was not run, `x` does not fit: 'two' is not of type 'number'. Its parameters: `x`.",
        ),
        "missing": (True, "`double` was not run, `x` is missing. Its parameters: `x`."),
    }


def test_a_client_without_a_token_cannot_connect(shared: tuple[launch.ServerStatus, Path]):
    async def story() -> None:
        async with Client(shared[0].url, cache=None) as client:
            await client.list_tools()

    with pytest.raises((MCPError, ExceptionGroup)):
        asyncio.run(story())


@pytest.mark.soak
def test_promotions_among_running_calls_lose_no_call_and_no_promotion(server: launch.ServerStatus, registry: Path):
    added = [f"later_{number:02}" for number in range(PROMOTIONS)]

    async def promotions() -> None:
        for name in added:
            await asyncio.to_thread(promote, registry, name)

    async def calls(client: Client, over: asyncio.Event) -> list[Any]:
        answers = []
        while not over.is_set():
            answers.append((await client.call_tool("double", {"x": 21})).structured_content)
        return answers

    async def story() -> tuple[list[list[Any]], list[Any], list[list[str]]]:
        async with contextlib.AsyncExitStack() as stack:
            clients = []
            for era in ERAS:
                transport = await stack.enter_async_context(over_http(server))
                clients.append(await stack.enter_async_context(connected(transport, era)))
            over = asyncio.Event()
            running = [asyncio.create_task(calls(client, over)) for client, _ in clients for _ in range(4)]
            await promotions()
            for client, told in clients:
                while not set(added) <= set(await names(client)):
                    await told()
            over.set()
            answers = [await each for each in running]
            first = [(await clients[0][0].call_tool(name, {"x": 1})).structured_content for name in added]
            return answers, first, [await names(client) for client, _ in clients]

    answers, first, lists = asyncio.run(story())

    assert all(answers)
    assert {json.dumps(answer) for each in answers for answer in each} == {'{"result": 42}'}
    assert first == [{"result": 2}] * PROMOTIONS
    assert lists == [[*DISCOVERY, "double", *added]] * 2


@pytest.mark.soak
def test_a_server_killed_in_the_middle_of_promotions_serves_whole_tools_when_it_is_back(registry: Path, state: Path):
    added = [f"later_{number:02}" for number in range(PROMOTIONS)]
    killed = psutil.Process(launch.start(registry, folder=state, program=PROGRAM).pid)

    async def story(server: launch.ServerStatus) -> tuple[list[str], set[Any]]:
        async with over_http(server) as transport, Client(transport, cache=None) as client:
            found = await names(client)
            called = [name for name in found if name not in DISCOVERY]
            return found, {(await client.call_tool(name, {"x": 3})).structured_content["result"] for name in called}

    for number, name in enumerate(added):
        promote(registry, name)
        if number == len(added) // 2:
            killed.kill()
    killed.wait(SOON)
    again = launch.start(registry, folder=state, program=PROGRAM)
    try:
        assert asyncio.run(story(again)) == ([*DISCOVERY, "double", *added], {6})
    finally:
        launch.stop(state)
