"""What the gates look at: a draft with the answer it gave, and its runs on generated tables, made once for all."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.analysis.chance import reasons_for_change
from jupyter_mcpgen.analysis.linters import FUNCTION as LINTERS
from jupyter_mcpgen.analysis.linters import TOOL as LINTING
from jupyter_mcpgen.analysis.linters import without_comments
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.validation import CaseEnd, Evidence
from jupyter_mcpgen.pipeline.beside import beside
from jupyter_mcpgen.pipeline.draft import Draft
from jupyter_mcpgen.pipeline.generated import Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.mutation import SECONDS as PLANTING_SECONDS
from jupyter_mcpgen.pipeline.reference import Reference
from jupyter_mcpgen.pipeline.references import reference_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, result_in, unpacked, what_went_wrong
from jupyter_mcpgen.sandbox.job import Answer, Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.policy import Limits, Policy

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Ended:
    """How the code ended on one generated table: with an answer, and a result or what went wrong."""

    answer: Answer | None
    result: pd.DataFrame | None
    wrong: str | None
    how: CaseEnd = CaseEnd.ANSWERED


@dataclass(frozen=True)
class CaseRuns:
    """All generated tables of a draft by name, how the code ended on each, and the same calls in a second process."""

    cases: Mapping[Case, Tables]
    refused: Mapping[str, Tables]
    varied: Mapping[str, Tables]
    elsewhere: Mapping[str, Tables]
    """Tables with other columns under other arguments."""
    run: Run
    again: Future[Run]
    ended: Mapping[str, Ended]
    planted: tuple[Evidence, ...]
    """Whether the tables would show planted faults."""

    @property
    def typical(self) -> Tables:
        """The table that is like the person's."""
        return self.cases[Case.TYPICAL]


@dataclass(frozen=True)
class Files:
    """The files of a tool, which nobody runs."""

    package: Package
    services: Services

    @cached_property
    def linted(self) -> Mapping[str, Any]:
        """What the linters say of the code, each by its name; raises `SandboxError` where they could not be run."""
        job = Job(LINTING, LINTERS, (Call({"code": without_comments(self.package.code)}),), is_ours=True)
        run = self.services.sandbox.run(job, Policy(limits=self.services.limits))
        answer = run.answers[0] if run.answers else None
        wrong = what_went_wrong(run, answer)
        if answer is None or wrong is not None:
            raise SandboxError(wrong or "no answer")
        return dict(answer.value)


@dataclass(frozen=True)
class Subject(Files):
    """A draft whose answer is known; nothing of it is run before a gate asks for `runs`."""

    draft: Draft
    material: Material
    told: tuple[Evidence, ...]
    """What was found with the answer on the person's data."""

    @cached_property
    def reference(self) -> Reference:
        """What computes the answer a second time."""
        return reference_of(self.draft, self.services)

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """Why the code may give another result each time, if it may."""
        return reasons_for_change(self.draft.package.code)

    @cached_property
    def runs(self) -> CaseRuns:
        """The runs on generated tables; raises `SandboxError` where the code could not be run."""
        cases = self.reference.cases(self.material)
        typical = cases[Case.TYPICAL]
        refused, varied = self.reference.refused(typical), self.reference.variations(typical)
        elsewhere = self.reference.elsewhere(self.material)
        small = dict(cases)
        large_tables = small.pop(Case.LARGE)
        given = {**{case.value: tables for case, tables in small.items()}, **refused, **varied, **elsewhere}
        services, spec = self.services, self.draft.contract.spec
        with (
            unpacked(self.draft.package, services.workspace) as folder,
            TemporaryDirectory(prefix="cases-", dir=services.workspace) as place,
        ):
            calls = tuple(tables.written(Path(place), name) for name, tables in given.items())
            tool, limits = PlacedTool(folder, spec.tool_name, self.draft.contract.capabilities), services.limits
            large = large_tables.written(Path(place), Case.LARGE.value)
            with (
                beside(lambda: call_all(services.sandbox, tool, calls, limits, other_seed=True)) as again,
                # while the sandbox runs; one query over the large table would take as long as ten over the others
                beside(
                    lambda: self.reference.planted_faults(small, self.material, services.seconds, PLANTING_SECONDS)
                ) as planted,
            ):
                run = call_all(services.sandbox, tool, calls, limits)
                # by itself: where it ends the process, the others are judged all the same
                run_of_large = call_all(services.sandbox, tool, (large,), limits)
        answers = [*run.answers, *[None] * len(given)]
        ended = {name: _ended(run, n, answers[n], limits) for n, name in enumerate(given)}
        ended[Case.LARGE.value] = _ended(run_of_large, 0, next(iter(run_of_large.answers), None), limits, is_alone=True)
        return CaseRuns(cases, refused, varied, elsewhere, run, again, ended, planted.result())


_LIMITS = frozenset({Outcome.MEMORY_EXCEEDED, Outcome.CPU_EXCEEDED, Outcome.OUTPUT_EXCEEDED})


def _ended(run: Run, place: int, answer: Answer | None, limits: Limits, *, is_alone: bool = False) -> Ended:
    wrong = what_went_wrong(run, answer)
    if answer is None or wrong is not None:
        return Ended(answer, None, wrong or "no answer", _how(run, place, is_alone=is_alone))
    try:
        return Ended(answer, result_in(answer, limits), None)
    except SandboxError as dishonest:
        return Ended(answer, None, str(dishonest))


def _how(run: Run, place: int, *, is_alone: bool) -> CaseEnd:
    """Return how a case without a result ended, in the supervisor's words; the first unanswered one ended the rest.

    Code that says itself that it has no memory is believed for the one case that has a process of its own: it could
    say so on every table.
    """
    if run.outcome is Outcome.COMPLETED or (place < len(run.answers) and not is_alone):
        return CaseEnd.ANSWERED
    if place > len(run.answers):
        return CaseEnd.NOT_RUN
    if run.outcome is Outcome.TIMED_OUT:
        return CaseEnd.TIMEOUT
    return CaseEnd.LIMIT if run.outcome in _LIMITS else CaseEnd.ANSWERED
