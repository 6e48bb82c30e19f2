"""What the runtimes and languages say of themselves is what happens when code runs in them."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import pytest

from jupyter_mcpgen.sandbox.fuel.import_costs import NATIVE
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.wasm.artifacts import PYTHON, QUICKJS, installed
from jupyter_mcpgen.tools.sandbox_packages import USES
from tests.flow.execution.client import COUNTED, MISSING, Call, needs_node, needs_programs

pytestmark = needs_programs


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"runtime": "wasm", "fuel_unit": "lines"}, "counts `instructions`"),
        ({"fuel_unit": "instructions"}, "`wasm` runtime only"),
    ],
)
def test_what_a_runtime_cannot_do_is_refused_before_it_runs(call: Call, arguments: dict[str, str], words: str) -> None:
    answer = call("execute_code", code="print(1)", **arguments)

    assert (answer.data["status"], answer.data["stdout"], words in answer.text) == ("setup_error", "", True)


def test_a_session_runs_in_the_runtime_that_it_was_made_for(call: Call, session: str) -> None:
    answer = call("execute_code", code="print(1)", runtime="wasm", session_id=session)

    assert (answer.data["status"], answer.data["stdout"]) == ("setup_error", "")
    assert f"The session `{session}` runs in the `native` runtime." in answer.text


def test_sessions_of_python_in_webassembly_are_refused_and_there_are_none(call: Call) -> None:
    answer = call("create_session", language="python", runtime="wasm")

    assert answer.is_error
    assert "Sessions of `python` run in the `native` runtime only" in answer.text
    assert call("list_sessions").data["sessions"] == []


@pytest.mark.skipif(installed(QUICKJS.package) is None, reason="the extra `wasm` is not installed")
def test_a_session_in_webassembly_counts_instructions_and_stops_at_them(call: Call) -> None:
    made = call("create_session", language="javascript", runtime="wasm").data
    try:
        kept = call("execute_code", code="var n = 41", session_id=made["session_id"])
        counted = call("execute_code", code="print(n + 1)", session_id=made["session_id"], runtime="wasm")
        spent = call("execute_code", code="while (true);", session_id=made["session_id"], fuel_budget=50_000_000)
        wrong = call("execute_code", code="print(1)", session_id=made["session_id"], fuel_unit="cpu_ms")
        (listed,) = call("list_sessions").data["sessions"]
    finally:
        call("destroy_session", session_id=made["session_id"])

    assert (made["runtime"], listed["runtime"], made["keeps_state"], made["data_paths"]) == ("wasm", "wasm", True, [])
    assert [note for note in made["notes"] if "none of the data paths" in note] == made["notes"] != []
    assert (kept.data["success"], counted.data["stdout"]) == (True, "42\n")
    assert counted.metadata["fuel_analysis"]["unit"] == "instructions"
    assert 10_000 < counted.data["fuel_consumed"] < 10_000_000
    assert (spent.data["status"], spent.metadata["fuel_analysis"]["status"]) == ("error", "exhausted")
    assert "100,000,000" in " ".join(spent.metadata["error_guidance"]["actionable_guidance"])
    assert "counts `instructions`" in wrong.text


def test_the_runtimes_say_what_is_there_and_what_is_missing(call: Call) -> None:
    listed = {one["name"]: one for one in call("list_runtimes").data["runtimes"]}

    assert (listed["python"]["reads_data"], listed["wasm-javascript"]["reads_data"]) == (True, False)
    assert set(MISSING) <= set(listed)
    for name, missing in MISSING.items():
        assert (listed[name]["available"], listed[name]["missing"]) == (missing is None, missing)
    assert all((one["state"] == "ready") is one["available"] is (one["missing"] is None) for one in listed.values())
    assert listed["python"]["fuel_units"] == ["cpu_ms", COUNTED]
    assert listed["wasm-python"]["fuel_units"] == ["instructions"]
    assert {name for name, one in listed.items() if one["keeps_state"]} == {"python", "javascript", "wasm-javascript"}


def test_an_unknown_language_is_refused_before_anything_runs(call: Call) -> None:
    answer = call("execute_code", code="x", language="cobol")

    assert answer.data["success"] is False
    assert "Unsupported language" in answer.text


def test_the_host_is_out_of_sight(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPGEN_SECRET_OF_THE_HOST", "leaked")
    code = "import os, socket\nprint(sorted(os.environ))\nsocket.socket()"

    answer = call("execute_code", code=code)

    assert "SECRET" not in answer.text
    assert (answer.data["success"], "PermissionError" in answer.data["stderr"]) == (False, True)


def test_the_eight_languages_are_listed_in_order_with_what_they_need(call: Call) -> None:
    answer = call("code_list_languages")

    names = ["bash", "c", "cpp", "go", "java", "javascript", "python", "rust"]
    assert (answer.data["status"], answer.data["languages"]) == ("success", names)
    for row in answer.data["details"]:
        assert row["image"]
        assert row["extension"].startswith(".")
        assert row["command"]
        assert row["timeout_factor"] >= 1
        assert row["available"] is (row["missing"] is None)


PROGRAMS = {
    "java": "public class Six { public static void main(String[] a) { System.out.println(6 * 7); } }",
    "c": '#include <stdio.h>\nint main(void) { printf("%d\\n", 6 * 7); return 0; }',
    "cpp": "#include <iostream>\nint main() { std::cout << 6 * 7 << std::endl; }",
    "javascript": "console.log(6 * 7)",
    "bash": "echo $((6 * 7))",
    "rust": 'fn main() { println!("{}", 6 * 7); }',
    "go": 'package main\nimport "fmt"\nfunc main() { fmt.Println(6 * 7) }',
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_programs_of_every_language_run(call: Call, language: str) -> None:
    answer = call("coding_execute_code", language=language, code=PROGRAMS[language])

    if MISSING[language] is not None:
        assert (answer.data["status"], answer.data["exit_code"]) == ("setup_error", -1)
        return
    assert (answer.data["stdout"], answer.data["status"], answer.metadata["sandbox_level"]) == (
        "42\n", "success", ProgramSandbox().level.value,
    )  # fmt: skip


def test_without_an_engine_docker_says_so(call: Call) -> None:
    answer = call("coding_run_in_docker", language="python", code="print(1)")

    found = {key: answer.data[key] for key in ("success", "status", "exit_code", "stdout", "container_id")}
    assert found == {"success": False, "status": "setup_error", "exit_code": -1, "stdout": "", "container_id": None}
    assert answer.is_error
    assert answer.data["error"].startswith("Docker execution failed: ")
    assert answer.data["error_type"] == "DockerNotAvailableError"


@pytest.mark.parametrize(
    ("wrong", "error_type"),
    [
        ({"memory_limit": "much"}, "ResourceLimitError"),
        ({"cpu_limit": -1}, "ResourceLimitError"),
        ({"image": "evil/image:1"}, "ImageNotFoundError"),
        ({"network_enabled": True}, "ContainerError"),
        ({"code": ""}, "ContainerError"),
        ({"cpu_limit": "many"}, "ContainerError"),
    ],
)
def test_docker_refuses_what_makes_no_sense_before_asking_an_engine(
    call: Call, wrong: dict[str, Any], error_type: str
) -> None:
    answer = call("coding_run_in_docker", **{"language": "python", "code": "print(1)", **wrong})

    assert (answer.data["status"], answer.is_error, answer.data["error_type"]) == ("setup_error", True, error_type)
    assert answer.metadata["sandbox_level"] == 3


@pytest.mark.soak
def test_packages_are_those_that_are_meant_for_code_by_the_name_that_it_imports(call: Call) -> None:
    packages = {one["name"]: one for one in call("list_available_packages").data["packages"]["python"]}

    assert packages["pandas"] == {
        "name": "pandas",
        "distribution": "pandas",
        "version": metadata.version("pandas"),
        "first_import_cpu_ms_least": NATIVE["pandas"].least,
        "first_import_cpu_ms": NATIVE["pandas"].most,
        "usage": USES["pandas"],
    }
    assert (packages["yaml"]["distribution"], packages["yaml"]["first_import_cpu_ms"]) == ("PyYAML", None)
    assert packages.keys() & {"jupyterlab", "jupyter_server", "IPython", "pip", "pytest", "fastmcp", "ruff"} == set()


@pytest.mark.soak
def test_every_listed_package_runs_as_its_line_says(call: Call) -> None:
    listed = call("list_available_packages").data["packages"]["python"]

    lines = {one["name"]: one["usage"] or f"import {one['name']}" for one in listed}
    failed = {
        name: answer.text
        for name, line in lines.items()
        if not (answer := call("execute_code", code=line)).data["success"]
    }
    assert {"pandas", "numpy", "pyarrow", "duckdb", "scipy"} <= lines.keys()
    assert failed == {}


@pytest.mark.soak
@pytest.mark.skipif(installed(PYTHON.package) is None, reason="Python in WebAssembly is not installed")
def test_the_packages_of_webassembly_are_named_with_what_their_first_import_takes(call: Call) -> None:
    note = call("list_available_packages").data["usage_note"]

    assert "Python in `wasm` has its own: numpy, and with these instructions for a first import pandas 4.6B" in note


@pytest.mark.soak
@needs_node
def test_what_is_said_of_javascript_is_so(call: Call) -> None:
    answer = call("list_available_packages")

    named = ("fs", "path", "crypto", "util")
    loaded = call("execute_code", language="javascript", code="\n".join(f"require('{name}')" for name in named))
    assert answer.data["packages"]["javascript"] == []
    assert [name for name in named if f"`{name}`" not in answer.data["usage_note"]] == []
    assert loaded.data["success"]


@pytest.mark.skipif(installed(QUICKJS.package) is None, reason="the extra `wasm` is not installed")
def test_memory_of_webassembly_is_what_may_be_given_and_no_more(call: Call) -> None:
    """It is memory of the server itself."""
    answer = call("execute_code", language="javascript", code="1", runtime="wasm", memory_bytes=2**40)

    assert any("so 4096 MB were" in note for note in answer.metadata["notes"])
