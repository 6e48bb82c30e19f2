"""A table is shown by its bare name, and a name that no table has is said to be unknown."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.errors import UnknownData
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.said import Said

HERBS = pd.DataFrame(
    {"herb": [f"herb {number}" for number in range(250)], "grams": [number % 7 + 0.5 for number in range(250)]}
)


def say(runtime: Runtime, line: str) -> Said:
    return perform(line.split(), runtime, {"herbs": HERBS})


def test_the_bare_name_of_a_table_shows_its_first_rows_and_what_can_be_asked(runtime: Runtime) -> None:
    said = say(runtime, "herbs")

    assert said.frame is not None
    assert said.frame.equals(HERBS.head(100))
    assert "250 rows" in said.text
    assert "`average grams by herb in herbs`" in said.text
    assert runtime.registry.staged() == ()


def test_the_bare_path_of_a_file_shows_its_rows(runtime: Runtime, tmp_path: Path) -> None:
    HERBS.head(3).to_csv(tmp_path / "few.csv", index=False)

    said = say(runtime, f"ask {tmp_path / 'few.csv'}")

    assert said.frame is not None
    assert said.frame["grams"].tolist() == [0.5, 1.5, 2.5]


def test_a_table_that_there_is_not_is_named_and_no_other_is_used(runtime: Runtime) -> None:
    said = say(runtime, "total grams by herb in nosuchtable")

    assert not said.ok
    assert said.answer is not None
    assert "There is no table `nosuchtable` here" in str(said.answer.refusal)


def test_without_any_table_the_unknown_one_is_named(runtime: Runtime) -> None:
    with pytest.raises(UnknownData, match="no table and no file named `nosuchtable`"):
        perform(["total", "grams", "in", "nosuchtable"], runtime, {})


@pytest.mark.parametrize("line", ["who are you", "who are you in herbs", "who is it?"])
def test_what_asks_for_nothing_of_the_data_is_refused_with_what_can_be_asked(runtime: Runtime, line: str) -> None:
    said = say(runtime, line)

    assert not said.ok
    assert said.answer is not None
    assert "Name what to compute" in str(said.answer.refusal)
