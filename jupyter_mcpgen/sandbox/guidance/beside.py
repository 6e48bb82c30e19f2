"""Where a module lies that is not found by its name, and would be by its place: in the workspace or in the data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import PurePosixPath

_NAME = re.compile(r"[A-Za-z_][\w-]{0,100}")
_FORMS = {
    "python": ("{name}/__init__.py", "{name}.py"),
    "javascript": ("{name}.js", "{name}.cjs", "{name}/index.js"),
}
_MOST_FOLDERS = 500


def place_of(name: str, language: str, files: Iterable[str], data: Iterable[str]) -> str | None:
    """Return the file of a module that code may load by its place, as code writes it; nothing where there is none.

    `files` are paths of the workspace. Of the data, each folder and those just in it are looked at; `data` is trusted,
    as a person named it, and no more than names in it are read.
    """
    if not _NAME.fullmatch(name):
        return None
    forms = tuple(form.format(name=name) for form in _FORMS.get(language, ()))
    deep = (path for path in sorted(files) if any(path.endswith(f"/{form}") for form in forms))
    return next(deep, None) or next(_in_data(forms, data), None)


def folder_of(file: str, name: str) -> str:
    """Return the folder that must be on the import path for a module in that file."""
    path = PurePosixPath(file)
    return str(path.parent.parent if path.parent.name == name else path.parent)


def _in_data(forms: tuple[str, ...], data: Iterable[str]) -> Iterator[str]:
    for root in data:
        for folder in (root, *_folders_in(root)):
            yield from (path for form in forms if os.path.isfile(path := os.path.join(folder, form)))


def _folders_in(root: str) -> list[str]:
    """Return the folders in a folder, as many as are looked at; none where it is a file or closed to us."""
    try:
        with os.scandir(root) as entries:
            return sorted(islice((entry.path for entry in entries if entry.is_dir()), _MOST_FOLDERS))
    except OSError:
        return []
