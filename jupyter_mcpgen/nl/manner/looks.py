"""Takes out of a question what only says what its chart looks like: "stacked", "on a log scale", "title it …".

What cannot be drawn so is taken out too, and said beside the answer: a figure is not refused for the sake of a color.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.phrases import Lists, Phrase, any_of, compile_phrase, words_in
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.looks import LONGEST_TITLE, PLAIN_LOOK, Look
from jupyter_mcpgen.precomputed import words_of

MOST_WORDS_OF_TITLE = 8
"""A title without quotation marks that is longer than this is none."""
ROUNDS = 2
"""What ends a question is seen only when the wishes behind it are out."""
SHORTEST_NAME = 3
"""A shorter word of a phrase is never taken for one of the table."""
_QUOTED = r"(?:\"([^\"]{1,120})\"|“([^”]{1,120})”|`([^`]{1,120})`|'([^']{1,120})'(?!\w))"
_IN_QUOTES = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
_WORD = re.compile(r"[^\W\d]\w*")
_PLACES = {"chart": "title", "x": "x_title", "y": "y_title"}


@dataclass(frozen=True)
class Wish:
    """What phrases ask for: what stands in their place, how the chart is dressed, what is said beside the answer."""

    phrases: tuple[Phrase, ...]
    becomes: str
    look: Mapping[str, Any]
    note: str


@dataclass(frozen=True)
class TitlePhrase:
    """What stands before a title, the field of `Look` for it, and whether it has to be in quotation marks."""

    place: str
    phrase: Phrase
    quoted: bool


@dataclass(frozen=True)
class Words:
    """How a language says what a chart should look like."""

    wishes: tuple[Wish, ...]
    titles: tuple[TitlePhrase, ...]
    drawing: frozenset[str]
    """Words of which a question has one whose chart may have a title."""
    leads: re.Pattern[str]
    after_titles: frozenset[str]


@dataclass(frozen=True)
class Looks:
    """A question without its wishes for the chart, and what they were."""

    text: str
    look: Look = PLAIN_LOOK
    notes: tuple[str, ...] = ()
    said: tuple[str, ...] = field(default=())
    """The words that were taken out."""


@lru_cache(maxsize=4)
def load_words(language: str) -> Words | None:
    """Return a language's words for looks, or None where it has none; read once per process."""
    tree = words_of(f"{language}_looks")
    if not tree:
        return None
    lists = Lists(words={key: frozenset(words) for key, words in tree["lists"].items()})
    wishes = [
        Wish(
            tuple(compile_phrase(phrase, lists, whole=False) for phrase in wish["phrases"]),
            wish["becomes"],
            wish.get("look", {}),
            wish.get("note", ""),
        )
        for wish in tree["wishes"].values()
    ]
    titles = [
        TitlePhrase(_PLACES[place], compile_phrase(phrase, lists, whole=False), quoted=key == "titles_in_quotes")
        for key in ("titles", "titles_in_quotes")
        for place, phrases in tree[key].items()
        for phrase in phrases
    ]
    leads = re.compile(rf"(?:[\s,;:]*(?<!\w)(?:{any_of(tree['leads'])})(?!\w))?[\s,;:]*$", re.IGNORECASE)
    after = frozenset(tree["after_titles"])
    return Words(tuple(wishes), tuple(titles), frozenset(tree["drawing"]), leads, after)


def take_looks(question: str, context: Context, language: str) -> Looks | None:
    """Return a question without its wishes for the look of the chart; None where it has none."""
    words = load_words(language)
    if words is None:
        return None
    looks = Looks(question)
    for title in words.titles if words.drawing & words_in(question) else ():
        looks = _with_title(looks, title, words, context)
    for _ in range(ROUNDS):
        for wish in words.wishes:
            for phrase in wish.phrases:
                looks = _with_wish(looks, wish, phrase, words, context)
    return looks if looks.said else None


def _with_title(looks: Looks, leading: TitlePhrase, words: Words, context: Context) -> Looks:
    """Take out the first title that a phrase leads to; a name or value of the table in quotation marks is none."""
    place = leading.place
    for found in leading.phrase.places(looks.text):
        if getattr(looks.look, place) or not _is_free(found, looks.text, context):
            continue
        quoted = re.compile(rf"[\s:=]*{_QUOTED}").match(looks.text, found.end())
        title = next(group for group in quoted.groups() if group) if quoted else ""
        if quoted and title.casefold() in context.values and place == "title":
            continue
        if leading.quoted and context.columns_with(title.casefold()) and not (looks.look.x_title or looks.look.y_title):
            continue  # a column along an axis
        if not quoted and not leading.quoted:
            title = _bare(looks.text[found.end() :], words, context)
        if title:
            end = quoted.end() if quoted else len(looks.text)
            look = looks.look.model_copy(update={place: title[:LONGEST_TITLE]})
            return _without(looks, found.start(), end, "", look, "", words)
    return looks


def _bare(rest: str, words: Words, context: Context) -> str:
    """Return the title that the rest of a question is, without quotation marks; nothing where it says more.

    The name of a column alone is what stands along an axis.
    """
    title = rest.strip(" :=.?!")
    said = title.split()
    alone = len(said) <= MOST_WORDS_OF_TITLE and not any(mark in title for mark in ',;"“')
    if " ".join(split_name(title)) in {" ".join(split_name(name)) for name in context.column_words}:
        return ""
    return title if alone and not words.after_titles.intersection(title.casefold().split()) else ""


def _with_wish(looks: Looks, wish: Wish, phrase: Phrase, words: Words, context: Context) -> Looks:
    """Take out the first place of a phrase."""
    for found in phrase.places(looks.text):
        if _is_free(found, looks.text, context):
            look = looks.look.model_copy(update=Look(**wish.look).model_dump(include=set(wish.look)))
            return _without(looks, found.start(), found.end(), wish.becomes, look, wish.note, words)
    return looks


def _is_free(found: re.Match[str], text: str, context: Context) -> bool:
    """Tell whether words are outside quotation marks, and none of them is a name or a value of the table."""
    if any(inner.start() < found.end() and found.start() < inner.end() for inner in _IN_QUOTES.finditer(text)):
        return False
    said = [word.casefold() for word in _WORD.findall(found[0]) if len(word) >= SHORTEST_NAME]
    return not any(context.plain(word) in context.full_names or word in context.values for word in said)


def _without(looks: Looks, start: int, end: int, instead: str, look: Look, note: str, words: Words) -> Looks:
    """Return what is left of a question with other words in the place of a wish."""
    before, behind, said = looks.text[:start], looks.text[end:], looks.text[start:end].strip()
    if not instead:
        lead = words.leads.search(before)
        before = before[: lead.start()] if lead is not None else before
        behind = re.sub(r"^[\s,;]+(?=[,;]|$)", "", behind) if before.strip() else behind.lstrip(" ,;:")
    text = re.sub(r"\s+", " ", f"{before} {instead} {behind}").strip()
    notes = (*looks.notes, note) if note and note not in looks.notes else looks.notes
    return Looks(re.sub(r"\s+([,;?.])", r"\1", text), look, notes, (*looks.said, said))
