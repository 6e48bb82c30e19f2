"""Runs any program, and all it starts, in namespaces, under Landlock, seccomp and limits (level 1), or refuses.

Without namespaces, where they cannot be had, it is level 2, and says why.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.identity import Identity, choose, tasks_beside
from jupyter_mcpgen.sandbox.inside.confinement import Confinement
from jupyter_mcpgen.sandbox.interpreter import DEVICES, existing
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer, is_left_out, level_of, tried
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, find_toolchain
from jupyter_mcpgen.sandbox.programs.launch import PROGRAM_NOT_BEGUN, Running
from jupyter_mcpgen.sandbox.programs.program import Ending, Program
from jupyter_mcpgen.sandbox.programs.supervisor import StartSupervisor, fresh
from jupyter_mcpgen.sandbox.scratch import scratch_folder

_LAST_WORDS = 500
_TEMPORARY = "/tmp"  # noqa: S108  # of a root that nobody else sees


class Watcher(Protocol):
    """Something that follows a program from the side while it runs."""

    def follow(self, running: Running) -> AbstractContextManager[None]:
        """Follow it for as long as the block lasts."""
        ...


@dataclass(frozen=True)
class ProgramSandbox:
    """Confines programs that may start programs, at the level that is demanded or not at all.

    Without `layers` it is as strong as this machine allows. With any layer but the namespaces left out it is
    level 0: for comparison, or because it was asked for by name.
    """

    layers: frozenset[Layer] | None = None
    scratch_root: Path | None = None
    minimum: Level = Level.UNCONFINED
    start_supervisor: StartSupervisor = field(default=fresh, compare=False)

    @property
    def enforced(self) -> frozenset[Layer]:
        """Return what is put around each program."""
        if self.layers is not None:
            return self.layers
        return ALL_LAYERS if namespaces_unusable() is None else WITHOUT_NAMESPACES

    @property
    def level(self) -> Level:
        """Return level 1 with every layer, level 2 with all but the namespaces, and level 0 with any other missing."""
        return level_of(self.enforced)

    @property
    def weakened(self) -> str | None:
        """Return why it is not level 1 although nobody asked for less; `None` when it is, or was asked for."""
        return namespaces_unusable() if self.layers is None else None

    def missing(self) -> str | None:
        """Return the first thing this machine lacks, and its cure."""
        lack = _missing(self.enforced & WITHOUT_NAMESPACES)
        if lack is None and self.enforced == ALL_LAYERS:
            lack = namespaces_unusable()
        if lack is None and not self.level.satisfies(self.minimum):
            because = f", {self.weakened}" if self.weakened else ""
            return f"programs are confined at level {self.level}{because}, and level {self.minimum} is demanded"
        return lack

    def identity(self, needed: tuple[Path, ...]) -> Identity:
        """Return which user runs a program that needs to read these paths."""
        if not self.enforced:
            return Identity(None, f"runs with all the rights of user {os.geteuid()}")
        return choose((*needed, self.scratch_root or Path(tempfile.gettempdir())))

    @contextmanager
    def scratch(self, user: int | None) -> Iterator[Path]:
        """Give an empty private folder of that user, wiped afterwards."""
        with scratch_folder(self.scratch_root, user) as folder:
            yield folder

    def run(
        self,
        program: Program,
        scratch: Path,
        user: int | None,
        cancellation: Cancellation | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> Ending:
        """Run a program to its end; raises `SandboxError` when it could not be confined."""
        with ExitStack() as watched:
            confinement = self.confinement(program, scratch, user)
            running = watched.enter_context(Running(program, confinement, start=self.start_supervisor))
            if cancellation is not None:
                watched.enter_context(cancellation.calling(running.let_go))
            for watcher in watchers:
                watched.enter_context(watcher.follow(running))
            return running.wait(program.bounds.wall_seconds)

    def start(self, program: Program, scratch: Path, user: int | None) -> Running:
        """Start a program that takes messages and replies to them."""
        confinement = self.confinement(program, scratch, user)
        return Running(program, confinement, talks=True, start=self.start_supervisor)

    def confinement(self, program: Program, scratch: Path, user: int | None) -> Confinement:
        """Return everything that is enforced on a program, as a value."""
        bounds = program.bounds
        inside = Layer.NAMESPACES in self.enforced
        read = [path for path in existing(*program.read) if not (inside and is_left_out(path))]
        run = existing(*program.run)
        return Confinement(
            scratch=str(scratch),
            read=tuple(map(str, read)),
            devices=tuple(map(str, existing(*map(Path, DEVICES)))),
            wall_seconds=bounds.wall_seconds,
            memory_bytes=bounds.address_bytes,
            cpu_seconds=bounds.cpu_seconds,
            file_bytes=bounds.scratch_bytes,
            open_files=bounds.open_files,
            processes=bounds.tasks + tasks_beside(user, inside=inside),
            identity=user,
            landlock=Layer.LANDLOCK in self.enforced,
            seccomp=Layer.SECCOMP in self.enforced,
            run=tuple(map(str, run)),
            work=tuple(map(str, existing(*program.work))),
            starts_programs=True,
            namespaces=inside,
            links=program.links if inside else (),
            temporary=_TEMPORARY if inside and _has_no_part_in_temporary(*read, *run) else None,
        )


def _has_no_part_in_temporary(*granted: Path) -> bool:
    # What lies in a folder that may be written would be kept from writing by its mount alone.
    return not any(path.is_relative_to(_TEMPORARY) for path in granted)


@cache  # a kernel does not change while it runs
def _missing(layers: frozenset[Layer]) -> str | None:
    return ProcessBackend(layers=layers, spares=0).missing()


@cache
def namespaces_unusable() -> str | None:
    """Return why no program can be run in namespaces here, found by running one; `None` when it can.

    A program has more in its root than a job, a `/proc` above all, so a job that runs proves nothing about programs.
    """
    if sys.platform != "linux":
        return "only Linux has namespaces"
    sandbox = ProgramSandbox(layers=ALL_LAYERS)
    toolchain = find_toolchain(LANGUAGES["python"])
    user = sandbox.identity((*toolchain.read, *toolchain.run)).user
    try:
        with sandbox.scratch(user) as scratch:
            program = Program(
                arguments=(toolchain.tools["python"], "-I", "-S", "-c", "open('/proc/self/status').close()"),
                folder=scratch,
                environment={},
                read=toolchain.read,
                run=toolchain.run,
                links=toolchain.links,
            )
            ending = sandbox.run(program, scratch, user)
    except SandboxError as error:
        return tried("a program", str(error).removeprefix(PROGRAM_NOT_BEGUN))
    told = ending.stderr.decode("utf-8", "replace").strip()[-_LAST_WORDS:]
    return None if ending.status == 0 else tried("a program", told or f"it ended as {ending.stop.value}")
