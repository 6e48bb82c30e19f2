"""How neighbouring meanings combine into phrases: the register of rules, which `rules` fills.

A rule is a function of two neighbours of certain kinds; it gives the phrases that they may form, each with a cost.
Rules know nothing of positions; the chart parser applies them to every pair of neighbours. A rule holds for
neighbours with nothing but filler between them, unless it names the words (`And`, `Or`, …) that must stand there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.plan.ops import AggregateFunction as F

Found = Iterator[tuple[Meaning, float]]
Links = frozenset[type[Meaning]]
L = TypeVar("L")
R = TypeVar("R")
Rule = Callable[[Meaning, Meaning, Context], Found]

FEW_VALUES = 20
MOST_KEPT = 100_000
"""The largest k of a "top k"."""
_OF_THE_TABLE = (m.TableNoun, m.NamedTable)
COUNT_ROWS = m.Measured(F.COUNT, None)

PIECE = 0.03
"""What every phrase of a reading costs: fewer, longer phrases explain a question better."""
SURE = 0.0
SLIGHT = 0.02
USUAL = 0.05
FREE = 0.1
"""What a phrase costs that has another reading as good."""
LOOSE = 0.2
"""What joining words without a word that says how costs."""
MANY_GROUPS = 0.12
"""What grouping by a number with many values costs."""

CONFIRMED = 0.2
"""What a value gains when its column is named beside it."""
PIECE_MERGED = PIECE
"""What joining two conditions costs, so that joining them is no cheaper than leaving them apart."""

_ONLY: tuple[type[Meaning], ...] = (m.Or, m.Nor)
"""Links beside which a comma says nothing: in "a, b, or c" the comma is no "and"."""
_LIGHT: Links = frozenset({m.Of, m.Determiner})
"""Linking words that part no neighbours, unless a rule asks for them."""

RULES: dict[tuple[type[Meaning], type[Meaning]], list[tuple[Links, Rule]]] = defaultdict(list)
PROMOTIONS: dict[type[Meaning], list[Callable[[Meaning, Context], Found]]] = defaultdict(list)


def rule(
    left: type[L], right: type[R], *links: type[Meaning]
) -> Callable[[Callable[[L, R, Context], Found]], Callable[[L, R, Context], Found]]:
    """Enter a function into the register as the rule for two kinds of neighbours."""

    def register(function: Callable[[L, R, Context], Found]) -> Callable[[L, R, Context], Found]:
        pair = cast("tuple[type[Meaning], type[Meaning]]", (left, right))
        RULES[pair].append((frozenset(links), cast("Rule", function)))
        return function

    return register


def promotion(kind: type[L]) -> Callable[[Callable[[L, Context], Found]], Callable[[L, Context], Found]]:
    """Enter a function into the register as what one kind of meaning may be alone."""

    def register(function: Callable[[L, Context], Found]) -> Callable[[L, Context], Found]:
        PROMOTIONS[cast("type[Meaning]", kind)].append(cast("Callable[[Meaning, Context], Found]", function))
        return function

    return register


def combine(left: Meaning, right: Meaning, between: Links, context: Context) -> Found:
    """Yield the phrases that two neighbours may form, given what kinds of linking words stand between them."""
    between = next((frozenset({link}) for link in _ONLY if link in between), between)
    if m.Determiner in between and isinstance(left, m.RowNoun) and left.assumed and isinstance(right, _OF_THE_TABLE):
        return  # in "sales the dataset" the first word describes no table
    for needed, rule in RULES.get((type(left), type(right)), ()):
        if between & needed if needed else not between - _LIGHT:
            yield from rule(left, right, context)


def promote(meaning: Meaning, context: Context) -> Found:
    """Yield what one meaning may be as a phrase of its own."""
    for promotion in PROMOTIONS.get(type(meaning), ()):
        yield from promotion(meaning, context)
