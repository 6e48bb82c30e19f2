"""The half of the year of a date as a column: "revenue by half-year", beside its year where there are several."""

from __future__ import annotations

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

LAST_MONTH_OF_FIRST_HALF = 6


def half_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the half of the year of the rows' own date, where a question groups by half-years."""
    span = _half_years(tokens, vocabulary)
    date = context.dates[0] if len(context.dates) == 1 else own_date(context)
    if span is None or date is None:
        return None
    start, end = span
    first, second = vocabulary.lists["names_of_halves"]
    month = DatePart(unit=DateUnit.MONTH, operand=Col(name=date))
    branches = tuple(
        When(
            condition=Compare(op=op, left=month, right=number(LAST_MONTH_OF_FIRST_HALF)),
            value=Lit(value=name, type=ColumnType.TEXT),
        )
        for op, name in ((CompareOp.LE, first), (CompareOp.GT, second))
    )
    name = free_name("half_year", profile)
    column = Token(name, TokenKind.QUOTED)
    beside = () if _lies_in_one_year(date, context) else _year_of(date, vocabulary)
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=branches)),
        question=text_of((*tokens[:start], *beside, column, *tokens[end:])),
        notes=(f"{first} is January to June of `{date}`, {second} is July to December.",),
        labels=len(branches),
        order=(first, second),
        required=True,
    )


def _half_years(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> tuple[int, int] | None:
    """Return where half-years stand behind a word that makes groups; one half, or the first one, makes none."""
    said = [token.lower for token in tokens]
    for phrase in sorted(vocabulary.lists.get("half_years", ()), key=len, reverse=True):
        words = phrase.split()
        for start in range(1, len(said) - len(words) + 1):
            if said[start : start + len(words)] == words and said[start - 1] in vocabulary.lists["before_half_years"]:
                return start, start + len(words)
    return None


def _lies_in_one_year(date: str, context: Context) -> bool:
    known = context.column(date)
    return known.minimum is not None and str(known.minimum)[:4] == str(known.maximum)[:4]


def _year_of(date: str, vocabulary: Vocabulary) -> tuple[Token, ...]:
    """Return the words for the year of a date, and what joins it with its half."""
    words = [Token(word, TokenKind.WORD) for word in vocabulary.lists["year_beside_half"]]
    year, of, joined = words
    return (year, of, Token(date, TokenKind.QUOTED), joined)
