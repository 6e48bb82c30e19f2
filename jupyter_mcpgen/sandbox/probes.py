"""The list of attacks with what must come of each; the same list is the self-check and the security test."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from jupyter_mcpgen.sandbox.attacks import tool as attacks
from jupyter_mcpgen.sandbox.syscalls import MACHINE


class Expectation(StrEnum):
    """What level 2 promises about an attack."""

    BLOCKED = "blocked"
    LEAKS = "leaks"
    WORKS = "works"


@dataclass(frozen=True)
class Probe:
    """One attack: the error numbers or the signal that prove a refusal, and whether it needs a process of its own."""

    name: str
    meaning: str
    expected: Expectation = Expectation.BLOCKED
    errors: frozenset[int | None] = frozenset()
    killed_by: str | None = None
    alone: bool = False


def _probe(
    attack: Callable[[attacks.Target], object],
    *errors: int | None,
    expected: Expectation = Expectation.BLOCKED,
    killed_by: str | None = None,
    alone: bool = False,
) -> Probe:
    return Probe(attack.__name__, attack.__doc__ or "", expected, frozenset(errors), killed_by, alone)


_X32 = (_probe(attacks.call_through_x32, killed_by="SIGSYS", alone=True),) if MACHINE == "x86_64" else ()

PROBES = (
    _probe(attacks.read_system_file, errno.EACCES),
    _probe(attacks.read_user_file, errno.EACCES),
    _probe(attacks.read_through_planted_link, errno.EACCES),
    _probe(attacks.list_folder, errno.EACCES),
    _probe(attacks.write_outside, errno.EACCES),
    _probe(attacks.write_granted_data, errno.EACCES),
    _probe(attacks.write_shared_memory, errno.EACCES),
    _probe(attacks.truncate_by_path, errno.EPERM),
    _probe(attacks.truncate_by_reading, errno.EPERM),
    _probe(attacks.change_mode, errno.EPERM),
    _probe(attacks.change_times, errno.EPERM),
    _probe(attacks.change_attributes, errno.EPERM),
    _probe(attacks.make_hard_link, errno.EPERM),
    _probe(attacks.make_symbolic_link, errno.EPERM),
    _probe(attacks.move_out_of_scratch, errno.EACCES, errno.EXDEV),
    _probe(attacks.connect_by_tcp, errno.EPERM),
    _probe(attacks.send_by_udp, errno.EPERM),
    _probe(attacks.connect_by_path, errno.EPERM),
    _probe(attacks.connect_by_abstract_name, errno.EPERM),
    _probe(attacks.open_netlink, errno.EPERM),
    _probe(attacks.execute, errno.EPERM, alone=True),
    _probe(attacks.fork, errno.EPERM),
    _probe(attacks.unshare_user_namespace, errno.EPERM, alone=True),
    _probe(attacks.signal_process, errno.EPERM),
    _probe(attacks.signal_thread, errno.EPERM),
    _probe(attacks.signal_through_descriptor, errno.EPERM),
    _probe(attacks.trace_process, errno.EPERM),
    _probe(attacks.limit_another_process, errno.EPERM),
    _probe(attacks.read_environment_of_another, errno.EACCES),
    _probe(attacks.read_memory_of_another, errno.EACCES),
    _probe(attacks.read_host_command_line, errno.EACCES),
    _probe(attacks.raise_a_limit, None, errno.EPERM),
    _probe(attacks.find_secrets_in_environment, None),
    _probe(attacks.find_inherited_descriptors, None),
    _probe(attacks.make_memory_file, errno.EPERM),
    _probe(attacks.set_up_io_uring, errno.EPERM),
    _probe(attacks.open_key_ring, errno.EPERM),
    _probe(attacks.open_userfaultfd, errno.EPERM),
    _probe(attacks.measure_with_perf, errno.EPERM),
    *_X32,
    _probe(attacks.stat_hidden_file, expected=Expectation.LEAKS),
    _probe(attacks.run_native_code, expected=Expectation.LEAKS),
    _probe(attacks.read_granted_data, expected=Expectation.WORKS),
    _probe(attacks.use_scratch, expected=Expectation.WORKS),
    _probe(attacks.start_thread, expected=Expectation.WORKS),
    _probe(attacks.import_standard_library, expected=Expectation.WORKS),
)
