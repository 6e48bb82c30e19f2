"""Shows the rows of the data that a figure on a card was computed from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.request import DataKind, DataRef
from jupyter_mcpgen.model.run import RunArtifacts
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.material import load
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.pipeline.whole import alike, changed, require_same_data
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.explain import rows_behind

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Explained:
    """The rows behind a row or a cell of a result, and the condition that they meet in words."""

    reading: str
    rows: pd.DataFrame


def explain(
    card: Card, intent: Understood, ran: RunArtifacts | None, row: int, column: str | None, services: Services
) -> Explained:
    """Return the rows behind row `row` (from 1) of a card's result; raises `PlanError` where there is no such row.

    `ran` is the run that gave the result: its data must be the same still.
    """
    import pandas as pd  # deferred: 300 ms

    if isinstance(intent, WrittenIntent):
        raise PlanError("The rows behind this answer cannot be shown, because its code was written by hand or a model.")
    material = load(DataRef(kind=DataKind.FILE, name=card.data_name, path=intent.input), services)
    if intent.plan.second is not None and intent.other_input is not None:
        second = DataRef(kind=DataKind.FILE, name=intent.plan.second.other, path=intent.other_input)
        material = replace(material, other=load(second, services))
    require_same_data(card, ran, material.digest)
    result = material.engine.table(intent.plan)
    if not 1 <= row <= len(result):
        raise PlanError(f"The result has {len(result):,} rows, so row `{row}` does not exist.")
    cells = {name: result[name].iloc[row - 1] for name in result.columns}
    values = {name: None if pd.isna(cell) else cell for name, cell in cells.items()}
    seen = table_of(result.iloc[row - 1 : row], 1).rows[0]
    if row <= len(card.table.rows) and not all(map(alike, seen, card.table.rows[row - 1])):
        raise changed(card)
    behind = rows_behind(intent.plan, values, column)
    is_of_second = intent.plan.second is not None and behind.second is None
    engine = material.other.engine if is_of_second and material.other is not None else material.engine
    return Explained(reading=say_plan(behind.with_steps(behind.steps[:-1])), rows=engine.table(behind))
