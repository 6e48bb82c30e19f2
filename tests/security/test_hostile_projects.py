"""A project that is analyzed is hostile: it brings plugins, modules of its linters' names, and files that break them.

Each attack has its control: the same linter, run by hand in the same folder, does what the project wants.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_mcpgen.coding.analysis import Analyst, Whole
from jupyter_mcpgen.model.analysis import AnalysisType
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
SECRET = "the combination is 4711"
BAIT = "import pathlib\npathlib.Path({mark!r}).write_text('it ran')\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "harmless.py").write_text("import os\n")
    return root


def analyze(root: Path) -> Whole:
    return Analyst(ProgramSandbox(), workers=2).whole(root)


def by_hand(root: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": "", "PYTHONSAFEPATH": ""}
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, env=environment)
    return done.stdout + done.stderr


def harmless_is_checked(whole: Whole) -> bool:
    return any(issue.file == "harmless.py" and issue.rule == "F401" for issue in whole.issues)


@pytest.mark.soak
def test_a_plugin_in_the_settings_of_a_project_does_not_run(project: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    (project / "plant.py").write_text(BAIT.format(mark=str(mark)) + "def plugin(version): ...\n")
    (project / "mypy.ini").write_text("[mypy]\nplugins = plant.py\n")
    (project / "pyproject.toml").write_text('[tool.mypy]\nplugins = ["plant.py"]\n[tool.ruff]\nexclude = ["*.py"]\n')

    whole = analyze(project)

    assert not mark.exists()
    assert harmless_is_checked(whole)
    by_hand(project, sys.executable, "-m", "mypy", "harmless.py")
    assert mark.exists()


@pytest.mark.every_run("sitecustomize", "json")
@pytest.mark.parametrize("name", ["mypy", "bandit", "radon", "vulture", "json", "sitecustomize", "inside"])
def test_a_module_of_a_project_is_never_imported(project: Path, tmp_path: Path, name: str) -> None:
    mark = tmp_path / "ran"
    (project / f"{name}.py").write_text(BAIT.format(mark=str(mark)))

    whole = analyze(project)

    assert not mark.exists()
    assert harmless_is_checked(whole)
    by_hand(
        project,
        sys.executable,
        "-c",
        f"import sys; sys.path.insert(0, ''); sys.modules.pop({name!r}, 0); import {name}",
    )
    assert mark.exists()


@pytest.mark.skipif(available()["c"] is not None, reason=str(available()["c"]))
def test_a_file_of_the_machine_is_not_read_into_a_message(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    (project / "peep.c").write_text(f'#include "{secret}"\n')

    whole = analyze(project)

    assert "combination" not in repr((whole.issues, whole.unchecked))
    assert [(one.file, one.checker) for one in whole.unchecked] == [("peep.c", "gcc")]
    assert "combination" in by_hand(project, "gcc", "-fsyntax-only", "peep.c")


@pytest.mark.skipif(available()["rust"] is not None, reason=str(available()["rust"]))
def test_a_macro_reads_nothing_of_the_machine(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    (project / "peep.rs").write_text(f'const _: () = panic!("{{}}", include_str!("{secret}"));\n')

    whole = analyze(project)

    assert "combination" not in repr((whole.issues, whole.unchecked))
    assert [issue.file for issue in whole.issues if issue.file.endswith(".rs")] == ["peep.rs"]


@pytest.mark.soak
def test_a_file_that_breaks_a_linter_is_named_and_the_others_are_checked(project: Path) -> None:
    (project / "deep.py").write_text("x = " + "-" * 200_000 + "1\n")
    (project / "nested.py").write_text("x = " + "(" * 5_000 + ")" * 5_000 + "\n")
    (project / "zero.py").write_bytes(b"x = 1\0\xff\xfe\n")

    whole = analyze(project)

    assert harmless_is_checked(whole)
    told = {one.file for one in whole.unchecked} | {issue.file for issue in whole.issues}
    assert {"deep.py", "nested.py", "zero.py"} <= told
    assert not any(one.file == "harmless.py" and one.checker == "ruff" for one in whole.unchecked)


@pytest.mark.soak
def test_names_that_look_like_options_are_files(project: Path) -> None:
    for name in ("--version.py", "-x.sh", "@list.js", "a b.py", "new\nline.py"):
        (project / name).write_text("if then fi (\n")

    whole = analyze(project)

    told = {issue.file for issue in whole.issues if issue.category is AnalysisType.LINT}
    assert {"--version.py", "-x.sh", "@list.js", "a b.py", "new\nline.py"} <= told
