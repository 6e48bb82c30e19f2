"""The supervisor of one program: confines it, waits, counts, and leaves no process of it alive.

Started as `python -I -S -c START <folder of jupyter_mcpgen> <host> <plan> <status> <hold> [requests
replies]`; the plan is one JSON object, the last two are pipes that become descriptors 3 and 4 of the program.
Standard library only, loaded as `sandbox` without the rest of jupyter_mcpgen, like `worker`.

How a tree of processes that may fork, daemonise and change session is killed without a race: the supervisor adopts
every orphan of the tree, and puts itself into a Landlock domain that signals cannot leave. The program gets a domain
inside that one, so it cannot signal the supervisor. `kill(-1)` is then one kernel operation that reaches the whole tree
and nothing else, and waiting until no child is left proves that it worked. That signals cannot leave is tried on the
host first; where they can (a kernel before 6.12) the tree is frozen process by process and then killed.
A second process of ours in the domain, the guard, does the same when the supervisor itself dies.

A program that talks stands still between its answers: whatever it started has no time of its own then. A timer can set
a process going again, so that is undone at each look, and a program that goes on working in spite of it is ended.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from . import kernel, landlock
from .confinement import Confinement, confine
from .disk_use import used_bytes

START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.program_worker import main; del sys.path[0]; main()"

_FIRST_CHANNEL = 3
LENGTH_BYTES = 4
_FIRST_PRIVATE = 10
_SETUP_FAILED = 70
_WATCH_SECONDS, _IDLE_WATCH_SECONDS = 0.2, 1.0
_SWEEP_SECONDS = 0.002
_DISK_SECONDS = 0.5
_DISK_SHARE = 4
_MOST_REST_TICKS = os.sysconf("SC_CLK_TCK")  # one second of processor time
_WISH_BYTES = 64
REST, GO_ON = b"r", b"g"
"""What the host writes into the hold pipe: let the whole tree stand still, let it go on. Closing it is the end."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


class _Task(NamedTuple):
    """One process of the tree: its id, its parent's, its threads, its bytes in memory, and the time it has worked."""

    pid: int
    parent: int
    threads: int
    memory: int
    ticks: int


def main() -> NoReturn:
    """Start the program, wait for its end or for a reason to end it, end it all, and report on the status pipe."""
    host = int(sys.argv[2])
    plan, status, hold, *channels = (_moved_away(int(argument)) for argument in sys.argv[3:])
    document = _read(plan)
    host_process = os.pidfd_open(host)
    supervisor = os.getpid()
    if os.getppid() != host:
        os._exit(0)  # the host died before there was anything to do
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    before = _disk()
    enclosed = document["confinement"]["landlock"] and _enclose(host)
    guard = _start_guard(supervisor) if enclosed else None
    program = os.fork()
    if program == 0:
        _become_program(document, supervisor, status, channels)
    ending = _watch(program, guard, (hold, host_process), document)
    _report(status, {**ending, **_end(program, enclosed), **_disk(before)})
    os._exit(0)


def _enclose(host: int) -> bool:
    """Keep signals inside from now on; return whether that is so, tried on a process that could be reached before."""
    reached_before = _reaches(host)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    return landlock.keep_signals_inside() and reached_before and not _reaches(host)


def _reaches(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return False
    return True


def _start_guard(supervisor: int) -> int:
    """Fork the process that ends everything when the supervisor is gone."""
    waiting, _ = os.pipe()  # the other end stays open for as long as the supervisor lives
    guard = os.fork()
    if guard != 0:
        os.close(waiting)
        return guard
    _close_all_but(waiting)
    os.read(waiting, 1)
    if os.getppid() != supervisor:
        _kill_enclosed()
    os._exit(0)


def _become_program(document: dict[str, Any], supervisor: int, status: int, channels: list[int]) -> NoReturn:
    try:
        os.setsid()
        kept = [os.dup2(descriptor, place) for place, descriptor in enumerate(channels, _FIRST_CHANNEL)]
        confine(Confinement.from_json(document["confinement"]), supervisor, keep=(*kept, status))
        os.chdir(document["folder"])
        _report(status, {"confined": True})
    except BaseException as error:
        _report(status, {"confined": False, "reason": f"{type(error).__name__}: {error}"})
        os._exit(_SETUP_FAILED)
    try:
        # What the interpreter ignores would stay ignored in the program.
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.execve(document["arguments"][0], document["arguments"], document["environment"])  # noqa: S606  # no shell
    except BaseException as error:
        _report(status, {"confined": False, "reason": f"`{document['arguments'][0]}` cannot be started: {error}"})
    os._exit(_SETUP_FAILED)


def _watch(program: int, guard: int | None, leave: tuple[int, int], document: dict[str, Any]) -> dict[str, object]:
    """Wait until the program ends or must end; return why, and the most memory seen."""
    process = os.pidfd_open(program)
    hold, host = leave
    poll = select.poll()
    for descriptor in (process, hold, host):
        poll.register(descriptor, select.POLLIN)
    begin = time.monotonic()
    deadline = begin + document["confinement"]["wall_seconds"]
    peak, stop, pause = 0, None, _WATCH_SECONDS
    tree: tuple[_Task, ...] = ()
    rest, disk = _Rest(guard), _Disk(document["confinement"])
    while stop is None:
        left = deadline - time.monotonic()
        ready = {descriptor for descriptor, _ in poll.poll(max(0.0, min(left, pause)) * 1000)}
        if process in ready:
            stop = "exited"
        elif ready:
            wish = b"" if host in ready else os.read(hold, _WISH_BYTES)
            stop = None if wish else "ended_by_host"
            rest.follow(wish)
        elif left <= 0:
            stop = "timed_out"
        else:
            before, tree = tree, tuple(task for task in _tree() if task.pid != guard)
            # A program that waits is looked at less often; what it could take meanwhile is bounded for each process.
            pause = min(2 * pause, _IDLE_WATCH_SECONDS) if tree == before else _WATCH_SECONDS
            peak = max(peak, sum(task.memory for task in tree))
            stop = _excess(tree, document) or rest.keep(tree)
            if stop is None and disk.is_full(has_worked=tree != before):
                stop = "scratch_exceeded"
    return {"stop": stop, "tree_memory_bytes": peak, "wall_seconds": time.monotonic() - begin}


class _Rest:
    """The standing still of a tree between two answers; `spared` is the guard."""

    def __init__(self, spared: int | None) -> None:
        self._spared = spared
        self._still: set[int] = set()
        self._ticks: int | None = None

    def follow(self, wish: bytes) -> None:
        """Do what the host wants; only its last word counts, and nothing is no word."""
        if wish.endswith(REST):
            self._still |= _freeze(self._spared)
        elif wish:
            for pid in self._still:
                _signal(pid, signal.SIGCONT)
            self._still, self._ticks = set(), None

    def keep(self, tree: tuple[_Task, ...]) -> str | None:
        """Stop again what was set going; return how it is to end when that does not help."""
        if not self._still:
            return None
        ticks = sum(task.ticks for task in tree)
        self._ticks = ticks if self._ticks is None else self._ticks
        self._still |= _freeze(self._spared)
        return "killed" if ticks - self._ticks > _MOST_REST_TICKS else None


class _Disk:
    """The folders that a program may write, looked at now and then while it works."""

    def __init__(self, confinement: dict[str, Any]) -> None:
        self._folders = (confinement["scratch"], *confinement["work"])
        self._most = confinement["file_bytes"]
        self._next = time.monotonic() + _DISK_SECONDS
        self._may_have_grown = False

    def is_full(self, *, has_worked: bool) -> bool:
        """Return whether they hold more than they may; looking takes a bounded share of the time."""
        self._may_have_grown |= has_worked
        begin = time.monotonic()
        if begin < self._next or not self._may_have_grown:
            return False
        self._may_have_grown = False
        held = sum(used_bytes(folder, self._most) for folder in self._folders)
        end = time.monotonic()
        self._next = end + max(_DISK_SECONDS, _DISK_SHARE * (end - begin))
        return bool(held > self._most)


def _excess(tree: tuple[_Task, ...], document: dict[str, Any]) -> str | None:
    if sum(task.memory for task in tree) > document["memory_bytes"]:
        return "memory_exceeded"
    if sum(task.threads for task in tree) > document["tasks"]:
        return "tasks_exceeded"
    return None


def _end(program: int, enclosed: bool) -> dict[str, object]:
    """Kill the whole tree and reap all of it; return how the program ended and what the tree used."""
    status, cpu, memory = 0, 0.0, 0
    while True:
        if enclosed:
            _kill_enclosed()
        else:
            _freeze_and_kill()
        try:
            # All are dying where one operation killed them; elsewhere one may have been missed.
            pid, ended, usage = os.wait4(-1, 0 if enclosed else os.WNOHANG)
        except ChildProcessError:
            return {"status": status, "cpu_seconds": cpu, "peak_memory_bytes": memory}
        if pid == 0:
            time.sleep(_SWEEP_SECONDS)
            continue
        status = ended if pid == program else status
        cpu += usage.ru_utime + usage.ru_stime
        memory = max(memory, usage.ru_maxrss * 1024)


def _disk(before: dict[str, int] | None = None) -> dict[str, int]:
    """Return what this process, and all it reaped, moved from and to a disk since then; nothing where not counted."""
    try:
        with open("/proc/self/io", "rb") as stream:
            counted = dict(line.split(b": ") for line in stream.read().splitlines())
    except OSError:
        return {}
    now = {"read_bytes": int(counted[b"read_bytes"]), "written_bytes": int(counted[b"write_bytes"])}
    return {name: figure - (before or {}).get(name, 0) for name, figure in now.items()}


def _kill_enclosed() -> None:
    """Kill everything in this process's own Landlock domain but itself; never called outside of one."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return  # nobody is left


def _freeze_and_kill() -> None:
    for pid in _freeze():
        _signal(pid, signal.SIGKILL)


def _freeze(spared: int | None = None) -> set[int]:
    """Stop the whole tree, also what it starts meanwhile; return its processes."""
    stopped: set[int] = set()
    while fresh := {task.pid for task in _tree()} - stopped - {spared}:
        for pid in fresh:
            _signal(pid, signal.SIGSTOP)
        stopped |= fresh
    return stopped


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return  # it ended meanwhile


def _tree() -> Iterator[_Task]:
    """Give the processes below this one; whoever loses its parent has this one as the next."""
    children: dict[int, list[_Task]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (task := _task(int(name))) is not None:
            children.setdefault(task.parent, []).append(task)
    waiting = [*children.get(os.getpid(), ())]
    while waiting:
        task = waiting.pop()
        waiting += children.get(task.pid, ())
        yield task


def _task(pid: int) -> _Task | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
    except OSError:
        return None  # it ended meanwhile
    if fields[0] == b"Z":
        return None
    return _Task(pid, int(fields[1]), int(fields[17]), int(fields[21]) * _PAGE, int(fields[11]) + int(fields[12]))


def _read(descriptor: int) -> dict[str, Any]:
    with open(descriptor, "rb") as stream:
        document: dict[str, Any] = json.load(stream)
    return document


def _moved_away(descriptor: int) -> int:
    # The host's numbers are arbitrary and may be those of the program's channels.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)


def _close_all_but(descriptor: int) -> None:
    if descriptor > 0:
        kernel.close_range(0, descriptor - 1)
    kernel.close_range(descriptor + 1, 0xFFFFFFFF)


def _report(status: int, document: dict[str, object]) -> None:
    os.write(status, json.dumps(document).encode() + b"\n")
