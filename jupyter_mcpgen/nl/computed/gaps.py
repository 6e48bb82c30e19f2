"""The time from one row to the next as a column: "average time between calls", "longest gap between two orders"."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.own_dates import begun_at, own_date
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Col, TimeBetween, TimeUnit
from jupyter_mcpgen.plan.ops import Derive, SortKey, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

MOST_VALUES = 2
"""How many words may stand before the noun: "between outage calls"."""


@dataclass(frozen=True)
class _Gap:
    """Where a question says such a time, in which unit, and the words that narrow the rows."""

    start: int
    end: int
    unit: TimeUnit | None
    kept: tuple[Token, ...]


def gap_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the time since the row before, in the order of the rows' own date, where a question asks for it.

    It is taken within the groups that are asked for, and of the rows that are kept.
    """
    date = context.dates[0] if len(context.dates) == 1 else own_date(context) or begun_at(context)
    gap = _gap(tokens, vocabulary, context) if date is not None else None
    if gap is None or date is None or _asks_for_others(tokens[: gap.start], context):
        return None
    unit = gap.unit or (TimeUnit.HOURS if date in context.clocks else TimeUnit.DAYS)
    previous = free_name(f"previous_{date}", profile)
    name = free_name(f"{unit.value}_since_previous_row", profile)
    lag = Window(name=previous, function=WindowFunction.LAG, column=Col(name=date), order=SortKey(column=date))
    words = [text_of(_in_figures(tokens[: gap.start], vocabulary)), f"`{name}`"]
    if gap.kept:
        words += [vocabulary.words["of"], text_of(gap.kept)]
    words.append(text_of(tokens[gap.end :]))
    notes = [f"It is the time from one row to the next in the order of `{date}`, of each group where groups are named."]
    if gap.unit is None:
        notes.append(f"No unit was named: the time is in {unit.value}.")
    return Computed(
        name=name,
        type=ColumnType.INTEGER if unit.seconds is None else ColumnType.REAL,
        step=Derive(name=name, expression=TimeBetween(unit=unit, start=Col(name=previous), end=Col(name=date))),
        question=" ".join(word for word in words if word),
        notes=tuple(notes),
        unit=unit.value,
        adds_up=False,
        before=(lag,),
        is_within=True,
        required=True,
    )


def _asks_for_others(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a column is named before the phrase: "which client has the longest gap" is no gap of all rows."""
    return any(context.columns_with(context.plain(token.lower)) for token in tokens)


def _gap(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> _Gap | None:
    """Return the first place where a question says the time between rows."""
    said = [token.lower for token in tokens]
    for start in range(len(said)):
        for opening, one in (("gaps_between", False), ("gaps_since", True)):
            opened = _opened(said, start, opening, vocabulary)
            if opened is None:
                continue
            place, unit = opened
            while place < len(said) and said[place] in vocabulary.lists["before_next_rows"]:
                place += 1
            end = next((at for at in range(place, place + MOST_VALUES + 1) if _is_row(said, at, context)), None)
            if end is None or not all(word in context.value_parts for word in said[place:end]):
                continue
            behind = _behind(said, end + 1, vocabulary, one=one)
            if behind is not None:
                kept = tokens[place : end + 1] if end > place else ()
                return _Gap(start, behind, unit, kept)
    return None


def _opened(said: list[str], start: int, key: str, vocabulary: Vocabulary) -> tuple[int, TimeUnit | None] | None:
    """Return where an opening ends that begins at a word, and the unit that it names."""
    for phrase in sorted(vocabulary.lists[key], key=len, reverse=True):
        words = phrase.split()
        spoken = said[start : start + len(words)]
        units = [vocabulary.units.get(said_) for said_, word in zip(spoken, words, strict=False) if word == "@"]
        same = len(spoken) == len(words) and all(word in ("@", one) for one, word in zip(spoken, words, strict=True))
        if same and None not in units:
            return start + len(words), units[0] if units else None
    return None


def _is_row(said: list[str], place: int, context: Context) -> bool:
    return place < len(said) and context.plain(said[place]) in context.row_nouns


def _behind(said: list[str], place: int, vocabulary: Vocabulary, *, one: bool) -> int | None:
    """Return where the phrase ends behind the noun; None where another end follows: "between orders and deliveries"."""
    for phrase in vocabulary.lists["and_the_next"]:
        words = phrase.split()
        if said[place : place + len(words)] == words:
            end = place + len(words)
            return end + 1 if end < len(said) and said[end] == said[place - 1] else end
    joined = place < len(said) and said[place] in vocabulary.lists["joining_ends"]
    return None if joined and not one else place


def _in_figures(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> tuple[Token, ...]:
    """Say "longest" as "largest"."""
    words, lists = vocabulary.words, vocabulary.lists
    known = dict.fromkeys(lists["longest"], words["largest"]) | dict.fromkeys(lists["shortest"], words["smallest"])
    return tuple(Token(known.get(one.lower, one.text), TokenKind.WORD) if one.lower in known else one for one in tokens)
