"""Looks closer at answers for the pages of a kernel: rows, files, variables, charts and code. No card changes by it."""

from __future__ import annotations

import builtins
import keyword
import unicodedata
from base64 import b64encode
from collections.abc import Mapping, MutableMapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol, assert_never

from jupyter_mcpgen.data.rows_file import write_rows
from jupyter_mcpgen.errors import DecisionError
from jupyter_mcpgen.lab.messages import (
    Behind,
    CodeRead,
    Draw,
    Drawn,
    Explain,
    Fetch,
    Fetched,
    FileSeen,
    Found,
    Look,
    LookIntoFile,
    OfResults,
    ReadCode,
    Rows,
    Seen,
    Take,
    Taken,
)
from jupyter_mcpgen.model.answer import RowsBehind
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.file_preview import FilePreview
from jupyter_mcpgen.model.plain_code import PlainCode
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.pipeline.explain import Explained
from jupyter_mcpgen.pipeline.results import Results

if TYPE_CHECKING:
    import pandas as pd

LARGEST_FILE = 32 * 2**20
"""How many bytes of a file go over the comm: a page holds them in memory."""


class ResultsDesk(Protocol):
    """Where the results of cards are; every method raises a `McpgenError` for what it cannot show."""

    @property
    def results(self) -> Results:
        """The whole results."""

    def card(self, card_id: str) -> Card:
        """Return a card as it stands now."""

    def explain(self, card_id: str, row: int, column: str | None = None) -> Explained:
        """Return the rows of the data behind a row of a card's result, counted from 1."""

    def rows_behind(self, card_id: str, row: int) -> RowsBehind:
        """Return the first of them, as a page shows them."""

    def preview_file(
        self, card_id: str, options: ReadOptions | None = None, sheet: str | None = None, *, is_other: bool = False
    ) -> FilePreview:
        """Return the beginning of a file that a card is about, read so."""

    def plain_code(self, card_id: str, variables: Mapping[str, Any]) -> PlainCode:
        """Return how a card's answer is computed in a cell that has these variables."""


def look_closer(message: OfResults, desk: ResultsDesk, variables: MutableMapping[str, Any]) -> Found:
    """Return what a page asked to see; `variables` are those of the notebook, of which none is ever replaced."""
    card_id = message.card_id
    match message:
        case LookIntoFile(options=options, sheet=sheet, is_other=is_other):
            return FileSeen(card_id=card_id, preview=desk.preview_file(card_id, options, sheet, is_other=is_other))
        case Explain():
            return Behind(card_id=card_id, row=message.row, found=desk.rows_behind(card_id, message.row))
        case Look():
            page = desk.results.page(desk.card(card_id), message.view, message.first, message.count)
            return Seen(card_id=card_id, view=message.view, page=page)
        case Take():
            name = unicodedata.normalize("NFKC", message.name)  # as Python does with the names in code
            _require_free(name, variables)
            frame = _rows(card_id, message.rows, desk).reset_index(drop=True)
            _require_free(name, variables)  # cells may have run meanwhile
            variables[name] = frame
            return Taken(card_id=card_id, name=name, count=len(frame))
        case Fetch():
            return _file(message, desk)
        case Draw():
            drawing = desk.results.drawn(desk.card(card_id), message.chart)
            return Drawn(card_id=card_id, chart=message.chart, drawing=drawing)
        case ReadCode():
            return CodeRead(card_id=card_id, code=desk.plain_code(card_id, variables))
        case _:
            assert_never(message)


def _rows(card_id: str, rows: Rows, desk: ResultsDesk) -> pd.DataFrame:
    """Return rows of a result or behind one, as a frame of their own."""
    if rows.behind is not None:
        return desk.explain(card_id, rows.behind).rows
    return desk.results.seen(desk.card(card_id), rows.view).copy()


def _file(message: Fetch, desk: ResultsDesk) -> Fetched:
    stream = BytesIO()
    write_rows(_rows(message.card_id, message.rows, desk), message.form, stream)
    content = stream.getvalue()
    if len(content) > LARGEST_FILE:
        raise DecisionError(
            f"The file would have {len(content) // 2**20:,} MB, and a page takes {LARGEST_FILE // 2**20}. Put the rows "
            "into a variable and write the file from there, as in `rows.to_parquet('rows.parquet')`."
        )
    behind = f"-behind-row-{message.rows.behind}" if message.rows.behind is not None else ""
    name = f"{desk.card(message.card_id).tool_name}{behind}.{message.form}"
    return Fetched(card_id=message.card_id, form=message.form, name=name, content=b64encode(content).decode())


def _require_free(name: str, variables: Mapping[str, Any]) -> None:
    """Raise `DecisionError` for what is no name of a variable, or one that is in use."""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise DecisionError(f"`{name}` is not a name for a variable. Use letters, digits and `_`, as in `result_1`.")
    if name in variables or hasattr(builtins, name):
        raise DecisionError(f"There is a `{name}` in the notebook already. Choose another name.")
