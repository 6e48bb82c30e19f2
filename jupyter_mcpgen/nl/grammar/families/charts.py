"""Charts that are asked for by name or by what they are to show, what goes across and up, and statistics by name."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import COUNTS
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Costed,
    Drawn,
    Figure,
    Measure,
    Pair,
    Part,
    Statistic,
    Term,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import ChartKind

CHARTS = Family("charts")
rule = CHARTS.rule

_LISTED = 0.03
"""What it costs to take a column that is listed beside a figure for the groups of the figure."""
_LISTED_NUMBER = 0.12
"""What that costs where the column has numbers."""
_COMMA = ","
_PURPOSES = {
    "distribution": None,
    "comparison": None,
    "proportion": ChartKind.PIE,
    "relation": ChartKind.SCATTER,
    "correlation": ChartKind.SCATTER,
    "trend": ChartKind.LINE,
}


@rule(C.DRAWN, C.CHART)
def drawn(table: Table, said: Word) -> Drawn:
    """Read "bar chart"."""
    if said.meaning == "course":
        return Drawn(ChartKind.LINE, timed=True)
    return Drawn(ChartKind(said.meaning) if said.meaning != "any" else None)


@rule(C.DRAWN, a(C.CHART, words="any"), C.DRAWN)
def verb_and_chart(table: Table, said: Word, chart: Drawn) -> Drawn:
    """Read "draw a pie"."""
    return chart


@rule(C.DRAWN, a(C.IN, C.LIST), C.DRAWN)
def in_chart(table: Table, said: Word, chart: Drawn) -> Drawn:
    """Read "in a line graph", "show a scatter plot"."""
    return chart


@rule(C.DRAWN, C.DRAWN, C.ABOUT)
def chart_about(table: Table, chart: Drawn, said: Word) -> Drawn:
    """Read "a bar chart that shows", "a pie about"."""
    return chart


@rule(C.DRAWN, C.AND, C.DRAWN)
def and_chart(table: Table, said: Word, chart: Drawn) -> Drawn:
    """Read "…, and plot them in a line chart"."""
    return chart


@rule(C.DRAWN, a(C.PURPOSE, words="trend"), maybe(C.ABOUT, C.OF))
def purpose(table: Table, said: Word, about: Word | None) -> Drawn:
    """Read "the trend of" as the chart that shows such a thing."""
    return Drawn(_PURPOSES[said.meaning], timed=True, usual=True)


@rule(C.DRAWN, a(C.PURPOSE, words="proportion"), maybe(C.ABOUT, C.OF), cost=0.05)
def parts_of_all(table: Table, said: Word, about: Word | None) -> Drawn:
    """Read "the proportions of the boats"; the proportion of a figure is its share."""
    return Drawn(_PURPOSES[said.meaning], usual=True)


@rule(C.FIGURES, a(C.PURPOSE, words="relation comparison"), maybe(C.ABOUT, C.OF, C.BETWEEN), C.FIGURES, cost=0.05)
def related(table: Table, said: Word, about: Word | None, figures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Read "the relationship between the highest and the lowest price" as the two figures."""
    return figures


@rule(C.DRAWN, a(C.PURPOSE, words="distribution"), maybe(C.ABOUT, C.OF), cost=0.01)
def spread(table: Table, said: Word, about: Word | None) -> Drawn:
    """Read "the distribution of": what is drawn depends on the values."""
    return Drawn(ChartKind.HISTOGRAM, usual=True)


# -- what goes across and what goes up -------------------------------------------------------------------------------


@rule(C.PAIR, C.TERM, a(C.VERSUS), a(C.TERM, C.FIGURE))
def against(table: Table, up: Term, said: Word, across: Term | Measure) -> Pair | None:
    """Read "price against weight", "harbour versus the mean charge"."""
    if not isinstance(across, Term):
        return Pair(up, across) if isinstance(up, Column) else None
    return Pair(across, up) if up != across else None


@rule(C.PAIR, C.FIGURE, a(C.VERSUS), C.TERM)
def figure_against(table: Table, up: Measure, said: Word, across: Term) -> Pair | Costed:
    """Read "mean charge versus harbour"; against an amount, more likely the mean of that is meant."""
    amount = isinstance(across, Column) and table.is_number(across.name) and not table.column(across.name).is_label
    return Costed(Pair(across, up), _LISTED_NUMBER) if amount else Pair(across, up)


@rule(
    C.PAIR,
    a(C.PURPOSE, words="distribution relation correlation proportion"),
    maybe(C.OF, C.ABOUT, C.BETWEEN),
    C.TERM,
    C.AND,
    a(C.TERM, C.FIGURE),
)
def first_and_second(
    table: Table, said: Word, of: Word | None, across: Term, joined: Word, up: Term | Measure
) -> Pair | None:
    """Read "distribution of boat and charge", "relationship between weight and price"."""
    return Pair(across, up, _PURPOSES[said.meaning], said.meaning == "correlation") if across != up else None


@rule(C.PAIR, a(C.PURPOSE, C.COMPARE_VERB, words="trend comparison distribution compare"),
      maybe(C.OF, C.ABOUT), a(C.TERM, C.FIGURE), C.OVER, a(C.TERM, C.UNIT))  # fmt: skip
def up_over_across(
    table: Table, said: Word, of: Word | None, up: Term | Measure, over: Word, across: Term
) -> Pair | None:
    """Read "the trend of salary over the hire date", "comparison about the total cost over team"."""
    moves = said.meaning == "trend"
    if moves and not (isinstance(across, Part) or (isinstance(across, Column) and table.tells_time(across.name))):
        return None
    return Pair(across, up, ChartKind.LINE if moves else None) if across != up else None


@rule(C.PAIR, a(C.CHANGE, words="change"), maybe(C.OF, C.IN), C.TERM, C.OVER, C.TERM)
def change_over(table: Table, said: Word, of: Word | None, up: Term, over: Word, across: Term) -> Pair | None:
    """Read "a line chart of the change of salary over the hire date"; without a chart the change itself is asked."""
    timed = isinstance(across, Column) and table.tells_time(across.name)
    return Pair(across, up, ChartKind.LINE, drawn_only=True) if timed and across != up else None


@rule(C.PAIR, C.AXIS, maybe(C.IS), a(C.TERM, C.FIGURE), maybe(C.AND), C.AXIS, maybe(C.IS), a(C.TERM, C.FIGURE))
def axes(
    table: Table,
    first: Word,
    is_: Word | None,
    one: Term | Measure,
    joined: Word | None,
    second: Word,
    is__: Word | None,
    other: Term | Measure,
) -> Pair | None:
    """Read "x axis month, y axis total cost"."""
    if {first.meaning, second.meaning} != {"x", "y"}:
        return None
    across, up = (one, other) if first.meaning == "x" else (other, one)
    return Pair(across, up) if isinstance(across, Term) else None


@rule(C.PAIR, C.TERM, C.AND, C.FIGURE)
def label_and_figure(table: Table, across: Term, joined: Word, up: Measure) -> Pair | Costed | None:
    """Read "the harbours and their total charge", "boat and the number of hires"."""
    if not isinstance(across, Column) or joined.said == _COMMA:
        return None
    if table.column(across.name).is_unique and isinstance(up, Figure) and up.function in COUNTS:
        return None  # of each row there is one
    number = table.is_number(across.name) and not table.column(across.name).is_label
    return Costed(Pair(across, up), _LISTED_NUMBER if number else _LISTED)


# -- statistics ------------------------------------------------------------------------------------------------------


@rule(C.STATISTIC_OF, C.STATISTIC)
def statistic(table: Table, said: Word) -> Statistic:
    """Read "correlation"."""
    return Statistic(said.meaning)


@rule(C.STATISTIC_OF, C.CROSSTAB)
def crosstab(table: Table, said: Word) -> Statistic:
    """Read "crosstab"."""
    return Statistic("crosstab")
