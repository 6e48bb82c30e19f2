"""A model for tests: it answers each prompt, by name, with what it was told to, in turn; the last answer stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jupyter_mcpgen.errors import AskCancelled, EmptyReply, ModelError
from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Progress, Stage, ignore
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply, Usage

Answer = Mapping[str, Any] | str | ModelError


@dataclass
class ScriptedModel:
    """Keeps the prompts that it was asked. An answer is a JSON object, a text, or an error to raise."""

    answers: Mapping[str, Sequence[Answer]]
    asked: list[Prompt] = field(default_factory=list)

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return the next answers for the prompt's name."""
        if cancelled.is_cancelled:
            raise AskCancelled
        progress(Progress(Stage.ASKING, "asking `scripted`"))
        replies: list[Reply] = []
        failures: list[ModelError] = []
        for _ in range(candidates):
            try:
                replies.append(self._next(prompt))
            except ModelError as failure:
                failures.append(failure)
        if not replies:
            raise failures[0]
        return tuple(replies)

    def _next(self, prompt: Prompt) -> Reply:
        turn = sum(one.name == prompt.name for one in self.asked)
        self.asked.append(prompt)
        answers = self.answers.get(prompt.name, ())
        answer = answers[min(turn, len(answers) - 1)] if answers else EmptyReply("scripted")
        if isinstance(answer, ModelError):
            raise answer
        value = None if isinstance(answer, str) else answer
        return Reply(answer if isinstance(answer, str) else str(answer), "scripted", value, Usage(10, 5))
