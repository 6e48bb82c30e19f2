"""The tools that run code, through a real MCP client: what they answer, and that the answer is honest."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from jsonschema import Draft202012Validator

from jupyter_mcpgen.sandbox.docker_execution import DockerExecutor, DockerSettings
from jupyter_mcpgen.sandbox.execution import Executor
from jupyter_mcpgen.sandbox.languages import available
from jupyter_mcpgen.sandbox.meter import has_monitoring
from jupyter_mcpgen.sandbox.output import Pages
from jupyter_mcpgen.sandbox.program_sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.runtimes import RuntimeState, runtimes
from jupyter_mcpgen.sandbox.sessions import Sessions
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.tools import coding, sandbox
from jupyter_mcpgen.tools.running import Runner
from tests.fakes.folder_shelf import FolderShelf

MISSING = available()
pytestmark = pytest.mark.skipif(ProgramSandbox().missing() is not None, reason=str(ProgramSandbox().missing()))
needs_node = pytest.mark.skipif(MISSING["javascript"] is not None, reason=str(MISSING["javascript"]))
COUNTED = "events" if has_monitoring() else "lines"
DATA = "first,second\n1,2\n"
NO_ENGINE = "unix:///nonexistent/engine.sock"
PAGES = Path(__file__).parents[2]


class Answer:
    """What a client got: the error flag, the text, and the structured content."""

    def __init__(self, result: Any) -> None:
        self.is_error: bool = result.is_error
        self.text: str = result.content[0].text
        self.data: dict[str, Any] = result.structured_content or {}

    @property
    def metadata(self) -> dict[str, Any]:
        """What is said besides the output."""
        found: dict[str, Any] = self.data["metadata"]
        return found


Call = Callable[..., Answer]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named")
    folder.chmod(0o755)
    for parent in folder.parents[:2]:
        parent.chmod(0o755)
    (folder / "table.csv").write_text(DATA)
    return folder


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Iterator[FastMCP]:
    executor = Executor(pages=Pages(tmp_path_factory.mktemp("pages")), data=(data,))
    sessions = Sessions(executor)
    runner = Runner(executor, sessions)
    offers = (
        *sandbox.offers(runner, "note"),
        *coding.offers(runner, DockerExecutor(DockerSettings(url=NO_ENGINE)), "note"),
    )
    shelf = FolderShelf(tmp_path_factory.mktemp("registry"))
    yield build_app(shelf, offers, state_key=b"k" * 32, concurrent_calls=2, progress_seconds=0.05)
    sessions.close()


@pytest.fixture(scope="module")
def promised(app: FastMCP) -> dict[str, Any]:
    """Return the schema of each tool's answer, as a client sees it."""

    async def story() -> dict[str, Any]:
        async with Client(app) as client:
            return {tool.name: tool.output_schema for tool in await client.list_tools()}

    return asyncio.run(story())


@pytest.fixture
def call(app: FastMCP, promised: dict[str, Any]) -> Call:
    """Call a tool; whatever structured answer comes back, also with a failure, keeps what the tool promises."""

    def one(name: str, /, **arguments: Any) -> Answer:
        async def story() -> Answer:
            async with Client(app) as client:
                return Answer(await client.call_tool(name, arguments, raise_on_error=False))

        answer = asyncio.run(story())
        if answer.data:
            Draft202012Validator(promised[name]).validate(answer.data)
        return answer

    return one


@pytest.fixture
def session(call: Call) -> Iterator[str]:
    made: str = call("create_session").data["session_id"]
    yield made
    call("destroy_session", session_id=made)


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


READY = {one.name for one in runtimes() if one.state is RuntimeState.READY}
needs_wasm = pytest.mark.skipif("wasm-python" not in READY, reason="Python in WebAssembly is not ready here")


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


@needs_wasm
def test_a_path_outside_the_guest_points_to_its_workspace(call: Call) -> None:
    answer = call("execute_code", code="open('/home/x/sales.csv')", runtime="wasm")

    said = " ".join(answer.metadata["error_guidance"]["actionable_guidance"])
    assert answer.metadata["error_guidance"]["error_type"] == "PathRestriction"
    assert [word for word in ("/home/x/sales.csv", "/app", "relative path") if word not in said] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"runtime": "wasm", "fuel_unit": "lines"}, "counts `instructions`"),
        ({"runtime": "wasm", "session_id": "any"}, "`native` runtime only"),
        ({"fuel_unit": "instructions"}, "`wasm` runtime only"),
    ],
)
def test_what_a_runtime_cannot_do_is_refused_before_it_runs(call: Call, arguments: dict[str, str], words: str) -> None:
    answer = call("execute_code", code="print(1)", **arguments)

    assert (answer.data["status"], answer.data["stdout"], words in answer.text) == ("setup_error", "", True)


def test_the_runtimes_say_what_is_there_and_what_is_missing(call: Call) -> None:
    listed = {one["name"]: one for one in call("list_runtimes").data["runtimes"]}

    assert set(MISSING) <= set(listed)
    for name, missing in MISSING.items():
        assert (listed[name]["available"], listed[name]["missing"]) == (missing is None, missing)
    assert all((one["state"] == "ready") is one["available"] is (one["missing"] is None) for one in listed.values())
    assert listed["python"]["fuel_units"] == ["cpu_ms", COUNTED]
    assert listed["wasm-python"]["fuel_units"] == ["instructions"]


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
    assert [page for page in guidance["related_docs"] if not (PAGES / page.partition("#")[0]).is_file()] == []


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


def test_an_unknown_language_is_refused_before_anything_runs(call: Call) -> None:
    answer = call("execute_code", code="x", language="cobol")

    assert answer.data["success"] is False
    assert "Unsupported language" in answer.text


def test_a_session_keeps_variables_and_files_and_tells_what_changed(call: Call, session: str) -> None:
    runs = [
        call("execute_code", session_id=session, code=code)
        for code in ("n = 1", "n += 1", "open('out.txt', 'w').write(str(n))", "open('out.txt', 'a').write('!')")
    ]
    call("delete_session_file", session_id=session, path="out.txt")

    changes = [[(one["path"], one["change"]) for one in run.data["files_changed"]] for run in runs]
    assert changes == [[], [], [("out.txt", "created")], [("out.txt", "modified")]]
    assert call("list_session_files", session_id=session).data["files"] == []
    listed = {one["session_id"]: one for one in call("list_sessions").data["sessions"]}
    assert (listed[session]["execution_count"], listed[session]["is_busy"]) == (4, False)


def test_all_bytes_and_folders_make_the_round_trip(call: Call, session: str) -> None:
    every = base64.b64encode(bytes(range(256))).decode()
    call("write_session_file", session_id=session, path="in/deep/every.bin", content=every, encoding="base64")
    code = "b = open('in/deep/every.bin', 'rb').read()\nopen('back.bin', 'wb').write(b[::-1])\nprint(len(set(b)))"

    run = call("execute_code", session_id=session, code=code)
    back = call("read_session_file", session_id=session, path="./back.bin", encoding="base64")

    assert run.data["stdout"] == "256\n"
    assert base64.b64decode(back.data["content"]) == bytes(range(256))[::-1]
    as_text = call("read_session_file", session_id=session, path="back.bin")
    assert (as_text.is_error, "base64" in as_text.text) == (True, True)


def test_a_long_file_is_read_in_parts_and_no_character_is_cut(call: Call, session: str) -> None:
    text = "äöü€😀" * 20
    call("write_session_file", session_id=session, path="long.txt", content=text)
    parts, offset = [], 0
    while True:
        part = call("read_session_file", session_id=session, path="long.txt", offset=offset, limit=7).data
        parts.append(part["content"])
        offset += len(part["content"].encode())
        if not part["truncated"]:
            break

    assert "".join(parts) == text


@pytest.mark.parametrize("path", ["../x", "a/../../../x", "/etc/passwd", "a\\b", "", "link/x", "link/y", "nul\0"])
@pytest.mark.parametrize("tool", ["read_session_file", "write_session_file", "delete_session_file"])
def test_no_path_leads_out_of_the_workspace(call: Call, planted: str, tool: str, path: str) -> None:
    content = {"content": "x"} if tool == "write_session_file" else {}

    answer = call(tool, session_id=planted, path=path, **content)

    assert answer.is_error, answer.text


@pytest.fixture(scope="module")
def planted(app: FastMCP, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Make a session whose workspace holds links that lead out, which code in the sandbox cannot make."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x").write_text("not yours")

    async def story() -> Path:
        async with Client(app) as client:
            await client.call_tool("create_session", {"language": "bash", "session_id": "planted"})
            code = {"session_id": "planted", "code": "ln -s / mine || pwd"}
            return Path((await client.call_tool("execute_code", code)).structured_content["stdout"].strip())

    workspace = asyncio.run(story())
    (workspace / "link").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "x")
    yield "planted"
    assert [path.name for path in outside.iterdir()] == ["x"]
    assert (outside / "x").read_text() == "not yours"


def test_a_link_is_neither_read_nor_written_through(call: Call, planted: str) -> None:
    reading = call("read_session_file", session_id=planted, path="file")
    writing = call("write_session_file", session_id=planted, path="file", content="x")
    listed = call("list_session_files", session_id=planted).data["files"]

    assert (reading.is_error, writing.is_error, listed) == (True, True, [])


@pytest.mark.parametrize("name", ["a/b", "a\\b", "..", "a.b", "a b", "x" * 65, "ä"])
def test_an_id_that_could_be_a_path_is_refused_before_anything_is_made(call: Call, name: str) -> None:
    before = call("list_sessions").data["sessions"]

    made = call("create_session", session_id=name)
    run = call("coding_execute_code", language="python", code="1", session_id=name)

    assert (made.is_error, run.is_error, run.data["status"]) == (True, True, "setup_error")
    assert len(call("list_sessions").data["sessions"]) == len(before)


@pytest.mark.parametrize("name", [None, ""])
def test_no_id_and_an_empty_one_mean_no_session(call: Call, name: str | None) -> None:
    answer = call("coding_execute_code", language="python", code="print(1)", session_id=name)

    assert (answer.data["stdout"], answer.metadata["session_id"]) == ("1\n", None)


def test_a_module_changed_in_one_session_is_clean_in_the_next(call: Call, session: str) -> None:
    call("execute_code", session_id=session, code="import json; json.dumps = None")

    other = call("create_session", session_id="clean").data["session_id"]
    answer = call("execute_code", session_id=other, code="import json; print(json.dumps(1))")
    call("destroy_session", session_id=other)

    assert answer.data["stdout"] == "1\n"


def test_named_data_can_be_read_and_never_written(call: Call, session: str, data: Path) -> None:
    reading = call("execute_code", code=f"print(open('{data}/table.csv').read())")
    for kind in ({}, {"session_id": session}):
        writing = call("execute_code", code=f"open('{data}/new.csv', 'w').write('x')", **kind)
        changing = call("execute_code", code=f"open('{data}/table.csv', 'a').write('x')", **kind)
        assert [writing.data["success"], changing.data["success"]] == [False, False]

    assert reading.data["stdout"].startswith(DATA)
    assert [path.name for path in data.iterdir()] == ["table.csv"]
    assert (data / "table.csv").read_text() == DATA
    assert call("list_runtimes").data["data_paths"] == [str(data)]


def test_state_files_are_for_those_who_ask(call: Call) -> None:
    asked = {"session_id": "asked", "auto_persist_globals": True, "keep_state": False}
    call("create_session", **asked)
    code = "count = globals().get('count', 0) + 1\ndef f(): pass\nnothing, empty = None, {}\nprint(count, 'f' in dir())"

    said = [call("execute_code", session_id="asked", code=code).data["stdout"] for _ in range(3)]
    call("write_session_file", session_id="asked", path=".session_state.json", content="{broken")
    fresh = call("execute_code", session_id="asked", code=code)
    call("destroy_session", session_id="asked")

    assert said == ["1 True\n", "2 True\n", "3 True\n"]
    assert (fresh.data["stdout"], fresh.data["success"]) == ("1 True\n", True)
    assert "afresh" in fresh.text


def test_output_is_cut_and_marked_and_the_whole_is_kept(call: Call) -> None:
    whole = call("coding_execute_code", language="python", code="for i in range(5000): print(i)")
    cut = call("coding_execute_code", language="python", code="for i in range(6000): print(i)")

    assert (whole.data["stdout"].count("\n"), whole.metadata["stdout_truncated"]) == (5000, False)
    lines = cut.data["stdout"].splitlines()
    assert lines[:500] == [str(i) for i in range(500)]
    assert "[Output truncated: 6000 lines total" in lines[500]
    assert cut.metadata["stdout_truncated"] is True
    kept = Path(lines[500].rpartition(" is in ")[2].rstrip("]"))
    assert kept.read_text().splitlines() == [str(i) for i in range(6000)]


def test_a_long_trace_is_told_once(call: Call) -> None:
    code = "import sys\nfor i in range(50): print('the same line', file=sys.stderr)\nsys.exit(1)"

    answer = call("coding_execute_code", language="python", code=code)

    assert answer.data["stderr"].splitlines() == ["the same line", "  [previous line repeated 49 more times]"]


def test_the_host_is_out_of_sight(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPGEN_SECRET_OF_THE_HOST", "leaked")
    code = "import os, socket\nprint(sorted(os.environ))\nsocket.socket()"

    answer = call("execute_code", code=code)

    assert "SECRET" not in answer.text
    assert (answer.data["success"], "PermissionError" in answer.data["stderr"]) == (False, True)


@pytest.mark.parametrize(("asked", "told"), [(0, "1"), (-50, "1"), (301, "300"), (9999, "300")])
def test_a_timeout_outside_the_bounds_is_brought_inside_and_told(call: Call, asked: int, told: str) -> None:
    answer = call("coding_execute_code", language="bash", code="true", timeout=asked)

    assert answer.metadata["notes"] == [f"The timeout of {asked} seconds is outside 1 to 300, so {told} was used."]


@pytest.mark.parametrize("asked", [None, 1, 60, 299, 300])
def test_a_timeout_inside_the_bounds_is_taken_as_it_is(call: Call, asked: int | None) -> None:
    answer = call("coding_execute_code", language="bash", code="true", timeout=asked)

    assert (answer.data["status"], answer.metadata["notes"]) == ("success", [])


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


KEYS = {"stdout", "stderr", "exit_code", "execution_time", "status", "error_message", "metadata"}


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


OUTCOMES = {
    "success": ("print(1)", False),
    "error": ("raise ValueError('no')", True),
    "timeout": ("import time; time.sleep(9)", True),
    "setup_error": ("", True),
}


@pytest.mark.parametrize("status", OUTCOMES)
def test_the_outer_status_is_the_inner_one(call: Call, status: str) -> None:
    code, fails = OUTCOMES[status]
    answer = call("code_execute", language="python", code=code, timeout=1 if status == "timeout" else 30)

    assert (answer.data["status"], answer.data["result"]["status"], answer.is_error) == (status, status, fails)
    assert (answer.data["result"]["error_message"] is None) is (status == "success")


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


def test_standard_input_reaches_the_program(call: Call) -> None:
    answer = call("coding_execute_code", language="python", code="print(f'Received: {input()}')", stdin="hello")

    assert answer.data["stdout"] == "Received: hello\n"


def test_a_coding_session_is_made_by_its_first_call_which_says_so(call: Call) -> None:
    first = call("coding_execute_code", language="python", code="x = 42", session_id="my-session")
    second = call("coding_execute_code", language="python", code="print(x)", session_id="my-session")
    other = call("coding_execute_code", language="bash", code="true", session_id="my-session")
    call("destroy_session", session_id="my-session")

    assert "was made by this call" in first.metadata["notes"][0]
    assert (second.data["stdout"], second.metadata["notes"]) == ("42\n", [])
    assert (other.data["status"], "runs `python` and not `bash`" in other.text) == ("setup_error", True)


def test_execute_code_makes_no_session_by_itself(call: Call) -> None:
    answer = call("execute_code", code="1", session_id="never-made")

    assert (answer.data["status"], answer.is_error) == ("setup_error", True)


def test_monitoring_gives_the_record_and_what_was_used(call: Call) -> None:
    code = "import time\ndata = b'x' * 50_000_000\nend = time.monotonic() + 0.3\nwhile time.monotonic() < end: pass"

    answer = call(
        "coding_monitor_execution", language="python", code=code, sample_interval_ms=20, include_memory_profile=True
    )

    metrics, timeline = answer.data["metrics"], answer.data["timeline"]
    assert answer.data["success"] is True
    assert set(answer.data["execution_result"]) == KEYS
    assert metrics["peak_memory_mb"] > 50
    assert metrics["avg_cpu_percent"] > 0
    assert metrics["memory_profile"]["samples"] == len(timeline) > 0
    assert set(timeline[0]) == {"timestamp_ms", "memory_mb", "cpu_percent"}
    assert "error" not in answer.data


def test_monitoring_a_failure_is_a_failure_with_what_was_measured(call: Call) -> None:
    answer = call("coding_monitor_execution", language="python", code="raise KeyError('x')")

    assert (answer.is_error, answer.data["success"]) == (True, False)
    assert answer.data["error"].startswith("Monitoring failed: ")
    assert answer.data["partial_metrics"] == answer.data["metrics"]


def test_without_an_engine_docker_says_so(call: Call) -> None:
    answer = call("coding_run_in_docker", language="python", code="print(1)")

    found = {key: answer.data[key] for key in ("success", "status", "exit_code", "stdout", "container_id")}
    assert found == {"success": False, "status": "setup_error", "exit_code": -1, "stdout": "", "container_id": None}
    assert answer.is_error
    assert answer.data["error"].startswith("Docker execution failed: ")
    assert answer.data["error_type"] == "DockerNotAvailableError"


@pytest.mark.parametrize("wrong", [{"memory_limit": "much"}, {"cpu_limit": -1}, {"image": "evil/image:1"}])
def test_docker_refuses_what_makes_no_sense_before_asking_an_engine(call: Call, wrong: dict[str, Any]) -> None:
    answer = call("coding_run_in_docker", language="python", code="print(1)", **wrong)

    assert (answer.data["status"], answer.is_error) == ("setup_error", True)


def test_packages_are_those_that_can_be_imported(call: Call) -> None:
    packages = {one["name"]: one for one in call("list_available_packages").data["packages"]["python"]}

    assert packages["pandas"]["first_import_cpu_ms"] == 400
    assert packages["numpy"]["first_import_cpu_ms"] is None


def test_a_client_that_wants_to_know_is_told_how_long_it_runs(app: FastMCP) -> None:
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, _: str | None) -> None:
        told.append((progress, total))

    async def story() -> None:
        async with Client(app) as client:
            code = {"code": "import time; time.sleep(0.6)", "timeout": 20}
            await client.call_tool("execute_code", code, progress_handler=tell)

    asyncio.run(story())
    assert len(told) >= 2
    assert told == sorted(told)
    assert {total for _, total in told} == {20.0}


def test_looking_after_sessions_does_not_wait_behind_what_runs(app: FastMCP) -> None:
    async def story() -> list[str]:
        async with Client(app) as client:
            await client.call_tool("create_session", {"session_id": "busy", "language": "bash"})
            endless = {"session_id": "busy", "code": "sleep 100", "timeout": 300}
            running = [asyncio.create_task(client.call_tool("execute_code", endless)) for _ in range(2)]
            while not [one for one in await sessions(client) if one["is_busy"]]:
                await asyncio.sleep(0.02)
            await client.call_tool("destroy_session", {"session_id": "busy"})
            ended = await asyncio.gather(*running, return_exceptions=True)
            return sorted(type(one).__name__ for one in ended)

    async def sessions(client: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await client.call_tool("list_sessions")).structured_content["sessions"]
        return found

    assert asyncio.run(story()) == ["ToolError", "ToolError"]


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


def test_what_runs_no_code_tells_unfit_arguments_as_text(call: Call) -> None:
    answer = call("read_session_file", session_id="x")

    assert (answer.is_error, answer.data) == (True, {})
    assert "`path` does not fit" in answer.text


def test_an_argument_that_does_not_exist_is_an_error_with_an_offer(app: FastMCP) -> None:
    async def story() -> None:
        async with Client(app) as client:
            await client.call_tool("execute_code", {"code": "1", "timout": 3})

    with pytest.raises(ToolError, match="Did you mean `timeout`"):
        asyncio.run(story())
