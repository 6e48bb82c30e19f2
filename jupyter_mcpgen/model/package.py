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
TESTS = "tests.py"
GOLDEN = "golden.json"
FINGERPRINT_VERSION = 2
"""Which list of files new fingerprints cover; an approval names its own, so that tools of an older one keep running."""
_COVERED = {1: CODE_FILES, 2: (*CODE_FILES, TESTS, GOLDEN)}


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
    fingerprint_version: int = FINGERPRINT_VERSION,
) -> str:
    """SHA-256 over all that a person approves: contract, version, files, annotations, dependencies, capabilities.

    The files are the code and, since the second list, the tests and the digests of the approved result. Names and
    descriptions count too, because a poisoned description is as dangerous as changed code.
    """
    covered = _COVERED[fingerprint_version]
    content = {
        "spec": spec.model_dump(mode="json"),
        "version": version,
        "code": {name: package.files[name] for name in covered if name in package.files},
        "annotations": dict(annotations),
        "dependencies": sorted(dependencies),
        "capabilities": sorted(capabilities),
    }
    # the first list had no number, and what was approved under it must keep its fingerprint
    return _sha256(_canonical(content if fingerprint_version == 1 else {**content, "list": fingerprint_version}))
