"""The starter library: tools that come with the product, and are a person's own only once they approve them.

A tool is made anew on the machine of who installs it, from the reading that the library keeps: its code passes the
gates there, and is approved and signed like any other card.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.errors import NameTaken, NotUnderstood
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import ReadBy
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.model.second import NoSecond, Second
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.code import read_intent
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.registry.store import Registry

STARTER = "starter-library"
"""Who the tools of the library are created by."""
_PACKAGE = Path(__file__).parent
_IN_WHEEL, _IN_CHECKOUT = _PACKAGE / "starter_library", _PACKAGE.parent / "registry_store" / "starter"


class StarterTool(Record):
    """What one tool of the library is made from: a question about a sample table that the planner answers, or code.

    The code of `NAME.py` and the query of `NAME.sql` stand beside it; `unchecked` says why there is no query.
    """

    name: str
    does: str
    question: str
    data: str
    other: str | None = None
    reading: str = ""
    chart: ChartKind | None = None
    is_ordered: bool = False
    unchecked: str = ""
    assumptions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()


class Standing(StrEnum):
    """How a tool of the library stands in a registry."""

    INSTALLED = "installed"
    FREE = "not installed"
    TAKEN = "you have another tool of this name"


@dataclass(frozen=True)
class StarterLibrary:
    """The folder of the library: `sources`, the `samples` that they ask about, and the `tools` that were made."""

    folder: Path

    @cached_property
    def tools(self) -> tuple[StarterTool, ...]:
        """Every tool of the library, by name."""
        files = sorted((self.folder / "sources").glob("*.toml"))
        return tuple(StarterTool(name=file.stem, **tomllib.loads(file.read_text(encoding="utf-8"))) for file in files)

    def tables(self, tool: StarterTool) -> tuple[DataRef, DataRef | None]:
        """Return the sample table, or the two, that a tool is made over."""
        return self._sample(tool.data), None if tool.other is None else self._sample(tool.other)

    def written(self, tool: StarterTool) -> WrittenIntent | None:
        """Return the code of a tool with its second computation, or None where the planner answers its question."""
        code, query = (self.folder / "sources" / f"{tool.name}.{kind}" for kind in ("py", "sql"))
        if not code.is_file():
            return None
        data, other = self.tables(tool)
        second = (
            Second(sql=query.read_text(encoding="utf-8").strip(), is_ordered=tool.is_ordered)
            if query.is_file()
            else NoSecond(reason=tool.unchecked)
        )
        return WrittenIntent(
            reading=tool.reading or tool.does.rstrip("."),
            code=code.read_text(encoding="utf-8"),
            second=second,
            input=data.path,
            other_input=None if other is None else other.path,
            chart=tool.chart,
            assumptions=tool.assumptions,
            limitations=tool.limitations,
            read_by=ReadBy.PERSON,
        )

    def made(self, tool: StarterTool) -> Understood:
        """Return what a tool of the library computes, over the sample tables as they are on this machine."""
        home = self.folder / "tools" / tool.name
        files = {path.name: path.read_text(encoding="utf-8") for path in home.iterdir() if path.suffix == ".json"}
        data, other = self.tables(tool)
        intent = read_intent(Package(files=files))
        return intent.replace(input=data.path, other_input=None if other is None else other.path)

    def _sample(self, name: str) -> DataRef:
        path = self.folder / "samples" / name
        return DataRef(kind=DataKind.FILE, name=path.stem, path=str(path))


def starter_library() -> StarterLibrary:
    """Return the library that came with the product, or that of the checkout that it runs from."""
    return StarterLibrary(_IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT)


@dataclass(frozen=True)
class Starter:
    """Makes tools of the library into cards that wait for a person; nothing of them can be called before."""

    library: StarterLibrary
    registry: Registry
    services: Callable[[], Services]

    def standing(self, tool: StarterTool) -> Standing:
        """Tell whether a tool is installed, or its name is taken by a tool of the person's own."""
        before = self.registry.predecessor(tool.name)
        if before is None or not before.is_active:
            return Standing.FREE
        is_ours = before.tool is not None and before.tool.created_by == STARTER
        return Standing.INSTALLED if is_ours else Standing.TAKEN

    def stage(self, tool: StarterTool, intent: Understood | None = None) -> Card:
        """Make a tool, run its gates here, and return its card, which waits; or the card that waits already.

        Raises `NameTaken` where the person has another tool of that name.
        """
        if self.standing(tool) is Standing.TAKEN:
            raise NameTaken(
                f"You have a tool of your own named `{tool.name}`, so the one of the starter library was left out. To "
                f"make room, archive yours with `%mcpgen unpublish {tool.name}`."
            )
        services = replace(self.services(), author=_Library())
        data, other = self.library.tables(tool)
        request = Request(
            request_id=services.new_id(),
            question=tool.question,
            data=data,
            other=other,
            asked_at=services.clock(),
            tool_name=tool.name,
        )
        computed = flow.compute_as(request, intent or self.library.made(tool), services)
        return flow.stage(computed, services).card


class _Library(Drafting):
    """Makes contract and code of what the library keeps; it reads no questions."""

    name = STARTER

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood:
        """Refuse: what a tool of the library computes is known."""
        raise NotUnderstood("The starter library answers no questions of yours.")
