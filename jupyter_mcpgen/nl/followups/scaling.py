"""Scaling a column in its place before anything is asked of it: "standardise the price", "min-max normalise it"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.scaled import scaled
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.preparation import SURELY_A_NAME, Preparation, behind
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token


def begins_by_scaling(tokens: tuple[Token, ...], words: Mapping[str, Any]) -> bool:
    """Tell whether a clause begins with a verb that scales."""
    return behind(tokens, [*words["z_score"], *words["min_max"], *words["either"]]) is not None


def scaled_column(tokens: tuple[Token, ...], words: Mapping[str, Any], context: Context) -> Preparation | None:
    """Return "standardise the price" as the column with other values; None for anything else."""
    way = _way(tokens, words)
    rest = behind(tokens, [*words["z_score"], *words["min_max"], *words["either"]])
    if way is None or rest is None:
        return None
    named = [i for i in link(rest, context) if isinstance(i.meaning, m.Column) and i.cost <= SURELY_A_NAME]
    longest = max(named, key=lambda item: item.end - item.start, default=None)
    if longest is None or not isinstance(longest.meaning, m.Column):
        return None
    column = longest.meaning.name
    alike = [item.meaning for item in named if item.end - item.start == longest.end - longest.start]
    others = {meant.name for meant in alike if isinstance(meant, m.Column)}
    around = [token.lower for place, token in enumerate(rest) if not longest.start <= place < longest.end]
    known = {*words["around"], *words["z_words"], *words["min_max_words"]}
    if others != {column} or not context.is_measure(column) or not set(around) <= known:
        return None
    made = scaled(way, column, None, context.profile)
    return Preparation((*made.helping, made.step), (made.note,), column)


def _way(tokens: tuple[Token, ...], words: Mapping[str, Any]) -> str | None:
    said = {token.lower for token in tokens}
    for way in ("z_score", "min_max"):
        own = words["z_words" if way == "z_score" else "min_max_words"]
        if behind(tokens, words[way]) is not None or (behind(tokens, words["either"]) is not None and said & set(own)):
            return way
    ends_said = behind(tokens, words["either"]) is not None and said.issuperset(words["ends_of_min_max"])
    return "min_max" if ends_said else None
