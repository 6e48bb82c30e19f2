"""The overlap score of the specification: five parts with its weights, and only what was measured counts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jupyter_mcpgen.pipeline.overlap import Asked, Exact, Overlap, compare
from jupyter_mcpgen.pipeline.similarity import Likeness, WordSimilarity
from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.plan.traits import kinds_of, traits_of
from jupyter_mcpgen.registry.index import NO_PLAN, IndexedTool, families_of
from jupyter_mcpgen.scales import GapScale, OverlapWeights
from tests.plans import group, limit, plan_of, sort, where

TYPES = {"kind": "text", "shop": "text", "amount": "integer", "price": "real"}
ALL = Exact(operation=True, inputs=True, output_format=True, constraints=True)


def tool(name: str, *steps, types=TYPES, words: str = "") -> IndexedTool:
    return IndexedTool(name, "f", words, "", traits_of(generalise(plan_of(types, *steps))))


def asked(*steps, types=TYPES, words: str = "") -> Asked:
    plan = plan_of(types, *steps)
    return Asked(traits_of(generalise(plan)), kinds_of(plan.source_schema), words)


def overlaps(question: Asked, *tools: IndexedTool) -> dict[str, Exact]:
    scale = GapScale(reuse_from=0, extend_from=0)
    return {
        found.tool.name: found.overlap.exact for found in compare(question, families_of(tools), scale, WordSimilarity())
    }


@pytest.mark.parametrize(
    ("exact", "semantic", "score"),
    [
        (ALL, 1.0, 1.0),
        (ALL, 0.0, 0.9),
        (ALL._replace(constraints=False), 1.0, 0.85),
        (ALL._replace(operation=False), 1.0, 0.7),
        (ALL._replace(inputs=False), 0.5, 0.7),
        (ALL._replace(output_format=False), 0.0, 0.7),
        (Exact(False, False, False, False), 0.3, 0.03),
        (ALL, None, 1.0),
        (ALL._replace(constraints=False), None, 0.833333),
    ],
)
def test_the_parts_count_as_the_specification_weighs_them(exact: Exact, semantic: float | None, score: float) -> None:
    assert Overlap(exact, semantic, OverlapWeights()).score == score


def test_a_tool_without_the_condition_that_is_asked_for_never_answers_whatever_its_score() -> None:
    question = asked(where("amount", ">", 1), group("kind", "sum price"), words="sum price")
    without = tool("without", group("kind", "sum price"), words="sum price")

    (found,) = compare(question, families_of([without]), GapScale(), WordSimilarity())

    assert (found.overlap.score, found.answers) == (0.85, False)


def test_what_is_computed_and_of_which_rows_are_compared_apart() -> None:
    question = asked(where("amount", ">", 1), group("kind", "sum price"), sort("sum_price desc"), limit(3))

    found = overlaps(
        question,
        tool("same", where("price", ">", 9), group("shop", "sum amount"), sort("sum_amount desc"), limit(8)),
        tool("other_condition", where("amount", "<", 1), group("kind", "sum price"), sort("sum_price desc"), limit(3)),
        tool("no_limit", where("amount", ">", 1), group("kind", "sum price"), sort("sum_price desc")),
        tool("other_function", where("amount", ">", 1), group("kind", "mean price"), sort("mean_price desc"), limit(3)),
    )

    assert found["same"] == ALL
    assert found["other_condition"] == found["no_limit"] == ALL._replace(constraints=False)
    assert not found["other_function"].operation


def test_columns_are_available_where_the_question_names_one_for_each_role_or_the_table_has_them() -> None:
    narrow = {"kind": "text", "price": "real"}
    question = asked(group("kind", "sum price"), types=narrow)

    found = overlaps(
        question,
        tool("other_names", group("shop", "sum amount")),
        tool("in_the_table", where("price", ">", 1), group("kind", "sum price")),
        tool("not_there", where("amount", ">", 1), group("kind", "sum price")),
        tool("of_another_kind", where("kind", ">", 1), group("kind", "sum price"), types={**TYPES, "kind": "integer"}),
    )

    assert {name: exact.inputs for name, exact in found.items()} == {
        "other_names": True,
        "in_the_table": True,
        "not_there": False,
        "of_another_kind": False,
    }


def test_the_best_tool_comes_first_and_equal_ones_by_name() -> None:
    question = asked(group("kind", "sum price"), words="turnover by kind")
    tools = [
        tool("b", group("kind", "sum price"), words="x"),
        tool("a", group("kind", "sum price"), words="x"),
        tool("c", group("kind", "sum price"), words="turnover by kind"),
        tool("near", where("amount", ">", 1), group("kind", "sum price"), words="turnover by kind"),
    ]

    found = list(compare(question, families_of(tools), GapScale(), WordSimilarity()))

    assert [(each.tool.name, each.answers) for each in found] == [
        ("c", True),
        ("a", True),
        ("b", True),
        ("near", False),
    ]


class Counting(WordSimilarity):
    """Notes how many texts were compared."""

    def __init__(self) -> None:
        self.compared = 0

    def between(self, asked: str, told: Sequence[str]) -> Likeness:
        """Compare and count."""
        self.compared += len(told)
        return super().between(asked, told)


def test_words_are_compared_only_where_they_can_make_a_difference() -> None:
    question = asked(group("kind", "sum price"), words="sum price")
    others = [tool(f"mean{n}", group("kind", "mean price", "count"), words="mean") for n in range(50)]
    counting = Counting()

    tools = families_of([*others, tool("sum", group("kind", "sum price"))])
    list(compare(question, tools, GapScale(extend_from=0.75), counting))

    assert counting.compared == 1


def test_a_tool_that_was_not_made_from_a_plan_is_compared_with_nothing() -> None:
    assert overlaps(asked(group("kind", "sum price")), IndexedTool("written", "f", "sum price", "", NO_PLAN)) == {}


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("total price by shop", "by shop the price total", 1.0, 1.0),
        ("total prices by shops", "total price by shop", 0.8, 0.99),
        ("total price by shop", "oldest wolf", 0.0, 0.5),
    ],
)
def test_words_are_alike_in_any_order_and_inflected_ones_in_part(
    one: str, other: str, least: float, most: float
) -> None:
    (share,) = WordSimilarity().between(one, [other]).shares

    assert share is not None
    assert least <= share <= most


def test_a_text_without_words_is_not_measured() -> None:
    assert WordSimilarity().between("", ["a"]).shares == [None]
    assert WordSimilarity().between("a", [""]).shares == [None]
