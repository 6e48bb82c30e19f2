"""Which cases of a test run with every change; the others are variations of the same promise, for `make soak`.

`@pytest.mark.every_run("wide-dark", "narrow")` names them by a part of their ids, and `every_run(era=["auto"])` by a
value of one parameter; `@pytest.mark.one_in(3)` takes the first of a long list and each third after it. Of several
marks a case has to satisfy each. A mark whose cases are gone ends the collection, for no change would run its test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest


def leave_to_soak(items: Iterable[pytest.Item], *, whole: bool) -> None:
    """Mark the cases that have to wait for `make soak`; `whole`: all cases of each test are among the items."""
    places: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("every_run") is None and item.get_closest_marker("one_in") is None:
            continue
        test = item.nodeid.partition("[")[0]
        stays = all(_stays(item, places[test]))
        places[test] += 1
        kept[test] += stays
        if not stays:
            item.add_marker(pytest.mark.soak)
    if whole and (gone := [test for test in places if not kept[test]]):
        raise pytest.UsageError(f"`every_run` names no case that is there, so nothing would run of {', '.join(gone)}.")


def _stays(item: pytest.Item, place: int) -> Iterator[bool]:
    yield from (place % mark.args[0] == 0 for mark in item.iter_markers("one_in"))
    case = getattr(item, "callspec", None)
    if case is None:  # a test without parameters, in a file whose mark is about one
        return
    for mark in item.iter_markers("every_run"):
        if mark.args:
            yield any(f"-{part}-" in f"-{case.id}-" for part in mark.args)
        yield from (case.params[name] in values for name, values in mark.kwargs.items() if name in case.params)
