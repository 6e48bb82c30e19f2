"""Real attacks: each succeeds without the sandbox and fails inside it, for the right reason."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import JobNotBegun
from jupyter_mcpgen.sandbox.inside.job_work import JobWork
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.launch import Caps, Order, fresh, run_worker
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import ATTACKS, ProbeResult, check
from jupyter_mcpgen.sandbox.selfcheck.probes import PROBES, Expectation
from tests.levels import LEVELS, needs, require
from tests.security.sleepers import descendants_of, sleeper, wait_for_job

ROOT = Path(__file__).resolve().parents[2]
SYSTEM_PYTHON = Path("/usr/bin/python3")
NOBODY = 65534

# Attacks that no unconfined job of ours can win, so that their control is another test or the machine's own.
WITHOUT_CONTROL = {"raise_a_limit", "find_secrets_in_environment", "find_inherited_descriptors", "call_through_x32"}
UP_TO_THE_MACHINE = {
    "change_attributes", "unshare_user_namespace", "trace_process", "set_up_io_uring", "open_key_ring",
    "open_userfaultfd", "measure_with_perf", "write_shared_memory", "read_memory_of_another", "read_memory_directly",
    "make_bpf_map", "resolve_name", "call_through_i386",
}  # fmt: skip

# What only a root and a host name of its own prevent.
BEYOND_LEVEL_2 = {
    "stat_hidden_file", "learn_host_name", "fill_with_many_files", "fill_with_deleted_files",
    "load_library_from_scratch",
}  # fmt: skip
TWO = ProcessBackend(layers=WITHOUT_NAMESPACES).missing()
ONE = ProcessBackend(layers=ALL_LAYERS).missing()

pytestmark = needs(TWO)
NEEDS_NAMESPACES = needs(ONE, ALL_LAYERS)

Results = dict[str, ProbeResult]


@pytest.fixture(scope="module", params=sorted(LEVELS))
def layers(request: pytest.FixtureRequest) -> frozenset[Layer]:
    layers = LEVELS[request.param]
    require(ONE if Layer.NAMESPACES in layers else None, layers)
    return layers


@pytest.fixture(scope="module")
def results(layers: frozenset[Layer]) -> Iterator[Results]:
    backend = ProcessBackend(layers=layers)
    yield {result.name: result for result in check(backend)}
    backend.close()


def red(results: Iterator[ProbeResult] | tuple[ProbeResult, ...]) -> set[str]:
    return {result.name for result in results if not result.as_promised}


@pytest.mark.parametrize("name", [probe.name for probe in PROBES if probe.expected is not Expectation.WORKS])
def test_an_attack_is_refused_for_the_right_reason(results: Results, name: str) -> None:
    if results[name].expected is Expectation.LEAKS:
        pytest.skip("this level does not promise it, and says so")

    assert results[name].blocked, results[name].detail


@pytest.mark.parametrize(
    "name", [p.name for p in PROBES if p.expected is not Expectation.WORKS and p.name not in WITHOUT_CONTROL]
)
def test_the_same_attack_succeeds_without_the_sandbox(results: Results, name: str) -> None:
    if name in UP_TO_THE_MACHINE and not results[name].control:
        pytest.skip("this machine refuses it to everybody")

    assert results[name].control


@pytest.mark.parametrize("name", [probe.name for probe in PROBES if probe.expected is Expectation.WORKS])
def test_honest_work_is_not_refused(results: Results, name: str) -> None:
    assert not results[name].blocked, results[name].detail


@pytest.mark.soak
def test_a_watch_that_comes_by_at_any_moment_ends_no_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or it would end the attacks after that one with it, and they would look as if they had been refused."""
    monkeypatch.setattr("jupyter_mcpgen.sandbox.jobs.launch._WATCH_SECONDS", 0.001)
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES)
    try:
        found = {result.name: result for result in check(backend)}
    finally:
        backend.close()

    after = ("fill_with_many_files", "fill_with_deleted_files", "load_library_from_scratch", "run_native_code")
    assert {name for name in after if not found[name].control or found[name].blocked} == set()
    assert red(tuple(found.values())) == set()


def test_the_decoys_are_as_they_were(results: Results) -> None:
    assert results["leave_decoys_untouched"].detail == "nothing changed"


def test_the_known_leaks_are_the_ones_we_tell_about(layers: frozenset[Layer], results: Results) -> None:
    leaks = {r.name for r in results.values() if r.expected is Expectation.LEAKS and not r.blocked}

    assert leaks == {"run_native_code"} | (set() if Layer.NAMESPACES in layers else BEYOND_LEVEL_2)


def red_without(layer: Layer, layers: frozenset[Layer]) -> set[str]:
    level = Level.NAMESPACES if Layer.NAMESPACES in layers else Level.LANDLOCK
    return red(check(ProcessBackend(layers=layers - {layer}, spares=0), promised=level))


def test_without_landlock_files_are_open(layers: frozenset[Layer]) -> None:
    missing = red_without(Layer.LANDLOCK, layers)

    if Layer.NAMESPACES in layers:  # there is not much left to see
        assert missing == {"list_root", "list_processes"}
    else:
        assert {"read_system_file", "read_user_file", "read_through_planted_link", "write_outside"} <= missing
        assert "connect_by_tcp" not in missing


def test_without_seccomp_network_and_processes_are_open(layers: frozenset[Layer]) -> None:
    missing = red_without(Layer.SECCOMP, layers)

    assert {"send_by_udp", "connect_by_path", "fork", "limit_another_process", "make_memory_file"} <= missing
    assert "read_user_file" not in missing


WITHOUT_RIGHTS = """
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.selfcheck.jobs import check
backend = ProcessBackend(spares=1)
print(backend.level.value, [probe.name for probe in check(backend) if not probe.as_promised])
print(backend.facts().get("not level 1"))
"""


@pytest.mark.parametrize(
    ("left", "expected"),
    [("0", "2 []\nbecause a job in namespaces of its own was tried and failed"), ("100", "1 []\nNone")],
)
@NEEDS_NAMESPACES
def test_inside_another_sandbox_the_level_is_what_that_one_leaves(left: str, expected: str) -> None:
    limit = "/proc/sys/user/max_user_namespaces"
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", f'echo {left} > {limit}; exec "$0" "$@"']
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this machine makes no user namespace with a limit of its own")

    done = subprocess.run(
        [*command, sys.executable, "-c", WITHOUT_RIGHTS], cwd=ROOT, check=True, capture_output=True, text=True
    )

    assert done.stdout.startswith(expected)


@NEEDS_NAMESPACES
def test_without_namespaces_names_and_quotas_are_open() -> None:
    assert red_without(Layer.NAMESPACES, ALL_LAYERS) == BEYOND_LEVEL_2


def test_without_any_layer_every_attack_that_has_a_control_succeeds(layers: frozenset[Layer], results: Results) -> None:
    possible = {r.name for r in results.values() if r.control and r.expected is Expectation.BLOCKED}
    level = Level.NAMESPACES if Layer.NAMESPACES in layers else Level.LANDLOCK

    assert possible <= red(check(ProcessBackend(layers=frozenset(), spares=0), promised=level))


def test_a_planted_secret_and_an_inherited_file_are_found_by_a_plain_subprocess() -> None:
    script = f"""
import sys; sys.path.insert(0, {str(ATTACKS)!r})
from tool import attack
print("[" + attack("find_secrets_in_environment", {{}}) + "," + attack("find_inherited_descriptors", {{}}) + "]")
"""
    with open(os.devnull, encoding="utf-8") as planted:
        descriptor = os.dup(planted.fileno())  # a free number: a chosen one may be a pipe of a sandbox that waits
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={"PLANTED": "secret"},
            pass_fds=(descriptor,),
            capture_output=True,
            check=True,
        )
        os.close(descriptor)

    assert [found["succeeded"] for found in json.loads(done.stdout)] == [True, True]


RUN = """
import sys
from pathlib import Path
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
package, scratch, level, spares = sys.argv[1:]
layers = ALL_LAYERS if level == "1" else WITHOUT_NAMESPACES
backend = ProcessBackend(layers=layers, scratch_root=Path(scratch), spares=int(spares))
backend.warm()
backend.run(Job(Path(package), "tool", (Call({}),)), Policy(limits=Limits(wall_seconds=300)))
"""


@pytest.mark.every_run("level 1-supervisor-0", "level 2-host-0")
@pytest.mark.parametrize(
    ("victim", "spares"),
    [("host", 0), ("supervisor", 0), ("host", 1), ("supervisor", 1), ("zygote", 1)],
)
def test_no_job_outlives_a_killed_host_or_supervisor_or_zygote(
    tmp_path: Path, layers: frozenset[Layer], victim: str, spares: int
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    level = "1" if Layer.NAMESPACES in layers else "2"
    arguments = (str(sleeper(tmp_path)), str(scratch), level, str(spares))
    with subprocess.Popen([sys.executable, "-c", RUN, *arguments], cwd=ROOT, stderr=subprocess.PIPE) as host:
        job = wait_for_job(host.pid)
        supervisor = psutil.Process(job.ppid())
        descendants = descendants_of(host.pid)
        target = {"host": host.pid, "supervisor": supervisor.pid, "zygote": supervisor.ppid()}[victim]

        os.kill(target, signal.SIGKILL)

        _, alive = psutil.wait_procs(descendants, timeout=20)
        _, errors = host.communicate(timeout=60)
        assert alive == []
        assert (b"supervisor of a job was killed" in errors) == (victim != "host")


@pytest.mark.soak
@pytest.mark.every_run("level 1")
def test_an_interrupted_host_leaves_no_process_and_no_scratch(tmp_path: Path, layers: frozenset[Layer]) -> None:
    package, scratch = tmp_path / "package", tmp_path / "scratch"
    package.mkdir()
    scratch.mkdir()
    arguments = (str(sleeper(package)), str(scratch), "1" if Layer.NAMESPACES in layers else "2", "1")
    with subprocess.Popen([sys.executable, "-c", RUN, *arguments], cwd=ROOT, stderr=subprocess.PIPE) as host:
        wait_for_job(host.pid)
        descendants = descendants_of(host.pid)

        host.send_signal(signal.SIGINT)

        _, errors = host.communicate(timeout=60)
        assert b"KeyboardInterrupt" in errors
        assert psutil.wait_procs(descendants, timeout=20)[1] == []
        assert list(scratch.iterdir()) == []


def test_a_link_that_takes_the_place_of_granted_data_is_never_followed(
    tmp_path: Path, layers: frozenset[Layer]
) -> None:
    package, data, secret = tmp_path / "package", tmp_path / "data.csv", tmp_path / "secret.csv"
    package.mkdir()
    (package / "tool.py").write_text("def tool(path): return open(path).read()", encoding="utf-8")
    data.write_text("granted", encoding="utf-8")
    secret.write_text("secret", encoding="utf-8")
    backend = ProcessBackend(layers=layers, spares=0)
    scratch = Path("/scratch") if Layer.NAMESPACES in layers else tmp_path
    confinement = backend.confinement(package, Policy(read=(data,)), scratch, None)
    work = JobWork(str(package), "tool", ({"path": str(data)},), ())

    data.unlink()
    data.symlink_to(secret)

    with pytest.raises(JobNotBegun, match="became a link"):
        run_worker(
            fresh(Interpreter.current(), backend.preparation(None)),
            Order(confinement, work, Caps(1000, 1000, lambda: None)),
        )


def test_jobs_run_beside_many_processes_of_the_same_user(tmp_path: Path, layers: frozenset[Layer]) -> None:
    (tmp_path / "tool.py").write_text(
        "import threading\ndef tool():\n    t = threading.Thread(target=int); t.start(); t.join(); return 'ran'\n",
        encoding="utf-8",
    )
    waiting = "import sys, threading\nfor _ in range(100): threading.Thread(target=sys.stdin.read).start()"
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", waiting], stdin=subprocess.PIPE) as bystander:
        run = ProcessBackend(layers=layers).run(Job(tmp_path, "tool", (Call({}),)), Policy(limits=Limits(threads=8)))
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
        "    for n in range(1100):\n"  # deeper than functions call themselves, and longer than a path may be
        "        os.mkdir('dddd'); open(f'f{n}', 'w').close(); os.chdir('dddd')\n"
        "    return 'deep'\n",
        encoding="utf-8",
    )

    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, scratch_root=scratch)
    run = backend.run(Job(package, "tool", (Call({}),)), Policy())

    # On a slow machine the watch on scratch sees the nesting first.
    assert run.outcome in {Outcome.COMPLETED, Outcome.OUTPUT_EXCEEDED}
    assert list(scratch.iterdir()) == []
