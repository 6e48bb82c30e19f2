"""The contract of a tool, with the seed's names and fields."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from jupyter_mcpgen.model.record import Record

DATA_PARAMETER = "file_path"
OTHER_DATA_PARAMETER = "other_path"
DATA_PARAMETERS = (DATA_PARAMETER, OTHER_DATA_PARAMETER)
"""The parameters of tools that name their data; the second one only where a tool works on two tables."""

RESULT = "result"
"""What a value that is no table is called in the structured result of a tool."""


class ToolParameter(Record):
    """One parameter: its Python type as written, and the value used when the caller gives none."""

    name: str
    type: str
    description: str
    required: bool = True
    default: Any = None

    @property
    def annotation(self) -> str:
        """The annotation as it stands in the signature."""
        return f"Annotated[{self.type}, Field(description={self.description!r})]"


class ToolSpec(Record):
    """What a tool promises: name, schemas, parameters and the four documentation sections.

    `input_schema` and `output_schema` are JSON Schema (draft 2020-12) objects.
    """

    tool_name: str = Field(pattern=r"^[a-z_][a-z0-9_]*$", max_length=64)
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    parameters: tuple[ToolParameter, ...]
    return_type: str = "str"
    when_to_use: str
    what_it_does: str
    returns: str
    prerequisites: str
