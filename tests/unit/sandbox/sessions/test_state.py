"""Variables live from run to run of one session, whatever a run does short of ending the interpreter."""

from __future__ import annotations

import os
import signal
import threading

import psutil
import pytest

from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.record import Reason, Status
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.unit.sandbox.sessions.owner import Mine, needs_programs

pytestmark = needs_programs


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


@pytest.mark.soak
def test_a_timeout_ends_the_run_says_so_and_keeps_the_files(sessions: Sessions, python: Mine) -> None:
    python.out("x = 1; open('kept', 'w').write('file')")

    late = sessions.execute("me", python.id, "print('before', flush=True)\nwhile True: pass", timeout=4)
    after = sessions.execute("me", python.id, "print('x' in globals(), open('kept').read())")

    assert (late.status, late.exit_code, late.stdout) == (Status.TIMEOUT, 124, "before\n")
    assert late.error_message == (
        "The program was stopped because its time was up: 4 seconds. "
        "The session's variables are lost; its files are kept."
    )
    assert after.stdout == "False file\n"
    assert after.notes == (
        "A fresh interpreter was started: the variables were lost in the run before (timed out); "
        "the files are as they were.",
    )
    assert sessions.execute("me", python.id, "1").notes == ()


@pytest.mark.one_in(2)
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


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os._exit(0)", "the code ended the interpreter itself"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed"),
    ],
)
def test_the_next_run_tells_an_interpreter_that_left_from_one_that_was_killed(
    sessions: Sessions, python: Mine, code: str, why: str
) -> None:
    sessions.execute("me", python.id, code, timeout=60)

    run = sessions.execute("me", python.id, "print(1)")

    assert f"the variables were lost in the run before ({why});" in " ".join(run.notes)


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


def test_two_threads_use_one_session_one_after_the_other(python: Mine) -> None:
    python.out("count = 0")
    step = "import time; before = count; time.sleep(0.02); count = before + 1"

    threads = [threading.Thread(target=python.out, args=(step,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert python.out("print(count)") == "4\n"


def test_an_interpreter_that_ended_at_rest_is_replaced_and_the_run_is_done_once(
    sessions: Sessions, python: Mine
) -> None:
    python.out("x = 1")
    while not (resting := _resting()):
        pass
    for pid in resting:
        os.kill(pid, signal.SIGKILL)

    run = sessions.execute("me", python.id, "open('done', 'a').write('once '); print('x' in globals())")

    assert (run.status, run.stdout, python.read("done")) == (Status.SUCCESS, "False\n", b"once ")
    assert "the variables were lost in the run before (killed, once it had answered)" in " ".join(run.notes)


def test_a_run_that_ends_its_interpreter_is_not_done_again(sessions: Sessions, python: Mine) -> None:
    python.out("x = 1")

    run = sessions.execute("me", python.id, "import os\nopen('done', 'a').write('once ').real\nos.kill(os.getpid(), 9)")

    assert (run.status, python.read("done")) == (Status.ERROR, b"once ")


def _resting() -> list[int]:
    below = psutil.Process().children(recursive=True)
    return [process.pid for process in below if process.status() == psutil.STATUS_STOPPED]
