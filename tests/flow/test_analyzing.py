"""An AI client has a person's code analyzed over MCP: in the folders that are open, and nowhere else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.flawed_project import write_flawed
from tests.flow.surface import serving
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
CLIENT_SECONDS = 120


class Answer:
    """What a client got."""

    def __init__(self, result: Any) -> None:
        self.is_error: bool = result.is_error
        self.text: str = result.content[0].text
        self.data: dict[str, Any] = result.structured_content or {}


Call = Callable[..., Answer]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("analyzed")
    write_flawed(home / "nursery")
    write_flawed(home / "private")
    (home / "nursery" / "out.py").symlink_to(home / "private" / "orders.py")
    return home


@pytest.fixture(scope="module")
def told() -> list[str]:
    """Collect the progress that the client hears of."""
    return []


@pytest.fixture(scope="module")
def call(home: Path, told: list[str]) -> Iterator[Call]:
    """Serve with one folder open to read and one to write, and call a tool with a real client."""
    settings = {
        "MCPGEN_SERVER__SOURCE_FOLDERS": str(home / "nursery"),
        "MCPGEN_SERVER__OUTPUT_FOLDERS": str(home / "reports"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    with serving(home, [], settings) as served:

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            told.append(message or "")

        def one(name: str, /, **arguments: Any) -> Answer:
            async def story() -> Answer:
                way = StreamableHttpTransport(served.status.url, auth=served.status.token.get_secret_value())
                async with Client(way, timeout=CLIENT_SECONDS, progress_handler=hear) as client:
                    return Answer(await client.call_tool(name, arguments, raise_on_error=False))

            return asyncio.run(story())

        yield one


def test_a_file_is_analysed_by_its_path_in_an_open_folder(call: Call, home: Path) -> None:
    answer = call(
        "coding_analyze_file",
        file_path="./orders.py",
        analysis_types=["lint", "type", "security"],
        severity_threshold="warning",
    )

    assert not answer.is_error
    assert (answer.data["success"], answer.data["file_path"], answer.data["language"]) == (
        True,
        "./orders.py",
        "python",
    )
    assert {"F401", "return-value", "B602"} <= {issue["rule"] for issue in answer.data["issues"]}
    assert all(
        {"severity", "line", "column", "message", "rule", "category", "suggestion"} <= set(issue)
        for issue in answer.data["issues"]
    )
    assert answer.data["issue_counts"]["info"] == 0
    assert set(answer.data["metrics"]) == {"lines_of_code", "cyclomatic_complexity", "maintainability_index"}
    assert "orders.py:12:" in answer.text


@pytest.mark.soak
def test_a_project_is_analysed_and_its_report_written(call: Call, home: Path, told: list[str]) -> None:
    answer = call(
        "coding_analyze_project",
        path=str(home / "nursery"),
        exclude_patterns=["**/empty/**"],
        output_path="quality.html",
        report_format="html",
    )

    assert (answer.is_error, answer.data["files_analyzed"]) == (False, 6)
    assert answer.data["issue_summary"]["error"] >= 4
    assert answer.data["total_issues"] == sum(answer.data["issue_summary"].values())
    assert "orders.py" in answer.data["files_with_issues"]
    written = Path(answer.data["output_path"])
    assert written == (home / "reports" / "quality.html").resolve()
    assert "torn.js" in written.read_text()
    assert any("checks are done" in message for message in told)


def test_gates_fail_outside_and_inside(call: Call) -> None:
    strict = call("coding_check_quality_gates", path="orders.py")
    lax = call("coding_check_quality_gates", path="orders.py", fail_on_violation=False)
    easy = call("coding_check_quality_gates", path="orders.py", gates={"max_errors": 50, "max_complexity": 20})

    assert (strict.is_error, strict.data["success"], strict.data["overall_status"]) == (True, False, "fail")
    assert (lax.is_error, lax.data["success"], lax.data["overall_status"]) == (False, True, "warn")
    assert (easy.is_error, easy.data["success"], easy.data["overall_status"]) == (False, True, "pass")
    assert easy.data["gates_checked"] == easy.data["gates_passed"] == 4


def test_a_report_is_written_from_the_results_that_a_client_has(call: Call, home: Path) -> None:
    results = call("coding_analyze_file", file_path="orders.py").data

    answer = call("coding_generate_report", analysis_results=results, output_path="deep/orders.md", format="markdown")

    path = home / "reports" / "deep" / "orders.md"
    assert answer.data == {
        "success": True,
        "output_path": str(path.resolve()),
        "format": "markdown",
        "size_bytes": path.stat().st_size,
        "sections_included": ["summary", "issues", "metrics", "recommendations"],
    }


def test_the_short_names_say_the_same_of_the_status_inside_and_outside(call: Call) -> None:
    good, bad = call("code_review_file", path="orders.py"), call("code_review_project", path="no such folder")

    assert (good.is_error, good.data["status"], good.data["analysis"]["success"]) == (False, "success", True)
    assert (bad.is_error, bad.data["status"], "analysis" in bad.data) == (True, "error", False)


HEADS = {
    "coding_analyze_file": "Analysis failed: ",
    "coding_analyze_project": "Project analysis failed: ",
    "coding_check_quality_gates": "Quality gate check failed: ",
    "coding_generate_report": "Report generation failed: ",
}


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("coding_analyze_file", {"file_path": "gone.py"}, "FileNotFoundError"),
        ("coding_analyze_file", {"file_path": "notes.txt"}, "UnsupportedLanguageError"),
        ("coding_analyze_file", {"file_path": "out.py"}, "PathNotOpen"),
        ("coding_analyze_file", {"file_path": ".hidden/secret.py"}, "PathNotOpen"),
        ("coding_analyze_file", {"file_path": "../private/orders.py"}, "PathNotOpen"),
        ("coding_analyze_file", {"file_path": "/etc/passwd"}, "PathNotOpen"),
        ("coding_analyze_file", {}, "AnalysisError"),
        ("coding_analyze_file", {"file_path": "orders.py", "analysis_types": ["style"]}, "AnalysisError"),
        ("coding_analyze_project", {"path": "gone"}, "DirectoryNotFoundError"),
        ("coding_analyze_project", {"path": ".", "include_patterns": ["*.rs"]}, "AnalysisError"),
        ("coding_analyze_project", {"path": ".", "output_path": "/tmp/r.html"}, "PathNotOpen"),
        ("coding_check_quality_gates", {"path": ".", "gates": {"max_lines": 5}}, "ConfigurationError"),
        ("coding_check_quality_gates", {"path": "gone"}, "DirectoryNotFoundError"),
        ("coding_generate_report", {"analysis_results": {}, "output_path": "r.html"}, "InvalidResultsError"),
        ("coding_generate_report", {"analysis_results": {"total_issues": 1}, "output_path": "../r"}, "PathNotOpen"),
    ],
)
def test_a_failure_is_told_inside_and_outside_with_the_seeds_words(
    call: Call, tool: str, arguments: dict[str, Any], kind: str
) -> None:
    answer = call(tool, **arguments)

    assert answer.is_error
    assert (answer.data["success"], answer.data["error_type"]) == (False, kind)
    assert answer.data["error"].startswith(HEADS[tool])
    assert answer.text == answer.data["error"]


def test_nothing_of_a_closed_folder_is_told(call: Call, home: Path) -> None:
    there = call("coding_analyze_file", file_path=str(home / "private" / "orders.py"))
    not_there = call("coding_analyze_file", file_path=str(home / "private" / "nothing.py"))

    assert json.dumps(there.data).replace("orders", "nothing") == json.dumps(not_there.data)
