"""A path that was granted is opened as it was resolved: who puts a link on the way meanwhile redirects nobody."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Status
from jupyter_mcpgen.sandbox.inside.confinement import Confinement
from jupyter_mcpgen.sandbox.inside.places import open_place
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.programs.program import Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Give a file two folders below one that somebody else may change, and beside it what nobody granted."""
    tmp_path.chmod(0o755)
    for name in ("granted", "private"):
        (tmp_path / name / "below").mkdir(parents=True)
        (tmp_path / name / "below" / "data.txt").write_text(f"{name}\n", encoding="utf-8")
    return tmp_path / "granted" / "below" / "data.txt"


def swap(data: Path) -> None:
    """Put a link to what is private where the first folder was."""
    folder = data.parents[1]
    folder.rename(folder.with_name("moved"))
    folder.symlink_to(folder.with_name("private"))


def nothing(data: Path) -> None:
    """Leave everything as it is."""


class SwappingBackend(ProcessBackend):
    """Runs jobs, and is overtaken by somebody between the check of the paths and their use."""

    meanwhile: Callable[[], None]

    def confinement(self, package: Path, policy: Policy, scratch: Path, user: int | None) -> Confinement:
        """Return what is enforced, and let the other one act."""
        found = super().confinement(package, policy, scratch, user)
        self.meanwhile()
        return found


class SwappingSandbox(ProgramSandbox):
    """Runs programs, and is overtaken in the same way."""

    meanwhile: Callable[[], None]

    def confinement(self, program: Program, scratch: Path, user: int | None) -> Confinement:
        """Return what is enforced, and let the other one act."""
        found = super().confinement(program, scratch, user)
        self.meanwhile()
        return found


def run_job(tmp_path: Path, layers: frozenset[Layer], data: Path, act: Callable[[Path], None]) -> str:
    package = tmp_path / "package"
    package.mkdir()
    (package / "tool.py").write_text("def read(path):\n    return open(path).read()\n", encoding="utf-8")
    backend = SwappingBackend(layers=layers, spares=0)
    backend.meanwhile = lambda: act(data)
    job = Job(package, "read", (Call({"path": str(data)}),))
    run = backend.run(job, Policy(read=(data,), limits=Limits(memory_mb=1024)))
    assert run.outcome is Outcome.COMPLETED
    return str(run.answers[0].text)


def run_program(tmp_path: Path, layers: frozenset[Layer], data: Path, act: Callable[[Path], None]) -> Execution:
    sandbox = SwappingSandbox(layers=layers)
    sandbox.__dict__["meanwhile"] = lambda: act(data)
    executor = Executor(sandbox=sandbox, pages=Pages(tmp_path / "output"), data=(data,))
    return executor.execute("bash", f"cat {data}")


def test_a_job_does_not_begin_when_a_folder_on_the_way_became_a_link(
    tmp_path: Path, layers: frozenset[Layer], data: Path
) -> None:
    with pytest.raises(SandboxError, match="became a link after it was resolved"):
        run_job(tmp_path, layers, data, swap)

    assert data.read_text(encoding="utf-8") == "private\n"


def test_the_same_job_reads_its_data_when_nobody_interferes(
    tmp_path: Path, layers: frozenset[Layer], data: Path
) -> None:
    assert "granted" in run_job(tmp_path, layers, data, nothing)


def test_a_program_does_not_begin_when_a_folder_on_the_way_became_a_link(
    tmp_path: Path, layers: frozenset[Layer], data: Path
) -> None:
    run = run_program(tmp_path, layers, data, swap)

    assert (run.status, run.stdout) == (Status.SETUP_ERROR, "")
    assert "became a link after it was resolved" in str(run.error_message)


def test_the_same_program_reads_its_data_when_nobody_interferes(
    tmp_path: Path, layers: frozenset[Layer], data: Path
) -> None:
    run = run_program(tmp_path, layers, data, nothing)

    assert (run.status, run.stdout) == (Status.SUCCESS, "granted\n")


def test_to_look_at_the_last_part_only_would_have_been_redirected(data: Path) -> None:
    private = (data.parents[2] / "private" / "below" / "data.txt").stat()
    swap(data)

    place = os.open(data, os.O_PATH | os.O_NOFOLLOW)
    found = os.fstat(place)
    os.close(place)

    assert (found.st_dev, found.st_ino) == (private.st_dev, private.st_ino)
    with pytest.raises(OSError, match="became a link"):
        open_place(str(data))


@pytest.mark.parametrize("part", [0, 1, 2])
def test_no_part_of_a_path_may_be_a_link(data: Path, part: int) -> None:
    replaced = (data, *data.parents)[part]
    replaced.rename(replaced.with_name("moved"))
    replaced.symlink_to(replaced.with_name("moved"))

    with pytest.raises(OSError, match="became a link"):
        open_place(str(data))


def test_what_is_not_there_is_told_as_that(data: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_place(str(data.with_name("nothing")))


def test_a_place_is_opened_with_its_mode_and_nothing_stays_open(data: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    place, mode = open_place(str(data))
    os.close(place)

    assert stat.S_ISREG(mode)
    assert len(os.listdir("/proc/self/fd")) == before
