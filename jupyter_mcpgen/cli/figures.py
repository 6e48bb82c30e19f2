"""The figures of an answer in a terminal: named, and saved into a folder where one is given."""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from jupyter_mcpgen.verbs.words import UsageError

if TYPE_CHECKING:
    from jupyter_mcpgen.model.figure import Figure


def take_folder(words: Sequence[str]) -> tuple[Path | None, list[str]]:
    """Take `--save DIR` out of a question or a call; raises `UsageError` for a wrong one."""
    folder: Path | None = None
    rest: list[str] = []
    waiting = iter(words)
    for word in waiting:
        name, _, value = word.partition("=")
        if name != "--save":
            rest.append(word)
            continue
        given = value or next(waiting, "")
        if not given:
            raise UsageError("`--save` needs the name of a folder after it, such as `--save figures`.")
        folder = Path(given).expanduser()
        if not folder.is_dir():
            raise UsageError(f"There is no folder `{given}` to save figures in. Make it first.")
    return folder, rest


def told_figures(figures: Sequence[Figure], folder: Path | None) -> Iterator[str]:
    """Save figures, if there is a folder for them, and yield a line for each; a file that is there stays as it is."""
    for figure in figures:
        if folder is None or not figure.content:
            yield f"Figure: {figure.told}." + (" Add `--save DIR` to keep it." if figure.content else "")
            continue
        path = _free(folder / PurePosixPath(figure.name).name)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(b64decode(figure.content))
        yield f"Figure: `{path}` ({figure.type}, {figure.size:,} bytes)."


def _free(path: Path) -> Path:
    """Return the path, or the same with a number behind its name where a file is there."""
    number = 1
    free = path
    while free.exists() or free.is_symlink():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
