"""Changes that happen as a whole: prepared apart, written down as steps, then carried out.

New content is written in the workshop folder, and is on the disk before the journal file appears, by one rename: from
that moment the change counts. Whoever locks the registry next, after a kill at any point, carries out the steps that
are left; without a journal file the workshop is thrown away. Every step can be repeated without harm, so the disk is
waited for only once after the steps: until then the journal stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, assert_never

from pydantic import Field, ValidationError

from jupyter_mcpgen.errors import CorruptRegistry
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.registry.folder import json_text
from jupyter_mcpgen.registry.layout import Layout

Checkpoint = Callable[[str], None]
"""Called with the name of each point that a kill could hit; the tests kill there."""


def no_checkpoint(_: str) -> None:
    """Pass every point."""


class Move(Record):
    """Rename a file or folder; a file at the target is replaced, a folder there means that the step is done."""

    do: Literal["move"] = "move"
    source: str
    target: str


class Append(Record):
    """Add one line to a file, once."""

    do: Literal["append"] = "append"
    target: str
    line: str


Step = Annotated[Move | Append, Field(discriminator="do")]


class Journal(Record):
    """The steps of one change, in order; paths are relative to the registry's root."""

    operation: str
    steps: tuple[Step, ...]


class Transaction:
    """Collects one change to the registry; nothing outside the workshop is touched before `commit`."""

    def __init__(self, layout: Layout, operation: str, checkpoint: Checkpoint) -> None:
        self._layout = layout
        self._folder = layout.folder
        self._operation = operation
        self._checkpoint = checkpoint
        self._steps: list[Move | Append] = []
        self._prepared: list[Path] = []

    def put_folder(self, target: Path, files: Mapping[str, bytes]) -> None:
        """Publish a new folder with its files; the target must be free by then."""
        prepared = self._next_place(target)
        self._folder.make_new(prepared)
        for name, content in files.items():
            self._write(prepared / name, content)
        self._prepared.append(prepared)
        self.move(prepared, target)

    def put_file(self, target: Path, content: bytes) -> None:
        """Publish a file, in place of an older one if there is one."""
        prepared = self._next_place(target)
        self._write(prepared, content)
        self.move(prepared, target)

    def move(self, source: Path, target: Path) -> None:
        """Rename a file or folder inside the registry."""
        self._steps.append(Move(source=self._layout.relative(source), target=self._layout.relative(target)))

    def remove(self, path: Path) -> None:
        """Take a file or folder away."""
        # A removal is a move into the workshop: repeating it cannot hit what a later step put in the same place.
        self.move(path, self._layout.workshop / f"removed-{len(self._steps)}")

    def append(self, target: Path, line: str) -> None:
        """Add one line to a file."""
        self._steps.append(Append(target=self._layout.relative(target), line=line))

    def commit(self) -> None:
        """Write the journal and carry it out."""
        if not self._steps:
            return
        journal = Journal(operation=self._operation, steps=tuple(self._steps))
        for step in journal.steps:
            self._folder.make(self._layout.absolute(step.target).parent)
        for path in (*self._prepared, self._workshop()):  # together: each wait after the first one is short
            self._folder.sync(path)
        self._checkpoint("prepared")
        self._folder.replace(self._layout.journal, json_text(journal.model_dump()).encode())
        self._checkpoint("journal written")
        _carry_out(self._layout, journal, self._checkpoint)

    def _write(self, path: Path, content: bytes) -> None:
        self._folder.write_new(path, content)
        self._prepared.append(path)

    def _next_place(self, target: Path) -> Path:
        self._checkpoint(f"preparing {self._layout.relative(target)}")
        return self._workshop() / f"new-{len(self._steps)}"

    def _workshop(self) -> Path:
        with suppress(FileExistsError):
            self._folder.make_new(self._layout.workshop)
        return self._layout.workshop


def recover(layout: Layout, checkpoint: Checkpoint = no_checkpoint) -> None:
    """Finish a change that was written down and not finished, or forget one that was only prepared."""
    if not layout.folder.exists(layout.journal):
        layout.folder.remove(layout.workshop)
        return
    try:
        journal = Journal.model_validate_json(layout.folder.read(layout.journal))
        for step in journal.steps:
            _require_home(step, layout)
    except (OSError, ValidationError, ValueError) as error:
        raise CorruptRegistry(layout.journal, "it is not a list of steps inside the registry") from error
    try:
        _carry_out(layout, journal, checkpoint)
    except PermissionError:
        raise
    except OSError as error:
        raise CorruptRegistry(layout.journal, f"a step cannot be taken: {error.strerror or error}") from error


def _carry_out(layout: Layout, journal: Journal, checkpoint: Checkpoint) -> None:
    folder = layout.folder
    for step in journal.steps:
        match step:
            case Move(source=source, target=target):
                folder.move(layout.absolute(source), layout.absolute(target))
            case Append(target=target, line=line):
                folder.append_line(layout.absolute(target), line)
            case _:
                assert_never(step)
        checkpoint(f"{step.do} {step.target}")
    for changed in filter(folder.exists, dict.fromkeys(_changed_by(journal, layout))):
        folder.sync(changed)
    folder.remove(layout.journal)  # if that is lost with the power, all steps are found done
    checkpoint("journal removed")
    folder.remove(layout.workshop)
    checkpoint("done")


def _changed_by(journal: Journal, layout: Layout) -> Iterator[Path]:
    """Yield the folders whose names the steps changed, without the workshop: what is left in it is thrown away."""
    for step in journal.steps:
        named = (step.source, step.target) if isinstance(step, Move) else (step.target,)
        yield from (home for path in named if (home := layout.absolute(path).parent) != layout.workshop)


def _require_home(step: Move | Append, layout: Layout) -> None:
    named = (step.source, step.target) if isinstance(step, Move) else (step.target,)
    for path in named:
        layout.absolute(path)
    if isinstance(step, Append) and layout.absolute(step.target) != layout.audit:
        raise ValueError(f"`{step.target}` is not the audit log, the only file that lines are added to")
