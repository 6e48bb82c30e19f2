"""Classes of a number by limits that a question names: "age groups 18-30, 31-50, 51+", "low (under 50) and high"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.classified import any_of, asked_of, column_before, column_behind, is_label
from jupyter_mcpgen.nl.computed.column import Computed, free_name
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import All, Case, Col, Compare, CompareOp, Lit, Predicate, When
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

_NUMBER = r"[$€£]?-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?[kK]?(?!\w)"
_OPENING = r"\s*[:=(]?\s*"
_CLOSING = re.compile(r"\s*\)")


@dataclass(frozen=True)
class _Class:
    """The limits of a class, whether each belongs to it, what it is called, and where it stands in the question."""

    low: float | None
    high: float | None
    holds_low: bool
    holds_high: bool
    label: str
    start: int
    end: int


def classes_in(question: str, profile: Profile, words: Mapping[str, Any], context: Context) -> Computed | None:
    """Return the class of a number as a column, where a question names two classes or more by their limits."""
    classes = _classes(question, words, context)
    if len(classes) < 2:
        return None
    head, tail = question[: classes[0].start], question[classes[-1].end :]
    column = column_before(head, words, context) or column_behind(head, tail, words, context)
    if column is None:
        return None
    name = free_name(f"{column.name}_{words['suffix']}", profile)
    asked = asked_of(column, _without_unit(tail[column.read :], column.name, context), f"`{name}`", words, context)
    classes = _without_gaps(classes) if context.type_of(column.name) is ColumnType.REAL else classes
    classes = _without_shared_ends(classes)
    if asked is None or len({one.label for one in classes}) < len(classes) or not _are_apart(classes):
        return None
    conditions = [_condition(column.name, one) for one in classes]
    branches = (
        When(condition=condition, value=Lit(value=one.label, type=ColumnType.TEXT))
        for one, condition in zip(classes, conditions, strict=True)
    )
    said = "; ".join(f"{one.label}: {say_predicate(c)}" for one, c in zip(classes, conditions, strict=True))
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=tuple(branches))),
        question=asked,
        notes=(words["note"].format(classes=said),),
        labels=len(classes),
        order=tuple(one.label for one in classes),
        required=True,
    )


def _without_unit(text: str, column: str, context: Context) -> str:
    """Return what follows the last limit without the unit of the column: "over 10 km and show …"."""
    unit, word = context.column(column).unit, text.split(maxsplit=1)
    own = context.plain((unit or "").casefold())
    return text.replace(word[0], "", 1) if unit and word and context.plain(word[0].casefold()) == own else text


def _limits(words: Mapping[str, Any]) -> re.Pattern[str]:
    one = {key: any_of(value) for key, value in words.items() if isinstance(value, list)}
    return re.compile(
        rf"(?:(?:{one['between']})\s+(?P<from>{_NUMBER})\s+(?:{one['and']})\s+(?P<until>{_NUMBER}))"
        rf"|(?P<low>{_NUMBER})\s*(?:{one['to']})\s*(?P<high>{_NUMBER})"
        rf"|(?P<or_more>{_NUMBER})\s*(?:{one['or_more']})|(?P<or_less>{_NUMBER})\s*(?:{one['or_less']})"
        rf"|(?<!\w)(?:{one['over']})\s*(?P<over>{_NUMBER})|(?<!\w)(?:{one['at_least']})\s*(?P<at_least>{_NUMBER})"
        rf"|(?<!\w)(?:{one['under']})\s*(?P<under>{_NUMBER})|(?<!\w)(?:{one['at_most']})\s*(?P<at_most>{_NUMBER})",
        re.IGNORECASE,
    )


def _classes(question: str, words: Mapping[str, Any], context: Context) -> tuple[_Class, ...]:
    """Return the classes of the longest list of limits, set apart by commas or "and".

    All but the first have a label, or none has one; a word that says or names something else is no label.
    """
    joined = rf"\s*[,;]?\s*(?:(?:{any_of(words['joining'])})\s+)?(?P<label>[^\W\d][\w-]*(?:\s+[\w-]+)*)?{_OPENING}"
    lists: list[list[_Class]] = [[]]
    for found in _limits(words).finditer(question):
        last = lists[-1][-1].end if lists[-1] else None
        gap = re.fullmatch(joined, question[last : found.start()], re.IGNORECASE) if last is not None else None
        label = (gap["label"] or "") if gap is not None else ""
        follows = gap is not None and (not label or is_label(label, words, context))
        if not follows or (len(lists[-1]) > 1 and bool(label) is not bool(lists[-1][-1].label)):
            lists.append([])
        lists[-1].append(_class(found, label if lists[-1] else "", question))
    return _labelled(max(lists, key=len), question, words, context)


def _class(found: re.Match[str], label: str, question: str) -> _Class:
    said = {key: _value(text) for key, text in found.groupdict().items() if text is not None}
    low = next((said[key] for key in ("from", "low", "or_more", "over", "at_least") if key in said), None)
    high = next((said[key] for key in ("until", "high", "or_less", "under", "at_most") if key in said), None)
    closing = _CLOSING.match(question, found.end())
    end = closing.end() if closing is not None else found.end()
    return _Class(low, high, "over" not in said, "under" not in said, label, found.start(), end)


def _value(text: str) -> float:
    return Token(text.lstrip("$€£"), TokenKind.NUMBER).number


def _labelled(classes: list[_Class], question: str, words: Mapping[str, Any], context: Context) -> tuple[_Class, ...]:
    """Give each class the name that is written before its limits, or the limits as they are written."""
    if len(classes) < 2:
        return ()
    if classes[1].label:
        first = re.search(rf"(?P<label>[^\W\d][\w-]*){_OPENING}$", question[: classes[0].start])
        if first is None or not is_label(first["label"], words, context):
            return ()
        return (replace(classes[0], label=first["label"], start=first.start()), *classes[1:])
    return tuple(replace(one, label=question[one.start : one.end].strip(" ()")) for one in classes)


def _without_gaps(classes: tuple[_Class, ...]) -> tuple[_Class, ...]:
    """Let a class of real numbers reach to the next one: 30.5 belongs to "18-30" where "31-50" follows."""
    begins = {one.low for one in classes if one.low is not None and one.holds_low}
    return tuple(
        replace(one, high=one.high + 1, holds_high=False)
        if one.high is not None and one.holds_high and one.high + 1 in begins and one.high not in begins
        else one
        for one in classes
    )


def _without_shared_ends(classes: tuple[_Class, ...]) -> tuple[_Class, ...]:
    """Give the value at which one class ends and another begins to the later one."""
    begins = {one.low for one in classes if one.low is not None and one.holds_low}
    return tuple(replace(one, holds_high=one.holds_high and one.high not in begins) for one in classes)


def _are_apart(classes: tuple[_Class, ...]) -> bool:
    """Tell whether no value belongs to two classes, and each may have one."""
    whole = all(one.low is None or one.high is None or one.low < one.high for one in classes)
    return whole and all(
        _ends_before(one, other) or _ends_before(other, one) for one, other in combinations(classes, 2)
    )


def _ends_before(one: _Class, other: _Class) -> bool:
    if one.high is None or other.low is None:
        return False
    return one.high < other.low or (one.high == other.low and not (one.holds_high and other.holds_low))


def _condition(column: str, one: _Class) -> Predicate:
    ends = (
        (one.low, CompareOp.GE if one.holds_low else CompareOp.GT),
        (one.high, CompareOp.LE if one.holds_high else CompareOp.LT),
    )
    terms = tuple(Compare(op=op, left=Col(name=column), right=number(end)) for end, op in ends if end is not None)
    return terms[0] if len(terms) == 1 else All(terms=terms)
