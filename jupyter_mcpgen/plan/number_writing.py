"""How the texts of a column write numbers: one grammar, of which a writing names the parts that occur.

A text is a number with its sign, perhaps a prefix such as `$` before it, and perhaps a word that multiplies it, a
suffix such as `%` and a remark behind it. Other ways to write a sign, and what spreadsheets put around a number, are
rewritten first. Both engines read by the patterns that are made here, each with its own signs for a space and an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import model_validator

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.syntax import Syntax

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
Negative = Literal["()", "−", "5-", "$-5", "CR", "DR", "S", "H"]
SIDES = {"DR": "(?i:DR)", "CR": "(?i:CR)", "S": "S", "H": "H"}
"""Debits and credits, `S` and `H` in German, as they stand behind a number: the letters are capitals."""
IN_NOTES = "[]"
"""Among the remarks of a writing: anything in square brackets."""
_GROUPS = {
    "": "[0-9]+",
    ",": "(?:[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}|[0-9]+)",
    ".": r"(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)",
    "'": "(?:[0-9]{1,3}(?:['’][0-9]{3})+|[0-9]+)",
    " ": "(?:[0-9]{1,3}(?:{space}[0-9]{3})+|[0-9]+)",
}
"""Digits before the decimal mark by what stands between thousands; with commas, lakhs and crores too."""


@dataclass(frozen=True)
class Rewrite:
    """What is replaced in a text before its number is read; `plain` for a text as it is, not a pattern."""

    found: str
    by: str
    plain: bool = False


class NumberWriting(Node):
    """How numbers are written in a text: a sign, perhaps a prefix such as `$`, digits, perhaps a suffix such as `%`.

    Digits stand in groups with `thousands` between them, or in one run, and with an `exponent` perhaps `e+05` behind
    them. A word of `scales` after the digits multiplies them; `flags` are remarks behind a number that say nothing of
    its size, `spread` is for `1000 ± 28`, of which the first number counts. `negatives` are further ways to write that
    a number is negative: `(5)`, `5-`, `$-5`, `5 CR`, `5 S`, and a minus of its own. `wrapped` is for `'-5` and `="5"`,
    `fractions` for `1 1/2` and `1/2`; a fraction below zero is not read.
    """

    kind: Literal["number"] = "number"
    decimal: Literal[".", ","] = "."
    thousands: Literal[",", ".", " ", "'", ""] = ","
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    negatives: tuple[Negative, ...] = ()
    exponent: bool = False
    spread: bool = False
    wrapped: bool = False
    fractions: bool = False

    @model_validator(mode="after")
    def _unmistakable(self) -> NumberWriting:
        unknown = next((word for word in self.scales if word not in SCALES or word in self.suffixes), None)
        if unknown is not None:
            raise WrongType(f"`{unknown}` multiplies no number. Scales are: {', '.join(SCALES)}.")
        before = (_ABBREVIATION.sub(r"\1", prefix) for prefix in self.prefixes)
        affixes = (*before, *self.suffixes, *self.flags)
        wrong = next((one for one in affixes if _NO_AFFIX.search(one)), None)
        if wrong is not None or self.decimal == self.thousands or "" in affixes:
            raise WrongType(f"`{wrong or self.thousands}` cannot stand beside a number in a text: it is a part of it.")
        confusing = next((prefix for prefix in self.prefixes if self.exponent and "e" in prefix.lower()), None)
        if confusing is not None:
            raise WrongType(f"`{confusing}` cannot stand before numbers with exponents: its letter e would be one.")
        return self

    @property
    def kept(self) -> str:
        """What of a number in a text is kept, as a class of characters without its brackets."""
        return f"-0-9{self.decimal}{'eE' if self.exponent else ''}"

    def rewrites(self, syntax: Syntax) -> Iterator[Rewrite]:
        """Yield what is replaced before a number is read, one after the other."""
        space, end = syntax.space, syntax.end
        if self.wrapped:
            yield Rewrite(rf'^{space}*=\(?"(.*)"\)?{space}*{end}', r"\1")
            yield Rewrite(f"^{space}*'", "")
        if "−" in self.negatives:
            yield Rewrite("−", "-", plain=True)
        for prefix in self._dotted:
            yield Rewrite(rf"^{space}*([-+(]?){re.escape(prefix)}{space}*", r"\1")
        prefix = f"((?:{'|'.join(map(_literal, self._undotted))})?){space}*" if self._undotted else ""
        signed = r"-\1\2" if prefix else r"-\1"
        if "()" in self.negatives:
            yield Rewrite(rf"^{space}*{prefix}\((.*)\){space}*{end}", signed)
        if "5-" in self.negatives:
            yield Rewrite(rf"^{space}*([^-].*?){space}*-{space}*{end}", r"-\1")
        if "$-5" in self.negatives and prefix:
            yield Rewrite(rf"^{space}*{prefix}-{space}*(.*){end}", signed)
        for side, pattern in SIDES.items():
            if side in self.negatives:
                yield Rewrite(rf"^{space}*([^-].*?){space}*{pattern}{space}*{end}", r"-\1")
        if self.fractions:
            yield Rewrite(rf"^{space}*-[^/]*/[^/]*{end}", "")
            yield Rewrite(rf"^{space}*([0-9]+/[0-9])", rf"{self.decimal}0 \1")

    def pattern(self, syntax: Syntax) -> str:
        """Return a pattern whose group is the number with its sign, and with its prefix if there is one."""
        space, number = syntax.space, self._number(syntax)
        prefix = rf"{_any_of(self._undotted)}{space}*" if self._undotted else ""
        spread = rf"(?:{space}*(?:±|\+/-){space}*{number})?" if self.spread else ""
        scale = rf"{space}*(?:{'|'.join(self.scales)})?" if self.scales else ""
        fraction = rf"(?:{space}+[0-9]+/[1-9][0-9]*)?" if self.fractions else ""
        behind = self._behind(space)
        return rf"^{space}*([-+]?{prefix}{number}){fraction}{spread}{scale}{behind}{space}*{syntax.end}"

    @property
    def fraction_patterns(self) -> tuple[str, str]:
        """Patterns whose groups are the numerator and the denominator of a fraction."""
        return "([0-9]+)/[1-9]", "[0-9]/([1-9][0-9]*)"

    def scale_pattern(self, syntax: Syntax) -> str:
        """Return a pattern whose group is the word that multiplies a number."""
        space = syntax.space
        return rf"[0-9]{space}*({'|'.join(self.scales)}){self._behind(space)}{space}*{syntax.end}"

    def _number(self, syntax: Syntax) -> str:
        point, whole = re.escape(self.decimal), _GROUPS[self.thousands].replace("{space}", syntax.space)
        exponent = "(?:[eE][-+]?[0-9]{1,2})?" if self.exponent else ""
        return f"(?:{whole}(?:{point}[0-9]+)?|{point}[0-9]+){exponent}"

    def _behind(self, space: str) -> str:
        return "".join(rf"{space}*{_any_of(affixes)}" for affixes in (self.suffixes, self.flags) if affixes)

    @property
    def _dotted(self) -> tuple[str, ...]:
        """The prefixes that end with a point; they are taken away before the number is read."""
        return tuple(prefix for prefix in self.prefixes if prefix.endswith("."))

    @property
    def _undotted(self) -> tuple[str, ...]:
        return tuple(prefix for prefix in self.prefixes if not prefix.endswith("."))


def _any_of(affixes: tuple[str, ...]) -> str:
    escaped = [_literal(affix) for affix in affixes]
    return f"{escaped[0]}?" if len(affixes) == 1 == len(affixes[0]) else f"(?:{'|'.join(escaped)})?"


def _literal(affix: str) -> str:
    return r"\[[^\[\]]*\]" if affix == IN_NOTES else re.escape(affix)
