"""What is asked to be built: the target with its configuration and options, read from what people and clients say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from jupyter_mcpgen.errors import UnfitOrder, UnknownTarget, did_you_mean
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.visible import visible

R = TypeVar("R", bound=Record)
_LONGEST_SHOWN = 100
VERSION = r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}"


class Kind(StrEnum):
    """What can be made: of one tool, of several, or of a person's own module."""

    TOOL = "tool"
    SCRIPT = "script"
    NOTEBOOK = "notebook"
    DOCKER = "docker"
    SERVER = "server"
    DOCS = "docs"
    MODULE = "module"


OF_ONE_TOOL = (Kind.TOOL, Kind.SCRIPT, Kind.NOTEBOOK, Kind.DOCKER)
ALL = "all"
"""All active tools, instead of a name."""
FORMS = (*(f"{kind}:NAME[@VERSION]" for kind in OF_ONE_TOOL), "server:NAME", "docs:NAME", "docs:all", "module:PATH")
"""How targets are written."""
_SPELLINGS = {"project_docs": f"{Kind.DOCS}:{ALL}"}
_NAME = r"[a-z_][a-z0-9_]{0,63}"
_TARGET = re.compile(
    rf"(?:({'|'.join(OF_ONE_TOOL)}):({_NAME})(?:@({VERSION}))?)"
    rf"|(?:({Kind.SERVER}|{Kind.DOCS}):({_NAME}))|(?:({Kind.MODULE}):([^\0]{{1,4096}}))"
)


class Config(Record):
    """How a target is built. In the profile `debug`, files are written even if their tests fail."""

    profile: Literal["release", "debug"] = "release"
    version: str | None = Field(default=None, pattern=f"^{VERSION}$")
    """The version of the tool, instead of `@VERSION`; for a server or a module, its own version."""
    tools: tuple[str, ...] = ()
    """The tools of a server; without them all that are active."""


class Options(Record):
    """How the build itself goes on."""

    skip_tests: bool = False
    verbose_logging: bool = False
    timeout_seconds: float = Field(default=300, ge=1, le=3600)


@dataclass(frozen=True)
class Order:
    """One thing to build, valid by construction."""

    kind: Kind
    name: str
    version: str | None
    config: Config
    options: Options

    @property
    def target(self) -> str:
        """The target as it is written."""
        return f"{self.kind}:{self.name}{'' if self.version is None else f'@{self.version}'}"


def order(target: str, config: Mapping[str, Any], options: Mapping[str, Any]) -> Order:
    """Return what is asked for; raises `UnknownTarget`, or `UnfitOrder` which names the key."""
    found = _TARGET.fullmatch(_SPELLINGS.get(target, target))
    if found is None:
        raise UnknownTarget(visible(target[:_LONGEST_SHOWN]), FORMS)
    read, wanted = _read("config", Config, config), _read("build_options", Options, options)
    named = found[3]
    if named is not None and read.version not in (None, named):
        raise UnfitOrder(f"`{target}` and `config.version` name two versions. Leave one of them out.")
    kind, name = (part for part in (found[1], found[2], *found.groups()[3:]) if part is not None)
    if read.tools and kind != Kind.SERVER:
        raise UnfitOrder(f"`config.tools` is for `{Kind.SERVER}:NAME`. Leave it out.")
    return Order(Kind(kind), name, named or read.version, read, wanted)


def _read(called: str, record: type[R], given: Mapping[str, Any]) -> R:
    known = tuple(record.model_fields)
    unknown = next((str(key) for key in given if key not in known), None)
    if unknown is not None:
        shown = visible(unknown[:_LONGEST_SHOWN])
        listed = ", ".join(f"`{key}`" for key in known)
        raise UnfitOrder(f"`{called}` has no key `{shown}`.{did_you_mean(shown, known)} Its keys: {listed}.")
    try:
        return record.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise UnfitOrder(f"`{called}.{'.'.join(map(str, first['loc']))}` does not fit: {first['msg']}.") from error
