"""The root of the tree of exceptions, and what their messages share: the offer of the nearest known name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from os.path import splitext


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `" Did you mean `x`?"` for the nearest known name, or an empty string.

    An ending that both have, such as `.csv`, makes two names no more alike.
    """
    stem, ending = splitext(word.casefold())
    by_stem, by_name = dict[str, str](), dict[str, str]()
    for name in known:
        folded = name.casefold()
        if ending and folded.endswith(ending):
            by_stem[folded.removesuffix(ending)] = name
        else:
            by_name[folded] = name
    for said, names in ((stem, by_stem), (stem + ending, by_name)):
        if near := get_close_matches(said, names, n=1, cutoff=0.6):
            return f" Did you mean `{names[near[0]]}`?"
    return ""


class McpgenError(Exception):
    """The root of every failure that is ours."""
