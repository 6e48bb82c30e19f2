"""Makes what a program wrote fit to be shown: pages of lines, a cap on characters, repeated trace lines told once."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

MOST_LINES, FIRST_LINES = 5_000, 500
_LEAST_TRACE_LINES, _MOST_TRACE_LINES = 10, 20_000
_LONGEST_BLOCK = 10


class Streams(NamedTuple):
    """What a program wrote, as it is shown, and whether that is all of it."""

    stdout: str
    stderr: str
    stdout_cut: bool
    stderr_cut: bool


@dataclass(frozen=True)
class Pages:
    """Keeps the whole text of what was cut in a folder of its own: the newest `keep` of them, and so many bytes."""

    folder: Path
    keep: int = 50
    most_bytes: int = 256 * 1024 * 1024

    def streams(self, stdout: str, stderr: str, most_characters: int, *, succeeded: bool) -> Streams:
        """Return both streams of a program; the trace of a failure is told without its repetitions."""
        told = stderr if succeeded else compress_trace(stderr)
        out, err = self.shown(stdout, most_characters), self.shown(told, most_characters)
        # By comparison: a program can print the note on a cut itself.
        return Streams(out, err, stdout_cut=out != stdout, stderr_cut=err != told)

    def shown(self, text: str, most_characters: int) -> str:
        """Return the text, or its beginning with a note on how long it is and where the whole of it lies."""
        # Counted and not taken apart: of as many bytes as a program may write, each line would be an object.
        lines = text.count("\n") + (not text.endswith("\n"))
        if lines <= MOST_LINES and len(text) <= most_characters:
            return text
        kept = text[:most_characters]
        if lines > MOST_LINES:
            kept = "".join(kept.splitlines(keepends=True)[:FIRST_LINES])
        ended = "" if kept.endswith("\n") else "\n"
        size = f"{lines} lines total, {len(text)} characters"
        return f"{kept}{ended}[Output truncated: {size}; {self._kept(text)}]"

    def _kept(self, text: str) -> str:
        try:
            return f"the whole text is in {self._store(text.encode('utf-8', 'replace'))}"
        except OSError as error:
            return f"the whole text could not be kept: {(error.strerror or str(error)).lower()}"

    def _store(self, content: bytes) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._forget_the_oldest(len(content))
        place = self.folder / f"output-{secrets.token_hex(8)}.txt"
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(content)
        return place

    def _forget_the_oldest(self, fresh: int) -> None:
        stored = sorted(filter(None, map(_age_and_size, self.folder.glob("output-*.txt"))), reverse=True)
        held = fresh
        for count, (_, size, path) in enumerate(stored, 1):
            held += size
            if count >= self.keep or held > self.most_bytes:
                path.unlink(missing_ok=True)


def _age_and_size(path: Path) -> tuple[int, int, Path] | None:
    try:
        facts = path.stat()
    except FileNotFoundError:
        return None  # another call made room meanwhile
    return facts.st_mtime_ns, facts.st_size, path


def compress_trace(text: str) -> str:
    """Return a trace with each run of equal lines, or of equal blocks of lines, told once; short ones as they are.

    More lines than any trace has stay as they are too: to compare them would take longer than the program took.
    """
    if not _LEAST_TRACE_LINES <= text.count("\n") + (not text.endswith("\n")) <= _MOST_TRACE_LINES:
        return text
    return "\n".join(_told_once(text.removesuffix("\n").split("\n"))) + ("\n" if text.endswith("\n") else "")


def _told_once(lines: Sequence[str]) -> list[str]:
    told: list[str] = []
    at = 0
    while at < len(lines):
        size, times = _run_at(lines, at)
        told += lines[at : at + size]
        if times > 1:
            told.append(_note(size, times - 1))
        at += size * times
    return told


def _run_at(lines: Sequence[str], at: int) -> tuple[int, int]:
    """Return the length of the shortest block that repeats from here, and how often it stands in a row."""
    for size in range(1, min(_LONGEST_BLOCK, (len(lines) - at) // 2) + 1):
        times = 1
        while lines[at + times * size : at + (times + 1) * size] == lines[at : at + size]:
            times += 1
        if times > 1 and (times - 1) * size > 1:  # the note is a line too
            return size, times
    return 1, 1


def _note(size: int, more: int) -> str:
    what = "line" if size == 1 else f"{size} lines"
    return f"  [previous {what} repeated {more} more time{'' if more == 1 else 's'}]"
