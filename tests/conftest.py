"""Settings of the whole suite: property tests draw the same examples in every run, so a red run can be repeated.

Tests that run side by side stay together by file, as they share a server or a browser.

Tests of the sandbox fail on Linux where it is missing. `MCPGEN_TESTS_WITHOUT_SANDBOX=level 1` leaves out those that
need namespaces, which many containers forbid, and `MCPGEN_TESTS_WITHOUT_SANDBOX=all` every one of them.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests.laws import USUAL, register_profiles
from tests.levels import require

register_profiles()
settings.load_profile(USUAL)

_QUESTIONS = re.compile(r".*/test_questions\.py::\w+\[\w+")
"""The tests of one table are named after it: they share its profile, and what was read of its questions."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose sandbox is missing, or skip it where that is known."""
    for marker in item.iter_markers("sandbox"):
        require(*marker.args)


class _ByFileOrTable(LoadFileScheduling):
    """Keeps the tests of a file in one process; those of thousands of questions by their table."""

    def _split_scope(self, nodeid: str) -> str:
        found = _QUESTIONS.match(nodeid)
        return re.sub(r"::\w+", "::", found[0]) if found is not None else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _ByFileOrTable:
    return _ByFileOrTable(config, log)
