"""A model whose progress is told to one listener, and whose requests one wish ends."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Model, Progress, ignore
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply


@dataclass(frozen=True)
class Listening:
    """Passes on what a model is asked, and tells `listener` how far each request is, until `stop` is cancelled."""

    model: Model
    listener: Listener
    stop: CancelToken = NEVER

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return the replies of the model; see `Model`."""

        def tell(news: Progress) -> None:
            self.listener(news)
            progress(news)

        ended_by = self.stop if cancelled is NEVER else cancelled
        return self.model.ask(prompt, candidates=candidates, cancelled=ended_by, progress=tell)
