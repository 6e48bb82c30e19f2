"""A table is profiled once for each content, under each of its names, and read once while an answer holds it."""

from __future__ import annotations

import gc

import pandas as pd

from jupyter_mcpgen.data.remembered import Frames, Profiles

ONE, TWO = pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1, 2]})


def test_the_same_content_has_the_same_profile() -> None:
    profiles = Profiles()

    first = profiles.of("t", "one", ONE)

    assert profiles.of("t", "one", TWO) is first  # the content is told by its digest alone
    assert profiles.of("t", "two", TWO).rows == 2
    assert profiles.of("u", "one", ONE).name == "u"


def test_the_profiles_that_are_not_asked_for_give_way() -> None:
    profiles = Profiles()
    first = profiles.of("t", "0", ONE)
    for number in range(1, 30):
        profiles.of("t", "0", ONE)
        profiles.of("t", str(number), ONE)

    assert profiles.of("t", "0", ONE) is first
    assert profiles.of("t", "1", TWO).rows == 2


def test_a_table_that_somebody_holds_is_not_read_again() -> None:
    frames = Frames()
    held = frames.of("sales.csv", "one", lambda: ONE.copy())

    assert frames.of("sales.csv", "one", lambda: TWO) is held
    assert frames.of("sales.csv", "two", lambda: TWO) is TWO
    assert frames.of("costs.csv", "one", lambda: TWO) is TWO


def test_a_table_that_nobody_holds_any_more_is_given_up() -> None:
    frames = Frames()
    frames.of("sales.csv", "one", lambda: ONE.copy())
    gc.collect()

    assert frames.of("sales.csv", "one", lambda: TWO) is TWO
