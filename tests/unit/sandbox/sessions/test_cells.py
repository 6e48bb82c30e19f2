"""An interpreter runs cell after cell: fuel is counted in it, plain variables outlive it, a cancellation ends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.fuel.meter import has_monitoring
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.cells import STATE_FILE, Cell, FuelLimit, run_alone
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.levels import needs

MISSING = available()
needs_node = pytest.mark.skipif(MISSING["javascript"] is not None, reason=str(MISSING["javascript"]))
pytestmark = needs(ProgramSandbox().missing())
SOON = 30.0
COUNTED = FuelUnit.EVENTS if has_monitoring() else FuelUnit.LINES


@pytest.fixture
def executor(tmp_path: Path) -> Executor:
    return Executor(pages=Pages(tmp_path / "output"))


@pytest.fixture
def sessions(executor: Executor) -> Iterator[Sessions]:
    made = Sessions(executor)
    yield made
    made.close()


def counted(executor: Executor, code: str, budget: int, unit: FuelUnit = COUNTED) -> Execution:
    cell = Cell(code, fuel=FuelLimit(budget, unit))
    return run_alone(executor, LANGUAGES["python"], cell, ExecutionLimits(cpu_cores=1), Cancellation())


def test_the_same_code_uses_the_same_fuel_every_time(executor: Executor) -> None:
    code = "total = 0\nfor i in range(1000):\n    total += i\nprint(total)"

    first, second = (counted(executor, code, 100_000) for _ in range(2))

    assert (first.status, first.stdout) == (Status.SUCCESS, "499500\n")
    assert first.fuel is not None
    assert first.fuel.consumed is not None
    assert 1_000 <= first.fuel.consumed <= 3_000
    assert first.fuel == second.fuel


def test_code_that_passes_its_budget_is_stopped_and_says_where(executor: Executor) -> None:
    run = counted(executor, "x = 1\nwhile True:\n    x += 1", 500)

    assert (run.status, run.reason) == (Status.ERROR, Reason.OUT_OF_FUEL)
    assert run.fuel is not None
    assert (run.fuel.consumed, run.fuel.ran_out) == (500, True)
    assert 'File "<cell 1>"' in run.stderr
    assert "<meter>" not in run.stderr


@pytest.mark.skipif(has_monitoring(), reason="this Python can count events")
def test_where_events_cannot_be_counted_the_fuel_is_unknown_and_the_code_runs(executor: Executor) -> None:
    run = counted(executor, "print(1)", 500, FuelUnit.EVENTS)

    assert (run.stdout, run.fuel and run.fuel.consumed) == ("1\n", None)
    assert run.fuel is not None
    assert "3.12" in str(run.fuel.note)


@pytest.mark.skipif(has_monitoring(), reason="this Python counts in another way")
def test_code_that_switches_the_meter_off_is_not_stopped_and_its_fuel_is_unknown(executor: Executor) -> None:
    run = counted(executor, "import sys; sys.settrace(None)\nfor i in range(9999): pass\nprint('done')", 500)

    assert run.stdout == "done\n"
    assert run.fuel is not None
    assert (run.fuel.consumed, run.fuel.note) == (None, "the code switched the meter off")


PLAIN = {
    "python": (
        "n = globals().get('n', 0) + 1\nnone = None\nyes = True\nempty = {}\nlisted = []\n"
        "import os\ndef f(): pass\nt = (1,)\n_private = 1\nprint(n, 'f' in dir() and n)"
    ),
    "javascript": (
        "var n = (globalThis.n ?? 0) + 1; var none = null; var yes = true; var empty = {}; var listed = [];"
        "function f() {} console.log(n, n)"
    ),
}


@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=needs_node)])
def test_plain_variables_outlive_the_interpreter_when_that_was_asked_for(sessions: Sessions, language: str) -> None:
    session = sessions.create("me", language, keep_state=False, keep_file=True).session_id

    said = [sessions.execute("me", session, PLAIN[language]).stdout for _ in range(3)]

    kept = sessions.read_file("me", session, STATE_FILE).replace(b" ", b"")
    assert said == ["1 1\n", "2 2\n", "3 3\n"]
    assert kept == b'{"n":3,"none":null,"yes":true,"empty":{},"listed":[]}'


def test_without_being_asked_there_is_no_state_file(sessions: Sessions) -> None:
    session = sessions.create("me", keep_state=False).session_id

    said = [sessions.execute("me", session, "n = globals().get('n', 0) + 1; print(n)").stdout for _ in range(2)]

    assert said == ["1\n", "1\n"]
    assert sessions.list_files("me", session) == ()


@pytest.mark.parametrize("content", [b"{broken", b"[1, 2]", b"\xff\xfe", b""])
@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=needs_node)])
def test_a_corrupt_state_file_is_a_fresh_start_and_no_error(sessions: Sessions, language: str, content: bytes) -> None:
    session = sessions.create("me", language, keep_state=False, keep_file=True).session_id
    sessions.write_file("me", session, STATE_FILE, content)

    run = sessions.execute("me", session, PLAIN[language])

    assert (run.status, run.stdout) == (Status.SUCCESS, "1 1\n")
    assert run.notes == ("The state file could not be read, so this session starts without variables.",)


def test_after_a_timeout_the_state_file_brings_the_variables_back(sessions: Sessions) -> None:
    session = sessions.create("me", keep_file=True).session_id
    sessions.execute("me", session, "kept = 7")

    late = sessions.execute("me", session, "import time; time.sleep(60)", timeout=1)
    after = sessions.execute("me", session, "print(kept)")

    assert (late.status, after.stdout) == (Status.TIMEOUT, "7\n")
    assert "state file" in str(late.error_message)


def cancel_once_there(path: Path, cancellation: Cancellation) -> None:
    deadline = time.monotonic() + SOON
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    cancellation.cancel()


@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=needs_node), "bash"])
def test_a_cancellation_ends_what_runs_in_a_session_and_keeps_its_files(sessions: Sessions, language: str) -> None:
    code = {
        "python": "open('here', 'w').close()\nwhile True: pass",
        "javascript": "require('fs').writeFileSync('here', ''); for (;;) {}",
        "bash": "touch here; sleep 100",
    }[language]
    look = {"python": "import os; print(os.getcwd())", "javascript": "console.log(process.cwd())", "bash": "pwd"}
    session = sessions.create("me", language).session_id
    begun = Path(sessions.execute("me", session, look[language]).stdout.strip()) / "here"
    cancellation = Cancellation()
    threading.Thread(target=cancel_once_there, args=(begun, cancellation)).start()

    run = sessions.execute("me", session, code, timeout=100, cancellation=cancellation)

    assert (run.status, run.reason) == (Status.ERROR, Reason.CANCELLED)
    assert [entry.path for entry in sessions.list_files("me", session)] == ["here"]


def test_what_was_cancelled_before_it_began_does_not_begin(executor: Executor) -> None:
    cancellation = Cancellation()
    cancellation.cancel()

    run = executor.execute("bash", "echo begun; sleep 100", cancellation=cancellation)

    assert run.reason is Reason.CANCELLED


def test_a_compiler_can_be_cancelled(executor: Executor) -> None:
    if MISSING["c"] is not None:
        pytest.skip(str(MISSING["c"]))
    cancellation = Cancellation()
    cancellation.cancel()

    run = executor.execute("c", "int main(void) { for (;;) {} }", cancellation=cancellation)

    assert run.reason is Reason.CANCELLED


@pytest.mark.soak
def test_a_session_remembers_its_imports_until_its_interpreter_ends(sessions: Sessions) -> None:
    session = sessions.create("me").session_id

    first = sessions.execute("me", session, "import json")
    second = sessions.execute("me", session, "while True: pass", timeout=1)
    third = sessions.execute("me", session, "print(1)")

    assert [run.history.modules for run in (first, second, third)] == [frozenset(), frozenset({"json"}), frozenset()]
    assert first.history.kept


SEND = {
    "python": """
import json, os, sys
def say(**reply):
    encoded = json.dumps(reply).encode()
    os.write(4, len(encoded).to_bytes(4, "big") + encoded)
""",
    "javascript": """
function say(reply) {
  const body = Buffer.from(JSON.stringify(reply)), length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  require("fs").writeSync(4, Buffer.concat([length, body]));
}
""",
}
FORGED = {
    "python": "say(exit_code=0, message=None)\n1 / 0",
    "javascript": "say({exit_code: 0, message: null}); throw new Error('no')",
}


@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=needs_node)])
def test_an_answer_without_the_mark_of_its_run_ends_the_interpreter(sessions: Sessions, language: str) -> None:
    session = sessions.create("me", language).session_id

    run = sessions.execute("me", session, SEND[language] + FORGED[language])
    after = sessions.execute("me", session, "1")

    assert (run.status, run.reason) == (Status.ERROR, Reason.KILLED)
    assert "wrote to its answer channel" in (run.error_message or "")
    assert after.status is Status.SUCCESS


def test_an_answer_that_is_left_over_from_one_run_is_not_taken_for_that_of_the_next(sessions: Sessions) -> None:
    """What code says of itself with the mark of its own run is believed; the second answer must not be the next one's.

    The next one is run afresh if the old interpreter had not read it yet, and else it fails.
    """
    session = sessions.create("me", "python").session_id
    find = "frame = sys._getframe()\nwhile 'mark' not in frame.f_locals:\n    frame = frame.f_back\n"
    twice = "say(exit_code=0, message=None, mark=frame.f_locals['mark'])\n1 / 0"

    believed = sessions.execute("me", session, SEND["python"] + find + twice)
    innocent = sessions.execute("me", session, "print('innocent')")
    after = sessions.execute("me", session, "print('after')")

    assert believed.status is Status.SUCCESS
    assert innocent.reason is Reason.KILLED or innocent.stdout == "innocent\n"
    assert "ZeroDivisionError" not in (innocent.error_message or "")
    assert (after.status, after.stdout) == (Status.SUCCESS, "after\n")
