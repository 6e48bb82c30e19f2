"""Years that a column of years has and the dates have not: "in 2022" over waves of surveys sent in 2024."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding, asking_which
from jupyter_mcpgen.nl.tables.written import ways
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Derive, Filter, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

FIRST_YEAR, LAST_YEAR = 1800, 2200
MOST_YEARS = 60
_NEW_YEAR = "-01-01"


@dataclass(frozen=True)
class Years:
    """The whole years of which a plan keeps rows, by a date."""

    date: str
    first: int
    last: int


def asking_which_year(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning, or ask where it keeps years that the dates do not have, and a column of years has.

    Where both have them, the meaning says by which of them it is.
    """
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    years = years_kept(plan)
    column = next(_columns_with(years, context), None) if years is not None else None
    if years is None or column is None:
        return meant
    ends = _ends_of(years.date, context)
    if ends is None:
        return meant
    if ends[0] <= years.first and years.last <= ends[1]:
        note = f"The years are those of `{years.date}`; `{column}` has them, too."
        return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))
    own = _by_column(plan, years, column)
    if own is None:
        return meant
    kept = tuple(one for one in meant.winner.assumptions if f"`{years.date}`" not in one)
    options = (replace(meant.winner, plan=own, assumptions=kept), meant.winner)
    told = f"{ends[0]} to {ends[1]}" if ends[0] != ends[1] else f"{ends[0]} only"
    return asking_which(options, f"`{years.date}` has rows of {told}, and `{column}` is a column of years. ")


def years_kept(plan: Plan) -> Years | None:
    """Return the whole years that the conditions of a plan keep by one date."""
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    starts = [(name, year) for term in terms for name, year in _new_year(term, CompareOp.GE)]
    ends = dict(one for term in terms for one in _new_year(term, CompareOp.LT))
    found = [Years(name, year, ends[name] - 1) for name, year in starts if name in ends]
    return found[0] if len(found) == 1 else None


def _new_year(term: Predicate, side: CompareOp) -> Iterator[tuple[str, int]]:
    """Yield the date and the year at the start of which a condition begins or ends."""
    match term:
        case Compare(op=op, left=Col(name=name), right=Lit(value=value)) if op is side:
            text = str(value)[: len("2024-01-01")]
            if text.endswith(_NEW_YEAR):
                yield name, int(text.removesuffix(_NEW_YEAR))
        case _:
            return


def _columns_with(years: Years, context: Context) -> Iterator[str]:
    """Yield the columns of whole numbers that are years, of which some are asked for; not the year of the date."""
    for name in context.column_words:
        known = context.column(name)
        whole = context.is_whole(name) and known.complete and 1 < known.distinct <= MOST_YEARS
        if not whole or not all(FIRST_YEAR <= value <= LAST_YEAR for value in known.values):
            continue
        if known.minimum <= years.first and years.last <= known.maximum:
            yield name


def _ends_of(date: str, context: Context) -> tuple[int, int] | None:
    """Return the first and the last year of a date, also of one written as text."""
    known = [context.profile, *(typed for _, typed in ways(context.profile))]
    for profile in known:
        column = next((one for one in profile.columns if one.name == date), None)
        dated = any(field.name == date and field.type is ColumnType.DATE for field in profile.schema_.fields)
        if column is not None and dated and column.minimum is not None:
            return int(str(column.minimum)[:4]), int(str(column.maximum)[:4])
    return None


def _by_column(plan: Plan, years: Years, column: str) -> Plan | None:
    """Return a plan that keeps the years of a column of years."""
    dates = {(years.date, CompareOp.GE), (years.date, CompareOp.LT)}
    kept: list[Step] = []
    for step in plan.steps:
        if not isinstance(step, Filter):
            kept.append(step)
            continue
        terms = [one for one in terms_of(step.predicate) if not _is_end(one, dates)]
        kept.extend(Filter(predicate=one) for one in terms)
        if len(terms) < len(terms_of(step.predicate)):
            kept.append(Filter(predicate=_between(years, column)))
    once = [step for at, step in enumerate(kept) if not isinstance(step, Filter) or step not in kept[:at]]
    read = [step for step in once if isinstance(step, Derive) and step.name == years.date]
    used = {name for step in once if step not in read for name in names_in(step)}
    steps = tuple(step for step in once if step not in read or years.date in used)
    return plan.tried(steps, plan.chart)


def _is_end(term: Predicate, dates: set[tuple[str, CompareOp]]) -> bool:
    return isinstance(term, Compare) and isinstance(term.left, Col) and (term.left.name, term.op) in dates


def _between(years: Years, column: str) -> Predicate:
    first = Lit(value=years.first, type=ColumnType.INTEGER)
    last = Lit(value=years.last, type=ColumnType.INTEGER)
    if years.first == years.last:
        return Compare(op=CompareOp.EQ, left=Col(name=column), right=first)
    ends = ((CompareOp.GE, first), (CompareOp.LE, last))
    return All(terms=tuple(Compare(op=op, left=Col(name=column), right=end) for op, end in ends))
