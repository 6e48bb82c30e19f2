"""The few Linux calls that Python does not offer, through ctypes, with every failure raised as `OSError`."""

from __future__ import annotations

import ctypes
import os

from .syscalls import PLAIN

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

_CAPABILITY_VERSION_3 = 0x20080522


def prctl(option: int, value: int = 0, *more: int) -> int:
    """Change something about the calling process."""
    arguments = (value, *more, 0, 0, 0)[:4]
    return _checked(_libc().prctl(ctypes.c_int(option), *map(ctypes.c_ulong, arguments)), f"prctl {option}")


def system_call(name: str, number: int, *arguments: int | bytes | None) -> int:
    """Make one system call by its number; bytes are passed by address."""
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *converted), name)


def close_range(first: int, last: int) -> None:
    """Close all descriptors from first to last; `os.closerange` tries them one by one in some builds of Python."""
    system_call("close_range", PLAIN["close_range"][0] or 0, first, last, 0)


def drop_capabilities() -> None:
    """Give up every capability of this process, now and for anything it might execute."""
    _drop_bounding_set()
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    _capset(0)
    if any(capabilities()):
        raise PermissionError("capabilities remain after they were dropped")


def capabilities() -> tuple[int, ...]:
    """Return the effective, permitted and inheritable words of this process."""
    header, data = _capability_header(), (ctypes.c_uint32 * 6)()
    _checked(_libc().capget(header, data), "capget")
    return tuple(data)


def _drop_bounding_set() -> None:
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            return  # past the last one, or no right to drop: then nothing can be gained either, exec is refused


def _capset(bits: int) -> None:
    _checked(_libc().capset(_capability_header(), (ctypes.c_uint32 * 6)(*[bits] * 6)), "capset")


def _capability_header() -> ctypes.Array[ctypes.c_uint32]:
    return (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{os.strerror(number)} ({what})")
    return result
