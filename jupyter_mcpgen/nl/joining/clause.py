"""Finds the words that bring two tables together, and leaves the rest of the question for the other readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, Way, any_of
from jupyter_mcpgen.nl.words.forms import singular, split_name

MOST_CHARACTERS = 1_000
"""A longer question is not searched."""
SHORTEST_VERB = 4
"""How many letters the noun of a table has at least that may be said as a verb."""


@dataclass(frozen=True)
class Clause:
    """How the tables come together, and the question around these words.

    `first` and `second` say which table stands where, `named` that the clause is a table that something is asked of.
    """

    way: Way
    first: int
    second: int
    before: str
    after: str
    named: bool

    def rest(self, name: str, after: str, vocabulary: Vocabulary) -> str:
        """Return what is asked of the tables, with the name of the one that they became where it stood."""
        lead, placed = self._without_place(vocabulary)
        opening = rf"(?:(?:{vocabulary.any('first')})\b\s*)+"
        lead = re.sub(rf"^\s*{opening}|[\s,:;]*\b{opening}$", "", lead, flags=re.IGNORECASE)
        begins = re.match(rf"\s*(?:{_next(vocabulary)})", after, re.IGNORECASE) is not None
        named = self.named and not placed and (lead.strip() != "" or not begins)
        middle = f" {name} " if named else " "
        rest = " ".join(f"{lead}{middle}{after}".split())
        return re.sub(rf"^(?:(?:{_next(vocabulary)})\s*)+|[\s,:;.]+$", "", rest, flags=re.IGNORECASE).strip()

    def _without_place(self, vocabulary: Vocabulary) -> tuple[str, bool]:
        """Return what stands before the tables without the "in" that leads to them; it says nothing without them."""
        found = re.search(rf"\s\b(?:{vocabulary.any('leads')})\s*$", self.before, re.IGNORECASE)
        lists_rows = self.way in (Way.WITHOUT, Way.HAVING)
        return (self.before, False) if found is None or lists_rows else (self.before[: found.start()], True)


def _next(vocabulary: Vocabulary) -> str:
    words = vocabulary.words["next"]
    return (
        any_of(w for w in words if not w[0].isalpha()) + r"|(?:" + any_of(w for w in words if w[0].isalpha()) + r")\b"
    )


def find_clause(question: str, names: tuple[str, str], vocabulary: Vocabulary) -> Clause | None:
    """Return the first words that bring the two tables together."""
    if len(question) > MOST_CHARACTERS:
        return None
    for place, pattern in _patterns(names, vocabulary):
        found = re.search(pattern, question, re.IGNORECASE)
        if found is None:
            continue
        first = _which(found["one"], names)
        second = _which(found["two"], names) if "two" in found.groupdict() else 1 - first
        if first == second:
            continue
        way = vocabulary.way_of(place, found["way"]) if "way" in found.groupdict() else Way.EITHER
        way = Way.WITHOUT if place == "never" else way
        if way in (Way.STACK, Way.EITHER) and _is_put_after(found, vocabulary):
            first, second = second, first
        if way is Way.RIGHT:  # the rows of the second table are kept: the same join, seen from there
            way, first, second = Way.LEFT, second, first
        start = found.end("place") if place == "places" else found.start()
        return Clause(way, first, second, question[:start], question[found.end() :], named=place != "verbs")
    return None


def _is_put_after(found: re.Match[str], vocabulary: Vocabulary) -> bool:
    """Tell whether the table named first goes below the other: "append feb to jan" begins with January."""
    groups = found.groupdict()
    last = (groups.get("to") or groups.get("way") or "").split()[-1:]
    return bool(last) and last[0].casefold() in vocabulary.words["to_first"]


def _patterns(names: tuple[str, str], vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Yield where the deciding words stand, and the pattern that finds them."""
    one, two = (_table(group, names, vocabulary) for group in ("one", "two"))
    to, and_ = vocabulary.any("to"), vocabulary.any("and")
    yield "verbs", rf"\b(?P<way>{vocabulary.phrases('verbs')})\s+{one}\s+(?P<to>{to})\s+{two}"
    yield "between", rf"{one}\s+(?P<way>{vocabulary.phrases('between')})\s+{two}"
    yield "nouns", rf"\b(?P<way>{vocabulary.phrases('nouns')})\s+{one}\s+(?:{and_})\s+{two}"
    yield "behind", rf"{one}\s+(?:{and_})\s+{two},?\s+(?P<way>{vocabulary.phrases('behind')})\b"
    if "never" in vocabulary.words:
        yield from (("never", pattern) for pattern in _never_done(names, vocabulary))
    yield "places", rf"\b(?P<place>{vocabulary.any('places')})\s+{one}\s+(?:{and_})\s+{two}"


def _never_done(names: tuple[str, str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the patterns of "clients that were never invoiced" over `clients` and `invoices`, either way round."""
    endings = vocabulary.words["done"]
    for one, other in (names, names[::-1]):
        nouns = {singular(word) for word in split_name(other)}
        done = any_of(f"{noun}{ending}" for noun in nouns for ending in endings if len(noun) >= SHORTEST_VERB)
        said = rf"(?:(?:{vocabulary.any('relatives')})\s+)?(?:(?:{vocabulary.any('auxiliaries')})\s+)?"
        if done:
            yield (
                rf"{_table('one', (one, one), vocabulary)}\s+{said}(?:{vocabulary.any('never')})\s+"
                rf"(?:(?:{vocabulary.any('been')})\s+)?(?:{done})\b"
            )


def _table(group: str, names: tuple[str, str], vocabulary: Vocabulary) -> str:
    articles, nouns = vocabulary.any("articles"), vocabulary.any("table")
    known = any_of(form for name in names for form in forms_of(name))
    counted = rf"(?!\s+(?:{any_of(vocabulary.figures['counted'])})\b)"  # "their order count" is a figure
    return rf"(?:\b(?:{articles})\s+)*(?<!\w)(?P<{group}>{known})(?!\w){counted}(?:\s+(?:{nouns})\b)?"


def forms_of(name: str) -> set[str]:
    """Return how a table may be called: its name, with blanks for underscores, one of its rows or several."""
    spaced = " ".join(name.replace("_", " ").split())
    forms = {name, spaced}
    return {form for form in forms | {singular(form) for form in forms} | {f"{form}s" for form in forms} if form}


def _which(text: str, names: tuple[str, str]) -> int:
    plain = " ".join(text.casefold().split())
    exact = [place for place, name in enumerate(names) if plain in (name.casefold(), name.replace("_", " ").casefold())]
    alike = [place for place, name in enumerate(names) if plain in {form.casefold() for form in forms_of(name)}]
    return (exact or alike)[0]
