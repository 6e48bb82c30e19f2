"""Corrects what is misspelt in a question: words of headers, and the small words that ask and join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rapidfuzz.distance import OSA

from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.words import Word
from jupyter_mcpgen.nl.words.forms import singular

SHORTEST_SWAP, SHORTEST_ORDER = 3, 3
"""The fewest letters of a small word with two letters swapped, and of an order with a letter missing."""
REACH = 7
"""How far before "than" its "more" may stand, in words."""


def without_slips(words: tuple[Word, ...], table: Table) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """Correct misspelt words that mean nothing as they are, with a note for each."""
    found: list[Word] = []
    notes: list[str] = []
    for position, word in enumerate(words):
        if found and (joined := _joined(found[-1], word, table)) is not None:
            found[-1] = joined
            continue
        meant = None if word.quoted else _meant(position, words, table)
        found.append(replace(word, text=meant) if meant else word)
        if meant:
            notes.append(f"“{word.written}” is read as “{meant}”.")
    return tuple(found), tuple(notes)


def _meant(position: int, words: tuple[Word, ...], table: Table) -> str | None:
    """Return what a word is a slip for, or None: "how man", "a game than had", "wiht", "Nam the"."""
    word, own = words[position], table.vocabulary
    before = words[position - 1].text if position else ""
    after = words[position + 1].text if position + 1 < len(words) else ""
    if before in own.questions.how and word.text in own.slips_of_amounts:
        return own.slips_of_amounts[word.text]
    if after in own.questions.having and word.text in own.slips_of_clauses:
        compared = {near.text for near in words[max(position - REACH, 0) : position]} & (own.more | own.less)
        return None if compared else own.slips_of_clauses[word.text]
    if table.knows(word.text) or not word.text.isalpha():
        return None
    if position == 0 and after in own.unread.articles:
        return _only(order for order in own.questions.orders if _lacks_a_letter(word.text, order))
    swapped = () if word.text in own.no_slips else (small for small in own.light if _is_swapped(word.text, small))
    spoken = word.text in table.context.lexicon.spoken
    return _only(swapped) or (None if spoken else table.names.slip(word.text, after))


def _lacks_a_letter(word: str, order: str) -> bool:
    shorter = len(word) >= SHORTEST_ORDER and len(order) == len(word) + 1 and word[0] == order[0]
    return shorter and OSA.distance(word, order, score_cutoff=1) == 1


def _is_swapped(word: str, small: str) -> bool:
    swapped = len(word) == len(small) >= SHORTEST_SWAP and sorted(word) == sorted(small)
    return swapped and OSA.distance(word, small, score_cutoff=1) == 1


def _only(found: Iterable[str]) -> str | None:
    """Return the one word that was found, or None where there is none or several."""
    several = [*found]
    return several[0] if len(several) == 1 else None


def _joined(first: Word, second: Word, table: Table) -> Word | None:
    """Return two words as the one that a header makes of them: "time slot" for `Timeslot`."""
    area = table.vocabulary.areas.get(second.text, "") if first.text in table.vocabulary.squares else ""
    if area and table.names.has(area):
        return Word(area, f"{first.written} {second.written}", first.start, second.end)
    text = first.text + second.text
    plural = len(second.text) > 1 and table.names.has(singular(text))
    if not (table.names.has(text) or plural) or first.text in table.vocabulary.light or first.quoted or second.quoted:
        return None
    return Word(text, f"{first.written} {second.written}", first.start, second.end)
