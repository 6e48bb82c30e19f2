"""SELECTs as models and analysts write them: what each is read as, or why it is not, and the same rows of both."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.from_sql import Unread, check_select, written
from tests.selects import TABLES, Desk, Select, desks, selects

_READ = [select for select in selects() if select.says is not None]
_LEAST_SHARE = 0.7
"""Most SELECTs of the files are read; the others are there because a plan cannot hold them."""


@pytest.mark.parametrize("select", selects(), ids=lambda select: select.about)
def test_a_select_is_read_as_the_file_says_or_is_not_read_for_its_reason(select: Select) -> None:
    reading = select.reading

    found = (None, reading.reason) if isinstance(reading, Unread) else (say_plan(reading.plan), None)
    assert found == (select.says, select.unread)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("desk", desks(), ids=lambda desk: desk.kind)
def test_a_select_and_its_plan_give_the_same_rows(desk: Desk) -> None:
    contradicted = {}
    for select in _READ:
        reading = select.reading
        assert not isinstance(reading, Unread)
        difference = desk.difference(desk.run(select.sql), reading)
        if difference is not None:
            contradicted[select.about] = difference

    assert contradicted == {}


@pytest.mark.soak
def test_what_was_parsed_and_written_again_gives_the_same_rows() -> None:
    desk = desks()[1]
    contradicted = {}
    for select in _READ:
        reading, statement = select.reading, check_select(select.sql, TABLES)
        assert not isinstance(reading, Unread)
        difference = desk.difference(desk.run(written(statement)), reading)
        if difference is not None:
            contradicted[select.about] = difference

    assert contradicted == {}


def test_most_selects_of_the_files_are_read() -> None:
    assert len(_READ) / len(selects()) >= _LEAST_SHARE
