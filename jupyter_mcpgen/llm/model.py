"""The one protocol of everything that answers prompts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply


class CancelToken(Protocol):
    """A wish to stop, made in another thread; `sandbox.cancellation.Cancellation` is one."""

    @property
    def is_cancelled(self) -> bool:
        """Return whether somebody cancelled."""
        ...

    def calling(self, listener: Callable[[], None], /) -> AbstractContextManager[None]:
        """Have a function called once if it is cancelled within the block, or was before."""
        ...


class Never:
    """The token of a request that nobody can cancel."""

    is_cancelled = False

    def calling(self, listener: Callable[[], None], /) -> AbstractContextManager[None]:
        """Do nothing."""
        return nullcontext()


NEVER: CancelToken = Never()


class Stage(StrEnum):
    """What a request is doing."""

    ASKING = "asking"
    LOADING = "loading"
    THINKING = "thinking"
    WRITING = "writing"
    RETRYING = "retrying"
    ADJUSTING = "adjusting"


@dataclass(frozen=True)
class Progress:
    """How far a request is, for a progress line; `text` is a short sentence, never part of a reply."""

    stage: Stage
    text: str
    characters: int = 0
    """How much of the reply has arrived."""


Listener: TypeAlias = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """Listen to no progress."""


class Model(Protocol):
    """Answers prompts: an endpoint, a recording, or the fake of the tests."""

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return one to `candidates` replies, each read and checked against the schema of the prompt.

        Candidates that fail are left out; if all fail, the first failure is raised as a `ModelError`. `progress` is
        called in the thread of the caller.
        """
        ...
