"""The contract of a tool, with the seed's names and fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field, ModelWrapValidatorHandler, model_validator

from jupyter_mcpgen.model.record import Record

DATA_PARAMETER = "file_path"
OTHER_DATA_PARAMETER = "other_path"
DATA_PARAMETERS = (DATA_PARAMETER, OTHER_DATA_PARAMETER)
"""The parameters of tools that name their data; the second one only where a tool works on two tables."""

RESULT = "result"
"""What a value that is no table is called in the structured result of a tool."""

STATUS = "status"
"""What says, in the structured result of a tool that promises it, that the call succeeded (seed 002)."""


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

    @property
    def document(self) -> dict[str, Any]:
        """What `spec.json` says: the fields, and the annotation that follows from them."""
        return {**self.model_dump(mode="json"), "annotation": self.annotation}

    @model_validator(mode="wrap")
    @classmethod
    def _reads_documents(cls, given: Any, build: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(given, Mapping) or "annotation" not in given:
            return build(given)
        parameter = build({name: value for name, value in given.items() if name != "annotation"})
        if given["annotation"] != parameter.annotation:
            raise ValueError(f"the annotation of `{parameter.name}` does not say its type and description")
        return parameter


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

    @property
    def document(self) -> dict[str, Any]:
        """What `spec.json` says."""
        return {**self.model_dump(mode="json"), "parameters": [each.document for each in self.parameters]}
