"""The season of a date as a column: "sales by season", by the months of the northern year."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Case,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    Lit,
    Predicate,
    When,
)
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType


def season_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the season of the only date, where a question names seasons and the table has none."""
    nouns = [token.lower for token in tokens if token.lower in vocabulary.lists["season"]]
    seasons = _seasons(context)
    if not nouns or not seasons or len(context.dates) != 1 or context.columns_with(context.plain(nouns[0])):
        return None
    date = context.dates[0]
    branches = tuple(
        When(
            condition=_in_months(DatePart(unit=DateUnit.MONTH, operand=Col(name=date)), months),
            value=Lit(value=word, type=ColumnType.TEXT),
        )
        for months, word in seasons.items()
    )
    name = free_name(vocabulary.lists["season"][0], profile)
    said = "; ".join(f"{word}: {', '.join(map(str, months))}" for months, word in seasons.items())
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=branches)),
        question=text_of(tokens),
        notes=(f"The seasons are those of `{date}` north of the equator, by months ({said}).",),
        labels=len(branches),
    )


def _in_months(month: DatePart, months: tuple[int, ...]) -> Predicate:
    """Return the condition that a date lies in some months, which follow one another over the end of a year or not."""
    if list(months) == sorted(months):
        since = Compare(op=CompareOp.GE, left=month, right=number(months[0]))
        return All(terms=(since, Compare(op=CompareOp.LE, left=month, right=number(months[-1]))))
    return AnyOf(terms=tuple(Compare(op=CompareOp.EQ, left=month, right=number(n)) for n in months))


def _seasons(context: Context) -> dict[tuple[int, ...], str]:
    """Return the first word for each season by its months."""
    found: dict[tuple[int, ...], str] = {}
    for meanings in context.lexicon.phrases.values():
        for meaning in meanings:
            if isinstance(meaning, m.Season):
                found.setdefault(tuple(meaning.months), meaning.word)
    return found
