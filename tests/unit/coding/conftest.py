"""A project with one flaw of each category, and the analyst of these tests, who keeps nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.coding.analysis import Analyst
from jupyter_mcpgen.coding.kept import Kept
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.flawed_project import write_flawed


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_flawed(tmp_path_factory.mktemp("flawed"))


@pytest.fixture
def analyst(tmp_path: Path) -> Analyst:
    return Analyst(ProgramSandbox(), Kept(tmp_path / "kept.sqlite"))
