"""A question can be stopped at any moment: nothing of it is kept, nothing runs on, and the next one is answered."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.data.workspace import OWNER
from jupyter_mcpgen.errors import QuestionStopped
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.event import Event, GateFinished, Stage, StageStarted
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.registry.store import Health
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from tests.flow.asking.product import ACCIDENTS, staged
from tests.laws import law
from tests.products import new_runtime

ASKED = "average severity by weather"
SOON = 60
MOST_LOOKS = 60
"""More often than that nothing looks whether a question of these rows was stopped."""
LASTS = 1.2
"""For about how many seconds such a question is on its way."""


class AfterLooks(Cancellation):
    """Somebody stops just before the work looks for the n-th time whether anybody did."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._left = looks

    @property
    def is_cancelled(self) -> bool:
        """Count a look, and return whether somebody cancelled."""
        self._left -= 1
        if self._left < 0:
            self.cancel()
        return super().is_cancelled


def ask(runtime: Runtime, data: DataRef, course: Course) -> flow.Staged | None:
    """Ask and stage as a face does; returns None where it was stopped."""
    try:
        computed = runtime.compute(ASKED, data, course=course)
        assert isinstance(computed, flow.Computed)
        return runtime.stage(computed, course)
    except QuestionStopped:
        return None


def files(registry: Path) -> set[str]:
    """Return what is kept of candidates, decided or not."""
    return {str(path.relative_to(registry)) for path in registry.rglob("card.json")}


def in_workspace(runtime: Runtime) -> set[str]:
    """Return what lies in the folder of drafts, but for the snapshots of tables and whose it is."""
    return {path.name for path in runtime.workspace.iterdir()} - {"snapshots", OWNER}


def jobs() -> list[psutil.Process]:
    """Return the processes of this one that work: what waits for a job sleeps."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if child.is_running() and _works(child)]


def _works(process: psutil.Process) -> bool:
    try:
        before = sum(process.cpu_times()[:2])
        time.sleep(0.01)
        return sum(process.cpu_times()[:2]) > before
    except psutil.Error:
        return False


def require_untouched(runtime: Runtime, data: DataRef, kept: flow.Staged | None) -> None:
    """Require that a question left either its whole card or nothing at all, and that the next one is answered."""
    registry = runtime.registry
    waiting = [(each.tool_id, each.status) for each in registry.staged()]
    assert waiting == ([] if kept is None else [(kept.card.card_id, ToolStatus.STAGED)])
    assert registry.doctor() == Health()
    assert len(files(registry.root)) == len(waiting)
    assert in_workspace(runtime) == set()
    card = staged(runtime.ask(ASKED, data))
    assert (card.status, card.sound) == (ToolStatus.STAGED, True)


def fresh(folder: Path) -> tuple[Runtime, DataRef]:
    runtime = new_runtime(folder)
    (folder / "accidents.csv").write_text(ACCIDENTS)
    return runtime, runtime.reference(str(folder / "accidents.csv"))


@pytest.mark.soak
@law(30)
@given(looks=st.integers(0, MOST_LOOKS))
def test_stopped_wherever_the_work_looks_it_leaves_all_or_nothing(looks: int) -> None:
    with TemporaryDirectory() as folder:
        runtime, data = fresh(Path(folder))

        kept = ask(runtime, data, Course(stop=AfterLooks(looks)))

        require_untouched(runtime, data, kept)


@pytest.mark.soak
@law(24)
@given(part=st.floats(0, 1))
def test_stopped_at_any_time_by_another_thread_it_leaves_all_or_nothing(part: float) -> None:
    with TemporaryDirectory() as folder:
        runtime, data = fresh(Path(folder))
        stop = Cancellation()
        timer = threading.Timer(part * LASTS, stop.cancel)
        timer.start()

        kept = ask(runtime, data, Course(stop=stop))

        timer.cancel()
        require_untouched(runtime, data, kept)


def stop_when(happens: Callable[[Event], bool]) -> Course:
    """Return the course of a question that is stopped as soon as something happens."""
    stop = Cancellation()

    def hear(event: Event) -> None:
        if happens(event):
            stop.cancel()

    return Course(hear, stop)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("stage", [each for each in Stage if each not in (Stage.FEEDBACK, Stage.PROMOTE)])
def test_stopped_at_the_beginning_of_any_stage_nothing_is_kept(
    stage: Stage, runtime: Runtime, accidents: DataRef
) -> None:
    course = stop_when(lambda event: isinstance(event, StageStarted) and event.stage is stage)

    assert ask(runtime, accidents, course) is None

    assert (runtime.registry.candidates(), files(runtime.registry.root)) == ((), set())


def test_stopped_between_two_gates_the_draft_is_taken_away(runtime: Runtime, accidents: DataRef) -> None:
    course = stop_when(lambda event: isinstance(event, GateFinished) and event.number == 3)

    assert ask(runtime, accidents, course) is None

    assert (runtime.registry.candidates(), runtime.registry.doctor()) == ((), Health())


def test_who_stops_while_the_card_is_being_kept_is_too_late(runtime: Runtime, accidents: DataRef) -> None:
    stop = Cancellation()
    course = Course(lambda event: stop.cancel() if event.kind == "tool_generated" else None, stop)

    kept = ask(runtime, accidents, course)

    assert kept is not None
    assert not stop.is_cancelled
    assert [each.tool_id for each in runtime.registry.staged()] == [kept.card.card_id]


def test_a_stopped_question_leaves_no_run_behind(runtime: Runtime, accidents: DataRef) -> None:
    course = stop_when(lambda event: isinstance(event, StageStarted) and event.stage is Stage.VALIDATE)

    assert ask(runtime, accidents, course) is None

    end = time.monotonic() + SOON
    while (left := jobs()) and time.monotonic() < end:
        time.sleep(0.1)
    assert left == []
    assert in_workspace(runtime) == set()
