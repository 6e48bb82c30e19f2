"""Backends for tests of waiting workers, light ones and one with the real libraries."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from tests.unit.sandbox.jobs.workers import Children, living


@pytest.fixture
def children() -> Children:
    """Return what tells the processes that a test started and that live; those of other tests' backends are not its."""
    gc.collect()  # forgotten backends close
    others = living()
    return lambda: living() - others


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    return folder


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    folder = tmp_path / "installed"
    folder.mkdir()
    return folder


@pytest.fixture
def light(installed: Path) -> Interpreter:
    """Return an interpreter with no packages but what a test installs: its spares start at once."""
    current = Interpreter.current()
    return replace(current, imports=(installed,), reads=(*current.reads, installed))


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Return where jobs get their scratch folders."""
    folder = tmp_path / "scratch"
    folder.mkdir(mode=0o755)
    return folder


@pytest.fixture
def backend(light: Interpreter, scratch: Path) -> Iterator[ProcessBackend]:
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=light, scratch_root=scratch)
    yield backend
    backend.close()


@pytest.fixture
def full() -> Iterator[ProcessBackend]:
    """Return a backend with the real libraries, warm."""
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES)
    backend.warm()
    yield backend
    backend.close()
