"""Sessions keep variables and files for their owner, and for nobody else."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import PathRefused, SessionError, ToolchainMissing, UnknownSession
from jupyter_mcpgen.sandbox.execution import Executor
from jupyter_mcpgen.sandbox.execution_limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution_record import Reason, Status
from jupyter_mcpgen.sandbox.free_memory import whole_memory_mb
from jupyter_mcpgen.sandbox.languages import available
from jupyter_mcpgen.sandbox.output import Pages
from jupyter_mcpgen.sandbox.program_sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.scratch import wipe
from jupyter_mcpgen.sandbox.session import valid_session_id
from jupyter_mcpgen.sandbox.sessions import Sessions

MISSING = available()
needs_node = pytest.mark.skipif(MISSING["javascript"] is not None, reason=str(MISSING["javascript"]))
pytestmark = pytest.mark.skipif(ProgramSandbox().missing() is not None, reason=str(ProgramSandbox().missing()))


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time that was set."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir(mode=0o755)
    return folder


@pytest.fixture
def sessions(tmp_path: Path, scratch: Path, clock: Clock) -> Iterator[Sessions]:
    executor = Executor(sandbox=ProgramSandbox(scratch_root=scratch), pages=Pages(tmp_path / "output"))
    made = Sessions(executor, clock=clock)
    yield made
    made.close()


class Mine:
    """One session of `me`, with the owner left out."""

    def __init__(self, sessions: Sessions, language: str = "python", **options: bool) -> None:
        self.sessions = sessions
        self.id = sessions.create("me", language, **options).session_id

    def out(self, code: str, **options: str) -> str:
        """Return what code printed, which must have worked."""
        run = self.sessions.execute("me", self.id, code, **options)  # type: ignore[arg-type]  # only `stdin`
        assert run.status is Status.SUCCESS, run
        return run.stdout

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        self.sessions.write_file("me", self.id, path, content)

    def read(self, path: str) -> bytes:
        """Return a file."""
        return self.sessions.read_file("me", self.id, path)

    def files(self, path: str = ".") -> list[str]:
        """Return the paths of all files and folders."""
        return [entry.path for entry in self.sessions.list_files("me", self.id, path)]


@pytest.fixture
def python(sessions: Sessions) -> Mine:
    return Mine(sessions)


@pytest.mark.parametrize("value", ["a", "A-b_9", "x" * 64, "00000000-0000-0000-0000-000000000000"])
def test_letters_digits_underscores_and_hyphens_make_an_id(value: str) -> None:
    assert valid_session_id(value) == value


@pytest.mark.parametrize(
    "value", ["x" * 65, "a b", "a.b", "a@b", "a!", "a/b", "a\\b", "..", "ä", "a\n", 3, b"a", ["a"]]
)
def test_anything_else_makes_none(value: object) -> None:
    assert valid_session_id(value) is None


def test_no_id_and_an_empty_one_both_mean_no_session() -> None:
    assert (valid_session_id(None), valid_session_id("")) == (None, "")


@pytest.mark.parametrize("session_id", ["../x", "a/b", "a\\b", f"a{os.sep}b", ".", "x" * 65])
def test_a_bad_id_is_refused_before_any_folder_exists(sessions: Sessions, scratch: Path, session_id: str) -> None:
    with pytest.raises(SessionError, match="cannot be a session's id"):
        sessions.create("me", session_id=session_id)

    assert list(scratch.iterdir()) == []


def test_ids_can_be_demanded_to_be_uuids(tmp_path: Path) -> None:
    strict = Sessions(Executor(pages=Pages(tmp_path)), demand_uuids=True)

    with pytest.raises(SessionError, match="UUID"):
        strict.create("me", session_id="mine")
    strict.create("me", session_id="12345678-1234-5678-1234-567812345678")
    strict.create("me")
    strict.close()


@pytest.mark.parametrize("session_id", [None, ""])
def test_without_an_id_one_is_made(sessions: Sessions, session_id: str | None) -> None:
    made = sessions.create("me", session_id=session_id)

    assert valid_session_id(made.session_id) == made.session_id


def test_an_id_is_taken_once_by_each_owner(sessions: Sessions) -> None:
    sessions.create("me", session_id="same")
    sessions.create("you", session_id="same")

    with pytest.raises(SessionError, match="already"):
        sessions.create("me", session_id="same")


def test_an_owner_has_only_so_many_sessions(sessions: Sessions) -> None:
    for _ in range(8):
        sessions.create("me", "bash")

    with pytest.raises(SessionError, match="8 sessions already"):
        sessions.create("me", "bash")
    sessions.create("you", "bash")


def test_an_unknown_language_is_refused(sessions: Sessions) -> None:
    with pytest.raises(SessionError, match=r"Unsupported language: `Python`\. Did you mean `python`"):
        sessions.create("me", "Python")


@pytest.mark.skipif(MISSING["go"] is None, reason="Go is installed here")
def test_a_language_that_is_not_installed_is_refused_with_the_cure(sessions: Sessions) -> None:
    with pytest.raises(ToolchainMissing, match=r"`go` was not found\. To use it, install"):
        sessions.create("me", "go")


def test_a_session_is_listed_for_its_owner_only(sessions: Sessions, clock: Clock) -> None:
    mine = Mine(sessions, "bash")
    clock.now = 5
    mine.out("true")
    clock.now = 7

    (info,) = sessions.list("me")

    assert (info.session_id, info.language, info.keeps_state, info.runs) == (mine.id, "bash", False, 1)
    assert (info.age_seconds, info.idle_seconds, info.is_busy) == (7, 2, False)
    assert sessions.list("you") == ()


def test_for_anybody_else_a_session_does_not_exist(sessions: Sessions, python: Mine) -> None:
    python.write("secret", b"mine")

    for attempt in (
        lambda: sessions.execute("you", python.id, "1"),
        lambda: sessions.read_file("you", python.id, "secret"),
        lambda: sessions.write_file("you", python.id, "secret", b""),
        lambda: sessions.list_files("you", python.id),
        lambda: sessions.delete_file("you", python.id, "secret"),
        lambda: sessions.destroy("you", python.id),
    ):
        with pytest.raises(UnknownSession):
            attempt()

    assert python.read("secret") == b"mine"


def test_variables_functions_and_modules_live_from_run_to_run(python: Mine) -> None:
    python.out("import math\nx = 1\ndef f(n): return n + x")
    python.out("x += 1")

    assert python.out("print(f(1), math.floor(2.5))") == "3 2\n"


def test_state_is_kept_only_when_asked_for(sessions: Sessions) -> None:
    mine = Mine(sessions, keep_state=False)
    mine.out("x = 1; open('kept', 'w').write('file')")

    assert mine.out("print('x' in globals(), open('kept').read())") == "False file\n"


def test_nothing_of_one_session_reaches_another(sessions: Sessions) -> None:
    one, other = Mine(sessions), Mine(sessions)
    one.out("import json, os; json.dumps = os.write = os.read = None; x = 1")

    assert other.out("import json; print(json.dumps(1), 'x' in globals())") == "1 False\n"


def test_each_run_has_its_own_input_and_gives_its_own_output(python: Mine) -> None:
    assert python.out("print(input())", stdin="one\n") == "one\n"
    assert python.out("import os; print(os.read(0, 9))", stdin="two") == "b'two'\n"
    assert python.out("import sys; print(repr(sys.stdin.read()))") == "''\n"


def test_output_of_children_and_of_the_error_stream_is_captured(sessions: Sessions, python: Mine) -> None:
    run = sessions.execute("me", python.id, "import os, sys; os.system('echo child'); print('err', file=sys.stderr)")

    assert (run.stdout, run.stderr) == ("child\n", "err\n")


def test_an_exception_is_shown_as_python_shows_it_and_the_session_lives(sessions: Sessions, python: Mine) -> None:
    python.out("def f():\n    return 1 / 0")

    run = sessions.execute("me", python.id, "x = 5\nf()")

    assert (run.status, run.reason, run.exit_code) == (Status.ERROR, Reason.RUNTIME_ERROR, 1)
    assert run.error_message == "ZeroDivisionError: division by zero"
    assert [line.strip() for line in run.stderr.splitlines() if "~" not in line and "^" not in line] == [
        "Traceback (most recent call last):",
        'File "<cell 2>", line 2, in <module>',
        "f()",
        'File "<cell 1>", line 2, in f',
        "return 1 / 0",
        "ZeroDivisionError: division by zero",
    ]
    assert python.out("print(x)") == "5\n"


@pytest.mark.parametrize(
    ("code", "exit_code"), [("import sys; sys.exit(3)", 3), ("exit('no')", 1), ("raise SystemExit", 0), ("1 +", 1)]
)
def test_leaving_ends_the_cell_and_not_the_session(sessions: Sessions, code: str, exit_code: int) -> None:
    mine = Mine(sessions)
    mine.out("import builtins; builtins.exit = __import__('sys').exit; x = 5")

    assert sessions.execute("me", mine.id, code).exit_code == exit_code
    assert mine.out("print(x)") == "5\n"


def test_a_timeout_ends_the_run_says_so_and_keeps_the_files(sessions: Sessions, python: Mine) -> None:
    python.out("x = 1; open('kept', 'w').write('file')")

    late = sessions.execute("me", python.id, "print('before', flush=True)\nwhile True: pass", timeout=1)
    after = sessions.execute("me", python.id, "print('x' in globals(), open('kept').read())")

    assert (late.status, late.exit_code, late.stdout) == (Status.TIMEOUT, 124, "before\n")
    assert late.error_message == (
        "The program was stopped because its time was up: 1 seconds. "
        "The session's variables are lost; its files are kept."
    )
    assert after.stdout == "False file\n"
    assert after.notes == (
        "A fresh interpreter was started: the variables were lost in the run before (timed out); "
        "the files are as they were.",
    )
    assert sessions.execute("me", python.id, "1").notes == ()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os; os._exit(0)", Reason.KILLED),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", Reason.KILLED),
        ("x = []\nwhile True: x.append(b'x' * 2**20)", Reason.MEMORY_EXCEEDED),
        ("import os; os.write(4, b'\\0\\0\\0\\4null')", Reason.KILLED),
        ("import os; os.write(4, b'\\0\\0\\0\\2[]'); os.close(4)", Reason.KILLED),
        ("import os\nwhile True: os.write(1, b'x' * 65536)", Reason.OUTPUT_EXCEEDED),
    ],
)
def test_whatever_ends_the_interpreter_is_an_error_and_a_fresh_one_takes_over(
    sessions: Sessions, python: Mine, code: str, reason: Reason
) -> None:
    run = sessions.execute("me", python.id, code, timeout=60)

    assert (run.status, run.reason) == (Status.ERROR, reason)
    assert "variables are lost" in (run.error_message or "")
    assert python.out("print(1)") == "1\n"


def test_a_package_spoiled_in_a_workspace_does_not_reach_the_host(sessions: Sessions, python: Mine) -> None:
    python.write("json.py", b"raise SystemExit('spoiled')")

    assert python.out("import json; print(hasattr(json, 'dumps'))") == "True\n"


def test_modules_of_the_workspace_can_be_imported(python: Mine) -> None:
    python.write("mine.py", b"answer = 42")

    assert python.out("import mine; print(mine.answer)") == "42\n"


def test_the_limits_of_a_session_hold_in_its_runs(sessions: Sessions) -> None:
    made = sessions.create("me", limits=ExecutionLimits(output_characters=1_000))

    run = sessions.execute("me", made.session_id, "print('x' * 5_000)")

    assert run.stdout.startswith("x" * 1_000 + "\n[Output truncated")


def test_no_code_and_no_session_are_told(sessions: Sessions, python: Mine) -> None:
    assert sessions.execute("me", python.id, "").status is Status.SETUP_ERROR
    with pytest.raises(UnknownSession, match="`gone`"):
        sessions.execute("me", "gone", "1")


@needs_node
def test_javascript_keeps_its_variables(sessions: Sessions) -> None:
    node = Mine(sessions, "javascript")
    node.out("const a = [1]; let b = 2; function f() { return a.length + b; } class C {}")
    node.out("a.push(1); b += 1; setTimeout(() => { b += 10; }, 20);")

    assert node.out("console.log(f(), typeof C, [] instanceof Array)") == "15 function true\n"


@needs_node
def test_javascript_reads_its_input_and_its_workspace(sessions: Sessions) -> None:
    node = Mine(sessions, "javascript")
    node.write("mine.js", b"module.exports = 42;")

    assert node.out("console.log(require('fs').readFileSync(0, 'utf8'), require('./mine'))", stdin="in") == "in 42\n"


@needs_node
@pytest.mark.parametrize(
    ("code", "exit_code", "message"),
    [
        ("null.x", 1, "TypeError: Cannot read properties of null (reading 'x')"),
        ("syntax error", 1, "SyntaxError: Unexpected identifier 'error'"),
        ("Promise.reject(new RangeError('late'))", 1, "RangeError: late"),
        ("process.exit(4)", 4, "process.exit(4)"),
        ("throw 'text'", 1, "text"),
    ],
)
def test_javascript_goes_on_after_an_error(sessions: Sessions, code: str, exit_code: int, message: str) -> None:
    node = Mine(sessions, "javascript")
    node.out("var x = 5")

    run = sessions.execute("me", node.id, code)

    assert (run.status, run.exit_code, run.error_message) == (Status.ERROR, exit_code, message)
    assert node.out("console.log(x)") == "5\n"


@needs_node
def test_javascript_that_never_ends_is_stopped(sessions: Sessions) -> None:
    node = Mine(sessions, "javascript")

    run = sessions.execute("me", node.id, "setInterval(() => {}, 10)", timeout=1)

    assert (run.status, run.exit_code) == (Status.TIMEOUT, 124)
    assert node.out("console.log(1)") == "1\n"


def test_another_language_keeps_its_files(sessions: Sessions) -> None:
    bash = Mine(sessions, "bash")
    bash.out("echo kept > file; x=1")

    assert bash.out('cat file; echo "[${x:-}]"') == "kept\n[]\n"


def test_files_pass_to_a_program_and_back_byte_by_byte(python: Mine) -> None:
    everything = bytes(range(256)) * 3 + "é🎉\r\n".encode()
    python.write("deep/er/in.bin", everything)

    python.out("import os; os.mkdir('out'); open('out/o.bin', 'wb').write(open('deep/er/in.bin', 'rb').read()[::-1])")

    assert python.read("out/o.bin") == everything[::-1]
    assert python.files() == ["deep", "deep/er", "deep/er/in.bin", "out", "out/o.bin"]
    assert python.files("deep") == ["deep/er", "deep/er/in.bin"]


def test_the_number_of_files_is_true_over_several_runs(python: Mine) -> None:
    for n in range(3):
        python.out(f"open('f{n}', 'w').close()")
        assert len(python.files()) == n + 1
    python.sessions.delete_file("me", python.id, "f1")

    assert python.files() == ["f0", "f2"]


@pytest.mark.parametrize("path", ["x", "./x", "././x", "a//x", "a/./x"])
def test_a_point_stays_inside(python: Mine, path: str) -> None:
    python.write(path, b"in")

    assert python.read(path) == b"in"


@pytest.mark.parametrize(
    "path",
    ["../x", "..", "a/../../x", "a/../x", "a/../../../etc/passwd", "/etc/passwd", "/x", "..\\x", "", ".", "a\0b",
     "/".join("x" * 70)],
)  # fmt: skip
def test_a_path_that_leads_out_is_refused_and_nothing_is_made(python: Mine, scratch: Path, path: str) -> None:
    before = sorted(map(str, scratch.rglob("*")))

    for attempt in (
        lambda: python.write(path, b"x"),
        lambda: python.read(path),
        lambda: python.sessions.delete_file("me", python.id, path),
    ):
        with pytest.raises(PathRefused):
            attempt()

    assert sorted(map(str, scratch.rglob("*"))) == before


def test_links_are_refused_in_every_place(python: Mine, scratch: Path, tmp_path: Path) -> None:
    (outside := tmp_path / "outside").mkdir()
    (outside / "secret").write_text("secret", encoding="utf-8")
    (workspace,) = scratch.iterdir()
    (workspace / "folder").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "secret")

    for path in ("folder/secret", "file"):
        with pytest.raises(PathRefused):
            python.read(path)
        with pytest.raises(PathRefused):
            python.write(path, b"x")
    with pytest.raises(PathRefused):
        python.sessions.delete_file("me", python.id, "folder/secret")

    assert python.files() == []
    assert (outside / "secret").read_text(encoding="utf-8") == "secret"


def test_a_pipe_where_a_file_should_be_is_refused_without_waiting(python: Mine, scratch: Path) -> None:
    (workspace,) = scratch.iterdir()
    os.mkfifo(workspace / "pipe")

    with pytest.raises(PathRefused):
        python.read("pipe")


def test_a_file_that_is_not_there_is_told(python: Mine) -> None:
    with pytest.raises(SessionError, match="There is no `gone`"):
        python.read("gone")


def test_a_workspace_holds_only_so_much(python: Mine) -> None:
    python.write("half", bytes(200 * 2**20))

    with pytest.raises(SessionError, match="may hold 268,435,456 bytes"):
        python.write("more", bytes(100 * 2**20))
    assert python.files() == ["half"]


def test_an_idle_session_is_destroyed_with_its_files(sessions: Sessions, clock: Clock, scratch: Path) -> None:
    old = Mine(sessions)
    old.out("x = 1")
    clock.now = 3000
    young = Mine(sessions)
    clock.now = 3700

    assert sessions.expire() == (old.id,)
    assert [info.session_id for info in sessions.list("me")] == [young.id]
    assert len(list(scratch.iterdir())) == 1
    with pytest.raises(UnknownSession):
        old.out("x")


def test_whoever_asks_for_something_else_does_not_wait_for_the_files_of_an_idle_session(
    sessions: Sessions, clock: Clock, monkeypatch: pytest.MonkeyPatch, scratch: Path
) -> None:
    old = Mine(sessions)
    old.write("large", b"x")
    begun, may_end = threading.Event(), threading.Event()

    def slowly(folder: Path) -> None:
        begun.set()
        assert may_end.wait(30)
        wipe(folder)

    monkeypatch.setattr("jupyter_mcpgen.sandbox.scratch.wipe", slowly)
    clock.now = 3700

    assert sessions.list("me") == ()
    assert begun.wait(30)
    with pytest.raises(UnknownSession):
        old.read("large")
    may_end.set()
    sessions.close()
    assert list(scratch.iterdir()) == []


def test_all_sessions_together_are_given_only_so_much_memory(tmp_path: Path) -> None:
    some = Sessions(Executor(pages=Pages(tmp_path)), most_memory_mb=1000)
    large = ExecutionLimits(memory_mb=600)
    first = some.create("me", limits=large)

    with pytest.raises(SessionError, match=r"600 MB was not made: .* may hold 1000 MB, and 600 MB are given away"):
        some.create("you", limits=large)

    some.create("you", limits=ExecutionLimits(memory_mb=400))
    some.destroy("me", first.session_id)
    some.create("you", limits=large)
    some.close()


def test_half_of_the_machines_memory_is_the_most_without_a_setting(tmp_path: Path) -> None:
    whole = whole_memory_mb()
    assert whole is not None
    some = Sessions(Executor(pages=Pages(tmp_path)))

    with pytest.raises(SessionError, match=f"may hold {whole // 2} MB, and 0 MB are given away"):
        some.create("me", limits=ExecutionLimits(memory_mb=whole // 2 + 1))


def test_use_keeps_a_session_from_being_idle(sessions: Sessions, clock: Clock, python: Mine) -> None:
    for clock.now in (3000, 6000, 9000):
        python.files()

    assert sessions.expire() == ()


def test_destroying_leaves_no_file_and_no_process(sessions: Sessions, python: Mine, scratch: Path) -> None:
    python.out("x = 1")

    sessions.destroy("me", python.id)

    assert list(scratch.iterdir()) == []
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    with pytest.raises(UnknownSession):
        sessions.destroy("me", python.id)


def test_a_busy_session_can_be_destroyed_by_another_thread(sessions: Sessions, python: Mine, scratch: Path) -> None:
    python.out("x = 1")
    finished: list[Status] = []
    code = "open('begun', 'w').close()\nimport time; time.sleep(600)"
    thread = threading.Thread(
        target=lambda: finished.append(sessions.execute("me", python.id, code, timeout=60).status)
    )
    thread.start()
    while not list(scratch.glob("*/begun")):
        thread.join(0.05)

    sessions.destroy("me", python.id)

    thread.join(30)
    assert finished == [Status.ERROR]
    assert list(scratch.iterdir()) == []


def test_two_threads_use_one_session_one_after_the_other(python: Mine) -> None:
    python.out("count = 0")
    step = "import time; before = count; time.sleep(0.02); count = before + 1"

    threads = [threading.Thread(target=python.out, args=(step,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert python.out("print(count)") == "4\n"


def test_closing_ends_everything(tmp_path: Path, scratch: Path) -> None:
    executor = Executor(sandbox=ProgramSandbox(scratch_root=scratch), pages=Pages(tmp_path / "output"))
    descriptors = sorted(os.listdir("/proc/self/fd"))
    sessions = Sessions(executor)
    for owner in ("me", "you"):
        sessions.execute(owner, sessions.create(owner).session_id, "x = 1")

    sessions.close()

    assert list(scratch.iterdir()) == []
    assert sorted(os.listdir("/proc/self/fd")) == descriptors
