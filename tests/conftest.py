"""Settings of the whole suite: property tests draw the same examples in every run, so a red run can be repeated."""

from __future__ import annotations

from hypothesis import settings

from tests.laws import USUAL, register_profiles

register_profiles()
settings.load_profile(USUAL)
