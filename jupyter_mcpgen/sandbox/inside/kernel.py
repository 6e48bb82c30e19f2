"""The few Linux calls that Python does not offer, through ctypes, with every failure raised as `OSError`."""

from __future__ import annotations

import ctypes
import os
import struct

from .syscalls import MACHINE, MACHINES, PLAIN

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x8, 0x4000, 0x40000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC = 0x1, 0x2, 0x4, 0x8
_MNT_DETACH = 2
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _MOVE_FROM_DESCRIPTOR = 0x1, 0o2000000, 0x4
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
# the same on every machine
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_OPEN_FILE_SYSTEM, _CONFIGURE_FILE_SYSTEM, _MOUNT_FILE_SYSTEM = 430, 431, 432
_CREATE, _CLOSE_ON_EXEC = 6, 1
_PIVOT_ROOT = (155, 41)

_CAPABILITY_VERSION_3 = 0x20080522
_LIBC = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, value: int = 0, *more: int) -> int:
    """Change something about the calling process."""
    arguments = (value, *more, 0, 0, 0)[:4]
    return _checked(_LIBC.prctl(ctypes.c_int(option), *map(ctypes.c_ulong, arguments)), f"prctl {option}")


def system_call(name: str, number: int, *arguments: int | bytes | None) -> int:
    """Make one system call by its number; bytes are passed by address."""
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_LIBC.syscall(ctypes.c_long(number), *converted), name)


def close_range(first: int, last: int) -> None:
    """Close all descriptors from first to last; `os.closerange` tries them one by one in some builds of Python."""
    system_call("close_range", PLAIN["close_range"][0] or 0, first, last, 0)


def unshare(namespaces: int) -> None:
    """Leave namespaces for new ones of this process."""
    _checked(_LIBC.unshare(ctypes.c_int(namespaces)), "unshare")


def set_host_name(name: str) -> None:
    """Name the machine, in a namespace for that; Python's own way would import all there is about sockets."""
    _checked(_LIBC.sethostname(name.encode(), ctypes.c_size_t(len(name))), "sethostname")


def enter_namespace(namespace: int, kind: int) -> None:
    """Move this process into a namespace that a descriptor names."""
    _checked(_LIBC.setns(ctypes.c_int(namespace), ctypes.c_int(kind)), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount a new file system, or change how an old one is shared."""
    named = None if kind is None else kind.encode()
    arguments = (source.encode(), os.fsencode(target), named, ctypes.c_ulong(flags), options.encode())
    _checked(_LIBC.mount(*arguments), f"mount {kind or source} on `{target}`")


def copied_tree(place: int, attributes: int) -> int:
    """Return the descriptor of a detached copy of what is mounted at a place and, for a folder, below it."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_EMPTY_PATH | _AT_RECURSIVE
    tree = system_call("open_tree", _OPEN_TREE, place, b"", flags)
    try:
        restrict_mount(tree, attributes, recursive=True)
    except OSError:
        os.close(tree)
        raise
    return tree


def new_tree(kind: str, attributes: int) -> int:
    """Return the descriptor of a detached mount of a new file system of the namespaces of this process."""
    context = system_call("fsopen", _OPEN_FILE_SYSTEM, kind.encode(), _CLOSE_ON_EXEC)
    try:
        system_call("fsconfig", _CONFIGURE_FILE_SYSTEM, context, _CREATE, None, None, 0)
        return system_call("fsmount", _MOUNT_FILE_SYSTEM, context, _CLOSE_ON_EXEC, attributes)
    finally:
        os.close(context)


def restrict_mount(place: int, attributes: int, *, recursive: bool = False) -> None:
    """Take rights from a mount for good."""
    changes = struct.pack("=QQQQ", attributes, 0, 0, 0)
    flags = _AT_EMPTY_PATH | (_AT_RECURSIVE if recursive else 0)
    system_call("mount_setattr", _MOUNT_SETATTR, place, b"", flags, changes, len(changes))


def attach_tree(tree: int, target: str) -> None:
    """Put a detached mount where a path says."""
    system_call("move_mount", _MOVE_MOUNT, tree, b"", _AT_FDCWD, os.fsencode(target), _MOVE_FROM_DESCRIPTOR)


def make_root_of_working_folder() -> None:
    """Make the mounted working folder the root, and let the old root go."""
    system_call("pivot_root", _PIVOT_ROOT[MACHINES[MACHINE]], b".", b".")
    _checked(_LIBC.umount2(b".", ctypes.c_int(_MNT_DETACH)), "umount2")


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
    _checked(_LIBC.capget(header, data), "capget")
    return tuple(data)


def _drop_bounding_set() -> None:
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            return  # past the last one, or no right to drop: then nothing can be gained either, exec is refused


def _capset(bits: int) -> None:
    _checked(_LIBC.capset(_capability_header(), (ctypes.c_uint32 * 6)(*[bits] * 6)), "capset")


def _capability_header() -> ctypes.Array[ctypes.c_uint32]:
    return (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{os.strerror(number)} ({what})")
    return result
