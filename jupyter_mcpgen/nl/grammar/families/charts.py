"""Charts and statistics that are asked for by name."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Drawn, Statistic, Term, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import ChartKind

CHARTS = Family("charts")
rule = CHARTS.rule


@rule(C.DRAWN, C.CHART)
def drawn(table: Table, said: Word) -> Drawn:
    """Read "as a bar chart"."""
    if said.meaning == "course":
        return Drawn(ChartKind.LINE, timed=True)
    return Drawn(ChartKind(said.meaning) if said.meaning != "any" else None)


@rule(C.PAIR, C.TERM, a(C.VERSUS), C.TERM)
def against(table: Table, up: Term, said: Word, across: Term) -> tuple[Term, Term] | None:
    """Read "price against weight"."""
    return (across, up) if up != across else None


@rule(C.STATISTIC_OF, C.STATISTIC)
def statistic(table: Table, said: Word) -> Statistic:
    """Read "correlation"."""
    return Statistic(said.meaning)


@rule(C.STATISTIC_OF, C.CROSSTAB)
def crosstab(table: Table, said: Word) -> Statistic:
    """Read "crosstab"."""
    return Statistic("crosstab")
