"""What of a reading can be changed on its card, what may stand in each part, and the reading after a change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jupyter_mcpgen.errors import DecisionError, PlanError
from jupyter_mcpgen.model.intent import Alternative, Intent
from jupyter_mcpgen.model.parts import PartChoice, PartChoices, ReadingPart
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.plan.additions import Addition, added, additions_to, choices_to_add
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_measures import say_function
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.parts import Part, PartKind, changed, choices_for, parts_of
from jupyter_mcpgen.plan.periods import said_period
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.visible import name_in_words

MOST_CHOICES = 500
"""Of the values of a column; a person types the others."""
_SIGNS = {
    CompareOp.EQ: "=",
    CompareOp.NE: "≠",
    CompareOp.LT: "<",
    CompareOp.LE: "≤",
    CompareOp.GT: ">",
    CompareOp.GE: "≥",
}
_GONE = {
    PartKind.COMPARISON: "without this condition",
    PartKind.COLUMNS: "no groups",
    PartKind.LIMIT: "all rows",
    PartKind.ORDER: "no order",
}
_ADDED = {Addition.CONDITION: "+ condition", Addition.ORDER: "+ order", Addition.LIMIT: "+ limit"}
_SEVERAL = frozenset({PartKind.COLUMNS, PartKind.VALUES})
_TYPED = frozenset({PartKind.VALUE, PartKind.VALUES, PartKind.LIMIT})


def shown_parts(intent: Understood) -> tuple[ReadingPart, ...]:
    """Return the parts of a reading that can be changed; of written code none."""
    if not isinstance(intent, Intent):
        return ()
    return (*map(_shown, parts_of(intent.plan)), *map(_shown_addition, additions_to(intent.plan)))


def choices_of(intent: Understood, key: str, profile: Profile) -> PartChoices:
    """Return what may stand in a part of a reading; raises `DecisionError` for a part that it does not have."""
    plan = _planned(intent).plan
    if key in additions_to(plan):
        return _choices_to_add(plan, Addition(key))
    part = _part(plan, key)
    values = [*choices_for(plan, part), *_values_of(part, profile)]
    chosen = tuple(map(_text, part.value))
    listed = dict.fromkeys((*values, *(each for each in chosen if part.kind not in (PartKind.VALUE, PartKind.LIMIT))))
    return PartChoices(
        part=_shown(part),
        choices=tuple(PartChoice(value=v, label=_label(part, v), chosen=v in chosen) for v in listed),
        several=part.kind in _SEVERAL,
        typed=part.kind in _TYPED,
        may_go=part.may_go,
        gone=_GONE.get(part.kind, ""),
    )


def with_parts(intent: Understood, parts: Mapping[str, Sequence[str]]) -> Intent:
    """Return a reading with other values in some of its parts; the reading before is one of its alternatives.

    Of its assumptions those go that speak of a column which is no longer used. Raises `DecisionError`.
    """
    before = _planned(intent)
    plan = before.plan
    for key, values in parts.items():
        try:
            if key in additions_to(plan):
                plan = added(plan, Addition(key), next(iter(values), ""))
            else:
                part = _part(plan, key)
                plan = changed(plan, key, [_value(part, text) for text in values])
        except PlanError as error:
            raise DecisionError(f"The reading was not changed: {error}") from error
    if plan == before.plan:
        raise DecisionError("Nothing was changed: the reading has these values already.")
    gone = used_columns(before.plan) - used_columns(plan)
    assumptions = tuple(each for each in before.assumptions if not _speaks_of(each, gone))
    others = tuple(each for each in before.alternatives if each.plan != plan)
    reading = say_plan(plan)
    chosen = Alternative(label=reading, reading=reading, plan=plan, assumptions=assumptions)
    return before.replace(alternatives=others).picked(chosen)


def _planned(intent: Understood) -> Intent:
    if isinstance(intent, Intent):
        return intent
    raise DecisionError("The code of this answer was written, so it has no parts to change. `edit` changes the code.")


def _part(plan: Plan, key: str) -> Part:
    parts = parts_of(plan)
    for part in parts:
        if part.key == key:
            return part
    keys = [*(part.key for part in parts), *(addition.value for addition in additions_to(plan))]
    known = ", ".join(f"`{key}`" for key in keys) or "none"
    raise DecisionError(f"This reading has no part `{key}`. Parts: {known}.")


def _shown(part: Part) -> ReadingPart:
    words = re.sub(r"(_columns?)?(_\d+)?$", "", part.key).replace("_", " ")
    label = "rows" if part.kind is PartKind.LIMIT else words
    shown = ", ".join(_label(part, _text(value)) for value in part.value)
    return ReadingPart(key=part.key, label=label, value=shown or _GONE.get(part.kind, ""))


def _shown_addition(addition: Addition) -> ReadingPart:
    return ReadingPart(key=addition.value, label=_ADDED[addition], value="")


def _choices_to_add(plan: Plan, addition: Addition) -> PartChoices:
    choices = choices_to_add(plan, addition)
    return PartChoices(
        part=_shown_addition(addition),
        choices=tuple(PartChoice(value=choice, label=name_in_words(choice)) for choice in choices),
        typed=addition is not Addition.ORDER,
        comparisons=tuple(_SIGNS.values()) if addition is Addition.CONDITION else (),
    )


def _label(part: Part, value: str) -> str:
    match part.kind:
        case PartKind.COMPARISON:
            return _SIGNS[CompareOp(value)]
        case PartKind.PERIOD:
            return said_period(value)
        case PartKind.CALCULATION:
            return say_function(AggregateFunction(value))
        case _:
            return name_in_words(value)


def _values_of(part: Part, profile: Profile) -> Iterable[str]:
    """Yield the values of the column that a part is compared with, the most frequent first."""
    if part.value_type == "bool":
        yield from ("true", "false")
    elif part.value_type == "str" and part.about is not None:
        columns = (column for column in profile.columns if column.name == part.about)
        yield from (str(value) for column in columns for value in column.values[:MOST_CHOICES])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _value(part: Part, text: str) -> Any:
    """Return a value of the type of a part; raises `DecisionError` for a text that is none."""
    if part.value_type == "str":
        return text
    is_truth = part.value_type == "bool"
    try:
        value = json.loads(text.strip())
    except ValueError:
        value = None
    if isinstance(value, bool) is not is_truth or not isinstance(value, bool | int | float):
        what = "true or false" if is_truth else "a number"
        raise DecisionError(f"`{part.key}` must be {what}, not `{name_in_words(text)}`.")
    return value


def _speaks_of(sentence: str, columns: Iterable[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) for name in columns)
