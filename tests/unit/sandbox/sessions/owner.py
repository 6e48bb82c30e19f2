"""Who uses a session in a test: its owner, a clock that is moved by hand, and what this machine lacks to run."""

from __future__ import annotations

from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.levels import needs

needs_programs = needs(ProgramSandbox().missing())
MISSING = available()


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time that was set."""
        return self.now


class Mine:
    """One session of `me`, with the owner left out."""

    def __init__(self, sessions: Sessions, language: str = "python", **options: bool) -> None:
        self.sessions = sessions
        self.id = sessions.create("me", language, **options).session_id

    def out(self, code: str, **options: str) -> str:
        """Return what code printed, which must have worked."""
        run = self.sessions.execute("me", self.id, code, **options)  # type: ignore[arg-type]  # only `stdin`
        assert run.status is Status.SUCCESS, run
        return run.stdout

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        self.sessions.write_file("me", self.id, path, content)

    def read(self, path: str) -> bytes:
        """Return a file."""
        return self.sessions.read_file("me", self.id, path)

    def files(self, path: str = ".") -> list[str]:
        """Return the paths of all files and folders."""
        return [entry.path for entry in self.sessions.list_files("me", self.id, path)]
