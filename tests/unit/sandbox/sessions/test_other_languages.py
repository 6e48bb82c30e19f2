"""JavaScript keeps its variables as Python does; a language without an interpreter to keep has its files."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.unit.sandbox.sessions.owner import MISSING, Mine, needs_programs

pytestmark = needs_programs
needs_node = pytest.mark.skipif(MISSING["javascript"] is not None, reason=str(MISSING["javascript"]))


@needs_node
def test_javascript_keeps_its_variables(sessions: Sessions) -> None:
    node = Mine(sessions, "javascript")
    node.out("const a = [1]; let b = 2; function f() { return a.length + b; } class C {}")
    node.out("a.push(1); b += 1; setTimeout(() => { b += 10; }, 20);")

    assert node.out("console.log(f(), typeof C, [] instanceof Array)") == "15 function true\n"


@needs_node
def test_javascript_reads_its_input_and_its_workspace(sessions: Sessions) -> None:
    node = Mine(sessions, "javascript")
    node.write("mine.js", b"module.exports = 42;")

    assert node.out("console.log(require('fs').readFileSync(0, 'utf8'), require('./mine'))", stdin="in") == "in 42\n"


@needs_node
@pytest.mark.parametrize(
    ("code", "exit_code", "message"),
    [
        ("null.x", 1, "TypeError: Cannot read properties of null (reading 'x')"),
        ("syntax error", 1, "SyntaxError: Unexpected identifier 'error'"),
        ("Promise.reject(new RangeError('late'))", 1, "RangeError: late"),
        ("process.exit(4)", 4, "process.exit(4)"),
        ("throw 'text'", 1, "text"),
    ],
)
def test_javascript_goes_on_after_an_error(sessions: Sessions, code: str, exit_code: int, message: str) -> None:
    node = Mine(sessions, "javascript")
    node.out("var x = 5")

    run = sessions.execute("me", node.id, code)

    assert (run.status, run.exit_code, run.error_message) == (Status.ERROR, exit_code, message)
    assert node.out("console.log(x)") == "5\n"


@needs_node
def test_javascript_that_never_ends_is_stopped(sessions: Sessions) -> None:
    node = Mine(sessions, "javascript")

    run = sessions.execute("me", node.id, "setInterval(() => {}, 10)", timeout=1)

    assert (run.status, run.exit_code) == (Status.TIMEOUT, 124)
    assert node.out("console.log(1)") == "1\n"


def test_another_language_keeps_its_files(sessions: Sessions) -> None:
    bash = Mine(sessions, "bash")
    bash.out("echo kept > file; x=1")

    assert bash.out('cat file; echo "[${x:-}]"') == "kept\n[]\n"
