"""`metrics.json` and `stats` say what was generated, decided and called, by every process of a registry."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.model.event import Event, ProgramRan, ToolCalled, ToolGenerated
from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.model.usage import Metrics
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.runtime import Runtime
from tests.products import new_runtime

NOON = "2026-01-22T12:00:00Z"
MANY_CALLS = """
import sys
from pathlib import Path
from jupyter_mcpgen.model.event import ToolCalled
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
monitor = Monitor(Layout(Path(sys.argv[1])), lambda: "2026-01-22T12:00:00Z")
for number in range(25):
    monitor.listen(ToolCalled(tool_name="weigh", milliseconds=1.0, failed=number % 5 == 0))
"""


def stored(root: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((root / "metrics.json").read_text())
    return kept


def generated(milliseconds: float, *, passed: bool = True) -> ToolGenerated:
    return ToolGenerated(request_id="r", tool_name="weigh", milliseconds=milliseconds, passed=passed)


def monitor(root: Path) -> Monitor:
    return Monitor(Layout(root), lambda: NOON)


def test_the_file_has_the_fields_of_the_seed_and_what_they_are_computed_from(tmp_path: Path) -> None:
    for event in (generated(100.0), generated(300.0), generated(500.0, passed=False), generated(300.0)):
        monitor(tmp_path).listen(event)

    assert stored(tmp_path) == {
        "total_generated": 4,
        "approved": 0,
        "rejected": 0,
        "avg_generation_time_ms": 300.0,
        "validation_failure_rate": 0.25,
        "common_rejection_reasons": [],
        "rejection_reasons": {},
        "generation_ms": 1200.0,
        "validation_failures": 1,
        "tools": {},
        "programs": {
            "runs": 0,
            "failures": 0,
            "classified": 0,
            "classified_rate": None,
            "out_of_fuel_rate": 0.0,
            "error_types": {},
        },
    }


def test_runs_of_clients_are_counted_and_stats_says_how_many_failures_are_of_a_known_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ProgramRan(failed=True, advice=ErrorType.OUT_OF_FUEL, is_classified=True)
    general = ProgramRan(failed=True, advice=ErrorType.UNCAUGHT_EXCEPTION)
    for event in (known, general, ProgramRan(failed=True), ProgramRan(failed=False)):
        monitor(tmp_path).listen(event)
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(tmp_path))

    assert main(["stats"]) == 0

    assert stored(tmp_path)["programs"] == {
        "runs": 4,
        "failures": 3,
        "classified": 1,
        "classified_rate": 0.3333,
        "out_of_fuel_rate": 0.25,
        "error_types": {"OutOfFuel": 1, "UncaughtException": 1},
    }
    shown = " ".join(capsys.readouterr().out.replace("│", "").split())
    assert "4 runs, 3 failed, 33% of a known kind" in shown
    assert "OutOfFuel (1), UncaughtException (1)" in shown


@pytest.mark.soak
def test_no_call_is_lost_among_processes_that_write_at_once(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    started = [subprocess.Popen([sys.executable, "-c", MANY_CALLS, tmp_path], cwd=root) for _ in range(3)]

    assert [process.wait() for process in started] == [0, 0, 0]
    assert stored(tmp_path)["tools"] == {"weigh": {"calls": 75, "errors": 15, "last_used": NOON}}


def test_reading_creates_nothing(tmp_path: Path) -> None:
    assert monitor(tmp_path / "registry").read() == Metrics()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("broken", ["", "{", '{"total_generated": "many"}'])
def test_a_file_that_cannot_be_read_begins_anew_and_stops_nothing(tmp_path: Path, broken: str) -> None:
    (tmp_path / "metrics.json").write_text(broken)

    monitor(tmp_path).listen(ToolCalled(tool_name="weigh", milliseconds=1.0, failed=False))

    assert stored(tmp_path)["tools"]["weigh"]["calls"] == 1


def test_a_link_in_its_place_is_not_followed_and_fails_no_answer(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside.json", tmp_path / "registry"
    outside.write_text("{}")
    root.mkdir()
    (root / "metrics.json").symlink_to(outside)

    monitor(root).listen(generated(1.0))

    assert outside.read_text() == "{}"


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> tuple[Runtime, list[Event]]:
    """Return a product in which two answers were decided and a tool was called three times, once in vain."""
    folder = tmp_path_factory.mktemp("metrics")
    (folder / "jars.csv").write_text("shelf,grams\nhigh,5\nlow,7\nhigh,9\n")
    events: list[Event] = []
    runtime = new_runtime(folder)
    runtime.listeners.append(events.append)
    data = runtime.reference(str(folder / "jars.csv"))
    kept, refused = (runtime.ask(question, data) for question in ("total grams by shelf", "median grams by shelf"))
    assert isinstance(kept, Staged)
    assert isinstance(refused, Staged)
    runtime.approve(kept.card.card_id)
    runtime.answer(refused.card.card_id, refused.card.fingerprint, "registration", "reject", "wrong column")
    runtime.run_tool(kept.card.tool_name, data, {})
    with pytest.raises(ToolFailed):
        runtime.run_tool(kept.card.tool_name, data, {"value_column": "nowhere"})
    runtime.ask("total grams by shelf", data)
    return runtime, events


def test_decisions_and_calls_of_a_product_are_counted(used: tuple[Runtime, list[Event]]) -> None:
    runtime, events = used
    spent = [event.milliseconds for event in events if isinstance(event, ToolGenerated)]

    kept = stored(runtime.registry.root)

    assert (kept["total_generated"], kept["approved"], kept["rejected"]) == (2, 1, 1)
    assert kept["common_rejection_reasons"] == ["COLUMN_MISMATCH"]
    assert kept["rejection_reasons"] == {"COLUMN_MISMATCH": 1}
    assert kept["validation_failure_rate"] == 0.0
    assert kept["avg_generation_time_ms"] == pytest.approx(sum(spent) / 2, abs=0.1)
    (name,) = kept["tools"]
    assert (name, kept["tools"][name]["calls"], kept["tools"][name]["errors"]) == ("sum_by_group", 3, 1)
    assert runtime.registry.doctor().ok


def test_stats_in_a_terminal_says_the_same(
    used: tuple[Runtime, list[Event]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(used[0].registry.root))

    assert main(["stats"]) == 0

    shown = " ".join(capsys.readouterr().out.split())
    assert "COLUMN_MISMATCH (1)" in shown
    assert "sum_by_group 3 1" in shown.replace("│", "")
