"""An active tool over a person's own tables: which columns it takes there, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.file_reading import own_parameters
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.pipeline.called import fits, shape_of_tool, use_with
from jupyter_mcpgen.pipeline.material import Material, load_all
from jupyter_mcpgen.pipeline.present import call_of
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.runtime import Runtime

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ToolOnData:
    """One tool over one table, or two: which columns it takes, and what it gives for some arguments."""

    runtime: Runtime
    tool: PromotedTool
    request: Request
    material: Material

    @cached_property
    def shape(self) -> Shape | None:
        """The plan that the tool is, or None where its code was written."""
        return shape_of_tool(self.tool, self.runtime.services)

    @property
    def defaults(self) -> dict[str, Any]:
        """The tool's own arguments."""
        return {each.name: each.default for each in own_parameters(self.tool.spec)}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table, or of both."""
        both = [self.material, *([self.material.other] if self.material.other is not None else [])]
        return tuple(dict.fromkeys(name for each in both for name in each.profile.schema_.names))

    def default(self, name: str) -> Any:
        """Return the tool's own value of a parameter."""
        return self.defaults[name]

    def takes_column(self, name: str) -> bool:
        """Tell whether a parameter names columns; of written code, where its own value is a column of this table."""
        if self.shape is not None:
            return any(each.name == name and each.is_column for each in self.shape.parameters)
        own = self.default(name)
        named = own if isinstance(own, list | tuple) else [own]
        return bool(named) and all(isinstance(each, str) and each in self.columns for each in named)

    def fits(self, arguments: Mapping[str, Any], name: str) -> bool:
        """Tell whether the tool takes these arguments, as far as the parameter `name` is concerned.

        What written code takes is only known when it runs; a column of the type of its own is offered.
        """
        if self.shape is not None:
            return fits(self.shape, arguments, self.material)
        types = {field.name: field.type for field in self.material.profile.schema_.fields}
        own, given = self.default(name), arguments[name]
        first_own, first = (each[0] if isinstance(each, list | tuple) else each for each in (own, given))
        return types.get(first) is types.get(first_own) or (
            first in types and first_own in types and types[first].is_number and types[first_own].is_number
        )

    def call(self, arguments: Mapping[str, Any]) -> tuple[Card | None, pd.DataFrame]:
        """Return what the tool gives, and the card of it where the tool is a plan.

        Raises `PlanError` for arguments that do not fit the table, and `ToolFailed` with why.
        """
        if self.shape is None:
            request = self.request
            return None, self.runtime.run_tool(self.tool.name, request.data, arguments, request.other)
        asked = self.runtime.conversation.request(
            call_of(self.tool.name, self.tool.spec, arguments), self.request.data, self.request.other
        )
        services = self.runtime.services
        reused = use_with(self.tool, self.shape, arguments, asked, self.material, services)
        if reused.trial.result is None:
            raise ToolFailed(reused.trial.evidence[0].sentence)
        return self.runtime.reused_card(reused), reused.trial.result


def tool_on_data(name: str, runtime: Runtime, data: DataRef, other: DataRef | None = None) -> ToolOnData:
    """Return an active tool over a table, or two, to be called with several arguments."""
    request = runtime.conversation.request(name, data, other)
    return ToolOnData(runtime, runtime.registry.tool(name), request, load_all(request, runtime.services))
