"""What the transactions work with, put together once by `runtime`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_mcpgen.authors.author import Author
from jupyter_mcpgen.data.remembered import Frames, Profiles
from jupyter_mcpgen.errors import QuestionStopped
from jupyter_mcpgen.model.event import Event, Listener
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.pipeline.similarity import Similarity, WordSimilarity
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.scales import Scales


def _forget(question: OpenQuestion) -> None:
    """Keep no question."""


@dataclass(frozen=True)
class Services:
    """The parts that every hop may use; time and ids come from outside, so that a test can fix them.

    `workspace` is a folder of ours for drafts and snapshots, outside the registry.
    """

    registry: Registry
    sandbox: Sandbox
    author: Author
    workspace: Path
    limits: Limits
    clock: Callable[[], str]
    seconds: Callable[[], float]
    new_id: Callable[[], str]
    announce: Listener
    ask_back: Callable[[OpenQuestion], None] = _forget
    """Keeps a question that was asked back, so that one of its readings can be picked."""
    most_repairs: int = 3
    """How often code that a gate failed is repaired before it is rejected."""
    profiles: Profiles = field(default_factory=Profiles)
    frames: Frames = field(default_factory=Frames)
    scales: Scales = field(default_factory=Scales)
    """What the quality of a tool is weighed by and held against."""
    similarity: Similarity = field(default_factory=WordSimilarity)
    """Tells how much alike the words of a question and of a tool are."""
    stop: Cancellation = field(default_factory=Cancellation)
    """The wish to stop the question that these serve; runs in the sandbox end with it."""

    def on(self, course: Course, author: Author) -> Services:
        """Return the services for one question that somebody watches and may stop; `author` reads it."""

        def announce(event: Event) -> None:
            course.tell(event)  # first, because somebody waits for it
            self.announce(event)

        sandbox = self.sandbox.until(course.stop)
        return replace(self, announce=announce, stop=course.stop, sandbox=sandbox, author=author)

    def go_on(self) -> None:
        """Raise `QuestionStopped` if somebody wants the question to end; called wherever nothing is half done."""
        if self.stop.is_cancelled:
            raise QuestionStopped

    def go_beyond_stopping(self) -> None:
        """Go on to what cannot be taken back: whoever wants the question to end from now on is too late."""
        if not self.stop.seal():
            raise QuestionStopped
