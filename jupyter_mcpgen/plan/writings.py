"""All that the texts or numbers of a column can write; yes and no are here, each other way has a file of its own."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.schema import Node


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
