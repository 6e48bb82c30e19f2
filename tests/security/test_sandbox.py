"""Real attacks: each succeeds without the sandbox and fails inside it, for the right reason."""

from __future__ import annotations

import json
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.identity import Identity
from jupyter_mcpgen.sandbox.interpreter import Interpreter, existing
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.probes import PROBES, Expectation
from jupyter_mcpgen.sandbox.process_backend import ALL_LAYERS, Layer, ProcessBackend
from jupyter_mcpgen.sandbox.selfcheck import ATTACKS, ProbeResult, check

ROOT = Path(__file__).resolve().parents[2]
SYSTEM_PYTHON = Path("/usr/bin/python3")
NOBODY = 65534

# Attacks that no unconfined job of ours can win, so that their control is another test or the machine's own.
WITHOUT_CONTROL = {"raise_a_limit", "find_secrets_in_environment", "find_inherited_descriptors", "call_through_x32"}
UP_TO_THE_MACHINE = {
    "change_attributes", "unshare_user_namespace", "trace_process", "set_up_io_uring", "open_key_ring",
    "open_userfaultfd", "measure_with_perf", "write_shared_memory", "read_memory_of_another",
}  # fmt: skip

pytestmark = pytest.mark.skipif(ProcessBackend().missing() is not None, reason=str(ProcessBackend().missing()))


@pytest.fixture(scope="module")
def results() -> dict[str, ProbeResult]:
    return {result.name: result for result in check(ProcessBackend())}


def red(results: Iterator[ProbeResult] | tuple[ProbeResult, ...]) -> set[str]:
    return {result.name for result in results if not result.as_promised}


@pytest.mark.parametrize("name", [probe.name for probe in PROBES if probe.expected is Expectation.BLOCKED])
def test_an_attack_is_refused_for_the_right_reason(results: dict[str, ProbeResult], name: str) -> None:
    assert results[name].blocked, results[name].detail


@pytest.mark.parametrize(
    "name", [p.name for p in PROBES if p.expected is not Expectation.WORKS and p.name not in WITHOUT_CONTROL]
)
def test_the_same_attack_succeeds_without_the_sandbox(results: dict[str, ProbeResult], name: str) -> None:
    if name in UP_TO_THE_MACHINE and not results[name].control:
        pytest.skip("this machine refuses it to everybody")

    assert results[name].control


@pytest.mark.parametrize("name", [probe.name for probe in PROBES if probe.expected is Expectation.WORKS])
def test_honest_work_is_not_refused(results: dict[str, ProbeResult], name: str) -> None:
    assert not results[name].blocked, results[name].detail


def test_the_decoys_are_as_they_were(results: dict[str, ProbeResult]) -> None:
    assert results["leave_decoys_untouched"].detail == "nothing changed"


def test_the_known_leaks_are_the_ones_we_tell_about(results: dict[str, ProbeResult]) -> None:
    leaks = {r.name for r in results.values() if r.expected is Expectation.LEAKS and not r.blocked}

    assert leaks == {"stat_hidden_file", "run_native_code"}


def test_without_landlock_files_are_open() -> None:
    missing = red(check(ProcessBackend(layers=ALL_LAYERS - {Layer.LANDLOCK})))

    assert {"read_system_file", "read_user_file", "read_through_planted_link", "write_outside"} <= missing
    assert "connect_by_tcp" not in missing


def test_without_seccomp_network_and_processes_are_open() -> None:
    missing = red(check(ProcessBackend(layers=ALL_LAYERS - {Layer.SECCOMP})))

    assert {"send_by_udp", "connect_by_path", "fork", "limit_another_process", "change_mode"} <= missing
    assert "read_user_file" not in missing


def test_without_any_layer_every_attack_that_has_a_control_succeeds(results: dict[str, ProbeResult]) -> None:
    possible = {r.name for r in results.values() if r.control and r.expected is Expectation.BLOCKED}

    assert possible <= red(check(ProcessBackend(layers=frozenset())))


def test_a_planted_secret_and_an_inherited_file_are_found_by_a_plain_subprocess() -> None:
    script = f"""
import sys; sys.path.insert(0, {str(ATTACKS)!r})
from tool import attack
print("[" + attack("find_secrets_in_environment", {{}}) + "," + attack("find_inherited_descriptors", {{}}) + "]")
"""
    with open(os.devnull, encoding="utf-8") as planted:
        descriptor = os.dup2(planted.fileno(), 100, inheritable=True)
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={"PLANTED": "secret"},
            pass_fds=(descriptor,),
            capture_output=True,
            check=True,
        )
        os.close(descriptor)

    assert [found["succeeded"] for found in json.loads(done.stdout)] == [True, True]


def sleeper(folder: Path) -> Path:
    (folder / "tool.py").write_text(
        "import time\ndef tool():\n    open('started', 'w').close()\n    time.sleep(600)\n", encoding="utf-8"
    )
    return folder


def wait_until_started(scratch: Path) -> None:
    for _ in range(1200):
        if any(scratch.glob("*/started")):
            return
        time.sleep(0.05)
    raise AssertionError("the job never started")


@pytest.mark.parametrize("start", ["spares=0", "spares=1"])
@pytest.mark.parametrize("victim", ["host", "supervisor"])
def test_no_job_outlives_a_killed_host_or_supervisor(tmp_path: Path, victim: str, start: str) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    script = f"""
from pathlib import Path
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.process_backend import ProcessBackend
job = Job(Path({str(sleeper(tmp_path))!r}), "tool", (Call({{}}),))
backend = ProcessBackend(scratch_root=Path({str(scratch)!r}), {start})
backend.warm()
backend.run(job, Policy(limits=Limits(wall_seconds=300)))
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE) as host:
        wait_until_started(scratch)  # before that, the host would start the job again
        descendants = wait_for_descendants(host.pid, 2)
        target = host.pid if victim == "host" else descendants[0].pid

        os.kill(target, signal.SIGKILL)

        _, alive = psutil.wait_procs(descendants, timeout=20)
        assert alive == []
        _, errors = host.communicate(timeout=60)
        assert (b"supervisor of a job was killed" in errors) == (victim == "supervisor")


def wait_for_descendants(pid: int, count: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    for _ in range(600):
        found = parent.children(recursive=True)
        if len(found) == count:
            return found
        try:
            parent.wait(timeout=0.05)
        except psutil.TimeoutExpired:
            continue
        break
    raise AssertionError(f"the host never had {count} descendants")


def test_an_interrupted_host_leaves_no_process_and_no_scratch(tmp_path: Path) -> None:
    package, scratch = tmp_path / "package", tmp_path / "scratch"
    package.mkdir()
    scratch.mkdir()
    script = f"""
from pathlib import Path
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.policy import Policy
from jupyter_mcpgen.sandbox.process_backend import ProcessBackend
job = Job(Path({str(sleeper(package))!r}), "tool", (Call({{}}),))
ProcessBackend(scratch_root=Path({str(scratch)!r})).run(job, Policy())
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE) as host:
        descendants = wait_for_descendants(host.pid, 2)

        host.send_signal(signal.SIGINT)

        _, errors = host.communicate(timeout=60)
        assert b"KeyboardInterrupt" in errors
        assert psutil.wait_procs(descendants, timeout=20)[1] == []
        assert list(scratch.iterdir()) == []


def test_jobs_run_beside_many_processes_of_the_same_user(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(
        "import threading\ndef tool():\n    t = threading.Thread(target=int); t.start(); t.join(); return 'ran'\n",
        encoding="utf-8",
    )
    waiting = "import sys, threading\nfor _ in range(100): threading.Thread(target=sys.stdin.read).start()"
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", waiting], stdin=subprocess.PIPE) as bystander:
        run = ProcessBackend().run(Job(tmp_path, "tool", (Call({}),)), Policy(limits=Limits(threads=8)))
        bystander.communicate(timeout=60)

    assert run.answers[0].text == "ran"


def test_scratch_that_is_deep_or_unreadable_is_wiped(tmp_path: Path) -> None:
    package, scratch = tmp_path / "package", tmp_path / "scratch"
    package.mkdir()
    scratch.mkdir()
    (package / "tool.py").write_text(
        "import os\n"
        "def tool():\n"
        "    os.mkdir('closed', 0)\n"
        "    os.mkdir('full', 0o300); open('full/file', 'w').close()\n"
        "    for n in range(3000):\n"
        "        os.mkdir('d'); open(f'f{n}', 'w').close(); os.chdir('d')\n"
        "    return 'deep'\n",
        encoding="utf-8",
    )

    run = ProcessBackend(scratch_root=scratch).run(Job(package, "tool", (Call({}),)), Policy())

    # On a slow machine the watch on scratch sees the nesting first.
    assert run.outcome in {Outcome.COMPLETED, Outcome.OUTPUT_EXCEEDED}
    assert list(scratch.iterdir()) == []


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


def run_ids(backend: ProcessBackend, folder: Path, policy: Policy) -> Run:
    (folder / "tool.py").write_text(
        "import os\ndef tool(path=None):\n"
        "    if path: open(path).close()\n"
        "    open('own', 'w').close()\n"
        "    return ' '.join(map(str, (*os.getresuid(), *os.getresgid(), os.getgroups())))\n",
        encoding="utf-8",
    )
    return backend.run(Job(folder, "tool", (Call({}),)), policy)


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
@pytest.mark.parametrize("spares", [0, 1])
def test_no_job_of_another_user_outlives_a_killed_supervisor(open_folder: Path, spares: int) -> None:
    scratch = open_folder / "scratch"
    scratch.mkdir(0o755)
    backend = ProcessBackend(interpreter=system_python(), scratch_root=scratch, spares=spares)
    backend.warm()
    with ThreadPoolExecutor(1) as pool:
        record = pool.submit(backend.run, Job(sleeper(open_folder), "tool", (Call({}),)), Policy())
        wait_until_started(scratch)
        (job,) = [child for child in psutil.Process().children(recursive=True) if child.uids().real != 0]

        psutil.Process(job.ppid()).kill()

        assert psutil.wait_procs([job], timeout=20)[1] == []
        with pytest.raises(SandboxError, match="killed from outside"):
            record.result()
    backend.close()


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
@pytest.mark.parametrize("spares", [0, 1])
def test_root_gives_its_rights_up_when_another_user_can_read_what_the_job_needs(open_folder: Path, spares: int) -> None:
    backend = ProcessBackend(interpreter=system_python(), spares=spares)
    backend.warm()

    record = run_ids(backend, open_folder, Policy())

    *ids, groups = (record.answers[0].text or "").split(" ")
    assert (len(set(ids)), groups) == (1, "[]")
    assert 61184 <= int(ids[0]) <= 65519
    with pytest.raises(KeyError):
        pwd.getpwuid(int(ids[0]))


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
def test_every_attack_is_refused_to_the_user_that_root_became(results: dict[str, ProbeResult]) -> None:
    backend = ProcessBackend(interpreter=system_python())
    assert backend.identity(ATTACKS, Policy()).user is not None

    assert red(check(backend)) == set()


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
def test_root_keeps_its_id_without_rights_when_the_data_is_closed_to_others(open_folder: Path) -> None:
    private = open_folder / "private.csv"
    private.write_text("a\n", encoding="utf-8")
    private.chmod(0o600)
    backend, policy = ProcessBackend(interpreter=system_python()), Policy(read=(private,))

    record = run_ids(backend, open_folder, policy)

    assert (record.answers[0].text or "").startswith("0 0 0 0 0 0 ")
    assert backend.identity(open_folder, policy) == Identity(
        None, f"runs as user 0 without capabilities, because `{private}` is closed to every other user"
    )


@NEEDS_ROOT
@NEEDS_SYSTEM_PYTHON
def test_every_attack_is_refused_when_the_host_is_an_ordinary_user() -> None:
    script = """
from jupyter_mcpgen.sandbox.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.selfcheck import check
import json
print(json.dumps([[r.name, r.as_promised, r.detail] for r in check(ProcessBackend())]))
"""
    done = subprocess.run(
        [SYSTEM_PYTHON, "-B", "-c", script],
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


def test_a_job_that_holds_no_capability_cannot_get_one_back(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(
        "import ctypes\n"
        "def tool():\n"
        "    libc = ctypes.CDLL(None, use_errno=True)\n"
        "    data = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)\n"
        "    header = (ctypes.c_uint32 * 2)(0x20080522, 0)\n"
        "    return str((libc.capset(header, data), ctypes.get_errno()))\n",
        encoding="utf-8",
    )

    run = ProcessBackend().run(Job(tmp_path, "tool", (Call({}),)), Policy())

    assert (run.outcome, run.answers[0].text) == (Outcome.COMPLETED, "(-1, 1)")
