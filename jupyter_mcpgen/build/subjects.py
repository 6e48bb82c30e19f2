"""What is built: approved tools, or a module of a person's own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.tool import PromotedTool


@dataclass(frozen=True)
class Approved:
    """One version of a tool with its files, as a person approved them."""

    tool: PromotedTool
    package: Package

    @property
    def digest(self) -> str:
        """What changes with its content."""
        return self.tool.fingerprint


@dataclass(frozen=True)
class SourceModule:
    """A person's module or package with what its project says of it; `files` are by their path when installed."""

    name: str
    version: str
    files: Mapping[str, bytes]
    tests: Mapping[str, bytes]
    summary: str = ""
    python: str = ">=3.11"
    requirements: tuple[str, ...] = ()
    extras: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What may be installed as well, by the name of the extra."""
    scripts: tuple[tuple[str, str], ...] = ()

    @cached_property
    def digest(self) -> str:
        """What changes with its content, or with what its project says."""
        said = (self.name, self.version, self.summary, self.python, self.requirements, self.extras, self.scripts)
        whole = hashlib.sha256(repr(said).encode())
        for name, content in sorted({**self.files, **self.tests}.items()):
            whole.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\0".encode("utf-8", "surrogateescape"))
        return whole.hexdigest()


Subject = tuple[Approved, ...] | SourceModule


def digest_of(subject: Subject) -> str:
    """Return what changes with the content of anything that is built."""
    if isinstance(subject, SourceModule):
        return subject.digest
    return " ".join(each.digest for each in subject)
