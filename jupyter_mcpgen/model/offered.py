"""A tool that an AI client offers: what it says of the tool, and the code (seed 002, tool specification)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from jupyter_mcpgen.model.record import Record

NAME_PATTERN = r"^[a-z_][a-z0-9_]*$"
VERSION_PATTERN = r"^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}$"
"""What a client may ask for; versions that follow may be longer."""
CAPABILITY_PATTERN = r"^cap:[a-z]+(\.[a-z][a-z0-9_]*)*$"
MOST_SOURCE = 10_000
"""How many characters the code of an offered tool may have."""

ToolName = Annotated[str, Field(pattern=NAME_PATTERN, max_length=64)]
Version = Annotated[str, Field(pattern=VERSION_PATTERN)]
Description = Annotated[str, Field(min_length=10, max_length=500)]
Author = Annotated[str, Field(min_length=1, max_length=100)]
Source = Annotated[str, Field(min_length=1, max_length=MOST_SOURCE)]
Capability = Annotated[str, Field(pattern=CAPABILITY_PATTERN, max_length=100)]
Words = Annotated[str, Field(min_length=1, max_length=1_000)]
JsonType = Literal["string", "number", "integer", "boolean", "array", "object", "any"]


class SaidParameter(Record):
    """What a client says of one parameter; what it leaves out follows from the code."""

    name: ToolName
    type: JsonType | None = None
    description: Words | None = None
    required: bool | None = None
    default: Any = None
    enum: tuple[Any, ...] | None = None


class OfferedParameter(Record):
    """One parameter of an offered tool."""

    name: ToolName
    type: JsonType
    description: Words
    required: bool = True
    default: Any = None
    enum: tuple[Any, ...] | None = None

    def said(self, said: SaidParameter) -> OfferedParameter:
        """Return the parameter as the code has it, with what a client says of it."""
        return self.replace(**{name: value for name, value in said if value is not None})


class OfferedResult(Record):
    """What a client says a tool gives."""

    type: JsonType | Literal["null"]
    description: Words


class ToolLimits(Record):
    """What one call of a client's tool may use, and how often it may be called."""

    timeout_seconds: float = Field(default=5, gt=0)
    memory_mb: int = Field(default=100, ge=16)
    rate_limit_per_minute: int = Field(default=10, ge=1)


class Offering(Record):
    """What a client says of a tool that it offers, or of what changes in one; None is what it leaves out."""

    name: ToolName
    source_code: Source | None = None
    version: Version | None = None
    description: Description | None = None
    author: Author | None = None
    parameters: tuple[SaidParameter, ...] | None = None
    returns: OfferedResult | None = None
    capabilities: tuple[Capability, ...] | None = None
    examples: tuple[Words, ...] | None = None
    tags: tuple[Words, ...] | None = None
    resource_limits: ToolLimits | None = None

    def after(self, before: OfferedTool) -> Offering:
        """Return what is offered where this changes a tool: what it leaves out is as before."""
        kept = {name: getattr(before, name) for name in Offering.model_fields if name not in ("version", "parameters")}
        said = {name: value for name, value in self if value is not None}
        said_before = tuple(SaidParameter.model_validate(each.model_dump()) for each in before.parameters)
        parameters = said_before if self.source_code is None else None
        return Offering.model_validate({**kept, "parameters": parameters, **said})


class OfferedTool(Record):
    """An offered tool, complete: what the client left out is filled in from the code.

    `client` is the name by which the client introduced itself, which nobody checks. `variables` are the names that the
    code reads from a notebook. `mode` is the mode of the server that took the offer.
    """

    name: ToolName
    version: str
    description: Description
    author: Author
    source_code: Source
    parameters: tuple[OfferedParameter, ...] = ()
    returns: OfferedResult = OfferedResult(type="any", description="What the function returns.")
    capabilities: tuple[Capability, ...] = ()
    examples: tuple[Words, ...] = ()
    tags: tuple[Words, ...] = ()
    resource_limits: ToolLimits = ToolLimits()
    variables: tuple[str, ...] = ()
    client: str
    mode: Literal["safe", "unsafe"] = "safe"
    created_at: str
    updated_at: str
