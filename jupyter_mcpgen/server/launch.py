"""Starts, finds and stops the HTTP server from a kernel or a command line.

The server is a process of its own session: it outlives the kernel that started it, a kernel restart included, and ends
with `stop`, with a signal or with the machine. One server runs per state folder. What is known about it lies in
`server.json` there, readable by the owner only; its log in `server.log`; the digests of all tokens in `tokens.json`.
The token travels in that private file and in return values, never on a command line or in the environment.
"""

from __future__ import annotations

import os
import select
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.running_server import STATUS_FILE as STATUS_FILE
from jupyter_mcpgen.running_server import ServerStatus as ServerStatus
from jupyter_mcpgen.running_server import process_of, read_status
from jupyter_mcpgen.running_server import status as status
from jupyter_mcpgen.server.connect import PROGRAM
from jupyter_mcpgen.server.listening import listen, url_of
from jupyter_mcpgen.server.private import locked, private_folder, write_private
from jupyter_mcpgen.server.tokens import ADMIN, CALL, issue, revoke_all

if TYPE_CHECKING:
    import psutil

LOG_FILE = "server.log"
LOCK_FILE = "server.lock"
READY_SECONDS = 60.0
STOP_SECONDS = 20.0


def start(
    registry: Path,
    *,
    folder: Path,
    host: str = "127.0.0.1",
    port: int = 0,
    program: Sequence[str] = PROGRAM,
    ready_seconds: float = READY_SECONDS,
) -> ServerStatus:
    """Start a server for a registry and return when it answers; a server that already runs for it is returned.

    `folder` is the state folder, outside the registry. Raises `PortTaken` before anything is started, and
    `ServerError` with the end of the log when the server does not come up.
    """
    registry = registry.expanduser().resolve()
    with locked(private_folder(folder) / LOCK_FILE):
        running = status(folder)
        if running is not None:
            return _the_same(running, registry, port)
        with listen(host, port) as listener:
            taken = listener.getsockname()[1]
            token = issue(folder, f"serve:{taken}", now=time.time(), scopes=(CALL, ADMIN))
            process = _spawn(
                [*program, "--http", "--registry", str(registry), "--state", str(folder), "--host", host],
                listener.fileno(),
                folder / LOG_FILE,
                ready_seconds,
            )
        try:
            launched = ServerStatus(
                pid=process.pid,
                born=_born(process.pid),
                host=host,
                port=taken,
                url=url_of(host, taken),
                registry=registry,
                started_at=datetime.now(UTC).isoformat(timespec="seconds"),
                log=folder / LOG_FILE,
                token=SecretStr(token),
            )
            write_private(folder / STATUS_FILE, launched.model_dump_json(indent=2))
        except BaseException:
            process.kill()  # a server that nobody can find again must not stay
            raise
        return launched


def stop(folder: Path, *, revoke: bool = False) -> ServerStatus | None:
    """Stop the server and return what it was, or None when none ran; `revoke` makes all tokens worthless as well."""
    with locked(private_folder(folder) / LOCK_FILE):
        known = read_status(folder)
        process = process_of(known) if known is not None else None
        if process is not None:
            _end(process)
        with suppress(FileNotFoundError):  # nothing was running
            (folder / STATUS_FILE).unlink()
        if revoke:
            revoke_all(folder)
        return known if process is not None else None


def _the_same(running: ServerStatus, registry: Path, port: int) -> ServerStatus:
    if running.registry == registry and port in (0, running.port):
        return running
    raise ServerError(
        f"A server for `{running.registry}` already runs at `{running.url}`. Stop it first with `%mcpgen stop`."
    )


def _spawn(command: list[str], listener: int, log: Path, ready_seconds: float) -> subprocess.Popen[bytes]:
    reader, writer = os.pipe()
    with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output:
        try:
            process = subprocess.Popen(  # noqa: S603  our own interpreter and module, no shell
                [*command, "--listen-fd", str(listener), "--ready-fd", str(writer)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(listener, writer),
                # Away from the kernel's process group: a kernel restart or Ctrl-C must not reach the server.
                start_new_session=True,
            )
        finally:
            os.close(writer)
    try:
        ready = _is_ready(reader, ready_seconds)
    finally:
        os.close(reader)
    if not ready:
        process.kill()
        process.wait()
        raise ServerError(f"The MCP server did not start. The end of `{log}`:\n{_tail(log)}")
    # Somebody has to collect the exit status, or a stopped server stays behind as a zombie of the kernel.
    threading.Thread(target=process.wait, name=f"reaper of MCP server {process.pid}", daemon=True).start()
    return process


def _is_ready(reader: int, seconds: float) -> bool:
    readable, _, _ = select.select([reader], [], [], seconds)
    return bool(readable) and os.read(reader, 5) == b"ready"


def _born(pid: int) -> float:
    import psutil  # deferred: 20 ms that no command needs while no server runs, as below

    return psutil.Process(pid).create_time()


def _end(process: psutil.Process) -> None:
    import psutil

    with suppress(psutil.NoSuchProcess):  # it may end by itself meanwhile
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)


def _tail(log: Path, lines: int = 15) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]) or "(empty)"
