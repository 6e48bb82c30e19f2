"""What runs is what a person was shown and approved: no module beside it, no other code on the card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.model.package import Package, fingerprint
from jupyter_mcpgen.pipeline.workbench import unpacked
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from tests import builders
from tests.levels import require

TOOL = "import colorsys\n\ndef tool():\n    return str(colorsys.rgb_to_yiq(0, 0, 0)[0])\n"
STRANGER = "def rgb_to_yiq(*_):\n    return ('not the library',)\n"
PACKAGE = Package(files={"tool.py": TOOL, "colorsys.py": STRANGER})


@pytest.fixture(scope="module")
def backend() -> Iterator[ProcessBackend]:
    backend = ProcessBackend(spares=0)
    require(backend.missing())
    yield backend
    backend.close()


def told(backend: ProcessBackend, folder: Path) -> str | None:
    run = backend.run(Job(folder, "tool", (Call({}),)), Policy(limits=Limits(memory_mb=1024)))
    return run.answers[0].text


def test_a_module_beside_a_tool_takes_the_place_of_the_librarys(backend: ProcessBackend, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for name, text in PACKAGE.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert told(backend, tmp_path) == "not the library"


def test_a_module_that_the_fingerprint_does_not_cover_is_not_there_when_a_tool_runs(
    backend: ProcessBackend, tmp_path: Path
) -> None:
    with unpacked(PACKAGE, tmp_path) as folder:
        assert told(backend, folder) == "0.0"


def test_all_files_that_a_tool_runs_with_are_covered_by_its_fingerprint(tmp_path: Path) -> None:
    draft = builders.draft()
    with unpacked(draft.package, tmp_path) as folder:
        laid = sorted(path.name for path in folder.iterdir())

    def changed(name: str) -> str:
        files = {**draft.package.files, name: f"{draft.package.files[name]}# changed\n"}
        return fingerprint(draft.candidate.spec, "1.0.0", Package(files=files), {}, (), ())

    assert laid
    assert len({changed(name) for name in laid} | {changed("plan.json")}) == len(laid) + 1


@pytest.mark.parametrize("change", [{"code": "print('harmless')\n"}, {"capabilities": ("cap:files.write",)}])
def test_a_card_that_shows_other_code_or_rights_is_not_staged(tmp_path: Path, change: dict[str, object]) -> None:
    registry = Registry(tmp_path / "registry")
    candidate, package, card = builders.draft().parts

    with pytest.raises(RegistryError, match="`card` does not fit its files"):
        registry.stage(candidate, package, card.replace(**change))

    registry.stage(candidate, package, card)
