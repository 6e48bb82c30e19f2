"""Days that are said without a year where the table has several: "orders between 10 and 20 March" is asked about."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.mentions.days import days_without_year
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.english import say_plan

ANY_YEAR = 2000
"""A leap year, which has every day."""
MOST_YEARS = 5
"""How many years a question back lists."""


def read_days_of_years(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, or the reading of each year where a day of no year kept it from being read."""
    meant = read(question, profile, language)
    if not isinstance(meant, Refused):
        return meant
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    ends, years = days_without_year(tokens, context)
    if not ends or not context.dates or len(years) == 1:
        return meant
    if not years:
        dated = read(" ".join(_said(tokens, ends, ANY_YEAR)), profile, language)
        return _outside(profile) if isinstance(dated, Answered) else meant
    if len(years) > MOST_YEARS:
        return Refused(
            f"The dates of `{profile.name}` have this day in {len(years)} years. Add the year, such as {years[-1]}."
        )
    ways = (read(" ".join(_said(tokens, ends, year)), profile, language) for year in years)
    options = tuple(way.winner for way in ways if isinstance(way, Answered))
    if len(options) != len(years):
        return meant
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    asked = f"The day is in {len(years)} years of the data: {lines}. Which one do you mean? Say the year."
    return Asked(asked, options)


def _outside(profile: Profile) -> Refused:
    return Refused(f"No date of `{profile.name}` is on this day. Add the year if you mean another one.")


def _said(tokens: tuple[Token, ...], ends: tuple[int, ...], year: int) -> Iterator[str]:
    """Yield the words of a question, with a year behind the days that have none."""
    for place, token in enumerate(tokens, 1):
        yield f'"{token.text}"' if token.kind is TokenKind.QUOTED else token.text
        if place in ends:
            yield str(year)
