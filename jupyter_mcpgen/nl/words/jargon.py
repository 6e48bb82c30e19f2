"""The short forms in which one field calls its columns, such as the `PTS`, `AST` and `TRB` of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

ENOUGH = 5
"""So many columns must be called by the short forms of a field: `min` and `pts` alone may be anybody's."""


@dataclass(frozen=True)
class Jargon:
    """How one field calls things: what each short name of a column means, and what is `said` of them in other words.

    Braces in these hold values that a table must have: "point guards" are `{pg} players`.
    """

    short: Mapping[str, str]
    said: Mapping[str, str] = field(default_factory=dict)


def jargon_of(names: Iterable[str], known: Sequence[Jargon]) -> Jargon:
    """Return the one field that most names are of; an empty one where there are few, or where two fit as well."""
    own = {name.strip().casefold() for name in names}
    ranked = sorted(known, key=lambda jargon: -len(own & jargon.short.keys()))
    fitting = [len(own & jargon.short.keys()) for jargon in ranked]
    return Jargon({}) if not ranked or fitting[0] < ENOUGH or fitting[1:2] == fitting[:1] else ranked[0]


def written_out_names(names: Iterable[str], jargon: Jargon) -> Mapping[str, str]:
    """Return what columns stand for that are called by short forms, by their names.

    None whose words are another column's: `AST` are no assists beside `Assists`, and of `FG` and `FGM` neither is told.
    """
    called = {name.strip().casefold(): name for name in names}
    meant = {called[short]: words for short, words in jargon.short.items() if short in called}
    several = list(meant.values())
    return {name: words for name, words in meant.items() if words not in called and several.count(words) == 1}
