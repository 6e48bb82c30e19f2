"""The log of everything that was sent to model servers: sizes and hashes, never a key and never a word of a prompt.

Every request is written down before it is sent, and once more when it is over, so the log shows what left the machine
even if the process was killed. `body` is the SHA-256 of the very bytes.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from jupyter_mcpgen.errors import RequestNotLogged
from jupyter_mcpgen.llm.kept import append_line

MOST_BYTES = 2_000_000
"""So much stands in one file; the one before it is kept as well."""
SENT = "sent"
"""The status of a request that was sent, while nothing is known of its end."""


def now() -> str:
    """Return the time for the log."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Entry:
    """One request to a server."""

    id: str
    time: str
    origin: str
    model: str
    prompt: str
    policy: str
    body: str
    body_bytes: int
    status: str = SENT
    """`ok`, an HTTP status, the name of a failure, or `sent`."""
    reply_characters: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class RequestLog:
    """The log in a file of its own, readable by its owner alone."""

    def __init__(self, path: Path, clock: Callable[[], str] = now) -> None:
        self.path = path
        self._clock = clock

    def begin(self, body: bytes, origin: str, model: str, prompt: str, policy: str) -> Entry:
        """Write a request down before it is sent; raises `RequestNotLogged`, and then nothing may be sent."""
        digest = hashlib.sha256(body).hexdigest()
        entry = Entry(secrets.token_hex(6), self._clock(), origin, model, prompt, policy, digest, len(body))
        self._write(entry)
        return entry

    def end(
        self, entry: Entry, status: str, characters: int = 0, prompt: int | None = None, completion: int | None = None
    ) -> None:
        """Write down how a request ended."""
        self._write(
            replace(
                entry,
                status=status,
                reply_characters=characters,
                prompt_tokens=prompt,
                completion_tokens=completion,
            )
        )

    def entries(self) -> tuple[Entry, ...]:
        """Return every request that is still in the log, oldest first, each as it ended."""
        latest: dict[str, Entry] = {}
        for entry in self._lines():
            latest[entry.id] = entry
        return tuple(latest.values())

    def _lines(self) -> Iterator[Entry]:
        for path in (self.path.with_name(f"{self.path.name}.1"), self.path):
            if not path.is_file():
                continue
            for line in path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError, TypeError):  # half a line, of a process that was killed while it wrote
                    yield Entry(**json.loads(line))

    def _write(self, entry: Entry) -> None:
        try:
            append_line(self.path, json.dumps(asdict(entry)), MOST_BYTES)
        except OSError as error:
            raise RequestNotLogged(self.path, error.strerror or str(error)) from error
