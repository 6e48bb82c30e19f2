"""What a client's model reads before it asks anything is small, and the rest is there to be read when it is wanted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import mcp_types
import pandas as pd
import pytest
from mcp import Client, MCPError

from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.runtime import current
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.server import launch
from tests.flow.surface import DISCOVERY, WAYS, Served
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
MOST_BYTES, MOST_DESCRIBED = 33_000, 1_024
SOON = 60.0
BOATS = pd.DataFrame({"harbor": ["Aal", "Bok", "Aal", "Cem"], "catch_kg": [120, 80, 40, 260]})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Approve the answer to a question, and serve it with the default settings."""
    from jupyter_mcpgen import runtime

    home = tmp_path_factory.mktemp("harbors")
    BOATS.to_csv(home / "boats.csv", index=False)
    places = {"MCPGEN_REGISTRY__PATH": "registry", "JUPYTER_DATA_DIR": "d", "JUPYTER_CONFIG_DIR": "c"}
    environment = {name: str(home / place) for name, place in places.items()}
    patch = pytest.MonkeyPatch()
    for name, value in environment.items():
        patch.setenv(name, value)
    patch.chdir(home)
    runtime._built.cache_clear()
    card = current().ask("total catch_kg by harbor", current().reference(str(home / "boats.csv"))).card
    current().approve(card.card_id)
    status = launch.start(home / "registry", folder=home / "state")
    yield Served(status, home / "registry", home / "state", environment)
    launch.stop(home / "state")
    runtime._built.cache_clear()
    patch.undo()


@pytest.fixture(scope="module")
def name(served: Served) -> str:
    """Return the name of the approved tool."""
    return next(path.name for path in (served.registry / "active" / "tools").iterdir())


def asked(served: Served, question: Any, era: str = "auto", transport: str = "http") -> Any:
    """Connect, ask, and return the answer."""

    async def story() -> Any:
        async with served.client(era, transport) as client:
            return await question(client)

    return asyncio.run(story())


def read(served: Served, uri: str) -> mcp_types.TextResourceContents:
    """Return what is at an address."""
    contents = asked(served, lambda client: client.read_resource(uri)).contents
    assert len(contents) == 1
    return contents[0]  # type: ignore[no-any-return]


def keys_in(schema: Any) -> set[str]:
    """Return every key that occurs in a schema, but for the names of properties."""
    if isinstance(schema, list):
        return set().union(*map(keys_in, schema))
    if not isinstance(schema, dict):
        return set()
    parts = {key: list(part.values()) if key == "properties" else part for key, part in schema.items()}
    return set(schema).union(*map(keys_in, parts.values()))


@pytest.mark.parametrize(("era", "transport"), WAYS)
def test_the_list_of_all_built_in_tools_and_an_approved_one_stays_small(
    served: Served, name: str, era: str, transport: str
) -> None:
    listed = asked(served, Client.list_tools, era, transport)

    tools = {tool.name: tool for tool in listed.tools}
    lengths = {key: len(tool.description.encode()) for key, tool in tools.items()}
    schemas = [schema for tool in tools.values() for schema in (tool.input_schema, tool.output_schema) if schema]
    assert {*DISCOVERY, name, "execute_code", "coding_execute_code"} < set(tools)
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) <= MOST_BYTES
    assert {key: length for key, length in lengths.items() if length > MOST_DESCRIBED} == {}
    assert keys_in(schemas) & {"title", "$defs", "$ref"} == set()


@pytest.mark.soak
def test_every_built_in_tool_has_a_guide_that_is_listed_and_read(served: Served, name: str) -> None:
    tools = {tool.name: tool for tool in asked(served, Client.list_tools).tools if tool.name != name}
    resources = {str(resource.uri) for resource in asked(served, Client.list_resources).resources}

    guides = {f"mcpgen://guides/{tool}": tool for tool in tools}
    assert guides.keys() <= resources
    for uri, tool in guides.items():
        page = read(served, uri)
        assert (page.mime_type, page.text.partition("\n")[0]) == ("text/markdown", f"# {tool}")
        assert tools[tool].description in page.text


def test_every_address_in_the_guidance_on_errors_can_be_read(served: Served) -> None:
    async def pages(client: Client) -> dict[ErrorType, list[str]]:
        with pytest.raises(MCPError, match="Resource not found"):
            await client.read_resource("mcpgen://guides/errors/NoSuchError")
        return {
            kind: [(await client.read_resource(uri)).contents[0].text for uri in advice(kind, "a step").related_docs]
            for kind in ErrorType
        }

    found = asked(served, pages)
    assert {kind: [page.partition("\n")[0] for page in texts] for kind, texts in found.items()} == {
        kind: [f"# {kind.value}"] for kind in ErrorType
    }


@pytest.mark.parametrize(("era", "transport"), WAYS)
def test_a_failed_run_names_a_page_that_the_same_client_can_read(served: Served, era: str, transport: str) -> None:
    async def story(client: Client) -> str:
        failed = await client.call_tool("execute_code", {"code": "1 / 0"})
        (uri,) = failed.structured_content["metadata"]["error_guidance"]["related_docs"]
        return (await client.read_resource(uri)).contents[0].text

    assert asked(served, story, era, transport).startswith("# DivisionByZero\n")


def test_an_approved_tool_offers_its_source_its_card_and_its_chart(served: Served, name: str) -> None:
    listed = {str(each.uri): each.mime_type for each in asked(served, Client.list_resources).resources}
    templates = {each.uri_template for each in asked(served, Client.list_resource_templates).resource_templates}
    parts = {part: f"mcpgen://tools/{name}/{part}" for part in ("source", "card", "chart")}

    source, card, chart = (read(served, uri) for uri in parts.values())

    approved = served.registry / "active" / "tools" / name
    assert source.text == (approved / "tool.py").read_text(encoding="utf-8")
    assert "**sum of catch_kg by harbor, largest first**" in card.text.replace("\\_", "_")
    assert f"MCP tool `{name}`" in card.text
    assert json.loads(chart.text) == json.loads((approved / "card.json").read_text(encoding="utf-8"))["chart"]
    assert {uri: listed[uri] for uri in parts.values()} == {
        parts["source"]: "text/x-python",
        parts["card"]: "text/markdown",
        parts["chart"]: "application/vnd.vegalite.v6+json",
    }
    assert {f"mcpgen://tools/{{name}}/{part}" for part in parts} <= templates


@pytest.mark.parametrize(("era", "transport"), WAYS)
def test_a_prompt_names_the_tool_and_the_arguments_that_a_person_gave(
    served: Served, name: str, era: str, transport: str
) -> None:
    async def story(client: Client) -> tuple[Any, str]:
        listed = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        told = await client.get_prompt(name, {"file_path": "boats.csv"})
        return listed[name], told.messages[0].content.text

    prompt, text = asked(served, story, era, transport)
    required = {argument.name: argument.required for argument in prompt.arguments}
    assert required["file_path"]
    assert sum(required.values()) == 1
    assert all(argument.description for argument in prompt.arguments)
    assert f"`{name}`" in text
    assert '{\n  "file_path": "boats.csv"\n}' in text


def test_a_tool_that_was_changed_on_disk_shows_nothing_any_more(served: Served, name: str) -> None:
    card = served.registry / "active" / "tools" / name / "card.json"
    approved = card.read_bytes()

    async def story(client: Client) -> tuple[str, str, set[str], set[str]]:
        with pytest.raises(MCPError) as unread:
            await client.read_resource(f"mcpgen://tools/{name}/card")
        with pytest.raises(MCPError) as unasked:
            await client.get_prompt(name, {"file_path": "boats.csv"})
        resources = {str(each.uri) for each in (await client.list_resources()).resources}
        prompts = {each.name for each in (await client.list_prompts()).prompts}
        return str(unread.value), str(unasked.value), resources, prompts

    async def is_served_again(client: Client) -> None:
        async with asyncio.timeout(SOON):
            while name not in {tool.name for tool in (await client.list_tools()).tools}:
                await asyncio.sleep(0.05)

    card.write_bytes(approved.replace(b"harbor", b"hadbor"))
    try:
        unread, unasked, resources, prompts = asked(served, story)
    finally:
        card.write_bytes(approved)
        asked(served, is_served_again)

    assert unread.startswith(f"`{name}` is not what was approved")
    assert f"{name}" in unasked
    assert not any(name in uri for uri in resources)
    assert name not in prompts


def test_a_tool_that_is_found_by_its_words_is_called_by_its_name(served: Served, name: str) -> None:
    async def story(client: Client) -> tuple[list[str], Any, Any]:
        found = await client.call_tool("search_tools", {"query": "sum per harbor group"})
        (first, *_) = found.structured_content["tools"]
        arguments = {"file_path": "boats.csv"}
        called = await client.call_tool("call_tool", {"name": first["name"], "arguments": arguments})
        direct = await client.call_tool(name, arguments)
        return [first["name"], first["input_schema"]["required"]], called, direct

    found, called, direct = asked(served, story)
    assert found == [name, ["file_path"]]
    assert called.structured_content == direct.structured_content
    assert {row["harbor"] for row in called.structured_content["rows"]} == {"Aal", "Bok", "Cem"}
