"""A module of a person is packaged as its project says, and what cannot be taken over is refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from jupyter_mcpgen.build.module_package import ModulePackage
from jupyter_mcpgen.build.module_source import read_module
from jupyter_mcpgen.build.order import order
from jupyter_mcpgen.build.own_tests import PackageTests, Verdict, folders_of_tests
from jupyter_mcpgen.build.products import Course, products
from jupyter_mcpgen.build.subjects import SourceModule
from jupyter_mcpgen.errors import OwnTestsFailed, UnfitModule
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs

PROJECT = """\
[project]
name = "garden-beds"
version = "1.2.0"
description = "Beds and what grows in them."
requires-python = ">=3.12"
dependencies = ["pandas>=3"]
[project.optional-dependencies]
plots = ["matplotlib", "cycler; python_version < '3.13'"]
"""
BEDS = {"garden_beds.py": b"beds = 3\n"}
SEED = b"\x89PNG\r\n\x1a\n\xff\xfe"


def project(root: Path, files: Mapping[str, bytes], text: str = PROJECT) -> Path:
    """Write a project with its files by path."""
    for name, content in {"pyproject.toml": text.encode(), **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def wheel_of(module: SourceModule) -> Mapping[str, bytes]:
    """Return the files of its wheel."""
    (content,) = (each for name, each in ModulePackage(module).artifacts().items() if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_the_project_says_is_in_the_metadata(tmp_path: Path) -> None:
    module = read_module(project(tmp_path, BEDS), None)

    metadata = Metadata.from_email(wheel_of(module)["garden_beds-1.2.0.dist-info/METADATA"])

    assert (metadata.name, str(metadata.version), str(metadata.requires_python)) == ("garden-beds", "1.2.0", ">=3.12")
    assert metadata.summary == "Beds and what grows in them."
    assert metadata.provides_extra == ["plots"]
    assert [str(each) for each in metadata.requires_dist or ()] == [
        "pandas>=3",
        'cycler; python_version < "3.13" and extra == "plots"',
        'matplotlib; extra == "plots"',
    ]


def test_a_module_named_like_its_project_is_packaged_and_scripts_beside_it_are_not(tmp_path: Path) -> None:
    module = read_module(project(tmp_path, {**BEDS, "setup.py": b"", "conftest.py": b""}), None)

    assert set(module.files) == {"garden_beds.py"}


def test_below_src_each_module_and_package_is_packaged(tmp_path: Path) -> None:
    files = {"src/beds.py": b"", "src/tulips/__init__.py": b"", "src/tulips/seed.png": SEED, "src/notes.txt": b""}
    root = project(tmp_path, files)

    module = read_module(root, None)

    assert set(module.files) == {"beds.py", "tulips/__init__.py", "tulips/seed.png"}
    assert wheel_of(module)["tulips/seed.png"] == SEED


def test_below_src_a_namespace_is_packaged_and_what_an_installation_left_is_not(tmp_path: Path) -> None:
    files = {"src/garden/beds/__init__.py": b"", "src/garden/beds/seed.png": SEED, "src/garden_beds.egg-info/a.py": b""}
    files |= {"src/data/rows.csv": b"1\n", "src/tests/test_beds.py": b""}

    module = read_module(project(tmp_path, files), None)

    assert set(module.files) == {"garden/beds/__init__.py", "garden/beds/seed.png"}


@pytest.mark.parametrize("files", [{"garden_beds/sow.py": b""}, {"garden_beds/sow/__init__.py": b""}])
def test_a_script_is_taken_over_where_its_module_is_packaged(tmp_path: Path, files: Mapping[str, bytes]) -> None:
    text = f'{PROJECT}[project.scripts]\nsow = "garden_beds.sow:main"\n'
    package = {"garden_beds/__init__.py": b""}

    module = read_module(project(tmp_path / "whole", {**package, **files}, text), None)

    assert module.scripts == (("sow", "garden_beds.sow:main"),)
    with pytest.raises(UnfitModule, match=r"`sow` needs the module `garden_beds\.sow`, which is not among its files"):
        read_module(project(tmp_path / "torn", package, text), None)


def test_tests_are_found_in_packages_too_and_each_once() -> None:
    package = ("garden/__init__.py", "garden/tests/test_beds.py", "garden/tests/slow/beds_test.py", "garden/testing.py")

    assert list(folders_of_tests([*package, "tests/test_garden.py", "test_lonely.py"])) == ["garden/tests", "tests"]


@needs(ProgramSandbox().missing())
def test_a_module_whose_package_has_a_test_that_fails_is_not_built(tmp_path: Path) -> None:
    files = {"garden_beds/__init__.py": b"beds = 3\n", "garden_beds/tests/__init__.py": b""}
    files |= {"garden_beds/tests/test_beds.py": b"from .. import beds\n\ndef test_beds():\n    assert beds == 4\n"}
    module = read_module(project(tmp_path, files), None)
    course = Course(lambda percent, message: None, lambda text: None, Cancellation(), lambda: 60.0)

    with pytest.raises(OwnTestsFailed, match="Its tests fail"):
        products(order("module:garden", {}, {}), module, PackageTests(Executor), course)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (('version = "1.2.0"', 'dynamic = ["version"]'), "knows its version. Pass `config.version`"),
        (("dependencies =", 'dynamic = ["optional-dependencies"]\ndependencies ='), "knows its optional-dependencies"),
        (("[project.opt", '[project.gui-scripts]\na = "x:main"\n[project.opt'), "`gui-scripts` cannot be taken over"),
    ],
)
def test_what_cannot_be_taken_over_is_refused(tmp_path: Path, changed: tuple[str, str], told: str) -> None:
    root = project(tmp_path, BEDS, PROJECT.replace(*changed))

    with pytest.raises(UnfitModule, match=told):
        read_module(root, None)


def test_code_that_has_to_be_compiled_is_refused_and_other_data_is_not(tmp_path: Path) -> None:
    files = {"garden_beds/__init__.py": b"", "garden_beds/seeds.csv": b"seed\n"}
    assert set(read_module(project(tmp_path / "data", files), None).files) == set(files)

    with pytest.raises(UnfitModule, match=r"`garden_beds/fast.pyx` has to be compiled"):
        read_module(project(tmp_path / "code", {**files, "garden_beds/fast.pyx": b""}), None)


def test_a_version_may_be_given_for_a_project_that_computes_its_own(tmp_path: Path) -> None:
    text = PROJECT.replace('version = "1.2.0"', 'dynamic = ["version"]')

    module = read_module(project(tmp_path, BEDS, text), "3.0.0")

    assert module.version == "3.0.0"


@pytest.mark.parametrize("changed", [("Beds and", "Pots and"), (">=3.12", ">=3.11"), ("matplotlib", "plotly")])
def test_what_the_project_says_is_part_of_its_digest(tmp_path: Path, changed: tuple[str, str]) -> None:
    root = project(tmp_path, BEDS)
    before = read_module(root, None).digest
    same = read_module(root, None).digest

    after = read_module(project(root, BEDS, PROJECT.replace(*changed)), None).digest

    assert before == same
    assert after != before


@needs(ProgramSandbox().missing())
@pytest.mark.parametrize(
    ("test", "verdict", "told"),
    [
        ("def test_seed():\n    assert open('garden/seed.png', 'rb').read()[:4] == b'\\x89PNG'\n", "PASSED", "pass"),
        ("def test_seed():\n    assert False\n", "FAILED", "fail"),
        ("", "NOT_RUN", "`tests` has no test to run."),
    ],
)
def test_its_tests_run_beside_its_data(test: str, verdict: str, told: str) -> None:
    files = {"garden/__init__.py": b"", "garden/seed.png": SEED, "tests/test_seed.py": test.encode()}

    tested = PackageTests(Executor).run(files, "tests", 60.0, Cancellation())

    assert tested.verdict is Verdict[verdict]
    assert told in tested.sentence
