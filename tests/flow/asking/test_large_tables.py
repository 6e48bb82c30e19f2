"""A table of a million rows stays in its file: SQL answers at once, and the code that loads it is held against that."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet
import pytest

from jupyter_mcpgen.data.parquet_tables import ParquetTable
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.event import Event, ResultFound, Stage, StageFinished, StageStarted
from tests.flow.asking.product import keep, staged
from tests.products import new_runtime, own_place

ROWS = 1_200_000
FARMS = ("Hill", "Lake", "Moor")
LITRES = [place % 1_000 + 0.25 for place in range(ROWS)]
TOTALS = {farm: sum(LITRES[place::3]) for place, farm in enumerate(FARMS)}
SECONDS = 120
PROGRAM = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())"]


@pytest.fixture(scope="module")
def milk() -> pa.Table:
    return pa.table(
        {
            "visit": pa.array(range(ROWS)),
            "farm": pa.array([FARMS[place % 3] for place in range(ROWS)]),
            "litres": pa.array(LITRES),
        }
    )


@pytest.mark.every_run("parquet")
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_sql_answers_before_the_code_has_run(tmp_path: Path, milk: pa.Table, suffix: str) -> None:
    path = tmp_path / f"milk.{suffix}"
    if suffix == "csv":
        notes = pa.array(["a note that makes the text a large one"] * ROWS)
        arrow_csv.write_csv(milk.append_column("note", notes), path)
    else:
        parquet.write_table(milk, path)
    runtime = new_runtime(tmp_path)
    events: list[Event] = []
    runtime.listeners.append(events.append)

    computed = runtime.compute("total litres by farm", runtime.reference(str(path)))

    assert isinstance(computed.material.rows, ParquetTable)
    found = next(place for place, event in enumerate(events) if isinstance(event, ResultFound))
    began, ended = (
        next(place for place, event in enumerate(events) if isinstance(event, kind) and event.stage is Stage.TRIAL)
        for kind in (StageStarted, StageFinished)
    )
    assert began < found < ended
    assert isinstance(first := events[found], ResultFound)
    assert first.table == computed.trial.table
    assert dict(first.table.rows) == TOTALS
    card = staged(runtime.ask("total litres by farm", runtime.reference(str(path))))
    assert {item.sentence for item in card.evidence} >= {
        "Calculation checked: pandas and SQL agree.",
        f"{ROWS:,} of {ROWS:,} rows used.",
    }
    assert keep(runtime, card).status is ToolStatus.PROMOTED
    answer = runtime.call_tool(card.tool_name, {"file_path": str(path)})
    assert {row["farm"]: row["sum_litres"] for row in answer.structured["rows"]} == TOTALS


@pytest.mark.soak
def test_a_terminal_shows_the_first_result_and_then_the_checked_one(tmp_path: Path, milk: pa.Table) -> None:
    parquet.write_table(milk, tmp_path / "milk.parquet")
    person, terminal = pty.openpty()
    with (
        own_place(tmp_path),
        subprocess.Popen(
            [*PROGRAM, "ask", "total litres by farm", "milk.parquet"],
            cwd=tmp_path,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        ) as process,
    ):
        os.close(terminal)
        said = _read(person)
        assert process.wait(SECONDS) == 0, said

    first, checked = said.split("It is being checked", 1)
    assert "Hill" not in first
    assert checked.count("Hill") == 2
    assert checked.index("Hill") < checked.index("Calculation checked")


def _read(terminal: int) -> str:
    """Return what a program writes to a terminal until it ends."""
    said, end = b"", time.monotonic() + SECONDS
    while time.monotonic() < end and select.select([terminal], [], [], SECONDS)[0]:
        try:
            said += os.read(terminal, 1 << 16)
        except OSError:  # its other end is closed
            break
    return said.decode()
