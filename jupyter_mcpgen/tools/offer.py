"""A built-in tool as a value: what clients read about it, what it takes, what it gives, and a few lines that do it.

Nothing here knows the protocol; the server makes an MCP tool of each offer.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from jupyter_mcpgen.errors import ToolFailed, did_you_mean
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.tool import Annotations
from jupyter_mcpgen.sandbox.cancellation import Cancellation

Asked = TypeVar("Asked", bound=Record)

READS = Annotations(readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=False)
"""Looks and changes nothing."""
RUNS = Annotations(readOnlyHint=False, destructiveHint=False, idempotentHint=False, openWorldHint=False)
"""Runs code that can change nothing but its own workspace."""
MAKES = Annotations(readOnlyHint=False, destructiveHint=False, idempotentHint=False, openWorldHint=False)
"""Adds something of the caller's own."""
REPLACES = Annotations(readOnlyHint=False, destructiveHint=True, idempotentHint=True, openWorldHint=False)
"""Removes or overwrites something of the caller's own."""
REACHES_OUT = Annotations(readOnlyHint=False, destructiveHint=True, idempotentHint=False, openWorldHint=True)
"""May be given the network."""


def unheard(progress: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Caller:
    """Who calls, as a name that nobody else can take, and their word that the call is no longer wanted."""

    owner: str
    cancellation: Cancellation
    client: str = "unknown"
    """What the client calls itself, which nobody checks."""
    tell: Callable[[str], None] = unheard
    """Tells the client how far the call is."""


@dataclass(frozen=True)
class Reply:
    """What a call gives: text to read, the same as a record, and whether what was asked for was done."""

    text: str
    record: Record
    failed: bool = False

    @property
    def structured(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        return self.record.model_dump(mode="json")


@dataclass(frozen=True)
class Question:
    """What the person at a client is asked: in which words, and about what they say yes or no, by a name.

    `state` goes back with the answer; it is good for one.
    """

    text: str
    ticks: Mapping[str, str]
    state: str


class Asking(Protocol):
    """Puts what an answer leaves open to the person at the client."""

    def question(self, reply: Reply) -> Question | None:
        """Return what is asked about an answer; None where nothing is open."""

    def answered(self, reply: Reply, state: str, ticked: Collection[str] | None) -> Reply:
        """Return the answer after the person ticked something; `None` is a no."""


@dataclass(frozen=True)
class Offer(Generic[Asked]):
    """One built-in tool; `seconds` says how long a call may take at most, and is `None` for one that runs no code.

    `refused` makes the tool's own record of arguments that do not fit, from what is wrong with them: callers of tools
    that run code read the same keys whatever happens. Without it they get an error with text alone.
    """

    name: str
    takes: type[Asked]
    gives: type[BaseModel]
    annotations: Annotations
    perform: Callable[[Asked, Caller], Reply]
    note: str = ""
    seconds: Callable[[Asked], float] | None = None
    refused: Callable[[str], Reply] | None = None
    changes_tools: bool = False
    """Whether a call may change which approved tools there are, or tell of a change before the server noticed it."""
    waits: bool = False
    """Whether a call may wait for a person, so that it must not keep others from being made."""
    asking: Asking | None = None
    """What the person at the client is asked, where the settings allow that."""
    administers: bool = False
    """Whether a call offers, changes or takes back tools, which not every token may do."""

    @property
    def runs_code(self) -> bool:
        """Return whether a call runs code, so that only so many may run at once."""
        return self.seconds is not None

    @property
    def description(self) -> str:
        """Return when to use the tool and what its limits are, with what is true of it here."""
        page = described(self.name)
        return f"{page}\n\n{self.note}" if self.note else page

    @property
    def guide(self) -> str:
        """Return all there is to read about the tool: its description, its guide, and the schema of its answer."""
        return guide_of(self.name, self.description, self.output_schema)

    @property
    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        return plain_schema(self.takes.model_json_schema())

    @property
    def output_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the structured answer, which the guide has."""
        return without_titles(self.gives.model_json_schema(mode="serialization"))

    def parsed(self, arguments: Mapping[str, Any]) -> Asked:
        """Return the arguments as a record; raises `ToolFailed` that names the parameter."""
        return parsed(self.name, self.takes, arguments)


def parsed(tool: str, takes: type[Asked], arguments: Mapping[str, Any]) -> Asked:
    """Return the arguments of a tool as a record; raises `ToolFailed` that names the parameter."""
    known = tuple(takes.model_fields)
    unknown = next((name for name in arguments if name not in known), None)
    if unknown is not None:
        listed = ", ".join(f"`{name}`" for name in known) or "none"
        offered = did_you_mean(unknown[:64], known)
        raise ToolFailed(f"`{tool}` has no parameter `{unknown[:64]}`.{offered} Its parameters: {listed}.")
    try:
        return takes.model_validate(dict(arguments))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        listed = ", ".join(f"`{name}`" for name in known)
        if first["type"] == "missing":
            why = f"`{place}` is missing. Its parameters: {listed}."
        else:
            why = f"`{place}` does not fit: {first['msg']}, not {_shown(first['input'])}."
        raise ToolFailed(f"`{tool}` was not run, {why}") from error


def described(name: str) -> str:
    """Return the description of a built-in tool that every client reads in the list of tools."""
    return files(__package__).joinpath("descriptions", f"{name}.md").read_text(encoding="utf-8").strip()


def guide_of(name: str, description: str, output_schema: Mapping[str, Any] | None) -> str:
    """Return the guide to a built-in tool, which stands on its own: the description comes first."""
    page = files(__package__).joinpath("guides", f"{name}.md")
    parts = [f"# {name}", description, page.read_text(encoding="utf-8").strip() if page.is_file() else ""]
    if output_schema is not None:
        parts.append(f"SCHEMA OF THE ANSWER\n```json\n{json.dumps(output_schema, ensure_ascii=False)}\n```")
    return "\n\n".join(filter(None, parts))


def _shown(value: object) -> str:
    text = reprlib.repr(value)
    return text if isinstance(value, (str, int, float, type(None))) else f"{text} ({type(value).__name__})"


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an input schema as people write it: an optional parameter is one that may be left out, not one or null."""
    unsaid = ("description", "additionalProperties")  # an unknown parameter is named by `parsed`, with the nearest one
    plain = without_titles({key: part for key, part in schema.items() if key not in unsaid})
    properties = {name: _not_null(value) for name, value in plain.get("properties", {}).items()}
    return {**plain, "properties": properties}


def without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without the titles that only repeat names."""
    return {
        key: {name: without_titles(part) for name, part in value.items()}
        if key in ("properties", "$defs")
        else _untitled(value)
        for key, value in schema.items()
        if key != "title"
    }


def _untitled(part: Any) -> Any:
    if isinstance(part, list):
        return [_untitled(each) for each in part]
    return without_titles(part) if isinstance(part, dict) else part


def _not_null(value: dict[str, Any]) -> dict[str, Any]:
    choices = value.get("anyOf", [])
    rest = [choice for choice in choices if choice != {"type": "null"}]
    if len(rest) != 1 or len(choices) == 1:
        return {key: part for key, part in value.items() if not (key == "default" and part is None)}
    kept = {key: part for key, part in value.items() if key != "anyOf" and not (key == "default" and part is None)}
    return {**rest[0], **kept}
