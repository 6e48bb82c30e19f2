"""What running code in a container promises, on a real engine; skipped, and said so, where none can be had."""

from __future__ import annotations

import os
import socket
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import EngineUnavailable, ImageMissing
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.docker.engine import Engine
from jupyter_mcpgen.sandbox.docker.execution import ContainerExecution, DockerExecutor, DockerSettings, Failure
from jupyter_mcpgen.sandbox.docker.policy import ContainerLimits, ContainerPolicy, engine_request
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Reason, Status
from jupyter_mcpgen.sandbox.policy import Level
from tests.containers import Place

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def engine(place: Place) -> Iterator[Engine]:
    engine = Engine.connect(place.url)
    yield engine
    engine.close()


@pytest.fixture
def executor(place: Place, tmp_path: Path) -> Iterator[DockerExecutor]:
    executor = DockerExecutor(DockerSettings(images=(place.image,), url=place.url), Pages(tmp_path / "pages"))
    yield executor
    executor.close()


def python(executor: DockerExecutor, place: Place, code: str, **how: object) -> ContainerExecution:
    return executor.execute("python", code, image=place.image, **how)  # type: ignore[arg-type]


def containers(engine: Engine) -> list[str]:
    return [row["Id"] for row in engine._api.containers(all=True)]


def test_a_program_reads_its_input_and_its_environment(executor: DockerExecutor, place: Place) -> None:
    code = "import os, sys; print(input(), os.environ['DEBUG'], file=sys.stderr); print('ä')"

    run = python(executor, place, code, stdin="given\n", environment={"DEBUG": "on"})

    execution = run.execution
    assert (execution.status, execution.exit_code, execution.level) == (Status.SUCCESS, 0, Level.CONTAINER)
    assert (execution.stdout, execution.stderr) == ("ä\n", "given on\n")
    assert (run.failure, run.error, len(run.container_id or "")) == (None, None, 64)


def test_the_environment_holds_nothing_of_the_hosts(executor: DockerExecutor, place: Place) -> None:
    run = python(executor, place, "import os; print(*sorted(os.environ))")

    assert set(run.execution.stdout.split()) <= {"HOME", "HOSTNAME", "LANG", "OLDPWD", "PATH", "PWD", "TMPDIR"} | {
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
    }


def test_the_program_is_nobody_and_cannot_write_the_image_or_its_own_code(
    executor: DockerExecutor, place: Place
) -> None:
    code = """
        import os
        def tried(path):
            try: open(path, 'w'); return 'written'
            except OSError as error: return os.strerror(error.errno)
        print(os.getuid(), tried('/x'), tried(__file__), tried('here'), tried('/tmp/x'), sep='|')
    """
    run = python(executor, place, textwrap.dedent(code))

    assert run.execution.stdout == "65534|Read-only file system|Permission denied|written|written\n"


def test_there_is_no_network(executor: DockerExecutor, place: Place) -> None:
    with socket.create_server(("0.0.0.0", 0)) as listener:  # noqa: S104  # the positive control: it can be reached here
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}))"

        run = python(executor, place, code)

    assert "Connection refused" in run.execution.stderr  # its loopback is its own
    other = python(executor, place, "import socket; socket.create_connection(('192.0.2.1', 9), 3)")
    assert "Network is unreachable" in other.execution.stderr


def test_memory_is_bounded_and_named(executor: DockerExecutor, place: Place) -> None:
    run = python(executor, place, "x = bytearray(1 << 30); print('kept')", limits=ContainerLimits(memory_mb=64))

    assert (run.execution.status, run.execution.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)
    assert (run.failure, run.execution.exit_code) == (Failure.LIMIT, 137)
    assert "64 MB" in (run.error or "")


def test_the_number_of_processes_is_bounded(executor: DockerExecutor, place: Place) -> None:
    code = """
import os
made = 0
try:
    while made < 200:
        if os.fork() == 0:
            import time
            time.sleep(60)
        made += 1
except OSError:
    print(made < 20)
"""
    run = python(executor, place, code, limits=ContainerLimits(tasks=20))

    assert run.execution.stdout == "True\n"


def test_a_program_that_sleeps_is_stopped(executor: DockerExecutor, place: Place) -> None:
    run = python(executor, place, "import time; print('begun', flush=True); time.sleep(600)", timeout=1)

    assert (run.execution.status, run.execution.exit_code, run.failure) == (Status.TIMEOUT, 124, Failure.LIMIT)
    assert run.execution.stdout == "begun\n"


@pytest.mark.soak
def test_a_program_that_ignores_signals_and_closes_its_streams_is_stopped(
    executor: DockerExecutor, place: Place
) -> None:
    code = """
import os, signal
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
os.closerange(0, 3)
while True: pass
"""

    assert python(executor, place, code, timeout=1).execution.status is Status.TIMEOUT


def test_a_flood_of_output_is_cut_and_stops_the_program(executor: DockerExecutor, place: Place) -> None:
    run = python(executor, place, "while True: print('x' * 1000)", limits=ContainerLimits(output_bytes=50_000))

    assert (run.execution.reason, run.failure) == (Reason.OUTPUT_EXCEEDED, Failure.LIMIT)
    assert len(run.execution.stdout) == 50_000


def test_a_cancelled_run_ends_at_once(executor: DockerExecutor, place: Place) -> None:
    cancellation = Cancellation()
    threading.Timer(0.5, cancellation.cancel).start()

    run = python(executor, place, "import time; time.sleep(600)", timeout=120, cancellation=cancellation)

    assert run.execution.reason is Reason.CANCELLED  # and not that its time was up


def test_the_working_folder_is_bounded(executor: DockerExecutor, place: Place) -> None:
    code = "open('big', 'wb').write(bytes(4 << 20))"

    run = python(executor, place, code, limits=ContainerLimits(scratch_mb=2))

    assert "No space left on device" in run.execution.stderr


def test_a_shell_program_runs_and_its_exit_code_is_told(executor: DockerExecutor, place: Place) -> None:
    run = executor.execute("bash", "echo out; echo err >&2; exit 3", image=place.image)

    assert (run.execution.exit_code, run.execution.status, run.failure) == (3, Status.ERROR, Failure.CONTAINER)
    assert (run.execution.stdout, run.execution.stderr) == ("out\n", "err\n")


def test_what_a_program_used_is_measured(executor: DockerExecutor, place: Place) -> None:
    run = python(executor, place, "import time; x = bytearray(100 << 20); time.sleep(0.3)")

    assert run.execution.peak_memory_bytes > 90 * 2**20
    assert run.execution.cpu_seconds > 0


def test_every_run_leaves_nothing_behind_however_it_ends(
    executor: DockerExecutor, place: Place, engine: Engine
) -> None:
    for code, seconds in (("raise SystemExit(2)", 30), ("while True: pass", 1)):
        python(executor, place, code, timeout=seconds)

    assert containers(engine) == []
    assert not engine._api.volumes()["Volumes"]


def test_a_container_whose_host_died_is_removed_by_the_next_who_comes(place: Place, engine: Engine) -> None:
    policy = ContainerPolicy(engine.image(place.image).id, ("sleep", "600"))
    orphan = engine._api.create_container_from_config(engine_request(policy, until=1))["Id"]
    running = engine._api.create_container_from_config(engine_request(policy, until=2**40))["Id"]
    engine._api.start(orphan)

    assert engine.sweep() == 1
    assert containers(engine) == [running]
    engine._remove(running)


@pytest.mark.soak
def test_a_program_ends_by_itself_when_nobody_is_left_to_end_its_container(place: Place, engine: Engine) -> None:
    policy = ContainerPolicy(engine.image(place.image).id, ("sleep", "600"), limits=ContainerLimits(wall_seconds=0.1))
    request = engine_request(policy, until=2**40)
    container = engine._api.create_container_from_config(request)["Id"]
    engine._api.start(container)

    assert engine._has_ended(container, 60)
    engine._remove(container)


def test_the_image_is_proved_to_be_bounded(place: Place, engine: Engine) -> None:
    engine.prove(engine.image(place.image))  # raises when a bound does not hold


def test_an_image_that_is_not_there_is_named_and_not_fetched(engine: Engine, executor: DockerExecutor) -> None:
    with pytest.raises(ImageMissing, match="docker pull"):
        engine.image("python:3.11-slim")

    run = executor.execute("python", "print(1)", image="python:3.11-slim")
    assert (run.execution.status, run.failure) == (Status.SETUP_ERROR, Failure.NO_IMAGE)


def test_an_engine_that_stopped_is_a_clear_setup_error(tmp_path: Path) -> None:
    pytest.importorskip("docker")
    executor = DockerExecutor(DockerSettings(url=f"unix://{tmp_path}/nobody.sock"))

    run = executor.execute("python", "print(1)")

    assert (run.execution.status, run.failure) == (Status.SETUP_ERROR, Failure.NO_ENGINE)
    assert (run.error or "").startswith("Docker execution failed: The Docker daemon is not running")
    with pytest.raises(EngineUnavailable):
        Engine.connect(f"unix://{tmp_path}/nobody.sock")


TOOLCHAINS = os.environ.get("MCPGEN_TEST_TOOLCHAINS")
PROGRAMS = {
    "bash": 'read name; echo "hi $name"',
    "c": '#include <stdio.h>\nint main() { char name[9]; scanf("%8s", name); printf("hi %s\\n", name); }',
    "cpp": '#include <iostream>\nint main() { std::string n; std::cin >> n; std::cout << "hi " << n << std::endl; }',
    "go": 'package main\nimport "fmt"\nfunc main() { var name string; fmt.Scan(&name); fmt.Println("hi", name) }',
    "java": "public class Hi { public static void main(String[] a) {"
    ' System.out.println("hi " + new java.util.Scanner(System.in).next()); } }',
    "javascript": "console.log('hi', require('fs').readFileSync(0, 'utf8').trim())",
    "python": "print('hi', input())",
    "rust": 'fn main() { let mut n = String::new(); std::io::stdin().read_line(&mut n).unwrap(); print!("hi {n}"); }',
}


@pytest.mark.soak
@pytest.mark.skipif(TOOLCHAINS is None, reason="`MCPGEN_TEST_TOOLCHAINS` names no image with all eight toolchains")
@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_a_program_of_each_language_is_compiled_and_run(language: str, tmp_path: Path) -> None:
    executor = DockerExecutor(DockerSettings(images=(TOOLCHAINS or "",)), Pages(tmp_path / "pages"))

    run = executor.execute(language, PROGRAMS[language], image=TOOLCHAINS, stdin="ada\n")

    executor.close()
    assert (run.error, run.execution.stdout) == (None, "hi ada\n")
    assert (run.execution.compile_time > 0) is (language not in ("bash", "javascript", "python"))
