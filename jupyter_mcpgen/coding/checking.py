"""Asks checkers about files in the sandbox: the linters read hostile text, and read it confined.

The project itself is not shown to them but a copy of the files that are asked about, without its settings, under names
that every checker takes; so no file beside them is seen, and no plugin of the project runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from jupyter_mcpgen.coding.checkers import Checker
from jupyter_mcpgen.coding.tree import SourceFile
from jupyter_mcpgen.errors import AnalysisError, QuestionStopped, SandboxUnavailable
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.programs.languages import Toolchain
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox

SECONDS, SECONDS_A_FILE, MOST_SECONDS = 60, 0.5, 900
MEMORY_MB, ADDRESS_MB = 2048, 8192
OURS = Path(__file__).parent
"""This package: the part of it that runs in the sandbox is loaded from here as `inside`."""
_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from inside.check import main; main()"
_PROJECT = "project"
_LAST_WORDS = 300
_NO_NAME = re.compile(r"\W")
_UNTOLD = re.compile(r"[^\w.+@ -]")
"""Signs in the name of a file with which a compiler's words about it cannot be told from others."""


class Edit(Record):
    """A text in place of another, which ends before its end; lines and columns of characters begin at 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Flaw(Record):
    """One thing that a checker found, with the checker's own fix where it has one."""

    severity: Severity
    line: int
    column: int
    rule: str
    message: str
    suggestion: str | None = None
    edits: tuple[Edit, ...] = ()


class Checked(Record):
    """What a checker said of one file: flaws, measures, or why it could not check it."""

    flaws: tuple[Flaw, ...] = ()
    complexities: tuple[float, ...] = ()
    maintainability: float | None = None
    unchecked: str | None = None


_ANSWER = TypeAdapter(dict[str, Checked])


@dataclass(frozen=True)
class Checking:
    """Runs checkers in one sandbox; safe to use from several threads."""

    sandbox: ProgramSandbox

    def check(
        self,
        checker: Checker,
        files: Sequence[SourceFile],
        cancellation: Cancellation,
        package: str | None = None,
        included: Sequence[SourceFile] = (),
    ) -> Mapping[str, Checked]:
        """Return what a checker says of each file; raises `AnalysisError` where it gave no answer.

        `package` is what the files are imported from, where they are the content of a package.

        Raises `SandboxUnavailable` where nothing here confines it.
        """
        missing = self.sandbox.missing()
        if missing is not None:
            raise SandboxUnavailable(f"No sandbox here can confine `{checker.name}`: {missing}. Nothing was checked.")
        toolchains = checker.toolchains()
        programs = checker.programs()
        needed = [path for each in toolchains for path in (*each.read, *each.run)]
        run = tuple(Path(path) for path in programs.values())
        user = self.sandbox.identity((*needed, OURS, *run)).user
        with self.sandbox.scratch(user) as scratch, self._copied((*files, *included), user, package) as (copy, names):
            request = {"checker": checker.name, "files": list(names)[: len(files)], "programs": programs}
            asked = scratch / "request.json"
            asked.write_text(json.dumps(request), encoding="utf-8")
            if user is not None:
                os.chown(asked, user, user)
            program = _program(toolchains, run, copy, scratch, asked, len(files))
            ending = self.sandbox.run(program, scratch, user, cancellation)
        if cancellation.is_cancelled:
            raise QuestionStopped()
        if ending.stop is not Stop.EXITED or ending.status != 0:
            said = ending.stderr.decode("utf-8", "replace").strip().splitlines()
            told = said[-1][-_LAST_WORDS:] if said else "it said nothing"
            raise AnalysisError(f"`{checker.name}` did not finish ({ending.stop.value}): {told}")
        return {names[name]: checked for name, checked in _read(checker, ending.stdout).items() if name in names}

    @contextmanager
    def _copied(
        self, files: Sequence[SourceFile], user: int | None, package: str | None = None
    ) -> Iterator[tuple[Path, Mapping[str, str]]]:
        """Give a folder with a project that has a copy of the files, and for each path the one it is a copy of.

        mypy looks above a project that is a package, so there is something to look at.
        """
        above = f"{package}/" if package else ""
        with self.sandbox.scratch(user) as folder:
            names: dict[str, str] = {}
            for file in files:
                name = _importable(f"{above}{file.path}", names)
                names[name] = file.path
                place = folder / _PROJECT / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.content)
            if user is not None:
                for path in (folder, *folder.rglob("*")):
                    os.chown(path, user, user)
            yield folder, names


def _program(
    toolchains: Sequence[Toolchain], run: Sequence[Path], copy: Path, scratch: Path, asked: Path, files: int
) -> Program:
    """Return the program that asks a checker about a copy of some files; Python runs it."""
    environment = {
        name: value.format(scratch=scratch)
        for each in toolchains
        for name, value in {**each.language.environment, **each.environment}.items()
    }
    own = {"HOME": str(scratch), "TMPDIR": str(scratch), "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    python = toolchains[0].tools["python"]
    return Program(
        arguments=(python, "-I", "-B", "-X", "utf8", "-c", _BEGIN, str(OURS)),
        folder=copy / _PROJECT,
        environment={**environment, **own},
        read=(*(path for each in toolchains for path in each.read), OURS, copy),
        run=(*(path for each in toolchains for path in each.run), *run),
        stdin=asked,
        links=tuple({link for each in toolchains for link in each.links}),
        bounds=_bounds(files),
    )


def _importable(path: str, taken: Mapping[str, str]) -> str:
    """Return the path of a copy, which every checker takes and names plainly.

    Of Python it is one that can be imported, because mypy stops at a folder that cannot.
    """
    *folders, last = path.split("/")
    stem, _, ending = last.rpartition(".")
    if ending not in ("py", "pyi"):
        name = "/".join(f"_{part}" if part.startswith("-") else _UNTOLD.sub("_", part) for part in path.split("/"))
        return name if name not in taken else f"{name.removesuffix(f'.{ending}')}_{_digest(path)}.{ending}"
    parts = [part if part.isidentifier() else f"_{_NO_NAME.sub('_', part)}" for part in (*folders, stem)]
    name = f"{'/'.join(parts)}.{ending}"
    if name in taken:
        name = f"{'/'.join(parts)}_{_digest(path)}.{ending}"
    return name


def _digest(path: str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:8]


def _bounds(files: int) -> Bounds:
    seconds = min(SECONDS + SECONDS_A_FILE * files, MOST_SECONDS)
    return Bounds(
        wall_seconds=seconds,
        cpu_seconds=int(seconds),
        memory_bytes=MEMORY_MB * MEGABYTE,
        address_bytes=ADDRESS_MB * MEGABYTE,
        output_bytes=64 * MEGABYTE,
        open_files=1024,
    )


def _read(checker: Checker, said: bytes) -> Mapping[str, Checked]:
    try:
        return _ANSWER.validate_json(said)
    except ValidationError as error:
        raise AnalysisError(f"`{checker.name}` gave an answer that cannot be read. Nothing of it was taken.") from error
