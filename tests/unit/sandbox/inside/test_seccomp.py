"""The system-call filter, executed step by step as the kernel would."""

from __future__ import annotations

import struct

import pytest

from jupyter_mcpgen.sandbox.inside.program_calls import (
    ATTRIBUTES,
    CHANGED_MODES,
    MODES,
    PAIRS,
    PROCESSES,
    SETRLIMIT,
    SIGNALS,
    SOCKETPAIR,
    Grants,
    plain,
)
from jupyter_mcpgen.sandbox.inside.seccomp import Instruction, program, tree_program
from jupyter_mcpgen.sandbox.inside.syscalls import FILTERED, MACHINES, PLAIN

MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS, MAP_HUGETLB = 0x01, 0x02, 0x20, 0x40000
OWN_PID = 4242
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
VERDICTS = {
    0x80000000: "kill",
    0x7FFF0000: "allow",
    0x00050001: "EPERM",
    0x00050026: "ENOSYS",
    0x0005005F: "ENOTSUP",
    0x00050000: "pretend",
}

O_TRUNC, O_WRONLY, O_RDWR, O_TMPFILE = 0x200, 1, 2, 0o20200000
CLONE_OF_PTHREAD = 0x3D0F00
LIMIT_OF_CORES = (
    (("prlimit64", 0, 4, 0, 0x1000), "allow"),
    (("prlimit64", 0, 4, 0x1000), "EPERM"),
    (("prlimit64", 0, 4, 0x1_0000_0000), "EPERM"),
    (("prlimit64", 0, 0x1_0000_0004, 0x1000), "EPERM"),
    (("prlimit64", 0, 7, 0x1000), "allow"),
)
"""It may be asked for and not changed: with a lower one, a crash would be told to a program of the machine."""


O_CREAT = 0x40
# The mode counts only where a file is made: whatever stands there else is nobody's.
FILE_OF_ITS_OWNERS_RIGHTS = [
    (("open", 0, O_CREAT | 1, 0o644), "allow"),
    (("open", 0, O_CREAT | 1, 0o4755), "EPERM"),
    (("open", 0, 0, 0o4755), "allow"),
    (("openat", -100, 0, O_CREAT | 1, 0o1666), "allow"),
    (("openat", -100, 0, O_CREAT | 1, 0o2755), "EPERM"),
    (("openat", -100, 0, O_CREAT | O_TRUNC, 0o644), "EPERM"),
    (("openat", -100, 0, 0, 0o6000), "allow"),
]


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> str:
    """Run a tool's filter over one system call."""
    return judged(program(machine, OWN_PID), machine, number, *arguments, architecture=architecture)


def judged(
    steps: tuple[Instruction, ...], machine: str, number: int, *arguments: int, architecture: int | None = None
) -> str:
    """Run a filter over one system call."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    arch = ARCHITECTURE[machine] if architecture is None else architecture
    data = struct.pack("<IIQ6Q", number, arch, 0, *(a & 0xFFFFFFFFFFFFFFFF for a in padded))
    at, accumulator = 0, 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case 0x06:
                return VERDICTS[value]
            case other:
                raise AssertionError(f"unknown instruction {other:#x}")


def number(name: str, machine: str = "x86_64") -> int:
    found = (PLAIN | FILTERED)[name][MACHINES[machine]]
    assert found is not None
    return found


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_exactly_the_listed_calls_pass(machine: str) -> None:
    column = MACHINES[machine]
    plain = {row[column] for row in PLAIN.values() if row[column] is not None}
    filtered = {row[column] for row in FILTERED.values() if row[column] is not None}

    allowed = {n for n in range(600) if n not in filtered and verdict(machine, n) == "allow"}

    assert allowed == plain
    assert not plain & filtered


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_another_architecture_is_killed(machine: str) -> None:
    assert verdict(machine, number("read", machine), architecture=0x40000003) == "kill"


def test_x32_is_killed() -> None:
    assert verdict("x86_64", 0x40000000 + number("read")) == "kill"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("clone", CLONE_OF_PTHREAD), "allow"),
        (("clone", 17), "EPERM"),
        (("clone", CLONE_OF_PTHREAD | 0x10000000), "EPERM"),
        (("clone", CLONE_OF_PTHREAD | 0x20000), "EPERM"),
        (("clone3", 0), "ENOSYS"),
        (("prctl", 15), "allow"),
        (("prctl", 4), "EPERM"),
        (("prctl", 22), "EPERM"),
        (("ioctl", 1, 0x5401), "allow"),
        (("ioctl", 0, 0x5412), "EPERM"),
        (("ioctl", 0, 0x1_0000_5412), "EPERM"),
        (("ioctl", 0, 0x541C), "EPERM"),
        (("ioctl", 0, 0x8901), "EPERM"),
        (("fcntl", 3, 3), "allow"),
        (("fcntl", 3, 8), "EPERM"),
        (("fcntl", 3, 10), "EPERM"),
        (("fcntl", 3, 5), "allow"),
        *[(("fcntl", 3, command), "pretend") for command in (6, 7, 37, 38)],
        (("flock", 3, 2), "pretend"),
        (("fallocate", 3, 0, 0, 1), "ENOTSUP"),
        (("renameat2", -100, 0, -100, 0, 0), "allow"),
        (("renameat2", -100, 0, -100, 0, 2), "allow"),
        (("renameat2", -100, 0, -100, 0, 4), "EPERM"),
        (("mmap", 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1), "allow"),
        (("mmap", 0, 4096, 1, MAP_SHARED, 3), "allow"),
        (("mmap", 0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1), "EPERM"),
        (("mmap", 0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS | 0x4000, -1), "EPERM"),
        (("mmap", 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1), "EPERM"),
        (("prlimit64", 0, 7), "allow"),
        (("prlimit64", 1, 7), "EPERM"),
        (("prlimit64", OWN_PID, 7), "EPERM"),
        *LIMIT_OF_CORES,
        (("tgkill", OWN_PID, 1, 6), "allow"),
        (("tgkill", OWN_PID + 1, 1, 6), "EPERM"),
        (("open", 0, 0), "allow"),
        (("open", 0, O_TRUNC), "EPERM"),
        (("openat", 0, 0, O_TRUNC), "EPERM"),
        (("openat", 0, 0, O_TRUNC | 3), "EPERM"),
        (("openat", 0, 0, O_TRUNC | O_WRONLY), "allow"),
        (("openat", 0, 0, O_TRUNC | O_RDWR), "allow"),
        (("openat", 0, 0, O_TMPFILE | O_RDWR), "EPERM"),
        *FILE_OF_ITS_OWNERS_RIGHTS,
    ],
)
def test_arguments_decide_where_the_call_alone_cannot(call: tuple[str, int], expected: str) -> None:
    name, *arguments = call

    assert verdict("x86_64", number(name), *arguments) == expected


def test_the_filter_fits_into_what_the_kernel_takes() -> None:
    assert all(len(program(machine, OWN_PID)) < 4096 for machine in MACHINES)


@pytest.mark.parametrize(
    "name",
    ["socket", "execve", "fork", "vfork", "kill", "ptrace", "chmod", "link", "symlink", "truncate", "mount", "bpf"],
)
def test_what_reaches_beyond_the_process_is_not_on_the_list(name: str) -> None:
    assert name not in PLAIN | FILTERED


GRANTS = [Grants(signals, modes) for signals in (False, True) for modes in (False, True)]
ALL_TABLES = {**PLAIN, **FILTERED, **PROCESSES, **PAIRS, **SIGNALS, **MODES, **ATTRIBUTES}
ALL_TABLES |= {"socketpair": SOCKETPAIR, "setrlimit": SETRLIMIT, **{n: row for n, (row, _) in CHANGED_MODES.items()}}


@pytest.mark.parametrize("machine", sorted(MACHINES))
@pytest.mark.parametrize("grants", GRANTS)
def test_a_program_may_make_exactly_the_listed_calls(machine: str, grants: Grants) -> None:
    column = MACHINES[machine]
    steps = tree_program(machine, grants)
    wanted = {row[column] for row in plain(grants).values() if row[column] is not None}
    modes = [row for row, _ in CHANGED_MODES.values()] if grants.modes else []
    with_arguments = {row[column] for row in (*FILTERED.values(), SOCKETPAIR, SETRLIMIT, *modes)} - wanted

    allowed = {n for n in range(600) if n not in with_arguments and judged(steps, machine, n) == "allow"}

    assert allowed == wanted
    assert len(steps) < 4096


def test_what_a_program_may_do_beyond_a_tool_is_this() -> None:
    added = {grants: sorted(set(plain(grants)) - set(PLAIN)) for grants in GRANTS}

    base = sorted([
        "arch_prctl", "capget", "epoll_pwait2", "eventfd", "execve", "fork", "get_mempolicy", "getpeername",
        "getpriority",
        "getsockname", "getsockopt", "recvfrom", "recvmsg", "sendto", "set_tid_address", "setpgid",
        "setsid", "shutdown", "signalfd4", "sync_file_range", "timer_create", "timer_delete",
        "timer_getoverrun", "timer_gettime", "timer_settime", "timerfd_create", "timerfd_gettime", "timerfd_settime",
        "vfork", "wait4", "waitid",
    ])  # fmt: skip
    signals, modes = ["kill", "tgkill", "tkill"], sorted(MODES)
    assert added == {
        Grants(signals=False, modes=False): base,
        Grants(signals=False, modes=True): sorted([*base, *modes]),
        Grants(signals=True, modes=False): sorted([*base, *signals]),
        Grants(signals=True, modes=True): sorted([*base, *signals, *modes]),
    }


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("clone", 17), "allow"),
        (("clone", CLONE_OF_PTHREAD), "allow"),
        (("clone", 17 | 0x10000000), "EPERM"),
        (("clone", 17 | 0x20000), "EPERM"),
        (("clone", 17 | 0x80), "EPERM"),
        (("clone3", 0), "ENOSYS"),
        (("socketpair", 1, 1), "allow"),
        (("socketpair", 1, 0x80801), "allow"),
        (("socketpair", 1, 2), "EPERM"),
        (("socketpair", 1, 5), "EPERM"),
        (("socketpair", 2, 1), "EPERM"),
        (("socketpair", 16, 1), "EPERM"),
        (("prctl", 15), "allow"),
        (("prctl", 22), "EPERM"),
        (("prctl", 36), "EPERM"),
        (("prlimit64", 0, 7), "allow"),
        (("prlimit64", 4242, 7), "EPERM"),
        *LIMIT_OF_CORES,
        (("setrlimit", 4, 0x1000), "EPERM"),
        (("setrlimit", 7, 0x1000), "allow"),
        (("ioctl", 0, 0x5412), "EPERM"),
        (("fcntl", 3, 8), "EPERM"),
        (("fcntl", 3, 6), "allow"),
        (("flock", 3, 2), "allow"),
        (("fallocate", 3, 0, 0, 1), "ENOTSUP"),
        (("renameat2", -100, 0, -100, 0, 0), "allow"),
        (("renameat2", -100, 0, -100, 0, 2), "allow"),
        (("renameat2", -100, 0, -100, 0, 4), "EPERM"),
        (("openat", 0, 0, O_TRUNC), "EPERM"),
        (("openat", 0, 0, O_TMPFILE | O_RDWR), "EPERM"),
        *FILE_OF_ITS_OWNERS_RIGHTS,
        (("fchmod", 3, 0o644), "EPERM"),
        (("lgetxattr", 0), "ENOTSUP"),
    ],
)
def test_the_arguments_of_a_program_decide_as_well(call: tuple[str, int], expected: str) -> None:
    name, *arguments = call
    row = ALL_TABLES[name][0]
    assert row is not None

    assert judged(tree_program("x86_64", Grants(signals=False, modes=False)), "x86_64", row, *arguments) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("chmod", 0, 0o755), "allow"),
        (("chmod", 0, 0o4755), "EPERM"),
        (("fchmod", 3, 0o1777), "allow"),
        (("fchmod", 3, 0o2755), "EPERM"),
        (("fchmodat", -100, 0, 0o700), "allow"),
        (("fchmodat", -100, 0, 0o6755), "EPERM"),
    ],
)
def test_who_may_change_modes_makes_no_file_of_its_owners_rights(call: tuple[str, int], expected: str) -> None:
    name, *arguments = call

    steps = tree_program("x86_64", Grants(signals=False, modes=True))

    assert judged(steps, "x86_64", CHANGED_MODES[name][0][0] or 0, *arguments) == expected


def test_a_program_is_killed_for_another_architecture_and_for_x32() -> None:
    steps = tree_program("x86_64", Grants(signals=True, modes=True))

    assert judged(steps, "x86_64", number("read"), architecture=0x40000003) == "kill"
    assert judged(steps, "x86_64", 0x40000000 + number("read")) == "kill"


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_no_two_calls_of_a_program_share_a_number(machine: str) -> None:
    numbers = [row[MACHINES[machine]] for row in ALL_TABLES.values() if row[MACHINES[machine]] is not None]

    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(
    "name",
    ["socket", "connect", "bind", "ptrace", "link", "symlink", "truncate", "mount", "bpf", "setuid", "unshare", "setns",
     "io_uring_setup", "keyctl", "memfd_create", "execveat", "pidfd_send_signal", "process_vm_readv", "setxattr",
     "landlock_create_ruleset", "seccomp"],
)  # fmt: skip
def test_what_reaches_beyond_the_tree_is_on_no_list(name: str) -> None:
    assert name not in ALL_TABLES
