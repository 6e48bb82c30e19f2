"""Programs of an ordinary user, as most hosts are: both levels hold, and nothing hides behind what nobody may read.

Run from root, which becomes that user; elsewhere every other test is one of an ordinary user already.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.languages import available

ROOT = Path(__file__).resolve().parents[2]
SYSTEM_PYTHON = Path("/usr/bin/python3")
NOBODY = 65534
HONEST = {"fork_child", "execute_system_program", "signal_own_child", "pair_of_stream_sockets", "write_scratch"}
SEEN_AT_LEVEL_2 = {"look_at_secret", "look_at_process"}

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def as_nobody(script: str, layers: frozenset[Layer], place: Path, *words: str) -> str:
    """Return what a script prints that runs as an ordinary user, with an executor of that level as `executor`."""
    begin = f"""
import sys
from pathlib import Path
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
sandbox = ProgramSandbox(layers=frozenset(map(Layer, {sorted(map(str, layers))})))
executor = Executor(sandbox=sandbox, pages=Pages(Path({str(place)!r}) / "pages"))
limits = ExecutionLimits(time_seconds=60, cpu_cores=4)
"""
    done = subprocess.run(
        [SYSTEM_PYTHON, "-B", "-c", begin + script, *words],
        env={"PYTHONPATH": os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")]), "PATH": os.defpath},
        cwd="/",
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    if any(word in done.stderr for word in ("PermissionError", "No module named", "ImportError", "cannot import name")):
        pytest.skip("an ordinary user cannot run this checkout")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not SYSTEM_PYTHON.exists() or _version(SYSTEM_PYTHON) != _version(Path(sys.executable)):
        pytest.skip("no Python of this version that every user can read")
    folder = tmp_path_factory.mktemp("place")
    os.chown(folder, NOBODY, NOBODY)
    return folder


def _version(python: Path) -> str:
    return subprocess.run(
        [python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True, check=True
    ).stdout


ATTACK = """
from jupyter_mcpgen.sandbox.selfcheck.decoys import planted
names = ("secret", "victim", "outside", "unix", "abstract", "tcp", "udp", "pid", "host")
with planted() as decoys:
    words = " ".join(str(decoys.target[name]) for name in names)
    run = executor.execute("c", Path(sys.argv[1]).read_text(), stdin=words, limits=limits)
    print(run.level.value, run.status.value, len(decoys.damage()))
    print(run.stdout)
"""


@pytest.mark.skipif(available()["c"] is not None, reason=str(available()["c"]))
def test_an_ordinary_users_program_reaches_nothing_outside(layers: frozenset[Layer], place: Path) -> None:
    attacks = ROOT / "tests" / "security" / "programs" / "attacks.c"

    first, *told = as_nobody(ATTACK, layers, place, str(attacks)).splitlines()

    inside = Layer.NAMESPACES in layers
    assert first == f"{1 if inside else 2} success 0"
    done = {line.removesuffix(" done") for line in told if line.endswith(" done")}
    assert done == (HONEST if inside else HONEST | SEEN_AT_LEVEL_2)


# A program that may be executed and not read: the kernel then tells nobody what it has open.
HIDE = """
import os
os.umask(0)
def run(mode):
    files = [os.open(str(n), os.O_CREAT | os.O_RDWR) for n in range({files})]
    for n, file in enumerate(files):
        os.unlink(str(n))
        os.set_inheritable(file, True)
        os.write(file, bytes(1 << 20))
    made = os.open("program", os.O_CREAT | os.O_WRONLY, mode)
    os.write(made, open("/bin/sleep", "rb").read())
    os.close(made)
    os.execv("./program", ["program", "2"])
run({mode})
"""
RUN = "run = executor.execute('python', sys.argv[1], limits=limits)\nprint(run.reason.value)"


@pytest.mark.every_run("level 1-hidden")
@pytest.mark.parametrize(
    ("mode", "reason"), [("0o111", "scratch_exceeded"), ("0o555", "finished")], ids=["hidden", "open"]
)
def test_what_a_program_hides_counts_as_too_much(layers: frozenset[Layer], place: Path, mode: str, reason: str) -> None:
    assert as_nobody(RUN, layers, place, HIDE.format(mode=mode, files=2)).strip() == reason
