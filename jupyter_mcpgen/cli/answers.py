"""Who answers the questions of a command: an option, a person at a terminal, or the lines of standard input."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator

from rich.console import Console

PATIENCE_SECONDS = 2.0
"""How long answers are waited for when standard input is not a terminal."""
STANDARD_INPUT = 0


def answers(say_yes: bool, console: Console) -> Callable[[str], str]:
    """Return what gives the answer to a prompt; where nobody answers that is the empty text, and never a yes."""
    typed = _typed_lines()

    def from_option(prompt: str) -> str:
        answer = "Approve" if "Approve" in prompt else "Yes"
        console.print(f"   {prompt}{answer}   (--yes)", markup=False)
        return answer

    def from_terminal(prompt: str) -> str:
        console.print(f"   {prompt}", end="", markup=False)
        return sys.stdin.readline().strip()

    def from_input(prompt: str) -> str:
        line = next(typed, "")
        console.print(f"   {prompt}{line or '(nobody answers)'}", markup=False)
        return line

    if say_yes:
        return from_option
    return from_terminal if sys.stdin is not None and sys.stdin.isatty() else from_input


def _typed_lines() -> Iterator[str]:
    """Yield the lines of standard input until it ends or is silent for too long, also in the middle of a line."""
    received = b""
    while True:
        line, end, rest = received.partition(b"\n")
        if end:
            received = rest
            yield line.decode(errors="replace").strip()
            continue
        # Not `sys.stdin`: lines that wait in its buffer would be invisible to `select`.
        is_there = sys.stdin is not None and select.select([STANDARD_INPUT], [], [], PATIENCE_SECONDS)[0]
        chunk = os.read(STANDARD_INPUT, 4096) if is_there else b""
        if not chunk:
            yield line.decode(errors="replace").strip()
            return
        received += chunk
