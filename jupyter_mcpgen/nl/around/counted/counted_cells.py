"""Whether "how many" is answered by a number: a list of cells is none, where the question asks for no row of a key."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.lookup.reader import NOT_USED
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, IsIn, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Distinct, Filter, Measure, Select, Sort
from jupyter_mcpgen.plan.plan import Plan

SURELY_ONE = 1.05
"""A column with hardly fewer values than the table has rows tells rows apart."""


def counting_not_listing(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning with a total, or a refusal, where "how many" or "how much" would be answered by a list."""
    asked = _asking(question, context)
    if asked is None or not isinstance(meant, Answered):
        return meant
    shown = _listed(meant.winner)
    if shown is None or _is_one_cell(meant.winner, shown, context):
        return meant
    total = _total(meant.winner, shown, context)
    if total is not None:
        return Answered(total)
    return Refused(
        f"“{asked}” asks for a number, but I could read only a list ({say_plan(meant.winner.plan)}). Ask for the "
        "number of rows, or for the total of a column.",
        words=(asked,),
        nearest=meant.winner,
    )


def refusing_other_things(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where what is to be counted is left out, and something else is counted.

    "How many people worked on Apollo" is no number of different days.
    """
    asked = _asking(question, context)
    if asked is None or not isinstance(meant, Answered) or not _counts_different(meant.winner.plan):
        return meant
    said = [token.text for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    noun = next((word for word in said[len(asked.split()) :] if not _says_different(word, context)), "")
    left = next((note for note in meant.winner.assumptions if note.startswith(NOT_USED)), "")
    if not noun or f"“{noun}”" not in left:
        return meant
    return Refused(
        f"No column is called “{noun}”. Name the column that tells them apart. "
        f"The nearest that I read: {say_plan(meant.winner.plan)}.",
        words=(noun,),
        nearest=meant.winner,
    )


def _counts_different(plan: Plan) -> bool:
    figures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    others = (AggregateFunction.COUNT_DISTINCT, AggregateFunction.SUM)
    return len(figures) == 1 and figures[0].function in others


def _says_different(word: str, context: Context) -> bool:
    meanings = context.lexicon.meanings(word.casefold())
    return any(isinstance(one, m.DistinctWord) for one in meanings) or context.lexicon.is_filler(word.casefold())


def _asking(question: str, context: Context) -> str | None:
    """Return the words at the beginning of a question that ask for a number."""
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)[:2]
    words = " ".join(token.lower for token in tokens)
    asks = any(isinstance(one, m.HowMuch | m.CountWord) for one in context.lexicon.meanings(words))
    own = any(isinstance(one, m.CountWord) for token in tokens for one in context.lexicon.meanings(token.lower))
    return words if asks and not own else None


def _listed(reading: Reading) -> tuple[str, ...] | None:
    """Return the columns of which a plan lists the cells; None for any other plan."""
    steps = reading.plan.steps
    shows = [step for step in steps if isinstance(step, Select | Distinct)]
    if reading.plan.chart is not None or not shows:
        return None
    if not all(isinstance(step, Filter | Select | Distinct | Sort) for step in steps):
        return None
    return shows[0].columns.names


def _is_one_cell(reading: Reading, shown: tuple[str, ...], context: Context) -> bool:
    """Tell whether a list is of one row, or says the same in all of its rows."""
    terms = [term for step in reading.plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    if not terms:
        return False
    for term in terms:
        if isinstance(term, Compare) and term.op is CompareOp.EQ and isinstance(term.left, Col):
            name = term.left.name
            known = name in context.column_words and context.column(name)
            if known and (context.is_key(name) or known.distinct * SURELY_ONE >= context.profile.rows):
                return True
    places = [_rows_of(term, context) for term in terms]
    if any(rows is None for rows in places):
        return True  # a table whose rows are not kept: nobody can tell
    kept = set.intersection(*(rows for rows in places if rows is not None))
    return len(kept) <= 1 or all(_say_the_same(name, kept, context) for name in shown)


def _rows_of(term: Predicate, context: Context) -> set[int] | None:
    """Return the places of the rows that meet a condition; None where the profile cannot tell."""
    wanted: tuple[object, ...]
    match term:
        case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=value)):
            wanted = (value,)
        case IsIn(operand=Col(name=name), values=values, negated=False):
            wanted = tuple(one.value for one in values)
        case _:
            return None
    known = context.column(name) if name in context.column_words else None
    if known is None or not known.places:
        return None
    held = (*known.values, *known.more)
    letters = {chr(FIRST_PLACE + 1 + held.index(one)) for one in wanted if one in held}
    return {place for place, letter in enumerate(known.places) if letter in letters} if letters else None


def _say_the_same(name: str, rows: set[int], context: Context) -> bool:
    places = context.column(name).places if name in context.column_words else ""
    return bool(places) and len({places[row] for row in rows}) == 1


def _total(reading: Reading, shown: tuple[str, ...], context: Context) -> Reading | None:
    """Return the total of the one column that is listed, where its numbers add up."""
    name = shown[0]
    if len(shown) != 1 or name not in context.column_words or not context.is_measure(name):
        return None
    if context.adds_up(name) is not True:
        return None
    total = Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.SUM, column=Col(name=name)),))
    before = tuple(step for step in reading.plan.steps if isinstance(step, Filter))
    note = f"`{name}` is added up, because a number is asked for."
    return reading.with_steps((*before, total), assumptions=(*reading.assumptions, note))
