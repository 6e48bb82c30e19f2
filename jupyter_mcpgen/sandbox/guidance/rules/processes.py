"""Advice about programs and processes that could not be started, by the true cause, which differs by the runtime."""

from __future__ import annotations

import re

from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.files import paths_in
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised

_SUBPROCESS, _TERMINAL = "/subprocess.py", "/pty.py"
_SHARED = ("multiprocessing/synchronize.py", "multiprocessing/heap.py")
_LISTENING = ("multiprocessing/forkserver.py", "multiprocessing/managers.py")
_FORKING = (_SUBPROCESS, "multiprocessing/context.py", "multiprocessing/popen_fork.py", _TERMINAL)
_NO_PROCESSES = re.compile(r"does not support processes|module 'os' has no attribute 'fork'")
_TOO_MANY = re.compile(r"can't start new thread|Resource temporarily unavailable")
_RAISED = (
    "OSError", "PermissionError", "FileNotFoundError", "BlockingIOError", "RuntimeError", "AttributeError",
    "TimeoutError",
)  # fmt: skip


def processes(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    """Return advice when an exception came of starting a program, a process or a thread."""
    if raised.short_name not in _RAISED:
        return None
    if not ending.surroundings.starts_programs:
        refused = raised.passed(*_FORKING) or _NO_PROCESSES.search(raised.message) or _TOO_MANY.search(raised.message)
        return _one_process() if refused and raised.short_name != "FileNotFoundError" else None
    if _TOO_MANY.search(raised.message):
        return too_many(ending.language)
    if raised.passed(*_SHARED):
        return _nothing_shared()
    if raised.passed(*_LISTENING):
        return _nobody_listens()
    if raised.passed(_TERMINAL):
        return _no_terminal()
    return _program(raised) if raised.passed(_SUBPROCESS) else None


def too_many(language: str) -> ErrorGuidance:
    """Say that processes and threads are counted together."""
    in_python = language == "python"
    return advice(
        ErrorType.PROCESS_DENIED,
        "The program had more processes and threads at once than one run may have.",
        "Programs, processes and threads can be started, a few dozen at a time: wait for some before more are started.",
        "`ThreadPoolExecutor(max_workers=4)` starts no more than that, however much there is to do."
        if in_python
        else None,
        examples=example(
            "threads = [Thread(target=work, args=(part,)) for part in parts]",
            "with ThreadPoolExecutor(max_workers=4) as pool:\n    results = list(pool.map(work, parts))",
            "The same work, four parts at a time.",
        )
        if in_python
        else (),
    )


def _one_process() -> ErrorGuidance:
    return advice(
        ErrorType.PROCESS_DENIED,
        "The sandbox starts no other programs and no further processes for the code.",
        "Do the work in this process: Python's own modules instead of commands, whole columns instead of pools.",
        examples=example(
            "subprocess.run(['wc', '-l', 'data.csv'])",
            "with open('data.csv') as file:\n    print(sum(1 for _ in file))",
            "The same count without another program.",
        ),
    )


def _nothing_shared() -> ErrorGuidance:
    return advice(
        ErrorType.PROCESS_DENIED,
        "Locks, queues and pools of `multiprocessing` need memory that processes share, and the sandbox has none.",
        "Threads do the same here: `ThreadPoolExecutor`, `multiprocessing.pool.ThreadPool`, `queue.Queue`.",
        "A process of its own can be started: `multiprocessing.Process` with a `Pipe`, or `subprocess.run`.",
        examples=example(
            "with multiprocessing.Pool(4) as pool:\n    results = pool.map(work, parts)",
            "with ThreadPoolExecutor(max_workers=4) as pool:\n    results = list(pool.map(work, parts))",
            "Threads share what they need without memory of several processes.",
        ),
    )


def _nobody_listens() -> ErrorGuidance:
    return advice(
        ErrorType.PROCESS_DENIED,
        "Managers and the start method `forkserver` listen on a socket, and the sandbox lets no program listen.",
        "Use the start method `fork` or `spawn`, and a `Pipe` to talk.",
        examples=example(
            "multiprocessing.get_context('forkserver').Process(target=work)",
            "multiprocessing.get_context('fork').Process(target=work)",
            "A process that needs no server to start it.",
        ),
    )


def _no_terminal() -> ErrorGuidance:
    return advice(
        ErrorType.PROCESS_DENIED,
        "There is no terminal in the sandbox, so no program can be given one.",
        "Programs can be started with pipes: `subprocess.run(..., capture_output=True, input=...)`.",
        examples=example(
            "pty.spawn(['sort', 'names.txt'])",
            "print(subprocess.run(['sort', 'names.txt'], capture_output=True, text=True).stdout)",
            "Its output comes through a pipe.",
        ),
    )


def _program(raised: Raised) -> ErrorGuidance | None:
    """Advise on one program; a path that leads out of the sandbox is told as such elsewhere."""
    name = next(iter(paths_in(raised.message)), None)
    if name is None or name.startswith("/"):
        return None
    if raised.short_name == "FileNotFoundError" and "/" not in name:
        return advice(
            ErrorType.FILE_NOT_FOUND,
            f"There is no program {quoted(name)} here, and none can be installed.",
            "Programs of the system folders can be started; `shutil.which('name')` says which are there.",
            "Python's own modules and pandas do most of what such a program would do.",
            examples=example(
                "subprocess.run(['jq', '.', 'a.json'])",
                "import json\nprint(json.load(open('a.json')))",
                "The same without another program.",
            ),
        )
    if raised.short_name != "PermissionError":
        return None
    return advice(
        ErrorType.PROCESS_DENIED,
        f"{quoted(name)} cannot be executed: a file of the workspace is no program, and rights cannot be changed here.",
        "Programs of the system can be started, so hand the file to the one that runs it.",
        examples=example(
            "subprocess.run(['./steps.sh'])",
            "subprocess.run(['bash', 'steps.sh'])",
            "The shell is a program; the script is its argument.",
        ),
    )
