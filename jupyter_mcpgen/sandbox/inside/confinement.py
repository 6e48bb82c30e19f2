"""What one process does to itself, in order, before it reads a byte of a tool or of data.

The order matters: paths are opened while they can be, an id is given up before capabilities, the death signal is set
again after that because the kernel clears it, and the system-call filter comes last because it refuses the rest.
What does not depend on the job is made ready before there is one.
"""

from __future__ import annotations

import os
import resource
import signal
from typing import NamedTuple

from . import kernel, landlock, namespaces, seccomp
from .fields import Fields
from .program_calls import Grants
from .syscalls import MACHINE

_ABOUT_ITSELF = {
    "auxv", "cgroup", "cmdline", "comm", "environ", "fd", "fdinfo", "io", "limits", "maps", "mountinfo", "mounts",
    "numa_maps", "oom_score", "oom_score_adj", "personality", "sched", "schedstat", "smaps", "smaps_rollup", "stat",
    "statm", "status",
}  # fmt: skip
"""What of its folder in `/proc` a program may read where that is the machine's."""
NO_CORE_BYTES = 1
"""No core is written, and none is handed to a program of the machine: with 0 it is, and that program is root's."""
_FIRST_DESCRIPTOR, _LAST_DESCRIPTOR = 3, 0xFFFFFFFF


class Confinement(NamedTuple):
    """Everything that is enforced on one process, as plain values that travel as JSON."""

    scratch: str
    read: tuple[str, ...]
    devices: tuple[str, ...]
    wall_seconds: float
    memory_bytes: int
    cpu_seconds: int
    file_bytes: int
    open_files: int
    processes: int
    identity: int | None
    landlock: bool
    seccomp: bool
    run: tuple[str, ...] = ()
    work: tuple[str, ...] = ()
    starts_programs: bool = False
    namespaces: bool = False
    links: tuple[tuple[str, str], ...] = ()
    scratch_entries: int = 0
    temporary: str | None = None
    """A folder of scratch that is also at this path, in a root of its own."""

    @classmethod
    def from_fields(cls, fields: Fields) -> Confinement:
        """Return the value that `_asdict` turned into JSON."""
        return cls(
            scratch=fields.text("scratch"),
            read=fields.texts("read"),
            devices=fields.texts("devices"),
            wall_seconds=fields.real("wall_seconds"),
            memory_bytes=fields.number("memory_bytes"),
            cpu_seconds=fields.number("cpu_seconds"),
            file_bytes=fields.number("file_bytes"),
            open_files=fields.number("open_files"),
            processes=fields.number("processes"),
            identity=fields.number_if_any("identity"),
            landlock=fields.flag("landlock"),
            seccomp=fields.flag("seccomp"),
            run=fields.texts("run"),
            work=fields.texts("work"),
            starts_programs=fields.flag("starts_programs"),
            namespaces=fields.flag("namespaces"),
            links=fields.pairs("links"),
            scratch_entries=fields.number("scratch_entries"),
            temporary=fields.text_if_any("temporary"),
        )


class Preparation(NamedTuple):
    """What of a confinement is the same for every job, and so can be done before there is one."""

    read: tuple[str, ...]
    devices: tuple[str, ...]
    landlock: bool
    seccomp: bool
    namespaces: bool = False
    identity: int | None = None
    links: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_fields(cls, fields: Fields) -> Preparation:
        """Return the value that `_asdict` turned into JSON."""
        return cls(
            read=fields.texts("read"),
            devices=fields.texts("devices"),
            landlock=fields.flag("landlock"),
            seccomp=fields.flag("seccomp"),
            namespaces=fields.flag("namespaces"),
            identity=fields.number_if_any("identity"),
            links=fields.pairs("links"),
        )


class Ready(NamedTuple):
    """A ruleset with the paths in it so far, and the rights that it is about; no ruleset where Landlock is left out."""

    ruleset: int | None
    handled: int
    read: tuple[str, ...]


def make_ready(preparation: Preparation, parent: int | None, keep: tuple[int, ...]) -> Ready:
    """Confine the calling process in all that depends on no job; raises when any part cannot be enforced.

    In namespaces it is in them already. What is left to `finish` is to name paths and to set limits.
    """
    ruleset, handled = _prepared_ruleset(preparation) if preparation.landlock else (None, 0)
    _close_all_but((*keep, ruleset) if ruleset is not None else keep)
    if preparation.identity is not None and not preparation.namespaces:
        namespaces.become(preparation.identity)
    if parent is not None:
        _die_with(parent)
    # It may be looked at by its user: so its supervisor counts what it reads, and its host what it deleted and holds.
    # Another job of the same user is kept from it by Landlock and seccomp.
    kernel.prctl(kernel.PR_SET_DUMPABLE, int(preparation.namespaces or (preparation.landlock and preparation.seccomp)))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if preparation.landlock or preparation.seccomp or preparation.namespaces:
        kernel.drop_capabilities()
    _set_limit(resource.RLIMIT_CORE, NO_CORE_BYTES, NO_CORE_BYTES)  # the filter lets nobody change it
    if preparation.seccomp:
        seccomp.install(seccomp.program(MACHINE, os.getpid(), may_restrict_itself=ruleset is not None))
    return Ready(ruleset, handled, preparation.read)


def bound(to: Confinement) -> None:
    """Put a process under the limits of its job."""
    os.umask(0o077)
    _limit(to)


def finish(to: Confinement, ready: Ready) -> None:
    """Put a process that is ready into the folder of its job, and under Landlock with the paths of its job."""
    os.chdir(to.scratch)
    if ready.ruleset is not None:
        more = (path for path in to.read if path not in ready.read)
        landlock.allow(ready.ruleset, more, landlock.READ, ready.handled)
        landlock.allow(ready.ruleset, (to.scratch,), landlock.WRITE, ready.handled)
        landlock.restrict_self(ready.ruleset)
        os.close(ready.ruleset)


def confine(to: Confinement, parent: int, keep: tuple[int, ...]) -> None:
    """Confine the calling process for good; raises when any part cannot be enforced.

    `parent` is the process whose death ends this one; `keep` lists the only descriptors that stay open.
    """
    _die_with(parent)
    ruleset = _ruleset(to) if to.landlock else None
    _close_all_but((*keep, ruleset) if ruleset is not None else keep)
    os.chdir(to.scratch)
    bound(to)
    _set_limit(resource.RLIMIT_CORE, NO_CORE_BYTES, NO_CORE_BYTES)
    if to.identity is not None and not to.namespaces:
        namespaces.become(to.identity)
        _die_with(parent)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if ruleset is not None:
        landlock.restrict_self(ruleset)
        os.close(ruleset)
    if to.landlock or to.seccomp or to.namespaces:
        kernel.drop_capabilities()
    if to.seccomp:
        seccomp.install(_system_calls(to))


def _prepared_ruleset(preparation: Preparation) -> tuple[int, int]:
    ruleset, handled = landlock.empty_ruleset()
    own = () if preparation.namespaces else _own_limits()  # a job in namespaces has no `/proc` at all
    landlock.allow(ruleset, (*preparation.read, *own), landlock.READ, handled)
    landlock.allow(ruleset, preparation.devices, landlock.DEVICE, handled)
    return ruleset, handled


def _own_limits() -> tuple[str, ...]:
    """Return what duckdb must be able to open about its own process."""
    return (f"/proc/{os.getpid()}/cgroup",)


def _ruleset(to: Confinement) -> int:
    if not to.starts_programs:
        return landlock.make_ruleset((*to.read, *_own_limits()), (to.scratch,), to.devices)
    own = f"/proc/{os.getpid()}"  # what it starts has another folder
    work = to.scratch, *to.work, *((to.temporary,) if to.temporary else ())
    # The network that it tells of, for the process and once more for each thread, is the machine's where it has none.
    # Not even the names in it may be told, so neither may those of the folder itself or of the threads: a right to list
    # a folder is one to list all folders below it.
    known = [own] if to.namespaces else [f"{own}/{name}" for name in os.listdir(own) if name in _ABOUT_ITSELF]
    return landlock.make_ruleset((*to.read, *known), (), to.devices, to.run, work)


def _system_calls(to: Confinement) -> tuple[seccomp.Instruction, ...]:
    if not to.starts_programs:
        return seccomp.program(MACHINE, os.getpid())
    own_user = to.identity is not None
    stay_inside = to.namespaces or (to.landlock and landlock.has_scopes())
    # Not for being in namespaces: a file of the person's could be made to run with the person's rights by anybody.
    return seccomp.tree_program(MACHINE, Grants(signals=own_user or stay_inside, modes=own_user))


def _die_with(parent: int) -> None:
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError("the supervisor died before the job started")


def _close_all_but(keep: tuple[int, ...]) -> None:
    first = _FIRST_DESCRIPTOR
    for descriptor in sorted(keep):
        if first < descriptor:
            kernel.close_range(first, descriptor - 1)
        first = descriptor + 1
    kernel.close_range(first, _LAST_DESCRIPTOR)


def _limit(to: Confinement) -> None:
    for limit, soft, hard in (
        (resource.RLIMIT_AS, to.memory_bytes, to.memory_bytes),
        (resource.RLIMIT_CPU, to.cpu_seconds, to.cpu_seconds + 1),
        (resource.RLIMIT_FSIZE, to.file_bytes, to.file_bytes),
        (resource.RLIMIT_NOFILE, to.open_files, to.open_files),
        (resource.RLIMIT_NPROC, to.processes, to.processes),
    ):
        _set_limit(limit, soft, hard)


def _set_limit(limit: int, soft: int, hard: int) -> None:
    # A machine may allow less than asked for; then the smaller bound stands.
    allowed = resource.getrlimit(limit)[1]
    ceiling = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
    resource.setrlimit(limit, (min(soft, ceiling), ceiling))
