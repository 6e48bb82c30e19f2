"""How soon a command of the terminal and a server that a client starts say something."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence

from benchmarks.asking import REFERENCE
from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place
from benchmarks.servers import PROGRAM
from jupyter_mcpgen.server import launch

REPEATS = 4
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def rows(place: Place) -> Iterator[Row]:
    """Measure `help` and `list` beside plain pandas, and `initialize` over stdio beside a bare FastMCP server."""

    def plain() -> float:
        return elapsed(lambda: place.python("-c", place.group_by))

    commands = [["help"], ["list"], ["status"]]
    timers = [lambda words=words: elapsed(lambda: _command(place, words)) for words in commands]  # type: ignore[misc]
    *ours, reference = in_turns((*timers, plain), REPEATS)
    for words, times in zip(commands, ours, strict=True):
        yield Row(f"`jupyter mcpgen {' '.join(words)}`", times, REFERENCE, reference)

    folders = ("--registry", str(place.new_folder("registry")), "--state", str(place.new_folder("state")))
    times, bare = in_turns(
        (
            lambda: elapsed(lambda: _greeted(place, (*launch.PROGRAM, "--stdio", *folders))),
            lambda: elapsed(lambda: _greeted(place, (*PROGRAM, "bare", "stdio"))),
        ),
        REPEATS,
    )
    yield Row("start of a server over stdio → `initialize` answered", times, "bare FastMCP server", bare)


def _command(place: Place, words: Sequence[str]) -> None:
    place.python("-c", f"from jupyter_mcpgen.cli import main; main({list(words)!r})")


def _greeted(place: Place, command: Sequence[str]) -> None:
    """Start a server, wait for its first answer, and end it."""
    with subprocess.Popen(
        list(command), env=place.environment, cwd=place.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert b"serverInfo" in process.stdout.readline(), sys.argv
        process.kill()
