"""What may be typed where in a command, read from its usage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_OPTION = re.compile(r"\|?(--[a-z-]+)(?: ([A-Z][A-Z|]*|[a-z]+(?:\|[a-z]+)+))?")
_REPEATED = "…"
_TEXTS = ("QUESTION", "SELECT")
"""What goes on to the end of what is typed."""


@dataclass(frozen=True)
class Places:
    """A command taken apart: each option with what it takes, and the ways in which words follow its name.

    A way is a sequence of elements, such as `NAME|PATH` or `allow|always`; an option that takes nothing has "".
    """

    options: Mapping[str, str]
    ways: tuple[tuple[str, ...], ...]
    first_is_optional: bool = False

    def elements_after(self, before: Sequence[str]) -> Iterator[str]:
        """Yield what may stand after these words, which have no options among them."""
        for way in self.ways:
            skipped = [way[1:]] if self.first_is_optional else []
            for elements in (way, *skipped):
                fits = all(_fits(element, word) for element, word in zip(elements, before, strict=False))
                if fits and len(before) < len(elements):
                    yield elements[len(before)]
                elif fits and elements and _goes_on(elements[-1]):
                    yield elements[-1]


def places_of(usage: str) -> Places:
    """Take apart how a command is written: `token [list | create TOKEN [--days N] | revoke TOKEN|ID]`."""
    _, _, written = usage.partition(" ")
    words = _OPTION.sub("", written)
    # an optional id is left out by most people, so that what follows it may come first
    first_is_optional = words.replace("[]", "").lstrip().startswith("[ID]")
    plain = words.replace(f" {_REPEATED}", _REPEATED).replace("[", "").replace("]", "")
    ways = tuple(tuple(way.split()) for way in plain.split(" | "))
    return Places(dict(_OPTION.findall(written)), ways, first_is_optional)


def alternatives(element: str) -> tuple[str, ...]:
    """Return the parts that an element is one of: `NAME…|all` is `NAME` or `all`."""
    whole = element.replace(_REPEATED, "")
    return (whole,) if "=" in whole else tuple(whole.split("|"))


def is_typed_so(part: str) -> bool:
    """Tell whether a part is typed as it is written, such as `always`, and stands for nothing else."""
    return part.islower() and "=" not in part


def _goes_on(element: str) -> bool:
    return _REPEATED in element or element in _TEXTS


def _fits(element: str, word: str) -> bool:
    parts = alternatives(element)
    return word in parts or not all(map(is_typed_so, parts))
