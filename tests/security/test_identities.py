"""Whom a job runs as: root gives its rights up, and a user that nobody is can do nothing more."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.identity import Identity
from jupyter_mcpgen.sandbox.interpreter import Interpreter, existing
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import ATTACKS, check
from jupyter_mcpgen.sandbox.selfcheck.probes import PROBES
from tests.levels import LEVELS, needs, require
from tests.security.sleepers import sleeper, wait_for_job

ROOT = Path(__file__).resolve().parents[2]
SYSTEM_PYTHON = Path("/usr/bin/python3")
NOBODY = 65534

TWO = ProcessBackend(layers=WITHOUT_NAMESPACES).missing()
ONE = ProcessBackend(layers=ALL_LAYERS).missing()

pytestmark = [needs(TWO), pytest.mark.every_run(layers=["level 1"])]
NEEDS_NAMESPACES = needs(ONE, ALL_LAYERS)


@pytest.fixture(scope="module", params=sorted(LEVELS))
def layers(request: pytest.FixtureRequest) -> frozenset[Layer]:
    layers = LEVELS[request.param]
    require(ONE if Layer.NAMESPACES in layers else None, layers)
    return layers


NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root has an id to give up")
NEEDS_SYSTEM_PYTHON = pytest.mark.skipif(
    not SYSTEM_PYTHON.exists()
    or subprocess.run([SYSTEM_PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"], check=False).returncode
    != 0,
    reason="no Python 3.11 that every user can read",
)


def system_python() -> Interpreter:
    system = [Path(path) for path in ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")]
    return Interpreter(SYSTEM_PYTHON, (), existing(*system))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def with_ids(folder: Path) -> Path:
    (folder / "tool.py").write_text(
        "import os\ndef tool(path=None):\n"
        "    if path: open(path).close()\n"
        "    open('own', 'w').close()\n"
        "    return ' '.join(map(str, (*os.getresuid(), *os.getresgid(), os.getgroups())))\n",
        encoding="utf-8",
    )
    return folder


def run_ids(backend: ProcessBackend, folder: Path, policy: Policy) -> Run:
    return backend.run(Job(with_ids(folder), "tool", (Call({}),)), policy)


@pytest.mark.every_run("level 1-1")
@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
@pytest.mark.parametrize("spares", [0, 1])
def test_no_job_of_another_user_outlives_a_killed_supervisor(
    open_folder: Path, layers: frozenset[Layer], spares: int
) -> None:
    backend = ProcessBackend(layers=layers, interpreter=system_python(), scratch_root=open_folder, spares=spares)
    backend.warm()
    with ThreadPoolExecutor(1) as pool:
        record = pool.submit(backend.run, Job(sleeper(open_folder), "tool", (Call({}),)), Policy())
        job = wait_for_job(os.getpid())
        assert job.uids().real != 0

        psutil.Process(job.ppid()).kill()

        assert psutil.wait_procs([job], timeout=20)[1] == []
        with pytest.raises(SandboxError, match="killed from outside"):
            record.result()
    backend.close()


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
@pytest.mark.parametrize("spares", [0, 1])
def test_root_gives_its_rights_up_when_another_user_can_read_what_the_job_needs(
    open_folder: Path, layers: frozenset[Layer], spares: int
) -> None:
    backend = ProcessBackend(layers=layers, interpreter=system_python(), spares=spares)
    backend.warm()

    record = run_ids(backend, open_folder, Policy())
    backend.close()

    *ids, groups = (record.answers[0].text or "").split(" ")
    assert (len(set(ids)), groups) == (1, "[]")
    assert 61184 <= int(ids[0]) <= 65519
    with pytest.raises(KeyError):
        pwd.getpwuid(int(ids[0]))


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
def test_every_attack_is_refused_to_the_user_that_root_became(layers: frozenset[Layer]) -> None:
    backend = ProcessBackend(layers=layers, interpreter=system_python())
    assert backend.identity(ATTACKS, Policy()).user is not None

    assert [result.name for result in check(backend) if not result.as_promised] == []
    backend.close()


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
def test_root_keeps_its_id_without_rights_when_the_data_is_closed_to_others(
    open_folder: Path, layers: frozenset[Layer]
) -> None:
    private = open_folder / "private.csv"
    private.write_text("a\n", encoding="utf-8")
    private.chmod(0o600)
    backend, policy = ProcessBackend(layers=layers, interpreter=system_python()), Policy(read=(private,))
    backend.warm()  # its workers are of another user, and do not fit

    record = backend.run(Job(with_ids(open_folder), "tool", (Call({"path": str(private)}),)), policy)
    backend.close()

    assert (record.answers[0].text or "").startswith("0 0 0 0 0 0 ")
    assert backend.identity(open_folder, policy) == Identity(
        None, f"runs as user 0 without capabilities, because `{private}` is closed to every other user"
    )


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
def test_every_attack_is_refused_when_the_host_is_an_ordinary_user(layers: frozenset[Layer]) -> None:
    script = """
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.selfcheck.jobs import check
import json, sys
backend = ProcessBackend(layers=ALL_LAYERS if sys.argv[1] == "1" else WITHOUT_NAMESPACES)
print(json.dumps([[r.name, r.as_promised, r.detail] for r in check(backend)]))
"""
    done = subprocess.run(
        [SYSTEM_PYTHON, "-B", "-c", script, "1" if Layer.NAMESPACES in layers else "2"],
        env={"PYTHONPATH": str(ROOT)},
        cwd="/",
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        check=False,
    )
    if b"PermissionError" in done.stderr or b"No module named" in done.stderr:
        pytest.skip("an ordinary user cannot read this checkout")

    found = json.loads(done.stdout)
    assert [row for row in found if not row[1]] == []
    assert len(found) == len(PROBES) + 1


def test_a_job_that_holds_no_capability_cannot_get_one_back(tmp_path: Path, layers: frozenset[Layer]) -> None:
    (tmp_path / "tool.py").write_text(
        "import ctypes\n"
        "def tool():\n"
        "    libc = ctypes.CDLL(None, use_errno=True)\n"
        "    data = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)\n"
        "    header = (ctypes.c_uint32 * 2)(0x20080522, 0)\n"
        "    return str((libc.capset(header, data), ctypes.get_errno()))\n",
        encoding="utf-8",
    )

    run = ProcessBackend(layers=layers).run(Job(tmp_path, "tool", (Call({}),)), Policy())

    assert (run.outcome, run.answers[0].text) == (Outcome.COMPLETED, "(-1, 1)")
