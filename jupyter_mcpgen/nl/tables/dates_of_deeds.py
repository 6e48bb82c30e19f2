"""An amount that is called after what was done, and the date of the same: `amount_paid` goes by `paid_on`.

The date at which its rows were made is another one: what was paid in May may be of notices issued in March.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.tables.own_dates import other_date_cost
from jupyter_mcpgen.nl.words.forms import is_irregular_past, stem
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Resample
from jupyter_mcpgen.plan.plan import Plan

OF_ANOTHER_DATE = 0.3
"""What it costs to let the amount of a deed go by another date than that of the deed, where none is named."""


def date_of_deed(amount: str, context: Context) -> str | None:
    """Return the one date that is called after the deed of an amount: `amount_paid` and `paid_on`."""
    lexicon = context.lexicon
    own = set(context.column_words.get(amount, ())) - context.row_nouns
    deeds = {w for w in own if w.endswith(lexicon.participles) or is_irregular_past(w, lexicon.language)}
    found = [name for name in context.dates if deeds & set(context.column_words[name])]
    return found[0] if len(found) == 1 and context.is_measure(amount) else None


def by_its_date(reading: Reading, words: Iterable[str], context: Context) -> Reading:
    """Return a reading that costs less where the amount of a deed goes by its date, and more where it does not.

    A reading that goes by several dates or by none is left as it is, and so are all where a word names another date.
    """
    dates = {name: date for name in _measured(reading.plan) if (date := date_of_deed(name, context)) is not None}
    used = {name for name in _dates_used(reading.plan) if name in context.dates}
    if not dates and len(used) == 1 and _lacks_with(next(iter(used)), reading.plan, context):
        return replace(reading, cost=round(reading.cost - other_date_cost(next(iter(used)), context), 4))
    if len(dates) != 1 or len(used) != 1:
        return reading
    amount, own = next(iter(dates.items()))
    if _names_another(own, words, context):
        return reading
    if used == {own}:
        own_cost = round(reading.cost - other_date_cost(own, context), 4)
        note = f"`{amount}` goes by `{own}`, the date of what was done."
        return replace(reading, cost=own_cost, assumptions=(*reading.assumptions, note))
    return replace(reading, cost=round(reading.cost + OF_ANOTHER_DATE, 4))


def _lacks_with(date: str, plan: Plan, context: Context) -> bool:
    """Tell whether the only amount of a plan is missing in as many rows as a date, so that it may be of that date."""
    amounts = {name for name in _measured(plan) if name in context.column_words and context.is_measure(name)}
    gaps, lexicon = context.column(date).nulls, context.lexicon
    own = context.column_words[date]
    done = any(w.endswith(lexicon.participles) or is_irregular_past(w, lexicon.language) for w in own)
    if not done and any(stem(w, lexicon.language) in lexicon.later_moments for w in own):
        return False  # an expiry is of what was given, and no date of its amount
    return len(amounts) == 1 and all(context.column(name).nulls == gaps > 0 for name in amounts)


def _measured(plan: Plan) -> Iterator[str]:
    """Yield the columns of which figures are taken, or that are asked to be missing."""
    for step in plan.steps:
        match step:
            case Aggregate(measures=measures) | Resample(measures=measures):
                yield from (measure.column.name for measure in measures if measure.column is not None)
            case Filter(predicate=predicate):
                lacking = (term for term in terms_of(predicate) if isinstance(term, IsMissing))
                yield from (term.operand.name for term in lacking if not term.negated)
            case _:
                pass


def _dates_used(plan: Plan) -> Iterator[str]:
    """Yield the columns that rows are chosen or grouped by, but not those that are only asked to be there."""
    for step in plan.steps:
        match step:
            case Filter(predicate=predicate):
                for term in terms_of(predicate):
                    if not isinstance(term, IsMissing):
                        yield from names_in(term)
            case Derive(expression=expression):
                yield from names_in(expression)
            case Aggregate(by=by):
                yield from by.names
            case Resample():
                yield from names_in(step)
            case _:
                pass


def _names_another(own: str, words: Iterable[str], context: Context) -> bool:
    """Tell whether a word names another date than that of the deed."""
    plain = (context.plain(word) for word in words if not context.lexicon.meanings(word))
    named = [found for word in plain if (found := context.columns_with(word))]
    return any(name in context.dates for found in named for name in found if own not in found)
