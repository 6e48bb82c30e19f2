"""The parts of a reading as a page shows them, and what may stand in each."""

from __future__ import annotations

from jupyter_mcpgen.model.record import Record


class ReadingPart(Record):
    """One part of a reading: the key that a change names it by, what it is called, and what stands in it."""

    key: str
    label: str
    value: str


class PartChoice(Record):
    """Something that may stand in a part; `value` is what a change sends."""

    value: str
    label: str
    chosen: bool = False


class PartChoices(Record):
    """What may stand in a part. With `several` more than one may, with `typed` a person may also write a value.

    A part that `may_go` may be left empty; `gone` says what that means. Where there are `comparisons`, a choice, one of
    them and a typed value make one value: `harbor = Ness`.
    """

    part: ReadingPart
    choices: tuple[PartChoice, ...]
    several: bool = False
    typed: bool = False
    may_go: bool = False
    gone: str = ""
    comparisons: tuple[str, ...] = ()
