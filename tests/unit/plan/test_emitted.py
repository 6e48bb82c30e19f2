"""What each plan looks like as pandas, as SQL and as a sentence, compared with recorded files."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.shape import generalise
from tests.recorded import cases, emit_files, emitted


@pytest.mark.parametrize("path", emit_files(), ids=lambda path: path.stem)
def test_plans_are_written_as_recorded(path: Path) -> None:
    assert emitted(path) == path.with_suffix(".txt").read_text(encoding="utf-8"), "python -m tests.recorded, then judge"


@pytest.mark.parametrize("path", emit_files(), ids=lambda path: path.stem)
def test_the_pandas_code_of_every_case_is_python(path: Path) -> None:
    for _, plan in cases(path):
        for code in (emit_pandas(plan), emit_pandas(generalise(plan).plan)):
            ast.parse("def analyze():\n" + "\n".join(f"    {line}" for line in code.split("\n")))
