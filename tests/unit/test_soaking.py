"""Which cases of a test run with every change, and which wait for `make soak`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.soaking import leave_to_soak

pytest_plugins = ["pytester"]

TESTS = """
import pytest

@pytest.mark.every_run("wide-dark", "narrow")
@pytest.mark.parametrize("name", ["wide-dark", "wide-light", "narrow"])
def test_named(name): ...

@pytest.mark.every_run(era=["new"])
@pytest.mark.parametrize("era", ["old", "new"])
@pytest.mark.parametrize("way", [1, 2])
def test_values(era, way): ...

@pytest.mark.one_in(3)
@pytest.mark.parametrize("place", range(5))
def test_spread(place): ...

def test_plain(): ...
"""
MARKERS = "[pytest]\nmarkers =\n    every_run\n    one_in\n    soak\n"


@pytest.fixture
def collected(pytester: pytest.Pytester) -> Callable[[str], list[pytest.Item]]:
    pytester.makeini(MARKERS)
    return pytester.getitems


def test_cases_that_a_mark_names_stay_and_the_others_wait(collected: Callable[[str], list[pytest.Item]]) -> None:
    items = collected(TESTS)

    leave_to_soak(items, whole=True)

    assert [item.name for item in items if item.get_closest_marker("soak") is None] == [
        "test_named[wide-dark]",
        "test_named[narrow]",
        "test_values[1-new]",
        "test_values[2-new]",
        "test_spread[0]",
        "test_spread[3]",
        "test_plain",
    ]


def test_a_mark_whose_cases_are_gone_ends_the_collection(collected: Callable[[str], list[pytest.Item]]) -> None:
    items = collected(TESTS.replace('["old", "new"]', '["old"]'))

    with pytest.raises(pytest.UsageError, match=r"nothing would run of .*test_values"):
        leave_to_soak(items, whole=True)
    leave_to_soak(items, whole=False)  # of a test that was named on the command line only some cases are here
