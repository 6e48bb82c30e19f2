"""A budget of processor time ends a call in a session, whatever the code does, and counts that call alone."""

from __future__ import annotations

import pytest

from tests.flow.execution.client import MISSING, Call, needs_programs

pytestmark = needs_programs

CHILD = """\
import subprocess, sys, time
subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True)
time.sleep(120)
"""
STUBBORN = """\
while True:
    try:
        while True: pass
    except BaseException: pass
"""
ENDLESS = {
    "python": ("python", {}, STUBBORN),
    "a child that nobody waits for": ("python", {}, CHILD),
    "python without state": ("python", {"keep_state": False}, "while True: pass"),
    "javascript": ("javascript", {}, "while (true);"),
    "bash": ("bash", {}, "while :; do :; done"),
}


@pytest.mark.every_run("bash")
@pytest.mark.parametrize("name", ENDLESS)
def test_a_call_in_a_session_is_ended_when_its_budget_is_used_up(call: Call, name: str) -> None:
    language, options, code = ENDLESS[name]
    if MISSING[language] is not None:
        pytest.skip(str(MISSING[language]))
    made = call("create_session", language=language, **options).data["session_id"]

    answer = call("execute_code", code=code, session_id=made, fuel_budget=600, timeout=100)
    call("destroy_session", session_id=made)

    fuel = answer.metadata["fuel_analysis"]
    assert (answer.is_error, answer.data["success"], answer.data["status"]) == (True, False, "timeout")
    assert (answer.metadata["reason"], answer.metadata["trap_reason"]) == ("cpu_exceeded", "out_of_fuel")
    assert (fuel["unit"], fuel["budget"], fuel["status"]) == ("cpu_ms", 600, "exhausted")
    assert fuel["consumed"] >= 600
    assert answer.metadata["error_guidance"]["error_type"] == "OutOfFuel"
    assert "it used up its processor time of 0.6 s" in answer.data["error_message"]


@pytest.fixture
def busy(call: Call, session: str) -> str:
    """Return a session that has worked for two seconds before."""
    code = "import time\nn = 41\nwhile time.process_time() < 2: pass"
    assert call("execute_code", code=code, session_id=session).data["success"]
    return session


@pytest.mark.soak
def test_a_budget_is_for_one_call_and_what_was_used_before_is_not_of_it(call: Call, busy: str) -> None:
    answer = call("execute_code", code="n += 1\nprint(n)", session_id=busy, fuel_budget=500)
    later = call("execute_code", code=f"{SHORT}\nprint(n)", session_id=busy)

    assert (answer.data["stdout"], answer.metadata["fuel_analysis"]["budget"]) == ("42\n", 500)
    assert answer.metadata["notes"] == []
    assert later.data["stdout"] == "42\n"


SHORT = "begin = time.process_time()\nwhile time.process_time() < begin + 0.7: pass"


def test_files_outlive_a_spent_budget_and_the_answer_says_that_variables_do_not(call: Call, busy: str) -> None:
    call("write_session_file", session_id=busy, path="kept.txt", content="kept")

    spent = call("execute_code", code="while True: pass", session_id=busy, fuel_budget=300, timeout=100)
    after = call("execute_code", code="print(open('kept.txt').read(), 'n' in globals())", session_id=busy)

    assert "The session's variables are lost; its files are kept." in spent.data["error_message"]
    assert 300 <= spent.metadata["fuel_analysis"]["consumed"] < 2_000
    assert after.data["stdout"] == "kept False\n"
    assert "the variables were lost in the run before (cpu exceeded)" in " ".join(after.metadata["notes"])
