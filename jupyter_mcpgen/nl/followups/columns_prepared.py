"""What is done to columns before anything is computed: some are left out, and zeros of others are no values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.preparation import SURELY_A_NAME, Preparation, behind
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Case, Col, Columns, Compare, CompareOp, Lit, When
from jupyter_mcpgen.plan.ops import Derive, Select
from jupyter_mcpgen.plan.schema import ColumnType


def without_columns(tokens: tuple[Token, ...], words: Mapping[str, Any], context: Context) -> Preparation | None:
    """Return "the Cabin column", behind a verb that drops, as all the other columns; None for anything else."""
    said = {token.lower for token in tokens}
    names, around = _named(tokens, context)
    if not names or not said & set(words["nouns"]) or not set(around) <= {*words["nouns"], *words["around"]}:
        return None
    kept = tuple(name for name in context.profile.schema_.names if name not in names)
    note = words["note" if len(names) > 1 else "note_of_one"].format(columns=", ".join(f"`{name}`" for name in names))
    return Preparation((Select(columns=Columns(names=kept)),), (note,)) if kept else None


def without_zeros(tokens: tuple[Token, ...], words: Mapping[str, Any], context: Context) -> Preparation | None:
    """Return "treat zeros in Glucose and BMI as missing" as these columns without them; None for anything else."""
    rest = behind(tokens, words["verbs"])
    if rest is None:
        return None
    zero = [token for token in rest if token.kind is TokenKind.NUMBER and token.number == 0]
    names, around = _named(rest, context)
    said = [word for word in around if word not in {token.lower for token in zero}]
    zeros = bool(zero) or not set(said).isdisjoint(words["zeros"])
    known = {*words["zeros"], *words["missing"], *words["around"]}
    if not names or not zeros or set(said).isdisjoint(words["missing"]) or not set(said) <= known:
        return None
    if not all(context.type_of(name).is_number for name in names):
        return None
    notes = tuple(words["note"].format(column=name) for name in names)
    return Preparation(tuple(map(_without_zeros, names)), notes, names[0] if len(names) == 1 else None)


def begins_by_zeros(tokens: tuple[Token, ...], words: Mapping[str, Any]) -> bool:
    """Tell whether a clause begins with a verb that takes zeros for no values."""
    rest = behind(tokens, words["verbs"]) or ()
    said = {token.lower for token in rest}
    zeros = any(token.kind is TokenKind.NUMBER and token.number == 0 for token in rest) or said & {*words["zeros"]}
    return bool(zeros) and not said.isdisjoint(words["missing"])


def _without_zeros(name: str) -> Derive:
    some = Compare(op=CompareOp.NE, left=Col(name=name), right=Lit(value=0, type=ColumnType.INTEGER))
    return Derive(name=name, expression=Case(branches=(When(condition=some, value=Col(name=name)),)))


def _named(tokens: tuple[Token, ...], context: Context) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns that words name surely, the longest names first, and the words around them."""
    items = [i for i in link(tokens, context) if isinstance(i.meaning, m.Column) and i.cost <= SURELY_A_NAME]
    taken: set[int] = set()
    found: dict[int, str] = {}
    for item in sorted(items, key=lambda item: (item.start - item.end, item.start, item.cost)):
        places = set(range(item.start, item.end))
        if isinstance(item.meaning, m.Column) and not taken & places:
            taken |= places
            found[item.start] = item.meaning.name
    around = [token.lower for place, token in enumerate(tokens) if place not in taken]
    return tuple(dict.fromkeys(found[place] for place in sorted(found))), around
