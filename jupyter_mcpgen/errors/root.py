"""The root of the tree of exceptions, and what their messages share: the offer of the nearest known name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `" Did you mean `x`?"` for the nearest known name, or an empty string."""
    by_folded = {name.casefold(): name for name in known}
    near = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean `{by_folded[near[0]]}`?" if near else ""


class McpgenError(Exception):
    """The root of every failure that is ours."""
