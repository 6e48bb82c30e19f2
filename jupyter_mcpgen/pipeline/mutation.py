"""Whether the generated tables of a tool would show a planted fault: the measure of what it was tested with.

Each fault is a plan with one thing wrong. The reference computes it over the tables that the gate runs the tool on; a
table whose result differs from the right one, by the comparison that the gate uses, would show code with that fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.agreement import difference_from
from jupyter_mcpgen.pipeline.generated import Tables
from jupyter_mcpgen.plan.faults import Fault, Operator, faults_of
from jupyter_mcpgen.plan.shape import Shape

MUTATION = "planted_faults"
"""The check that the generated tables would show planted faults."""
STATISTIC_ASKED = "statistic_asked"
"""The check that they tell the statistic that was asked for from every other one."""
MOST_FAULTS = 12
"""How many faults a gate plants; where a plan has more, some of every operator."""
SECONDS = 5.0
"""The time box of a gate that does so; it only matters on a machine that is very busy."""


@dataclass(frozen=True)
class Tried:
    """A planted fault, and the first table that shows it; None where all of them were tried and none does."""

    fault: Fault
    shown_by: str | None


@dataclass(frozen=True)
class PlantedFaults:
    """The faults of a plan that were tried, and how many there are in all."""

    tried: tuple[Tried, ...]
    planted: int

    def evidence(self) -> tuple[Evidence, ...]:
        """Say how many of the faults would be noticed, and whether the statistic is told from every other."""
        of_statistic = tuple(trial for trial in self.tried if trial.fault.is_of_statistic)
        return (*_noticed(self.tried, self.planted), *_statistic(of_statistic))


def plant_faults(
    shape: Shape,
    tables: Mapping[Case, Tables],
    clock: Callable[[], float],
    seconds: float = SECONDS,
    most: int = MOST_FAULTS,
    small: Callable[[], Mapping[str, Tables]] = dict,
) -> PlantedFaults:
    """Try the faults of a tool's plan on its generated tables, as many as `most` and the time box allow.

    The tables with few rows come first. What none of them shows is tried on those of the tool's own tests, which
    `small` gives: with few rows a group may stand alone that is hidden among many.
    """
    deadline = clock() + seconds
    faults = faults_of(shape.plan)
    named = {case.value: given for case, given in tables.items()}
    ordered = dict(sorted(named.items(), key=lambda item: _is_large(item[1])))
    tried = try_faults(shape, spread(faults, most)[:most], ordered, lambda: clock() < deadline)
    hidden = [trial.fault for trial in tried if trial.shown_by is None]
    again = iter(try_faults(shape, hidden, small())) if hidden else iter(())
    last = [trial if trial.shown_by is not None else next(again, trial) for trial in tried]
    return PlantedFaults(tuple(last), len(faults))


_LARGE = 1_000


def _is_large(tables: Tables) -> bool:
    return max(len(tables.frame), 0 if tables.other is None else len(tables.other)) > _LARGE


def spread(faults: Sequence[Fault], most: int) -> tuple[Fault, ...]:
    """Order faults so that those of the statistic come first, then one of each operator, then another of each."""
    by_operator: dict[Operator, list[Fault]] = {}
    for fault in faults:
        by_operator.setdefault(fault.operator, []).append(fault)
    first = [fault for fault in faults if fault.is_of_statistic][: most // 2]
    turns = [fault for turn in zip_longest(*by_operator.values()) for fault in turn if fault is not None]
    return (*first, *(fault for fault in turns if fault not in first))


def try_faults(
    shape: Shape,
    faults: Sequence[Fault],
    tables: Mapping[str, Tables],
    has_time: Callable[[], bool] = lambda: True,
) -> list[Tried]:
    """Return which table shows each fault first; faults that there was no time to try on every table are left out."""
    shown: dict[int, str] = {}
    left = dict(enumerate(faults))
    first = next(iter(tables.values()), None)
    if first is None:
        return []
    engine = Engine(first.frame, first.other)
    try:
        for name, given in tables.items():
            if not left or not has_time():
                break
            for place in _showing(shape, left, given, engine, has_time):
                shown[place] = name
                del left[place]
    finally:
        engine.close()
    undecided = left if not has_time() else {}
    return [Tried(fault, shown.get(place)) for place, fault in enumerate(faults) if place not in undecided]


def _showing(
    shape: Shape, faults: Mapping[int, Fault], tables: Tables, engine: Engine, has_time: Callable[[], bool]
) -> list[int]:
    """Return the places of the faults that one table shows."""
    tables.load(engine)
    try:
        plan = tables.bound(shape)
        right = engine.table(plan)
    except PlanError:
        return []  # the gate has nothing to compare with there
    shown = []
    for place, fault in faults.items():
        if not has_time():
            break
        try:
            wrong = engine.table(tables.bound(Shape(plan=fault.plan, parameters=shape.parameters)))
        except PlanError:
            shown.append(place)  # code that does so fails there
            continue
        if not right.equals(wrong) and difference_from(right, wrong, plan, engine) is not None:
            shown.append(place)
    return shown


def _noticed(tried: Sequence[Tried], planted: int) -> Iterator[Evidence]:
    if not tried:
        return
    missed = next((trial.fault for trial in tried if trial.shown_by is None), None)
    noticed = sum(trial.shown_by is not None for trial in tried)
    of_more = f" ({planted} are possible)" if planted > len(tried) else ""
    sentence = f"{noticed} of {len(tried)} planted faults would be noticed{of_more}."
    if missed is None:
        yield Evidence(check=MUTATION, verdict=Verdict.PASSED, sentence=sentence, figure=noticed)
        return
    sentence = f"{sentence} The first that would not: {_said(missed)}."
    yield Evidence(check=MUTATION, verdict=Verdict.NOT_APPLICABLE, sentence=sentence, figure=noticed)


def _statistic(tried: Sequence[Tried]) -> Iterator[Evidence]:
    """Say that the statistic is the one asked for, where each other one would have given another result."""
    if not tried:
        return
    missed = next((trial.fault for trial in tried if trial.shown_by is None), None)
    if missed is None:
        sentence = "The statistic computed is the one asked for."
        yield Evidence(check=STATISTIC_ASKED, verdict=Verdict.PASSED, sentence=sentence, figure=len(tried))
        return
    sentence = f"No generated table shows {_said(missed)}."
    yield Evidence(check=STATISTIC_ASKED, verdict=Verdict.NOT_APPLICABLE, sentence=sentence)


def _said(fault: Fault) -> str:
    """Say what is wrong and in which step."""
    return f"{fault.operator.value} in {fault.site.partition(',')[0]}"
