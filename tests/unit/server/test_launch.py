"""One server per state folder: started whole or not at all, found again, and ended for sure."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.errors import PortTaken, ServerError
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.listening import listen, refuse_remote, url_of
from tests.fakes.folder_shelf import promote

PROGRAM = (sys.executable, str(Path(__file__).parents[2] / "fakes" / "folder_server.py"))


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    promote(tmp_path / "registry", "double")
    return tmp_path / "registry"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "state"
    launch.stop(tmp_path / "state")


def forged(state: Path, **changes: object) -> launch.ServerStatus:
    """Leave a status file as a server would have, with some fields wrong."""
    own = psutil.Process(os.getpid())
    known = launch.ServerStatus.model_validate(
        {
            "pid": own.pid,
            "born": own.create_time(),
            "host": "127.0.0.1",
            "port": 1,
            "url": "http://127.0.0.1:1/mcp",
            "registry": state,
            "started_at": "2026-11-01T00:00:00+00:00",
            "log": state / "server.log",
            "token": "secret",
            **changes,
        }
    )
    launch.write_private(state / launch.STATUS_FILE, known.model_dump_json())
    return known


def test_a_server_is_started_found_kept_and_stopped(registry: Path, state: Path):
    started = launch.start(registry, folder=state, program=PROGRAM)
    again = launch.start(registry, folder=state, program=PROGRAM)
    with pytest.raises(ServerError, match="already runs"):
        launch.start(registry / "other", folder=state, program=PROGRAM)
    command = " ".join(psutil.Process(started.pid).cmdline())
    environment = psutil.Process(started.pid).environ().values()
    token = started.token.get_secret_value()

    assert (again, launch.status(state)) == (started, started)
    assert os.getsid(started.pid) == started.pid
    assert not any(token in text for text in (command, *environment, repr(started), str(started)))
    assert {
        path.name: path.stat().st_mode & 0o777 for path in state.glob("*.[jlk][seo]*") if path.suffix != ".lock"
    } == {
        "server.json": 0o600,
        "server.log": 0o600,
        "state.key": 0o600,
        "tokens.json": 0o600,
    }

    assert launch.stop(state) == started
    assert (launch.status(state), launch.stop(state), psutil.pid_exists(started.pid)) == (None, None, False)
    assert token not in (state / "server.log").read_text() + (state / "tokens.json").read_text()


@pytest.mark.soak
def test_a_taken_port_is_named_before_anything_is_started(registry: Path, state: Path):
    with listen("127.0.0.1", 0) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} on `127.0.0.1` is in use"):
            launch.start(registry, folder=state, port=port, program=PROGRAM)

    assert [path.name for path in state.iterdir()] == ["server.lock"]


def test_a_server_that_does_not_come_up_leaves_nothing_but_its_log(registry: Path, state: Path):
    program = (sys.executable, "-c", "raise SystemExit('the disk is on fire')")

    with pytest.raises(ServerError, match="the disk is on fire"):
        launch.start(registry, folder=state, program=program)
    assert launch.status(state) is None


def test_a_server_that_never_answers_is_ended(registry: Path, state: Path):
    program = (sys.executable, "-c", "import time; time.sleep(60)")

    with pytest.raises(ServerError, match="did not start"):
        launch.start(registry, folder=state, program=program, ready_seconds=0.2)
    assert launch.status(state) is None


def test_a_dead_server_is_no_server(state: Path):
    forged(state, pid=2**22 - 1)

    assert (launch.status(state), launch.stop(state)) == (None, None)
    assert not (state / launch.STATUS_FILE).exists()


def test_another_process_with_the_same_id_is_left_alone(state: Path):
    forged(state, born=1.0)

    assert (launch.status(state), launch.stop(state)) == (None, None)


def test_a_damaged_status_file_is_named(state: Path):
    launch.write_private(state / launch.STATUS_FILE, "{")

    with pytest.raises(ServerError, match=r"server\.json.*Delete it"):
        launch.status(state)
    (state / launch.STATUS_FILE).unlink()


def test_a_host_that_is_not_ours_is_refused():
    with pytest.raises(ServerError, match=r"Use `127\.0\.0\.1`"):
        listen("192.0.2.1", 0)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "no such host"])  # noqa: S104  refused, not bound
def test_an_address_that_other_machines_reach_needs_a_setting(host: str):
    with pytest.raises(ServerError, match=r"clear text.*MCPGEN_SERVER__ALLOW_REMOTE"):
        refuse_remote(host, allowed=False)

    refuse_remote(host, allowed=True)
    for local in ("127.0.0.1", "127.0.0.2", "::1", "localhost"):
        refuse_remote(local, allowed=False)


def test_an_ipv6_host_is_written_in_brackets():
    assert [url_of(host, 80) for host in ("127.0.0.1", "::1")] == ["http://127.0.0.1:80/mcp", "http://[::1]:80/mcp"]
    assert listen_family("::1") == socket.AF_INET6


def listen_family(host: str) -> int:
    with listen(host, 0) as listener:
        return listener.family


def test_a_kernel_that_starts_a_server_does_not_load_fastmcp():
    modules = "jupyter_mcpgen.server.launch, jupyter_mcpgen.server.connect"
    check = f"import sys, {modules}; print({{'fastmcp', 'mcp', 'pandas'}} & set(sys.modules))"
    root = Path(__file__).parents[3]

    assert subprocess.run([sys.executable, "-c", check], cwd=root, capture_output=True, text=True).stdout == "set()\n"
