"""The source files of a project, read once: which they are, what language each is in, and its content.

Links are not followed, and hidden, installed and generated folders are left out. What is read here is what is checked:
the checkers see a copy.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pathspec import GitIgnoreSpec

from jupyter_mcpgen.errors import AnalysisError, FolderMissing, SourceMissing, UnsupportedLanguage
from jupyter_mcpgen.model.analysis import LANGUAGE_OF

LEFT_OUT = frozenset({"__pycache__", "node_modules", "site-packages"})
"""Folders of what was installed or made; those of the next names are so too, unless they are packages of Python."""
MAYBE_LEFT_OUT = frozenset({"build", "dist", "env", "target", "venv"})
MOST_WILDCARDS = 3
"""How many `*` a part of a pattern may have, and how many parts `**`: the time that more take grows without bounds."""
MOST_FILES = 20_000
MOST_BYTES = 1_000_000
MOST_BYTES_TOGETHER = 200_000_000


@dataclass(frozen=True)
class SourceFile:
    """One file: its path below the project, with `/`, its language and its content."""

    path: str
    language: str
    content: bytes

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the content."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def lines(self) -> int:
        """Return how many lines it has."""
        return len(self.content.splitlines())


@dataclass(frozen=True)
class SourceTree:
    """The files that are analyzed, by path, and what is not: links, too large, not readable, each with the reason."""

    files: tuple[SourceFile, ...]
    skipped: tuple[str, ...] = ()
    package: str | None = None
    """The name under which the files import each other, where the folder itself is a package of Python."""


def read_file(path: Path) -> SourceFile:
    """Return one file; raises `SourceMissing`, or `UnsupportedLanguage` for one that no checker reads."""
    if not path.is_file():
        raise SourceMissing(path)
    language = LANGUAGE_OF.get(path.suffix.lower())
    if language is None:
        raise UnsupportedLanguage(path.name, ", ".join(f"`{ending}`" for ending in sorted(LANGUAGE_OF)))
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise AnalysisError(f"`{path}` has {size:,} bytes, and files of up to {MOST_BYTES:,} can be analyzed.")
    if not _is_text(path.name):
        raise AnalysisError("The name of the file is no text. Rename it, then analyze it again.")
    try:
        return SourceFile(path.name, language, _content(path))
    except OSError as error:
        raise AnalysisError(f"`{path}` cannot be read: {error.strerror}.") from error


def read_tree(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> SourceTree:
    """Return the source files below a folder that fit the globs, which are those of `.gitignore`.

    Without `include`, all files are meant whose language is known. Raises `FolderMissing`, or `AnalysisError` where no
    file fits: an analysis of nothing would find nothing wrong.
    """
    if not root.is_dir():
        raise FolderMissing(root)
    wanted, unwanted = _globs(include or [f"*{ending}" for ending in LANGUAGE_OF]), _globs(exclude)
    files: list[SourceFile] = []
    skipped: list[str] = []
    together = 0
    unread: list[OSError] = []
    links: list[Path] = []
    for path in _walked(root, unread, links):
        name = path.relative_to(root).as_posix()
        language = LANGUAGE_OF.get(path.suffix.lower())
        if language is None or not wanted.match_file(name) or unwanted.match_file(name):
            continue
        if not _is_text(name):
            skipped.append(f"{_shown(name)} (its name is no text)")
            continue
        try:
            size = path.stat().st_size
            if size > MOST_BYTES:
                skipped.append(f"{name} ({size:,} bytes)")
                continue
            files.append(SourceFile(name, language, _content(path)))
        except OSError as error:
            unread.append(error)
            continue
        together += size
        if len(files) > MOST_FILES or together > MOST_BYTES_TOGETHER:
            raise AnalysisError(
                f"`{root}` has more than {MOST_FILES:,} source files, or more than {MOST_BYTES_TOGETHER:,} bytes of "
                "them. Analyze a folder in it, or leave files out with `exclude_patterns`."
            )
    for link in links:
        name = link.relative_to(root).as_posix()
        is_meant = wanted.match_file(name) if link.suffix.lower() in LANGUAGE_OF else link.is_dir()
        if is_meant and not unwanted.match_file(f"{name}/" if link.is_dir() else name):
            skipped.append(f"{_shown(name)} (a link)")
    if not files:
        raise AnalysisError(
            f"No source file in `{root}` fits the patterns, so nothing was analyzed. Patterns are globs such as "
            "`**/*.py`; hidden and installed files are left out."
        )
    skipped += [f"{_shown(os.path.relpath(error.filename, root))} ({error.strerror})" for error in unread]
    package = root.resolve().name if any(file.path == "__init__.py" for file in files) else None
    return SourceTree(tuple(sorted(files, key=lambda file: file.path)), tuple(sorted(skipped)), package)


def _walked(root: Path, unread: list[OSError], links: list[Path]) -> Iterator[Path]:
    """Yield the files below a folder that may be source; folders that cannot be read, and links, are added to lists."""
    waiting = [str(root)]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            unread.append(error)
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                links += [] if _is_made(entry) else [Path(entry.path)]
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False) and not _is_made(entry):
                waiting.append(entry.path)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that no encoding of the system explains
        return False
    return True


def _shown(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _is_made(folder: os.DirEntry[str]) -> bool:
    return folder.name in LEFT_OUT or (
        folder.name in MAYBE_LEFT_OUT and not os.path.isfile(os.path.join(folder.path, "__init__.py"))
    )


def _content(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(MOST_BYTES)


def _globs(patterns: Sequence[str]) -> GitIgnoreSpec:
    for pattern in patterns:
        parts = pattern.split("/")
        if parts.count("**") > MOST_WILDCARDS or any(part.count("*") > MOST_WILDCARDS for part in parts):
            raise AnalysisError(
                f"The pattern `{pattern[:100]}` has too many wildcards. It may have `**` {MOST_WILDCARDS} times "
                "at most, and `*` as often between two slashes."
            )
    try:
        return GitIgnoreSpec.from_lines([pattern.removeprefix("./") for pattern in patterns])
    except ValueError as error:
        raise AnalysisError(
            f"One of the patterns is no glob: {error}. Patterns are globs such as `**/*.py`."
        ) from error
