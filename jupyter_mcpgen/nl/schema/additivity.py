"""Whether the numbers of a column add up over rows, and why it seems so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Role
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.headers import HeaderWord
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary, Words
from jupyter_mcpgen.nl.text.morphology import Form
from jupyter_mcpgen.plan.schema import ColumnType

Judged = tuple["Additivity", str]


class Additivity(StrEnum):
    """What may be done with the values of a column over several rows."""

    ADDITIVE = "additive"
    """Amounts and counts, which add up over everything."""
    SEMI_ADDITIVE = "semi_additive"
    """Stocks, such as a population or a balance, which add up over everything but time."""
    RATIO = "ratio"
    """Rates, percentages and averages."""
    LEVEL = "level"
    """Measurements, such as a temperature or a price, which are averaged."""
    UNTOLD = "untold"
    """Numbers of which nothing says whether they add up."""
    RUNNING = "running"
    """Totals so far, of which only the last counts."""
    IDENTIFIER = "identifier"
    """Names of single rows or entities."""
    CODE = "code"
    """Numbers or texts that name one of several, such as a year or a post code."""
    NONE = "none"
    """Texts, dates, and yes or no."""


def judge_additivity(
    column: ColumnProfile,
    type_: ColumnType,
    words: Sequence[HeaderWord],
    lexicon: Lexicon,
    vocabulary: Vocabulary,
    *,
    money: bool,
    beside_new: bool,
) -> Judged:
    """Return whether a column adds up and why; `beside_new` says that another column has what is new in each row."""
    named = _judge_names(column, type_, words, vocabulary)
    if named is not None:
        return named
    if beside_new:
        return Additivity.RUNNING, "another column holds what is new in each row"
    return (
        _judge_whole_name(column, words, vocabulary)
        or _judge_head(words, vocabulary, timed=_unit_kind(column, lexicon) in vocabulary.additivity.time_units)
        or _judge_kind(column, lexicon, vocabulary, money=money)
        or _judge_forms(column, type_, words, lexicon)
    )


def find_running_totals(headers: Sequence[Sequence[HeaderWord]], vocabulary: Vocabulary) -> frozenset[int]:
    """Return the places of headers that run up what one other says is new: `total_calls` beside `new_calls`."""
    told = vocabulary.additivity
    new = Counter(rest for words in headers if (rest := _without(words, told.increments)))
    rests = [_without(words, told.running_beside_new) for words in headers]
    return frozenset(place for place, rest in enumerate(rests) if rest and new[rest] == 1)


def _without(words: Sequence[HeaderWord], left_out: Words) -> frozenset[str]:
    """Return what is left of a header without some words; nothing where it has none of them or only such."""
    rest = frozenset(word.base for word in words if word.known.isdisjoint(left_out))
    return rest if len(rest) < len({word.base for word in words}) else frozenset()


def _judge_names(
    column: ColumnProfile, type_: ColumnType, words: Sequence[HeaderWord], vocabulary: Vocabulary
) -> Judged | None:
    """Judge values that name something; None for measures."""
    code = not words[-1].known.isdisjoint(vocabulary.words.codes)
    if column.role is Role.IDENTIFIER and not _counts_up(type_, words, vocabulary):
        return (Additivity.CODE, "its values are codes") if code else (Additivity.IDENTIFIER, "its values are names")
    if type_ is ColumnType.TEXT and len(words) > 1 and words[-1].known & vocabulary.words.identifiers:
        return Additivity.IDENTIFIER, f"`{words[-1].text}` says that its values are names"
    if not type_.is_number:
        return (Additivity.CODE, "its values are codes") if code else (Additivity.NONE, f"its type is {type_}")
    if column.role is Role.CATEGORY:
        return Additivity.CODE, "its numbers name a part of the calendar or one of several places"
    if column.kind is Kind.ORDINAL:
        return Additivity.LEVEL, "its numbers are places in an order"
    return None


def _counts_up(type_: ColumnType, words: Sequence[HeaderWord], vocabulary: Vocabulary) -> bool:
    """Tell whether numbers that could number the rows are called as a measure, and not as an identifier."""
    told = vocabulary.additivity
    measures = told.additive | told.semi_additive | told.level | told.ratio | told.running
    named = words[-1].known & (vocabulary.words.identifiers | vocabulary.words.codes)
    return type_.is_number and not named and any(word.known & measures for word in words)


def _judge_whole_name(column: ColumnProfile, words: Sequence[HeaderWord], vocabulary: Vocabulary) -> Judged | None:
    """Judge by words that decide wherever they are in the name, and by units that are ratios."""
    told = vocabulary.additivity
    unit = (column.unit or "").casefold()
    if found := _first(words, told.running):
        return Additivity.RUNNING, f"`{found.text}` names a total so far"
    if any(_is(one, told.running_before) and _is(next_, told.running_beside_new) for one, next_ in pairwise(words)):
        return Additivity.RUNNING, "it is a total so far"
    if len(words) > 1 and words[0].text in told.of_one:  # `units_sold` are many
        return Additivity.LEVEL, f"`{words[0].text}` names what one has"
    if found := _first(words[1:-1], told.of_each):
        return Additivity.RATIO, f"`{found.text}` names an amount of each"
    if column.kind is Kind.PERCENT or unit == "%" or "/" in unit.strip("/"):
        return Additivity.RATIO, f"its unit is {column.unit}" if column.unit else "its values are percentages"
    if unit in told.level_units:
        return Additivity.LEVEL, f"{column.unit} is a unit of measurements"
    ratio = next((word for word in words if not {word.text, *word.full}.isdisjoint(told.ratio)), None)
    if ratio is not None:
        return Additivity.RATIO, f"`{ratio.text}` names a ratio or an average"
    if column.adds_up is not None:
        computed = Additivity.ADDITIVE if column.adds_up else Additivity.LEVEL
        return computed, "it was computed so"
    return None


def _judge_head(words: Sequence[HeaderWord], vocabulary: Vocabulary, *, timed: bool) -> Judged | None:
    """Judge by the noun that the others describe: the last that is known, before a preposition.

    A number or total of something is judged by what it is of. A stock measured in time (`timed`) is used up.
    """
    told = vocabulary.additivity
    spoken = [word for word in words if not word.aside]
    inner = next((place for place, word in enumerate(spoken) if word.function and place), len(spoken))
    counted: HeaderWord | None = None
    for word in (*reversed(spoken[:inner]), *spoken[inner:]):
        if _is(word, told.level):
            return Additivity.LEVEL, f"`{word.text}` is measured rather than added up"
        if _is(word, told.semi_additive):
            return _judge_stock(word, _first(words, told.increments), timed=timed)
        if _is(word, told.additive):
            counted = counted or word
            if word.heavy:
                break
    return (Additivity.ADDITIVE, f"`{counted.text}` names an amount or a count") if counted else None


def _judge_stock(stock: HeaderWord, moved: HeaderWord | None, *, timed: bool) -> Judged:
    if moved:
        return Additivity.ADDITIVE, f"`{moved.text}` names what came or went"
    if timed:
        return Additivity.ADDITIVE, f"it is the time of `{stock.text}`"
    return Additivity.SEMI_ADDITIVE, f"`{stock.text}` is a stock at a time"


def _judge_kind(column: ColumnProfile, lexicon: Lexicon, vocabulary: Vocabulary, *, money: bool) -> Judged | None:
    if column.kind in (Kind.DURATION, Kind.PLACE):
        return Additivity.LEVEL, f"its values are about a {column.kind}"
    if _unit_kind(column, lexicon) in vocabulary.additivity.amount_units:
        return Additivity.ADDITIVE, f"{column.unit} is a unit of amounts"
    return (Additivity.ADDITIVE, "its values are money") if money else None


def _judge_forms(column: ColumnProfile, type_: ColumnType, words: Sequence[HeaderWord], lexicon: Lexicon) -> Judged:
    """Judge by the forms of words: what was done has amounts, and whole numbers count what is in the plural."""
    done = next((word for word in words if word.heavy and _is_past(word, lexicon)), None)
    if done:
        return Additivity.ADDITIVE, f"`{done.text}` names what was done"
    last = next((word for word in reversed(words) if word.heavy), words[-1])
    if type_ is ColumnType.INTEGER and last.base != last.text:
        return Additivity.ADDITIVE, f"its whole numbers count `{last.text}`"
    if len(words) == 1 and column.unit == last.text != last.base:
        return Additivity.ADDITIVE, f"it is an amount of `{last.text}`"
    return Additivity.UNTOLD, "nothing says whether it adds up"


def _is_past(word: HeaderWord, lexicon: Lexicon) -> bool:
    forms = lexicon.morphology.analyses(word.text)
    return any(form is Form.PAST and lexicon.knows(lemma) for lemma, form in forms)


def _unit_kind(column: ColumnProfile, lexicon: Lexicon) -> str | None:
    unit = lexicon.unit(column.unit.casefold()) if column.unit else None
    return unit.kind if unit else None


def _is(word: HeaderWord, wanted: Words) -> bool:
    return not word.known.isdisjoint(wanted)


def _first(words: Sequence[HeaderWord], wanted: Words) -> HeaderWord | None:
    return next((word for word in words if _is(word, wanted)), None)
