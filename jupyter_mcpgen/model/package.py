"""The files of a tool, and the fingerprint that an approval is bound to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from jupyter_mcpgen.model.spec import ToolSpec

CODE_FILES = ("tool.py", "helpers.py")


class Package(BaseModel):
    """The text files of one version of a tool, by file name; `tool.py` and `helpers.py` are its code."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    files: Mapping[str, str]

    @field_validator("files")
    @classmethod
    def _plain_names_only(cls, files: Mapping[str, str]) -> Mapping[str, str]:
        for name in files:
            if "/" in name or "\\" in name or name.startswith("."):
                raise ValueError(f"`{name}` is not a plain file name")
        return MappingProxyType(dict(files))

    @property
    def code(self) -> str:
        """The source of the tool itself."""
        return self.files["tool.py"]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def code_hash(package: Package) -> str:
    """SHA-256 over the code files, in hex."""
    return _sha256(_canonical({name: package.files[name] for name in CODE_FILES if name in package.files}))


def spec_hash(spec: ToolSpec) -> str:
    """SHA-256 over the whole contract, in hex."""
    return _sha256(_canonical(spec.model_dump(mode="json")))


def fingerprint(
    spec: ToolSpec,
    version: str,
    package: Package,
    annotations: Mapping[str, bool],
    dependencies: tuple[str, ...],
    capabilities: tuple[str, ...],
) -> str:
    """SHA-256 over all that a person approves: contract, version, code, annotations, dependencies, capabilities.

    The hash covers names and descriptions too, because a poisoned description is as dangerous as changed code.
    """
    return _sha256(
        _canonical(
            {
                "spec": spec.model_dump(mode="json"),
                "version": version,
                "code": {name: package.files[name] for name in CODE_FILES if name in package.files},
                "annotations": dict(annotations),
                "dependencies": sorted(dependencies),
                "capabilities": sorted(capabilities),
            }
        )
    )
