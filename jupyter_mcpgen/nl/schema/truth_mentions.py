"""Where a question says that a column of yes and no holds, or that it does not: "insured", "unofficial", "failed"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jupyter_mcpgen.nl.schema.facts import TableSchema
from jupyter_mcpgen.nl.schema.value_mentions import ValueMention
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind


def truth_mentions(tokens: Sequence[Token], schema: TableSchema) -> Iterator[ValueMention]:
    """Yield where single words say that a column of yes and no holds or does not."""
    index = schema.truth_index
    for place, token in enumerate(tokens):
        if token.kind is TokenKind.WORD:
            said = {(one.column, one.value): one.cost for one in index.said(token.lower)}
            for (column, value), cost in said.items():
                yield ValueMention(place, place + 1, column, (value,), cost)
