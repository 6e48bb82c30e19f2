"""At level 1 a program has a root, processes and names of its own: what it finds there, and that it cannot get out.

What each attack does without the sandbox is its control.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.identity import Identity
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, Layer
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.levels import needs

ROOT = Path(__file__).resolve().parents[2]
ROOMY = ExecutionLimits(time_seconds=60, cpu_cores=4)
ONE = ProgramSandbox(layers=ALL_LAYERS).missing()
NO_LAYERS: frozenset[Layer] = frozenset()

pytestmark = needs(ONE, ALL_LAYERS)

Run = Callable[..., Execution]


class SameUser(ProgramSandbox):
    """Keeps the user of the host, as it is for everybody but root: then nothing is refused by ownership."""

    def identity(self, needed: tuple[Path, ...]) -> Identity:
        """Return the host's own user."""
        return Identity(None, "the host's own user")


@pytest.fixture
def execute(tmp_path: Path) -> Run:
    return Executor(sandbox=SameUser(layers=ALL_LAYERS), pages=Pages(tmp_path / "output")).execute


@pytest.fixture
def unconfined(tmp_path: Path) -> Run:
    return Executor(sandbox=SameUser(layers=NO_LAYERS), pages=Pages(tmp_path / "output")).execute


def lines(run: Execution) -> list[str]:
    assert run.status is Status.SUCCESS, run
    return run.stdout.splitlines()


HIDDEN = ("/etc/passwd", "/etc/shadow", "/root/.bashrc", "/home", "/var", "/run", "/sys/class", "/proc/self/../../boot")


def test_what_was_not_granted_has_no_name_size_or_time(execute: Run, unconfined: Run) -> None:
    code = f"import os\nfor path in {(*HIDDEN, str(ROOT / 'pyproject.toml'))}:\n    print(os.path.exists(path))"

    assert set(lines(execute("python", code))) == {"False"}
    assert "True" in lines(unconfined("python", code))


def test_only_the_processes_of_the_program_are_there(execute: Run, unconfined: Run) -> None:
    code = f"""
import os, subprocess
child = subprocess.Popen(["/bin/sleep", "9"])
print([pid for pid in range(1, 2000) if os.path.exists(f"/proc/{{pid}}")], os.getpid(), os.getppid(), child.pid)
print(os.path.exists("/proc/{os.getpid()}"))
child.kill()
"""

    assert lines(execute("python", code)) == ["[1, 2, 3] 2 1 3", "False"]
    assert lines(unconfined("python", code))[1] == "True"


def test_the_host_has_no_name_there(execute: Run, unconfined: Run) -> None:
    code = "import os; print(os.uname().nodename)"

    assert lines(execute("python", code)) == ["sandbox"] != lines(unconfined("python", code))
    assert lines(unconfined("python", code)) == [socket.gethostname()]


def test_nothing_but_the_own_folders_can_be_changed(execute: Run) -> None:
    code = """
import errno, os
def attempt(what, *arguments):
    try:
        what(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
home = os.environ["HOME"]
print(attempt(os.mkdir, "/new"), attempt(os.rmdir, "/usr"), attempt(os.rename, "/usr", "/moved"))
print(attempt(os.open, "/usr/bin/new", os.O_CREAT | os.O_WRONLY), attempt(os.unlink, "/usr/bin/env"))
print(attempt(os.open, "/usr/bin/env", os.O_WRONLY), attempt(os.open, "/proc/self/mem", os.O_RDWR))
print(attempt(os.rmdir, home), attempt(os.rename, home, "/tmp/moved"), attempt(os.chmod, "/dev/null", 0o666))
print(attempt(os.fchmod, 0, 0o666), attempt(os.utime, "/dev/null"), attempt(os.mknod, "node", 0o020666, 0x101))
print(attempt(os.mkdir, "own"), attempt(os.mkdir, "/tmp/own"))
"""

    told = [line.split() for line in lines(execute("python", code))]

    refused = {"EROFS", "EACCES", "EPERM", "EBUSY", "EXDEV"}
    assert all(set(line) <= refused for line in told[:-1]), told
    # where the interpreter itself lies below `/tmp`, that folder is one of the granted ones
    assert told[-1] == ["done", "EROFS" if Path(sys.prefix).is_relative_to("/tmp") else "done"]


def test_a_file_that_runs_with_the_rights_of_its_owner_can_be_left_to_nobody(tmp_path: Path) -> None:
    """The workspace is a folder of the host's, where such a file would have an effect."""
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    executor = Executor(sandbox=SameUser(layers=ALL_LAYERS, scratch_root=scratch), pages=Pages(tmp_path / "output"))
    sessions = Sessions(executor)
    made = sessions.create("me", "python").session_id

    for attempt in (
        "os.close(os.open('program', os.O_CREAT | os.O_WRONLY)); os.chmod('program', 0o4755)",
        "os.fchmod(os.open('program', os.O_CREAT | os.O_WRONLY), 0o4755)",
        "os.chmod('.', 0o755)",
    ):
        assert sessions.execute("me", made, f"import os; {attempt}").status is Status.ERROR
    (workspace,) = {entry.parent for entry in scratch.glob("*/program")}
    modes = [(workspace / name).stat().st_mode & 0o7777 for name in (".", "program")]
    sessions.close()

    assert modes[0] == 0o700
    assert modes[1] & 0o6000 == 0


def test_only_the_three_streams_are_open(execute: Run, unconfined: Run) -> None:
    code = "import os; print(*(n for n in range(1024) if os.path.exists(f'/proc/self/fd/{n}')))"

    assert lines(execute("python", code)) == ["0 1 2"]
    assert lines(unconfined("python", code)) == ["0 1 2"]


def test_the_folder_for_temporary_files_is_a_part_of_scratch_and_goes_with_it(execute: Run) -> None:
    code = "echo one > /tmp/one && cat /tmp/one $HOME/.tmp/one"

    assert lines(execute("bash", code)) == ["one", "one"]
    assert execute("bash", "cat /tmp/one").status is Status.ERROR


def test_the_folder_for_temporary_files_counts_for_the_quota(execute: Run) -> None:
    code = "for n in $(seq 40); do dd if=/dev/urandom of=/tmp/f$n bs=1M count=16 2> /dev/null; done; sleep 60"

    assert execute("bash", code, limits=ROOMY).reason is Reason.SCRATCH_EXCEEDED


def test_data_in_the_folder_for_temporary_files_is_kept_from_writing_by_two_walls(tmp_path: Path) -> None:
    data = Path("/tmp") / f"mcpgen-data-{os.getpid()}"
    data.mkdir(mode=0o755)
    (data / "file").write_text("granted\n", encoding="utf-8")
    executor = Executor(sandbox=SameUser(layers=ALL_LAYERS), pages=Pages(tmp_path / "output"), data=(data,))
    try:
        run = executor.execute(
            "bash", f"cat {data}/file; echo no >> {data}/file; echo no > {data}/new; echo no > /tmp/n"
        )
        left = {path.name: path.read_text(encoding="utf-8") for path in data.iterdir()}
    finally:
        (data / "file").unlink()
        data.rmdir()

    assert run.stdout == "granted\n"
    assert run.stderr.count("Permission denied") + run.stderr.count("Read-only file system") == 3
    assert left == {"file": "granted\n"}


ORPHANS = """
import os, time
for _ in range(400):
    child = os.fork()
    if child == 0:
        if os.fork() == 0: os._exit(0)
        os._exit(0)
    os.waitpid(child, 0)
time.sleep(0.2)
print(sum(os.path.exists(f"/proc/{pid}") for pid in range(1, 2000)))
"""


@pytest.mark.soak
def test_the_first_process_buries_the_orphans_of_the_program(execute: Run) -> None:
    assert lines(execute("python", ORPHANS, limits=ROOMY)) == ["2"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("number", ["KILL", "STOP", "TERM", "INT", "SEGV", "HUP"])
@pytest.mark.parametrize("walls", [ALL_LAYERS, frozenset({Layer.NAMESPACES})], ids=["all walls", "namespaces alone"])
def test_the_first_process_cannot_be_ended_from_inside(tmp_path: Path, walls: frozenset[Layer], number: str) -> None:
    executor = Executor(sandbox=SameUser(layers=walls), pages=Pages(tmp_path / "output"))

    assert lines(executor.execute("bash", f"kill -{number} 1 2> /dev/null; sleep 0.2; echo alive")) == ["alive"]


@pytest.mark.soak
def test_when_the_first_process_is_killed_from_outside_all_go_and_it_is_told(tmp_path: Path) -> None:
    mark = f"605.{os.getpid()}"
    script = f"""
from pathlib import Path
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
run = Executor(pages=Pages(Path({str(tmp_path)!r}))).execute("bash", "setsid sleep {mark} & exec sleep {mark}")
print(run.reason)
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE) as host:
        found: list[psutil.Process] = []
        while len(found) < 2:
            assert host.poll() is None
            found = [one for one in psutil.Process(host.pid).children(recursive=True) if mark in _words(one)]
        first = found[0].parent()
        assert first is not None
        while mark in _words(first):
            first = first.parent()

        first.kill()

        _, alive = psutil.wait_procs(found, timeout=20)
        told, _ = host.communicate(timeout=60)
    assert alive == []
    assert told == b"killed\n"


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


WITHOUT_RIGHTS = """
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs
sandbox = ProgramSandbox()
run = Executor(sandbox=sandbox).execute("python", "print(1)")
print(sandbox.level.value, run.level.value, run.stdout.strip(), sandbox.weakened)
print(Executor(sandbox=ProgramSandbox(minimum=Level.NAMESPACES)).execute("python", "print(1)").error_message)
"""


@pytest.mark.parametrize(
    ("prepared", "level", "reason"),
    [
        pytest.param("true", "1 1 1 None", "None", id="nothing missing"),
        pytest.param("echo 0 > /proc/sys/user/max_user_namespaces", "2 2 1 because", "unshare", id="no namespaces"),
        pytest.param("mount -t tmpfs none /proc/fs", "2 2 1 because", "a `/proc` of its own", id="covered proc"),
    ],
)
def test_where_level_1_cannot_be_had_it_is_level_2_with_the_reason(prepared: str, level: str, reason: str) -> None:
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", f'{prepared} && exec "$0" "$@"']
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this machine makes no user namespace that could be prepared so")

    done = subprocess.run(
        [*command, sys.executable, "-c", WITHOUT_RIGHTS], cwd=ROOT, check=True, capture_output=True, text=True
    )

    told, refused = done.stdout.splitlines()
    assert told.startswith(level)
    assert reason in told
    assert refused == "None" if level.startswith("1") else "level 1 is demanded" in refused


def test_both_a_program_and_a_cell_are_at_level_1_and_say_so() -> None:
    sessions = Sessions(Executor())
    made = sessions.create("me", "python").session_id
    cell = sessions.execute("me", made, "import os; print(os.getpid(), os.path.exists('/etc/passwd'))")
    sessions.close()

    assert (cell.level, cell.stdout) == (Level.NAMESPACES, "2 False\n")
    assert Executor().execute("bash", "echo $$").level is Level.NAMESPACES
