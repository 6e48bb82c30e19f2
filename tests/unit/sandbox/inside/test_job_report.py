"""What host and supervisor of a job tell each other arrives as it was sent, and nothing else is taken for it."""

from __future__ import annotations

import json

import pytest

from jupyter_mcpgen.sandbox.inside.job_order import JobOrder
from jupyter_mcpgen.sandbox.inside.job_report import Confined, JobEnded, JobReport, Unconfined, Waits, decoded, encoded

REPORTS = (
    Waits(41, 42),
    Confined(1024),
    Unconfined("OSError: no\nroom"),
    JobEnded(9, True, 1.5, 2048),
    JobEnded(0, False, 0.25, 2048, 10, 20),
)
ORDER = JobOrder(1.5, ("/data",), (("/lib", "usr/lib"),), "/scratch", 10, 20, sends_scratch=True)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: type(report).__name__)
def test_a_report_arrives_as_it_was_sent_on_one_line(report: JobReport) -> None:
    line = encoded(report)

    assert line.count(b"\n") == 1
    assert decoded(line) == report


def test_an_order_arrives_as_it_was_sent_on_one_line() -> None:
    line = ORDER.encoded()

    assert line.count(b"\n") == 1
    assert JobOrder.decoded(line) == ORDER


@pytest.mark.parametrize("field", ORDER._fields)
def test_an_order_with_a_field_of_another_type_is_none(field: str) -> None:
    with pytest.raises(ValueError, match=f"`{field}` was expected"):
        JobOrder.decoded(json.dumps({**ORDER._asdict(), field: {}}).encode())


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"[]", b'{"kind": "Done"}', b'{"kind": "Waits", "supervisor": 1, "job": "2"}', b'{"kind": "Confined"}',
     b'{"kind": "JobEnded", "status": 0, "timed_out": 0, "cpu_seconds": 1, "peak_memory_bytes": 1}'],
)  # fmt: skip
def test_anything_else_is_no_report(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"expected|unknown|Expecting"):
        decoded(line)
