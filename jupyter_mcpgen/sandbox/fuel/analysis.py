"""Fuel analysis: how full the budget is, why, and what budget to ask for; rules and arithmetic only.

Fuel advises and is never a security limit: those are the processor time, the wall clock and the memory of the policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.fuel import FuelAnalysis, FuelStatus, FuelUnit
from jupyter_mcpgen.sandbox.fuel.import_costs import REFERENCE, ImportCosts
from jupyter_mcpgen.sandbox.fuel.imports import Reading, read_code

_LOWER_BOUNDS = (
    (100, FuelStatus.EXHAUSTED),
    (90, FuelStatus.CRITICAL),
    (75, FuelStatus.WARNING),
    (50, FuelStatus.MODERATE),
)
_TIGHT = (FuelStatus.WARNING, FuelStatus.CRITICAL, FuelStatus.EXHAUSTED)
# beyond this much, a program without heavy imports is doing a lot of work of its own
_MUCH = {
    FuelUnit.INSTRUCTIONS: 3_000_000_000,
    FuelUnit.EVENTS: 1_000_000,
    FuelUnit.LINES: 2_000_000,
    FuelUnit.CPU_MS: 3_000,
}
_SCALES = ((1_000_000_000, "B"), (1_000_000, "M"), (1_000, "k"))
_SECOND, _TENTH_OF_A_SECOND = 1_000, 100


@dataclass(frozen=True)
class ImportHistory:
    """What the process of an execution had imported before.

    `kept` is true only for runtimes whose sessions really keep their process (ruling R47).
    """

    modules: frozenset[str] = frozenset()
    kept: bool = False

    def after(self, code: str, language: str = "python") -> ImportHistory:
        """Return the history once that code ran to its end in the process; the same where nothing is kept."""
        if not self.kept:
            return self
        return ImportHistory(self.modules | frozenset(read_code(code, language).imports), kept=True)


def analyze_fuel(
    consumed: int | None,
    budget: int,
    *,
    unit: FuelUnit = FuelUnit.INSTRUCTIONS,
    code: str = "",
    language: str = "python",
    history: ImportHistory = ImportHistory(),
    costs: ImportCosts = REFERENCE,
    ran_out: bool = False,
) -> FuelAnalysis:
    """Return the analysis of one execution; `ran_out` is the runtime's own word that fuel ended it.

    `consumed` is `None` where nothing was measured, and a budget of 0 is none at all: both give `unknown`.
    """
    if consumed is None or consumed < 0 or budget <= 0:
        return _unknown(consumed, budget, unit)
    status = FuelStatus.EXHAUSTED if ran_out else status_of(consumed, budget)
    loaded = _Loaded.by(code, language, history, costs, unit, thorough=status in _TIGHT or consumed > _MUCH[unit])
    return FuelAnalysis(
        consumed=consumed,
        budget=budget,
        utilization_percent=consumed * 10_000 // budget / 100,
        status=status,
        unit=unit,
        recommendation=" ".join(_recommendation(status, consumed, budget, unit, loaded)),
        likely_causes=tuple(_likely_causes(consumed, unit, loaded, tight=status in _TIGHT)),
    )


def status_of(consumed: int, budget: int) -> FuelStatus:
    """Return how full a budget is; whole numbers only, so a bound is met exactly or not."""
    for bound, status in _LOWER_BOUNDS:
        if consumed * 100 >= budget * bound:
            return status
    return FuelStatus.EFFICIENT


def amount(figure: int, unit: FuelUnit) -> str:
    """Return a figure as people say it: `4.7B`, `850M events`, `45 s of CPU time`."""
    if unit is FuelUnit.CPU_MS:
        return f"{figure / _SECOND:g} s of CPU time"
    noun = "" if unit is FuelUnit.INSTRUCTIONS else f" {unit.value}"
    for size, letter in _SCALES:
        if figure >= size:
            return f"{_tenths(figure, size)}{letter}{noun}"
    return f"{figure}{noun}"


def suggested_budget(
    consumed: int, budget: int, unit: FuelUnit, *, ran_out: bool = False, first_imports: int = 0
) -> int:
    """Return the budget to ask for: half as much again as was used, or twice as much once it is nearly or all gone.

    A run that ended within its first imports needs at least their cost and half of it. Rounded up to a whole billion,
    million or thousand, or to a tenth of a second.
    """
    status = FuelStatus.EXHAUSTED if ran_out else status_of(consumed, budget)
    if status is FuelStatus.EXHAUSTED:
        wanted = max(2 * consumed, 2 * budget, _half_more(first_imports))
    elif status is FuelStatus.CRITICAL:
        wanted = 2 * consumed
    else:
        wanted = _half_more(consumed)
    return _rounded_up(wanted, unit)


@dataclass(frozen=True)
class _Loaded:
    """The heavy packages of a program, apart by whether this run paid for them, and the program's loops."""

    fresh: tuple[str, ...]
    before: tuple[str, ...]
    reading: Reading
    costs: ImportCosts
    kept: bool

    @classmethod
    def by(
        cls, code: str, language: str, history: ImportHistory, costs: ImportCosts, unit: FuelUnit, *, thorough: bool
    ) -> _Loaded:
        # parsing is the dear part: left out where no heavy package can be named and there is nothing to explain
        worth_reading = thorough or any(name in code for name in (*costs, "pandas"))
        reading = read_code(code, language) if worth_reading else Reading()
        heavy = [name for name in reading.imports if name in costs and costs[name].unit is unit]
        kept = history.modules | _brought(history.modules, costs)
        fresh = [name for name in heavy if name not in kept]
        brought = _brought(fresh, costs)
        return cls(
            fresh=tuple(name for name in fresh if name not in brought),
            before=tuple(name for name in heavy if name in kept),
            reading=reading,
            costs=costs,
            kept=history.kept,
        )

    @property
    def first_imports(self) -> int:
        return sum(self.costs[name].most for name in self.fresh)

    def price(self, name: str) -> str:
        cost = self.costs[name]
        most = amount(cost.most, cost.unit)
        in_time = cost.unit is FuelUnit.CPU_MS
        least = f"{cost.least / _SECOND:g}" if in_time else _tenths(cost.least, _SCALES[0][0])
        return most if cost.least == cost.most else f"{least}-{most}"


def _brought(names: Iterable[str], costs: ImportCosts) -> frozenset[str]:
    return frozenset(brought for name in names if name in costs for brought in costs[name].brings)


def first_import_costs(
    code: str, language: str, history: ImportHistory, costs: ImportCosts, unit: FuelUnit
) -> tuple[int, tuple[str, ...]]:
    """Return the most that the first imports of a program take, and one sentence on each heavy package."""
    loaded = _Loaded.by(code, language, history, costs, unit, thorough=False)
    return loaded.first_imports, tuple(_prices(loaded))


def _unknown(consumed: int | None, budget: int, unit: FuelUnit) -> FuelAnalysis:
    missing = "no fuel budget was set" if consumed is not None and budget <= 0 else "fuel was not measured"
    return FuelAnalysis(
        consumed=consumed,
        budget=budget,
        utilization_percent=0.0,
        status=FuelStatus.UNKNOWN,
        unit=unit,
        recommendation=f"Nothing can be said about fuel: {missing} in this run.",
    )


def _recommendation(status: FuelStatus, consumed: int, budget: int, unit: FuelUnit, loaded: _Loaded) -> Iterator[str]:
    used = f"{amount(consumed, unit)} of {amount(budget, unit)}"
    if status is FuelStatus.EFFICIENT:
        yield f"The fuel budget is appropriate: {used} used."
        return
    if status is FuelStatus.MODERATE:
        yield f"Fuel use is moderate: {used}. The budget is enough for this; allow more for a larger input."
        return
    ran_out = status is FuelStatus.EXHAUSTED
    wanted = suggested_budget(consumed, budget, unit, ran_out=ran_out, first_imports=loaded.first_imports)
    if status is FuelStatus.WARNING:
        most = amount(max(_rounded_up(2 * consumed, unit), wanted + _step(wanted, unit)), unit)
        yield f"Fuel use is high: {used}. Raise the budget to {amount(wanted, unit)}, or {most} to be sure."
    elif status is FuelStatus.CRITICAL:
        yield f"Fuel use is critical: {used}. Raise the budget to {amount(wanted, unit)} before the next run."
    else:
        yield f"Fuel is exhausted: {used}. Raise the budget to at least {amount(wanted, unit)}."
    yield from _prices(loaded)
    if loaded.fresh and loaded.kept:
        yield "Use a persistent session: it keeps what was imported, so only its first run pays for that."


def _prices(loaded: _Loaded) -> Iterator[str]:
    return (f"The first import of `{name}` takes {loaded.price(name)}." for name in loaded.fresh)


def _likely_causes(consumed: int, unit: FuelUnit, loaded: _Loaded, *, tight: bool) -> Iterator[str]:
    for name in loaded.fresh:
        yield f"First import of `{name}` ({loaded.price(name)})."
    for name in loaded.before:
        yield f"`{name}` was cached: this session imported it before, so its first import is not part of this figure."
    much = consumed > _MUCH[unit]
    if much and not loaded.fresh:
        yield "A large dataset or a complex computation: no heavy package was imported in this run."
    if tight or much:
        yield from _loops(loaded.reading)


def _loops(reading: Reading) -> Iterator[str]:
    if reading.endless_loop:
        yield f"The loop on line {reading.endless_loop} has no way out."
    if reading.row_by_row:
        yield f"Line {reading.row_by_row} goes through a table row by row; work on whole columns costs far less."
    if reading.nested_loop:
        yield f"The loop on line {reading.nested_loop} holds another loop, so its cost grows with the product of both."


def _half_more(figure: int) -> int:
    return -(-3 * figure // 2)


def _rounded_up(figure: int, unit: FuelUnit) -> int:
    step = _step(figure, unit)
    return max(-(-figure // step), 1) * step


def _step(figure: int, unit: FuelUnit) -> int:
    """Return what a figure is rounded to."""
    if unit is FuelUnit.CPU_MS:
        return _TENTH_OF_A_SECOND
    sizes = [size for size, _ in _SCALES]
    return next((size for size in sizes if figure >= size), sizes[-1])


def _tenths(figure: int, size: int) -> str:
    return f"{figure // (size // 10) / 10:g}"
