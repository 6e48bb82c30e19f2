"""What a person switches off in the settings is not in the answers, and what is counted is counted all the same."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from jupyter_mcpgen.model.event import ProgramRan
from jupyter_mcpgen.server import launch
from tests.flow.execution.client import Answer, Call, needs_programs

pytestmark = needs_programs

Served = Callable[..., Answer]


@pytest.fixture
def served(tmp_path: Path) -> Served:
    """Call `execute_code` of a server that is started with settings, which are given as variables."""
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "HOME": "home"}

    def one(code: str, **variables: str) -> Answer:
        environment = {**os.environ, **{name: str(tmp_path / place) for name, place in places.items()}, **variables}
        arguments = [*launch.PROGRAM[1:], "--stdio", "--registry", str(tmp_path / "registry"), "--state", str(tmp_path)]
        transport = stdio_client(StdioServerParameters(command=launch.PROGRAM[0], args=arguments, env=environment))

        async def story() -> Answer:
            async with Client(transport, cache=None) as client:
                return Answer(await client.call_tool("execute_code", {"code": code, "fuel_budget": 1000}))

        return asyncio.run(story())

    return one


@pytest.mark.every_run("neither")
@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, {"error_guidance", "fuel_analysis"}),
        ({"MCPGEN_GUIDANCE__ENABLED": "false"}, {"fuel_analysis"}),
        ({"MCPGEN_FUEL_ANALYSIS__ENABLED": "false"}, {"error_guidance"}),
        ({"MCPGEN_GUIDANCE__ENABLED": "false", "MCPGEN_FUEL_ANALYSIS__ENABLED": "false"}, set()),
    ],
    ids=["both", "no guidance", "no fuel analysis", "neither"],
)
def test_what_is_switched_off_is_not_in_the_answer(
    served: Served, variables: dict[str, str], told: set[str], tmp_path: Path
) -> None:
    answer = served("while True: pass", **variables)

    assert answer.metadata.keys() & {"error_guidance", "fuel_analysis"} == told
    assert ("What to do (OutOfFuel)" in answer.text) == ("error_guidance" in told)
    assert ("Fuel: " in answer.text) == ("fuel_analysis" in told)
    assert (answer.data["status"], answer.metadata["trap_reason"]) == ("timeout", "out_of_fuel")
    assert answer.data["fuel_consumed"] > 0
    assert json.loads((tmp_path / "registry" / "metrics.json").read_text())["programs"] == {
        "runs": 1,
        "failures": 1,
        "classified": 1,
        "classified_rate": 1.0,
        "out_of_fuel_rate": 1.0,
        "error_types": {"OutOfFuel": 1},
    }


FAILURES: dict[str, tuple[str, str | None]] = {
    "known": ("1 / 0", None),
    "caught": ("try:\n    1 / 0\nexcept ZeroDivisionError: pass", None),
    "of the language": ("raise BufferError('secret')", "exit code 1, exception BufferError"),
    "of a package": (
        "import pandas as pd\nraise pd.errors.ClosedFileError('secret')",
        "exception pandas.errors.",
    ),
    "of its own": ("class SecretError(Exception): pass\nraise SecretError('secret')", "exception of its own"),
    "none": ("import sys; print('secret', file=sys.stderr); sys.exit(7)", "exit code 7, exception none"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_that_no_rule_knows_is_logged_without_a_word_of_the_program(
    call: Call, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    code, told = FAILURES[name]
    caplog.set_level(logging.INFO, "jupyter_mcpgen.sandbox.guidance")

    call("execute_code", code=code)

    logged = [record.getMessage() for record in caplog.records if record.name.startswith("jupyter_mcpgen.sandbox")]
    assert [told in line for line in logged if told is not None] == ([True] if told else [])
    assert len(logged) == (told is not None)
    assert "secret" not in " ".join(logged).casefold()


def test_how_many_failures_are_known_is_counted(heard: list[ProgramRan], call: Call) -> None:
    heard.clear()
    for code in ("print(1)", "1 / 0", "raise BufferError", "import no_such_thing"):
        call("execute_code", code=code)
    call("execute_code", code="")  # never began

    assert [(ran.failed, ran.advice, ran.is_classified) for ran in heard] == [
        (False, None, False),
        (True, "DivisionByZero", True),
        (True, "UncaughtException", False),
        (True, "MissingPackage", True),
    ]
