"""Names and files that a program plants in its workspace stop nobody who lists, reads or destroys it."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import PathRefused
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.files import MOST_LISTED_CHARACTERS
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.tools.offer import Caller, Reply
from jupyter_mcpgen.tools.running import Runner
from jupyter_mcpgen.tools.sandbox import offers

pytestmark = pytest.mark.every_run(layers=["level 1"])


class Client:
    """A client of the tools with one session, and the folder that only the host sees from outside."""

    def __init__(self, sessions: Sessions, executor: Executor, scratch: Path) -> None:
        self.scratch = scratch
        self._offers = {offer.name: offer for offer in offers(Runner(executor, sessions), "")}
        self.session = self.call("create_session", named=False).structured["session_id"]

    def call(self, tool: str, *, named: bool = True, **arguments: object) -> Reply:
        """Call a tool, and see that its answer can be sent."""
        offer = self._offers[tool]
        own = {"session_id": self.session} if named else {}
        reply = offer.perform(offer.parsed({**own, **arguments}), Caller("me", Cancellation()))
        json.dumps(reply.structured).encode()
        reply.text.encode()
        return reply

    def run(self, code: str) -> Reply:
        """Run a program that must work."""
        reply = self.call("execute_code", code=code, timeout=60)
        assert not reply.failed, reply.text
        return reply


@pytest.fixture
def client(tmp_path: Path, layers: frozenset[Layer]) -> Iterator[Client]:
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    executor = Executor(sandbox=ProgramSandbox(layers=layers, scratch_root=scratch), pages=Pages(tmp_path / "output"))
    sessions = Sessions(executor)
    yield Client(sessions, executor, scratch)
    sessions.close()


def test_a_name_that_is_no_text_stops_no_run_and_no_listing(client: Client) -> None:
    ran = client.run(
        "import os; os.mkdir(b'fol\\xff'); open(b'fol\\xff/in', 'w').close(); open(b'bad\\xfe', 'w').close()"
    )

    assert [change["path"] for change in ran.structured["files_changed"]] == ["bad\\xfe", "fol\\xff/in"]
    listed = client.call("list_session_files").structured["files"]
    assert [one["path"] for one in listed] == ["bad\\xfe", "fol\\xff", "fol\\xff/in"]
    with pytest.raises(PathRefused):
        client.call("read_session_file", path="bad\\xfe")
    # what was planted cannot be sent as it is
    (planted,) = client.scratch.glob("*/bad*")
    with pytest.raises(UnicodeEncodeError):
        planted.name.encode()


def test_a_name_forges_no_line_of_a_listing(client: Client) -> None:
    name = "a\n- forged.csv (7 bytes)\x1b[31m\u202e"
    client.run(f"open({name!r}, 'w').close()")

    reply = client.call("list_session_files")

    assert reply.text == "- a\\n- forged.csv (7 bytes)\\x1b[31m\\u202e (0 bytes)"
    assert [one["path"] for one in reply.structured["files"]] == [name]
    assert client.call("read_session_file", path=name).structured["size"] == 0


LONG_PATHS = """
import os
for _ in range(12): os.mkdir("d" * 250); os.chdir("d" * 250)
for n in range(2_000): open(str(n), "w").close()
"""


def test_long_paths_make_no_endless_answer(client: Client) -> None:
    client.run(f"{LONG_PATHS}\nfor _ in range(12): os.chdir('..')\nopen('short', 'w').close()")

    listed = client.call("list_session_files").structured

    assert listed["truncated"]
    assert sum(len(one["path"]) for one in listed["files"]) <= MOST_LISTED_CHARACTERS
    deepest = "/".join(["d" * 250] * 12)
    assert len(list(client.scratch.glob(f"*/{deepest}/*"))) == 2_000  # all of them would be three times that


def test_a_part_of_a_large_file_takes_no_more_memory_than_the_part(client: Client) -> None:
    client.run("with open('sparse', 'wb') as file: file.truncate(200 << 20); file.seek(150 << 20); file.write(b'here')")
    tracemalloc.start()

    part = client.call("read_session_file", path="sparse", offset=150 << 20, limit=4).structured

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (part["content"], part["size"], part["truncated"]) == ("here", 200 << 20, True)
    assert peak < 16 << 20


DEEP = "import os\nfor _ in range(1_500): os.mkdir('d' * 200); os.chdir('d' * 200)\nprint('made')"
ODD = """
import os
for name in ("n" * 255, "\\u202egpj.exe", "-rf", "a\\\\b", "..."): open(name, "w").close()
os.mkdir("closed", 0)
"""


def test_whatever_was_planted_is_gone_with_its_session(client: Client) -> None:
    client.run(ODD)
    deep = client.call("execute_code", code=DEEP, timeout=60)
    assert deep.structured["stdout"] == "made\n" or deep.structured["metadata"]["reason"] == "scratch_exceeded"
    assert len(list(client.scratch.glob("*/*"))) >= 7

    client.call("destroy_session")

    assert list(client.scratch.iterdir()) == []
