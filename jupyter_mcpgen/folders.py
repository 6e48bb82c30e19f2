"""Folders that a person opened to clients, to read from or to write into: the rule for every path a client names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.errors import PathNotOpen


@dataclass(frozen=True)
class OpenFolders:
    """Folders that a setting opens for a purpose, with all below them but hidden files and the `closed` ones.

    A relative path begins in the first of them that has it, or else in the first.
    """

    setting: str
    purpose: str
    open: tuple[Path, ...] = ()
    closed: tuple[Path, ...] = ()

    def allowed(self, given: str) -> Path:
        """Return the path that a client named, links followed; raises `PathNotOpen`."""
        for path in self._meant(given):
            closed = any(path.is_relative_to(real(folder)) for folder in self.closed)
            if not closed and any(is_open_below(path, real(folder)) for folder in self.open):
                return path
        raise PathNotOpen(given if self.open else None, self.setting, self.purpose)

    def _meant(self, given: str) -> tuple[Path, ...]:
        try:
            path = Path(given).expanduser()
            meant = [path] if path.is_absolute() else [real(folder) / path for folder in self.open]
            there = [each for each in meant if each.exists()] or meant[:1]
            return tuple(each.resolve() for each in there)
        except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a zero byte, a name too long
            raise PathNotOpen(given, self.setting, self.purpose) from error


def is_open_below(path: Path, folder: Path) -> bool:
    """Return whether a resolved path lies in a folder and nothing on the way down is hidden."""
    return path.is_relative_to(folder) and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def real(folder: Path) -> Path:
    """Return where a folder really is."""
    return folder.expanduser().resolve()
