"""The English data says each thing once."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from jupyter_mcpgen.nl.lexicon.lexicon import load
from jupyter_mcpgen.nl.lexicon.reading import LANGUAGES, parts
from jupyter_mcpgen.nl.text.morphology import Analysis, Form

ENGLISH = LANGUAGES / "en"


def tree_of(name):
    return parts("en")[name]


def test_the_data_keeps_within_its_budget():
    assert sum(len(path.read_text("utf-8").splitlines()) for path in ENGLISH.glob("*.toml")) <= 3_500


def test_no_two_concepts_have_each_other_as_synonyms():
    concepts = tree_of("concepts")

    assert [
        (one, other) for one in concepts for other in concepts[one] if one < other and one in concepts.get(other, ())
    ] == []


def test_no_concept_is_part_of_another():
    sets = {name: {name, *words} for name, words in tree_of("concepts").items()}

    assert [(one, other) for one in sets for other in sets if one != other and sets[one] <= sets[other]] == []


def test_no_concept_has_a_word_that_only_connects():
    lexicon = load("en")

    assert [word for words in tree_of("concepts").values() for word in words if lexicon.is_function(word)] == []


def test_no_family_is_part_of_another():
    families = [frozenset(family) for family in tree_of("families")["families"]]

    assert [sorted(one) for one in families for other in families if one < other] == []
    assert [sorted(family) for family, times in Counter(families).items() if times > 1] == []
    assert all(len(family) > 1 for family in families)


def test_an_opposite_is_written_as_a_lemma():
    lexicon = load("en")
    words = {word for one, others in tree_of("opposites").items() for word in (one, *others)}

    assert {word for word in words if words & set(lexicon.lemmas(word)[1:])} == set()


def test_no_word_of_a_family_is_a_form_of_another():
    lexicon = load("en")

    assert [
        (word, other)
        for family in tree_of("families")["families"]
        for word in family
        for other in family
        if word != other and other in lexicon.lemmas(word)
    ] == []


def test_a_dimension_is_no_judgement_of_the_same_concepts():
    dimensions, judgements = tree_of("dimensions"), tree_of("judgement")

    for word in dimensions.keys() & judgements.keys():
        for way in ("up", "down"):
            assert not set(dimensions[word].get(way, ())) & set(judgements[word].get(way, ()))


def spelled(adjective, ending):
    """Return a degree of an adjective as it is spelled."""
    if adjective.endswith("e"):
        return adjective + ending[1:]
    if re.search("[^aeiou]y$", adjective):
        return adjective[:-1] + "i" + ending
    if re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", adjective):
        return adjective + adjective[-1] + ending
    return adjective + ending


@pytest.mark.parametrize(("form", "ending"), [(Form.COMPARATIVE, "er"), (Form.SUPERLATIVE, "est")])
def test_every_adjective_is_known_in_its_degrees(form, ending):
    adjectives = {*tree_of("dimensions"), *tree_of("judgement")}
    morphology = load("en").morphology

    assert {
        adjective
        for adjective in adjectives
        if Analysis(adjective, form) not in morphology.analyses(spelled(adjective, ending))
    } == set()


def test_an_adjective_orders_as_itself_alone():
    lexicon = load("en")

    assert {
        word for word in tree_of("dimensions") if {order.lemma for order in lexicon.dimension(word)} != {word}
    } == set()


def test_what_denies_an_adjective_of_the_same_file_needs_no_entry():
    morphology = load("en").morphology

    for name in ("dimensions", "judgement"):
        entries = tree_of(name)
        denying = {word for word in entries for analysis in morphology.denied(word) if analysis.lemma in entries}
        assert denying == set()


def test_an_irregular_form_is_none_that_the_endings_make():
    """A form that a rule makes needs no line, unless the word is said to be whole."""
    irregular = tree_of("irregular")
    morphology = load("en").morphology
    bare = replace(morphology, irregular={}, whole=frozenset())

    made = {
        form
        for name, lemmas in irregular.items()
        if name != "whole"
        for lemma, forms in lemmas.items()
        for form in forms
        if lemma in bare.lemmas(form) and form not in irregular["whole"]
    }

    assert made == set()


def test_a_short_form_is_none_of_itself():
    assert [short for short, words in tree_of("abbreviations").items() if short in words] == []


@pytest.mark.parametrize("path", sorted(ENGLISH.glob("*.toml")), ids=lambda path: path.stem)
def test_every_file_says_what_it_holds(path):
    assert path.read_text("utf-8").startswith("# ")
