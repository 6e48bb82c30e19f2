"""A thousand approved tools: the list stays as small as with none, and each can be found, called and read."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from jupyter_mcpgen.server import launch
from tests.fakes.folder_shelf import promote, tamper
from tests.flow.surface import DISCOVERY, WAYS, Served

PROGRAM = (sys.executable, str(Path(__file__).parents[1] / "fakes" / "folder_server.py"))
MANY = 1_000
COLORS = ("amber", "crimson", "teal", "violet", "ochre")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("many")
    for number in range(MANY):
        color = COLORS[number % len(COLORS)]
        promote(folder / "registry", f"tool_{number}", description=f"Doubles the {color} number of lantern {number}.")
    status = launch.start(folder / "registry", folder=folder / "state", program=PROGRAM)
    yield Served(status, folder / "registry", folder / "state", {}, PROGRAM)
    launch.stop(folder / "state")


def asked(served: Served, question: Any, era: str = "auto", transport: str = "http") -> Any:
    async def story() -> Any:
        async with served.client(era, transport) as client:
            return await question(client)

    return asyncio.run(story())


@pytest.mark.every_run("auto-http", "legacy-stdio")
@pytest.mark.parametrize(("era", "transport"), WAYS)
def test_many_tools_are_found_called_and_read_although_no_list_names_them(
    served: Served, era: str, transport: str
) -> None:
    async def story(client: Client) -> dict[str, Any]:
        found = await client.call_tool("search_tools", {"query": "lantern 777", "limit": 3})
        called = await client.call_tool("call_tool", {"name": "tool_777", "arguments": {"x": 4}})
        return {
            "tools": [tool.name for tool in (await client.list_tools()).tools],
            "resources": [r for r in (await client.list_resources()).resources if "tools/" in str(r.uri)],
            "prompts": (await client.list_prompts()).prompts,
            "first": found.structured_content["tools"][0]["name"],
            "returned": len(found.structured_content["tools"]),
            "found": found.structured_content["found"],
            "called": called.structured_content,
            "direct": (await client.call_tool("tool_778", {"x": 4})).structured_content,
            "read": (await client.read_resource("mcpgen://tools/tool_779/card")).contents[0].text,
            "prompt": "`tool_780`" in (await client.get_prompt("tool_780", {"x": "4"})).messages[0].content.text,
        }

    assert asked(served, story, era, transport) == {
        "tools": list(DISCOVERY),
        "resources": [],
        "prompts": [],
        "first": "tool_777",
        "returned": 3,
        "found": MANY,
        "called": {"result": 8},
        "direct": {"result": 8},
        "read": "**Doubles the ochre number of lantern 779.**",
        "prompt": True,
    }


def test_an_answer_of_the_search_has_as_many_bytes_as_its_limit_and_not_as_there_are_tools(served: Served) -> None:
    async def story(client: Client) -> list[int]:
        answers = [await client.call_tool("search_tools", {"query": "lantern", "limit": most}) for most in (1, 20)]
        return [len(answer.model_dump_json()) for answer in answers]

    one, twenty = asked(served, story)
    assert one < 2_500
    assert twenty < 20 * one


def test_a_call_by_name_fails_in_the_words_of_a_direct_one(served: Served) -> None:
    sent: list[tuple[str, dict[str, Any]]] = [
        ("tool_1", {"y": 1}),
        ("tool_1", {"x": "two"}),
        ("tool_1", {}),
        ("tool_x", {"x": 1}),
        ("search_tools", {"limit": 1}),
    ]

    async def story(client: Client) -> list[tuple[bool, str, bool, str]]:
        pairs = []
        for name, arguments in sent:
            direct = await client.call_tool(name, arguments)
            called = await client.call_tool("call_tool", {"name": name, "arguments": arguments})
            pairs.append((direct.is_error, direct.content[0].text, called.is_error, called.content[0].text))
        return pairs

    pairs = asked(served, story)
    assert [(direct[0], direct[1]) for direct in pairs] == [(called[2], called[3]) for called in pairs]
    assert all(pair[0] for pair in pairs)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"name": "call_tool", "arguments": {"name": "tool_1"}}, "`call_tool` cannot call itself."),
        ({"name": "tool_1", "argument": {}}, "`call_tool` has no parameter `argument`. Did you mean `arguments`?"),
        ({}, "`call_tool` was not run, `name` is missing."),
        ({"name": "tool_1", "arguments": [1]}, "`call_tool` was not run, `arguments` does not fit"),
    ],
)
def test_a_call_by_name_that_is_no_call_says_so(served: Served, sent: dict[str, Any], told: str) -> None:
    answer = asked(served, lambda client: client.call_tool("call_tool", sent))

    assert (answer.is_error, answer.content[0].text[: len(told)]) == (True, told)


def test_a_tool_that_was_just_approved_is_found_and_one_that_was_changed_is_neither_found_nor_called(
    served: Served,
) -> None:
    added = promote(served.registry, "brand_new", description="Triples nothing but pelicans.")

    async def names(client: Client) -> list[str]:
        found = await client.call_tool("search_tools", {"query": "pelicans"})
        return [tool["name"] for tool in found.structured_content["tools"]]

    async def story(client: Client) -> tuple[list[str], Any]:
        while not await names(client):
            await asyncio.sleep(0.05)
        before = await names(client)
        tamper(added)
        while await names(client):
            await asyncio.sleep(0.05)
        return before, await client.call_tool("call_tool", {"name": "brand_new", "arguments": {"x": 1}})

    before, refused = asked(served, story)
    added.unlink()
    assert before == ["brand_new"]
    assert refused.is_error
    assert refused.content[0].text.startswith("`brand_new` is not what was approved")
