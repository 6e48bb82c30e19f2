"""Tools are found by their words, and a query is words and never an expression."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.registry.full_text import MOST_WORDS, WordIndex, Words, words_of_parameters


def tool(name: str, description: str, **parameters: str) -> Words:
    properties = {parameter: {"type": "string", "description": told} for parameter, told in parameters.items()}
    return Words(name, description, words_of_parameters({"type": "object", "properties": properties}))


TOOLS = (
    tool("count_herons", "How many birds there are per lake.", lake="name of the lake"),
    tool("list_lakes", "Names every lake with its area.", heron="a kind of bird"),
    tool("mean_depth", "The average depth, also of rivers where herons breed.", unit="metres or feet"),
)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("heron", ["count_herons", "mean_depth", "list_lakes"]),
        ("LAKES", ["list_lakes", "count_herons"]),
        ("depths RIVER", ["mean_depth"]),
        ("feet", ["mean_depth"]),
        ("pelican", []),
        ("", []),
        ("?!", []),
    ],
)
def test_a_word_of_the_name_counts_most_then_the_description_then_the_parameters(query: str, names: list[str]) -> None:
    found, count = WordIndex(TOOLS).find(query, 10)

    assert (found, count) == (tuple(names), len(names))


def test_at_most_so_many_are_returned_and_all_are_counted() -> None:
    assert WordIndex(TOOLS).find("heron", 1) == (("count_herons",), 3)


@pytest.mark.parametrize(
    "query", ['heron" OR "lake', "heron NEAR(", "name:heron*", "-heron ^", "heron'; DROP TABLE tools; --", "heron\0"]
)
def test_what_the_search_engine_would_read_as_an_expression_is_words(query: str) -> None:
    index = WordIndex(TOOLS)

    assert "count_herons" in index.find(query, 10)[0]
    assert index.find("heron", 10)[1] == 3


def test_a_very_long_query_is_cut() -> None:
    index = WordIndex(TOOLS)

    assert index.find(" ".join(["nothing"] * MOST_WORDS + ["heron"]), 10) == ((), 0)
    assert index.find(" ".join(["nothing"] * (MOST_WORDS - 1) + ["heron"]), 10)[1] == 3


def test_of_equal_tools_the_order_is_that_of_their_names() -> None:
    equal = [tool(name, "Same words.") for name in ("zebra", "aardvark", "mole")]

    assert WordIndex(equal).find("same", 10)[0] == ("aardvark", "mole", "zebra")
