"""A wish that is an analysis of named data becomes code without a model; other wishes need one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.build import synthesize_component_from_prompt
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs
from tests.products import own_place

pytestmark = needs(ProgramSandbox().missing())
BEDS = "bed,kind,plants\nnorth,rose,3\nsouth,tulip,4\nnorth,tulip,5\n"
POTS = "bed,pots\nnorth,7\nsouth,1\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("wishes")
    (home / "beds.csv").write_text(BEDS)
    (home / "pots.csv").write_text(POTS)
    with own_place(home, gates=False):
        yield home


def test_an_analysis_becomes_a_package_that_gives_the_answer_by_itself(place: Path) -> None:
    made = synthesize_component_from_prompt("total plants by bed in beds.csv", "python", "made")

    assert (made.status, made.error_message) == ("success", "")
    assert "Computed twice on your data, with the same result." in made.explanation
    (name,) = {path.partition("/")[0] for path in made.generated_files}
    assert {path.partition("/")[2] for path in made.generated_files} == {"__init__.py", "helpers.py", "tool.py"}
    program = f"from {name}.tool import {name}; print({name}({str(place / 'beds.csv')!r}))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=place / "made", capture_output=True, text=True, check=False
    )
    assert "north" in done.stdout, done.stderr
    assert {"8", "4"} <= set(done.stdout.replace("|", " ").split())


@pytest.mark.soak
def test_a_preview_shows_it_and_the_command_writes_it_after_a_yes(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = synthesize_component_from_prompt("number of rows by kind in beds.csv", "python", "shown", preview=True)
    assert (shown.status, (place / "shown").exists()) == ("success", False)

    assert main(["synthesize", "--to", "written", "--yes", "average", "plants", "by", "kind", "in", "beds.csv"]) == 0
    assert "Read as: mean of plants by kind" in " ".join(capsys.readouterr().out.split())
    assert len(list((place / "written").glob("*/tool.py"))) == 1


@pytest.mark.parametrize(
    "wish",
    [
        "a function that counts words",
        "qwzx of the blorp in beds.csv",
        "total price by bed in beds.csv",
    ],
)
def test_what_the_planner_does_not_understand_needs_a_model(place: Path, wish: str) -> None:
    made = synthesize_component_from_prompt(wish, "python", "none")

    assert (made.status, made.generated_files) == ("failure", {})
    assert "language model" in made.error_message
    assert not (place / "none").exists()


@pytest.mark.soak
def test_a_wish_that_an_approved_tool_answers_names_the_tool(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["total", "pots", "by", "bed", "in", "pots.csv"]) == 0
    assert main(["approve"]) == 0
    capsys.readouterr()

    made = synthesize_component_from_prompt("total pots by bed in pots.csv", "python", "none")

    assert (made.status, made.generated_files) == ("failure", {})
    name = re.search(r"`%mcpgen build tool:(\w+)`", made.error_message)
    assert name is not None, made.error_message
    assert main(["build", f"tool:{name[1]}", "--to", str(place / "dist")]) == 0
    assert list((place / "dist").glob("*.whl"))


def test_data_that_is_not_there_is_named(place: Path) -> None:
    made = synthesize_component_from_prompt("total plants by bed in gone.csv", "python", "none")

    assert made.status == "failure"
    assert "gone.csv" in made.error_message
