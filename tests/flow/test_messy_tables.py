"""Sheets as people keep them, from the question to a card that may be approved: both computations agree on them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown
from tests.products import new_runtime

SHEET = """Income of the year,,,,
priority,income,members,paid,floor
low,"$1,000",1.2k,Y,1
high,($200),3k,N,2
medium,$300,900,Y,-999
low,$50,2k,N,3
high,n/a,1k,Y,2
Total,"$1,150",8.1k,,
"""


LOG = """seen_ts,day,loaded_at,run_duration,datum,fee
1704243600,20240103,2024-01-03T02:00:00+01:00,1:30:00,3. Mai 2024,5
1706922000,20240203,2024-02-03T02:00:00+01:00,0:30:00,12. März 2024,7
0,20240204,2024-02-04T02:00:00+01:00,1:00:00,1. Mai 2024,9
1707922000,20240214,2024-02-14T15:46:40+01:00,,1. August 2024,11
1707922060,20240215,2024-02-14T15:47:40+01:00,0:00:10,2. August 2024,13
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sheet in it."""
    folder = tmp_path_factory.mktemp("messy")
    (folder / "sheet.csv").write_text(SHEET)
    (folder / "log.csv").write_text(LOG, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def runtime(folder: Path) -> Runtime:
    """Return a product that the tests of this module share; none of them keeps a tool."""
    return new_runtime(folder)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total income by priority", (("low", 1050), ("medium", 300), ("high", -200))),
        ("sum of members", ((8100,),)),
        ("how many rows are paid", ((3,),)),
        ("highest priority", (("high",),)),
    ],
)
def test_a_messy_sheet_is_answered_soundly(
    runtime: Runtime, folder: Path, question: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    card = shown(runtime, runtime.compute(question, runtime.reference(str(folder / "sheet.csv"))))

    found = tuple(map(tuple, card.table.rows))
    assert (found, is_sound(card.evidence)) == (rows, True), card.evidence_sentence


@pytest.mark.every_run("total fee by month of loaded at-figures2", "average run duration-figures4")
@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("total fee by month of seen ts", [5, 31]),
        ("total fee by month of day", [5, 40]),
        ("total fee by month of loaded at", [5, 40]),
        ("total fee by month of datum", [7, 14, 24]),
        ("average run duration", [2702.5]),
    ],
)
def test_a_log_of_moments_and_durations_is_answered_soundly(
    runtime: Runtime, folder: Path, question: str, figures: list[float]
) -> None:
    card = shown(runtime, runtime.compute(question, runtime.reference(str(folder / "log.csv"))))

    found = [row[-1] for row in card.table.rows if row[0] is not None]
    assert (found, is_sound(card.evidence)) == (figures, True), card.evidence_sentence


@pytest.mark.every_run("average run duration-log.csv")
@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("total income by priority", "sheet.csv"),
        ("how many rows are paid", "sheet.csv"),
        ("total fee by month of seen ts", "log.csv"),
        ("average run duration", "log.csv"),
    ],
)
def test_a_tool_over_such_a_table_passes_its_gates(runtime: Runtime, folder: Path, question: str, file: str) -> None:
    outcome = runtime.ask(question, runtime.reference(str(folder / file)))

    assert isinstance(outcome, flow.Staged)
    assert outcome.card.sound, outcome.card.evidence_sentence


def test_a_mean_of_counted_moments_is_refused(runtime: Runtime, folder: Path) -> None:
    with pytest.raises(NotUnderstood, match="`seen_ts` is a date, so it has no mean"):
        runtime.ask("average seen ts", runtime.reference(str(folder / "log.csv")))


def test_numbers_that_may_be_missing_are_asked_about(runtime: Runtime, folder: Path) -> None:
    with pytest.raises(NotUnderstood, match="`floor` is -999 in 1 row"):
        runtime.ask("average floor", runtime.reference(str(folder / "sheet.csv")))


def test_ordered_categories_of_a_variable_stand_in_their_order(runtime: Runtime) -> None:
    sizes = pd.Categorical(["tall", "short", "tall"], categories=["short", "tall"], ordered=True)
    data = runtime.reference("cups", pd.DataFrame({"size": sizes, "sold": [1, 2, 3]}))

    card = shown(runtime, runtime.compute("total sold by size", data))

    assert [row[0] for row in card.table.rows] == ["short", "tall"]
    assert is_sound(card.evidence)
