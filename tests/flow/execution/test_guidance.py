"""A failure comes with guidance, and a success comes without."""

from __future__ import annotations

import pytest

from tests.flow.execution.client import MISSING, Call, needs_programs, needs_wasm

pytestmark = needs_programs


@needs_wasm
def test_a_path_outside_the_guest_points_to_its_workspace(call: Call) -> None:
    answer = call("execute_code", code="open('/home/x/sales.csv')", runtime="wasm")

    said = " ".join(answer.metadata["error_guidance"]["actionable_guidance"])
    assert answer.metadata["error_guidance"]["error_type"] == "PathRestriction"
    assert [word for word in ("/home/x/sales.csv", "/app", "relative path") if word not in said] == []


FETCH = "from urllib.request import urlopen"
FAILURES = {
    "path": ("python", "open('/etc/shadow')", "PathRestriction", ["/etc/shadow", "relative path"]),
    "missing file": ("python", "open('nothing.csv')", "FileNotFound", ["nothing.csv"]),
    "missing package": ("python", "import no_such_thing", "MissingPackage", ["no_such_thing"]),
    "column": ("python", "import pandas as pd\npd.DataFrame({'a': [1]})['b']", "ColumnNotFound", ["`b`"]),
    "not iterable": ("javascript", "const [a, b] = 5;", "NotIterable", ["line 1", "braces"]),
    "network": ("python", f"{FETCH}\nurlopen('http://127.0.0.1:9')", "NetworkDenied", ["no network"]),
    "timeout": ("python", "import time; time.sleep(60)", "Timeout", ["`timeout=2`"]),
    "memory": ("python", "x = bytearray(10**10)", "MemoryExhausted", ["`memory_bytes=1073741824`"]),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_comes_with_guidance(call: Call, name: str) -> None:
    language, code, kind, words = FAILURES[name]
    if MISSING[language] is not None:
        pytest.skip(str(MISSING[language]))

    answer = call("execute_code", code=code, language=language, timeout=1 if name == "timeout" else 30)

    guidance = answer.metadata["error_guidance"]
    said = " ".join(guidance["actionable_guidance"])
    assert (answer.is_error, answer.data["success"], answer.data["exit_code"] != 0) == (True, False, True)
    assert guidance["error_type"] == kind
    assert [word for word in words if word not in said] == []
    assert all(step in answer.text for step in guidance["actionable_guidance"])
    assert set(guidance) == {"error_type", "actionable_guidance", "related_docs", "code_examples"}
    assert guidance["related_docs"] == [f"mcpgen://guides/errors/{kind}"]


AT_HAND = {
    "python": ("lib/mine.py", "ANSWER = 42", "import {name}", "{after}\nprint({name}.ANSWER)"),
    "javascript": ("lib/mine.js", "exports.ANSWER = 42", "require('{name}')", "console.log({after}.ANSWER)"),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", AT_HAND)
@pytest.mark.parametrize("name", ["mine", "team_tool"])
def test_a_module_that_its_name_does_not_find_is_loaded_as_the_advice_says(
    call: Call, language: str, name: str
) -> None:
    """One is a file of the session, the other one of the data that code may read."""
    if MISSING[language] is not None:
        pytest.skip(str(MISSING[language]))
    path, content, load, use = AT_HAND[language]
    load = load.format(name=name)
    made = call("create_session", language=language).data["session_id"]
    call("write_session_file", session_id=made, path=path, content=content)

    failed = call("execute_code", session_id=made, code=load)
    guidance = failed.metadata["error_guidance"]
    (shown,) = guidance["code_examples"]
    mended = call("execute_code", session_id=made, code=use.format(name=name, after=shown["after"]))
    unknown = call("execute_code", session_id=made, code=load.replace(name, "of_nobody"))
    call("destroy_session", session_id=made)

    assert (guidance["error_type"], shown["before"]) == ("MissingVendoredPackage", load)
    assert (mended.data["stdout"], mended.data["success"]) == ("42\n", True)
    assert unknown.metadata["error_guidance"]["error_type"] == "MissingPackage"


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n    print('caught')",
        "import sys\nprint('Traceback: Exception OutOfFuel', file=sys.stderr)",
        "raise SystemExit(0)",
    ],
)
def test_what_a_program_survives_is_a_success_without_guidance(call: Call, code: str) -> None:
    answer = call("execute_code", code=code)

    assert (answer.data["success"], answer.data["exit_code"], answer.is_error) == (True, 0, False)
    assert "error_guidance" not in answer.metadata
