"""Which MCP server runs on this machine: what its state file says of it, and whether that process lives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr, ValidationError, field_serializer

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.model.record import Record

if TYPE_CHECKING:
    import psutil

STATUS_FILE = "server.json"
# Two processes with one id cannot have been born within a second of each other.
SAME_BIRTH_SECONDS = 1.0


class ServerStatus(Record):
    """A running server: where it is, what it serves, and the token of whoever started it (hidden when printed)."""

    pid: int
    born: float
    host: str
    port: int
    url: str
    registry: Path
    started_at: str
    log: Path
    token: SecretStr

    @field_serializer("token", when_used="json")
    def _reveal(self, token: SecretStr) -> str:
        return token.get_secret_value()


def status(folder: Path) -> ServerStatus | None:
    """Return the running server of a state folder; a file left by a dead one is no server."""
    known = read_status(folder)
    return known if known is not None and process_of(known) is not None else None


def read_status(folder: Path) -> ServerStatus | None:
    """Return what the state file of a folder says; raises `ServerError` for one that cannot be read."""
    path = folder / STATUS_FILE
    try:
        return ServerStatus.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise ServerError(
            f"`{path}` cannot be read. Delete it; a server that still runs ends with its process."
        ) from error


def process_of(known: ServerStatus) -> psutil.Process | None:
    """Return the process of a server, or None where it has ended or its id is another process's now."""
    import psutil  # deferred: 20 ms that no command needs while no server runs

    try:
        process = psutil.Process(known.pid)
        born = process.create_time()
        dead = process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return None
    return None if dead or abs(born - known.born) > SAME_BIRTH_SECONDS else process
