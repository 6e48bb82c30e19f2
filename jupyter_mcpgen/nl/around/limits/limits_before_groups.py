"""A limit that stands at a column before the groups: "average discount above 0 by stand" limits rows or groups.

How many there are above a limit, as in "number of scores above 80 by class", is always a number of rows.
"""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import Col, Compare, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure

_OF_A_CELL = (AggregateFunction.MEAN, AggregateFunction.MEDIAN, AggregateFunction.MAX, AggregateFunction.MIN)
"""Figures that lie among the cells, so that a limit may be of both."""
_OF_A_NUMBER = (AggregateFunction.COUNT, AggregateFunction.SUM)
"""Figures that "number of" may have been taken for."""


def asking_which_limit(meant: Understanding, question: str, context: Context) -> Understanding:
    """Ask where a limit keeps groups by their figure, and may as well choose the rows of which the figure is.

    Where it is asked how many there are, the rows beyond the limit are counted.
    """
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    if isinstance(meant, Refused) or not _limit_stands_first(tokens, context):
        return meant
    if _asks_how_many(tokens, context):
        ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
        counted = [_of_rows(way, _OF_A_NUMBER, counted=True) for way in ways]
        alike = counted[0] is not None and all(one is not None and one.plan == counted[0].plan for one in counted)
        return Answered(counted[0]) if alike and counted[0] is not None else meant
    if isinstance(meant, Asked):
        return meant
    other = _of_rows(meant.winner, _OF_A_CELL) if _means(tokens[0], m.Function, context) else None
    if other is None:
        return meant
    options = (other, meant.winner)
    return asking_which(options, how=IN_ITS_WORDS)


def _limit_stands_first(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether the number of a question stands before what groups rows, and at nothing but the figure."""
    number = next((at for at, token in enumerate(tokens) if token.kind is TokenKind.NUMBER), None)
    group = next((at for at, token in enumerate(tokens) if _means(token, m.GroupWord, context)), None)
    if number is None or group is None or number > group:
        return False
    return not any(_means(token, m.WhereWord, context) for token in tokens[:number])


def _asks_how_many(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a question begins by asking for a number of something."""
    opening = " ".join(token.lower for token in tokens[:2])
    return any(isinstance(meaning, m.CountWord) for meaning in context.lexicon.meanings(opening))


def _means(token: Token, kind: type, context: Context) -> bool:
    return any(isinstance(meaning, kind) for meaning in context.lexicon.meanings(token.lower))


def _of_rows(reading: Reading, of: tuple[AggregateFunction, ...], *, counted: bool = False) -> Reading | None:
    """Return the reading in which the limit chooses rows; None where a plan keeps no groups by one such figure.

    Where rows are counted, the groups are all that is made: "how many drove more than 90 km a week" is of their totals.
    """
    plan = reading.plan
    if counted and sum(isinstance(step, Aggregate) for step in plan.steps) > 1:
        return None
    for place, step in enumerate(plan.steps):
        if not isinstance(step, Aggregate) or not step.by.names or len(step.measures) != 1:
            continue
        for later, kept in enumerate(plan.steps[place + 1 :], place + 1):
            term = _limit(kept.predicate, step.measures[0], of) if isinstance(kept, Filter) else None
            if term is None:
                continue
            first = next((at for at, one in enumerate(plan.steps) if not isinstance(one, Derive)), place)
            figure = Measure(function=AggregateFunction.COUNT, column=None) if counted else step.measures[0]
            called = {step.measures[0].name: figure.name}
            grouped = step.model_copy(update={"measures": (figure,)})
            behind = [*plan.steps[place + 1 : later], *plan.steps[later + 1 :]]
            named = [called_otherwise(one, called) for one in behind]
            steps = (*plan.steps[:first], Filter(predicate=term), *plan.steps[first:place], grouped, *named)
            chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
            return reading.with_steps(steps, chart, assumptions=() if counted else reading.assumptions)
    return None


def _limit(predicate: Predicate, measure: Measure, of: tuple[AggregateFunction, ...]) -> Compare | None:
    """Return the limit of a figure as one of the cells that it is made of."""
    match predicate:
        case Compare(left=Col(name=name), right=Lit(value=int() | float())) if (
            name == measure.name and measure.column is not None and measure.function in of
        ):
            return predicate.model_copy(update={"left": measure.column})
        case _:
            return None
