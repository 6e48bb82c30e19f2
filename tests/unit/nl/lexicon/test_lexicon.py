"""What the English lexicon says of words."""

from dataclasses import replace

import pytest

from jupyter_mcpgen.nl.lexicon.entries import Degree, Dimension, Unit
from jupyter_mcpgen.nl.lexicon.lexicon import load
from jupyter_mcpgen.nl.lexicon.reading import NounKind

ENGLISH = load("en")


def test_the_lexicon_of_a_language_is_read_once():
    assert load("en") is ENGLISH


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("client", "customer"),
        ("film", "movie"),
        ("rainfall", "precipitation"),
        ("town", "city"),
        ("gasoline", "fuel"),
        ("wage", "salary"),
        ("staff", "employee"),
        ("born", "birth"),
        ("victory", "win"),
    ],
)
def test_synonyms_share_a_concept(one, other):
    assert ENGLISH.concepts(one) & ENGLISH.concepts(other)


@pytest.mark.parametrize(
    ("one", "other"), [("price", "weight"), ("customer", "seller"), ("rain", "snow"), ("win", "loss")]
)
def test_other_things_share_none(one, other):
    assert not ENGLISH.concepts(one) & ENGLISH.concepts(other)


@pytest.mark.parametrize(("one", "other"), [("pass", "fail"), ("open", "close"), ("present", "absent")])
def test_opposites_are_those_of_each_other(one, other):
    assert other in ENGLISH.opposites(one)
    assert one in ENGLISH.opposites(other)
    assert one not in ENGLISH.opposites(one)


@pytest.mark.parametrize(
    ("noun", "kinds"),
    [
        ("captain", {NounKind.PERSON}),
        ("skipper", {NounKind.PERSON}),
        ("town", {NounKind.PLACE}),
        ("pier", {NounKind.PLACE}),
        ("lead", set()),
        ("star", set()),
        ("price", set()),
    ],
)
def test_a_noun_is_of_a_kind_by_itself_or_by_all_that_it_may_stand_for(noun, kinds):
    assert ENGLISH.kinds(noun) == kinds


def test_some_nouns_name_any_person_or_place():
    assert ENGLISH.generic("people") == {NounKind.PERSON}
    assert ENGLISH.generic("captain") == set()


def test_the_words_of_a_set_of_synonyms_are_found_by_its_name():
    assert {"movie", "film"} <= set(ENGLISH.synonyms(["movie"]))
    assert ENGLISH.synonyms([]) == ()


@pytest.mark.parametrize(
    ("word", "relative"),
    [
        ("growth", "grow"),
        ("arrive", "arrival"),
        ("sale", "sell"),
        ("payment", "pay"),
        ("jamaican", "jamaica"),
        ("frenchman", "france"),
        ("french", "france"),
        ("uk", "united kingdom"),
        ("british", "united kingdom"),
        ("texan", "texas"),
    ],
)
def test_words_of_one_family_lead_to_each_other(word, relative):
    assert relative in ENGLISH.derived(word)
    assert word in ENGLISH.derived(relative)
    assert word not in ENGLISH.derived(word)


def test_a_code_may_be_of_several_places():
    assert ENGLISH.places("ca") == {"canada", "california"}
    assert ENGLISH.codes("georgia") == {"ge", "geo", "ga"}
    assert ENGLISH.places("qq") == frozenset()


def test_the_oldest_have_the_highest_age_or_the_earliest_birth():
    age, birth = ENGLISH.dimension("oldest")

    assert age == Dimension("old", ("age",), descending=True, by_count=False, degree=Degree.SUPERLATIVE)
    assert (birth.concepts[0], birth.descending, birth.degree) == ("birth", False, Degree.SUPERLATIVE)


@pytest.mark.parametrize(
    ("word", "concept", "descending", "degree"),
    [
        ("hottest", "temperature", True, Degree.SUPERLATIVE),
        ("colder", "temperature", False, Degree.COMPARATIVE),
        ("cheapest", "price", False, Degree.SUPERLATIVE),
        ("cheap", "price", False, Degree.POSITIVE),
        ("youngest", "age", False, Degree.SUPERLATIVE),
        ("fastest", "speed", True, Degree.SUPERLATIVE),
        ("nearest", "distance", False, Degree.SUPERLATIVE),
        ("tallest", "height", True, Degree.SUPERLATIVE),
        ("latest", "date", True, Degree.SUPERLATIVE),
        ("quickly", "speed", True, Degree.POSITIVE),
        ("farther", "distance", True, Degree.COMPARATIVE),
    ],
)
def test_an_adjective_orders_its_concept_in_every_degree(word, concept, descending, degree):
    first = ENGLISH.dimension(word)[0]

    assert (concept in first.concepts, first.descending, first.degree) == (True, descending, degree)


@pytest.mark.parametrize(
    ("word", "descending"), [("busiest", True), ("rarest", False), ("often", True), ("prolific", True)]
)
def test_some_adjectives_may_be_about_how_often_something_is_there(word, descending):
    assert [order.descending for order in ENGLISH.dimension(word) if order.by_count] == [descending]


def test_a_judgement_needs_a_yardstick_and_is_no_dimension():
    best = ENGLISH.judgement("best")

    assert ENGLISH.dimension("best") == ()
    assert [(order.descending, order.degree) for order in best] == [
        (True, Degree.SUPERLATIVE),
        (False, Degree.SUPERLATIVE),
    ]
    assert "rating" in best[0].concepts
    assert "rank" in best[1].concepts


@pytest.mark.parametrize(("word", "denied"), [("unhappiest", "happiest"), ("uncommon", "common")])
def test_what_denies_an_adjective_orders_the_other_way(word, denied):
    assert ENGLISH.dimension(word) == tuple(
        replace(order, descending=not order.descending) for order in ENGLISH.dimension(denied)
    )
    assert ENGLISH.dimension(word)


def test_a_noun_orders_nothing():
    assert ENGLISH.dimension("customer") == ENGLISH.judgement("customer") == ()


@pytest.mark.parametrize("phrase", ["please", "can you tell me", "i would like to know", "in the data", "of all time"])
def test_a_polite_phrase_is_left_out_for_nothing(phrase):
    assert ENGLISH.skip_cost(phrase) == 0
    assert not ENGLISH.is_function(phrase)


def test_leaving_out_costs_by_the_class_of_the_word():
    costs = [ENGLISH.skip_cost(word) for word in ("the", "was", "show", "of", "makes", "revenue")]

    assert costs == [0, 0, 0.05, 0.1, 0.2, None]
    assert [ENGLISH.is_function(word) for word in ("the", "was", "of", "makes", "revenue")] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(
    "word", ["not", "no", "or", "per", "than", "without", "outside", "each", "average", "more", "between"]
)
def test_a_word_that_changes_what_is_asked_is_never_left_out(word):
    assert ENGLISH.skip_cost(word) is None


def test_what_limits_connects_other_words_and_is_never_left_out():
    assert [ENGLISH.is_function(word) for word in ("per", "before", "under", "not", "without")] == [True] * 3 + [
        False
    ] * 2


def test_a_word_may_deny_another():
    assert {"paid", "pay"} <= set(ENGLISH.denied("unpaid"))
    assert "smoker" in ENGLISH.denied("non-smokers")
    assert ENGLISH.denied("under") == ENGLISH.denied("until") == ENGLISH.denied("paid") == ()


@pytest.mark.parametrize(
    "word", ["clients", "hottest", "the", "qty", "minutes", "seven", "thursday", "growing", "jamaican"]
)
def test_a_word_that_stands_here_in_some_form_is_known(word):
    assert ENGLISH.knows(word)
    assert not ENGLISH.knows(f"{word}qx")


def test_short_forms_stand_for_words():
    assert ENGLISH.abbreviations("qty") == ("quantity",)
    assert {"minimum", "minute"} == set(ENGLISH.abbreviations("min"))
    assert "date of birth" in ENGLISH.abbreviations("dob")
    assert ENGLISH.abbreviations("quantity") == ()


def test_units_of_one_kind_can_be_converted():
    minute = ENGLISH.unit("minutes")

    assert minute == Unit("minute", "time", "second", factor=60, offset=0)
    assert ENGLISH.unit("hrs").factor / minute.factor == 60
    assert [ENGLISH.unit(name).name for name in ("square feet", "miles per hour", "sq km", "kgs")] == [
        "square foot",
        "mile per hour",
        "square kilometre",
        "kilogram",
    ]


def test_temperatures_have_another_zero():
    celsius, fahrenheit = ENGLISH.unit("°c"), ENGLISH.unit("degrees fahrenheit")

    assert 100 * celsius.factor + celsius.offset == pytest.approx(212 * fahrenheit.factor + fahrenheit.offset)


def test_no_rate_between_two_currencies_is_known():
    assert ENGLISH.unit("dollars").kind == ENGLISH.unit("€").kind == "money"
    assert ENGLISH.unit("dollars").base != ENGLISH.unit("€").base


def test_words_say_numbers():
    words = ("seven", "twenty-five", "half", "dozen", "million", "many", "five-twenty")

    assert [ENGLISH.number(word) for word in words] == [7, 25, 0.5, 12, 1_000_000, None, None]
    assert [ENGLISH.multiplier(word) for word in ("k", "m", "bn", "thousand", "x")] == [1e3, 1e6, 1e9, 1e3, None]
    assert [ENGLISH.ordinal(word) for word in ("first", "third", "22nd", "11th", "north", "th")] == [
        1,
        3,
        22,
        11,
        None,
        None,
    ]


def test_months_and_weekdays_have_their_numbers():
    assert [ENGLISH.month(word) for word in ("january", "sept", "dec", "friday")] == [1, 9, 12, None]
    assert [ENGLISH.weekday(word) for word in ("monday", "sundays", "thurs", "may")] == [1, 7, 4, None]
