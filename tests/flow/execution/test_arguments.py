"""Arguments that do not fit are told inside and outside the record, and nothing runs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError

from tests.flow.execution.client import KEYS, Call, needs_programs

pytestmark = needs_programs


@pytest.mark.parametrize(("asked", "told"), [(0, "1"), (-50, "1"), (301, "300"), (9999, "300")])
def test_a_timeout_outside_the_bounds_is_brought_inside_and_told(call: Call, asked: int, told: str) -> None:
    answer = call("coding_execute_code", language="bash", code="true", timeout=asked)

    assert answer.metadata["notes"] == [f"The timeout of {asked} seconds is outside 1 to 300, so {told} was used."]


@pytest.mark.parametrize("asked", [None, 1, 60, 299, 300])
def test_a_timeout_inside_the_bounds_is_taken_as_it_is(call: Call, asked: int | None) -> None:
    answer = call("coding_execute_code", language="bash", code="true", timeout=asked)

    assert answer.metadata["notes"] == []


@pytest.mark.parametrize("language", ["Python", "", "cobol", "sql", "ruby", "php", "r", None, 7])
@pytest.mark.parametrize("tool", ["coding_execute_code", "code_execute"])
def test_what_is_no_language_is_a_setup_error_inside_and_outside(call: Call, tool: str, language: object) -> None:
    answer = call(tool, language=language, code="1")

    result = answer.data["result"] if tool == "code_execute" else answer.data
    assert answer.is_error
    assert answer.data["status"] == result["status"] == "setup_error"
    assert (result["exit_code"], result["stdout"], set(result)) == (-1, "", KEYS)
    assert "Unsupported language" in result["error_message"]


@pytest.mark.parametrize("code", ["", "  \n", None])
@pytest.mark.parametrize("tool", ["coding_execute_code", "coding_monitor_execution", "code_execute", "execute_code"])
def test_no_code_is_a_setup_error(call: Call, tool: str, code: str | None) -> None:
    answer = call(tool, language="python", code=code)

    inner = answer.data.get("result") or answer.data.get("execution_result") or answer.data
    assert (answer.is_error, inner["status"], inner["exit_code"]) == (True, "setup_error", -1)


NEEDED = {"stdout", "stderr", "exit_code", "execution_time", "status", "error_message"}
UNFIT: dict[str, dict[str, Any]] = {
    "nothing": {},
    "no code": {"language": "python"},
    "no language": {"code": "print(1)"},
    "another type": {"language": "python", "code": 5},
    "another parameter": {"language": "python", "code": "print(1)", "tiemout": 3},
    "a timeout in words": {"language": "python", "code": "print(1)", "timeout": "long"},
}


@pytest.mark.parametrize("arguments", UNFIT.values(), ids=list(UNFIT))
@pytest.mark.parametrize(
    "name", ["coding_execute_code", "coding_monitor_execution", "coding_run_in_docker", "code_execute"]
)
def test_arguments_that_do_not_fit_are_a_setup_error_with_every_key(
    call: Call, name: str, arguments: dict[str, Any]
) -> None:
    answer = call(name, **arguments)

    record = answer.data.get("execution_result") or answer.data.get("result") or answer.data
    assert set(record) >= NEEDED
    assert (answer.is_error, record["status"], record["exit_code"], record["stdout"]) == (True, "setup_error", -1, "")
    assert f"`{name}`" in record["error_message"]
    assert record["error_message"] in answer.text


def test_arguments_that_do_not_fit_are_told_in_the_record_of_execute_code_too(call: Call) -> None:
    answer = call("execute_code", code="print(1)", fuel_budget="much")

    assert (answer.is_error, answer.data["success"], answer.data["status"]) == (True, False, "setup_error")
    assert "`fuel_budget` does not fit" in answer.data["error_message"]
    assert "not 'much'" in answer.data["error_message"]


@pytest.mark.parametrize("budget", [2**64, 10**400])
@pytest.mark.parametrize("runtime", ["native", "wasm"])
def test_a_budget_that_no_runtime_can_count_is_a_setup_error(call: Call, runtime: str, budget: int) -> None:
    answer = call("execute_code", language="javascript", code="1", runtime=runtime, fuel_budget=budget)

    assert (answer.is_error, answer.data["status"]) == (True, "setup_error")
    assert "`fuel_budget` does not fit" in answer.data["error_message"]


@pytest.mark.parametrize("named", [123, 1.5, True])
def test_an_id_that_is_no_text_is_refused_in_words(call: Call, named: object) -> None:
    answer = call("create_session", session_id=named)

    assert (answer.is_error, f"`{named}` cannot be a session's id" in answer.text) == (True, True)


def test_what_runs_no_code_tells_unfit_arguments_as_text(call: Call) -> None:
    answer = call("read_session_file", session_id="x")

    assert (answer.is_error, answer.data) == (True, {})
    assert "`path` is missing" in answer.text


def test_an_argument_that_does_not_exist_is_an_error_with_an_offer(app: FastMCP) -> None:
    async def story() -> None:
        async with Client(app) as client:
            await client.call_tool("execute_code", {"code": "1", "timout": 3})

    with pytest.raises(ToolError, match="Did you mean `timeout`"):
        asyncio.run(story())
