"""The guides to the built-in tools and to errors, as resources: examples and what is too long for a list of tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files

from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate
from fastmcp.server.providers import Provider
from fastmcp.utilities.versions import VersionSpec
from pydantic import PrivateAttr

from jupyter_mcpgen.model.guidance import ERRORS, GUIDES

SECTION = f"{ERRORS}/{{error_type}}"
"""The address of a section of the guide to errors, with a place for the kind of error."""


class Guide(Resource):
    """One page, written when it is asked for."""

    _write: Callable[[], str] = PrivateAttr()

    @classmethod
    def at(cls, uri: str, name: str, description: str, write: Callable[[], str]) -> Guide:
        """Build the resource at an address."""
        guide = cls(
            uri=uri,
            name=name,
            description=description,
            mime_type="text/markdown",
        )
        guide._write = write
        return guide

    async def read(self) -> str:
        """Return the page."""
        return self._write()


class Guides(Provider):
    """Lists one guide per built-in tool and the one to errors; each section of that has an address of its own."""

    def __init__(self, of_tools: Mapping[str, Callable[[], str]]) -> None:
        super().__init__()
        page = errors_page()
        whole = Guide.at(ERRORS, "guide_to_errors", "Fuel, and what to do after each kind of failure.", lambda: page)
        tools = [
            Guide.at(f"{GUIDES}/{name}", f"guide_to_{name}", f"How to use `{name}`, with examples.", write)
            for name, write in of_tools.items()
        ]
        by_name = sections_of(page)
        sections = [
            Guide.at(f"{ERRORS}/{name}", f"guide_to_{name}", f"What to do after `{name}`.", partial(str, section))
            for name, section in by_name.items()
        ]
        self._error_types = tuple(by_name)
        self._listed = [whole, *tools]
        self._all = {str(guide.uri): guide for guide in (*self._listed, *sections)}

    def names_in(self, template: str) -> Sequence[str]:
        """Return the names that fit the address of a section of the guide to errors."""
        return self._error_types if template == SECTION else ()

    async def _list_resources(self) -> Sequence[Resource]:
        return self._listed

    async def _get_resource(self, uri: str, version: VersionSpec | None = None) -> Resource | None:
        return self._all.get(uri)

    async def _list_resource_templates(self) -> Sequence[ResourceTemplate]:
        return [
            ResourceTemplate(
                uri_template=SECTION,
                name="guide_to_error",
                description="What to do after one kind of failure, by its `error_type`.",
                mime_type="text/markdown",
                parameters={
                    "type": "object",
                    "properties": {"error_type": {"type": "string"}},
                    "required": ["error_type"],
                },
            )
        ]

    async def _get_resource_template(self, uri: str, version: VersionSpec | None = None) -> ResourceTemplate | None:
        return None  # whatever has such an address is a resource already


def errors_page() -> str:
    """Return the guide to fuel and errors."""
    return files("jupyter_mcpgen.tools").joinpath("guides", "errors.md").read_text(encoding="utf-8")


def sections_of(page: str) -> dict[str, str]:
    """Return the sections of a page by their headings of one word."""
    found = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)
    pairs = zip(found[1::2], found[2::2], strict=True)
    return {name: f"# {name}\n{text.rstrip()}\n" for name, text in pairs if " " not in name}
