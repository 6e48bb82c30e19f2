"""How a server is: what it, `status` and `doctor` say of it, and what is said of a port that is taken."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import psutil
import pytest

from jupyter_mcpgen import __version__
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import PortTaken
from jupyter_mcpgen.server import launch, tokens
from jupyter_mcpgen.server.listening import listen
from jupyter_mcpgen.settings import state_folder
from tests.fakes.folder_shelf import promote

PROGRAM = (sys.executable, str(Path(__file__).parents[1] / "fakes" / "folder_server.py"))
Typed = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("health")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(folder / "jupyter"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(folder / "config"))
        patch.setenv("MCPGEN_REGISTRY__PATH", str(folder / "registry"))
        promote(folder / "registry", "double")
        yield folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[launch.ServerStatus]:
    yield launch.start(home / "registry", folder=state_folder() / "server", program=PROGRAM)
    launch.stop(state_folder() / "server")


@pytest.fixture
def typed(capfd: pytest.CaptureFixture[str]) -> Typed:
    def command(*words: str) -> tuple[int, str]:
        code = main(list(words))
        told = capfd.readouterr()
        return code, " ".join((told.out + told.err).split())

    return command


def health(server: launch.ServerStatus, **headers: str) -> httpx2.Response:
    return httpx2.get(server.url.replace("/mcp", "/health"), headers=headers, timeout=20)


def test_anybody_on_this_machine_hears_that_the_server_is_alive_and_its_version_and_nothing_else(
    server: launch.ServerStatus,
) -> None:
    answer = health(server)

    assert (answer.status_code, answer.json()) == (200, {"status": "alive", "version": f"jupyter-mcpgen {__version__}"})


def test_health_is_guarded_against_other_hosts_and_origins_as_the_protocol_is(server: launch.ServerStatus) -> None:
    answers = {
        "foreign host": health(server, Host="evil.example"),
        "foreign origin": health(server, Origin="https://evil.example"),
        "null origin": health(server, Origin="null"),
    }

    assert {name: answer.status_code for name, answer in answers.items()} == {
        "foreign host": 421,
        "foreign origin": 403,
        "null origin": 403,
    }


def test_a_port_that_a_server_of_ours_with_another_state_has_is_said_to_be(
    server: launch.ServerStatus, tmp_path: Path
) -> None:
    with pytest.raises(PortTaken, match=rf"Port {server.port} on .* by another MCP server of jupyter-mcpgen \(version"):
        launch.start(tmp_path, folder=tmp_path / "state", port=server.port, program=PROGRAM)


@pytest.mark.soak
def test_a_port_that_a_stranger_has_is_said_to_be(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as stranger, pytest.raises(PortTaken, match="in use by another program"):
        launch.start(tmp_path, folder=tmp_path / "state", port=stranger.getsockname()[1], program=PROGRAM)


def test_a_server_of_another_registry_is_named_before_its_port_is_asked_for(
    server: launch.ServerStatus, home: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(home / "other"))

    code, told = typed("serve", "--port", str(server.port))

    assert code == 1
    assert f"already runs at {server.url}" in told


def test_status_says_that_the_server_answers_and_who_used_it(
    server: launch.ServerStatus, home: Path, typed: Typed
) -> None:
    before = typed("status")
    headers = {"Authorization": f"Bearer {server.token.get_secret_value()}"}
    httpx2.post(server.url, json={}, headers=headers, timeout=20)

    code, told = typed("status")

    assert (before[0], code) == (0, 0)
    assert "The server answers (protocol 2026-07-28)." in told
    assert str(server.pid) in told
    assert ("serve:" in before[1], f"serve:{server.port}" in told) == (False, True)
    assert [one.client_id for one in tokens.living(state_folder() / "server", 0)] == [f"serve:{server.port}"]


def test_status_says_when_the_process_is_there_and_does_not_answer(
    server: launch.ServerStatus, home: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_mcpgen.server.health._SECONDS", 0.5)
    os.kill(server.pid, signal.SIGSTOP)
    try:
        code, told = typed("status")
    finally:
        os.kill(server.pid, signal.SIGCONT)

    assert code == 1
    assert "The server runs, but does not answer: nothing came within 0.5 seconds. restart starts it again." in told
    assert psutil.pid_exists(server.pid)


@pytest.mark.soak
def test_doctor_has_a_line_for_the_server(server: launch.ServerStatus, home: Path, typed: Typed) -> None:
    _, told = typed("doctor")

    assert f"MCP server. Process {server.pid} at {server.url}" in told
    assert "The server answers (protocol 2026-07-28)." in told


def message(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_server_that_is_to_end_finishes_the_calls_that_run(tmp_path: Path, era: str) -> None:
    promote(tmp_path / "registry", "naps", code="naps")
    state = tmp_path / "state"
    server = launch.start(tmp_path / "registry", folder=state, program=PROGRAM)
    token = tokens.issue(state, "patient", now=time.time())
    (grant,) = [one for one in tokens.living(state, time.time()) if one.client_id == "patient"]
    accepts = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}"}
    info = {"name": "patient", "version": "1"}
    if era == "legacy":
        first = message("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
        begun = httpx2.post(server.url, json=first, headers=accepts, timeout=60)
        headers = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
        meta: dict[str, object] = {}
    else:
        headers = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "naps"}
        named = {"protocolVersion": "2026-07-28", "clientInfo": info, "clientCapabilities": {}}
        meta = {"_meta": {f"io.modelcontextprotocol/{name}": value for name, value in named.items()}}
    call = message("tools/call", name="naps", arguments={"x": 2}, **meta)
    before = tokens.last_use(state, grant)

    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(httpx2.post, server.url, json=call, headers={**accepts, **headers}, timeout=60)
        while tokens.last_use(state, grant) == before:  # then it is being answered
            time.sleep(0.02)
        launch.stop(state)
        answer = asked.result()

    assert answer.status_code == 200
    assert '"result":4' in answer.text.replace(" ", "")
