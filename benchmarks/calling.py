"""What a tool call over MCP costs, and how soon a connected client finds a promoted tool."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

from mcp import Client

from benchmarks import servers
from benchmarks.measure import AsyncTimer, Row, Times, elapsed, elapsed_async, in_turns_async
from benchmarks.place import Place
from benchmarks.promoting import Desk, open_desk
from jupyter_mcpgen.model.card import Card

NOOP_REPEATS = 200
BURST_REPEATS = 25
TOOL_REPEATS = 7
BURST = 8
CLIENTS = 2
MOST_TO_PUBLISH = 100
TOOL = "total_by_group"
QUESTION = "total num_units by weather_condition in crashes"
OURS = (*servers.PROGRAM, "ours")
BARE = "no-op on a bare FastMCP server, {}"
PLAIN = "the same group-by in a fresh `python -c`, which imports pandas"


def rows(place: Place) -> Iterator[Row]:
    """Measure calls that do nothing, real calls, and promotions."""
    yield from asyncio.run(_noop_rows(place))
    desk = open_desk(place)
    desk.promote(desk.stage(QUESTION, TOOL))
    yield from asyncio.run(_tool_rows(place, desk))
    yield from asyncio.run(_promotion_rows(place, desk))


async def _noop_rows(place: Place) -> list[Row]:
    found = []
    async with AsyncExitStack() as stack:
        bare_http, bare_stdio = await _bare(place, stack)
        few, many = [await _ours(place, stack, tools) for tools in (10, 1_000)]
        # Clients do not see a tool among so many in a list: they search, and call it by its name.
        by_name = _timed_call(many, "call_tool", {"name": "noop0", "arguments": {"x": 1}})
        search = _timed_call(many, "search_tools", {"query": "measuring nothing"})
        for what, call in (
            ("MCP no-op, HTTP, 10 tools served", _noop(few, "noop0")),
            ("MCP no-op by `call_tool`, HTTP, 1,000 tools served", by_name),
            ("`search_tools`, HTTP, 1,000 tools served", search),
        ):
            ours, reference = await in_turns_async((call, _noop(bare_http)), NOOP_REPEATS)
            found.append(Row(what, ours, BARE.format("HTTP"), reference))
        ours, reference = await in_turns_async((_burst(few, "noop0"), _burst(bare_http)), BURST_REPEATS)
        what = f"MCP no-op, HTTP, {BURST} calls at once"
        found.append(Row(what, ours, f"{BURST} at once on a bare FastMCP server, HTTP", reference))
        client = await stack.enter_async_context(servers.our_stdio(place, servers.noop_registry(place, 1), OURS))
        ours, reference = await in_turns_async((_noop(client, "noop0"), _noop(bare_stdio)), NOOP_REPEATS)
        found.append(Row("MCP no-op, stdio", ours, BARE.format("stdio"), reference))
    return found


async def _tool_rows(place: Place, desk: Desk) -> list[Row]:
    found = []
    async with AsyncExitStack() as stack:
        bare_http, bare_stdio = await _bare(place, stack)
        server = stack.enter_context(servers.our_http(place, desk.registry))
        http = await stack.enter_async_context(servers.over_http(server.url, server.token.get_secret_value()))
        stdio = await stack.enter_async_context(servers.our_stdio(place, desk.registry))

        async def plain() -> float:
            return elapsed(lambda: place.python("-c", place.group_by))

        for way, client, bare in (("HTTP", http, bare_http), ("stdio", stdio, bare_stdio)):
            call = _timed_call(client, TOOL, {"file_path": str(place.table)})
            await call()
            ours, noop, process = await in_turns_async((call, _noop(bare), plain), TOOL_REPEATS)
            what = f"MCP call of a sandboxed tool on 10,000 rows, {way}"
            found += [Row(what, ours, BARE.format(way), noop), Row(what, ours, PLAIN, process)]
    return found


async def _promotion_rows(place: Place, desk: Desk) -> list[Row]:
    questions = [f"{word} {column} by weather_condition in crashes" for column in _COLUMNS for word in _STATISTICS]
    cards = [desk.stage(question, f"tool{number}") for number, question in enumerate(questions)]
    table = {"file_path": str(place.table)}
    async with AsyncExitStack() as stack:
        server = stack.enter_context(servers.our_http(place, desk.registry))
        token = server.token.get_secret_value()
        clients = [await stack.enter_async_context(servers.over_http(server.url, token)) for _ in range(CLIENTS)]
        client = clients[0]
        known = _timed_call(client, TOOL, table)
        await known()
        listening = [(each, await stack.enter_async_context(each.listen(tools_list_changed=True))) for each in clients]

        async def approve_and_find(card: Card) -> tuple[float, float]:
            """Return when each client that waits for news has the tool in its list, and one has its first answer."""
            begin = time.perf_counter()
            await asyncio.to_thread(desk.promote, card)
            for each, news in listening:
                await anext(news)
                assert card.tool_name in [tool.name for tool in (await each.list_tools()).tools]
            listed = (time.perf_counter() - begin) * 1000
            return listed, listed + await _timed_call(client, card.tool_name, table)()

        rounds = [
            (*await approve_and_find(card), await elapsed_async(client.list_tools), await known()) for card in cards
        ]
    listed, answered, listing, calling = (Times(column) for column in zip(*rounds, strict=True))
    return [
        Row(f"Approve → callable for {CLIENTS} connected clients", listed, "`tools/list` alone", listing),
        Row(f"the same, 95 of 100 (limit {MOST_TO_PUBLISH} ms)", listed.slowest, "`tools/list` alone", listing.slowest),
        Row("Approve → the new tool's first answer", answered, "a call of a tool known before", calling),
    ]


_COLUMNS = ("num_units", "injuries_total", "injuries_fatal", "injuries_no_indication")
_STATISTICS = ("average", "median", "maximum", "minimum", "standard deviation of")


async def _bare(place: Place, stack: AsyncExitStack) -> tuple[Client, Client]:
    http = await stack.enter_async_context(servers.over_http(stack.enter_context(servers.bare_http(place))))
    stdio = await stack.enter_async_context(servers.over_stdio(place, (*servers.PROGRAM, "bare", "stdio")))
    return http, stdio


async def _ours(place: Place, stack: AsyncExitStack, tools: int) -> Client:
    server = stack.enter_context(servers.our_http(place, servers.noop_registry(place, tools), OURS))
    return await stack.enter_async_context(servers.over_http(server.url, server.token.get_secret_value()))


def _noop(client: Client, name: str = "noop") -> AsyncTimer:
    return _timed_call(client, name, {"x": 1})


def _burst(client: Client, name: str = "noop") -> AsyncTimer:
    call = _timed_call(client, name, {"x": 1})

    async def all_at_once() -> float:
        return await elapsed_async(lambda: asyncio.gather(*(call() for _ in range(BURST))))

    return all_at_once


def _timed_call(client: Client, name: str, arguments: dict[str, Any]) -> AsyncTimer:
    async def call() -> None:
        answer = await client.call_tool(name, arguments)
        assert not answer.is_error, answer.content

    return lambda: elapsed_async(call)
