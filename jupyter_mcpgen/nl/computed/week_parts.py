"""The part of the week of a date as a column: "revenue by part of the week", weekend beside weekdays."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Case, Col, Compare, CompareOp, DatePart, DateUnit, Lit, When
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

SATURDAY = 6


@dataclass(frozen=True)
class _Place:
    """Where the part of the week stands, and the words that lead to it."""

    start: int
    end: int
    words: tuple[Token, ...] = ()


def _named(tokens: tuple[Token, ...], phrase: tuple[str, ...]) -> _Place | None:
    said = tuple(token.lower for token in tokens)
    start = next((i for i in range(len(said)) if phrase and said[i : i + len(phrase)] == phrase), None)
    return None if start is None else _Place(start, start + len(phrase))


def _beside(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> _Place | None:
    """Return where weekends and weekdays are set beside each other, with nothing else between them."""
    parts = [vocabulary.lists.get(key, ()) for key in ("weekends", "weekdays")]
    around = vocabulary.lists.get("beside_weekdays", ())
    places = [next((i for i, token in enumerate(tokens) if token.lower in words), None) for words in parts]
    known = [place for place in places if place is not None]
    if len(known) < len(parts) or any(tokens[place].lower in context.value_parts for place in known):
        return None
    start, end = min(known), max(known) + 1
    if any(token.lower not in around for token in tokens[start + 1 : end - 1]):
        return None
    while start and tokens[start - 1].lower in around:
        start -= 1
    return _Place(start, end, (Token(vocabulary.words["by"], TokenKind.WORD),))


def week_part_in(
    tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context
) -> Computed | None:
    """Return whether a date lies on a weekend, where a question groups by the part of the week."""
    phrase = tuple(vocabulary.lists.get("week_part", ()))
    place = _named(tokens, phrase) or _beside(tokens, vocabulary, context)
    date = context.dates[0] if len(context.dates) == 1 else own_date(context)
    if place is None or date is None:
        return None
    weekend, weekday = vocabulary.lists["parts_of_week"]
    day = DatePart(unit=DateUnit.WEEKDAY, operand=Col(name=date))
    branches = tuple(
        When(
            condition=Compare(op=op, left=day, right=number(SATURDAY)),
            value=Lit(value=word, type=ColumnType.TEXT),
        )
        for op, word in ((CompareOp.GE, weekend), (CompareOp.LT, weekday))
    )
    name = free_name("_".join(phrase), profile)
    column = Token(name, TokenKind.QUOTED)
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=branches)),
        question=text_of((*tokens[: place.start], *place.words, column, *tokens[place.end :])),
        notes=(f"Saturday and Sunday of `{date}` are the {weekend}.",),
        labels=len(branches),
        values=(weekday, weekend),
        required=True,
    )
