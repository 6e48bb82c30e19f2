"""The whole result of a card, of which the card itself shows the first rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.fingerprint import fingerprint_file
from jupyter_mcpgen.errors import DecisionError, NoAnswer
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.run import RunArtifacts
from jupyter_mcpgen.pipeline.again import data_of_card, intent_of_card
from jupyter_mcpgen.pipeline.computed_again import computed_again
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import DATA_DIGEST, table_of

if TYPE_CHECKING:
    import pandas as pd


def whole_result(card: Card, services: Services) -> pd.DataFrame:
    """Return every row of a card's result, computed again by its code.

    Raises `DecisionError` where the rows that the card shows do not come out any more.
    """
    candidate, intent = services.registry.candidate(card.card_id), intent_of_card(card, services)
    tables = [table for table in data_of_card(card, intent) if table is not None]
    registry = services.registry
    try:
        frame = computed_again(candidate, registry.package(card.card_id), tables, services)
    except NoAnswer as none:
        raise NoAnswer(f"The result could not be computed again: {none}") from none
    # after the run, so that a file that changed while it was read is noticed too
    require_same_data(card, candidate.run_artifacts, "+".join(fingerprint_file(table.path) for table in tables))
    require_same(card, frame)
    return frame


def require_same_data(card: Card, ran: RunArtifacts | None, digest: str) -> None:
    """Raise `DecisionError` unless the data of a card is what its code ran over; the card has only the first rows."""
    if ran is not None and ran.metadata.get(DATA_DIGEST, digest) != digest:
        raise changed(card)


def changed(card: Card) -> DecisionError:
    """Return the error for an answer whose data is not what it was."""
    return DecisionError(f"`{card.data_name}` has changed since this answer. Ask the question again.")


def require_same(card: Card, frame: pd.DataFrame) -> None:
    """Raise `DecisionError` unless a frame begins with the rows that a card shows and has as many."""
    now, then = table_of(frame, len(card.table.rows)), card.table
    same = now.columns == then.columns and now.total_rows == then.total_rows
    if not (same and all(all(map(alike, row, shown)) for row, shown in zip(now.rows, then.rows, strict=True))):
        raise changed(card)


def alike(one: object, other: object) -> bool:
    """Tell whether two cells are the same but for the rounding of two engines."""
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other
