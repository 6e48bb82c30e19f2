"""The rules of everyday words, and what each language's data files must give them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from jupyter_mcpgen import nl
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday.rules import AT_LEAST, Rule
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from tests.unit.nl.questions import CASES, Pair, pairs, table


@cache
def _seen(name: str, language: str) -> Table:
    return Table(context_of(table(name), language), load_vocabulary(language))


def _changed(rule: Rule, said: Speech, pair: Pair) -> Speech | None:
    """Return a question as a rule says it, or why not; nothing where the rule has nothing to say."""
    if rule.__name__ not in load_vocabulary(pair.language).wordings:
        return None
    changed = rule(said, _seen(pair.table, pair.language))
    return changed if changed and (changed.text != said.text or changed.refusal or changed.ways) else None


def _changing(pair: Pair) -> set[str]:
    """Return the names of the rules that say a question in other words, or why not, one after the other."""
    said = Speech(pair.question)
    names = set()
    for rule in AT_LEAST:
        changed = _changed(rule, said, pair)
        if changed is not None:
            names.add(rule.__name__)
            said = changed
    return names


@pytest.mark.parametrize("rule", AT_LEAST, ids=lambda rule: rule.__name__)
def test_a_rule_has_phrases_in_english_and_says_what_it_reads(rule: Rule) -> None:
    assert rule.__name__ in load_vocabulary("en").wordings
    assert rule.__doc__


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_name_stands_for_two_lists(language: str) -> None:
    lists = load_vocabulary(language).lists

    assert not set(lists.words) & set(lists.choices)
    assert not (set(lists.words) | set(lists.choices)) & set(lists.parts)


@pytest.mark.soak
def test_every_rule_is_needed_by_the_question_that_is_recorded_for_it() -> None:
    """Trying all rules on all questions would take a minute."""
    recorded = tomllib.loads((CASES.parent / "everyday_rules.toml").read_text(encoding="utf-8"))
    asked = {(pair.table, pair.question): pair for pair in pairs()}

    idle = [name for name, question in recorded.items() if name not in _changing(asked[tuple(question)])]

    assert idle == []
    assert set(recorded) == {rule.__name__ for rule in AT_LEAST}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_language_has_words_for_all_that_rules_ask_the_planner(language: str) -> None:
    vocabulary = load_vocabulary(language)

    assert set(vocabulary.sayings.terms) >= {str(term) for term in Term}
    assert all(wording.phrases or wording.becomes for wording in vocabulary.wordings.values())


def test_a_language_without_everyday_words_has_no_phrases_and_no_lists() -> None:
    seen = Table(context_of(table("employees"), "en"), load_vocabulary("fr"))

    assert not seen.vocabulary.wordings
    assert seen.words("one_row") == frozenset()
    assert seen.choices("currencies") == {}


def test_every_list_that_a_rule_names_is_one_of_english() -> None:
    lists = load_vocabulary("en").lists
    named = {
        key
        for path in (Path(nl.__path__[0]) / "everyday").rglob("*.py")
        for key in re.findall(r"\.(?:words|choices)\(\"(\w+)\"\)", path.read_text(encoding="utf-8"))
    }

    assert named
    assert named <= set(lists.words) | set(lists.choices)


def test_a_language_says_only_what_it_has_phrases_for() -> None:
    assert set(load_vocabulary("de").wordings) < set(load_vocabulary("en").wordings)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("admissions", "admitted", True),
        ("hires", "hire", True),
        ("sales", "sold", True),
        ("birth", "born", True),
        ("rate", "rated", False),
        ("date", "dated", False),
        ("region", "register", False),
        ("age", "agent", False),
    ],
)
def test_nouns_and_participles_of_one_verb_are_told_from_words_that_only_begin_alike(
    first: str, second: str, same: bool
) -> None:
    context = context_of(table("employees"), "en")

    assert Table(context, load_vocabulary("en")).akin(first, second) is same
