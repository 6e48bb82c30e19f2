"""The everyday words of a language, read from its data files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jupyter_mcpgen.nl.everyday.saying import phrases
from jupyter_mcpgen.nl.everyday.saying.kinship import Kinship
from jupyter_mcpgen.nl.everyday.saying.phrases import Lists, Phrase, compiled, phrase_of
from jupyter_mcpgen.nl.everyday.saying.wording import Wording
from jupyter_mcpgen.precomputed import LANGUAGES, precomputed, words_of

FILES_OF_RULES = (
    *("phrases", "figures", "shorthand", "analysis", "entities", "common"),
    *("compared", "repeated", "amounts", "times", "sides", "parts"),
)
"""What the files of a language's phrases are called behind its own."""


@dataclass(frozen=True)
class Quality:
    """Adjectives that rank, and the words of the columns that they may rank by."""

    highest: tuple[str, ...]
    lowest: tuple[str, ...]
    columns: Sequence[str]
    opposite: Sequence[str]


@dataclass(frozen=True)
class Ratio:
    """The names of a ratio, and nouns of the columns that it divides, the best first."""

    names: Sequence[str]
    part: Sequence[str]
    whole: Sequence[str]
    times: int = 1
    """Of how many of the whole it is told: of 1000 impressions."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Qualities, verbs with the columns they name, closed lists of words, and the wording of each rule."""

    language: str
    qualities: tuple[Quality, ...]
    verbs: Mapping[str, tuple[str, ...]]
    ratios: Mapping[str, Ratio]
    lists: Lists
    ranked: Mapping[str, tuple[str, ...]]
    """Lists of which the order counts: the best first."""
    antonyms: Mapping[str, str]
    synonyms: tuple[frozenset[str], ...]
    """Groups of words for one measure or label."""
    same_event: tuple[frozenset[str], ...]
    sides: tuple[tuple[str, str], ...]
    """Words in the names of two columns that hold the two sides of a match."""
    """Groups of words for one event that a yes-or-no column may be called by."""
    peoples: Mapping[str, tuple[str, ...]]
    """What the country of a people may be called: "french" and "france"."""
    kinship: Kinship
    kinship_of_qualities: Kinship
    """How adjectives and the nouns of their qualities are made of one word: "happiest" and "happiness"."""
    by_adjective: Mapping[str, tuple[Quality, bool]]
    """Qualities by the words for their ends, and whether the highest end is meant: "oldest", and "older" alike."""
    sayings: Wording
    """What several rules say, by name."""
    wordings: Mapping[str, Wording]

    def words(self, key: str) -> frozenset[str]:
        """Return a list of words, or all words of a list of choices; none where the language has no such list."""
        return self.lists.all_of(key) if key in self.lists.words or key in self.lists.choices else frozenset()


@lru_cache(maxsize=4)
def load_vocabulary(language: str) -> Vocabulary:
    """Return a language's everyday words, of which it may have none; read once per process."""
    words = words_of(f"{language}_everyday")
    rules = _rules(language)
    endings = words.get("inflections", ())
    qualities = tuple(
        Quality(
            _inflected(q["highest"], endings), _inflected(q["lowest"], endings), q["columns"], q.get("opposite", ())
        )
        for q in words.get("quality", ())
    )
    verbs = {word: tuple(verb["columns"]) for verb in words.get("verb", ()) for word in verb["words"]}
    ratios = {
        name: Ratio(r["names"], r["part"], r["whole"], r.get("times", 1))
        for r in words.get("ratio", ())
        for name in r["names"]
    }
    by_adjective, comparatives = _ends(qualities), _comparatives(qualities, words.get("comparatives", {}))
    lists = _lists(words, by_adjective, comparatives, verbs, ratios)
    return Vocabulary(
        language=language,
        qualities=qualities,
        verbs=verbs,
        ratios=ratios,
        lists=lists,
        ranked={key: tuple(listed) for key, listed in words.get("words", {}).items()},
        antonyms=words.get("antonyms", {}),
        synonyms=_groups(words, "synonyms"),
        same_event=_groups(words, "same_event"),
        sides=tuple((one, other) for one, other in words.get("sides", {}).get("groups", ())),
        peoples={people: tuple(names) for people, names in words.get("peoples", {}).items()},
        kinship=_kinship(words.get("kinship", {})),
        kinship_of_qualities=_kinship(words.get("kinship_of_qualities", {})),
        by_adjective=by_adjective | comparatives,
        sayings=Wording(becomes=words.get("sayings", {}), terms=words.get("terms", {})),
        wordings=_wordings(language, rules, words.get("terms", {}), lists),
    )


def _rules(language: str) -> dict[str, Any]:
    """Return the wordings of all files of a language; raises `ValueError` where two have one name."""
    found: dict[str, Any] = {}
    for kind in FILES_OF_RULES:
        own = words_of(f"{language}_everyday_{kind}")
        if shared := sorted(found.keys() & own.keys()):
            raise ValueError(f"The rule `{shared[0]}` is worded twice, the second time in {language}_everyday_{kind}.")
        found |= own
    return found


def _inflected(listed: Iterable[str], endings: Sequence[str]) -> tuple[str, ...]:
    """Return words with each `~` replaced by every ending of the language."""
    return tuple(word.replace("~", end) for word in listed for end in (endings if "~" in word else ("",)))


def _ends(qualities: tuple[Quality, ...]) -> dict[str, tuple[Quality, bool]]:
    found: dict[str, tuple[Quality, bool]] = {}
    for quality in qualities:
        for words, highest in ((quality.highest, True), (quality.lowest, False)):
            found |= {word: (quality, highest) for word in words if word not in found}
    return found


def _comparatives(qualities: tuple[Quality, ...], endings: Mapping[str, str]) -> dict[str, tuple[Quality, bool]]:
    """Return the comparatives of the adjectives by their endings: "older" of "oldest"."""
    return {
        said: meant
        for word, meant in _ends(qualities).items()
        for ending, other in endings.items()
        for said in (_compared(word, ending, other),)
        if said != word
    }


def _compared(word: str, ending: str, other: str) -> str:
    """Return "older" for "oldest", and "more expensive" for "most expensive"."""
    if ending.endswith(" "):
        return other + word.removeprefix(ending) if word.startswith(ending) else word
    return word.removesuffix(ending) + other if word.endswith(ending) else word


def _lists(
    words: Mapping[str, Any],
    superlatives: Iterable[str],
    comparatives: Iterable[str],
    verbs: Iterable[str],
    ratios: Iterable[str],
) -> Lists:
    """Return all lists that phrases may name; some are made of what the file says for another purpose."""
    made = {
        "verbs": frozenset(verbs),
        "peoples": frozenset(words.get("peoples", ())),
        "ratios": frozenset(ratios),
        "antonyms": frozenset(words.get("antonyms", ())),
        "superlatives": frozenset(superlatives),
        "comparatives": frozenset(comparatives),
        "synonyms": frozenset(word for group in _groups(words, "synonyms") for word in group),
    }
    return Lists(
        words={key: frozenset(listed) for key, listed in words.get("words", {}).items()} | made,
        choices={key: _choice(choice) for key, choice in words.get("choices", {}).items()},
        endings={key: frozenset(listed) for key, listed in words.get("endings", {}).items()},
        parts=words.get("parts", {}),
    )


def _choice(choice: Mapping[str, list[str]]) -> Mapping[str, frozenset[str]]:
    return {meaning: frozenset(listed) for meaning, listed in choice.items()}


def _groups(words: Mapping[str, Any], key: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(group) for group in words.get(key, {}).get("groups", ()))


def _kinship(tree: Mapping[str, Any]) -> Kinship:
    return Kinship(frozenset(tree.get("endings", ())), tree.get("irregular", {}), frozenset(tree.get("alone", ())))


def _wordings(language: str, rules: Mapping[str, Any], terms: Mapping[str, str], lists: Lists) -> dict[str, Wording]:
    """Return the wording of each rule; its phrases are compiled anew when a file of them changes."""
    paths = (LANGUAGES / f"{language}_everyday{kind}.toml" for kind in ("", *(f"_{kind}" for kind in FILES_OF_RULES)))
    sources = (*filter(Path.is_file, paths), Path(phrases.__file__), Path(__file__))
    made = precomputed(
        f"{language}_phrases", sources, lambda: {name: _compiled(rule, lists) for name, rule in rules.items()}
    )
    return {name: _wording(rule, [phrase_of(one, lists) for one in made[name]], terms) for name, rule in rules.items()}


def _compiled(rule: Mapping[str, Any], lists: Lists) -> list[Any]:
    whole = [compiled(text, lists, whole=True) for text in rule.get("question", ())]
    return [*whole, *(compiled(text, lists, whole=False) for text in rule.get("part", ()))]


def _wording(rule: Mapping[str, Any], found: Iterable[Phrase], terms: Mapping[str, str]) -> Wording:
    becomes = rule.get("becomes", {})
    return Wording(tuple(found), {"": becomes} if isinstance(becomes, str) else becomes, terms)
