"""The short forms in which one field calls its columns, such as the `PTS`, `AST` and `TRB` of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

ENOUGH = 5
"""So many columns must be called by the short forms of most fields: `min` and `pts` alone may be anybody's."""


@dataclass(frozen=True)
class Jargon:
    """How one field calls things: what each short name of a column means, and what is `said` of them in other words.

    Braces in these hold values that a table must have: "point guards" are `{pg} players`.
    """

    short: Mapping[str, str]
    said: Mapping[str, str] = field(default_factory=dict)
    on_average: Mapping[str, str] = field(default_factory=dict)
    """What counts with fractions are of, as no count has one: points of 21.4 are points per game."""
    enough: int = ENOUGH
    """From how many such columns on a table is of the field: nothing but weather has a single `tmax`."""


def jargon_of(names: Iterable[str], known: Sequence[Jargon]) -> Jargon:
    """Return the one field that most names are of; an empty one where there are few, or where two fit as well."""
    own = {_bare(name) for name in names}
    counted = [(len(own & jargon.short.keys()), jargon) for jargon in known]
    ranked = sorted((one for one in counted if one[0] >= one[1].enough), key=lambda one: -one[0])
    told_apart = ranked and [one[0] for one in ranked[1:2]] != [ranked[0][0]]
    return ranked[0][1] if told_apart else Jargon({})


def _bare(name: str) -> str:
    """Return a name in lower case without the unit that it has in brackets."""
    return name.partition("(")[0].strip().casefold()


def written_out_names(
    names: Iterable[str], jargon: Jargon, with_fractions: Callable[[str], bool] = lambda name: False
) -> Mapping[str, str]:
    """Return what columns stand for that are called by short forms, by their names.

    Counts `with_fractions` are averages. None whose words are another column's: `AST` are no assists beside `Assists`,
    and of `FG` and `FGM` neither is told.
    """
    called = {_bare(name): name for name in names}
    meant = {called[short]: words for short, words in jargon.short.items() if short in called}
    meant = {name: jargon.on_average.get(said, said) if with_fractions(name) else said for name, said in meant.items()}
    several = list(meant.values())
    return {name: words for name, words in meant.items() if words not in called and several.count(words) == 1}
