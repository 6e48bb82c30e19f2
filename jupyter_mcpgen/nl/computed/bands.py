"""A number in intervals of a round width as a column, where no width is named: "income by age group"."""

from __future__ import annotations

import math
from collections.abc import Iterator

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.grammar import FEW_VALUES
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Bin, Col
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

MOST_BANDS = 8
"""How many intervals a number is cut into at most."""
_ROUND = (1, 2, 5, 10, 20, 50)


def band_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the intervals of the number that a question is about, behind which "group" stands, or a word like it."""
    for item, number in _named(tokens, vocabulary, context):
        width = _round_width(number, context)
        if width is not None:
            return _in_bands(item, number, width, tokens, profile, context)
    return None


def uncut_band(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Refused | None:
    """Refuse groups of a number that has no end; None where no such groups are asked for."""
    for item, number in _named(tokens, vocabulary, context):
        known = context.column(number)
        ends = (known.minimum, known.maximum)
        if any(isinstance(end, float) and math.isinf(end) for end in ends) and known.distinct > FEW_VALUES:
            noun = tokens[item.end].text
            return Refused(
                f"`{number}` has infinite values, so it cannot be cut into intervals for “{noun}”. Name a width, for "
                f"example: by {number} in groups of 1000.",
                words=(tokens[item.end].lower,),
            )
    return None


def _named(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Iterator[tuple[Item, str]]:
    """Yield the numbers behind which a word for groups of them stands, and no column is called so."""
    nouns, alone = vocabulary.lists.get("band", ()), vocabulary.lists.get("band_alone", ())
    items = [item for item in link(tokens, context) if isinstance(item.meaning, m.Column)]
    for item in items:
        noun = tokens[item.end].lower if item.end < len(tokens) else ""
        if noun not in nouns or not isinstance(item.meaning, m.Column) or not context.is_measure(item.meaning.name):
            continue
        if _is_named_whole(item, items) or context.columns_with(context.plain(noun)):
            continue
        if _groups_by_others(item, tokens, vocabulary, context):
            continue
        if not _has_limits(item, tokens, vocabulary, context) and (
            noun in alone or _groups(item, tokens, vocabulary, context)
        ):
            yield item, item.meaning.name


def grouped_by_others(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> str:
    """Say of "average age group by city" that the ages are grouped by city; nothing where no such words stand."""
    for item in link(tokens, context):
        number = item.meaning.name if isinstance(item.meaning, m.Column) else None
        if number is None or item.end == len(tokens) or not context.is_measure(number):
            continue
        if _groups_by_others(item, tokens, vocabulary, context):
            said = f"{tokens[item.end].text} {tokens[item.end + 1].text}"
            return f"“{said}” is taken to group `{number}` by what follows, not to cut it into intervals."
    return ""


def _groups_by_others(item: Item, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether "group" behind a figure begins "group by", as in "total sales group by region"."""
    behind = [token.lower for token in tokens[item.end : item.end + 2]]
    if len(behind) < 2 or behind != [vocabulary.words["group"], vocabulary.words["by"]]:
        return False
    before = tokens[item.start - 1].lower if item.start else ""
    return not before or before in vocabulary.lists["functions"] or context.lexicon.is_filler(before)


def _in_bands(
    item: Item, number: str, width: float, tokens: tuple[Token, ...], profile: Profile, context: Context
) -> Computed:
    name = free_name(f"{number}_{tokens[item.end].lower}", profile)
    column = Token(name, TokenKind.QUOTED)
    labels = _labels(number, width, context)
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Bin(operand=Col(name=number), width=width, labelled=True)),
        question=text_of((*tokens[: item.start], column, *tokens[item.end + 1 :])),
        notes=(f"`{number}` is cut into intervals of {width:g}, because the question names no width.",),
        labels=len(labels),
        order=labels,
        required=True,
    )


def _groups(item: Item, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a number is grouped by, also behind another group: "by city and weight class"."""
    words = [token.lower for token in tokens[: item.start]]
    grouping = [any(isinstance(meaning, m.GroupWord) for meaning in context.lexicon.meanings(word)) for word in words]
    if words and words[-1] in vocabulary.lists["joined"]:
        return any(grouping)
    return bool(words) and (grouping[-1] or words[-1] in vocabulary.lists["which_band"])


def _has_limits(item: Item, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a question names a width or limits: "by age group of 10", "10-year age groups"."""
    of, number = tokens[item.end + 1 : item.end + 2], tokens[item.end + 2 : item.end + 3]
    wide = any(isinstance(meaning, m.Of) for token in of for meaning in context.lexicon.meanings(token.lower))
    first = item.start
    while first and (tokens[first - 1].lower in vocabulary.units or not tokens[first - 1].text[:1].isalnum()):
        first -= 1
    beside = (*tokens[max(0, first - 1) : first], *of, *(number if wide else ()))
    return any(token.kind is TokenKind.NUMBER for token in beside)


def _is_named_whole(item: Item, items: list[Item]) -> bool:
    """Tell whether a column is called by the noun as well, as `age_group` is."""
    return any(other.start <= item.start and other.end > item.end and other.cost <= item.cost for other in items)


def _round_width(name: str, context: Context) -> float | None:
    """Return the smallest width of 1, 2 or 5 and zeros that makes no more bands than fit; None for a label."""
    known = context.column(name)
    if not context.is_measure(name) or known.distinct <= FEW_VALUES:
        return None
    if not isinstance(known.minimum, int | float) or not isinstance(known.maximum, int | float):
        return None
    span = known.maximum - known.minimum
    if not math.isfinite(span) or span <= 0:
        return None
    tens = 10.0 ** (math.floor(math.log10(span)) - 1)
    widths = (step * tens for step in _ROUND)
    return next((width for width in widths if len(_lows(known.minimum, known.maximum, width)) <= MOST_BANDS), None)


def _lows(low: float, high: float, width: float) -> tuple[float, ...]:
    """Return where the intervals between two numbers begin."""
    return tuple(place * width for place in range(math.floor(low / width), math.floor(high / width) + 1))


def _labels(name: str, width: float, context: Context) -> tuple[str, ...]:
    """Return what the intervals are called in their order, as `Bin` calls them."""
    known = context.column(name)
    if not isinstance(known.minimum, int | float) or not isinstance(known.maximum, int | float):
        return ()
    lows = _lows(known.minimum, known.maximum, width)
    if context.type_of(name) is ColumnType.INTEGER and width == int(width):
        return tuple(f"{int(low)}–{int(low + width) - 1}" for low in lows)
    return tuple(f"{low:g} to <{low + width:g}" for low in lows)
