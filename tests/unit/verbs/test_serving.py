"""What a person is told of MCP clients when a tool becomes live is true: it depends on the server that runs."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.server.launch import STATUS_FILE, ServerStatus
from jupyter_mcpgen.server.private import write_private
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.serving import what_clients_see


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """Return a registry on a machine where nothing was started yet."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    return Registry(tmp_path / "registry")


def write_status(registry: Path, born: float) -> None:
    """Leave what a server leaves: this process stands for it."""
    running = ServerStatus(
        pid=os.getpid(),
        born=born,
        host="127.0.0.1",
        port=1,
        url="http://127.0.0.1:1/mcp",
        registry=registry,
        started_at="2026-01-22T10:00:00Z",
        log=registry / "log",
        token=SecretStr("secret"),
    )
    write_private(state_folder() / "server" / STATUS_FILE, running.model_dump_json())


def test_without_a_server_nobody_is_said_to_be_told(registry: Registry) -> None:
    assert what_clients_see(registry) == "no server is running, `serve` starts one"


def test_a_server_that_died_is_none(registry: Registry) -> None:
    write_status(registry.root, born=1.0)

    assert what_clients_see(registry) == "no server is running, `serve` starts one"


def test_the_clients_of_a_running_server_are_told(registry: Registry) -> None:
    write_status(registry.root, born=psutil.Process().create_time())

    assert what_clients_see(registry) == "clients of the running server are told"


def test_a_file_that_cannot_be_read_keeps_nobody_from_a_decision(registry: Registry) -> None:
    write_private(state_folder() / "server" / STATUS_FILE, "{")

    assert what_clients_see(registry) == "it cannot be told whether a server is running, `status` says why"


def test_a_server_over_other_tools_tells_nobody(registry: Registry, tmp_path: Path) -> None:
    write_status(tmp_path / "other", born=psutil.Process().create_time())

    assert what_clients_see(registry) == (
        f"the server that runs has the tools of `{tmp_path / 'other'}`; `stop`, then `serve`, starts one for these"
    )
