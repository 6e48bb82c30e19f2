"""A worker that plays a job while it waits is afterwards as it was, and nobody who asks for it waits for the play."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from jupyter_mcpgen.sandbox.inside import calling, landlock
from jupyter_mcpgen.sandbox.inside.confinement import Ready
from jupyter_mcpgen.sandbox.inside.rehearsal import is_quiet, play_job, play_supervisor

UNCONFINED = Ready(None, 0, (os.sep,))


def state() -> tuple[object, ...]:
    """Return what a job could find changed."""
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")}
    modules = {name: id(module) for name, module in sys.modules.items()}
    opened = os.listdir("/proc/self/fd")
    return modules, tuple(sys.path), limits, os.getcwd(), dict(os.environ), random.getstate(), opened


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def test_a_job_that_was_played_leaves_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    play_job(UNCONFINED)  # the first may load what every job loads
    before = state()

    play_job(UNCONFINED)

    assert state() == before
    assert capfd.readouterr() == ("", "")


def test_a_play_names_no_path_that_was_not_named_before(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[tuple[int, tuple[str, ...], int, int]] = []
    monkeypatch.setattr(landlock, "allow", lambda ruleset, paths, *rights: named.append((ruleset, paths, *rights)))

    play_job(Ready(7, landlock.READ, ("/usr", "/opt")))

    assert named == [(7, ("/usr",), landlock.READ, landlock.READ)]


def test_a_play_calls_a_tool_and_sends_what_it_gave_back(pipe: tuple[int, int]) -> None:
    reader, writer = pipe

    calling.play(writer)

    assert b'"loaded": true' in os.read(reader, 10_000)


def test_the_job_that_a_supervisor_looks_at_waits_on() -> None:
    processes = os.open("/proc", os.O_RDONLY)
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as job:
        before = os.listdir("/proc/self/fd")

        play_supervisor(job.pid, processes)

        assert os.listdir("/proc/self/fd") == before
        assert job.poll() is None
        job.communicate(b"\n")
    os.close(processes)
    assert job.returncode == 0


def closed(writer: int) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, writer)
    os.close(nothing)


def written(writer: int) -> None:
    os.write(writer, b"\n")


AN_HOUR = 3_600_000
"""Milliseconds; whoever waits for that long is ended with the test."""


@pytest.mark.parametrize("happens", [written, closed])
def test_who_asks_at_once_is_not_kept_by_a_play(pipe: tuple[int, int], happens: Callable[[int], None]) -> None:
    reader, writer = pipe
    happens(writer)

    assert not is_quiet(reader, AN_HOUR)


def test_where_nobody_asks_it_is_quiet_after_a_moment(pipe: tuple[int, int]) -> None:
    reader, _ = pipe

    assert is_quiet(reader)
