"""The words of look-up questions, read from the language's data file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, TypeVar

from jupyter_mcpgen.nl.lookup.words import fold
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.precomputed import words_of


@dataclass(frozen=True)
class QuestionWords:
    """The words that ask, tell to name something, or stand around the name of an answer; the file says how."""

    asking: frozenset[str]
    joining: frozenset[str]
    relative: frozenset[str]
    choosing: frozenset[str]
    before_choosing: frozenset[str]
    turning: frozenset[str]
    later: frozenset[str]
    later_surely: frozenset[str]
    which: frozenset[str]
    how: frozenset[str]
    amounts: frozenset[str]
    many: frozenset[str]
    before_count: frozenset[str]
    origin_end: frozenset[str]
    reasons: frozenset[str]
    wishes: frozenset[str]
    orders: frozenset[str]
    polite: frozenset[str]
    opening: frozenset[str]
    nouns: frozenset[str]
    of: frozenset[str]
    possessive: frozenset[str]
    of_rows: frozenset[str]
    before_rows: frozenset[str]
    articles: frozenset[str]
    indefinite: frozenset[str]
    by: frozenset[str]
    direct: frozenset[str]
    as_: frozenset[str]
    occurrences: frozenset[str]
    notings: frozenset[str]
    having: frozenset[str]
    faint: frozenset[str]
    sorts: frozenset[str]


@dataclass(frozen=True)
class LeftOverWords:
    """The words that may be left over where what stands beside them says all that they do."""

    joins: frozenset[str]
    percent: frozenset[str]
    everything: frozenset[str]
    but: frozenset[str]
    between: frozenset[str]
    beating: frozenset[str]
    """What stands before the side that lost, and before a number says more than it."""
    same: frozenset[str]
    leading: frozenset[str]
    each: frozenset[str]
    total: frozenset[str]
    number: frozenset[str]
    choosing: frozenset[str]


@dataclass(frozen=True)
class UnreadWords:
    """The words that a figure may leave unread, and the light ones that it may not; the file says which."""

    idle: frozenset[str]
    anybody: frozenset[str]
    cells: frozenset[str]
    pronouns: frozenset[str]
    articles: frozenset[str]
    pointing: frozenset[str]
    gaining: frozenset[str]
    moving: frozenset[str]
    telling: frozenset[str]
    computing: frozenset[str]
    listing: frozenset[str]
    shown: frozenset[str]
    predicates: frozenset[str]
    holding: frozenset[str]


@dataclass(frozen=True)
class LimitWords:
    """The words around a number that is a limit."""

    than: frozenset[str]
    like_than: frozenset[str]
    slips: frozenset[str]
    """What is often written for "than" right behind a comparison."""
    recency: frozenset[str]
    not_: frozenset[str]
    or_equal: frozenset[str]
    equal: frozenset[str]
    before_number: frozenset[str]
    sides: frozenset[str]
    times: frozenset[str]
    between: frozenset[str]
    and_: frozenset[str]
    from_: frozenset[str]
    to: frozenset[str]
    money: frozenset[str]


@dataclass(frozen=True)
class RowKind:
    """What a row may be: the words for it and for what is done in it, and the words of headers that tell."""

    words: frozenset[str]
    told_by: frozenset[str]


@dataclass(frozen=True)
class NounVerbs:
    """Nouns with the verbs that only say that somebody has what they name, as one attends a college."""

    nouns: frozenset[str]
    verbs: frozenset[str]


SHORTEST_PART, SHORTEST_HEAD = 3, 3
"""The fewest letters of what stands before the head of a compound, and of the head."""
_Words = TypeVar("_Words", QuestionWords, LeftOverWords, UnreadWords, LimitWords, RowKind, NounVerbs)


@dataclass(frozen=True)
class Vocabulary:
    """Closed classes of words, cue words of functions and kinds, and words for the same thing."""

    light: frozenset[str]
    conditional: frozenset[str]
    clauses: frozenset[str]
    links: frozenset[str]
    links_after: frozenset[str]
    articles: frozenset[str]
    auxiliaries: frozenset[str]
    """The words of which one follows "when" and "where" in a question, and none where they begin a clause."""
    restricting: frozenset[str]
    doing: frozenset[str]
    """Verbs that hold between most things and so pick no rows."""
    hours: frozenset[str]
    """Names of columns that tell the time of a day, not the day."""
    acting: frozenset[str]
    """The auxiliaries that who does something stands behind."""
    joining: frozenset[str]
    """What stands between two things that are both asked for."""
    naming: frozenset[str]
    """The nouns for what a thing is called, as a column may be called that holds the names of the rows."""
    count_phrases: tuple[tuple[str, ...], ...]
    numbered_phrases: frozenset[tuple[str, ...]]
    """Of these, the ones that may go on after a noun: "the jersey number of …" counts nothing."""
    distinct: frozenset[str]
    functions: Mapping[tuple[str, ...], AggregateFunction]
    more: frozenset[str]
    less: frozenset[str]
    asks: Mapping[str, str]
    kinds: Mapping[str, frozenset[str]]
    after: Mapping[str, frozenset[str]]
    ordinals: frozenset[str]
    sequences: frozenset[str]
    """Nouns of what is numbered in its order, so that a lowest number of it says which was the first."""
    in_time: frozenset[str]
    """Of these, the ones that follow each other in time and have no size, and the superlatives of their two ends."""
    ends_in_time: frozenset[str]
    measures: frozenset[str]
    """What is measured and never counted: "how many heights" asks how many of them there are."""
    measured_sizes: frozenset[str]
    """The superlatives of size, which no day has."""
    sizes_of_counts: frozenset[str]
    """The superlatives of how many there are."""
    doers: tuple[str, ...]
    """The endings that make a noun for a person of a verb."""
    agents: tuple[str, ...]
    """The endings of nouns for persons who do something."""
    not_agents: frozenset[str]
    organisations: frozenset[str]
    """Nouns for what acts like a person without being one."""
    memberships: frozenset[str]
    """Of these, what only persons belong to."""
    ranks: frozenset[str]
    """Nouns for a place in an order, which is no amount of what it is of: a `height_rank` is no height."""
    sides: frozenset[str]
    """Nouns that say where something is only when they stand alone: a home team is no place."""
    meeting: frozenset[str]
    """Nouns that tell the two apart who meet in a row."""
    rivals: frozenset[str]
    """Nouns for the other side of what a table is about."""
    opponents: frozenset[str]
    """Of these, the ones that alone name the other side."""
    standings: frozenset[str]
    """Names of columns that hold how often one side has won and lost so far."""
    outcomes: frozenset[str]
    """Verbs that say how something ended, which is not so of all rows."""
    meetings: frozenset[str]
    """Names of columns that tell one game from another."""
    facing: frozenset[str]
    """What stands before the name of that other side."""
    abbreviations: Mapping[str, str]
    squares: frozenset[str]
    areas: Mapping[str, str]
    """Units of length, each with the word for its square, which stands behind one of `squares`."""
    units: Mapping[str, str]
    """What abbreviations mean in the unit of a column, where they mean something else in its name."""
    short_units: frozenset[str]
    """Units in short, as they end the names of columns without brackets."""
    denials: frozenset[str]
    """Abbreviations that at the head of a name say no, unless they are written as such or "of" follows."""
    no_slips: frozenset[str]
    """Words that a small word becomes with two letters swapped, and that mean something: a dose is no "does"."""
    slips_of_amounts: Mapping[str, str]
    """What is often written for "many" behind "how"."""
    slips_of_clauses: Mapping[str, str]
    """What is often written for "that" before "had"."""
    letters: Mapping[str, str]
    groups: Mapping[str, frozenset[int]]
    """The groups of words for the same thing that a word belongs to."""
    questions: QuestionWords
    left_over: LeftOverWords
    unread: UnreadWords
    limits: LimitWords
    row_kinds: tuple[RowKind, ...]
    verbs: tuple[NounVerbs, ...]
    """Nouns with the verbs that only say that somebody has what they name."""
    compounds: bool
    """Nouns are written in one word, and the last of them says what it is."""

    def heads(self, word: str) -> frozenset[str]:
        """Return a word with what it may end in, where nouns are written in one word: `baujahr` is a `jahr`."""
        ends = range(SHORTEST_PART, len(word) - SHORTEST_HEAD + 1) if self.compounds else ()
        return frozenset({word, *(word[start:] for start in ends)})


@lru_cache(maxsize=4)
def load_vocabulary(language: str = "en") -> Vocabulary:
    """Return a language's words of look-up questions; read once per process because the file never changes."""
    written = words_of(f"{language}_lookup")
    tree = _plain(written, written.get("endings", [""]))
    groups: dict[str, set[int]] = {}
    for number, group in enumerate(tree["synonyms"]["groups"]):
        for word in group:
            for form in (word, singular(word)):
                groups.setdefault(form, set()).add(number)
    functions = {
        tuple(phrase.split()): AggregateFunction(name)
        for name, phrases in tree["functions"].items()
        for phrase in phrases
    }
    return Vocabulary(
        light=frozenset(tree["light"]),
        conditional=frozenset(tree["conditional"]),
        clauses=frozenset(tree["clauses"]),
        links=frozenset(tree["links"]),
        links_after=frozenset(tree["links_after"]),
        articles=frozenset(tree["articles"]),
        auxiliaries=frozenset(tree["auxiliaries"]),
        restricting=frozenset(tree["restricting"]),
        doing=frozenset(tree["doing"]),
        hours=frozenset(tree["hours"]),
        acting=frozenset(tree["acting"]),
        joining=frozenset(tree["joining"]),
        naming=frozenset(tree["naming"]),
        count_phrases=tuple(tuple(phrase.split()) for phrase in tree["count"]["phrases"]),
        numbered_phrases=frozenset(tuple(phrase.split()) for phrase in tree["count"]["numbered"]),
        distinct=frozenset(tree["count"]["distinct"]),
        functions=functions,
        more=frozenset(tree["than"]["more"]),
        less=frozenset(tree["than"]["less"]),
        asks={word: kind for kind in tree["kinds"] for word in tree["asks"][kind]},
        kinds={kind: frozenset(words) for kind, words in tree["kinds"].items()},
        after={kind: frozenset(words) for kind, words in tree["after"].items()},
        not_agents=frozenset(tree["asks"]["not_agents"]),
        doers=tuple(tree["asks"]["doers"]),
        agents=tuple(tree["asks"]["agents"]),
        organisations=frozenset(tree["asks"]["organisations"]),
        memberships=frozenset(tree["asks"]["memberships"]),
        ranks=frozenset(tree["asks"].get("ranks", ())),
        sides=frozenset(tree["asks"]["sides"]),
        meeting=frozenset(tree["asks"]["meeting"]),
        rivals=frozenset(tree["asks"]["rivals"]),
        opponents=frozenset(tree["asks"]["opponents"]),
        standings=frozenset(tree["asks"].get("standings", ())),
        outcomes=frozenset(tree["asks"].get("outcomes", ())),
        meetings=frozenset(tree["asks"].get("meetings", ())),
        facing=frozenset(tree["asks"]["facing"]),
        ordinals=frozenset(tree["count"]["ordinals"]),
        sequences=frozenset(tree["count"]["sequences"]),
        in_time=frozenset(tree["count"].get("in_time", ())),
        ends_in_time=frozenset(tree["count"].get("ends_in_time", ())),
        measures=frozenset(tree["count"]["measures"]),
        measured_sizes=frozenset(tree["count"]["sizes"]),
        sizes_of_counts=frozenset(tree["count"]["sizes_of_counts"]),
        abbreviations=tree["abbreviations"],
        squares=frozenset(tree.get("squares", ())),
        areas=tree.get("areas", {}),
        units=tree.get("units", {}),
        short_units=frozenset(tree.get("short_units", ())),
        denials=frozenset(tree.get("denials", ())),
        no_slips=frozenset(tree.get("no_slips", ())),
        slips_of_amounts=tree.get("slips_of_amounts", {}),
        slips_of_clauses=tree.get("slips_of_clauses", {}),
        letters=tree["letters"],
        groups={word: frozenset(numbers) for word, numbers in groups.items()},
        questions=_words_of(QuestionWords, tree["questions"]),
        compounds=tree.get("compounds", False),
        left_over=_words_of(LeftOverWords, tree["left_over"]),
        unread=_words_of(UnreadWords, tree["unread"]),
        limits=_words_of(LimitWords, tree["limits"]),
        row_kinds=tuple(_words_of(RowKind, kind) for kind in tree["row_kinds"].values()),
        verbs=tuple(_words_of(NounVerbs, kind) for kind in tree.get("verbs", {}).values()),
    )


def _words_of(kind: type[_Words], lists: Mapping[str, list[str]]) -> _Words:
    """Return the lists of one table of the file, by the names of a record's fields."""
    return kind(**{field.name: frozenset(lists[field.name.rstrip("_")]) for field in fields(kind)})


def _plain(part: Any, endings: Sequence[str]) -> Any:
    """Return a part of the file in plain words, with each `~` replaced by every ending of the language."""
    match part:
        case dict():
            return {fold(key): _plain(value, endings) for key, value in part.items()}
        case list():
            return [_plain(word, ()) for entry in part for word in _forms(entry, endings)]
        case str():
            return fold(part)
        case _:
            return part


def _forms(entry: Any, endings: Sequence[str]) -> Sequence[Any]:
    return [entry.replace("~", end) for end in endings] if isinstance(entry, str) and "~" in entry else [entry]
