"""Keeps compiled modules: they are native code, so only files that we wrote ourselves are ever loaded.

The folder is closed to everybody else, and the name of a file says what it was compiled from and by which version.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from jupyter_mcpgen.sandbox.wasm.artifacts import WASMTIME, Artifact, installed, verified


def cache_folder() -> Path:
    """Return the folder of compiled modules: the user's own cache."""
    return user_cache_path("jupyter-mcpgen") / "wasm"


def made_private(folder: Path) -> Path:
    """Return a folder after making it, and closing it to everybody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix" and not is_private(folder):
        folder.chmod(0o700)
    return folder


def is_private(path: Path) -> bool:
    """Return whether a file or folder is this user's alone, and is itself and not a link."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if stat.S_ISLNK(status.st_mode):
        return False
    if os.name != "posix":
        return True
    return status.st_uid == os.geteuid() and status.st_mode & 0o077 == 0 and (path.is_dir() or status.st_nlink == 1)


def place_of(artifact: Artifact, folder: Path) -> Path:
    """Return where the compiled form of a file lies, or would lie."""
    return folder / f"{artifact.sha256[:32]}-wasmtime{installed(WASMTIME)}-metered.cwasm"


def module(engine: Any, artifact: Artifact, folder: Path) -> Any:
    """Return a module for an engine: the compiled form if it is ours and whole, else compiled now and kept."""
    import wasmtime  # deferred: optional, 32 MB

    source = verified(artifact)
    kept = place_of(artifact, made_private(folder))
    if is_private(folder) and is_private(kept):
        with suppress(wasmtime.WasmtimeError):  # cut short, or of another build: compiled again and replaced
            return wasmtime.Module.deserialize_file(engine, str(kept))
    made = wasmtime.Module.from_file(engine, str(source))
    with suppress(OSError):  # a cache that cannot be written costs a second next time
        _keep(kept, bytes(made.serialize()))
    return made


def _keep(place: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=".compiled-", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        os.replace(name, place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
