"""How often a law is tried: on few examples with every change, on thirty times as many with `make soak`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

USUAL, THOROUGH = "repeatable", "thorough"
_PERCENT = 100


def register_profiles() -> None:
    """Tell hypothesis both ways to try the laws; either draws the same examples in every run, however slow."""
    settings.register_profile(USUAL, derandomize=True, deadline=None, max_examples=_PERCENT // 3)
    settings.register_profile(THOROUGH, derandomize=True, deadline=None, max_examples=_PERCENT * 10)


def law(examples: int) -> settings:
    """Return the settings of a law that is tried on a third of so many examples, or on ten times as many."""
    return settings(
        max_examples=max(1, examples * settings.default.max_examples // _PERCENT),
        suppress_health_check=list(HealthCheck),
    )
