"""The committed bundle: made from the sources beside it, complete, and free of names of machines."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "jupyter_mcpgen" / "labextension"
MOST_BYTES = 180 * 1024


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_bundle_and_sources_agree(hook: ModuleType) -> None:
    recorded = json.loads((BUNDLE / "digests.json").read_text())

    assert recorded == hook.digests(ROOT), "run `python hatch_build.py` and commit the result"


def test_the_bundle_loads_what_its_package_names() -> None:
    built = json.loads((BUNDLE / "package.json").read_text())["jupyterlab"]["_build"]

    assert (BUNDLE / built["load"]).is_file()
    assert (BUNDLE / "static" / "style.js").is_file()


def test_the_bundle_stays_small() -> None:
    sizes = {path.name: path.stat().st_size for path in (BUNDLE / "static").glob("*.js")}

    assert len(sizes) >= 2
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_versions_agree() -> None:
    python = re.search(r'__version__ = "(.+)"', (ROOT / "jupyter_mcpgen" / "__init__.py").read_text())
    page = json.loads((ROOT / "package.json").read_text())["version"]

    assert python is not None
    assert python.group(1) == page


def test_no_file_of_the_front_end_names_a_registry() -> None:
    files = [ROOT / name for name in ("package.json", "yarn.lock", ".yarnrc.yml")]

    assert [file.name for file in files if re.search(r"https?://|registry\.", file.read_text())] == []


def test_an_edit_of_a_source_is_noticed(hook: ModuleType, tmp_path: Path) -> None:
    for name in ("package.json", "yarn.lock", "install.json", ".yarnrc.yml"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "labextension").mkdir()
    (tmp_path / hook.BUNDLE).mkdir(parents=True)
    (tmp_path / hook.DIGESTS).write_text(json.dumps(hook.digests(tmp_path)))
    assert hook.is_fresh(tmp_path)

    (tmp_path / "labextension" / "index.ts").write_text("// new")

    assert not hook.is_fresh(tmp_path)
