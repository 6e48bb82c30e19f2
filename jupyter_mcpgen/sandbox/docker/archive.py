"""Files on their way into a container, as the archive that an engine unpacks before it starts."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """One file that is put into a container before it starts; root's, and nobody else's to change."""

    name: str
    content: bytes
    executable: bool = False


def archive(files: Iterable[Member]) -> bytes:
    """Return files as an archive in which everything is root's, readable by all and writable by none of them."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        tar.addfile(_entry("./", tarfile.DIRTYPE, 0o755))
        folders: set[str] = set()
        for member in files:
            for parent in reversed(_parents(member.name)):
                if parent not in folders:
                    folders.add(parent)
                    tar.addfile(_entry(parent, tarfile.DIRTYPE, 0o755))
            entry = _entry(member.name, tarfile.REGTYPE, 0o755 if member.executable else 0o644)
            entry.size = len(member.content)
            tar.addfile(entry, io.BytesIO(member.content))
    return buffer.getvalue()


def _entry(name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = kind, mode
    return entry


def _parents(name: str) -> list[str]:
    parts = name.split("/")[:-1]
    return ["/".join(parts[: end + 1]) for end in reversed(range(len(parts)))]
