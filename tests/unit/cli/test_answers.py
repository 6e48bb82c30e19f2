"""Who answers the tour's questions, from a program of its own with each kind of standard input."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

PATIENCE = 60
ASK = """
import sys
from rich.console import Console
from jupyter_mcpgen.cli.answers import answers
answer = answers("--yes" in sys.argv, Console(width=200))
print([answer("Correct? [Yes/No] "), answer("Keep? [Approve/Reject] "), answer("Keep? [Approve/Reject] ")])
"""


def said(*options: str, **given: object) -> str:
    """Ask three times; return all that was printed, the answers last."""
    command = [sys.executable, "-c", ASK, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE, **given)
    return done.stdout


@contextmanager
def opened(ends: tuple[int, int], text: bytes) -> Iterator[int]:
    """Write into one end of a pipe or terminal, keep it open, and give the other."""
    reading, writing = ends
    try:
        os.write(writing, text)
        yield reading
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Yes\nReject\n", ["Yes", "Reject", ""]),
        ("Yes\nApprove", ["Yes", "Approve", ""]),
        ("\n Yes \n", ["", "Yes", ""]),
        ("", ["", "", ""]),
    ],
)
def test_lines_of_standard_input_are_answers_and_its_end_is_none(text: str, answers: list[str]) -> None:
    printed = said(input=text)

    assert printed.splitlines()[-1] == str(answers)
    assert printed.count("(nobody answers)") == answers.count("")


@pytest.mark.soak
def test_a_pipe_that_never_closes_is_not_waited_for() -> None:
    with opened(os.pipe(), b"Yes\nAppro") as reading:
        printed = said(stdin=reading)

    assert printed.splitlines()[-1] == "['Yes', 'Appro', '']"


def test_a_person_at_a_terminal_is_asked() -> None:
    person, terminal = pty.openpty()

    with opened((terminal, person), b"Yes\nReject\n\n") as typed:
        printed = said(stdin=typed)

    assert printed.splitlines()[-1].endswith("['Yes', 'Reject', '']")
    assert "(nobody answers)" not in printed


def test_only_the_option_says_yes_by_itself() -> None:
    printed = said("--yes", stdin=subprocess.DEVNULL)

    assert printed.splitlines()[-1] == "['Yes', 'Approve', 'Approve']"
