"""Finds what a question compares its figures with, and asks for the figures themselves without it.

"Running total of sales by month" asks for sales by month, and then for a total so far of each. The words of the
comparison are taken out, the rest is read like any question, and each of its plans is completed (`nl.compared`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jupyter_mcpgen.nl.comparing.groups import of_intervals, of_ranks, of_tables
from jupyter_mcpgen.nl.comparing.latest import of_first_rows, of_last_before, of_latest
from jupyter_mcpgen.nl.comparing.nested import OVER_GROUPS, of_nested
from jupyter_mcpgen.nl.comparing.overall import of_groups
from jupyter_mcpgen.nl.comparing.pareto import of_added_shares
from jupyter_mcpgen.nl.comparing.percentiles import of_percentiles
from jupyter_mcpgen.nl.comparing.periods import of_periods
from jupyter_mcpgen.nl.comparing.portions import of_portions
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word, phrases_of, tree_of, units_of
from jupyter_mcpgen.nl.comparing.shares import of_shares
from jupyter_mcpgen.nl.comparing.spreads import of_spreads
from jupyter_mcpgen.nl.comparing.sums import of_parts, of_ratios
from jupyter_mcpgen.nl.comparing.two_values import of_two_values
from jupyter_mcpgen.nl.comparing.two_years import CHANGING, of_two_years
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

__all__ = ["Attempt", "attempts", "says_percent", "says_share"]
WRITTEN = frozenset({"en", "de"})
"""The languages with words for comparisons."""


_KINDS = (
    of_first_rows, of_groups, of_spreads, of_percentiles, of_added_shares, of_two_years, of_two_values, of_periods,
    of_ranks, of_tables, of_parts, of_portions, of_shares, of_intervals, of_ratios, of_latest, of_last_before,
)  # fmt: skip
"""What reads each kind of comparison; the first that finds its words has the question."""


def attempts(tokens: tuple[Token, ...], context: Context, language: str = "en") -> tuple[Attempt, ...]:
    """Return the ways to take a comparison out of a question; none when it has no words of one."""
    if language not in WRITTEN:
        return ()
    written = _written_out(_with_percentiles(tokens, context, language), language)
    if not any(token.lower in _signs(language) for token in written) and not _is_over(written, language):
        return ()
    question = Question(written, context, language)
    for find in (*_KINDS, of_nested):
        found = tuple(find(question))
        if found:
            return found
    return ()


def says_percent(tokens: tuple[Token, ...], language: str) -> bool:
    """Tell whether a text says "as percentages" and nothing else."""
    said = tuple(token.lower for token in tokens)
    return language in WRITTEN and (said in phrases_of(language, "in_percent") or _alone(said, language, "percent"))


def says_share(tokens: tuple[Token, ...], language: str) -> bool:
    """Tell whether a text says "as a share of the total" and nothing else."""
    return language in WRITTEN and _alone(tuple(token.lower for token in tokens), language, "share")


def _alone(said: tuple[str, ...], language: str, key: str) -> bool:
    return " ".join(said) in tree_of(language).get("alone", {}).get(key, ())


@lru_cache(maxsize=4)
def _signs(language: str) -> frozenset[str]:
    """Return the words that a comparison cannot do without, so that most questions are not looked at twice."""
    tree = tree_of(language)
    phrases = [
        *(p for ps in tree["phrases"].values() for p in ps),
        *(p for ps in tree["fractions"].values() for p in ps),
    ]
    words = {word for phrase in (*phrases, *tree["percentiles"]["nouns"]) for word in phrase.split()}
    changing = {word for key in CHANGING for word in tree.get("growth", {}).get(key, ())}
    apart = set(tree.get("apart", {}).get("nouns", ()))
    return frozenset((words - set(tree["light"])) | _functions_over_groups(tree) | changing | apart)


def _functions_over_groups(tree: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(word for key in OVER_GROUPS for word in tree["nested"][key])


def _is_over(tokens: tuple[Token, ...], language: str) -> bool:
    """Tell whether a period is set over the one before: "quarter over quarter"."""
    over, units = tree_of(language)["words"]["over"], units_of(language)
    return any(
        tokens[place + 1].lower == over and tokens[place].lower == tokens[place + 2].lower and token.lower in units
        for place, token in enumerate(tokens[:-2])
    )


def _with_percentiles(tokens: tuple[Token, ...], context: Context, language: str) -> tuple[Token, ...]:
    """Write "p90" as "90 percentile", unless the table knows the word."""
    short, noun = tree_of(language)["percentiles"].get("short"), tree_of(language)["percentiles"]["nouns"][0].split()[0]
    numbers = {
        place: token.lower.removeprefix(short)
        for place, token in enumerate(tokens)
        if short is not None and token.lower.startswith(short) and _is_percent(token.lower.removeprefix(short))
    }
    written = [tokens[place].lower for place in numbers]
    named = any(word in context.value_parts or context.columns_with(word) for word in written)
    found: list[Token] = []
    for place, token in enumerate(tokens if not named else ()):
        found.append(Token(numbers[place], TokenKind.NUMBER) if place in numbers else token)
        found += [as_word(noun)] if place == max(numbers, default=-1) else []
    return tokens if named else tuple(found)


def _is_percent(digits: str) -> bool:
    return digits.isascii() and digits.isdecimal() and len(digits) < 3


def _written_out(tokens: tuple[Token, ...], language: str) -> tuple[Token, ...]:
    words = tree_of(language)["written_out"]
    found: list[Token] = []
    for token in tokens:
        found += [as_word(word) for word in words[token.lower].split()] if token.lower in words else [token]
    return tuple(found)
