"""Takes the chart that a question names out of it, and what the answer is for."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.manner.remainder import Remainder
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.ops import ChartKind

FIGURES = frozenset({"number", "sum", "total", "count", "amount", "average", "many", "amounts"})
"""Words for what the parts of a pie are made of."""
LONGEST_NAME = 4
"""How many words the name of a column has that is looked for before a chart's."""
SURELY_A_NAME = 0.1
"""A column named at most this uncertainly is no word for a period."""
ALONG = frozenset({"over", "across"})
"""Words before what a trend or a distribution is seen along."""


def take_chart(left: Remainder) -> ChartKind | None:
    """Take out the chart that a question names; two kinds of charts are none of them."""
    spans = [(at, end) for at, end in _chart_phrases(left) if not left.is_named(at, end)]
    kinds = {left.words.charts[left.text(at, end)] for at, end in spans}
    if len(kinds) != 1:
        return None
    for at, end in reversed(spans):
        left.cut(_before(left, at), left.skip(end, "chart_tails"))
    return kinds.pop()


def _chart_phrases(left: Remainder) -> Iterator[tuple[int, int]]:
    """Yield where the names of charts stand, none inside another: "grouped bar chart" is one name."""
    behind = 0
    for at in range(len(left.tokens)):
        end = left.phrase(at, left.words.charts) if at >= behind else 0
        if end:
            behind = end
            yield at, end


def _before(left: Remainder, at: int) -> int:
    """Return where the words begin that lead to a chart's name, such as "show me a"."""
    leads = left.words.lists["chart_leads"]
    start = at
    while start > 0 and _leads(left.tokens[start - 1], leads) and not _ends_name(left, start):
        start -= 1
    return start


def _leads(token: Token, leads: frozenset[str]) -> bool:
    """Tell whether a word leads to a chart's name; the text 'a' in quotation marks is what cells are compared with."""
    return token.kind is not TokenKind.QUOTED and token.lower in leads


def _ends_name(left: Remainder, end: int) -> bool:
    """Tell whether the words before a place are a name of the table: the "make" of `car_make` leads to no chart."""
    longer = range(max(end - LONGEST_NAME, 0), end - 1)
    return left.is_named(end - 1, end) or any(left.is_column(start, end) for start in longer)


def add_time(left: Remainder) -> None:
    """Say "the trend of sales" with the time that it leaves unsaid, where the table has dates."""
    words = left.words
    begins = [at for at in range(len(left.tokens)) if left.phrase(at, words.trends)]
    if not begins or not left.context.dates:
        return
    items = link(left.tokens, left.context)
    columns = [item for item in items if isinstance(item.meaning, m.Column) and item.cost <= SURELY_A_NAME]
    told = any(
        isinstance(item.meaning, m.Unit | m.Over | m.GroupWord)
        and not any(column.start <= item.start and item.end <= column.end for column in columns)
        for item in items
    )
    if not told and not any(isinstance(c.meaning, m.Column) and c.meaning.name in left.context.dates for c in columns):
        left.tokens = (*left.tokens, *(Token(word, TokenKind.WORD) for word in words.over_time))


def take_purpose(left: Remainder, chart: ChartKind | None) -> ChartKind | None:
    """Take out what the answer is for, such as "the trend of", where that asks for a chart or suits the named one."""
    purposes = left.words.purposes
    for at in range(len(left.tokens)):
        end = left.phrase(at, purposes)
        if not end or left.is_named(at, end):
            continue
        purpose = purposes[left.text(at, end)]
        if _suits(left, purpose, at, end, drawn=chart is not None):
            left.cut_clause(at, end)
            return None if chart is ChartKind.HISTOGRAM else purpose  # a distribution is what histograms are for
    return None


def _suits(left: Remainder, purpose: ChartKind, at: int, end: int, *, drawn: bool) -> bool:
    """Tell whether a purpose asks for a chart: one is named, or the purpose can be served by nothing else."""
    if drawn and end > at + 1:
        return True
    alone = end == len(left.tokens)
    words = {token.lower for token in left.tokens[end:]}
    if purpose is ChartKind.PIE:
        return alone or bool(words & FIGURES)
    if purpose is ChartKind.SCATTER:
        return alone
    if end == at + 1:
        return bool(words) and left.tokens[end].lower in ALONG
    over = bool(words & ALONG)
    return over and (purpose is ChartKind.BAR or purpose is ChartKind.LINE)
