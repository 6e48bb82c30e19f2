"""No text of a tool becomes code, markup or metadata of what is built of it; its code runs in the sandbox only."""

from __future__ import annotations

import ast
import email
import io
import json
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.build.builds import Builds
from jupyter_mcpgen.build.module_source import read_module
from jupyter_mcpgen.build.order import Kind, order
from jupyter_mcpgen.build.own_tests import PackageTests
from jupyter_mcpgen.build.products import Course, products
from jupyter_mcpgen.build.records import BuildStatus, State
from jupyter_mcpgen.build.subjects import Approved
from jupyter_mcpgen.errors import NotStandalone, OwnTestsFailed, UnfitModule
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.builders import approval, approved, draft, spec
from tests.fakes.executors import Ended
from tests.levels import needs

EVIL = (
    'A "quoted" \\ text""" + evil() + """\r\nRequires-Dist: evil\n\n[project]\nname = "evil"\n```\n# Evil\n'
    "![x](https://evil.example/x.png)<script>evil()</script>\x1b[2J\u202e{{ evil() }}{% raw %}' + evil() + '%(prog)s"
)
"""Ends a literal, a docstring, a header, a table of TOML, a fence and a template; moves a cursor; turns the reading."""


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "registry")


def promoted(registry: Registry, files: Mapping[str, str] | None = None) -> tuple[PromotedTool, Package]:
    """Return an approved tool all of whose texts are hostile."""
    contract = spec(
        "innocent",
        description=EVIL,
        when_to_use=EVIL,
        what_it_does=EVIL,
        returns=EVIL,
        prerequisites=EVIL,
        parameters=(
            ToolParameter(name="file_path", type="str", description=EVIL),
            ToolParameter(name="column", type="str", description=EVIL, required=False, default=EVIL),
        ),
    )
    made = draft("innocent", "innocent-1", contract=contract, files=files)
    registry.stage(*made.parts)
    registry.promote(made.tool_id, approval(made), approved())
    return registry.loaded("innocent")


def built(kind: Kind, tool: PromotedTool, package: Package) -> dict[str, bytes]:
    """Return what is built, file by file."""
    course = Course(lambda percent, message: None, lambda text: None, Cancellation(), lambda: 60.0)
    made = products(order(f"{kind}:innocent", {}, {}), (Approved(tool, package),), PackageTests(Ended), course)
    found = dict(made.files)
    for name, content in made.files.items():
        if name.endswith(".whl"):
            archive = zipfile.ZipFile(io.BytesIO(content))
            found |= {entry: archive.read(entry) for entry in archive.namelist()}
        if name.endswith(".tar.gz"):
            with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as packed:
                found |= {entry.name: packed.extractfile(entry).read() for entry in packed}
    return found


def calls_in(source: bytes) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


@pytest.mark.parametrize("kind", [Kind.TOOL, Kind.SCRIPT, Kind.SERVER])
def test_no_text_becomes_code(registry: Registry, kind: Kind) -> None:
    sources = {name: content for name, content in built(kind, *promoted(registry)).items() if name.endswith(".py")}

    assert sources
    assert {name: calls for name, content in sources.items() if "evil" in (calls := calls_in(content))} == {}
    hidden = {name for name, content in sources.items() if b"\x1b" in content or "\u202e".encode() in content}
    assert hidden == set()


def test_no_text_becomes_metadata(registry: Registry) -> None:
    files = built(Kind.TOOL, *promoted(registry))
    told = email.message_from_bytes(files["mcp_tool_innocent-1.0.0.dist-info/METADATA"])
    project = tomllib.loads(files["mcp_tool_innocent-1.0.0/pyproject.toml"].decode())

    assert (told["Name"], told.get_all("Name"), told["Version"]) == (
        "mcp-tool-innocent",
        ["mcp-tool-innocent"],
        "1.0.0",
    )
    assert not [text for text in told.get_all("Requires-Dist") if "evil" in text]
    assert set(told.keys()) == {
        *("Metadata-Version", "Name", "Version", "Summary", "Requires-Python", "Requires-Dist", "Provides-Extra"),
        "Description-Content-Type",
    }
    assert project["project"]["name"] == "mcp-tool-innocent"
    assert not [text for text in project["project"]["dependencies"] if "evil" in text]
    assert set(project) == {"build-system", "project", "tool"}
    assert files["mcp_tool_innocent-1.0.0/PKG-INFO"] == files["mcp_tool_innocent-1.0.0.dist-info/METADATA"]


def test_no_text_becomes_markup_of_a_page_or_a_cell(registry: Registry) -> None:
    tool, package = promoted(registry)
    page = built(Kind.TOOL, tool, package)["mcp_tool_innocent-1.0.0/README.md"].decode()
    book = json.loads(built(Kind.NOTEBOOK, tool, package)["innocent.ipynb"])

    cells = ["".join(cell["source"]) for cell in book["cells"]]
    words = [page, *(text for text, cell in zip(cells, book["cells"], strict=True) if cell["cell_type"] == "markdown")]
    for text in words:
        assert "![x]" not in text.replace("\\![x]", "")
        assert "<script>" not in text
        assert not [line for line in text.splitlines() if line.startswith(("# Evil", "[project]", "Requires-Dist"))]
        assert "\x1b" not in text
    code = [text for text, cell in zip(cells, book["cells"], strict=True) if cell["cell_type"] == "code"]
    assert not [text for text in code if "evil" in calls_in(text.encode())]


@pytest.mark.parametrize(
    "text", ["pandas\nRequires-Dist: evil", "evil @ https://evil.example/x.whl ; \x1b", "--index-url x"]
)
def test_what_is_no_requirement_is_not_installed(registry: Registry, text: str) -> None:
    tool, package = promoted(registry)

    with pytest.raises(NotStandalone, match="nothing that can be installed"):
        built(Kind.TOOL, tool.replace(dependencies=(text,)), package)


@pytest.mark.parametrize("version", ["1.0.0\nEvil: 1", "../1.0.0", "1.0.0+local", ""])
def test_a_version_that_is_more_than_numbers_is_refused(registry: Registry, version: str) -> None:
    tool, package = promoted(registry)

    with pytest.raises(NotStandalone, match="its version is not three numbers"):
        built(Kind.TOOL, tool.replace(version=version), package)


def building(registry: Registry, folder: Path, tests: PackageTests, target: str) -> BuildStatus:
    """Build a target to its end."""
    builds = Builds(registry, folder / "state", tests, lambda: "2026-01-22T10:00:00+00:00")
    return builds.wait(builds.trigger(target, lambda: folder / "out").build_id)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.MODULE])
def test_nothing_of_a_tool_runs_while_it_is_built(registry: Registry, tmp_path: Path, kind: Kind) -> None:
    mark = tmp_path / "ran"
    acting = f"from pathlib import Path\n\nPath({str(mark)!r}).touch()\n\n\n"
    code = f"{acting}def innocent(file_path: str, column: str = 'x') -> str:\n    return file_path\n"
    promoted(registry, {"tool.py": code, "tests.py": f"{acting}def test_it(): ...\n", "helpers.py": acting})

    status = building(registry, tmp_path, PackageTests(Ended), f"{kind}:innocent")

    assert (status.status, mark.exists()) == (State.SUCCESS, False)


@needs(ProgramSandbox().missing())
def test_the_tests_of_a_tool_can_do_nothing_outside_the_sandbox(registry: Registry, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    promoted(registry, {"tests.py": f"def test_it():\n    open({str(mark)!r}, 'w').close()\n"})

    status = building(registry, tmp_path, PackageTests(Executor), "tool:innocent")

    assert (status.status, mark.exists()) == (State.FAILURE, False)
    assert "Its tests fail" in status.error_details
    assert "test_it" in Path(status.log_file_path).read_text(encoding="utf-8")


def test_a_log_holds_nothing_that_a_terminal_obeys(registry: Registry, tmp_path: Path) -> None:
    promoted(registry)

    class Colourful(Ended):
        def execute(self, *given, **options):
            failed = super().execute(*given, **options)
            return replace(failed, exit_code=1, stdout="\x1b[2Jboo", status=failed.status.ERROR, error_message="no")

    status = building(registry, tmp_path, PackageTests(Colourful), "tool:innocent")

    told = Path(status.log_file_path).read_bytes()
    assert b"boo" in told
    assert b"\x1b" not in told


def test_a_module_that_is_packaged_runs_nothing_of_its_project_outside_the_sandbox(tmp_path: Path) -> None:
    mark, root = tmp_path / "ran", tmp_path / "weeds"
    bait = f"import pathlib\npathlib.Path({str(mark)!r}).write_text('it ran')\n"
    project = (
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[project]\nname = "weeds"\n'
    )
    for name, text in {
        "pyproject.toml": project,
        **dict.fromkeys(("setup.py", "backend.py", "conftest.py", "hatch_build.py", "tests/test_it.py"), bait),
        "weeds/__init__.py": bait,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "weeds" / "link.py").symlink_to("/etc/passwd")

    module = read_module(root, None)
    course = Course(lambda percent, message: None, lambda text: None, Cancellation(), lambda: 60.0)
    with pytest.raises(OwnTestsFailed):  # what they want to write is refused there
        products(order("module:weeds", {}, {}), module, PackageTests(Executor), course)

    assert not mark.exists()
    assert set(module.files) == {"weeds/__init__.py"}
    subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=root, check=False, capture_output=True)
    assert mark.exists()


@pytest.mark.parametrize(
    ("project", "told"),
    [
        ('[project]\nname = "x"\ndynamic = ["dependencies"]\n', "only its own build backend knows"),
        ('[project]\nname = "x/../y"\n', "cannot be used"),
        ('[project]\nname = "x"\nversion = "1\\nRequires-Dist: evil"\n', "cannot be used"),
        ('[project]\nname = "x"\ndependencies = ["evil\\nName: y"]\n', "cannot be used"),
        ('[project]\nname = "x"\n[project.scripts]\n"a/b" = "x:main"\n', "names no function"),
        ('[project]\nname = "x"\n[project.scripts]\na = "x:main\\nb = y:z"\n', "names no function"),
        ("[project\n", "that can be read"),
        ("[tool.x]\n", "that can be read"),
    ],
)
def test_no_text_of_a_project_becomes_metadata(tmp_path: Path, project: str, told: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "__init__.py").write_text("")
    (tmp_path / "pyproject.toml").write_text(project)

    with pytest.raises(UnfitModule, match=told):
        read_module(tmp_path, None)
