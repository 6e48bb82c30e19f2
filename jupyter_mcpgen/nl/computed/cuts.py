"""A number cut into classes of equal width, or of equally many rows: "bin age into quartiles and count each"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.classified import (
    Classified,
    any_of,
    asked_of,
    column_before,
    column_behind,
    is_label,
)
from jupyter_mcpgen.nl.computed.column import Computed, free_name, has_finite_ends
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Compare,
    CompareOp,
    Expression,
    Lit,
    When,
)
from jupyter_mcpgen.plan.ops import Derive, Step, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

MOST_CLASSES = 12
_LABEL = r"(?:\"[^\"]{1,30}\"|'[^']{1,30}'|[^\W\d][\w-]*(?:\s[^\W\d][\w-]*)??)"
_BETWEEN = r"\s*(?:,\s*(?:{joining})\s+|,\s*|/\s*|\s(?:{joining})\s+)"


@dataclass(frozen=True)
class Cut:
    """A number that is cut, into how many classes of which kind, what they are called, and what is asked of them."""

    column: Classified
    count: int
    kind: str
    noun: str
    labels: tuple[str, ...]
    behind: str
    said: str
    is_plain: bool
    """True where the question says of what the classes are equal."""


def cut_in(question: str, profile: Profile, words: Mapping[str, Any], context: Context) -> Computed | None:
    """Return the class of a number as a column, where classes are named or hold equally many rows."""
    words = _with_quantiles(words)
    cut = _cut(question, words, context)
    if cut is None or cut.kind == "unclear" or (cut.kind == "width" and not cut.labels):
        return None
    name = free_name(f"{cut.column.name}_{cut.noun}", profile)
    asked = asked_of(cut.column, cut.behind, f"`{name}`", words, context)
    if asked is None:
        return None
    own = words["cuts"]
    labels = cut.labels or tuple(own["label"].format(noun=cut.noun, place=i + 1) for i in range(cut.count))
    helping, limits, op = _limits_of(cut, profile)
    of, last = Col(name=cut.column.name), CompareOp.GE if op is CompareOp.LT else CompareOp.GT
    tests = [Compare(op=op, left=of, right=limit) for limit in limits]
    tests.append(Compare(op=last, left=of, right=limits[-1]))
    branches = (
        When(condition=test, value=Lit(value=label, type=ColumnType.TEXT))
        for test, label in zip(tests, labels, strict=True)
    )
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=tuple(branches))),
        question=asked,
        notes=(own[f"note_{cut.kind}"].format(column=cut.column.name, count=cut.count, labels=", ".join(labels)),),
        labels=len(labels),
        order=labels,
        before=helping,
        required=True,
    )


def in_equal_widths(question: str, words: Mapping[str, Any], context: Context) -> tuple[str, str] | None:
    """Return a question for classes of equal width without names as one that asks for bins, and what is assumed."""
    cut = _cut(question, words, context)
    if cut is None or cut.kind != "width" or cut.labels:
        return None
    bins = words["cuts"]["bins"].format(column=cut.column.name, count=cut.count)
    asked = asked_of(cut.column, cut.behind, bins, words, context)
    note = "" if cut.is_plain else words["cuts"]["assumed"].format(said=cut.said)
    return None if asked is None else (asked, note)


def unclear_cut(question: str, words: Mapping[str, Any], context: Context) -> Refused | None:
    """Refuse "three equal groups" of a number, which may be equally wide or hold equally many rows."""
    cut = _cut(question, words, context)
    if cut is None or cut.kind != "unclear" or asked_of(cut.column, cut.behind, "", words, context) is None:
        return None
    return Refused(words["cuts"]["unclear_refused"].format(said=cut.said, count=cut.count, column=cut.column.name))


def _limits_of(cut: Cut, profile: Profile) -> tuple[tuple[Step, ...], list[Expression], CompareOp]:
    """Return the figures that the limits are made of, the limits, and how a value of a lower class compares."""
    of = Col(name=cut.column.name)
    if cut.kind == "parts":
        steps = tuple(
            Window(
                name=free_name(f"limit_{place}_of_{cut.column.name}", profile),
                function=WindowFunction.QUANTILE,
                column=of,
                fraction=place / cut.count,
            )
            for place in range(1, cut.count)
        )
        return steps, [Col(name=step.name) for step in steps], CompareOp.LE
    low, high = (
        Window(name=free_name(f"{function.value}_of_{cut.column.name}", profile), function=function, column=of)
        for function in (WindowFunction.MIN, WindowFunction.MAX)
    )
    first, last = Col(name=low.name), Col(name=high.name)
    span = Arithmetic(op=ArithmeticOp.SUBTRACT, left=last, right=first)
    parts = (
        Arithmetic(
            op=ArithmeticOp.DIVIDE,
            left=Arithmetic(op=ArithmeticOp.MULTIPLY, left=span, right=number(place)),
            right=number(cut.count),
        )
        for place in range(1, cut.count)
    )
    limits: list[Expression] = [Arithmetic(op=ArithmeticOp.ADD, left=first, right=part) for part in parts]
    return (low, high), limits, CompareOp.LT


def _cut(question: str, words: Mapping[str, Any], context: Context) -> Cut | None:
    """Return the first cut of a number that a question asks for: made by a verb, or grouped by."""
    own = words["cuts"]
    said = question.casefold()
    if not any(noun in said for noun in words["nouns"]):
        return None
    for found in _pattern(words).finditer(question):
        quantiles = own["quantiles"].get(found["noun"].lower())
        said_count = _count(found["count"], context) if found["count"] else None
        begin = found.start() if found["count"] is None or said_count else found.end("count")
        count = said_count or quantiles
        if count is None or not 2 <= count <= MOST_CLASSES or (quantiles and count != quantiles):
            continue
        kind = _kind(found, own)
        labels, end = _labels(question, found.end(), count, words, context)
        labels = _rising(labels, own)
        head, tail = question[:begin], question[end:]
        column = column_before(head, words, context) or column_behind(head, tail, {**words, **own["leads"]}, context)
        if column is None or kind is None or not context.is_measure(column.name):
            continue
        if not has_finite_ends(column.name, context):
            continue
        if not found["into"] and not (column.before and column.before[-1].lower in words["before"]):
            continue
        noun = own["singular"].get(found["noun"].lower(), found["noun"].lower())
        is_plain = found["width"] is not None or found["width_behind"] is not None
        said = question[found.start() : end].strip()
        return Cut(column, count, kind, noun, labels, tail[column.read :], said, is_plain)
    return None


def _with_quantiles(words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return words about classes with those for equally many rows among their nouns."""
    return {**words, "nouns": [*words["nouns"], *words["cuts"]["quantiles"]]}


def _pattern(words: Mapping[str, Any]) -> re.Pattern[str]:
    """Return a pattern for "into four equal-width bins", "into quartiles", and "quartile" alone."""
    own = words["cuts"]
    one = {key: any_of(own[key]) for key in ("width", "parts", "unclear", "bins_nouns")}
    kinds = "|".join(f"(?P<{key}>{one[key]})" for key in ("width", "parts", "unclear"))
    behind = "|".join(f"(?P<{key}_behind>{any_of(own[f'{key}_behind'])})" for key in ("width", "parts"))
    nouns = any_of(words["nouns"])
    return re.compile(
        rf"(?<!\w)(?P<into>(?:{any_of(own['into'])})\s+)?(?:(?P<count>\w+)\s+)?(?:(?:{kinds})\s+)?(?P<noun>{nouns})"
        rf"(?:\s+(?:{behind}))?",
        re.IGNORECASE,
    )


def _kind(found: re.Match[str], own: Mapping[str, Any]) -> str | None:
    """Return the kind of the classes: "width", "parts" or "unclear"; None where they are no classes of a number."""
    noun = found["noun"].lower()
    if noun in own["quantiles"] or found["parts"] or found["parts_behind"]:
        return "parts"
    if found["into"] is None:
        return None
    if found["width"] or found["width_behind"]:
        return "width"
    if found["unclear"]:
        plain = found["unclear"].lower() in own["equal"] and noun in own["bins_nouns"]
        return "width" if plain else "unclear"
    return "width" if found["count"] and noun in own["bins_nouns"] else None


def _count(word: str, context: Context) -> int | None:
    said = [meant.value for meant in context.lexicon.meanings(word.lower()) if isinstance(meant, m.Number)]
    value = int(word) if word.isdigit() and len(word) < 3 else said[0] if said else None
    return value if isinstance(value, int) else None


def _labels(
    question: str, start: int, count: int, words: Mapping[str, Any], context: Context
) -> tuple[tuple[str, ...], int]:
    """Return what the classes are called, where that follows them, and where it ends."""
    between = _BETWEEN.format(joining=any_of(words["joining"]))
    named = any_of(words["cuts"]["called"])
    listed = between.join(f"(?P<l{place}>{_LABEL})" for place in range(count))
    found = re.compile(rf"\s*[,:(]?\s*(?:(?:{named})\s*[:(]?\s*)?{listed}(?!\w)\s*\)?", re.IGNORECASE).match(
        question, start
    )
    labels = tuple(found[f"l{place}"].strip("\"'") for place in range(count)) if found is not None else ()
    if found is None or len(set(labels)) < count or not all(is_label(label, words, context) for label in labels):
        return (), start
    return labels, found.end()


def _rising(labels: tuple[str, ...], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return names of classes, that of the smallest values first, also where they are told from the highest down."""
    if not labels:
        return ()
    first, last = ({word.casefold() for word in re.split(r"[\s_-]", label)} for label in (labels[0], labels[-1]))
    falls = first & set(own["high"]) or last & set(own["low"])
    return labels[::-1] if falls and not (first & set(own["low"]) or last & set(own["high"])) else labels
