"""What JavaScript in WebAssembly may do and how it ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `wasm` is not installed")

from jupyter_mcpgen.errors import SessionError
from jupyter_mcpgen.model.fuel import FuelStatus
from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Reason, Status
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.wasm.artifacts import QUICKJS, installed
from jupyter_mcpgen.sandbox.wasm.compiled import place_of
from jupyter_mcpgen.sandbox.wasm.execution import WasmExecution, WasmExecutor
from jupyter_mcpgen.sandbox.wasm.guest import DEADLINE, FolderGrant, GuestLimits, GuestRun
from jupyter_mcpgen.sandbox.wasm.inside.reactor import OUT_OF_FUEL, STACK_EXHAUSTED
from jupyter_mcpgen.sandbox.wasm.quickjs import QuickJsSession, run_javascript

pytestmark = pytest.mark.skipif(installed(QUICKJS.package) is None, reason="the extra `wasm` is not installed")

Js = Callable[..., GuestRun]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def js(cache: Path) -> Js:
    def run(code: str, **how: object) -> GuestRun:
        return run_javascript(code, cache=cache, **how)  # type: ignore[arg-type]

    return run


def test_javascript_prints_and_reads(js: Js) -> None:
    run = js("console.log(std.in.readAsString().toUpperCase()); print('ä')", stdin="given")

    assert (run.exit_code, run.stdout, run.stderr, run.trap) == (0, "GIVEN\nä\n".encode(), b"", None)


def test_the_fuel_of_the_same_code_is_the_same_every_time(js: Js) -> None:
    used = {js("let s = 0; for (let i = 0; i < 1000; i++) s += i; console.log(s)").fuel_used for _ in range(3)}

    assert len(used) == 1
    assert 10_000 < (used.pop() or 0) < 10_000_000


def test_promises_and_timers_are_run_to_their_end(js: Js) -> None:
    run = js("setTimeout(() => console.log('later'), 5); Promise.resolve(1).then(v => console.log(v))")

    assert run.stdout == b"1\nlater\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("throw new TypeError('wrong')", b"TypeError: wrong"),
        ("console.log(", b"SyntaxError"),
        ("nowhere()", b"ReferenceError"),
        ("(async () => { await 1; throw new Error('late') })()", b"Error: late"),
    ],
)
def test_an_error_is_an_exit_code_and_words_and_no_trap(js: Js, code: str, words: bytes) -> None:
    run = js(code)

    assert (run.exit_code, run.trap, words in run.stderr) == (1, None, True)


def test_an_error_that_was_caught_is_none(js: Js) -> None:
    assert js("try { nowhere() } catch (e) { console.log(e.name) }").exit_code == 0


def test_leaving_with_a_code_is_told(js: Js) -> None:
    assert js("console.log('out'); std.exit(3)").exit_code == 3


@pytest.mark.parametrize(
    ("code", "limits", "trap"),
    [
        ("while (true);", GuestLimits(fuel=10_000_000), OUT_OF_FUEL),
        ("while (true);", GuestLimits(fuel=10**15, wall_seconds=0.5), DEADLINE),
        ("/(a+)+$/.test('a'.repeat(40) + 'b')", GuestLimits(fuel=10**15, wall_seconds=0.5), DEADLINE),
        ("os.sleep(600000)", GuestLimits(wall_seconds=0.5), DEADLINE),
        ("setTimeout(() => 0, 600000)", GuestLimits(wall_seconds=0.5), DEADLINE),
        ("std.in.getline(); setTimeout(() => 0, 600000)", GuestLimits(wall_seconds=0.5), DEADLINE),
        ("function f() { f() }; f()", GuestLimits(), STACK_EXHAUSTED),
    ],
)
def test_what_does_not_end_is_ended_and_the_result_says_by_what(
    js: Js, code: str, limits: GuestLimits, trap: str
) -> None:
    run = js(code, limits=limits)

    assert (run.exit_code, run.trap) == (None, trap)


def test_the_fuel_of_code_that_ran_out_is_the_whole_budget(js: Js) -> None:
    assert js("while (true);", limits=GuestLimits(fuel=10_000_000)).fuel_used == 10_000_000


def test_memory_is_bounded(js: Js) -> None:
    run = js("const x = []; while (true) x.push(new Array(100000).fill(1))", limits=GuestLimits(memory_bytes=2**26))

    assert (run.exit_code, b"out of memory" in run.stderr) == (1, True)
    assert (run.memory_bytes or 0) <= 2**26


@pytest.mark.parametrize(
    ("limits", "trap"), [(GuestLimits(fuel=1), OUT_OF_FUEL), (GuestLimits(memory_bytes=1000), "memory minimum size")]
)
def test_too_little_to_begin_with_is_told_as_how_the_guest_ended(js: Js, limits: GuestLimits, trap: str) -> None:
    run = js("1", limits=limits)

    assert (run.exit_code, (run.trap or "")[: len(trap)]) == (None, trap)


def test_what_cannot_begin_leaves_no_compiled_code_mapped(js: Js) -> None:
    def mapped() -> int:
        return sum(".cwasm" in line for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines())

    js("1", limits=GuestLimits(memory_bytes=1000))
    before = mapped()
    for _ in range(5):
        js("1", limits=GuestLimits(memory_bytes=1000))

    assert mapped() <= before


def test_a_flood_of_output_is_cut_and_flagged(js: Js) -> None:
    run = js("while (true) print('x'.repeat(1000))", limits=GuestLimits(fuel=200_000_000, output_bytes=5_000))

    assert (len(run.stdout), run.truncated, run.trap) == (5_000, ("stdout",), OUT_OF_FUEL)


def test_a_cancelled_run_ends(js: Js) -> None:
    cancellation = Cancellation()
    threading.Timer(0.2, cancellation.cancel).start()

    run = js("while (true);", limits=GuestLimits(fuel=10**15, wall_seconds=60), cancellation=cancellation)

    assert run.trap == "cancelled"


def test_two_runs_at_once_do_not_end_each_other(js: Js) -> None:
    runs: list[GuestRun] = []
    slow = threading.Thread(target=lambda: runs.append(js("os.sleep(700); console.log('whole')")))
    slow.start()

    assert js("while (true);", limits=GuestLimits(fuel=10**15, wall_seconds=0.3)).trap == DEADLINE
    slow.join()
    assert runs[0].stdout == b"whole\n"


READ = "const f = std.open({}, 'r'); console.log(f === null ? 'refused' : f.readAsString())"


def test_files_are_seen_only_where_they_were_granted(js: Js, tmp_path: Path) -> None:
    given, outside = tmp_path / "given", tmp_path / "outside"
    for folder in (given, outside):
        folder.mkdir()
        (folder / "data.txt").write_text(folder.name, encoding="utf-8")
    (given / "link").symlink_to(outside / "data.txt")
    os.link(outside / "data.txt", tmp_path / "kept")
    grants = (FolderGrant(given, "/app"),)

    seen = {
        path: js(READ.format(repr(path)), grants=grants).stdout.decode().strip()
        for path in ("/app/data.txt", "/app/link", "/app/../outside/data.txt", str(outside / "data.txt"), "/etc/passwd")
    }

    assert seen.pop("/app/data.txt") == "given"
    assert set(seen.values()) == {"refused"}


def test_a_grant_is_read_only_unless_it_says_otherwise(js: Js, tmp_path: Path) -> None:
    write = "const f = std.open('/app/new.txt', 'w'); console.log(f === null); if (f) { f.puts('made'); f.close() }"

    assert js(write, grants=(FolderGrant(tmp_path, "/app"),)).stdout == b"true\n"
    assert js(write, grants=(FolderGrant(tmp_path, "/app", writable=True),)).stdout == b"false\n"
    assert (tmp_path / "new.txt").read_text(encoding="utf-8") == "made"


def test_a_link_that_a_guest_makes_leads_nowhere(js: Js, tmp_path: Path) -> None:
    code = "console.log(os.symlink ? os.symlink('/etc/passwd', '/app/l') : 'none'); " + READ.format("'/app/l'")

    assert js(code, grants=(FolderGrant(tmp_path, "/app", writable=True),)).stdout.endswith(b"refused\n")


def test_there_is_no_process_no_socket_and_no_environment(js: Js) -> None:
    os.environ["MCPGEN_TEST_SECRET"] = "s"
    try:
        run = js("console.log(typeof os.exec, typeof os.Worker, JSON.stringify(std.getenviron()))")
    finally:
        del os.environ["MCPGEN_TEST_SECRET"]

    assert b"MCPGEN" not in run.stdout
    assert run.stdout.endswith(b"{}\n")


def test_a_session_keeps_its_globals_and_a_trap_ends_it(cache: Path) -> None:
    with QuickJsSession(cache=cache) as session:
        session.run("var n = 1; const kept = [1, 2]")

        assert session.run("n += kept.length; console.log(n)").stdout == b"3\n"
        assert session.run("throw 1").exit_code == 1
        assert session.run("console.log(n)").stdout == b"3\n"
        assert session.run("while (true);", GuestLimits(fuel=1_000_000)).trap == OUT_OF_FUEL
        with pytest.raises(SessionError, match="it ended with `out of fuel`"):
            session.run("console.log(n)")


def test_each_run_of_a_session_has_fuel_and_time_of_its_own(cache: Path) -> None:
    with QuickJsSession(GuestLimits(fuel=5_000_000, wall_seconds=2), cache=cache) as session:
        runs = [session.run("let s = 0; for (let i = 0; i < 2000; i++) s += i; console.log(s)") for _ in range(3)]

    assert [run.trap for run in runs] == [None, None, None]


@pytest.mark.every_run("None")
@pytest.mark.parametrize("content", [b"not native code", None])
def test_a_compiled_file_that_is_not_ours_or_not_whole_is_made_again_and_never_loaded(
    cache: Path, js: Js, content: bytes | None
) -> None:
    js("1")
    place = place_of(QUICKJS, cache)
    whole = place.read_bytes()
    place.write_bytes(whole[: len(whole) // 2] if content is None else content)

    assert js("console.log(1)").stdout == b"1\n"
    assert place.stat().st_mode & 0o777 == 0o600
    assert len(place.read_bytes()) == len(whole)


@pytest.mark.soak
def test_a_compiled_file_that_others_could_write_is_not_trusted(cache: Path, js: Js) -> None:
    js("1")
    place = place_of(QUICKJS, cache)
    place.chmod(0o666)

    assert js("console.log(1)").stdout == b"1\n"
    assert place.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def execute(cache: Path, tmp_path: Path) -> Callable[..., WasmExecution]:
    executor = WasmExecutor(cache, Pages(tmp_path / "pages"))
    return executor.execute


def test_an_execution_has_the_same_record_as_a_native_one_and_its_fuel(execute: Callable[..., WasmExecution]) -> None:
    run = execute("javascript", "console.log(1)")

    assert (run.execution.status, run.execution.stdout, run.execution.level) == (Status.SUCCESS, "1\n", Level.CONTAINER)
    assert run.runtime == "wasm-javascript"
    assert run.fuel is not None
    assert (run.fuel.status, run.fuel.budget, run.guidance) == (FuelStatus.EFFICIENT, 5_000_000_000, None)
    assert run.execution.fuel is not None
    assert run.execution.fuel.consumed == run.fuel.consumed


def test_code_that_runs_out_of_fuel_is_told_what_to_ask_for(execute: Callable[..., WasmExecution]) -> None:
    run = execute("javascript", "while (true);", fuel_budget=50_000_000)

    assert (run.execution.status, run.execution.reason) == (Status.ERROR, Reason.CPU_EXCEEDED)
    assert run.fuel is not None
    assert run.fuel.status is FuelStatus.EXHAUSTED
    assert run.guidance is not None
    assert run.guidance.error_type is ErrorType.OUT_OF_FUEL
    assert "100,000,000" in " ".join(run.guidance.actionable_guidance)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (("ruby", "1"), "Unsupported language: `ruby`"),
        (("javascript", " "), "There is no code to run"),
        (("python", None), "There is no code to run"),
    ],
)
def test_what_cannot_run_is_a_setup_error(
    execute: Callable[..., WasmExecution], how: tuple[str, str | None], words: str
) -> None:
    run = execute(*how)

    assert (run.execution.status, run.execution.exit_code) == (Status.SETUP_ERROR, -1)
    assert words in (run.execution.error_message or "")


@pytest.mark.parametrize("limit", ["fuel_budget", "memory_bytes"])
def test_a_limit_that_makes_no_sense_is_a_setup_error(execute: Callable[..., WasmExecution], limit: str) -> None:
    run = execute("javascript", "1", **{limit: 0})

    assert run.execution.status is Status.SETUP_ERROR


def test_python_that_is_not_compiled_is_said_and_never_compiled_in_a_call(
    execute: Callable[..., WasmExecution], cache: Path
) -> None:
    before = sorted(cache.iterdir())

    run = execute("python", "print(1)")

    assert run.execution.status is Status.SETUP_ERROR
    assert "The native sandbox can run it instead, when it is asked for by name." in (run.execution.error_message or "")
    assert sorted(cache.iterdir()) == before
