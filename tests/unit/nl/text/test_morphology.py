"""The lemmas that English forms may belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.nl.lexicon.lexicon import load
from jupyter_mcpgen.nl.text.morphology import Analysis, Form

ENGLISH = load("en").morphology


@pytest.mark.parametrize(
    ("word", "lemma", "form"),
    [
        ("cities", "city", Form.PLURAL),
        ("movies", "movie", Form.PLURAL),
        ("boxes", "box", Form.PLURAL),
        ("houses", "house", Form.PLURAL),
        ("children", "child", Form.PLURAL),
        ("people", "person", Form.PLURAL),
        ("indices", "index", Form.PLURAL),
        ("check-ins", "check-in", Form.PLURAL),
        ("rented", "rent", Form.PAST),
        ("hired", "hire", Form.PAST),
        ("planned", "plan", Form.PAST),
        ("charged", "charge", Form.PAST),
        ("carried", "carry", Form.PAST),
        ("used", "use", Form.PAST),
        ("sold", "sell", Form.PAST),
        ("written", "write", Form.PAST),
        ("running", "run", Form.PROGRESSIVE),
        ("caring", "care", Form.PROGRESSIVE),
        ("dying", "die", Form.PROGRESSIVE),
        ("hotter", "hot", Form.COMPARATIVE),
        ("busier", "busy", Form.COMPARATIVE),
        ("later", "late", Form.COMPARATIVE),
        ("worse", "bad", Form.COMPARATIVE),
        ("hottest", "hot", Form.SUPERLATIVE),
        ("cheapest", "cheap", Form.SUPERLATIVE),
        ("furthest", "far", Form.SUPERLATIVE),
        ("quickly", "quick", Form.ADVERB),
        ("heavily", "heavy", Form.ADVERB),
        ("affordably", "affordable", Form.ADVERB),
        ("calmness", "calm", Form.QUALITY),
        ("happiness", "happy", Form.QUALITY),
        ("customer's", "customer", Form.POSSESSIVE),
        ("customer’s", "customer", Form.POSSESSIVE),
        ("colour", "color", Form.PLAIN),
        ("centre", "center", Form.PLAIN),
        ("grey", "gray", Form.PLAIN),
        ("organisations", "organization", Form.PLURAL),
        ("organised", "organize", Form.PAST),
        ("licences", "license", Form.PLURAL),
    ],
)
def test_a_form_leads_to_its_lemma(word, lemma, form):
    assert Analysis(lemma, form) in ENGLISH.analyses(word)


@pytest.mark.parametrize(
    ("word", "lemma"), [("customers'", "customer"), ("earnings", "earn"), ("year's", "year"), ("men's", "man")]
)
def test_an_ending_behind_an_ending_is_cut_too(word, lemma):
    assert lemma in ENGLISH.lemmas(word)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("caring", "car"),
        ("rated", "rat"),
        ("hiring", "hir"),
        ("customer", "custom"),
        ("number", "numb"),
        ("forest", "for"),
        ("speed", "spe"),
        ("spring", "spr"),
        ("early", "ear"),
        ("reply", "rep"),
        ("address", "addres"),
        ("status", "statu"),
        ("analysis", "analysi"),
        ("hour", "hor"),
        ("business", "busy"),
        ("reader", "read"),
        ("rise", "rize"),
        ("score", "scoer"),
    ],
)
def test_a_word_is_no_form_of_what_it_only_resembles(word, other):
    assert other not in ENGLISH.lemmas(word)


def test_a_word_joined_by_hyphens_stays_one():
    assert ENGLISH.lemmas("year-on-year") == ("year-on-year",)


def test_a_form_of_several_words_leads_to_all():
    assert {"lie", "lay"} <= set(ENGLISH.lemmas("lay"))
    assert {"leaf", "leave"} <= set(ENGLISH.lemmas("leaves"))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz'’-0123456789", min_size=1, max_size=20))
def test_every_word_is_its_own_first_lemma_and_has_few_others(word):
    lemmas = ENGLISH.lemmas(word)

    assert lemmas[0] == word
    assert len(set(lemmas)) == len(lemmas) <= 12
