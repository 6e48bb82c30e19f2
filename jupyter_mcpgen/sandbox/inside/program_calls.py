"""The system calls of programs that start other programs: compilers, shells, and what was compiled.

More than a tool may do, because a process and its children are the work: execute, fork, wait, and connected pairs of
sockets between them. Still no way to make any other socket, to trace, to mount, to change user or namespace, to lock
memory into the kernel's rings and keys, to make links, or to change what lies outside the process tree.
A process executes and forks under the same filter, so no check may compare with a process id.
"""

from __future__ import annotations

from typing import NamedTuple

from .syscalls import PLAIN, Numbers

PROCESSES: dict[str, Numbers] = {
    "execve": (59, 221),
    "fork": (57, None),
    "vfork": (58, None),
    "wait4": (61, 260),
    "waitid": (247, 95),
    "setpgid": (109, 154),
    "setsid": (112, 157),
    "arch_prctl": (158, None),
    "set_tid_address": (218, 96),
    "getpriority": (140, 141),
    "capget": (125, 90),
    "timer_create": (222, 107),
    "timer_settime": (223, 110),
    "timer_gettime": (224, 108),
    "timer_getoverrun": (225, 109),
    "timer_delete": (226, 111),
    "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87),
    "eventfd": (284, None),
    "epoll_pwait2": (441, 441),
    "signalfd4": (289, 74),
    "sync_file_range": (277, 84),
    "get_mempolicy": (239, 236),
}
"""What a process tree needs beyond what a tool may do."""

PAIRS: dict[str, Numbers] = {
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "recvmsg": (47, 212),
    "shutdown": (48, 210),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    "getsockopt": (55, 209),
}
"""What connected pairs of stream sockets need; they are the only sockets there can be, and take no address.

Not `sendmsg`: it sends descriptors, and a deleted file that waits in a socket is open nowhere that could be looked at.
"""

SIGNALS: dict[str, Numbers] = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
"""Allowed where something else keeps them inside: Landlock's scope, or a user id of the tree's own."""

CHANGED_MODES: dict[str, tuple[Numbers, int]] = {
    "chmod": ((90, None), 1),
    "fchmod": ((91, 52), 1),
    "fchmodat": ((268, 53), 2),
}
"""Allowed as `MODES` are, for every mode but that a file is run as its owner; with the place of the mode."""

MODES: dict[str, Numbers] = {
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}
"""Allowed under a user id of the tree's own, which owns nothing outside; Landlock does not judge them."""

ATTRIBUTES: dict[str, Numbers] = {
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
}
"""Answered as by a file system without attributes: `ls` and `cp` ask for them, and Landlock does not judge them."""

SOCKETPAIR: Numbers = (53, 199)
"""Allowed for local stream sockets only: a datagram socket could be sent from to any path."""

SETRLIMIT: Numbers = (160, 164)
"""Allowed for every limit but the one that keeps a crash among us."""


class Grants(NamedTuple):
    """What the surroundings of a process tree make harmless."""

    signals: bool
    modes: bool


def plain(grants: Grants) -> dict[str, Numbers]:
    """Return the calls that pass whatever their arguments."""
    signals, modes = SIGNALS if grants.signals else {}, MODES if grants.modes else {}
    return {**PLAIN, **PROCESSES, **PAIRS, **signals, **modes}
