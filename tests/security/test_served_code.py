"""What a client's code may not do to the server that runs it: between its calls, with its answers and with paths."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import PathRefused
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Reason, Status
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.levels import needs, require

MISSING = available()
SOON = 20.0
_OTHERS: list[psutil.Process] = []
"""What earlier tests left waiting, which is no part of the session."""
pytestmark = needs(ProgramSandbox().missing())


@pytest.fixture(params=[ALL_LAYERS, WITHOUT_NAMESPACES], ids=["level 1", "level 2"])
def sessions(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sessions]:
    sandbox = ProgramSandbox(layers=request.param)
    require(sandbox.missing(), request.param)
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    others = psutil.Process().children(recursive=True)
    made = Sessions(Executor(sandbox=replace(sandbox, scratch_root=scratch), pages=Pages(tmp_path / "output")))
    _OTHERS[:] = others
    yield made
    made.close()


def programs() -> list[psutil.Process]:
    """Return the processes of the one session that there is, without its supervisor and guard."""
    others = {*_OTHERS, *(child for other in _OTHERS if other.is_running() for child in other.children(recursive=True))}
    below = [one for one in psutil.Process().children(recursive=True) if one not in others]
    return [one for one in below if not any("program_worker" in word for word in one.cmdline())]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def all_stand_still() -> bool:
    found = programs()
    return bool(found) and all(one.status() == psutil.STATUS_STOPPED for one in found)


# Each goes on for ever, beside the cell or in a process of its own, and each leaves a mark that grows.
BUSY = {
    "a thread": (
        "python",
        "import threading\n"
        "def work():\n    while True:\n        with open('mark', 'ab', 0) as file: file.write(b'x')\n"
        "threading.Thread(target=work, daemon=True).start()",
    ),
    "a daemon": (
        "python",
        "import subprocess\n"
        "subprocess.Popen(['bash', '-c', 'while :; do echo x >> mark; done'], start_new_session=True)",
    ),
    "a child of JavaScript": (
        "javascript",
        "require('child_process').spawn('bash', ['-c', 'while :; do echo x >> mark; done'],"
        " {detached: true, stdio: 'ignore'}).unref()",
    ),
}


# As long as it takes until the mark has grown, however busy the machine is.
GROWS = {
    "python": (
        "import os, time\n"
        "def size(): return os.path.getsize('mark') if os.path.exists('mark') else 0\n"
        "before = size()\n"
        "while size() <= before: time.sleep(0.01)"
    ),
    "javascript": (
        "{ const fs = require('fs'); const size = () => fs.existsSync('mark') ? fs.statSync('mark').size : 0;\n"
        "const before = size(); while (size() <= before); } 0"
    ),
}


@pytest.mark.every_run("level 1")
@pytest.mark.parametrize("name", BUSY)
def test_what_a_session_started_works_during_its_calls_and_stands_still_between_them(
    sessions: Sessions, name: str
) -> None:
    language, code = BUSY[name]
    if MISSING[language] is not None:
        pytest.skip(str(MISSING[language]))
    waits = GROWS[language]
    session = sessions.create("me", language).session_id

    def size() -> int:
        return next((entry.size for entry in sessions.list_files("me", session) if entry.path == "mark"), 0)

    assert sessions.execute("me", session, f"{code}\n{waits}").status is Status.SUCCESS
    until(all_stand_still)
    first = size()
    time.sleep(0.2)
    second = size()
    assert sessions.execute("me", session, waits).status is Status.SUCCESS

    assert 0 < first == second < size()


# As if a timer had set it going again, which no limit on system calls prevents.
@pytest.mark.every_run("level 1")
@pytest.mark.parametrize(
    ("code", "reasons"),
    [
        ("import threading\ndef work():\n    while True: pass\n", {Reason.KILLED}),
        (
            "import os, threading\ndef work():\n    for n in range(10**6):\n"
            "        with open(str(n), 'wb') as file: file.write(bytes(10**7))\n",
            {Reason.SCRATCH_EXCEEDED, Reason.KILLED},  # whichever bound the machine lets it reach first
        ),
    ],
    ids=["processor", "disk"],
)
def test_a_session_that_goes_on_between_its_calls_all_the_same_is_ended(
    sessions: Sessions, code: str, reasons: set[Reason]
) -> None:
    session = sessions.create("me").session_id
    start = "threading.Thread(target=work, daemon=True).start()"
    assert sessions.execute("me", session, f"{code}{start}").status is Status.SUCCESS
    (program,) = programs()

    def is_ended() -> bool:
        try:
            program.send_signal(signal.SIGCONT)
        except psutil.NoSuchProcess:
            return True
        return False

    until(is_ended)
    run = sessions.execute("me", session, "print(1)")

    assert (run.status, run.stdout) == (Status.SUCCESS, "1\n")
    told = [f"lost in the run before ({reason.value.replace('_', ' ')}, once it had answered)" for reason in reasons]
    assert [note for note in run.notes for words in told if words in note] == list(run.notes)
    assert len(run.notes) == 1


LIES = {
    "half a surrogate": b'{"exit_code": 1, "message": "\\ud800"}',
    "a huge number": b'{"exit_code": 1' + b"0" * 5_000 + b', "message": null}',
    "too deep": b"[" * 100_000,
    "no number": b'{"exit_code": NaN, "message": null}',
    "no text": b'{"exit_code": 0, "message": null, "notes": [["x"], 7, null]}',
    "much advice": b'{"exit_code": 0, "message": null, "notes": ["' + b"x" * 10_000_000 + b'"]}',
    "no UTF-8": b'{"exit_code": 0, "message": "\xff"}',
    "fuel that was never used": b'{"exit_code": 0, "message": null, "fuel": {"consumed": -1, "ran_out": true}}',
}


@pytest.mark.every_run("level 1")
@pytest.mark.parametrize("name", LIES)
def test_whatever_a_program_says_of_itself_the_host_lives_and_its_clock_and_usage_stand(
    sessions: Sessions, name: str
) -> None:
    session = sessions.create("me").session_id
    body = LIES[name]
    sessions.write_file("me", session, "lie", len(body).to_bytes(4, "big") + body)
    write = "lie = memoryview(open('lie', 'rb').read())\nwhile lie: lie = lie[os.write(4, lie):]"

    begin = time.monotonic()
    run = sessions.execute("me", session, f"import os, time\ntime.sleep(0.2)\n{write}\ntime.sleep(9)", timeout=2)
    elapsed = time.monotonic() - begin
    after = sessions.execute("me", sessions.create("me").session_id, "print(1)")

    assert 0.2 <= run.execution_time <= elapsed
    assert len(run.error_message or "") + sum(map(len, run.notes)) < 10_000
    assert run.fuel is None
    assert after.stdout == "1\n"


LOOK = """
import os
def is_open(number):
    try: os.fstat(number)
    except OSError: return False
    return True
print(sorted(set(os.environ) - {"LC_CTYPE"}), [number for number in range(3, 256) if is_open(number)])
"""


def test_nothing_of_the_host_is_inherited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_THE_HOST", "secret")
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(descriptor, True)
    try:
        control = subprocess.run([sys.executable, "-c", LOOK], close_fds=False, capture_output=True, text=True)
        run = Executor(pages=Pages(tmp_path)).execute("python", LOOK)
    finally:
        os.close(descriptor)

    assert "TOKEN_OF_THE_HOST" in control.stdout
    assert str(descriptor) in control.stdout.rpartition("[")[2]
    own = ["HOME", "LANG", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "TMPDIR"]
    assert run.stdout == f"{own} []\n"


HOSTILE_PATHS = (
    "a\ud800",
    "a\0b",
    "\0",
    "x/" * 65 + "x",
    "x" * 5_000,
    "../" * 40 + "etc/passwd",
    "a\\..\\b",
    "/",
    "..",
)


@pytest.mark.parametrize("path", HOSTILE_PATHS, ids=lambda path: ascii(path)[:20])
def test_a_hostile_path_is_refused_in_its_own_words_by_every_operation(sessions: Sessions, path: str) -> None:
    session = sessions.create("me", "bash").session_id
    operations: list[Callable[[], object]] = [
        lambda: sessions.read_file("me", session, path),
        lambda: sessions.write_file("me", session, path, b"x"),
        lambda: sessions.delete_file("me", session, path),
    ]
    for operation in operations:
        with pytest.raises(PathRefused) as refused:
            operation()
        assert len(str(refused.value)) < 500
    assert sessions.list_files("me", session) == ()
