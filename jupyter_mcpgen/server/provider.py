"""Serves the promoted tools of a shelf: listed as approved, run in the sandbox, unloaded when they were changed."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import anyio
from anyio import to_thread
from fastmcp.exceptions import FastMCPError, ToolError
from fastmcp.prompts.base import Prompt
from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate
from fastmcp.server.dependencies import get_context
from fastmcp.server.providers import Provider
from fastmcp.tools import Tool, ToolResult
from fastmcp.utilities.versions import VersionSpec
from mcp_types import ImageContent, TextContent, ToolAnnotations
from mcp_types import Tool as ListedTool
from pydantic import PrivateAttr

from jupyter_mcpgen.errors import McpgenError, RegistryError, TamperedTool, UnknownTool, did_you_mean
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.calling import PROGRESS_SECONDS, Telling, owner, run_to_the_end
from jupyter_mcpgen.server.exhibits import (
    TEMPLATES,
    Exhibit,
    Part,
    ToolPrompt,
    ToolResource,
    address,
    named_in,
    templates,
)
from jupyter_mcpgen.server.schemas import Draft202012Validator, ValidationError, best_match
from jupyter_mcpgen.server.slots import Slots
from jupyter_mcpgen.server.utf8 import sendable
from jupyter_mcpgen.server.watch import changes
from jupyter_mcpgen.settings import SEARCH_BEYOND

logger = logging.getLogger(__name__)

MAX_TEXT = 1_000_000
MOST_DESCRIBED = 1_024
"""How many bytes of a description a client reads in the list of tools."""
_MOST_FLAWS = 50
Announce = Callable[[Sequence[str]], Awaitable[None]]
"""Tells clients that the lists are different ones now, and at which addresses something else is to read."""


class Shelf(Protocol):
    """What the server needs of the product: the tools that are as approved, the others, and a way to run one.

    The methods block and are called from worker threads, several at a time.
    """

    @property
    def folder(self) -> Path:
        """The folder whose change means that the set of tools may have changed."""

    def mark(self) -> object:
        """Return what tells one set of tools from the next without reading any of them."""

    def active(self) -> tuple[PromotedTool, ...]:
        """Return the tools whose files are the approved ones; raises a `RegistryError` when nothing can be read."""

    def refused(self) -> Mapping[str, str]:
        """Return the other active tools by name, each with the reason why it is not served."""

    def exhibit(self, name: str) -> Exhibit:
        """Return what is to read of a tool, from files that are the approved ones now; raises a `RegistryError`."""

    def call_tool(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> ToolAnswer:
        """Check the fingerprint again and run the tool in the sandbox, until it is over or cancelled."""


@dataclass(frozen=True)
class Catalogue:
    """What is served at one moment: tools by name in the order they are listed, and those refused with the reason.

    `trouble` says why the registry could not be read, when the tools are those of the last good reading.
    """

    tools: Mapping[str, ShelfTool] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    trouble: str | None = None

    def same_tools(self, other: Catalogue) -> bool:
        """Tell whether a client that knows the one catalogue has nothing to learn from the other."""
        return not self.changed_since(other)

    def changed_since(self, earlier: Catalogue) -> list[str]:
        """Return the names under which there is another tool now, or none any more."""
        before, now = ({n: tool.fingerprint for n, tool in each.tools.items()} for each in (earlier, self))
        return sorted(name for name in before | now if before.get(name) != now.get(name))


class ShelfProvider(Provider):
    """Follows the shelf's folder, and tells clients whenever the set of tools is a different one.

    With more tools than `search_beyond` the lists name none of them; all can be called, read and asked for by name.
    """

    def __init__(
        self,
        shelf: Shelf,
        announce: Announce,
        concurrent_calls: int | None = None,
        search_beyond: int = SEARCH_BEYOND,
        progress_seconds: float = PROGRESS_SECONDS,
    ) -> None:
        super().__init__()
        self.catalogue = Catalogue()
        self._shelf = shelf
        self._announce = announce
        self._search_beyond = search_beyond
        self._progress_seconds = progress_seconds
        self._reading = anyio.Lock()
        self._mark: object = None
        """Of the set that was read last."""
        # Each running call holds a sandboxed process with a data frame in it; more callers than this wait in line.
        self.slots = Slots(concurrent_calls or max(2, os.cpu_count() or 1))

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Load the tools, then follow the folder for as long as the server lives."""
        await self.reload()
        stop = anyio.Event()
        # Not a task group: FastMCP leaves lifespans in an order that anyio's nested scopes do not allow.
        following = asyncio.create_task(self._follow(stop))
        try:
            yield
        finally:
            stop.set()
            await following

    async def reload(self) -> None:
        """Read the shelf again; swap first and announce then, so that whoever is told finds the new set."""
        async with self._reading:
            mark, fresh = await to_thread.run_sync(lambda: (self._shelf.mark(), self._read()))
            self._mark = mark
            changed = fresh.changed_since(self.catalogue)
            self.catalogue = fresh
        if changed:
            await self._announce([address(name, part) for name in changed for part in Part])

    def schema_of(self, name: str) -> dict[str, Any] | None:
        """Return the input schema of a served tool."""
        tool = self.catalogue.tools.get(name)
        return tool.parameters if tool else None

    def spec_of(self, name: str) -> ToolSpec | None:
        """Return the contract of a served tool."""
        tool = self.catalogue.tools.get(name)
        return tool.promoted.spec if tool else None

    def names_in(self, template: str) -> Sequence[str]:
        """Return the names that fit an address of parts of tools."""
        return tuple(self.catalogue.tools) if template in TEMPLATES else ()

    async def run(self, tool: ShelfTool, arguments: dict[str, Any]) -> ToolResult:
        """Run a tool in the sandbox; our own failures reach the client in their own words.

        All that grows with what a caller sends or gets is done in the caller's place, off the event loop: looking at
        very many arguments takes long, and meanwhile no other client would be heard.
        """

        def work(cancellation: Cancellation) -> ToolResult:
            tool.check_arguments(arguments)
            return tool.result(self._shelf.call_tool(tool.name, arguments, cancellation))

        try:
            telling = Telling(get_context(), tool.name, None, self._progress_seconds)
            return await run_to_the_end(work, self.slots.place(owner()), telling.tell)
        except (TamperedTool, UnknownTool) as error:
            await self.reload()
            raise ToolError(_fit(str(error))) from error
        except McpgenError as error:
            raise ToolError(_fit(str(error))) from error

    async def exhibit(self, name: str, raised: type[FastMCPError]) -> Exhibit:
        """Return what is to read of a tool now; raises the error, in our own words, for one that is not as approved."""
        try:
            return await to_thread.run_sync(self._shelf.exhibit, name)
        except (TamperedTool, UnknownTool) as error:
            await self.reload()
            raise raised(_fit(str(error))) from error
        except McpgenError as error:
            raise raised(_fit(str(error))) from error

    @property
    def _listed(self) -> list[ShelfTool]:
        tools = self.catalogue.tools
        return [] if len(tools) > self._search_beyond else list(tools.values())

    async def _list_tools(self) -> Sequence[Tool]:
        return self._listed

    async def _list_resources(self) -> Sequence[Resource]:
        tools = self._listed
        parts = await to_thread.run_sync(lambda: [self._parts(tool.name) for tool in tools])
        return [
            ToolResource.of(tool.name, part, self.exhibit)
            for tool, found in zip(tools, parts, strict=True)
            for part in found
        ]

    async def _get_resource(self, uri: str, version: VersionSpec | None = None) -> Resource | None:
        name, part = named_in(uri) or (None, None)
        known = name in self.catalogue.tools or name in self.catalogue.refused
        return ToolResource.of(name, part, self.exhibit) if name and part and known else None

    async def _list_resource_templates(self) -> Sequence[ResourceTemplate]:
        return templates()

    async def _get_resource_template(self, uri: str, version: VersionSpec | None = None) -> ResourceTemplate | None:
        return None  # whatever has such an address is a resource already

    async def _list_prompts(self) -> Sequence[Prompt]:
        return [ToolPrompt.of(tool.promoted.spec, self.exhibit) for tool in self._listed]

    async def _get_prompt(self, name: str, version: VersionSpec | None = None) -> Prompt | None:
        tool = self.catalogue.tools.get(name)
        return None if tool is None else ToolPrompt.of(tool.promoted.spec, self.exhibit)

    def _parts(self, name: str) -> tuple[Part, ...]:
        """Return what there is to read of a tool; nothing of one that was changed a moment ago."""
        try:
            return self._shelf.exhibit(name).parts
        except RegistryError as error:
            logger.warning("Not listed: %s", error)
            return ()

    async def _get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:
        if name not in self.catalogue.tools and await to_thread.run_sync(self._shelf.mark) != self._mark:
            await self.reload()  # it may have been approved a moment ago, before the folder's change was noticed
        tool = self.catalogue.tools.get(name)
        if tool is not None:
            return tool if version is None or version.matches(tool.version) else None
        reason = self.catalogue.refused.get(name)
        return RefusedTool(name=name, parameters={"type": "object"}, description=reason) if reason else None

    async def _follow(self, stop: anyio.Event) -> None:
        async with aclosing(changes(self._shelf.folder, stop)) as noticed:
            async for changed in noticed:
                if not changed and self.catalogue.trouble is None:
                    continue
                try:
                    await self.reload()
                except Exception:  # a reading that fails in a way nobody foresaw must not be the last one
                    logger.exception("The tools stay as they were.")

    def _read(self) -> Catalogue:
        try:
            active, refused = self._shelf.active(), self._shelf.refused()
        except (RegistryError, OSError) as error:
            logger.error("The tools stay as they were: %s", error)
            return Catalogue(self.catalogue.tools, self.catalogue.refused, trouble=str(error))
        for reason in sorted(set(refused.values()) - set(self.catalogue.refused.values())):
            logger.warning("Not served: %s", reason)
        ordered = sorted(active, key=lambda promoted: promoted.name)
        return Catalogue({promoted.name: ShelfTool.of(promoted, self) for promoted in ordered}, refused)


class ShelfTool(Tool):
    """A promoted tool as clients see it: the approved words and schemas, and a call that goes to the sandbox."""

    _provider: ShelfProvider = PrivateAttr()
    _promoted: PromotedTool = PrivateAttr()

    @classmethod
    def of(cls, promoted: PromotedTool, provider: ShelfProvider) -> ShelfTool:
        """Build the served form of a promoted tool."""
        spec = promoted.spec
        tool = cls(
            name=promoted.name,
            description=described(spec),
            parameters=_without_headers(spec.input_schema),
            output_schema=_without_headers(spec.output_schema),
            annotations=ToolAnnotations(
                read_only_hint=promoted.annotations.readOnlyHint,
                destructive_hint=promoted.annotations.destructiveHint,
                idempotent_hint=promoted.annotations.idempotentHint,
                open_world_hint=promoted.annotations.openWorldHint,
            ),
            meta={"mcpgen/version": promoted.version, "mcpgen/fingerprint": promoted.fingerprint},
        )
        tool._provider = provider
        tool._promoted = promoted
        return tool

    def to_mcp_tool(self, **overrides: Any) -> ListedTool:
        """Return what is listed: what was approved, and nothing of ours beside it."""
        return super().to_mcp_tool(**{"_meta": self.meta, **overrides})

    @property
    def promoted(self) -> PromotedTool:
        """The promoted tool behind this one."""
        return self._promoted

    @property
    def fingerprint(self) -> str:
        """What was approved, as a digest."""
        return self._promoted.fingerprint

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Check the arguments, run in the sandbox, check the answer."""
        return await self._provider.run(self, arguments)

    def result(self, answer: ToolAnswer) -> ToolResult:
        """Return an answer as clients receive it; raises `ToolError` for one that is not what the tool promises."""
        content = [TextContent(type="text", text=_fit(answer.text))]
        if answer.failed:
            return ToolResult(content=content, is_error=True)
        self._check_answer(answer)
        drawn = [ImageContent(type="image", data=f.content, mime_type=f.type) for f in answer.figures if f.content]
        too_large = [TextContent(type="text", text=_fit(f.told)) for f in answer.figures if not f.content]
        structured = {name: self._bounded(name, value) for name, value in answer.structured.items()}
        return ToolResult(content=[*content, *drawn, *too_large], structured_content=sendable(structured))

    def _bounded(self, name: str, value: Any) -> Any:
        """Return one part of an answer, a long text cut; raises `ToolError` for anything else that is too large."""
        if isinstance(value, str):
            return _cut(value)
        size = len(json.dumps(value, ensure_ascii=False))
        if size > MAX_TEXT:
            raise ToolError(
                f"`{self.name}` ran, but its `{name}` has {size:,} characters as JSON, and an answer may have "
                f"{MAX_TEXT:,}. Call it so that it gives less."
            )
        return value

    def check_arguments(self, arguments: Mapping[str, Any]) -> None:
        """Raise `ToolError` when arguments do not fit the tool's schema."""
        known = tuple(self.parameters.get("properties", {}))
        unknown = next((name for name in arguments if name not in known), None)
        if unknown is not None:
            offer = did_you_mean(unknown[:64], known) or _listing(known)
            raise ToolError(f"`{self.name}` has no parameter `{_cut(unknown, 64)}`.{offer}")
        flaw = _first_flaw(self.parameters, dict(arguments))
        if flaw is not None:
            missing = _missing(flaw)
            wrong = f"{missing} is missing" if missing else f"{_place(flaw)} does not fit: {_cut(flaw.message, 300)}"
            raise ToolError(f"`{self.name}` was not run, {wrong}.{_listing(known)}")

    def _check_answer(self, answer: ToolAnswer) -> None:
        # Clients refuse an answer outside its schema with a message of their own that helps nobody.
        if self.output_schema is None:
            return
        flaw = _first_flaw(self.output_schema, answer.structured)
        if flaw is not None:
            raise ToolError(
                f"`{self.name}` ran, but its answer is not what it promises, {_place(flaw)}: "
                f"{_cut(flaw.message, 300)}. Ask the question again for a new version."
            )


class RefusedTool(Tool):
    """Stands in for an active tool that is not served, is never listed, and says why when it is called."""

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Give the reason."""
        raise ToolError(self.description or f"`{self.name}` is not served.")


def described(spec: ToolSpec) -> str:
    """Return the description of a tool with its documentation sections, as in the tool's own docstring.

    What does not fit into a description is left out, first how the tool works; its source has all of it.
    """
    sections = {
        "": spec.description,
        "WHEN TO USE": spec.when_to_use,
        "WHAT IT DOES": spec.what_it_does,
        "RETURNS": spec.returns,
        "PREREQUISITES": spec.prerequisites,
    }
    whole = _joined(sections)
    if len(whole.encode()) <= MOST_DESCRIBED:
        return whole
    more = f"MORE: {address(spec.tool_name, Part.SOURCE)}"
    kept = {"": _first_bytes(spec.description, MOST_DESCRIBED - len(more) - 2)}
    for title in ("WHEN TO USE", "PREREQUISITES", "RETURNS", "WHAT IT DOES"):
        longer = {name: text for name, text in sections.items() if name in kept or name == title} | kept
        if len(f"{_joined(longer)}\n\n{more}".encode()) <= MOST_DESCRIBED:
            kept = {name: longer[name] for name in sections if name in longer}
    return f"{_joined(kept)}\n\n{more}"


def _joined(sections: Mapping[str, str]) -> str:
    return "\n\n".join(f"{title}:\n{text}" if title else text for title, text in sections.items() if text)


def _first_bytes(text: str, most: int) -> str:
    """Return the beginning of a text that takes at most so many bytes, in whole characters."""
    encoded = text.encode()
    return text if len(encoded) <= most else f"{encoded[: most - 3].decode(errors='ignore')}…"


def _without_headers(schema: Any) -> Any:
    # `x-mcp-header` would make clients copy argument values into HTTP headers, where they are logged.
    if isinstance(schema, dict):
        return {key: _without_headers(value) for key, value in schema.items() if key != "x-mcp-header"}
    if isinstance(schema, list):
        return [_without_headers(value) for value in schema]
    return schema


def _first_flaw(schema: Mapping[str, Any], value: object) -> ValidationError | None:
    """Return the flaw that says most among the first ones; very many values can have as many flaws."""
    return best_match(islice(Draft202012Validator(schema).iter_errors(value), _MOST_FLAWS))


def _missing(flaw: ValidationError) -> str | None:
    """Return the first parameter that is required and was not given, when that is the flaw."""
    if flaw.validator != "required" or flaw.absolute_path or not isinstance(flaw.instance, dict):
        return None
    return next((f"`{name}`" for name in flaw.schema["required"] if name not in flaw.instance), None)


def _place(flaw: ValidationError) -> str:
    path = ".".join(str(part) for part in flaw.absolute_path)
    return f"`{path}`" if path else "the whole"


def _listing(names: Sequence[str]) -> str:
    return f" Its parameters: {', '.join(f'`{name}`' for name in names)}." if names else " It takes no parameters."


def _fit(text: str) -> str:
    """Return text that a client can receive and show: names and values of tables stand in it."""
    return unobeyed(_cut(sendable(text)))


def _cut(text: str, limit: int = MAX_TEXT) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… (cut at {limit} characters)"
