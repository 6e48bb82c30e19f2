"""Settings of the whole suite: property tests draw the same examples in every run, so a red run can be repeated."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
