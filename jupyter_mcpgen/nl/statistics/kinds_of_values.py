"""How the values of columns repeat: rows that share one, how many different ones there are, and whether all is well."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from jupyter_mcpgen.nl.statistics.choice import Choice, col
from jupyter_mcpgen.nl.statistics.lacking import Lacking
from jupyter_mcpgen.nl.statistics.named import Named
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.plan.expressions import All, Columns, IsMissing
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Step
from jupyter_mcpgen.plan.statistics import Duplicates

_MOST_COLUMNS = 40
"""How many columns are looked at when none are named."""


def same_values(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the rows that share a value which few rows share; of a group nearly every row would be one."""
    columns = (*named.numbers, *named.labels)
    context = named.context
    if prod(context.column(name).distinct for name in columns) * 2 <= context.profile.rows:
        return
    listed = " and ".join(f"`{name}`" for name in columns)
    rows: tuple[Step, ...] = (*_present(columns, named), Duplicates(columns=Columns(names=columns)))
    note = f"Rows are taken that have the same {listed} as another row."
    if "count" in request.said:
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        yield Choice((*rows, counted), notes=(note, "The first row of each is counted, too."))
    else:
        yield Choice(rows, notes=(note,))


def _present(columns: tuple[str, ...], named: Named) -> tuple[Filter, ...]:
    """Return the condition that there are values to be the same: two rows that lack one share nothing."""
    lacking = tuple(name for name in columns if named.context.column(name).nulls)
    terms = tuple(IsMissing(operand=col(name), negated=True) for name in lacking)
    if not terms:
        return ()
    return (Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms)),)


def cardinality(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield how many different values each column has."""
    by = named.keys or (named.labels if "grouped" in request.said else ())
    said = tuple(name for name in (*named.numbers, *named.labels) if name not in by)
    names = said or tuple(name for name in named.context.profile.schema_.names if name not in by)
    measures = tuple(Measure(function=AggregateFunction.COUNT_DISTINCT, column=col(one)) for one in names)
    left_out = len(names) - _MOST_COLUMNS
    notes = [f"The first {_MOST_COLUMNS} of {len(names)} columns are taken."] if left_out > 0 else []
    notes.append("A missing value is none of the different values.")
    yield Choice((Aggregate(by=Columns(names=by), measures=measures[:_MOST_COLUMNS]),), notes=tuple(notes))


def quality(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Ask what is to be looked at: what is wrong with data is several questions."""
    numbers = [name for name in named.context.profile.schema_.names if named.context.is_measure(name)]
    outliers = f", “outliers in {numbers[0]}”" if numbers else ""
    yield Lacking(
        "The quality of data is several questions: which one first? Ask “missing values by column”, “duplicate rows”, "
        f"“unique values per column”{outliers}."
    )
