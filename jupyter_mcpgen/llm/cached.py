"""Replies that are kept, so that the same prompt is not sent, and paid for, twice."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.errors import AskCancelled
from jupyter_mcpgen.llm.kept import read_record, write_record
from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Model, ignore
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply, Usage
from jupyter_mcpgen.llm.stored import from_record, to_record

MOST_REPLIES = 500


@dataclass(frozen=True)
class Cached:
    """A model whose replies are kept in a folder that only its owner reads; the oldest go first.

    `identity` says what replies: the address, the model, and how it is to write.
    """

    model: Model
    folder: Path
    identity: str
    most: int = MOST_REPLIES

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return kept replies, and ask for those that are missing; see `Model`."""
        if cancelled.is_cancelled:
            raise AskCancelled
        kept = {place: one for place in range(candidates) if (one := self._kept(prompt, place)) is not None}
        missing = [place for place in range(candidates) if place not in kept]
        if not missing:
            return tuple(kept.values())
        asked = self.model.ask(prompt, candidates=len(missing), cancelled=cancelled, progress=progress)
        for place, reply in zip(missing, asked, strict=False):  # there may be fewer replies than candidates
            self._keep(prompt, place, reply)
        return (*kept.values(), *asked)

    def _kept(self, prompt: Prompt, place: int) -> Reply | None:
        reply = from_record(read_record(self._path(prompt, place)), cached=True)
        if reply is None or (reply.value is None) != (prompt.schema is None):
            return None
        # nothing was sent for it, so it costs nothing
        return Reply(reply.text, reply.model, reply.value, Usage(), 0.0, cached=True)

    def _keep(self, prompt: Prompt, place: int, reply: Reply) -> None:
        with suppress(OSError):  # the reply is there; the next time it is asked for again
            write_record(self._path(prompt, place), to_record(reply))
            files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
            for path in files[: -self.most]:
                path.unlink(missing_ok=True)

    def _path(self, prompt: Prompt, place: int) -> Path:
        name = hashlib.sha256(f"{self.identity} {prompt.digest} {place}".encode()).hexdigest()
        return self.folder / f"{name[:40]}.json"
