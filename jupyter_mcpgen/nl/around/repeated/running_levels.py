"""Levels told row by row, such as a balance after each move or the reading of a meter: no sum of rows is one.

The last of each thing may be meant, or the average; which rows are the last of a thing nobody can tell from the name.
"""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import Vocabulary, load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Resample
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def refusing_sums_of_levels(meant: Understanding, context: Context, language: str) -> Understanding:
    """Refuse a sum over rows of what stood at each of them; such a sum is no way that is asked about."""
    match meant:
        case Answered(winner):
            name = _added_up(winner.plan, context, language)
        case Asked(options=options):
            added = [_added_up(option.plan, context, language) for option in options]
            name = next((one for one in added if one is not None), None)
            left = tuple(option for option, one in zip(options, added, strict=True) if one is None)
            if name is not None and left:
                lines = "; ".join(f"({number}) {say_plan(one.plan)}" for number, one in enumerate(left, 1))
                why = f"`{name}` is called like what stood at the time of each row, so it is not added up."
                return Asked(f"{why} Is this what you mean: {lines}? Ask again in its words.", left)
        case _:
            return meant
    if name is None:
        return meant
    return Refused(
        f"`{name}` is called like what stood at the time of each row, so it is not added up over rows. "
        f"Ask for the largest, the smallest or the average `{name}`, or for `{name}` on one day.",
        words=(name,),
    )


def _added_up(plan: Plan, context: Context, language: str) -> str | None:
    """Return the first such level that a plan adds up over rows as they are."""
    first = next((step for step in plan.steps if not isinstance(step, Filter | Derive)), None)
    if not isinstance(first, Aggregate | Resample) or _is_of_one_day(plan, context):
        return None
    sums = (one.column.name for one in first.measures if one.column and one.function is AggregateFunction.SUM)
    return next((name for name in sums if _is_running(name, context, language)), None)


def _is_running(name: str, context: Context, language: str) -> bool:
    """Tell whether a column is called a level after or before something, or the reading of a meter."""
    vocabulary = load_vocabulary(language)
    if name not in context.column_words or not _is_dated(context):
        return False
    words = set(split_name(name))
    stood = bool(set(context.column_words[name]) & context.lexicon.levels)
    told = stood and bool(words & vocabulary.words("told_row_by_row"))
    unit = set(split_name(context.column(name).unit or "")) | words
    metered = words & vocabulary.words("readings_of_meters") and unit & vocabulary.words("metered_units")
    return told or bool(metered) or _is_total_so_far(name, context, vocabulary)


def _is_total_so_far(name: str, context: Context, vocabulary: Vocabulary) -> bool:
    """Tell whether a column is called cumulative, or a total beside what is new: `total_cases` and `new_cases`."""
    words, totals = set(split_name(name)), vocabulary.words("totals_so_far")
    if words & vocabulary.words("running_totals"):
        return True
    of_what = words - totals
    others = (set(split_name(other)) for other in context.column_words if other != name)
    new = vocabulary.words("increments")
    return bool(words & totals and of_what) and any(other & new and other - new == of_what for other in others)


def _is_of_one_day(plan: Plan, context: Context) -> bool:
    """Tell whether the rows of one date are chosen."""
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    held = [t.left.name for t in terms if isinstance(t, Compare) and t.op is CompareOp.EQ and isinstance(t.left, Col)]
    return any(name in _dates(context) for name in held)


def _is_dated(context: Context) -> bool:
    """Tell whether rows have a date, also one that is written as a text."""
    return bool(_dates(context))


def _dates(context: Context) -> frozenset[str]:
    """Return the columns of dates, also those that are written as texts."""
    written = (c.name for c in context.profile.columns if any(one.type is ColumnType.DATE for one in c.written))
    return frozenset((*context.dates, *written))
