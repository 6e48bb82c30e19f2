"""The results of cards as a person looks at them: whole, page by page, or to be taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import DecisionError
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.view import Page, View
from jupyter_mcpgen.pipeline.charts import chart_of
from jupyter_mcpgen.pipeline.labels import titled
from jupyter_mcpgen.pipeline.look import seen
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.plan.ops import ChartKind

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 500
"""How many rows one page has at most."""


@dataclass
class Results:
    """The result that was looked at last is kept, so that nothing is computed while a person scrolls.

    Safe to use from several threads: each returns what it kept itself.
    """

    compute: Callable[[Card], pd.DataFrame]
    _whole: tuple[str, pd.DataFrame] | None = field(default=None, init=False)
    _seen: tuple[str, View, pd.DataFrame] | None = field(default=None, init=False)

    def whole(self, card: Card) -> pd.DataFrame:
        """Return every row of a card's result, which must not be changed; raises as `compute` does."""
        kept = self._whole
        if kept is None or kept[0] != card.card_id:
            self._whole = kept = card.card_id, self.compute(card)
        return kept[1]

    def seen(self, card: Card, view: View) -> pd.DataFrame:
        """Return the rows of a view, which must not be changed; raises `DecisionError` as `look.seen` does."""
        kept = self._seen
        if kept is None or kept[:2] != (card.card_id, view):
            self._seen = kept = card.card_id, view, seen(self.whole(card), card.table.types, view)
        return kept[2]

    def page(self, card: Card, view: View, first: int, count: int) -> Page:
        """Return some rows of a view as a page shows them, at most `MOST_ROWS`."""
        rows = self.seen(card, view)
        part = rows.iloc[first : first + min(count, MOST_ROWS)]
        table = table_of(part, len(part)).replace(
            types=card.table.types, titles=card.table.titles, total_rows=len(rows)
        )
        return Page(first=first, numbers=tuple(int(place) + 1 for place in part.index), table=table)

    def drawn(self, card: Card, kind: ChartKind) -> dict[str, Any]:
        """Return a card's result as another kind of chart; raises `DecisionError` where its columns do not fit it."""
        chart = chart_of(self.whole(card), kind)
        if chart is None:
            raise DecisionError(f"The columns of this result do not make a {kind.value} chart.")
        return titled(chart, dict(zip(card.table.columns, card.table.headers, strict=True)))
