"""Path confinement by Landlock: what is not listed cannot be opened, whoever owns it.

The ruleset handles every right the kernel knows, so a right without a rule is refused. A path that cannot be opened
is an error, never a rule left out.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

from .kernel import system_call
from .places import open_place
from .syscalls import LANDLOCK_ADD_RULE, LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF, MACHINE, MACHINES

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
REFER, TRUNCATE = 1 << 13, 1 << 14

READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
DEVICE = READ_FILE | WRITE_FILE
RUN, WORK = READ | EXECUTE, WRITE | EXECUTE
_RIGHTS_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE

_FS_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP_BIND_AND_CONNECT = 0b11
_ABSTRACT_UNIX_AND_SIGNAL = 0b11
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_FIRST_WITH_SCOPES = 6


def abi() -> int:
    """Return the Landlock version of the running kernel; 0 when it has none or none is enabled."""
    if MACHINE not in MACHINES:
        return 0
    try:
        return _call("landlock_create_ruleset", LANDLOCK_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def handled_attributes(version: int) -> bytes:
    """Return the `landlock_ruleset_attr` that handles everything this version of Landlock can refuse."""
    files = (1 << _FS_RIGHTS_BY_ABI.get(version, 16)) - 1
    if version < 4:
        return struct.pack("=Q", files)
    if version < 6:
        return struct.pack("=QQ", files, _TCP_BIND_AND_CONNECT)
    return struct.pack("=QQQ", files, _TCP_BIND_AND_CONNECT, _ABSTRACT_UNIX_AND_SIGNAL)


def make_ruleset(
    read: Iterable[str],
    write: Iterable[str],
    devices: Iterable[str],
    run: Iterable[str] = (),
    work: Iterable[str] = (),
) -> int:
    """Return the descriptor of a ruleset that allows these paths and nothing else.

    Programs may be started from `run`, which is read, and from `work`, which is written too.
    """
    ruleset, handled = empty_ruleset()
    for rights, paths in (READ, read), (WRITE, write), (DEVICE, devices), (RUN, run), (WORK, work):
        allow(ruleset, paths, rights, handled)
    return ruleset


def empty_ruleset() -> tuple[int, int]:
    """Return the descriptor of a ruleset that allows nothing, and the rights that this kernel knows."""
    version = abi()
    if version < 1:
        raise OSError("this kernel has no Landlock")
    attributes = handled_attributes(version)
    (handled,) = struct.unpack_from("=Q", attributes)
    return _call("landlock_create_ruleset", LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0), handled


def allow(ruleset: int, paths: Iterable[str], rights: int, handled: int) -> None:
    """Add paths to a ruleset that restricts nobody yet."""
    for path in paths:
        _allow(ruleset, path, rights & handled)


def has_scopes() -> bool:
    """Return whether this kernel can keep signals inside a ruleset's process tree."""
    return abi() >= _FIRST_WITH_SCOPES


def keep_signals_inside() -> bool:
    """Let the calling process, and all it starts, signal only each other, for good; `False` on an older kernel.

    A descendant that is restricted once more can be signalled from here, and cannot signal what is here.
    """
    if not has_scopes():
        return False
    attributes = struct.pack("=QQQ", 0, 0, _ABSTRACT_UNIX_AND_SIGNAL)
    ruleset = _call("landlock_create_ruleset", LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        restrict_self(ruleset)
    finally:
        os.close(ruleset)
    return True


def restrict_self(ruleset: int) -> None:
    """Put the calling thread, and all it starts, under the ruleset for good."""
    _call("landlock_restrict_self", LANDLOCK_RESTRICT_SELF, ruleset, 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    place, mode = open_place(path)
    try:
        granted = rights if stat.S_ISDIR(mode) else rights & _RIGHTS_OF_A_FILE
        rule = struct.pack("=Qi", granted, place)
        _call("landlock_add_rule", LANDLOCK_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(place)


def _call(name: str, numbers: tuple[int, int], *arguments: int | bytes | None) -> int:
    return system_call(name, numbers[MACHINES[MACHINE]], *arguments)
