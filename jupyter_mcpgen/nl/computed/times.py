"""Times between two dates as columns: "days between order date and ship date", "age at hire"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.phrases import Found, find
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Col, Moment, TimeBetween, TimeUnit
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

_WITHOUT_UNIT = "No unit was named: the time is in days."


def time_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the time between two moments that a question asks for, or None."""
    if not context.dates:
        return None
    return _compared(tokens, profile, vocabulary, context) or _asked_for(tokens, profile, vocabulary, context)


def _asked_for(
    tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context
) -> Computed | None:
    tokens = _with_extremes(tokens, vocabulary, context)
    for key, before in (("how_long", vocabulary.words["average"]), ("between", ""), ("in_days", "")):
        found = find(key, tokens, vocabulary, context)
        if found is not None and found.first is not None and found.second is not None:
            notes = () if found.unit is not None else (_WITHOUT_UNIT,)
            return _made(found, (found.first, found.second), f"{before} {{}}", tokens, profile, notes)
    return _age(tokens, profile, vocabulary, context)


def _with_extremes(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> tuple[Token, ...]:
    """Say "longest" of a time as "largest"."""
    said = dict.fromkeys(vocabulary.lists["longest"], vocabulary.words["largest"])
    said |= dict.fromkeys(vocabulary.lists["shortest"], vocabulary.words["smallest"])
    return tuple(
        Token(said[token.lower], TokenKind.WORD)
        if token.lower in said and not context.columns_with(token.lower)
        else token
        for token in tokens
    )


def _age(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the age at a date, where one column has dates of birth."""
    births = [name for name in context.dates if set(context.column_words[name]) & set(vocabulary.lists["birth"])]
    if len(births) != 1:
        return None
    for key, words in (
        ("how_old", f"{vocabulary.words['average']} {{}}"),
        ("aged", f"{vocabulary.words['with']} {{}} {{number}}"),
        ("age", "{}"),
    ):
        found = find(key, tokens, vocabulary, context)
        at = (found.first or found.second) if found is not None else None
        if found is not None and at is not None and at != Col(name=births[0]):
            unit = found.unit or TimeUnit.YEARS
            return _made(found, (Col(name=births[0]), at), words, tokens, profile, (), vocabulary.words["age"], unit)
    return None


def _compared(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the time that a condition is about: "shipped more than 3 days after the order date"."""
    having = vocabulary.words["with"]
    for key, words in (
        ("counted", "{} {number}"),
        ("after", f"{having} {{}} {{number}}"),
        ("before", f"{having} {{}} {{number}}"),
        ("within", f"{having} {{}} {vocabulary.words['is_at_most']} {{number}}"),
    ):
        found = find(key, tokens, vocabulary, context)
        if found is None or found.first is None or found.second is None or found.first == found.second:
            continue
        ends = (found.second, found.first) if key == "before" else (found.first, found.second)
        return _made(found, ends, words, tokens, profile, ())
    return None


def _made(
    found: Found,
    ends: tuple[Moment, Moment],
    words: str,
    tokens: tuple[Token, ...],
    profile: Profile,
    notes: tuple[str, ...],
    called: str | None = None,
    unit: TimeUnit | None = None,
) -> Computed | None:
    start, end = ends
    if start == end or not (isinstance(start, Col) or isinstance(end, Col)):
        return None
    unit = unit or found.unit or TimeUnit.DAYS
    name = free_name(called or f"{unit.value}_from_{_name(start)}_to_{_name(end)}", profile)
    put = words.format(f"`{name}`", number=text_of(found.number))
    return Computed(
        name=name,
        type=ColumnType.INTEGER if unit.seconds is None else ColumnType.REAL,
        step=Derive(name=name, expression=TimeBetween(unit=unit, start=start, end=end)),
        question=f"{text_of(tokens[: found.start])} {put} {text_of(tokens[found.end :])}".strip(),
        notes=notes,
        unit=unit.value,
    )


def _name(moment: Moment) -> str:
    return moment.name if isinstance(moment, Col) else str(moment.value)
