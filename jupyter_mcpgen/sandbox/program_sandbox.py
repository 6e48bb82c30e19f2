"""Runs any program, and all it starts, under Landlock, seccomp and limits (level 2), or refuses."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.confinement import Confinement
from jupyter_mcpgen.sandbox.identity import Identity, choose, running_tasks
from jupyter_mcpgen.sandbox.interpreter import DEVICES, existing
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.process_backend import WITHOUT_NAMESPACES, Layer, ProcessBackend
from jupyter_mcpgen.sandbox.program import Ending, Program
from jupyter_mcpgen.sandbox.program_launch import Running
from jupyter_mcpgen.sandbox.scratch import scratch_folder


class Watcher(Protocol):
    """Something that follows a program from the side while it runs."""

    def follow(self, running: Running) -> AbstractContextManager[None]:
        """Follow it for as long as the block lasts."""
        ...


@dataclass(frozen=True)
class ProgramSandbox:
    """Confines programs that may start programs, at the level that is demanded or not at all.

    Without all layers it is level 0: for comparison, or because it was asked for by name.
    """

    layers: frozenset[Layer] = WITHOUT_NAMESPACES
    scratch_root: Path | None = None
    minimum: Level = Level.UNCONFINED

    @property
    def level(self) -> Level:
        """Return level 2 with every layer, and level 0 with any of them missing."""
        return Level.LANDLOCK if self.layers == WITHOUT_NAMESPACES else Level.UNCONFINED

    def missing(self) -> str | None:
        """Return the first thing this machine lacks, and its cure."""
        lack = _missing(self.layers)
        if lack is None and not self.level.satisfies(self.minimum):
            return f"programs are confined at level {self.level}, and level {self.minimum} is demanded"
        return lack

    def identity(self, needed: tuple[Path, ...]) -> Identity:
        """Return which user runs a program that needs to read these paths."""
        if not self.layers:
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
            running = watched.enter_context(Running(program, self.confinement(program, scratch, user)))
            if cancellation is not None:
                watched.enter_context(cancellation.calling(running.let_go))
            for watcher in watchers:
                watched.enter_context(watcher.follow(running))
            return running.wait(program.bounds.wall_seconds)

    def start(self, program: Program, scratch: Path, user: int | None) -> Running:
        """Start a program that takes messages and replies to them."""
        return Running(program, self.confinement(program, scratch, user), talks=True)

    def confinement(self, program: Program, scratch: Path, user: int | None) -> Confinement:
        """Return everything that is enforced on a program, as a value."""
        bounds = program.bounds
        return Confinement(
            scratch=str(scratch),
            read=tuple(map(str, existing(*program.read))),
            devices=tuple(map(str, existing(*map(Path, DEVICES)))),
            wall_seconds=bounds.wall_seconds,
            memory_bytes=bounds.address_bytes,
            cpu_seconds=bounds.cpu_seconds,
            file_bytes=bounds.scratch_bytes,
            open_files=bounds.open_files,
            processes=bounds.tasks + running_tasks(os.getuid() if user is None else user),
            identity=user,
            landlock=Layer.LANDLOCK in self.layers,
            seccomp=Layer.SECCOMP in self.layers,
            run=tuple(map(str, existing(*program.run))),
            work=tuple(map(str, existing(*program.work))),
            starts_programs=True,
        )


@cache  # a kernel does not change while it runs
def _missing(layers: frozenset[Layer]) -> str | None:
    return ProcessBackend(layers=layers, spares=0).missing()
