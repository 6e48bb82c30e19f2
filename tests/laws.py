"""How often a law is tried: on few examples with every change, on ten times as many with `make soak`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

USUAL, THOROUGH = "repeatable", "thorough"


def register_profiles() -> None:
    """Tell hypothesis both ways to try the laws; either draws the same examples in every run, however slow."""
    settings.register_profile(USUAL, derandomize=True, deadline=None, max_examples=100)
    settings.register_profile(THOROUGH, derandomize=True, deadline=None, max_examples=1_000)


def law(examples: int) -> settings:
    """Return the settings of a law that is tried on so many examples, or on ten times as many."""
    return settings(
        max_examples=examples * settings.default.max_examples // 100,
        suppress_health_check=list(HealthCheck),
    )
