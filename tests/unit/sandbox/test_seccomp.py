"""The system-call filter, executed step by step as the kernel would."""

from __future__ import annotations

import struct

import pytest

from jupyter_mcpgen.sandbox.seccomp import program
from jupyter_mcpgen.sandbox.syscalls import FILTERED, MACHINES, PLAIN

OWN_PID = 4242
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
VERDICTS = {0x80000000: "kill", 0x7FFF0000: "allow", 0x00050001: "EPERM", 0x00050026: "ENOSYS"}

O_TRUNC, O_WRONLY, O_RDWR, O_TMPFILE = 0x200, 1, 2, 0o20200000
CLONE_OF_PTHREAD = 0x3D0F00


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> str:
    """Run the filter over one system call."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    arch = ARCHITECTURE[machine] if architecture is None else architecture
    data = struct.pack("<IIQ6Q", number, arch, 0, *(a & 0xFFFFFFFFFFFFFFFF for a in padded))
    steps, at, accumulator = program(machine, OWN_PID), 0, 0
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
        (("prlimit64", 0, 7), "allow"),
        (("prlimit64", 1, 7), "EPERM"),
        (("prlimit64", OWN_PID, 7), "EPERM"),
        (("tgkill", OWN_PID, 1, 6), "allow"),
        (("tgkill", OWN_PID + 1, 1, 6), "EPERM"),
        (("open", 0, 0), "allow"),
        (("open", 0, O_TRUNC), "EPERM"),
        (("openat", 0, 0, O_TRUNC), "EPERM"),
        (("openat", 0, 0, O_TRUNC | 3), "EPERM"),
        (("openat", 0, 0, O_TRUNC | O_WRONLY), "allow"),
        (("openat", 0, 0, O_TRUNC | O_RDWR), "allow"),
        (("openat", 0, 0, O_TMPFILE | O_RDWR), "EPERM"),
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
