"""A file without flaws that the linters look at once, so that they know what most tools import."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import json
import re
import typing

__all__ = ["collections", "dataclasses", "datetime", "json", "re", "typing"]


@dataclasses.dataclass(frozen=True)
class Share:
    """A part of a whole."""

    part: float
    whole: float

    def in_percent(self, digits: int = 1) -> str:
        """Return the share as a person reads it."""
        return f"{round(100 * self.part / self.whole, digits)} %" if self.whole else "none"


def shares(parts: typing.Mapping[str, float]) -> dict[str, str]:
    """Return the share of each part in all of them, the largest first."""
    whole = sum(parts.values())
    ordered = sorted(parts.items(), key=lambda item: (-item[1], item[0]))
    return {name: Share(part, whole).in_percent() for name, part in ordered}
