"""Replies in files that a person can read and judge: recorded once from a real model, replayed in tests."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from jupyter_mcpgen.errors import AskCancelled, NoRecording
from jupyter_mcpgen.llm.kept import read_record
from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Model, ignore
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply
from jupyter_mcpgen.llm.stored import from_record, to_record

_DIGITS = 12


@dataclass(frozen=True)
class Recorded:
    """The model that answers from files alone: by the content of the prompt, without any network."""

    folder: Path

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return the recorded replies; raises `NoRecording`, which says how to record them. See `Model`."""
        if cancelled.is_cancelled:
            raise AskCancelled
        record = read_record(recording_of(self.folder, prompt))
        replies = [from_record(one, cached=True) for one in record["replies"]] if isinstance(record, dict) else []
        known = tuple(one for one in replies if one is not None)
        if not known:
            raise NoRecording(prompt.name, prompt.digest[:_DIGITS], self.folder)
        return known[:candidates]


@dataclass(frozen=True)
class Recording:
    """A model whose replies are written into a folder, for `Recorded` to find; with the prompt, so that both are seen.

    The prompt is in the file: record no data that should not be read by others.
    """

    model: Model
    folder: Path

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Ask the model and write down what it replies; see `Model`."""
        replies = self.model.ask(prompt, candidates=candidates, cancelled=cancelled, progress=progress)
        asked = {
            "name": prompt.name,
            "messages": [asdict(one) for one in prompt.messages],
            "schema": prompt.schema,
            "policy": prompt.policy,
        }
        record = {"prompt": asked, "replies": [to_record(one) for one in replies]}
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record, indent=2, ensure_ascii=False, default=dict)
        recording_of(self.folder, prompt).write_text(f"{text}\n", encoding="utf-8")
        return replies


def recording_of(folder: Path, prompt: Prompt) -> Path:
    """Return the file of a prompt's replies."""
    return folder / f"{prompt.name.replace('/', '-')}-{prompt.digest[:_DIGITS]}.json"
