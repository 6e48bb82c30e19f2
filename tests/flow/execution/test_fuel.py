"""Every run tells what it used, and a budget that is used up ends it."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.fuel.meter import has_monitoring
from tests.flow.execution.client import COUNTED, Call, needs_node, needs_programs, needs_wasm

pytestmark = needs_programs
FUEL = {"consumed", "budget", "utilization_percent", "status", "recommendation", "likely_causes", "unit"}


@pytest.mark.parametrize(
    ("language", "code"), [("python", "print(1)"), pytest.param("javascript", "console.log(1)", marks=needs_node)]
)
def test_every_run_tells_its_fuel_in_the_same_words(call: Call, language: str, code: str) -> None:
    answer = call("execute_code", code=code, language=language)

    fuel = answer.metadata["fuel_analysis"]
    assert set(fuel) == FUEL
    assert (fuel["unit"], fuel["budget"], fuel["status"]) == ("cpu_ms", 30_000, "efficient")
    assert answer.data["fuel_consumed"] == fuel["consumed"]
    assert (answer.data["success"], answer.data["stdout"], answer.is_error) == (True, "1\n", False)
    assert "error_guidance" not in answer.metadata


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import numpy, pandas", ["First import of `pandas` (0.31-0.44 s of CPU time)."]),
        ("from scipy import stats", ["First import of `scipy` (0.06-0.74 s of CPU time)."]),
        ("import json", []),
    ],
)
def test_native_code_is_told_what_its_imports_cost(call: Call, code: str, told: list[str]) -> None:
    answer = call("execute_code", code=code)

    assert answer.metadata["fuel_analysis"]["likely_causes"] == told


def test_out_of_fuel_outranks_what_the_program_says(call: Call) -> None:
    code = "import sys\nprint('PermissionError: /etc/passwd', file=sys.stderr)\nwhile True:\n    x = 1"

    answer = call("execute_code", code=code, fuel_unit=COUNTED, fuel_budget=5000, timeout=10)

    guidance = answer.metadata["error_guidance"]
    assert (answer.is_error, answer.data["success"], answer.data["exit_code"]) == (True, False, 1)
    assert (answer.metadata["trap_reason"], answer.metadata["reason"]) == ("out_of_fuel", "out_of_fuel")
    assert guidance["error_type"] == "OutOfFuel"
    assert "`fuel_budget=10000`" in " ".join(guidance["actionable_guidance"])
    assert answer.metadata["fuel_analysis"]["status"] == "exhausted"
    assert answer.metadata["fuel_analysis"]["utilization_percent"] == 100.0


@pytest.mark.soak
def test_processor_time_is_a_budget_too(call: Call) -> None:
    answer = call("execute_code", code="while True: pass", fuel_budget=900)

    assert (answer.data["status"], answer.metadata["trap_reason"]) == ("timeout", "out_of_fuel")
    assert answer.metadata["error_guidance"]["error_type"] == "OutOfFuel"
    assert answer.metadata["fuel_analysis"]["status"] == "exhausted"


def test_counted_fuel_is_the_same_every_time_and_only_for_python(call: Call) -> None:
    code = "for i in range(400): pass"

    counted = [call("execute_code", code=code, fuel_unit="lines", fuel_budget=1000) for _ in range(2)]
    refused = call("execute_code", code="1", language="bash", fuel_unit="lines")

    if not has_monitoring():
        assert counted[0].metadata["fuel_analysis"] == counted[1].metadata["fuel_analysis"]
        assert counted[0].metadata["fuel_analysis"]["status"] == "efficient"
    assert (refused.data["status"], refused.is_error) == ("setup_error", True)
    assert "counted for Python only" in refused.text


@pytest.mark.skipif(has_monitoring(), reason="this Python can count events")
def test_a_budget_of_a_unit_that_nothing_here_counts_is_refused_and_the_code_never_runs(call: Call) -> None:
    made = call("create_session")

    refused = [
        call("execute_code", code="open('ran', 'w')", fuel_unit="events", fuel_budget=1000, **where)
        for where in ({}, {"session_id": made.data["session_id"]})
    ]

    assert [(answer.data["status"], answer.is_error) for answer in refused] == [("setup_error", True)] * 2
    assert all("Use `lines`" in answer.text for answer in refused)
    assert call("list_session_files", session_id=made.data["session_id"]).data["files"] == []
    call("destroy_session", session_id=made.data["session_id"])


@needs_wasm
def test_instructions_are_a_hard_limit_and_the_trap_outranks_the_text(call: Call) -> None:
    code = "import sys\nprint('PermissionError: /etc/passwd', file=sys.stderr)\nwhile True: pass"

    answer = call("execute_code", code=code, runtime="wasm", fuel_budget=5_000_000_000)

    guidance, fuel = answer.metadata["error_guidance"], answer.metadata["fuel_analysis"]
    assert (guidance["error_type"], answer.metadata["trap_reason"]) == ("OutOfFuel", "out_of_fuel")
    assert "fuel_budget" in guidance["actionable_guidance"][1]
    assert "10,000,000,000" in guidance["actionable_guidance"][1]
    assert (fuel["unit"], fuel["status"], fuel["budget"]) == ("instructions", "exhausted", 5_000_000_000)
    assert (answer.is_error, answer.data["success"], answer.data["exit_code"]) == (True, False, 1)
