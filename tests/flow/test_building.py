"""A client, a person at a terminal, and Python have approved tools built: real clients and the real sandbox."""

from __future__ import annotations

import asyncio
import hashlib
import shlex
import time
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from jupyter_mcpgen import build as building
from jupyter_mcpgen.build.kept import KeptBuilds
from jupyter_mcpgen.build.records import State
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.server import launch, tokens
from jupyter_mcpgen.verbs.commands import command_of
from tests.builders import approval, approved, draft
from tests.flow.surface import Served, person, serving
from tests.levels import needs
from tests.products import own_place
from tests.small_tools import SmallTool

pytestmark = needs(ProgramSandbox().missing())
SOON = 120
HELLO = SmallTool("hello", "return f'hello {name}'", {"type": "object", "properties": {"name": {"type": "string"}}})
SALES = "town,kind,price\nNorth,book,3.5\nSouth,bakery,4.0\nNorth,bakery,2.5\n"


@dataclass(frozen=True)
class Asks:
    """A client over HTTP, with the token of the server or another one."""

    served: Served
    home: Path
    token: str

    def call(self, name: str, /, **arguments: Any) -> Any:
        """Return what a call gives."""

        async def story() -> Any:
            way = StreamableHttpTransport(self.served.status.url, auth=self.token)
            async with Client(way, timeout=SOON) as client:
                return await client.call_tool(name, arguments, raise_on_error=False)

        return asyncio.run(story())

    def ended(self, build_id: str) -> Any:
        """Ask for a build until it is over, at most for so long."""
        until = time.monotonic() + SOON
        while time.monotonic() < until:
            answer = self.call("get_build_status", build_id=build_id)
            if answer.structured_content["status"] not in ("pending", "in_progress"):
                return answer
            time.sleep(0.1)
        raise TimeoutError(build_id)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asks]:
    """Serve an approved tool with one folder open to write."""
    home = tmp_path_factory.mktemp("built")
    (home / "out").mkdir()
    (home / "private").mkdir()
    (home / "out" / "link").symlink_to(home / "private")
    settings = {
        "MCPGEN_SERVER__OUTPUT_FOLDERS": str(home / "out"),
        "MCPGEN_SERVER__SOURCE_FOLDERS": str(home / "specs"),
    }
    with serving(home, [HELLO], settings) as served:
        yield Asks(served, home, served.status.token.get_secret_value())


def test_a_client_has_a_tool_built_and_learns_what_was_made(client: Asks) -> None:
    started = client.call("trigger_build", target="tool:hello", config={"profile": "release"}, clean_build=True)
    ended = client.ended(started.structured_content["build_id"])

    assert (started.is_error, started.structured_content["status"]) == (False, "pending")
    assert started.structured_content["message"] == "Build for target `tool:hello` initiated."
    data = ended.structured_content
    assert (ended.is_error, data["status"], data["progress_percentage"]) == (False, "success", 100), data
    assert data["message"] == "The build is done. Its tests pass in the sandbox."
    paths = [Path(path) for path in data["artifact_paths"]]
    assert {path.parent for path in paths} == {client.home / "out" / "dist"}
    assert [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths] == [
        each["sha256"] for each in data["artifacts"]
    ]
    assert "sha256" in ended.content[0].text

    again = client.call("trigger_build", target="tool:hello")
    assert (again.structured_content["status"], again.structured_content["artifact_paths"]) == (
        "success",
        data["artifact_paths"],
    )
    assert "Its tests pass" in again.structured_content["log_output_summary"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"target": "image:my_service"}, "Targets: `tool:NAME[@VERSION]`"),
        ({"target": "tool:nothing"}, "No tool named `nothing` is registered."),
        ({"target": "tool:hello", "config": {"profil": "x"}}, "`config` has no key `profil`."),
        ({"target": "tool:hello", "output_path_suggestion": "/etc"}, "MCPGEN_SERVER__OUTPUT_FOLDERS"),
        ({"target": "tool:hello", "output_path_suggestion": "../private"}, "MCPGEN_SERVER__OUTPUT_FOLDERS"),
        ({"target": "tool:hello", "output_path_suggestion": "link"}, "MCPGEN_SERVER__OUTPUT_FOLDERS"),
        ({"target": "tool:hello", "output_path_suggestion": ".hidden"}, "MCPGEN_SERVER__OUTPUT_FOLDERS"),
        ({"target": 3}, "`target` does not fit"),
    ],
)
def test_a_refusal_is_a_failure_at_both_levels(client: Asks, arguments: dict[str, Any], said: str) -> None:
    answer = client.call("trigger_build", **arguments)

    assert (answer.is_error, answer.structured_content["status"]) == (True, "failure")
    assert said in answer.structured_content["error_message"]
    assert (answer.structured_content["build_id"], answer.structured_content["artifact_paths"]) == ("", [])
    assert list((client.home / "private").iterdir()) == []


def test_an_unknown_build_is_an_error_and_a_failed_one_is_no_success(client: Asks) -> None:
    unknown = client.call("get_build_status", build_id="build_job_170248A9Z")
    (client.home / "out" / "taken").mkdir()
    (client.home / "out" / "taken" / "hello.py").write_text("mine")
    started = client.call("trigger_build", target="script:hello", output_path_suggestion="taken")
    failed = client.ended(started.structured_content["build_id"])

    assert (unknown.is_error, unknown.structured_content["status"]) == (True, "error")
    assert unknown.structured_content["message"] == "Invalid build_id"
    assert (failed.is_error, failed.structured_content["status"]) == (True, "failure")
    assert "was not made by a build" in failed.structured_content["error_details"]
    assert (client.home / "out" / "taken" / "hello.py").read_text() == "mine"


def test_a_token_that_only_calls_tools_can_have_nothing_built(client: Asks) -> None:
    token = tokens.issue(client.served.state, "caller", now=time.time(), scopes=(tokens.CALL,))
    caller = Asks(client.served, client.home, token)

    refused = caller.call("trigger_build", target="tool:hello", output_path_suggestion="caller")

    assert refused.is_error
    assert "needs the scope `tools:admin`" in refused.content[0].text
    assert not (client.home / "out" / "caller").exists()


@pytest.mark.soak
def test_a_server_that_stops_cancels_its_builds(tmp_path: Path) -> None:
    """Have tests that last longer than anybody waits run in a build, and stop the server."""
    (tmp_path / "out").mkdir()
    slow = "import time\n\n\ndef test_it():\n    time.sleep(600)\n"
    with serving(tmp_path, [], {"MCPGEN_SERVER__OUTPUT_FOLDERS": str(tmp_path / "out")}) as served:
        made, registry = draft("slow", "slow-1", files={"tests.py": slow}), person()
        registry.stage(*made.parts)
        registry.promote(made.tool_id, approval(made), approved())
        client = Asks(served, tmp_path, served.status.token.get_secret_value())
        build_id = client.call("trigger_build", target="tool:slow").structured_content["build_id"]
        until = time.monotonic() + SOON
        while "in the sandbox" not in client.call("get_build_status", build_id=build_id).structured_content["message"]:
            assert time.monotonic() < until
            time.sleep(0.05)

        launch.stop(tmp_path / "state")

        kept = KeptBuilds(tmp_path / "jupyter" / "mcpgen" / "builds").read(build_id)
    assert (kept.state, kept.message) == (State.CANCELLED, "The build was cancelled; nothing was written.")
    assert list((tmp_path / "out").iterdir()) == []


SPECIFICATION = """
name: text_stats
description: Statistics of texts.
functions:
  - name: word_count
    description: Count the words of a text.
    parameters: [{name: text, type: string, description: the text}]
    body: return len(text.split())
    examples: [{arguments: {text: "a b"}, result: 2}]
"""


def test_a_client_has_a_component_made_of_a_specification(client: Asks) -> None:
    (client.home / "specs").mkdir(exist_ok=True)
    (client.home / "specs" / "stats.yaml").write_text(SPECIFICATION)
    asked = {"language": "python", "template_name": "mcp_tool", "specification_file": "stats.yaml"}

    shown = client.call("synthesize_component_from_spec", **asked, target_directory="parts", preview=True)
    assert not (client.home / "out" / "parts").exists()
    made = client.call("synthesize_component_from_spec", **asked, target_directory="parts")
    outside = client.call("synthesize_component_from_spec", **asked, target_directory="../private")
    unread = client.call(
        "synthesize_component_from_spec", **{**asked, "specification_file": "/etc/passwd"}, target_directory="parts"
    )
    unknown = client.call("synthesize_component_from_spec", **{**asked, "template_name": "x"}, target_directory="parts")

    assert [each.is_error for each in (shown, made, outside, unread, unknown)] == [False, False, True, True, True]
    files = made.structured_content["generated_files"]
    assert shown.structured_content["generated_files"] == files
    for name, text in files.items():
        assert (client.home / "out" / "parts" / name).read_text(encoding="utf-8") == text
    assert "MCPGEN_SERVER__OUTPUT_FOLDERS" in outside.structured_content["error_message"]
    assert "MCPGEN_SERVER__SOURCE_FOLDERS" in unread.structured_content["error_message"]
    assert unknown.structured_content["error_message"].startswith("Template 'x' not found.")


def test_without_a_model_a_client_learns_that_nothing_can_be_written(client: Asks) -> None:
    answer = client.call(
        "synthesize_component_from_prompt",
        prompt="Generate a Python class for a simple User with name and email attributes.",
        language="python",
        target_directory="./models/",
        style_guide="Include type hints.",
    )

    assert (answer.is_error, answer.structured_content["status"]) == (True, "failure")
    assert answer.structured_content["error_message"].startswith("No language model is set up.")
    assert answer.structured_content["generated_files"] == {}
    assert not (client.home / "out" / "models").exists()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Stand in a folder with a table and an approved tool."""
    folder = tmp_path_factory.mktemp("person")
    (folder / "sales.csv").write_text(SALES)
    with own_place(folder, gates=False):
        for line in ("ask --name price_of total price by town in sales.csv", "approve"):
            assert main(shlex.split(line)) == 0
        yield folder


def typed(line: str) -> tuple[int, str]:
    """Type a command, and return the code of its end and what it says, in one line."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(line))
    return code, " ".join(f"{out.getvalue()} {err.getvalue()}".split())


def test_a_person_builds_and_exports_at_a_terminal(place: Path) -> None:
    built, told = typed("build script:price_of --to scripts")
    exported, exported_told = typed("export price_of")
    again = typed("export price_of")

    assert (built, exported) == (0, 0), (told, exported_told)
    assert (place / "scripts" / "price_of.py").is_file()
    wheel = place / "dist" / "mcp_tool_price_of-1.0.0-py3-none-any.whl"
    assert "mcp_tool_price_of/tool.py" in zipfile.ZipFile(wheel).namelist()
    assert "The build is done." in told
    assert again[0] == 0
    assert "was built before, and its files are unchanged" in again[1]


def test_a_person_is_told_why_nothing_was_built(place: Path) -> None:
    (place / "mine").mkdir()
    (place / "mine" / "price_of.ipynb").write_text("mine")

    for line, said in {
        "build notebook:price_of --to mine": "was not made by a build",
        "build tools:price_of": "Did you mean tool?",
        "build": "What should be built?",
        "export": "Which tool?",
        "build cancel build_1": "There is no build build_1.",
    }.items():
        code, told = typed(line)
        assert code != 0
        assert said in told
    assert (place / "mine" / "price_of.ipynb").read_text() == "mine"


def test_what_begins_like_a_command_and_names_no_target_is_a_question() -> None:
    asked = ["build a chart of price by town", "export the total price", "build tool:x now"]

    assert [command_of(words.split()) for words in asked] == [None, None, None]
    assert command_of(["build", "tool:x"]) == "build"
    assert command_of(["build", "tool:x", "--to", "out"]) == "build"
    assert command_of(["build", "cancel", "build_1"]) == "build"
    assert command_of(["export", "x"]) == "export"


def test_a_person_sees_a_component_before_it_is_written(place: Path) -> None:
    (place / "stats.yaml").write_text(SPECIFICATION)

    shown, told = typed("synthesize stats.yaml --to parts")
    assert not (place / "parts").exists()
    written, _ = typed("synthesize stats.yaml --to parts --yes")
    unknown, why = typed("synthesize stats.yaml --template x --to parts --yes")

    assert (shown, written, unknown != 0) == (1, 0, True)  # nobody was there to agree to the first
    assert "return len(text.split())" in told
    assert "Template 'x' not found." in why
    assert "No language model is set up." in typed("synthesize a function that counts words")[1]
    assert (place / "parts" / "text_stats.py").is_file()
    made = building.synthesize_component_from_spec(str(place / "stats.yaml"), "python", str(place / "parts"))
    assert (made.status, list(made.generated_files)) == ("success", ["text_stats.py"])


@pytest.mark.soak
def test_python_begins_a_build_and_asks_for_it(place: Path) -> None:
    started = building.trigger_build("notebook:price_of", output_path_suggestion=str(place / "books"))
    until = time.monotonic() + SOON
    while not (status := building.get_build_status(started.build_id)).status.is_over and time.monotonic() < until:
        time.sleep(0.05)

    assert (started.status, status.status) == ("pending", State.SUCCESS)
    assert status.artifact_paths == (str((place / "books" / "price_of.ipynb").resolve()),)
    assert building.trigger_build("module:core_library").status == "failure"
    assert building.get_build_status("x").message == "Invalid build_id"
