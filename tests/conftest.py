"""Settings of the whole suite: property tests draw the same examples in every run, so a red run can be repeated.

Tests that run side by side stay together by file, as they share a server or a browser, where they name no other group.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.laws import USUAL, register_profiles

register_profiles()
settings.load_profile(USUAL)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.relative_to(item.config.rootpath).as_posix()))
