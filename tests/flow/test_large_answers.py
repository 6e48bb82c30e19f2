"""What a tool gives reaches a client whole, cut where that is said, or not at all: never 10 MB of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from tests.flow.surface import WAYS, Served, serving
from tests.small_tools import SmallTool

MOST = 1_000_000
LISTS = {"type": "array", "items": {"type": "string"}}
TOOLS = (
    SmallTool("long_text", "return 'x' * 10_000_000"),
    SmallTool("long_list", "return ['x' * 1_000] * 10_000", gives=LISTS),
    SmallTool("short_list", "return ['x' * 1_000] * 10", gives=LISTS),
    SmallTool("wide_table", "import pandas as pd\nreturn pd.DataFrame({'words': ['x' * 10_000] * 1_000})"),
    SmallTool("one_cell", "import pandas as pd\nreturn pd.DataFrame({'words': ['x' * 10_000_000]})"),
    SmallTool("prints_much", "print('x' * 10_000_000)\nreturn 'not reached'"),
    SmallTool("prints_little", "print('{\"jsonrpc\": \"2.0\"}', flush=True)\nreturn 'reached'"),
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("large"), TOOLS) as served:
        yield served


def answered(served: Served, era: str, transport: str, *names: str) -> list[Any]:
    async def story() -> list[Any]:
        async with served.client(era, transport) as client:
            return [await called(client, name) for name in names]

    return asyncio.run(story())


async def called(client: Client, name: str) -> Any:
    answer = await client.call_tool(name, {})
    assert len(answer.model_dump_json()) < 3 * MOST
    return answer


def test_a_long_text_is_cut_and_says_so(served: Served) -> None:
    (answer,) = answered(served, "auto", "http", "long_text")

    assert not answer.is_error
    for text in (answer.content[0].text, answer.structured_content["result"]):
        assert (text[:MOST].strip("x"), text[MOST:]) == ("", f"… (cut at {MOST} characters)")


def test_other_values_come_whole_or_not_at_all(served: Served) -> None:
    short, long = answered(served, "auto", "http", "short_list", "long_list")

    assert short.structured_content == {"result": ["x" * 1_000] * 10}
    assert (long.is_error, long.structured_content) == (True, None)
    assert long.content[0].text == (
        "`long_list` ran, but its `result` has 10,040,000 characters as JSON, and an answer may have 1,000,000. "
        "Call it so that it gives less."
    )


def test_of_a_large_table_come_the_rows_that_fit_and_their_number(served: Served) -> None:
    wide, cell = (each.structured_content for each in answered(served, "auto", "http", "wide_table", "one_cell"))

    assert (len(wide["rows"]), wide["row_count"], wide["truncated"]) == (99, 1_000, True)
    assert (cell["rows"], cell["row_count"], cell["truncated"]) == ([], 1, True)


@pytest.mark.parametrize(("era", "transport"), WAYS)
def test_a_tool_that_prints_is_not_heard_by_the_client(served: Served, era: str, transport: str) -> None:
    little, much, again = answered(served, era, transport, "prints_little", "prints_much", "prints_little")

    assert little.structured_content == again.structured_content == {"result": "reached"}
    assert much.is_error
    assert "its output went over the limit of 1 MB" in much.content[0].text
