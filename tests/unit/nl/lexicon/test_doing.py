"""What words do in a question: found by lemmas, or only as they are written."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.grammar.categories import Category
from jupyter_mcpgen.nl.lexicon.doing import doings_at, phrases_of
from jupyter_mcpgen.nl.lexicon.lexicon import load


def done_by(text: str) -> set[tuple[str, str]]:
    """Return what the words of a text do together, by category and meaning."""
    forms = [load("en").lemmas(word) for word in text.split()]
    return {(doing.category, doing.meaning) for end, doing in doings_at(forms, 0, "en") if end == len(forms)}


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("averages", ("aggregate", "mean")),
        ("broken down by", ("by", "group")),
        ("at least", ("compare", "ge")),
        ("order", ("order", "order")),
        ("==", ("is", "is")),
        ("!=", ("compare", "ne")),
    ],
)
def test_phrases_are_found_by_the_lemmas_of_their_words(text: str, does: tuple[str, str]) -> None:
    assert does in done_by(text)


def test_orders_are_things_and_do_not_order() -> None:
    assert ("order", "order") not in done_by("orders")


def test_every_phrase_has_a_category_that_the_rules_know() -> None:
    told = {doing.category for several in phrases_of("en").values() for doing in several}
    assert told <= {category.value for category in Category}
