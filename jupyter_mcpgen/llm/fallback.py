"""A second model for when the first one does not answer."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.errors import (
    ContextTooSmall,
    EmptyReply,
    ModelServerFailed,
    ModelTooSlow,
    NoSuchModel,
    RateLimited,
)
from jupyter_mcpgen.llm.address import in_a_sentence
from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Model, Progress, Stage, ignore
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply

_ANOTHER_MAY_ANSWER = (ContextTooSmall, EmptyReply, ModelServerFailed, ModelTooSlow, NoSuchModel, RateLimited)
"""Not a server that is down, a wrong key or a spent budget, which it shares.

Not an unreadable reply either: whoever asked can ask once more, with the error.
"""


@dataclass(frozen=True)
class WithFallback:
    """Asks the second model where the first one is missing, busy or broken; a `Reply` says which one answered."""

    first: Model
    second: Model
    second_name: str

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return the replies of the first model, else of the second; see `Model`."""
        try:
            return self.first.ask(prompt, candidates=candidates, cancelled=cancelled, progress=progress)
        except _ANOTHER_MAY_ANSWER:
            progress(Progress(Stage.RETRYING, f"asking `{in_a_sentence(self.second_name)}` instead"))
            return self.second.ask(prompt, candidates=candidates, cancelled=cancelled, progress=progress)
