"""The list of attacks with what must come of each; the same list is the self-check and the security test."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jupyter_mcpgen.sandbox.attacks import by_call, by_path
from jupyter_mcpgen.sandbox.inside.syscalls import MACHINE
from jupyter_mcpgen.sandbox.policy import Level

Attack = Callable[[Mapping[str, Any]], object]


class Expectation(StrEnum):
    """What a level promises about an attack."""

    BLOCKED = "blocked"
    LEAKS = "leaks"
    WORKS = "works"


@dataclass(frozen=True)
class Probe:
    """One attack: the error numbers or the signals that prove a refusal, and whether it needs a process of its own.

    `expected` is what level 2 promises; `only_inside` is set for what level 1 blocks and level 2 does not.
    """

    name: str
    meaning: str
    expected: Expectation = Expectation.BLOCKED
    errors: frozenset[int | None] = frozenset()
    killed_by: tuple[str, ...] = ()
    alone: bool = False
    only_inside: bool = False

    def expected_at(self, level: Level) -> Expectation:
        """Return what a level promises about this attack."""
        return Expectation.BLOCKED if self.only_inside and level is Level.NAMESPACES else self.expected

    def errors_at(self, level: Level) -> frozenset[int | None]:
        """Return the error numbers that prove a refusal: in a root of its own, a job does not find what it may not."""
        return self.errors | _NOT_THERE if level is Level.NAMESPACES and errno.EACCES in self.errors else self.errors


_NOT_THERE: frozenset[int | None] = frozenset({errno.ENOENT, errno.EROFS})


def _probe(
    attack: Attack,
    *errors: int | None,
    expected: Expectation = Expectation.BLOCKED,
    killed_by: tuple[str, ...] = (),
    alone: bool = False,
) -> Probe:
    return Probe(attack.__name__, attack.__doc__ or "", expected, frozenset(errors), killed_by, alone)


def _inside(attack: Attack, *errors: int | None) -> Probe:
    named = attack.__name__, attack.__doc__ or ""
    return Probe(*named, Expectation.LEAKS, frozenset(errors), only_inside=True)


_UNRESOLVED = (socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_SYSTEM, socket.EAI_FAIL)
_OTHER_ENTRIES = (
    (
        _probe(by_call.call_through_x32, killed_by=("SIGSYS",), alone=True),
        # A kernel without the 32-bit entry raises a fault instead.
        _probe(by_call.call_through_i386, killed_by=("SIGSYS", "SIGSEGV"), alone=True),
    )
    if MACHINE == "x86_64"
    else ()
)

PROBES = (
    _probe(by_path.read_system_file, errno.EACCES),
    _probe(by_path.read_user_file, errno.EACCES),
    _probe(by_path.read_through_planted_link, errno.EACCES),
    _probe(by_path.list_folder, errno.EACCES),
    _probe(by_path.list_root, errno.EACCES),
    _probe(by_path.list_processes, errno.EACCES),
    _probe(by_path.write_outside, errno.EACCES),
    _probe(by_path.write_granted_data, errno.EACCES),
    _probe(by_path.write_shared_memory, errno.EACCES),
    _probe(by_path.truncate_by_path, errno.EPERM),
    _probe(by_path.truncate_by_reading, errno.EPERM),
    _probe(by_path.change_mode, errno.EPERM),
    _probe(by_path.change_times, errno.EPERM),
    _probe(by_path.change_attributes, errno.EPERM),
    _probe(by_path.make_hard_link, errno.EPERM),
    _probe(by_path.make_symbolic_link, errno.EPERM),
    _probe(by_path.move_out_of_scratch, errno.EACCES, errno.EXDEV),
    _probe(by_call.leave_a_device, errno.EPERM),
    _probe(by_call.connect_by_tcp, errno.EPERM),
    _probe(by_call.send_by_udp, errno.EPERM),
    _probe(by_call.resolve_name, *_UNRESOLVED),
    _probe(by_call.connect_by_path, errno.EPERM),
    _probe(by_call.connect_by_abstract_name, errno.EPERM),
    _probe(by_call.open_netlink, errno.EPERM),
    _probe(by_call.execute, errno.EPERM, alone=True),
    _probe(by_call.fork, errno.EPERM),
    _probe(by_call.unshare_user_namespace, errno.EPERM, alone=True),
    _probe(by_call.signal_process, errno.EPERM),
    _probe(by_call.signal_thread, errno.EPERM),
    _probe(by_call.signal_through_descriptor, errno.EPERM),
    _probe(by_call.trace_process, errno.EPERM),
    _probe(by_call.limit_another_process, errno.EPERM),
    _probe(by_path.read_environment_of_another, errno.EACCES),
    _probe(by_path.read_memory_of_another, errno.EACCES),
    _probe(by_call.read_memory_directly, errno.EPERM),
    _probe(by_path.read_host_command_line, errno.EACCES),
    _probe(by_call.raise_a_limit, None, errno.EPERM),
    _probe(by_call.hand_a_crash_to_the_machine, None, errno.EPERM),
    _probe(by_call.find_secrets_in_environment, None),
    _probe(by_call.find_inherited_descriptors, None),
    _probe(by_call.make_memory_file, errno.EPERM),
    _probe(by_call.set_up_io_uring, errno.EPERM),
    _probe(by_call.open_key_ring, errno.EPERM),
    _probe(by_call.open_userfaultfd, errno.EPERM),
    _probe(by_call.measure_with_perf, errno.EPERM),
    _probe(by_call.make_bpf_map, errno.EPERM),
    *_OTHER_ENTRIES,
    _inside(by_path.stat_hidden_file, errno.ENOENT),
    _inside(by_call.learn_host_name, None),
    _inside(by_path.fill_with_many_files, errno.ENOSPC),
    _inside(by_path.fill_with_deleted_files, errno.ENOSPC),
    _inside(by_call.load_library_from_scratch, None),
    _probe(by_call.run_native_code, expected=Expectation.LEAKS),
    _probe(by_path.read_granted_data, expected=Expectation.WORKS),
    _probe(by_path.use_scratch, expected=Expectation.WORKS),
    _probe(by_call.start_thread, expected=Expectation.WORKS),
    _probe(by_call.import_standard_library, expected=Expectation.WORKS),
)
