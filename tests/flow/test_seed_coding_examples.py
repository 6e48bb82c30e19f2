"""The examples of seed 001, in its order, asked by a real MCP client over a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.flow.surface import serving
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
SECONDS = 120
PACKAGE = "src/codomyrmex/coding"
CODE = '''\
"""Runs."""


def run(times: int) -> int:
    """Return twice as much."""
    return times * 2
'''

Call = Callable[..., tuple[bool, dict[str, Any]]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("seed")
    for name in ("execution/executor.py", "tests/test_it.py", "module.py"):
        path = home / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CODE)
    return home


@pytest.fixture(scope="module")
def call(home: Path) -> Iterator[Call]:
    settings = {
        "MCPGEN_SERVER__SOURCE_FOLDERS": str(home),
        "MCPGEN_SERVER__OUTPUT_FOLDERS": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "MCPGEN_SANDBOX__DOCKER_HOST": "unix:///nonexistent/engine.sock",
    }
    with serving(home, [], settings) as served:

        def one(name: str, /, **arguments: Any) -> tuple[bool, dict[str, Any]]:
            async def story() -> Any:
                way = StreamableHttpTransport(served.status.url, auth=served.status.token.get_secret_value())
                async with Client(way, timeout=SECONDS) as client:
                    return await client.call_tool(name, arguments, raise_on_error=False)

            answer = asyncio.run(story())
            return answer.is_error, answer.structured_content or {}

        yield one


def test_code_is_executed_with_input_and_in_a_session(call: Call) -> None:
    code = "import sys\ndata = input()\nprint(f'Received: {data}')\nprint(f'Python version: {sys.version}')"
    failed, run = call("coding_execute_code", language="python", code=code, stdin="Hello from stdin", timeout=30)
    assert (failed, run["status"], run["exit_code"], run["error_message"]) == (False, "success", 0, None)
    assert run["stdout"].startswith("Received: Hello from stdin\nPython version: 3.")

    assert not call("coding_execute_code", language="python", code="x = 42", session_id="my-session")[0]
    again = call("coding_execute_code", language="python", code="print(x)", session_id="my-session")[1]
    assert again["stdout"] == "42\n"


@pytest.mark.soak
def test_a_file_is_analysed(call: Call) -> None:
    failed, found = call(
        "coding_analyze_file",
        file_path=f"./{PACKAGE}/execution/executor.py",
        analysis_types=["lint", "type", "complexity"],
        severity_threshold="warning",
    )

    assert (failed, found["success"], found["language"], found["issues"]) == (False, True, "python", [])
    assert found["issue_counts"] == {"error": 0, "warning": 0, "info": 0}
    assert found["metrics"]["cyclomatic_complexity"] == 1


def test_a_project_is_analysed(call: Call, home: Path) -> None:
    failed, found = call(
        "coding_analyze_project",
        path="./src/codomyrmex/",
        include_patterns=["**/*.py"],
        exclude_patterns=["**/tests/**", "**/__pycache__/**"],
        output_path="./reports/codomyrmex-analysis.html",
        report_format="html",
    )

    assert (failed, found["success"], found["files_analyzed"]) == (False, True, 2)
    assert found["quality_score"] == 100
    assert found["metrics"]["total_loc"] == 2 * len(CODE.splitlines())
    assert (home / "reports" / "codomyrmex-analysis.html").read_text().startswith("<!doctype html>")


@pytest.mark.soak
def test_quality_gates_are_checked(call: Call) -> None:
    gates = {"max_complexity": 8.0, "min_maintainability": 65.0, "max_errors": 0, "max_warnings": 10}

    failed, found = call("coding_check_quality_gates", path=f"./{PACKAGE}/", gates=gates, fail_on_violation=True)

    assert (failed, found["success"], found["overall_status"]) == (False, True, "pass")
    assert {one["gate"]: one["threshold"] for one in found["results"]} == gates
    assert found["gates_checked"] == found["gates_passed"] == 4


def test_code_is_debugged(call: Call) -> None:
    stderr = (
        'Traceback (most recent call last):\n  File "<string>", line 3, in process_data\n'
        "ZeroDivisionError: division by zero"
    )
    failed, found = call(
        "coding_debug_code",
        source_code="def process_data(items):\n    total = sum(items)\n    return total / len(items)",
        stdout="",
        stderr=stderr,
        exit_code=1,
        language="python",
        max_retries=3,
    )

    assert (failed, found["success"], found["patches_attempted"]) == (False, True, 1)
    assert found["diagnosis"]["error_type"] == "ZeroDivisionError"
    assert found["diagnosis"]["line_number"] == 3
    assert found["verification"]["tests_passed"] is True
    space: dict[str, Any] = {}
    exec(found["fixed_code"], space)  # noqa: S102  # what a person would run next
    assert (space["process_data"]([]), space["process_data"]([2, 4])) == (None, 3)


def test_a_run_is_monitored(call: Call) -> None:
    code = "import numpy as np\ndata = np.random.rand(200, 200)\nresult = np.linalg.svd(data)"

    failed, found = call(
        "coding_monitor_execution",
        language="python",
        code=code,
        sample_interval_ms=100,
        include_memory_profile=True,
        timeout=120,
    )

    assert (failed, found["success"], found["execution_result"]["status"]) == (False, True, "success")
    assert {"peak_memory_mb", "avg_cpu_percent", "total_duration_ms"} <= set(found["metrics"])
    assert found["metrics"]["peak_memory_mb"] > 1


def test_a_report_is_generated(call: Call, home: Path) -> None:
    failed, found = call(
        "coding_generate_report",
        analysis_results={"files_analyzed": 42, "total_issues": 23, "quality_score": 85.5},
        output_path="./reports/weekly-quality.html",
        format="html",
        include_charts=True,
        title="Weekly Code Quality Report - Codomyrmex",
    )

    path = home / "reports" / "weekly-quality.html"
    assert (failed, found["success"], found["format"]) == (False, True, "html")
    assert found["size_bytes"] == path.stat().st_size
    assert "<title>Weekly Code Quality Report - Codomyrmex</title>" in path.read_text()


def test_without_an_engine_a_container_is_a_setup_error(call: Call) -> None:
    failed, found = call(
        "coding_run_in_docker",
        language="python",
        code="import requests\nprint(requests.get('https://api.example.com/health').status_code)",
        image="python:3.11-slim",
        environment={"PYTHONUNBUFFERED": "1"},
        memory_limit="512m",
        cpu_limit=1.0,
        timeout=30,
    )

    assert (failed, found["success"], found["status"]) == (True, False, "setup_error")
    assert found["error"].startswith("Docker execution failed: ")


def test_what_has_no_fix_is_told_with_the_diagnosis_inside_and_outside(call: Call) -> None:
    code, stderr = "beds = {}\nprint(beds['north'])\n", "KeyError: 'north'\n"

    failed, found = call("coding_debug_code", source_code=code, stdout="", stderr=stderr, exit_code=1)
    short_failed, short = call("code_debug", code=code, stderr=stderr)

    assert (failed, found["success"], found["error_type"]) == (True, False, "PatchGenerationError")
    assert found["error"].startswith("Debugging failed: ")
    assert found["diagnosis"]["error_type"] == "KeyError"
    assert (short_failed, short["status"], short["diagnosis"]) == (True, "error", found["diagnosis"])
