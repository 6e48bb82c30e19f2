"""What a question names of tables of which only their names are known, or only their columns."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.table import table_of
from jupyter_mcpgen.nl.joins.clauses import clause_of_names
from jupyter_mcpgen.nl.joins.keys import found_keys
from jupyter_mcpgen.nl.joins.words import words_of
from jupyter_mcpgen.nl.lexicon.doing import doings_at
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon, load
from jupyter_mcpgen.nl.schema.headers import split_words
from jupyter_mcpgen.nl.text.tokens import TokenKind, tokenize

MOST_WORDS = 60
"""Of a longer question the beginning is looked at."""
_OF_FIGURES = frozenset({C.AGGREGATE, C.COUNT, C.COMPARE, C.MOST, C.OFTEN, C.HOW_MUCH, C.FIRST})


def table_said(question: str, language: str) -> str | None:
    """Return the word at the end of a question that says where to look: "total of sales in *ledger*"."""
    *before, last = tokenize(question)[-2:] or (None,)
    said = bool(before) and words_of(language).says("leads", before[0].lower)
    return last.text if last is not None and said and last.kind in (TokenKind.WORD, TokenKind.QUOTED) else None


def says_join(question: str, names: tuple[str, str], language: str) -> bool:
    """Tell whether a question says how two tables of some names come together."""
    return clause_of_names(tokenize(question), names, language) is not None


def may_name_figures(question: str, names: tuple[str, str], language: str) -> bool:
    """Tell whether a question names two tables, in one number or the other, and a figure of whatever they have."""
    lexicon = load(language)
    said = _lemmas(question, lexicon)
    named = all(_stands_in(split_words(name), said, lexicon) for name in names)
    figures = (one for place in range(len(said)) for _, one in doings_at(said, place, language))
    return named and any(C(one.category) in _OF_FIGURES for one in figures)


def columns_named(question: str, columns: Iterable[str], language: str = "en") -> tuple[str, ...]:
    """Return the columns whose whole name stands in a question, in one number or the other."""
    lexicon = load(language)
    said = _lemmas(question, lexicon)
    return tuple(name for name in columns if _stands_in(split_words(name), said, lexicon))


def join_that_helps(question: str, first: Profile, other: Profile, language: str) -> str | None:
    """Return which column of another table a question names, and how to ask over both; None where that says nothing."""
    known = set(columns_named(question, first.schema_.names, language))
    named = [name for name in columns_named(question, other.schema_.names, language) if name not in known]
    if not named:
        return None
    keys = found_keys(table_of(first, language), table_of(other, language))
    columns = " and ".join(f"`{name}`" for name in named)
    said = f"{columns} {'is a column' if len(named) == 1 else 'are columns'} of `{other.name}`."
    if not keys.sure:
        return said
    own, theirs = keys.pairs[0]
    key = own if own == theirs else f"{own} = {theirs}"
    return f"{said} Ask over both: “… in {first.name} joined with {other.name} on {key}”."


def _lemmas(question: str, lexicon: Lexicon) -> list[tuple[str, ...]]:
    """Return what each word of a question may be a form of, names such as `order_date` word by word."""
    pieces = (piece for token in tokenize(question)[:MOST_WORDS] for piece in split_words(token.text) or (token.lower,))
    return [lexicon.lemmas(piece) for piece in pieces]


def _stands_in(words: tuple[str, ...], said: list[tuple[str, ...]], lexicon: Lexicon) -> bool:
    own = [set(lexicon.lemmas(word)) for word in words]
    places = range(len(said) - len(own) + 1)
    return bool(own) and any(all(own[at] & set(said[place + at]) for at in range(len(own))) for place in places)
