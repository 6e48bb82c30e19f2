"""`jupyter-mcpgen demo` as a person, a script and a machine without anybody run it."""

from __future__ import annotations

import ctypes
import os
import pty
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.runtime import build
from jupyter_mcpgen.settings import Settings
from jupyter_mcpgen.tools.families import offers

COMMAND = str(Path(sys.executable).with_name("jupyter-mcpgen"))
PATIENCE = 120
SOON = 5
PR_SET_CHILD_SUBREAPER = 36

Run = Callable[..., str]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give all tours of this file one home and one folder for what they leave, as on one machine."""
    home, temporary = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("tmp")
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(temporary), "COLUMNS": "200"}


@pytest.fixture(autouse=True)
def nothing_is_left_running() -> Iterator[None]:
    """Inherit every process that the tour leaves behind, and promise that there is none."""
    before = set(psutil.Process().children(recursive=True))
    _adopt_orphans(True)
    try:
        yield
        left = [process for process in psutil.Process().children(recursive=True) if process not in before]
        _, alive = psutil.wait_procs(left, timeout=SOON)
        assert [process.cmdline() for process in alive] == []
    finally:
        _adopt_orphans(False)


@pytest.fixture
def tour(environment: dict[str, str]) -> Run:
    """Run the tour to its end and return what it printed."""

    def run(*options: str, **given: object) -> str:
        done = subprocess.run(
            [COMMAND, "demo", *options], env=environment, capture_output=True, text=True, timeout=PATIENCE, **given
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def test_a_tour_with_yes_answers_over_both_transports_and_closes_its_door(tour: Run):
    said = tour("--yes", stdin=subprocess.DEVNULL)

    answers = re.findall(r"Over (HTTP|stdio).*: (\d+) tools listed, `sum_by_group` answered with 5 rows", said)
    listed = str(4 + len(offers(build(Settings()))))  # the approved tool, what lists, finds and calls them, the others
    assert answers == [("HTTP", listed), ("stdio", listed)]
    assert "1,461 of 1,461 rows used. 4,426 = column total." in said
    assert "mcpgen verify" not in said  # it would look in another registry than that of the tour
    port = re.search(r"HTTP at http://127\.0\.0\.1:(\d+)/mcp", said)
    assert port is not None
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", int(port.group(1)))):
        pass


@pytest.mark.soak
def test_with_nobody_there_the_card_is_staged_and_the_printed_command_decides_later(
    tour: Run, environment: dict[str, str]
):
    said = tour(stdin=subprocess.DEVNULL)

    assert said.count("(nobody answers)") == 2
    later = re.search(r"Decide later: (.+)", said)
    assert later is not None
    assignment, *command = shlex.split(later.group(1))
    name, _, value = assignment.partition("=")
    decided = subprocess.run(
        command, env={**environment, name: value}, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (decided.returncode, decided.stderr) == (0, "")
    assert "sum_by_group" in decided.stdout


@pytest.mark.soak
def test_a_person_at_a_terminal_is_asked(environment: dict[str, str]):
    person, terminal = pty.openpty()
    try:
        os.write(person, b"Yes\nReject\n")
        done = subprocess.run(
            [COMMAND, "demo"],
            env=environment,
            stdin=terminal,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    finally:
        os.close(person)
        os.close(terminal)

    assert (done.returncode, done.stderr) == (0, "")
    assert "Is this output correct? [Yes/No]" in done.stdout
    assert "Save it as a reusable tool? [Approve/Reject]" in done.stdout
    assert "archived with the reason" in done.stdout


def _adopt_orphans(wanted: bool) -> None:
    """Let processes whose parent ended become children of this one: a server in a session of its own, too."""
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0) == 0
