"""The decade of a year as a column: "houses built in each decade"."""

from __future__ import annotations

from collections import Counter

from jupyter_mcpgen.model.profile import Profile, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import YEARS as MODERN_YEARS
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Bin, Col, DateUnit
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

YEARS = 10
EARLIEST = 1000
"""A smaller number is no year of anything that is counted by decades."""


def decade_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the decade of the years that a question names, or of the only ones, where the table has no decades.

    A word of the year's own name says nothing more: "built in each decade" is about `year_built`.
    """
    nouns = vocabulary.lists.get("decade", ())
    place = next((at for at, token in enumerate(tokens) if token.lower in nouns), None)
    if place is None or context.columns_with(context.plain(tokens[place].lower)) or _is_one(place, tokens, vocabulary):
        return None
    year = _years(tokens, context)
    if year is None:
        return None
    own = {
        at
        for item in link(tokens, context)
        if isinstance(item.meaning, m.Column) and item.meaning.name == year
        for at in range(item.start, item.end)
    }
    for at in sorted(own):
        own |= {at - 1} if at - 1 != place and context.lexicon.is_filler(tokens[at - 1].lower) else set()
    name = free_name(nouns[0], profile)
    kept = [
        Token(name, TokenKind.QUOTED) if at == place else token
        for at, token in enumerate(tokens)
        if at not in own or at == place
    ]
    return Computed(
        name=name,
        type=ColumnType.INTEGER,
        step=Derive(name=name, expression=Bin(operand=Col(name=year), width=YEARS)),
        question=text_of(tuple(kept)),
        notes=(f"A decade begins with the year of `{year}` that ends in 0.",),
        labels=len({_decade(value) for value in context.column(year).values}) or None,
        required=True,
    )


def _is_one(place: int, tokens: tuple[Token, ...], vocabulary: Vocabulary) -> bool:
    """Tell whether one decade is meant, which is no group: "the 1980 decade", "this decade"."""
    beside = (*tokens[max(0, place - 2) : place], *tokens[place + 1 : place + 2])
    return any(t.kind is TokenKind.NUMBER or t.lower in vocabulary.lists["one_decade"] for t in beside)


def _years(tokens: tuple[Token, ...], context: Context) -> str | None:
    """Return the column of years that most words name; where none is named, the only one that holds nothing else."""
    said = Counter(name for token in tokens for name in context.columns_with(context.plain(token.lower)))
    named = {name: said[name] for name in said if _are_years(name, context)}
    most = [name for name in named if named[name] == max(named.values())]
    years = most or [name for name in context.profile.schema_.names if _are_years(name, context)]
    return years[0] if len(years) == 1 else None


def _are_years(name: str, context: Context) -> bool:
    """Tell whether whole numbers are years by their name, also those of buildings and books."""
    known = context.column(name)
    if not context.is_whole(name) or known.role is Role.IDENTIFIER or known.minimum is None:
        return False
    year = m.Unit(DateUnit.START_OF_YEAR)
    called = any(year in context.lexicon.meanings(word) for word in context.column_words[name])
    return called and bool(EARLIEST <= known.minimum <= known.maximum <= MODERN_YEARS[-1])


def _decade(year: object) -> int:
    return int(float(str(year))) // YEARS
