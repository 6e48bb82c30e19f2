"""Settings of the whole suite: property tests draw the same examples in every run, so a red run can be repeated.

Files of tests lie in memory where there is room: a registry waits for the disk at each step, and tests pull no plug.

Tests that run side by side stay together by file, as they share a product, a server or a browser.

Tests of the sandbox fail on Linux where it is missing. `MCPGEN_TESTS_WITHOUT_SANDBOX=level 1` leaves out those that
need namespaces, which many containers forbid, and `MCPGEN_TESTS_WITHOUT_SANDBOX=all` every one of them.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from tests.laws import USUAL, register_profiles
from tests.levels import require
from tests.soaking import leave_to_soak

register_profiles()
settings.load_profile(USUAL)

_MEMORY, _ROOM = "/dev/shm", 4 << 30
if os.path.isdir(_MEMORY) and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _MEMORY)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell ignores it for all

_QUESTIONS = re.compile(r".*/test_questions\.py::\w+\[\w+")
"""The tests of one table are named after it: they share its profile, and what was read of its questions."""

_ONE_SERVER = re.compile(r"(.*/)?tests/lab/test_(?:asking|card|chart|model_card|story)\.py")
"""These share a JupyterLab."""

_LONGEST_SILENCE = 900
"""Seconds; the slowest of fixtures and tests are ended long before."""

_LONGEST = ("tests/lab/", "tests/notebooks/")
"""What takes longest in one process begins first, so that nobody waits for it in the end."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose sandbox is missing, or skip it where that is known."""
    for marker in item.iter_markers("sandbox"):
        require(*marker.args)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the cases to `make soak` that no mark names, and put the tests first that take longest in one process."""
    leave_to_soak(items, whole=not any("::" in arg for arg in config.args))
    items.sort(key=lambda item: not item.nodeid.startswith(_LONGEST))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the collector of garbage from walking over all tests each time."""
    gc.collect()
    gc.freeze()


class _ByFileOrTable(LoadFileScheduling):
    """Keeps the tests of a file in one process, and those that share a server; those of many questions by table.

    A test that ends its process has failed, and the rest of its file goes on in another one. (The base class runs that
    test again in each new process, and waits for ever for a last process that was given one test.)
    """

    def schedule(self) -> None:
        super().schedule()
        self._give_work()

    def _reschedule(self, node: WorkerController) -> None:
        if node in self.registered_collections:  # a new process collects first, and two may be new at once
            super()._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        units = self.assigned_work.pop(node)
        left = [name for unit in units.values() for name, done in unit.items() if not done]
        if not left:
            return None
        for unit in units.values():
            if left[0] in unit:
                unit[left[0]] = True
        self.workqueue.update({scope: unit for scope, unit in units.items() if not all(unit.values())})
        self._give_work()
        return left[0]

    def _give_work(self) -> None:
        for node in self.nodes:
            self._reschedule(node)

    def _split_scope(self, nodeid: str) -> str:
        if _ONE_SERVER.match(nodeid):
            return "tests/lab"
        found = _QUESTIONS.match(nodeid)
        return re.sub(r"::\w+", "::", found[0]) if found is not None else super()._split_scope(nodeid)


class _Watch:
    """Kills a process that has told nothing for longer than any test may take: one that was stopped heeds no signal."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._pids: dict[WorkerController, int] = {}
        self._last: dict[WorkerController, float] = {}
        threading.Thread(target=self._look, daemon=True).start()

    def pytest_testnodeready(self, node: WorkerController) -> None:
        self._pids[node] = node.gateway._rinfo().pid
        self._last[node] = time.monotonic()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._last[report.node] = time.monotonic()

    def pytest_testnodedown(self, node: WorkerController) -> None:
        self._last.pop(node, None)

    def _look(self) -> None:
        while True:
            time.sleep(self._longest / 10)
            for node, told in tuple(self._last.items()):
                if time.monotonic() - told > self._longest and self._last.pop(node, None) is not None:
                    with suppress(ProcessLookupError):  # it ended meanwhile
                        os.kill(self._pids[node], signal.SIGKILL)


def pytest_configure(config: pytest.Config) -> None:
    """Watch the processes that run tests, where there are several."""
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(_Watch(float(os.environ.get("MCPGEN_TESTS_LONGEST", _LONGEST_SILENCE))))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _ByFileOrTable:
    return _ByFileOrTable(config, log)
