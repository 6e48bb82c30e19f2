"""What the container backend promises about running a job, on a real engine; skipped where there is none."""

from __future__ import annotations

import os
import textwrap
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError, SandboxUnavailable
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.docker.backend import DockerBackend
from jupyter_mcpgen.sandbox.job import Artifact, Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.service import Sandbox
from tests.containers import Place

# a container for each test; `test_containers` has the promises of all of them
pytestmark = [pytest.mark.soak, pytest.mark.alone]

Runner = Callable[..., Run]


@pytest.fixture(scope="module")
def backend(place: Place) -> Iterator[DockerBackend]:
    backend = DockerBackend(place.image, place.url)
    yield backend
    backend.close()


@pytest.fixture
def run(backend: DockerBackend, tmp_path: Path) -> Runner:
    def run_tool(source: str, *calls: dict[str, object], policy: Policy | None = None, **limits: int) -> Run:
        package = tmp_path / "package"
        package.mkdir(exist_ok=True)
        (package / "tool.py").write_text(textwrap.dedent(source), encoding="utf-8")
        job = Job(package, "tool", tuple(Call(arguments) for arguments in calls or ({},)))
        bounds = replace(Limits(memory_mb=512, scratch_bytes=2**24, wall_seconds=60), **limits)
        return backend.run(job, policy or Policy(limits=bounds))

    return run_tool


def test_answers_come_back_in_the_order_of_the_calls(run: Runner) -> None:
    record = run("def tool(n): print('said'); return f'answer {n}'", {"n": 2}, {"n": 1})

    assert (record.outcome, record.reason, record.level) == (Outcome.COMPLETED, None, Level.CONTAINER)
    assert [answer.text for answer in record.answers] == ["answer 2", "answer 1"]
    assert (record.stdout, record.stderr) == ("said\nsaid\n", "")
    assert record.usage.cpu_seconds > 0
    assert record.usage.peak_memory_bytes > 0


def test_files_that_a_tool_leaves_come_back_when_they_are_wanted(run: Runner) -> None:
    source = """
        import os
        def tool():
            os.mkdir("charts")
            open("charts/one.svg", "w").write("<svg/>")
            open("big", "wb").write(bytes(3000))
            os.symlink("/etc/passwd", "link")
            return ""
    """
    limits = Limits(memory_mb=512, scratch_bytes=2**24, wall_seconds=60, artifact_bytes=2000)

    kept, not_kept = run(source, policy=Policy(limits=limits, keeps_files=True)), run(source)

    assert kept.artifacts == (Artifact("charts/one.svg", b"<svg/>"),)
    assert [line.partition(":")[0] for line in kept.left_out] == ["`big`", "`link`"]
    assert (not_kept.artifacts, not_kept.left_out) == ((), ())


def test_an_error_in_one_call_is_data_and_a_tool_that_cannot_be_loaded_says_why(run: Runner) -> None:
    record = run("def tool(n): return str(1 / n)", {"n": 0}, {"n": 2})
    broken = run("def tool(: pass")

    assert [(a.error_type, a.text) for a in record.answers] == [("ZeroDivisionError", None), (None, "0.5")]
    assert "ZeroDivisionError" in record.stderr
    assert (broken.outcome, "SyntaxError" in (broken.reason or "")) == (Outcome.FAILED, True)


def test_granted_data_is_read_under_its_own_name_and_cannot_be_written(run: Runner, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a\n1\n", encoding="utf-8")
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    source = """
        def tool(path):
            try: open(path, 'a'); wrote = True
            except OSError: wrote = False
            return open(path).read() + str(wrote)
    """
    policy = Policy(read=(data,), limits=Limits(memory_mb=512))

    assert run(source, {"path": str(data)}, policy=policy).answers[0].text == "a\n1\nFalse"


def test_what_was_not_granted_is_not_there(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    source = "import os\ndef tool(path): return str([os.path.exists(path), os.environ.get('SECRET')])"
    os.environ["SECRET"] = "s"

    try:
        assert run(source, {"path": str(tmp_path / "secret")}).answers[0].text == "[False, None]"
    finally:
        del os.environ["SECRET"]


def test_a_granted_path_that_would_hide_the_container_or_let_out_of_it_is_refused(run: Runner, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path, words in ((Path("/etc"), "would lie over"), (tmp_path / "pipe", "no plain file"), (tmp_path / "x", "x")):
        with pytest.raises(SandboxError, match=words):
            run("def tool(): return ''", policy=Policy(read=(path,)))


def test_a_job_that_sleeps_is_stopped_and_keeps_the_answers_it_gave(run: Runner) -> None:
    source = "import time\ndef tool(n):\n    time.sleep(n)\n    return 'done'"

    record = run(source, {"n": 0}, {"n": 600}, wall_seconds=1)

    assert (record.outcome, record.reason) == (Outcome.TIMED_OUT, "The job was stopped after 1 second.")
    assert [answer.text for answer in record.answers] == ["done"]


def test_memory_processor_time_and_output_are_bounded(run: Runner) -> None:
    memory = run("def tool(): return str(len(bytearray(8 * 2**30)))")
    processor = run("def tool():\n    while True: pass", cpu_seconds=1)
    flood = run("def tool():\n    while True: print('x' * 1000)", output_bytes=100_000)
    result = run("def tool(): return 'x' * 5_000_000", result_bytes=1_000_000)

    assert (memory.outcome, processor.outcome) == (Outcome.MEMORY_EXCEEDED, Outcome.CPU_EXCEEDED)
    assert (flood.outcome, len(flood.stdout)) == (Outcome.OUTPUT_EXCEEDED, 100_000)
    assert (result.outcome, result.answers) == (Outcome.OUTPUT_EXCEEDED, ())


@pytest.mark.parametrize(
    "attack",
    [
        "os.write(3, os.urandom(5000))",
        "os.close(3)",
        "os._exit(0)",
        "os.kill(os.getppid(), 9)\n    import time; time.sleep(60)",
    ],
)
def test_nonsense_or_the_death_of_the_supervisor_never_counts_as_success(run: Runner, attack: str) -> None:
    record = run(f"import os\ndef tool():\n    {attack}\n    return 'fine'")

    assert record.outcome in (Outcome.FAILED, Outcome.CRASHED)
    assert record.reason


def test_a_program_left_behind_does_not_hold_the_job_up(run: Runner) -> None:
    source = """
        import os, time
        def tool():
            if os.fork() == 0:
                time.sleep(600)
            return "done"
    """

    record = run(source)

    assert (record.outcome, record.answers[0].text) == (Outcome.COMPLETED, "done")


def test_a_cancelled_job_ends(backend: DockerBackend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import time\ndef tool(): time.sleep(600)", encoding="utf-8")
    cancellation = Cancellation()
    threading.Timer(0.5, cancellation.cancel).start()

    record = backend.run(Job(tmp_path, "tool", (Call({}),)), Policy(limits=Limits(memory_mb=512)), cancellation)

    assert record.outcome is Outcome.CANCELLED


def test_the_service_proves_it_and_runs_with_it(backend: DockerBackend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("def tool(): return 'ran'", encoding="utf-8")
    sandbox = Sandbox(Level.CONTAINER, backend)

    report = sandbox.prove()

    assert (report.level, report.broken, len(report.probes)) == (Level.CONTAINER, (), 11)
    assert (
        sandbox.run(Job(tmp_path, "tool", (Call({}),)), Policy(limits=Limits(memory_mb=512))).answers[0].text == "ran"
    )
    with pytest.raises(SandboxUnavailable, match="level 2"):
        Sandbox(Level.LANDLOCK, backend)


def test_without_an_engine_the_backend_says_what_to_do(tmp_path: Path) -> None:
    pytest.importorskip("docker")

    missing = DockerBackend("mcpgen:none", f"unix://{tmp_path}/nobody.sock").missing()

    assert missing is not None
    assert "start Docker or Podman" in missing
