"""Reads a module that a person wrote, to be packaged: its files, and what its `pyproject.toml` says of it.

Nothing of the project runs: no build backend, no hook, no `setup.py`. What needs one is refused.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import InvalidName, canonicalize_name
from packaging.version import InvalidVersion, Version
from pydantic import ConfigDict, Field, ValidationError

from jupyter_mcpgen.build.subjects import SourceModule
from jupyter_mcpgen.errors import UnfitModule
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.visible import visible

MOST_FILES, MOST_BYTES = 2_000, 20_000_000
FIRST_VERSION = "0.0.0"
_SOURCES = "src"
_COMPILED = (".c", ".cc", ".cpp", ".cxx", ".f90", ".go", ".pyd", ".pyx", ".rs", ".so")
"""The endings of machine code, and of what a compiler makes it of: a wheel of pure Python has no place for either."""
_LEFT_OUT = ("__pycache__", "node_modules")
_NO_PACKAGES = {"tests", "docs"}
_COMMAND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ENTRY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class _Project(Record):
    """The table `project`, as far as it is taken over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    version: str | None = None
    description: str = ""
    requires_python: str = Field(default=">=3.11", alias="requires-python")
    dependencies: tuple[str, ...] = ()
    optional_dependencies: Mapping[str, tuple[str, ...]] = Field(default={}, alias="optional-dependencies")
    scripts: Mapping[str, str] = {}


def read_module(path: Path, version: str | None) -> SourceModule:
    """Return a module: one file, a package, or a project with `pyproject.toml`; raises `UnfitModule`.

    `version` replaces the one that the project names, if it names one.
    """
    try:
        if path.is_file() and path.suffix == ".py":
            return _made(_Project(name=path.stem), {path.name: path.read_bytes()}, {}, version, path)
        if (path / "pyproject.toml").is_file():
            return _of_project(path, version)
        if (path / "__init__.py").is_file():
            files = {f"{path.name}/{name}": content for name, content in _read(path)}
            return _made(_Project(name=path.name), files, {}, version, path)
    except OSError as error:
        raise UnfitModule(path, f"it cannot be read: {error.strerror or error}") from error
    raise UnfitModule(path, "it is no `.py` file, no package with `__init__.py`, and no project with `pyproject.toml`")


def _of_project(path: Path, version: str | None) -> SourceModule:
    try:
        table = tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))
        project = _Project.model_validate(table["project"])
    except (KeyError, ValueError, ValidationError) as error:
        raise UnfitModule(path, "its `pyproject.toml` has no `project` with a `name` that can be read") from error
    dynamic = {*_texts(table["project"].get("dynamic"))} & {
        "version",
        "dependencies",
        "optional-dependencies",
        "scripts",
    }
    unknown = sorted(dynamic - ({"version"} if version else set()))
    if unknown:
        why = f"only its own build backend knows its {' and '.join(unknown)}"
        raise UnfitModule(path, f"{why}. Pass `config.version`" if unknown == ["version"] else why)
    registered = sorted({"entry-points", "gui-scripts"} & table["project"].keys())
    if registered:
        raise UnfitModule(path, f"its `{registered[0]}` cannot be taken over")
    root = path / _SOURCES if (path / _SOURCES).is_dir() else path
    called = canonicalize_name(project.name) if root == path else None
    there = dict(_read(root))
    packages = {name.partition("/")[0] for name in there if _makes_package(name, is_apart=called is None)}
    files = {name: content for name, content in there.items() if _is_installed(name, packages - _NO_PACKAGES, called)}
    tests = {f"tests/{name}": content for name, content in _read(path / "tests")}
    return _made(project, files, tests, version, path)


def _makes_package(name: str, *, is_apart: bool) -> bool:
    """Return whether a file makes a package of the first folder that it is in.

    Where sources lie apart from all else, a package needs no `__init__.py`, which namespaces do not have.
    """
    first, _, rest = name.partition("/")
    return rest.endswith(".py") and first.isidentifier() if is_apart else rest == "__init__.py"


def _is_installed(name: str, packages: Collection[str], called: str | None) -> bool:
    """Return whether a file belongs to a package of the project, or is a module of its own.

    `called` is what a module of its own has to be named like, where scripts of the project may lie beside it.
    """
    first, _, rest = name.partition("/")
    if not rest:
        module = first.removesuffix(".py")
        return module != first and called in (None, canonicalize_name(module))
    return first in packages


def _made(
    project: _Project, files: Mapping[str, bytes], tests: Mapping[str, bytes], version: str | None, path: Path
) -> SourceModule:
    compiled = next((name for name in sorted(files) if name.endswith(_COMPILED)), None)
    if compiled is not None:
        raise UnfitModule(path, f"`{visible(compiled)}` has to be compiled, or was, and only Python is packaged")
    if not files:
        raise UnfitModule(path, "it has no package with `__init__.py`, and no module named like it")
    extras = project.optional_dependencies.items()
    try:
        return SourceModule(
            name=canonicalize_name(project.name, validate=True),
            version=str(Version(version or project.version or FIRST_VERSION)),
            files=files,
            tests=tests,
            summary=visible(" ".join(project.description.split())),
            python=str(SpecifierSet(project.requires_python)),
            requirements=_sorted(project.dependencies),
            extras=tuple(sorted((canonicalize_name(name, validate=True), _sorted(each)) for name, each in extras)),
            scripts=_scripts(project.scripts, files, path),
        )
    except (InvalidName, InvalidVersion, InvalidSpecifier, InvalidRequirement) as error:
        raise UnfitModule(path, f"its name, version or requirements cannot be used: {visible(str(error))}") from error


def _sorted(requirements: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(str(Requirement(each)) for each in requirements))


def _scripts(scripts: Mapping[str, str], files: Collection[str], path: Path) -> tuple[tuple[str, str], ...]:
    for name, entry in scripts.items():
        if not _COMMAND.fullmatch(name) or not _ENTRY.fullmatch(entry):
            raise UnfitModule(path, f"its script `{visible(name)}` names no function of a module")
        module = entry.partition(":")[0]
        place = module.replace(".", "/")
        if not {f"{place}.py", f"{place}/__init__.py"}.intersection(files):
            raise UnfitModule(path, f"its script `{name}` needs the module `{module}`, which is not among its files")
    return tuple(sorted(scripts.items()))


def _read(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder; links and hidden files are left out."""
    count = size = 0
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in _LEFT_OUT)
        for name in sorted(names):
            path = Path(folder, name)
            about = path.lstat()
            if name.startswith(".") or name.endswith(".pyc") or not stat.S_ISREG(about.st_mode):
                continue
            count, size = count + 1, size + about.st_size
            if count > MOST_FILES or size > MOST_BYTES:
                raise UnfitModule(root, f"it has more than {MOST_FILES:,} files, or more than {MOST_BYTES:,} bytes")
            yield path.relative_to(root).as_posix(), _content(path)


def _content(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        return file.read(MOST_BYTES)


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
