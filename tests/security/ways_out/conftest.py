"""The registry under attack, and the other one who acts at the moment when a file is opened."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved
from tests.security.ways_out.ground import FOLDERS, LATER, OLD, SECRET, Ground
from tests.security.ways_out.tricks import MEANWHILE


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a registry and its changed copy, which each test gets copies of."""
    home = tmp_path_factory.mktemp("made")
    root, outside = home / "registry", home / "outside"
    registry = Registry(root)
    registry.stage(*OLD.parts)
    registry.promote(OLD.tool_id, approval(OLD), approved())
    registry.stage(*LATER.parts)
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / ".lock").touch()
    shutil.copytree(root, outside)
    for name in ("candidate.json", "metadata.json"):
        for path in outside.rglob(name):
            path.write_text(path.read_text(encoding="utf-8").replace('"embedded"', f'"{SECRET}"'), encoding="utf-8")
    return home


@pytest.fixture
def ground(made: Path, tmp_path: Path) -> Ground:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return Ground(tmp_path / "registry", tmp_path / "outside")


def overtake(event: str, arguments: tuple[object, ...]) -> None:
    """Let the other one act when a file is about to be opened, once; a look of the test outside does not count."""
    if event == "open" and MEANWHILE:
        path = Path(str(arguments[0]))
        if path.name == MEANWHILE[0][0] and "outside" not in path.parts:
            MEANWHILE.pop()[1]()


@pytest.fixture(autouse=True, scope="session")
def _watched() -> None:
    sys.addaudithook(overtake)  # it stays as long as the process, and does nothing without an act


@pytest.fixture(autouse=True)
def _nothing_left_to_do() -> Iterator[None]:
    yield
    MEANWHILE.clear()
