"""The words of a question while clauses are taken out of it, and which phrases stand where."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.manner.vocabulary import Vocabulary
from jupyter_mcpgen.nl.mentions.values import is_name
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

LONGEST_TARGET = 9
"""How many words may say what to order by or what to bin."""
LONGEST_PHRASE = 6
"""The longest phrase that is looked for, in words."""
LOOSE = frozenset({"for", "with", "and", ",", "in", "by", "as", "then", "please", "them", "to", "show", "list", "of"})
"""Words that connect nothing when they end a question."""
_COMMA = Token(",", TokenKind.SYMBOL)


class Remainder:
    """A question that gets shorter: each clause that was understood is cut out of its tokens."""

    def __init__(self, tokens: tuple[Token, ...], context: Context, words: Vocabulary) -> None:
        self.tokens = tokens
        self.context = context
        self.words = words

    def text(self, start: int, end: int) -> str:
        """Return some of the words as they are compared with phrases."""
        return " ".join([token.lower for token in self.tokens[start:end]])

    def phrase(self, at: int, phrases: Mapping[str, object] | frozenset[str]) -> int:
        """Return where the longest known phrase ends that begins at a word, or 0."""
        found, text = 0, ""
        for end in range(at + 1, min(at + LONGEST_PHRASE, len(self.tokens)) + 1):
            text = f"{text} {self.tokens[end - 1].lower}" if text else self.tokens[at].lower
            if text in phrases:
                found = end
        return found

    def skip(self, at: int, key: str) -> int:
        """Return where a phrase of a list ends that begins at a word, or the word itself where none does."""
        return self.phrase(at, self.words.lists[key]) or at

    def past(self, words: frozenset[str], start: int, stop: int) -> int:
        """Return where the first word of a span stands that is none of some words, or its end."""
        while start < stop and self.tokens[start].lower in words:
            start += 1
        return start

    def is_named(self, start: int, end: int) -> bool:
        """Tell whether words are the name of a column or a value as it is written."""
        return self.is_column(start, end) or any(is_name(token, self.context) for token in self.tokens[start:end])

    def is_column(self, start: int, end: int) -> bool:
        """Tell whether words are the whole name of a column."""
        plain = tuple(self.context.plain(token.lower) for token in self.tokens[start:end])
        return plain in set(self.context.column_words.values())

    def cut(self, start: int, end: int) -> None:
        """Take words out, and leave nothing in their place."""
        self.tokens = (*self.tokens[:start], *self.tokens[end:])

    def cut_clause(self, start: int, end: int) -> None:
        """Take a clause out; a comma keeps what stood before it apart from what stood behind."""
        mark = (_COMMA,) if start else ()
        self.tokens = (*self.tokens[:start], *mark, *self.tokens[end:])

    def drop_loose_end(self) -> None:
        """Drop the connecting words that the end of the question left without anything to connect."""
        while self.tokens and self.tokens[-1].lower in LOOSE:
            self.tokens = self.tokens[:-1]
