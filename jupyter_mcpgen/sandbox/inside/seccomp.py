"""System-call confinement: a BPF program that allows a short list and refuses the rest, built without libseccomp.

A call through another architecture's entry (32-bit, x32) kills the process. `clone3` answers ENOSYS, because its
arguments cannot be inspected and the C library then uses `clone`. Only the low word of an argument is compared where
the kernel itself reads 32 bits.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Mapping

from .kernel import system_call
from .program_calls import ATTRIBUTES, CHANGED_MODES, SETRLIMIT, SOCKETPAIR, Grants, plain
from .syscalls import FILTERED, MACHINE, MACHINES, PLAIN, RESTRICTING, SECCOMP, Numbers

Instruction = tuple[int, int, int, int]

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45

_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_DONE, _EPERM, _ENOSYS, _ENOTSUP = _ERRNO | 0, _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS, _ERRNO | errno.ENOTSUP

_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_SET_MODE_FILTER, _SYNCHRONISE_THREADS = 1, 1

_CLONE_THREAD = 0x00010000
_CLONE_NEW_NAMESPACES = 0x7E020080
_TRUNCATE, _ACCESS_MODE, _UNNAMED_FILE, _CREATE = 0x200, 0x3, 0x400000, 0x40
_RUN_AS_THE_OWNER = 0o6000
_SHARED, _ANONYMOUS, _HUGE_PAGES = 0x01, 0x20, 0x40000
_LEAVES_A_DEVICE = 0x4  # RENAME_WHITEOUT
_LIMIT_OF_CORES = 4

# PR_SET_NAME, PR_GET_NAME, PR_SET_VMA
_PRCTL_OPTIONS = (15, 16, 0x53564D41)
# SOCK_STREAM, alone and with SOCK_NONBLOCK and SOCK_CLOEXEC
_LOCAL_FAMILY, _STREAMS = 1, (0x1, 0x801, 0x80001, 0x80801)
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: what `isatty`, `set_blocking` and `set_inheritable` need;
# so neither TIOCSTI and TIOCLINUX (typing into a terminal) nor FIOSETOWN (signals by way of a descriptor)
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_[GS]ETFD, F_[GS]ETFL, F_GETLK, F_OFD_GETLK, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS; so not F_SETOWN
# and F_SETSIG, which send signals to other processes
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 36, 1030, 1032, 1034)
# F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_FCNTL_LOCKS = (6, 7, 37, 38)


def unsupported() -> str | None:
    """Return why this machine cannot be filtered, or `None` when it can."""
    if MACHINE not in MACHINES or sys.byteorder != "little" or struct.calcsize("P") != 8:
        return f"there is no system-call table for `{MACHINE}`"
    if not os.path.exists("/proc/self/status"):
        return "`/proc` is not mounted, so the kernel cannot be asked about seccomp"
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        if "Seccomp:" not in status.read():
            return "this kernel was built without seccomp"
    return None


def program(machine: str, own_pid: int, *, may_restrict_itself: bool = False) -> tuple[Instruction, ...]:
    """Return the filter for a process: pure, so that tests can run it instruction by instruction.

    With `may_restrict_itself` it may still put itself under a Landlock ruleset that it holds, which only takes rights.
    """
    checks = {**_checks(), "clone": _only_threads(), "tgkill": _argument_in(0, (own_pid,)), **_pretended_locks()}
    allowed = {**PLAIN, **(RESTRICTING if may_restrict_itself else {})}
    return _assemble(machine, allowed, {name: (row, checks[name]) for name, row in FILTERED.items()})


def tree_program(machine: str, grants: Grants) -> tuple[Instruction, ...]:
    """Return the filter for a program and all it starts: pure as well, and without any process id in it."""
    checks = {**_checks(), "clone": _no_namespaces()}
    checked = {name: (FILTERED[name], steps) for name, steps in checks.items()}
    if grants.modes:
        checked |= {name: (row, _no_file_of_its_owners_rights(at)) for name, (row, at) in CHANGED_MODES.items()}
    checked["setrlimit"] = (SETRLIMIT, _limits_but_of_cores())
    checked |= {name: (row, [_return(_ENOTSUP)]) for name, row in ATTRIBUTES.items()}
    pair = [*_require(0, (_LOCAL_FAMILY,)), *_argument_in(1, _STREAMS)]
    return _assemble(machine, plain(grants), {**checked, "socketpair": (SOCKETPAIR, pair)})


def _assemble(
    machine: str, allowed: Mapping[str, Numbers], checked: Mapping[str, tuple[Numbers, list[Instruction]]]
) -> tuple[Instruction, ...]:
    start = [
        _load(_ARCHITECTURE_OFFSET),
        (_EQUAL, 1, 0, _AUDIT_ARCHITECTURE[machine]),
        _return(_KILL),
        _load(_NUMBER_OFFSET),
    ]
    if machine == "x86_64":
        start += [(_AT_LEAST, 0, 1, _X32_BIT), _return(_KILL)]
    column = MACHINES[machine]
    rules = [_when(number, [_return(_ALLOW)]) for row in allowed.values() if (number := row[column]) is not None]
    rules += [_when(number, steps) for row, steps in checked.values() if (number := row[column]) is not None]
    return (*start, *(step for rule in rules for step in rule), _return(_EPERM))


def install(steps: tuple[Instruction, ...]) -> None:
    """Put this process under a filter for good; needs NO_NEW_PRIVS."""
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    instructions = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(steps), ctypes.addressof(instructions))
    system_call("seccomp", SECCOMP[MACHINES[MACHINE]], _SET_MODE_FILTER, _SYNCHRONISE_THREADS, header)


def _checks() -> dict[str, list[Instruction]]:
    return {
        "clone3": [_return(_ENOSYS)],
        "prctl": _argument_in(0, _PRCTL_OPTIONS),
        "ioctl": _argument_in(1, _IOCTL_REQUESTS),
        "fcntl": _argument_in(1, (*_FCNTL_COMMANDS, *_FCNTL_LOCKS)),
        "prlimit64": _own_limits_but_of_cores(),
        "open": _no_hidden_writing(1),
        "openat": _no_hidden_writing(2),
        "flock": [_return(_ALLOW)],
        "mmap": _only_memory_that_is_counted(),
        # It would take in an instant what a watch on the scratch folder sees too late; the C library writes instead.
        "fallocate": [_return(_ENOTSUP)],
        "renameat2": _no_device_left_behind(),
    }


def _pretended_locks() -> dict[str, list[Instruction]]:
    # A reader may lock, and so the user's own programs would wait for a job; it is alone in all that it may write.
    locks = [step for command in _FCNTL_LOCKS for step in ((_EQUAL, 0, 1, command), _return(_DONE))]
    return {"flock": [_return(_DONE)], "fcntl": [_load_argument(1), *locks, *_argument_in(1, _FCNTL_COMMANDS)]}


def _only_threads() -> list[Instruction]:
    return [
        _load_argument(0),
        (_ANY_BIT, 0, 1, _CLONE_NEW_NAMESPACES),
        _return(_EPERM),
        (_ANY_BIT, 0, 1, _CLONE_THREAD),
        _return(_ALLOW),
        _return(_EPERM),
    ]


def _no_namespaces() -> list[Instruction]:
    return [_load_argument(0), (_ANY_BIT, 0, 1, _CLONE_NEW_NAMESPACES), _return(_EPERM), _return(_ALLOW)]


def _require(index: int, allowed: tuple[int, ...]) -> list[Instruction]:
    """Refuse unless an argument is one of these; go on to the next step if it is."""
    others = [(_EQUAL, len(allowed) - at, 0, value) for at, value in enumerate(allowed)]
    return [_load_argument(index), *others, _return(_EPERM)]


def _argument_in(index: int, allowed: Iterable[int]) -> list[Instruction]:
    steps = [_load_argument(index)]
    for value in allowed:
        steps += [(_EQUAL, 0, 1, value), _return(_ALLOW)]
    return [*steps, _return(_EPERM)]


def _own_limits_but_of_cores() -> list[Instruction]:
    no_new_limit = [step for word in (0, 4) for step in (_load_argument(2, word), (_EQUAL, 1, 0, 0), _return(_EPERM))]
    asks = [_load_argument(1), (_EQUAL, 0, len(no_new_limit), _LIMIT_OF_CORES), *no_new_limit]
    return [*_require(0, (0,)), *asks, _return(_ALLOW)]


def _limits_but_of_cores() -> list[Instruction]:
    # With 0 in place of what `confinement` sets, the kernel would hand a crash to the machine's own program again.
    return [_load_argument(0), (_EQUAL, 0, 1, _LIMIT_OF_CORES), _return(_EPERM), _return(_ALLOW)]


def _no_hidden_writing(index: int) -> list[Instruction]:
    # Landlock before version 3 does not see a truncation by an open that does not ask to write;
    # an unnamed file would take space that the quota of the scratch folder does not see.
    mode = _no_file_of_its_owners_rights(index + 1)[:-1]
    return [
        _load_argument(index),
        (_ANY_BIT, 0, 1, _UNNAMED_FILE),
        _return(_EPERM),
        (_ANY_BIT, 0, len(mode), _CREATE),
        *mode,
        _load_argument(index),
        (_AND, 0, 0, _TRUNCATE | _ACCESS_MODE),
        (_EQUAL, 1, 0, _TRUNCATE),
        (_EQUAL, 0, 1, _TRUNCATE | _ACCESS_MODE),
        _return(_EPERM),
        _return(_ALLOW),
    ]


def _no_file_of_its_owners_rights(index: int) -> list[Instruction]:
    # On the disk of the machine it would give whoever finds it the rights of the person, or of root.
    return [_load_argument(index), (_ANY_BIT, 0, 1, _RUN_AS_THE_OWNER), _return(_EPERM), _return(_ALLOW)]


def _no_device_left_behind() -> list[Instruction]:
    # What is moved away could leave a device in its place, for which Landlock has no eye and nobody needs a right.
    return [_load_argument(4), (_ANY_BIT, 0, 1, _LEAVES_A_DEVICE), _return(_EPERM), _return(_ALLOW)]


def _only_memory_that_is_counted() -> list[Instruction]:
    # Shared memory without a file stays, whole, for as long as one page of it is mapped, and large pages are not said
    # to be in use: neither the bound on addresses nor a look at a process would know of it.
    return [
        _load_argument(3),
        (_ANY_BIT, 0, 1, _HUGE_PAGES),
        _return(_EPERM),
        (_AND, 0, 0, _SHARED | _ANONYMOUS),
        (_EQUAL, 0, 1, _SHARED | _ANONYMOUS),
        _return(_EPERM),
        _return(_ALLOW),
    ]


def _when(number: int, steps: list[Instruction]) -> list[Instruction]:
    return [(_EQUAL, 0, len(steps), number), *steps]


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _load_argument(index: int, beyond: int = 0) -> Instruction:
    return _load(_ARGUMENTS_OFFSET + 8 * index + beyond)


def _return(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)
