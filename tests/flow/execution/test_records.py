"""The record of a run says what happened: its output, its outcome, and what was measured."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fastmcp import Client, FastMCP

from tests.flow.execution.client import KEYS, Call, needs_programs

pytestmark = needs_programs


def test_output_is_cut_and_marked_and_the_whole_is_kept(call: Call) -> None:
    whole = call("coding_execute_code", language="python", code="for i in range(5000): print(i)")
    cut = call("coding_execute_code", language="python", code="for i in range(6000): print(i)")

    assert (whole.data["stdout"].count("\n"), whole.metadata["stdout_truncated"]) == (5000, False)
    lines = cut.data["stdout"].splitlines()
    assert lines[:500] == [str(i) for i in range(500)]
    assert "[Output truncated: 6000 lines total" in lines[500]
    assert cut.metadata["stdout_truncated"] is True
    kept = Path(lines[500].rpartition(" is in ")[2].rstrip("]"))
    assert kept.read_text().splitlines() == [str(i) for i in range(6000)]


def test_a_long_trace_is_told_once(call: Call) -> None:
    code = "import sys\nfor i in range(50): print('the same line', file=sys.stderr)\nsys.exit(1)"

    answer = call("coding_execute_code", language="python", code=code)

    assert answer.data["stderr"].splitlines() == ["the same line", "  [previous line repeated 49 more times]"]


OUTCOMES = {
    "success": ("print(1)", False),
    "error": ("raise ValueError('no')", True),
    "timeout": ("import time; time.sleep(9)", True),
    "setup_error": ("", True),
}


@pytest.mark.parametrize("status", OUTCOMES)
def test_the_outer_status_is_the_inner_one(call: Call, status: str) -> None:
    code, fails = OUTCOMES[status]
    answer = call("code_execute", language="python", code=code, timeout=1 if status == "timeout" else 30)

    assert (answer.data["status"], answer.data["result"]["status"], answer.is_error) == (status, status, fails)
    assert (answer.data["result"]["error_message"] is None) is (status == "success")


def test_standard_input_reaches_the_program(call: Call) -> None:
    answer = call("coding_execute_code", language="python", code="print(f'Received: {input()}')", stdin="hello")

    assert answer.data["stdout"] == "Received: hello\n"


def test_monitoring_gives_the_record_and_what_was_used(call: Call) -> None:
    code = "import time\ndata = b'x' * 50_000_000\nend = time.monotonic() + 2\nwhile time.monotonic() < end: pass"

    answer = call(
        "coding_monitor_execution", language="python", code=code, sample_interval_ms=20, include_memory_profile=True
    )

    metrics, timeline = answer.data["metrics"], answer.data["timeline"]
    assert answer.data["success"] is True
    assert set(answer.data["execution_result"]) == KEYS
    assert metrics["peak_memory_mb"] > 50
    assert metrics["avg_cpu_percent"] > 0
    assert metrics["memory_profile"]["samples"] == len(timeline) > 0
    assert set(timeline[0]) == {"timestamp_ms", "memory_mb", "cpu_percent"}
    assert "error" not in answer.data


@pytest.mark.parametrize(("asked", "told"), [(0, "10"), (-5, "10"), (20_000, "10000"), (50, None)])
def test_an_interval_outside_the_bounds_is_brought_inside_and_told(call: Call, asked: int, told: str | None) -> None:
    answer = call("coding_monitor_execution", language="bash", code="true", sample_interval_ms=asked)

    notes = answer.data["execution_result"]["metadata"]["notes"]
    assert notes == ([] if told is None else [f"`sample_interval_ms` is outside 10 to 10000, so {told} was used."])


def test_monitoring_a_failure_is_a_failure_with_what_was_measured(call: Call) -> None:
    answer = call("coding_monitor_execution", language="python", code="raise KeyError('x')")

    assert (answer.is_error, answer.data["success"]) == (True, False)
    assert answer.data["error"].startswith("Monitoring failed: ")
    assert answer.data["partial_metrics"] == answer.data["metrics"]


@pytest.mark.soak
def test_a_client_that_wants_to_know_is_told_how_long_it_runs(app: FastMCP) -> None:
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, _: str | None) -> None:
        told.append((progress, total))

    async def story() -> None:
        async with Client(app) as client:
            code = {"code": "import time; time.sleep(3)", "timeout": 20}
            await client.call_tool("execute_code", code, progress_handler=tell)

    asyncio.run(story())
    assert len(told) >= 2
    assert told == sorted(told)
    assert {total for _, total in told} == {20.0}
