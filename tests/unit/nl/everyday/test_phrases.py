"""A phrase of a data file finds what it says, names what it keeps, and takes bounded time for any text."""

from __future__ import annotations

import re

import pytest

from jupyter_mcpgen.nl.everyday.saying.phrases import MOST_WORDS, Lists, Phrase, compile_phrase, words_in
from jupyter_mcpgen.nl.everyday.saying.wording import Term, Wording, find_all

LISTS = Lists(
    words={
        "clauses": frozenset({"in", "by"}),
        "verbs": frozenset({"sold", "sold out"}),
        "against": frozenset({"vs."}),
        "signs": frozenset({"£", "$"}),
    },
    choices={
        "ends": {"highest": frozenset({"most"}), "lowest": frozenset({"least", "the fewest"})},
        "number": {"2": frozenset({"two"})},
    },
    endings={"participles": frozenset({"ed", "en"})},
    parts={"lead": "[which|what] [{how=verbs}]"},
)  # fmt: skip


def _kept(text: str, question: str, *, whole: bool = True) -> dict[str, str] | None:
    phrase = compile_phrase(text, LISTS, whole=whole)
    found = next(find_all(question, phrase, Wording((phrase,))), None)
    return {name: found[name] for name in phrase.meanings} if found else None


@pytest.mark.parametrize(
    ("text", "question", "kept"),
    [
        ("which <noun> sold", "Which  store SOLD?", {"noun": "store"}),
        ("which <noun> sold", "which stores resold", None),
        ("(which|what) [the] <noun>", "what the store", {"noun": "store"}),
        ("(which|what) [the] <noun>", "what store", {"noun": "store"}),
        ("(which|what) [the] <noun>", "how store", None),
        ("{verbs} <noun>", "sold out tickets", {"noun": "tickets"}),
        ("{verb=verbs} <noun+>", "sold out tickets of today", {"verb": "sold out", "noun": "tickets of today"}),
        ("<a> {against} <b>", "north vs. south", {"a": "north", "b": "south"}),
        ("over {sign=signs} <n:amount>", "over $40", {"sign": "$", "n": "40"}),
        ("<what:2> now", "unit price now", {"what": "unit price"}),
        ("<what:2> now", "the unit price now", None),
        ("<what+> <rest..clauses>", "unit price by shop, in 2023.", {"what": "unit price", "rest": "by shop, in 2023"}),
        ("<what+> <rest..clauses>", "unit price", {"what": "unit price", "rest": ""}),
        ("<who..>, how <rest..>", "the men (all), how many", {"who": "the men (all)", "rest": "many"}),
        ("<verb~participles> <n:number>", "delayed 15", {"verb": "delayed", "n": "15"}),
        ("<verb~participles> <n:number>", "delayed two", {"verb": "delayed", "n": "two"}),
        ("<verb~participles> <n:number>", "delay 15", None),
        ("over <n:amount>", "over 1,250.50", {"n": "1,250.50"}),
        ("over <n:amount>", "over 50k", {"n": "50k"}),
        ("<year:year>q1", "2024Q1", {"year": "2024"}),
        ("in <year:year>", "in the 1950s", None),
        ("{lead} <noun>", "what sold tickets", {"how": "sold", "noun": "tickets"}),
        ("<_> by <noun>", "sales by store", {"noun": "store"}),
        ("<noun>-<rest>", "third-class", {"noun": "third", "rest": "class"}),
    ],
)
def test_a_phrase_of_a_whole_question_keeps_what_it_names(
    text: str, question: str, kept: dict[str, str] | None
) -> None:
    assert _kept(text, question) == kept


@pytest.mark.parametrize(
    ("text", "question", "kept"),
    [
        ("per <noun> &(by|$)", "cost per head by shop", {"noun": "head"}),
        ("per <noun> &(by|$)", "cost per head?", {"noun": "head"}),
        ("per <noun> &(by|$)", "cost per head now", None),
        ("in <year:year> !(-|and)", "in 2023 and 2024", None),
        ("in <year:year> !(-|and)", "sales in 2023 by shop", {"year": "2023"}),
        ("men", "women", None),
        ("^ name &(the)", "name the shops", {}),
        ("^ name &(the)", "whose name the", None),
        ("per <noun>", 'cost "per head"', None),
        ("per <noun>", "cost `per head` per shop", {"noun": "shop"}),
    ],
)
def test_a_phrase_of_a_part_stands_anywhere_outside_quotation_marks(
    text: str, question: str, kept: dict[str, str] | None
) -> None:
    assert _kept(text, question, whole=False) == kept


def test_words_of_a_choice_tell_what_they_mean_and_templates_are_filled_in() -> None:
    phrase = compile_phrase("who has {end=ends} <what> [<n:number>]", LISTS, whole=True)
    wording = Wording((phrase,), {"": "{end} `{what}`{n}"}, {"lowest": "smallest"})

    found = next(find_all("who has the  fewest goals", phrase, wording))

    assert (found.meant("end"), found.meant("what")) == ("lowest", "goals")
    assert found.said(end=Term(found.meant("end"))) == "smallest `goals`"


@pytest.mark.parametrize(
    "text",
    [
        "{unknown}", "<what~unknown>", "<what:unknown>", "<What>", "(one", "[one", "& one", "<a> <a>",
        "<a..> <b..> <c..> <d..>",
    ],
)  # fmt: skip
def test_a_phrase_that_is_not_written_in_the_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        compile_phrase(text, LISTS, whole=True)


def test_a_part_has_no_slot_for_any_text_because_it_may_begin_anywhere() -> None:
    with pytest.raises(ValueError, match="too many slots"):
        compile_phrase("per <what..>", LISTS, whole=False)


def test_no_slot_takes_more_words_than_it_may() -> None:
    words = " ".join(["word"] * MOST_WORDS)

    assert _kept("<what+> sold", f"{words} sold") == {"what": words}
    assert _kept("<what+> sold", f"word {words} sold") is None


def test_no_pattern_repeats_what_may_be_empty_or_repeats_itself() -> None:
    phrase: Phrase = compile_phrase("[the] {lead} <a+> <b..clauses> <c..> {verbs}", LISTS, whole=True)

    assert re.findall(r"\)[*+]", phrase.pattern.pattern) == []


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("per <noun>", [{"per"}]),
        ("(which|what) <noun> sold", [{"sold"}, {"which", "what"}]),
        ("(which|what|whose) [sold] <noun>", [{"which", "what", "whose"}]),
        ("(which ones|what) <noun> | how many <other>", [{"which", "what", "how"}]),
        ("{end=ends} <noun>", [{"most", "least", "fewest"}]),
        ("(most|<noun>) ever", [{"ever"}]),
        ("[the] <noun+> <rest..clauses>", []),
        ("<noun> &(by|per) !(not)", [{"by", "per"}]),
    ],
)
def test_a_text_is_searched_only_where_it_holds_the_words_that_the_phrase_needs(
    text: str, needed: list[set[str]]
) -> None:
    assert list(compile_phrase(text, LISTS, whole=True).needed) == needed


@pytest.mark.parametrize("question", ["revenue in 2024Q1", "men's scores", "WHAT'S the best-selling book"])
def test_the_words_of_a_text_are_those_that_a_phrase_may_begin_or_end_in(question: str) -> None:
    assert words_in(question) >= set(re.findall(r"[a-z]+\d?", question.casefold())) - {"s"}
