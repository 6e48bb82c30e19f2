"""How the texts of a column write numbers, and true and false; dates have `date_formats`, counted moments `moments`."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, model_validator

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.schema import Node

_NO_AFFIX = re.compile(r"[-+.,'0-9]|[^\x20-\U0010ffff]|[\x7f-\x9f]|^\s|\s$")
"""What would be taken for a part of a number, or cannot be printed."""
_ABBREVIATION = re.compile(r"^([A-Za-z]+)\.$")
"""A prefix such as `Rs.`: its point is no part of the number."""

SCALES = {
    **dict.fromkeys(("k", "K", "thousand", "Tsd"), 1e3),
    **dict.fromkeys(("M", "mn", "mln", "Mio", "mio", "million", "Million", "Millionen"), 1e6),
    **dict.fromkeys(("B", "bn", "Bn", "Mrd", "billion", "Billion", "Milliarden"), 1e9),
    **dict.fromkeys(("tn", "trillion", "Trillion"), 1e12),
}
"""Words after a number that multiply it."""


class NumberWriting(Node):
    """How numbers are written in a text: a sign, perhaps a prefix such as `$`, digits, perhaps a suffix such as `%`.

    Digits stand in groups of three with `thousands` between them, or in one run. A word of `scales` after the digits
    multiplies them. `negatives` are further ways to write that a number is negative: `(5)`, and a minus of its own.
    """

    kind: Literal["number"] = "number"
    decimal: Literal[".", ","] = "."
    thousands: Literal[",", ".", " ", "'", ""] = ","
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    negatives: tuple[Literal["()", "−"], ...] = ()

    @model_validator(mode="after")
    def _unmistakable(self) -> NumberWriting:
        unknown = next((word for word in self.scales if word not in SCALES or word in self.suffixes), None)
        if unknown is not None:
            raise WrongType(f"`{unknown}` multiplies no number. Scales are: {', '.join(SCALES)}.")
        affixes = (*(_ABBREVIATION.sub(r"\1", prefix) for prefix in self.prefixes), *self.suffixes)
        wrong = next((affix for affix in affixes if _NO_AFFIX.search(affix)), None)
        if wrong is not None or self.decimal == self.thousands or "" in (*self.prefixes, *self.suffixes):
            raise WrongType(f"`{wrong or self.thousands}` cannot stand beside a number in a text: it is a part of it.")
        return self


class TruthWriting(Node):
    """The words for true and for false, in lower case; capitals in the text do not matter."""

    kind: Literal["truth"] = "truth"
    true: tuple[str, ...] = Field(min_length=1)
    false: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _in_lower_case(self) -> TruthWriting:
        words = (*self.true, *self.false)
        if len(set(words)) < len(words) or any(not word.isascii() or word != word.lower() for word in words):
            raise WrongType("The words for true and false are different ones, in lower case.")
        return self


Writing = Annotated[
    NumberWriting | DateWriting | TruthWriting | CountedWriting | DigitsWriting | ZonedWriting | ClockWriting,
    Field(discriminator="kind"),
]
