"""What the tools of the dynamic family take and give, with the specification's names (seed 002)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.offered import MOST_SOURCE, NAME_PATTERN, VERSION_PATTERN, ToolLimits
from jupyter_mcpgen.model.record import Record

MOST_WAIT = 300
AS_REGISTERED = "as in `dynamic_register_tool`"
_PARAMETER = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "type": {"enum": ["string", "number", "integer", "boolean", "array", "object"]},
        "description": {"type": "string"},
        "required": {"type": "boolean"},
        "default": {},
        "enum": {"type": "array"},
    },
    "required": ["name", "type", "description"],
}


def _json(schema: dict[str, Any], description: str) -> WithJsonSchema:
    """Describe a field that is taken as JSON; text that holds JSON is taken too, which the guide says."""
    return WithJsonSchema({**schema, "description": description})


# Lenient on purpose: what is wrong with them is said in the answer, with the specification's names of errors.
Name = Annotated[
    Any,
    WithJsonSchema({"type": "string", "pattern": NAME_PATTERN, "maxLength": 64, "description": "of the tool"}),
]
Source = Annotated[
    Any,
    WithJsonSchema(
        {"type": "string", "maxLength": MOST_SOURCE, "description": "Python that defines a function of this name"}
    ),
]
Version = Annotated[
    Any, WithJsonSchema({"type": "string", "pattern": VERSION_PATTERN, "description": "1.0.0 if left out"})
]
Description = Annotated[
    Any,
    WithJsonSchema(
        {"type": "string", "minLength": 10, "maxLength": 500, "description": "for whoever decides and whoever calls"}
    ),
]
Author = Annotated[
    Any, WithJsonSchema({"type": "string", "maxLength": 100, "description": "the client's name if left out"})
]
Reason = Annotated[Any, WithJsonSchema({"type": "string", "description": "for the person"})]
Parameters = Annotated[
    Any, _json({"type": "array", "items": _PARAMETER}, "left out, they are read from the function's signature")
]
Capabilities = Annotated[
    Any, _json({"type": "array", "items": {"type": "string"}}, "such as `cap:python.scipy` or `cap:notebook.read`")
]
Returns = Annotated[
    Any,
    _json(
        {
            "type": "object",
            "properties": {"type": {"type": "string"}, "description": {"type": "string"}},
            "required": ["type", "description"],
        },
        "what the function gives",
    ),
]
Texts = Annotated[Any, _json({"type": "array", "items": {"type": "string"}}, "a list of texts")]
Limits = Annotated[
    Any,
    _json(
        {
            "type": "object",
            "properties": {
                "timeout_seconds": {"type": "number"},
                "memory_mb": {"type": "integer"},
                "rate_limit_per_minute": {"type": "integer"},
            },
        },
        "of one call; left out, 5 s, 100 MB and 10 calls a minute",
    ),
]
Wait = Annotated[
    float,
    WithJsonSchema(
        {
            "type": "number",
            "minimum": 0,
            "maximum": MOST_WAIT,
            "description": "to wait for the person; 0 answers at once",
        }
    ),
]


class RegisterTool(Record):
    """What `dynamic_register_tool` takes."""

    name: Name
    source_code: Source = None
    parameters: Parameters = None
    version: Version = None
    description: Description = None
    author: Author = None
    capabilities: Capabilities = None
    returns: Returns = None
    examples: Texts = None
    tags: Texts = None
    resource_limits: Limits = None
    wait_seconds: Wait = 0


class UpdateTool(RegisterTool):
    """What `dynamic_update_tool` takes; what is left out stays as it is, and the shapes are those of a registration."""

    parameters: Annotated[Any, _json({"type": "array"}, AS_REGISTERED)] = None
    returns: Annotated[Any, _json({"type": "object"}, AS_REGISTERED)] = None
    resource_limits: Annotated[Any, _json({"type": "object"}, AS_REGISTERED)] = None


class RevokeTool(Record):
    """What `dynamic_revoke_tool` takes."""

    name: Name
    reason: Reason = None


class ListTools(Record):
    """What `dynamic_list_tools` takes; each filter narrows the list."""

    author: str | None = Field(default=None, description="only tools of this author")
    tag: str | None = Field(default=None, description="only tools with this tag")
    capability: str | None = Field(default=None, description="only tools with this capability")
    filter_capability: str | None = Field(default=None, description="the same as `capability`")


class InspectTool(Record):
    """What `dynamic_inspect_tool` takes."""

    name: str = Field(description="the name of a tool, or the `request_id` of one that is pending")
    show_diff: bool = Field(default=False, description="also what changed since the version before")


class Nothing(Record):
    """What a tool without parameters takes."""


class UpdateDiff(Record):
    """What an update changes (seed 002)."""

    source_code_changed: bool
    capabilities_added: tuple[str, ...] = ()
    capabilities_removed: tuple[str, ...] = ()
    resource_limits_changed: dict[str, dict[str, float]] = Field(default_factory=dict)


class Taken(Record):
    """How an offer, an update or a revocation ended.

    `pending` waits for a person; `error` names what is wrong in `error`.
    """

    status: Literal["success", "success_corrected", "pending", "error"]
    success: bool
    tool_name: str
    message: str
    version: str | None = None
    request_id: str | None = None
    error: str | None = Field(default=None, description="the name of the error")
    diff: UpdateDiff | None = None
    corrected_field: str | None = None
    original: str | None = None
    corrected: Any = None


class ToolLine(Record):
    """One tool in a list."""

    name: str
    version: str
    description: str
    author: str
    capabilities: tuple[str, ...]
    tags: tuple[str, ...]
    created_at: str
    invocation_count: int


class ToolList(Record):
    """The tools that clients made, and the requests that wait."""

    status: Literal["success"] = "success"
    count: int
    total: int
    tools: tuple[ToolLine, ...]
    pending: tuple[str, ...] = Field(default=(), description="the `request_id`s that wait for the person")


class ApprovedVersion(Record):
    """One decision about a tool."""

    version: str
    approved_at: str
    decision: Literal["allow", "always_allow"]


class ToolPage(Record):
    """Everything about one tool, or why there is nothing to tell."""

    status: Literal["success", "pending", "error"]
    success: bool
    message: str = ""
    error: str | None = None
    request_id: str | None = None
    name: str = ""
    version: str = ""
    description: str = ""
    author: str = ""
    created_at: str = ""
    updated_at: str = ""
    capabilities: tuple[str, ...] = ()
    parameters: tuple[dict[str, Any], ...] = ()
    returns: dict[str, Any] = Field(default_factory=dict)
    resource_limits: ToolLimits | None = None
    source_code: str = ""
    examples: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    invocation_count: int = 0
    last_invoked_at: str | None = None
    approval_history: tuple[ApprovedVersion, ...] = ()
    diff: Diff | None = None


class Stats(Record):
    """How many tools clients made, and how much room they take."""

    status: Literal["success"] = "success"
    total_tools: int
    pending: int
    by_author: dict[str, int]
    by_capability: dict[str, int]
    total_invocations: int
    size_bytes: int
    most_tools: int
    most_bytes: int
    mode: Literal["safe", "unsafe"]
