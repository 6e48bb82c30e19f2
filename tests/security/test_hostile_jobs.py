"""Jobs that aim at what is around them: the supervisor, the host's readers, the locks and the disk of the user."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import signal
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

from jupyter_mcpgen.errors import JobNotBegun, SandboxError
from jupyter_mcpgen.sandbox.inside.job_work import JobWork
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.jobs import launch
from jupyter_mcpgen.sandbox.jobs.launch import Caps, Order, Worker, fresh, run_worker
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from tests.levels import LEVELS, require

Runner = Callable[..., Run]

PROLOGUE = """
import ctypes, errno, fcntl, json, os, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def frame(header, text=b"told"):
    encoded = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(encoded).to_bytes(4, "big") + encoded + len(text).to_bytes(8, "big") + text + bytes(8)
"""


@pytest.fixture(scope="module", params=sorted(LEVELS))
def backend(request: pytest.FixtureRequest) -> Iterator[ProcessBackend]:
    backend = ProcessBackend(layers=LEVELS[request.param], spares=1)
    require(backend.missing(), backend.layers)
    backend.warm()
    yield backend
    backend.close()


@pytest.fixture
def run(backend: ProcessBackend, tmp_path: Path) -> Runner:
    return runner(backend, tmp_path)


def runner(backend: ProcessBackend, folder: Path) -> Runner:
    def run_tool(source: str, policy: Policy | None = None) -> Run:
        package = folder / "package"
        package.mkdir(exist_ok=True)
        (package / "tool.py").write_text(PROLOGUE + textwrap.dedent(source), encoding="utf-8")
        return backend.run(Job(package, "tool", (Call({}),)), policy or Policy(limits=Limits(wall_seconds=30)))

    return run_tool


def text_of(record: Run) -> str | None:
    return record.answers[0].text if record.answers else None


@pytest.mark.every_run("level 1")
def test_a_crash_is_handed_to_no_program_of_the_machine(run: Runner) -> None:
    """The kernel starts that one, as root, for every limit on cores but of one byte."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    most = 1 if hard == resource.RLIM_INFINITY else min(1, hard)

    record = run("import resource\ndef tool(): return repr(resource.getrlimit(resource.RLIMIT_CORE))")

    assert text_of(record) == repr((most, most))


@pytest.mark.parametrize(
    "name", [b"\nVmHWM: 1 kB\n", b"a\x0bb", b"a\x1cb\x1d", b"a\xc2\x85b", b"a\xe2\x80\xa8b", b") Z 0 0 0 4"]
)
def test_no_name_that_a_job_gives_itself_confuses_its_supervisor(run: Runner, name: bytes) -> None:
    record = run(f"def tool():\n    libc.prctl(15, ctypes.c_char_p({name!r}), 0, 0, 0)\n    return 'named'\n")

    assert (record.outcome, text_of(record)) == (Outcome.COMPLETED, "named")
    assert record.usage.peak_memory_bytes > 0


def test_a_job_is_the_first_to_go_when_memory_is_short(run: Runner, backend: ProcessBackend) -> None:
    run("def tool(): return ''")  # after it, one waits

    assert backend.zygote is not None
    zygote = psutil.Process(backend.zygote)
    found: dict[str, set[str]] = {}
    for _ in range(400):
        with suppress(psutil.NoSuchProcess, FileNotFoundError):  # the one before may be about to end
            supervisors = zygote.children()
            jobs = [job for supervisor in supervisors for job in supervisor.children()]
            found = {"supervisors": set(map(score, supervisors)), "jobs": set(map(score, jobs))}
        if found.get("jobs") == {"1000"}:
            break
        time.sleep(0.05)

    assert found["jobs"] == {"1000"}
    assert "1000" not in found["supervisors"]


def score(process: psutil.Process) -> str:
    return Path(f"/proc/{process.pid}/oom_score_adj").read_text(encoding="ascii").strip()


LOCK = """
def tool():
    opened = os.open({path!r}, os.O_RDONLY)
    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    until = time.monotonic() + {seconds}
    while time.monotonic() < until and not os.path.exists({seen!r}):
        time.sleep(0.01)
    return "locked"
"""


def is_locked(path: Path) -> bool:
    with open(path, "rb+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def ever_locked(run: Runner, path: Path, seconds: float) -> bool:
    """Return whether the job locked the data; who sees it says so, and the job need hold it no longer."""
    seen = path.with_suffix(".seen")
    policy = Policy(read=(path,), limits=Limits(wall_seconds=60))
    with ThreadPoolExecutor(1) as pool:
        record = pool.submit(run, LOCK.format(path=str(path), seen=str(seen), seconds=seconds), policy)
        found = False
        while not record.done():
            if is_locked(path):
                found = True
                seen.touch()
            time.sleep(0.02)
        assert text_of(record.result()) == "locked"
    return found


def test_a_job_believes_that_it_locked_the_data_and_keeps_nobody_from_it(run: Runner, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a", encoding="utf-8")

    assert not ever_locked(run, data, seconds=0.5)


def test_without_the_sandbox_the_same_job_locks_the_data(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a", encoding="utf-8")

    assert ever_locked(runner(ProcessBackend(layers=frozenset(), spares=0), tmp_path), data, seconds=50)


RESERVE = """
def tool():
    opened = os.open("large", os.O_WRONLY | os.O_CREAT)
    result = libc.fallocate(opened, 0, ctypes.c_long(0), ctypes.c_long(1 << 20))
    return str(0 if result == 0 else ctypes.get_errno())
"""


def test_a_job_cannot_take_space_in_an_instant(run: Runner, tmp_path: Path) -> None:
    unconfined = runner(ProcessBackend(layers=frozenset(), spares=0, scratch_root=tmp_path), tmp_path)

    assert text_of(run(RESERVE)) == str(errno.EOPNOTSUPP)
    if text_of(unconfined(RESERVE)) != "0":
        pytest.skip("this file system reserves no space for anybody")


def test_databases_in_scratch_work_as_they_do_outside(run: Runner) -> None:
    source = """
        import sqlite3
        def tool():
            for mode in ("delete", "wal"):
                with sqlite3.connect(f"{mode}.db") as one:
                    one.execute(f"pragma journal_mode={mode}")
                    one.execute("create table t (a)")
                    one.execute("insert into t values (1)")
                found = sqlite3.connect(f"{mode}.db").execute("select sum(a) from t").fetchall()
                assert found == [(1,)], found
            with open("reserved", "wb") as stream:
                os.posix_fallocate(stream.fileno(), 0, 10000)
            return str(os.path.getsize("reserved"))
    """

    assert text_of(run(source)) == "10000"


MAKING_FILES = """
import contextlib
def make(number):
    count = 0
    while True:
        count += 1
        with contextlib.suppress(OSError):  # until the folder is gone
            os.mkdir(f"{number}-{count}")
            os.close(os.open(f"{number}-{count}/file", os.O_CREAT | os.O_WRONLY))
def tool():
    for number in range(30):
        threading.Thread(target=make, args=(number,), daemon=True).start()
    time.sleep(0.02)
    return "done"
"""


@pytest.mark.soak
def test_threads_that_make_files_to_their_last_breath_leave_none(tmp_path: Path) -> None:
    with TemporaryDirectory() as scratch:  # in memory they would make, and the host remove, many times as many
        run = runner(ProcessBackend(layers=WITHOUT_NAMESPACES, scratch_root=Path(scratch), spares=0), tmp_path)

        room = Policy(limits=Limits(scratch_entries=1_000_000))  # how many they make before they are stopped is theirs
        outcomes = {run(MAKING_FILES, room).outcome for _ in range(2)}

        assert outcomes == {Outcome.COMPLETED}
        assert list(Path(scratch).iterdir()) == []


NESTING = """
def tool():
    while True:
        os.mkdir("d")
        os.chdir("d")
"""


def test_a_job_that_nests_folders_without_end_is_stopped_and_told_why(tmp_path: Path) -> None:
    """To look at paths that long took longer than the job's time, and ended in words about somebody from outside."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    run = runner(ProcessBackend(layers=WITHOUT_NAMESPACES, scratch_root=scratch, spares=0), tmp_path)

    record = run(NESTING, Policy(limits=Limits(wall_seconds=60, scratch_entries=1_000_000)))

    assert record.outcome is Outcome.OUTPUT_EXCEEDED
    assert record.reason is not None
    assert record.reason.endswith("or 200 folders in one another.")
    assert list(scratch.iterdir()) == []


def stopped(worker: Worker) -> None:
    """Keep the supervisor from saying anything."""
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)


@pytest.mark.every_run("stopped")
@pytest.mark.parametrize("meanwhile", [stopped, lambda _: time.sleep(2)])
def test_a_job_whose_time_is_up_is_told_so_however_late_its_host_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Worker], None]
) -> None:
    monkeypatch.setattr(launch, "_GRACE_SECONDS", 0.5)
    (tmp_path / "tool.py").write_text("import time\ndef tool(): time.sleep(600)\n", encoding="utf-8")
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, spares=0)
    worker = fresh(Interpreter.current(), backend.preparation(None))
    confinement = backend.confinement(tmp_path, Policy(limits=Limits(wall_seconds=1)), tmp_path, None)
    work = JobWork(str(tmp_path), "tool", ({},), ())

    ending = run_worker(worker, Order(confinement, work, Caps(1000, 1000, lambda: meanwhile(worker))))

    assert ending.timed_out


@pytest.mark.parametrize("path", ["/", "/proc", "/proc/self/status", "circle", "a\0b"])
def test_what_is_no_data_is_refused_with_the_reason(run: Runner, tmp_path: Path, path: str) -> None:
    (tmp_path / "circle").symlink_to("circle")

    with pytest.raises(SandboxError, match="cannot be given to a tool"):
        run("def tool(): return ''", Policy(read=(tmp_path / path,)))


def test_a_job_that_cannot_begin_is_given_up_and_not_tried_for_ever(tmp_path: Path) -> None:
    backend = ProcessBackend(layers=ALL_LAYERS, spares=1)
    require(backend.missing(), backend.layers)
    run = runner(backend, tmp_path)
    run("def tool(): return ''")  # after it there is a zygote, which has always one more worker

    with pytest.raises(JobNotBegun):
        run("def tool(): return ''", Policy(read=(tmp_path,), limits=Limits(open_files=1)))  # it can open nothing
    backend.close()


def test_what_a_job_says_of_itself_holds_nothing_that_a_reader_stumbles_over(run: Runner) -> None:
    source = r"""
        def tool():
            header = rb'{"details":{"a":1e999,"b":1%s},"error_type": "X\u001b[2J", "error_message": "\ud800\u0007"}'
            os.write(3, frame(header % (b"0" * 4000)))
            os.close(3)
            time.sleep(60)
    """

    answer = run(source).answers[0]

    assert answer.details == {"a": None, "b": None}
    assert (answer.error_type, answer.error_message) == ("X\ufffd[2J", "\ufffd\ufffd")


def test_a_lone_half_of_a_character_in_forged_details_is_refused(run: Runner) -> None:
    source = r"""
        def tool():
            os.write(3, frame(rb'{"details": {"a": "\ud800"}}'))
            os.close(3)
            time.sleep(60)
    """

    record = run(source)

    assert (record.outcome, record.answers) == (Outcome.FAILED, ())


def test_files_whose_names_cannot_be_printed_stay_behind(run: Runner) -> None:
    source = r"""
        def tool():
            for name in (b"plain", b"two\nlines", b"\xff\xfe", b"\x1b[2J", "gp\u202ej".encode()):
                os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
            return ""
    """

    record = run(source, Policy(keeps_files=True, limits=Limits(wall_seconds=30)))

    assert [artifact.path for artifact in record.artifacts] == ["plain"]
    assert len(record.left_out) == 4
    assert all(line.isprintable() for line in record.left_out)
