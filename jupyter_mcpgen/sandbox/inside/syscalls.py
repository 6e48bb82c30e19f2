"""The system calls a confined job may make, with their numbers on x86-64 and on aarch64.

A call that is not in these tables is answered with EPERM. `None` means that the machine has no such call.
Left out on purpose: sockets, exec, fork, signals to others, links, modes, owners, times and attributes of files,
truncation by path, memory files, shared memory, io_uring, keys, bpf, perf, ptrace, mounts and namespaces.
"""

from __future__ import annotations

import os
import sys

Numbers = tuple[int | None, int | None]

MACHINES = {"x86_64": 0, "aarch64": 1}
MACHINE = os.uname().machine if sys.platform == "linux" else sys.platform

PLAIN: dict[str, Numbers] = {
    # files by descriptor
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "preadv": (295, 69),
    "pwritev": (296, 70),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "lseek": (8, 62),
    "close": (3, 57),
    "close_range": (436, 436),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "ftruncate": (77, 46),
    "fadvise64": (221, 223),
    "sendfile": (40, 71),
    "copy_file_range": (326, 285),
    "pipe": (22, None),
    "pipe2": (293, 59),
    # files by path, which Landlock judges
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getdents": (78, None),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "umask": (95, 166),
    # waiting
    "select": (23, None),
    "pselect6": (270, 72),
    "poll": (7, None),
    "ppoll": (271, 73),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    # memory
    "munmap": (11, 215),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "brk": (12, 214),
    "msync": (26, 227),
    "membarrier": (324, 283),
    # threads
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    # own signals
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137),
    "sigaltstack": (131, 132),
    "pause": (34, None),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "restart_syscall": (219, 128),
    # time
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    # identity and limits, for reading
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getgroups": (115, 158),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    # leaving
    "exit": (60, 93),
    "exit_group": (231, 94),
}

FILTERED: dict[str, Numbers] = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "prctl": (157, 167),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "prlimit64": (302, 261),
    "tgkill": (234, 131),
    "open": (2, None),
    "openat": (257, 56),
    "flock": (73, 32),
    "fallocate": (285, 47),
    "renameat2": (316, 276),
    "mmap": (9, 222),
}

SECCOMP = (317, 277)
LANDLOCK_CREATE_RULESET = (444, 444)
LANDLOCK_ADD_RULE = (445, 445)
LANDLOCK_RESTRICT_SELF = (446, 446)

RESTRICTING: dict[str, Numbers] = {
    "landlock_add_rule": LANDLOCK_ADD_RULE,
    "landlock_restrict_self": LANDLOCK_RESTRICT_SELF,
}
"""What a job needs that is filtered before it knows its paths; nobody gains a right by them."""
