"""What one execution may use, as a caller says it and as a program is bound by it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from jupyter_mcpgen.sandbox.programs.languages import Language
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds
from jupyter_mcpgen.wording import in_seconds

DEFAULT_SECONDS, LEAST_SECONDS, MOST_SECONDS = 30, 1, 300
_COMPILE_SECONDS, _COMPILE_MEMORY_MB, _COMPILE_CORES = 30, 1024, 2.0
_COMPILE_ADDRESS_MB, _COMPILE_SCRATCH_MB = 4096, 512
_ASSUMED_MEMORY_MB = 256
_LEAST_ADDRESS_MB = 128


@dataclass(frozen=True)
class ExecutionLimits:
    """What an execution may use; refuses values that make no sense, naming the field.

    `cpu_cores` is enforced as processor time: that share of the time limit, and at least one second; `cpu_seconds`
    makes it less than that. The kernel counts whole seconds, so what is left of one is given.
    """

    time_seconds: float = DEFAULT_SECONDS
    memory_mb: int = 256
    cpu_cores: float = 0.5
    output_characters: int = 100_000
    cpu_seconds: float | None = None

    def __post_init__(self) -> None:
        _require("time_seconds", self.time_seconds, LEAST_SECONDS <= self.time_seconds <= MOST_SECONDS, "1 to 300")
        _require("memory_mb", self.memory_mb, self.memory_mb > 0, "more than 0")
        _require("cpu_cores", self.cpu_cores, 0 < self.cpu_cores <= 4, "more than 0 and at most 4.0")
        _require("output_characters", self.output_characters, self.output_characters >= 1_000, "at least 1,000")
        if self.cpu_seconds is not None:
            _require("cpu_seconds", self.cpu_seconds, self.cpu_seconds > 0, "more than 0")

    @property
    def cpu_budget_seconds(self) -> float:
        """Return the processor time there is."""
        share = self.time_seconds * self.cpu_cores
        return share if self.cpu_seconds is None else min(share, self.cpu_seconds)


def clamped_seconds(timeout: float | None) -> float:
    """Return a time limit of 1 to 300 seconds; 30 when none was given or it is no number."""
    if timeout is None or math.isnan(timeout):
        return DEFAULT_SECONDS
    return min(max(timeout, LEAST_SECONDS), MOST_SECONDS)


def effective_limits(limits: ExecutionLimits | None, timeout: float | None) -> tuple[ExecutionLimits, tuple[str, ...]]:
    """Return the limits with the call's own time limit, and a note when that had to be changed."""
    limits = limits or ExecutionLimits()
    if timeout is None:
        return limits, ()
    seconds = clamped_seconds(timeout)
    told = f"The timeout of {in_seconds(timeout)} is outside 1 to 300, so {seconds:g} was used."
    return replace(limits, time_seconds=seconds), () if seconds == timeout else (told,)


def compile_limits(language: Language, limits: ExecutionLimits) -> ExecutionLimits:
    """Return what a compiler may use, which does not depend on what its program may; only the output is as long."""
    seconds = _COMPILE_SECONDS * language.timeout_factor
    return replace(
        limits, time_seconds=seconds, memory_mb=_COMPILE_MEMORY_MB, cpu_cores=_COMPILE_CORES, cpu_seconds=None
    )


def compile_bounds(limits: ExecutionLimits) -> Bounds:
    """Return the limits of a compiler as bounds."""
    return Bounds(
        wall_seconds=limits.time_seconds,
        cpu_seconds=math.ceil(limits.cpu_budget_seconds),
        memory_bytes=limits.memory_mb * MEGABYTE,
        address_bytes=_COMPILE_ADDRESS_MB * MEGABYTE,
        scratch_bytes=_COMPILE_SCRATCH_MB * MEGABYTE,
    )


def bounds_of(language: Language, limits: ExecutionLimits) -> Bounds:
    """Return the limits of a call as bounds; a runtime that maps much more than it uses gets room to map."""
    beyond = limits.memory_mb - _ASSUMED_MEMORY_MB
    address_mb = max(_LEAST_ADDRESS_MB, limits.memory_mb, language.address_mb and language.address_mb + beyond)
    return Bounds(
        wall_seconds=limits.time_seconds,
        cpu_seconds=max(1, math.ceil(limits.cpu_budget_seconds)),
        memory_bytes=limits.memory_mb * MEGABYTE,
        address_bytes=address_mb * MEGABYTE,
    )


def _require(name: str, value: float, holds: bool, allowed: str) -> None:
    if not holds:
        raise ValueError(f"`{name}` is {value:g} and must be {allowed}.")
