"""How a chart is dressed: its titles, how its bars stand, the scale of its axes. None of it changes a figure."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from jupyter_mcpgen.plan.schema import Node

LONGEST_TITLE = 120

_Title = Annotated[str, Field(max_length=LONGEST_TITLE)]


class Stack(StrEnum):
    """How bars of several colors stand on each other."""

    TOTAL = "total"
    """As they are: the height is their total."""
    SHARE = "share"
    """As shares of their total: all heights are equal."""


class Look(Node):
    """What a chart looks like beyond its kind and its columns; what is not said, the drawing decides."""

    title: _Title = ""
    x_title: _Title = ""
    y_title: _Title = ""
    stack: Stack | None = None
    lying: bool = False
    """True for bars that lie, however short their labels are."""
    log_x: bool = False
    log_y: bool = False

    @property
    def arguments(self) -> dict[str, str | bool]:
        """What was said, by the names that `toolkit.charts.vega_lite_chart` has for it."""
        return {name: value for name, value in self.model_dump(mode="json").items() if value}


PLAIN_LOOK = Look()
"""Nothing was said."""
