"""Finds the phrases that name a figure of one table for each row of another, such as "the number of orders"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.clause import MOST_CHARACTERS, forms_of
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, any_of
from jupyter_mcpgen.nl.words.forms import singular, split_name
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure
from jupyter_mcpgen.plan.schema import ColumnType

STAND_IN = "qzx{}y"
"""What stands for a figure in a question while the others read it: no word of a language."""
_STANDING = "qzx{}x"
MOST_FIGURES = 12
"""How often one phrase is taken for a figure."""
FUNCTIONS = {
    "sum": AggregateFunction.SUM,
    "mean": AggregateFunction.MEAN,
    "median": AggregateFunction.MEDIAN,
    "min": AggregateFunction.MIN,
    "max": AggregateFunction.MAX,
    "first": AggregateFunction.MIN,
    "last": AggregateFunction.MAX,
    "different": AggregateFunction.COUNT_DISTINCT,
}
"""What the lists of words ask for; the first and the last are those of a date."""


@dataclass(frozen=True)
class Figures:
    """The figures that a question names, and the question with their stand-ins in the place of the phrases.

    `named` says that a phrase has the name of the other table in it.
    """

    question: str
    measures: tuple[Measure, ...]
    named: bool


@dataclass(frozen=True)
class _Phrase:
    """A pattern, the figure that it names, what comes before its stand-in and whether it names the table."""

    pattern: str
    measure: Measure
    lead: str = ""
    tail: str = ""
    named: bool = True


def find_figures(question: str, first: Profile, other: Profile, vocabulary: Vocabulary) -> Figures | None:
    """Return the figures of the other table that a question names; None where it names none."""
    if len(question) > MOST_CHARACTERS:
        return None
    question = _apart(question, first, other, vocabulary)
    measures: list[Measure] = []
    named = False
    for phrase in _phrases(question, first, other, vocabulary):
        pattern = re.compile(phrase.pattern, re.IGNORECASE)
        for _ in range(MOST_FIGURES):
            found = pattern.search(question)
            if found is None:
                break
            if phrase.measure not in measures:
                measures.append(phrase.measure)
            named = named or phrase.named
            place = f"`{_STANDING.format(measures.index(phrase.measure))}`"
            tail = phrase.tail.format(**found.groupdict())
            text = f"{phrase.lead}{place}{tail}"
            question = f"{question[: found.start()]} {text} {question[found.end() :]}"
    return _in_order(question, measures, named=named) if measures else None


def _apart(question: str, first: Profile, other: Profile, vocabulary: Vocabulary) -> str:
    """Return a question in which each of two functions has its column: "first date and last date" for one date."""
    words = vocabulary.figures
    function = rf"(?:{any_of(phrase for name in FUNCTIONS for phrase in words[name])})"
    own, and_ = rf"(?:(?:{any_of(words['own'])})\s+){{0,4}}", vocabulary.any("and")
    nouns = any_of(forms_of(other.name))
    columns = "|".join([*(pattern for _, pattern, _ in _columns(question, first, other)), rf"(?:{nouns})"])
    whole = rf"(?P<of>{own}(?:{columns})(?:\s+(?:{any_of(words['of'])})\s+{own}(?:{nouns}))?)"
    pattern = rf"\b(?P<one>{function})\s+(?P<and>{and_})\s+{own}(?P<two>{function})\s+{whole}\b"
    return re.sub(pattern, r"\g<one> \g<of> \g<and> \g<two> \g<of>", question, flags=re.IGNORECASE)


def may_name_figures(question: str, names: tuple[str, str], vocabulary: Vocabulary) -> bool:
    """Tell whether a question names two tables, by any of their forms, and a figure of whatever columns they have."""
    known = [rf"\b(?:{any_of(forms_of(name))})\b" for name in names]
    lists = ("count", "counted", *FUNCTIONS, "more", "most", "fewest")
    known.append(rf"\b(?:{any_of(phrase for name in lists for phrase in vocabulary.figures[name])})\b")
    text = question[:MOST_CHARACTERS]
    return all(re.search(pattern, text, re.IGNORECASE) is not None for pattern in known)


def _in_order(question: str, measures: list[Measure], *, named: bool) -> Figures:
    """Return the figures in the order in which a question names them."""
    order = sorted(range(len(measures)), key=lambda place: question.find(_STANDING.format(place)))
    for new, old in enumerate(order):
        question = question.replace(_STANDING.format(old), STAND_IN.format(new))
    return Figures(" ".join(question.split()), tuple(measures[place] for place in order), named)


def _phrases(question: str, first: Profile, other: Profile, vocabulary: Vocabulary) -> Iterator[_Phrase]:
    """Yield the ways to name a figure, the longest first; a shorter one must not take a part of a longer."""
    words = vocabulary.figures
    table = any_of(forms_of(other.name))
    own = rf"(?:\b(?:{any_of(words['own'])})\s+){{0,4}}"
    of = rf"\s+(?:{any_of(words['of'])})\s+{own}(?:{table})\b"
    columns = tuple(_columns(question, first, other))
    for name in FUNCTIONS:
        function = rf"{own}\b(?:{any_of(words[name])})\s+(?:{any_of(words['of'])}\s+)?{own}"
        for column, phrase, is_prefixed in columns:
            measure = _measure(name, column, other)
            if measure is None:
                continue
            yield _Phrase(rf"{function}\b{phrase}\b{of}", measure)
            yield _Phrase(rf"{function}\b{phrase}\b", measure, named=is_prefixed)
    count = Measure(function=AggregateFunction.COUNT, label=f"count_{other.name}")
    more, number = any_of(words["more"]), r"(?P<number>\d[\d.,]*)"
    yield _Phrase(rf"\b(?P<more>{more})\s+{number}\s+(?:{table})\b", count, tail=" {more} {number}")
    yield _Phrase(rf"{own}\b(?:{any_of(words['count'])})\s+{own}(?:{table})\b", count)
    yield _Phrase(rf"{own}\b(?:{table})\s+(?:{any_of(words['counted'])})\b", count)
    for end in ("most", "fewest"):
        lead = f"{words[f'{end}_said'][0]} "
        yield _Phrase(rf"\b(?:{any_of(words[end])})\s+(?:{table})\b", count, lead=lead)
    dates = [field.name for field in other.schema_.fields if field.type is ColumnType.DATE]
    for name in ("first", "last"):
        if len(dates) == 1:
            measure = Measure(function=FUNCTIONS[name], column=Col(name=dates[0]))
            yield _Phrase(rf"{own}\b(?:{any_of(words[name])})\s+(?:{table})\b", measure)


def _columns(question: str, first: Profile, other: Profile) -> Iterator[tuple[str, str, bool]]:
    """Yield the columns of the other table that may be named, a pattern, and whether it has the table's name too."""
    spoken = set(map(singular, split_name(question)))
    known = {_said(split_name(name)) for name in first.schema_.names}
    nouns = any_of(forms_of(other.name))
    found = []
    for column in other.schema_.names:
        words = split_name(column)
        if not words or not spoken.issuperset(map(singular, words)):
            continue
        own = _said(words)
        found.append((column, rf"(?:{nouns})\s+{_pattern(words)}", True))
        is_of_table = singular(words[0]) == singular(other.name.casefold()) and len(words) > 1
        if is_of_table:
            found.append((column, _pattern(words), True))
        elif own not in known:
            found.append((column, _pattern(words), False))
    yield from sorted(found, key=lambda each: -len(each[1]))


def _said(words: tuple[str, ...]) -> str:
    return " ".join(map(singular, words))


def _pattern(words: tuple[str, ...]) -> str:
    """Return a pattern of a column's name, its last word in one number or the other."""
    last = words[-1]
    ends = any_of({last, singular(last), f"{last}s"})
    return r"[\s_]+".join([*map(re.escape, words[:-1]), f"(?:{ends})"])


def _measure(name: str, column: str, other: Profile) -> Measure | None:
    """Return a figure of a column; None where its type has no such figure."""
    type_, function = other.schema_.type_of(column), FUNCTIONS[name]
    if name in ("first", "last"):
        fits = type_ is ColumnType.DATE
    elif name in ("min", "max"):
        fits = type_.is_number or type_ is ColumnType.DATE
    else:
        fits = type_.is_number or name == "different"
    return Measure(function=function, column=Col(name=column)) if fits else None
