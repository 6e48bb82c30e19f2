"""What every session that keeps variables promises, in whatever language and runtime it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import PathRefused, SessionError, UnknownSession
from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.sessions.cells import FuelLimit
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.sandbox.wasm.artifacts import QUICKJS, installed
from jupyter_mcpgen.sandbox.wasm.session import LEAST_MEMORY_MB
from tests.levels import needs

pytestmark = [needs(ProgramSandbox().missing()), pytest.mark.every_run(kind=["python", "wasm-javascript"])]

LIMITS = ExecutionLimits(memory_mb=512, cpu_cores=1.0)
_MUCH = FuelLimit(10**14, FuelUnit.INSTRUCTIONS)


@dataclass(frozen=True)
class Kind:
    """One way to keep variables, and how its language says what the promises are about."""

    language: str
    runtime: RuntimeKind
    begin: str
    count: str
    write: str
    read: str
    outside: str
    fail: str
    endless: str
    flood: str
    fill: str
    memory: str
    many_files: str
    unread: str


_JS = {
    "begin": "var n = 1; var table = {a: [1, null, 'ä'], f() {}}; var plain = {a: [1, null, 'ä']}",
    "count": "n += 1; console.log(n)",
    "fail": "n = 10; throw new RangeError('too far')",
    "endless": "while (true);",
}
KINDS = {
    "python": Kind(
        language="python",
        runtime=RuntimeKind.NATIVE,
        begin="n = 1; table = open; plain = {'a': [1, None, 'ä']}",
        count="n += 1; print(n)",
        write="open('out.txt', 'w', encoding='utf-8').write('ö')",
        read="print(open('in/x.txt', encoding='utf-8').read())",
        outside="open('/etc/passwd').read()",
        fail="n = 10; raise ValueError('too far')",
        endless="while True: pass",
        flood="while True: print('x' * 100000)",
        fill="with open('big', 'wb') as f:\n    while True: f.write(bytes(2**20)); f.flush()",
        memory="x = []\nwhile True: x.append(b'x' * 2**20)",
        many_files="for i in range(10**6): open(f'f{i}', 'w').close()",
        unread="import sys; print(repr(sys.stdin.read()))",
    ),
    "javascript": Kind(
        language="javascript",
        runtime=RuntimeKind.NATIVE,
        **_JS,
        write="require('fs').writeFileSync('out.txt', 'ö')",
        read="console.log(require('fs').readFileSync('in/x.txt', 'utf8'))",
        outside="require('fs').readFileSync('/etc/passwd')",
        memory="const all = []; while (true) all.push(new Array(2 ** 20).fill(all.length))",
        flood="while (true) require('fs').writeSync(1, 'x'.repeat(100000))",
        fill="const fs = require('fs'), b = fs.openSync('big', 'w'); while (true) fs.writeSync(b, Buffer.alloc(2**20))",
        many_files="for (let i = 0; i < 10**6; i++) require('fs').writeFileSync('f' + i, '')",
        unread="console.log(JSON.stringify(require('fs').readFileSync(0, 'utf8')))",
    ),
    "wasm-javascript": Kind(
        language="javascript",
        runtime=RuntimeKind.WASM,
        **_JS,
        write="const f = std.open('out.txt', 'w'); f.puts('ö'); f.close()",
        read="console.log(std.loadFile('in/x.txt'))",
        outside="if (std.loadFile('/etc/passwd') === null) throw new Error('not there')",
        memory="const all = []; while (true) all.push('x'.repeat(2 ** 20) + all.length)",
        flood="while (true) console.log('x'.repeat(100000))",
        fill="const f = std.open('big', 'w'); const part = 'x'.repeat(2**20); while (true) { f.puts(part); f.flush() }",
        many_files="for (let i = 0; i < 10**6; i++) std.open('f' + i, 'w').close()",
        unread="console.log(JSON.stringify(std.in.readAsString()))",
    ),
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir(mode=0o755)
    return folder


@pytest.fixture
def sessions(tmp_path: Path, scratch: Path, cache: Path) -> Iterator[Sessions]:
    executor = Executor(sandbox=ProgramSandbox(scratch_root=scratch), pages=Pages(tmp_path / "output"))
    made = Sessions(executor, wasm_cache=cache)
    yield made
    made.close()


class Mine:
    """One session of `me` of one kind."""

    def __init__(self, sessions: Sessions, kind: Kind, **options: bool) -> None:
        self.sessions, self.kind = sessions, kind
        made = sessions.create("me", kind.language, runtime=kind.runtime, limits=LIMITS, **options)
        self.id = made.session_id

    def run(self, code: str, **options: str | float | Cancellation) -> Execution:
        """Run code, whatever comes of it."""
        fuel = _MUCH if self.kind.runtime is RuntimeKind.WASM else None
        return self.sessions.execute("me", self.id, code, fuel=fuel, **options)  # type: ignore[arg-type]

    def out(self, code: str, **options: str | float) -> str:
        """Return what code printed, which must have worked."""
        run = self.run(code, **options)
        assert run.status is Status.SUCCESS, run
        return run.stdout


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    found = KINDS[request.param]
    if found.runtime is RuntimeKind.WASM and installed(QUICKJS.package) is None:
        pytest.skip("the extra `wasm` is not installed")
    if found.runtime is RuntimeKind.NATIVE and (missing := available()[found.language]) is not None:
        pytest.skip(missing)
    return found


@pytest.fixture
def mine(sessions: Sessions, kind: Kind) -> Mine:
    return Mine(sessions, kind)


def test_variables_live_from_run_to_run_and_it_says_what_it_is(mine: Mine) -> None:
    mine.out(mine.kind.begin)

    assert (mine.out(mine.kind.count), mine.out(mine.kind.count)) == ("2\n", "3\n")
    (listed,) = mine.sessions.list("me")
    assert (listed.language, listed.runtime, listed.runs) == (mine.kind.language, mine.kind.runtime, 3)
    assert listed.keeps_state


def test_an_error_is_told_and_the_variables_live_on(mine: Mine) -> None:
    mine.out(mine.kind.begin)
    failed = mine.run(mine.kind.fail)

    assert (failed.status, failed.reason, failed.exit_code) == (Status.ERROR, Reason.RUNTIME_ERROR, 1)
    assert (failed.error_message or "").endswith("Error: too far")
    assert "too far" in failed.stderr
    assert mine.out(mine.kind.count) == "11\n"


def test_each_run_has_its_own_input(mine: Mine) -> None:
    assert "one" in mine.out(mine.kind.unread, stdin="one\n")
    assert "two" in mine.out(mine.kind.unread, stdin="two")
    assert mine.out(mine.kind.unread).strip() in ("''", '""')


def test_files_go_in_and_out_and_are_listed(mine: Mine) -> None:
    mine.sessions.write_file("me", mine.id, "in/x.txt", b"gegeben")

    assert mine.out(mine.kind.read) == "gegeben\n"
    mine.out(mine.kind.write)
    assert mine.sessions.read_file("me", mine.id, "out.txt").decode() == "ö"
    assert [one.path for one in mine.sessions.list_files("me", mine.id)] == ["in", "in/x.txt", "out.txt"]
    mine.sessions.delete_file("me", mine.id, "out.txt")
    with pytest.raises(SessionError, match=r"no `out\.txt`"):
        mine.sessions.read_file("me", mine.id, "out.txt")


def test_the_rest_of_the_machine_is_out_of_sight(mine: Mine) -> None:
    assert mine.run(mine.kind.outside).status is Status.ERROR
    with pytest.raises(PathRefused):
        mine.sessions.read_file("me", mine.id, "../../etc/passwd")


@pytest.mark.every_run("python")
def test_a_timeout_ends_the_run_says_so_and_keeps_the_files(mine: Mine) -> None:
    mine.out(mine.kind.begin)
    mine.out(mine.kind.write)

    late = mine.run(mine.kind.endless, timeout=1)
    after = mine.run(mine.kind.count)

    assert (late.status, late.exit_code) == (Status.TIMEOUT, 124)
    assert (late.error_message or "").endswith("The session's variables are lost; its files are kept.")
    assert after.status is Status.ERROR
    assert "the variables were lost in the run before (timed out)" in " ".join(after.notes)
    assert mine.sessions.read_file("me", mine.id, "out.txt").decode() == "ö"


@pytest.mark.every_run("python-memory-reasons2", "wasm-javascript-fill-reasons1")
@pytest.mark.parametrize(
    ("how", "reasons"),
    [
        ("flood", {Reason.OUTPUT_EXCEEDED}),
        ("fill", {Reason.SCRATCH_EXCEEDED}),
        ("memory", {Reason.MEMORY_EXCEEDED}),
    ],
)
def test_every_limit_ends_the_run_and_the_next_one_works(mine: Mine, how: str, reasons: set[Reason]) -> None:
    run = mine.run(getattr(mine.kind, how), timeout=120)
    for entry in mine.sessions.list_files("me", mine.id):
        mine.sessions.delete_file("me", mine.id, entry.path)

    assert (run.status, run.reason in reasons) == (Status.ERROR, True), run
    mine.out(mine.kind.begin)
    assert mine.out(mine.kind.count) == "2\n"


@pytest.mark.soak
def test_a_workspace_holds_only_so_many_files(mine: Mine) -> None:
    assert mine.run(mine.kind.many_files, timeout=120).reason is Reason.SCRATCH_EXCEEDED


def test_a_cancelled_run_ends_and_its_session_lives(mine: Mine) -> None:
    mine.out(mine.kind.begin)
    cancellation = Cancellation()
    threading.Timer(0.5, cancellation.cancel).start()

    assert mine.run(mine.kind.endless, timeout=100, cancellation=cancellation).reason is Reason.CANCELLED
    mine.out(mine.kind.begin)


@pytest.mark.every_run("python")
def test_plain_variables_outlive_the_interpreter_where_a_file_keeps_them(sessions: Sessions, kind: Kind) -> None:
    mine = Mine(sessions, kind, keep_file=True)
    mine.out(mine.kind.begin)
    mine.run(mine.kind.endless, timeout=1)

    after = mine.run(mine.kind.count)

    assert (after.status, after.stdout, after.notes) == (Status.SUCCESS, "2\n", ())
    state = mine.sessions.read_file("me", mine.id, ".session_state.json").decode()
    assert '"table"' not in state
    assert '"plain"' in state


def test_a_state_file_that_cannot_be_read_is_a_fresh_start(sessions: Sessions, kind: Kind) -> None:
    mine = Mine(sessions, kind, keep_file=True)
    sessions.write_file("me", mine.id, ".session_state.json", b'["no table"]')

    run = mine.run(mine.kind.begin)

    assert run.status is Status.SUCCESS
    assert run.notes == ("The state file could not be read, so this session starts without variables.",)


def test_state_is_kept_only_when_asked_for(sessions: Sessions, kind: Kind) -> None:
    mine = Mine(sessions, kind, keep_state=False)
    mine.out(mine.kind.begin)

    assert mine.run(mine.kind.count).status is Status.ERROR


def test_nobody_else_has_it_and_destroying_leaves_nothing(mine: Mine, scratch: Path) -> None:
    mine.out(mine.kind.begin)

    with pytest.raises(UnknownSession):
        mine.sessions.execute("you", mine.id, mine.kind.count)
    mine.sessions.destroy("me", mine.id)
    assert list(scratch.iterdir()) == []
    with pytest.raises(UnknownSession):
        mine.run(mine.kind.count)


def test_a_session_in_webassembly_is_javascript_with_room_for_what_keeps_it(sessions: Sessions) -> None:
    with pytest.raises(SessionError, match="`python` run in the `native` runtime only"):
        sessions.create("me", "python", runtime=RuntimeKind.WASM)
    too_little = ExecutionLimits(memory_mb=LEAST_MEMORY_MB - 1)
    with pytest.raises(SessionError, match="at least 192 MB"):
        sessions.create("me", "javascript", runtime=RuntimeKind.WASM, limits=too_little)
    assert sessions.list("me") == ()


@pytest.mark.one_in(2)
@pytest.mark.skipif(installed(QUICKJS.package) is None, reason="the extra `wasm` is not installed")
@pytest.mark.parametrize(
    ("code", "told", "keeps"),
    [
        ("std.exit(3)", "std.exit(3)", False),
        ("Promise.reject(new RangeError('late'))", "RangeError: late", False),
        ("(function f() { f() })()", "was ended by its runtime: ", False),
        ("std.open = null; JSON.stringify = null; throw 1", "1", True),
    ],
)
def test_what_ends_a_guest_is_told_by_its_name(sessions: Sessions, code: str, told: str, keeps: bool) -> None:
    mine = Mine(sessions, KINDS["wasm-javascript"])
    mine.out("var n = 1")

    run = mine.run(code)

    assert run.status is Status.ERROR
    assert told in (run.error_message or "")
    assert (mine.run("print(n)").status is Status.SUCCESS) is keeps


@pytest.mark.skipif(installed(QUICKJS.package) is None, reason="the extra `wasm` is not installed")
def test_the_instructions_of_the_same_code_are_the_same_in_every_session(sessions: Sessions) -> None:
    code = "let s = 0; for (let i = 0; i < 1000; i++) s += i; console.log(s)"
    runs = [Mine(sessions, KINDS["wasm-javascript"]).run(code) for _ in range(2)]

    assert [run.stdout for run in runs] == ["499500\n"] * 2
    used = {run.fuel.consumed for run in runs if run.fuel is not None}
    assert len(used) == 1
    assert 10_000 < (used.pop() or 0) < 10_000_000
