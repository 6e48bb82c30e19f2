"""Settings of the whole suite: property tests draw the same examples in every run, so a red run can be repeated.

Tests that run side by side stay together by file, as they share a server or a browser.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests.laws import USUAL, register_profiles

register_profiles()
settings.load_profile(USUAL)

_QUESTIONS = re.compile(r".*/test_questions\.py::\w+\[\w+")
"""The tests of one table are named after it: they share its profile, and what was read of its questions."""


class _ByFileOrTable(LoadFileScheduling):
    """Keeps the tests of a file in one process; those of thousands of questions by their table."""

    def _split_scope(self, nodeid: str) -> str:
        found = _QUESTIONS.match(nodeid)
        return re.sub(r"::\w+", "::", found[0]) if found is not None else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _ByFileOrTable:
    return _ByFileOrTable(config, log)
