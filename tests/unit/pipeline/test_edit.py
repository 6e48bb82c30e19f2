"""The code that a person is given to change is one function, and computes what the tool computes."""

from __future__ import annotations

import runpy
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.authors.signature import signature_of
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.intent import Intent, intent_of
from jupyter_mcpgen.pipeline.agreement import disagreement
from jupyter_mcpgen.pipeline.edit import code_to_edit
from jupyter_mcpgen.plan.plan import Plan
from tests.flow.asking.test_own_tests import LOADS, SHAPES, Shape
from tests.plans import plan_of
from tests.second_tables import plan_over

TYPES = {
    "quarry": "text",
    "stone": "text",
    "tons": "real",
    "trips": "integer",
    "paid": "boolean",
    "day": "date",
    "price": "text",
}
OTHER_TYPES = {"region": "text", "fee": "real", "quarry": "text"}


def planned(shape: Shape) -> Plan:
    if shape.way is None or shape.other is None:
        return plan_of(TYPES, *shape.steps)
    first = plan_of(TYPES).source_schema
    known = {**OTHER_TYPES, **TYPES}
    other = plan_of({name: known[name] for name in shape.other.columns}).source_schema
    return plan_over("table", shape.way(first, other), *shape.steps)


class Writer(Drafting):
    """An author who reads nothing, and writes what a plan says."""

    name = "writer"


@pytest.mark.parametrize("name", SHAPES)
def test_the_function_gives_the_result_of_the_question_by_its_defaults(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape, author = SHAPES[name], Writer()
    intent: Intent = intent_of(planned(shape), "loads.csv", (), (), None if shape.other is None else "other.csv")
    contract = author.specify(intent, frozenset(), None)
    package = author.write(contract)
    (tmp_path / "helpers.py").write_text(package.files["helpers.py"], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    tables = [LOADS.copy(), *([] if shape.other is None else [shape.other.copy()])]

    code = code_to_edit(intent, contract.spec, package)

    (tmp_path / "edited.py").write_text(code, encoding="utf-8")
    result: pd.DataFrame = runpy.run_path(str(tmp_path / "edited.py"))["analyze"](*tables)
    assert len(signature_of(code).tables) == len(tables)
    with closing(Engine(*tables)) as engine:
        assert disagreement(result, intent.plan, engine) is None


def test_comments_in_the_code_stay() -> None:
    author = Writer()
    intent = intent_of(planned(SHAPES["months"]), "loads.csv", (), ())
    contract = author.specify(intent, frozenset(), None)
    package = author.write(contract)
    lines = package.code.splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip().startswith("derived ="))
    commented = "\n".join([*lines[:place], "    # the month of the day", *lines[place:]])

    code = code_to_edit(intent, contract.spec, package.model_copy(update={"files": {"tool.py": commented}}))

    assert "# the month of the day" in code
