"""What a job left in its scratch folder, as artifacts: taken from a folder of ours, or sent by a container."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jupyter_mcpgen.sandbox.inside.left_behind import DEEPEST, plain_files
from jupyter_mcpgen.sandbox.job import Artifact
from jupyter_mcpgen.sandbox.policy import Limits

_MOST_TOLD = 1_000
_LONGEST_TOLD = 500
_LONGEST_NAME = 255


@dataclass(frozen=True)
class Collected:
    """The files there were, by path, and what was left out, each with the reason."""

    artifacts: tuple[Artifact, ...] = ()
    left_out: tuple[str, ...] = ()


def collect(folder: int, limits: Limits) -> Collected:
    """Return what lies below an open folder, in the order of the paths."""
    left_out: list[str] = []
    found = plain_files(folder, limits.artifacts, limits.artifact_bytes, left_out)
    artifacts = tuple(Artifact(path, content) for path, content in found)
    return Collected(artifacts, tuple(left_out))


def collected_in(scratch: Path, limits: Limits) -> Collected:
    """Return what lies below a folder that was the scratch of a job, which is over."""
    folder = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return collect(folder, limits)
    finally:
        os.close(folder)


def received(files: Iterable[tuple[str, bytes]], told: Iterable[str], limits: Limits) -> Collected:
    """Return what a container says that its job left: within the limits, and by names that lead nowhere else."""
    artifacts: dict[str, Artifact] = {}
    left_out = [_printable(line) for line, _ in zip(told, range(_MOST_TOLD), strict=False)]
    room = limits.artifact_bytes
    for path, content in files:
        if not _is_inside(path) or any(_cannot_be_beside(path, other) for other in artifacts):
            left_out.append(f"`{_printable(path)}`: its name leads elsewhere, or was given twice")
        elif len(artifacts) >= limits.artifacts or len(content) > room:
            left_out.append(f"`{path}`: it is more than there is room for")
        else:
            artifacts[path] = Artifact(path, content)
            room -= len(content)
    return Collected(tuple(artifacts.values()), tuple(left_out))


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    named = all(part not in ("", ".", "..") and len(part.encode("utf-8", "replace")) <= _LONGEST_NAME for part in parts)
    plain = named and len(parts) <= DEEPEST + 1
    return plain and path.isprintable() and not PurePosixPath(path).is_absolute()


def _cannot_be_beside(path: str, other: str) -> bool:
    """Return whether two paths are the same, or one would be a file and a folder."""
    return f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/")


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:_LONGEST_TOLD])
