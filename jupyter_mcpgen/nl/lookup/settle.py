"""Decides between the chart parser's answer and the look-up reading of the same question."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard, assert_never

from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.lookup.reader import COUNTS, Looked
from jupyter_mcpgen.nl.lookup.words import outside_brackets
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Limit, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

MAX_OTHERS = 2
SURE = 0.5
"""A look-up reading costlier than this is offered, never answered."""
MOSTLY = 0.8
"""How much of its name must stand in the question for a column that is named after a calculation."""
LEVEL = 0.05
"""Two columns that are nearer than this are asked about."""
NO_DOUBT = 0.1
"""A look-up reading this cheap accounts for nearly every word."""


def settle(parsed: Understanding, looked: tuple[Looked, ...]) -> Understanding:
    """Return the parser's answer, or the look-up reading where it knows better: it finds cells, the parser figures."""
    best = looked[0] if looked else None
    tied = tuple(found for found in looked if _is_level(found, looked[0]))
    if len(tied) > 1 and (not isinstance(parsed, Answered) or _is_one_of(parsed, tied)):
        return _ask_which(tuple(found.reading for found in tied))
    whole = best is not None and (
        best.is_whole
        or (best.is_ordered and _finds_other_rows(best, parsed))
        or (best.is_fragment and _is_lost(parsed))
        or (best.is_ordered and best.is_sure and isinstance(parsed, Asked))
    )
    if best is None or not whole or not _prevails(best, parsed):
        if best is None or not _is_lost(parsed):
            return parsed
        return replace(parsed, nearest=best.reading, named=parsed.nearest)
    if isinstance(parsed, Answered) and _limits_more(parsed.winner.plan, best.reading.plan):
        return asking_which((parsed.winner, best.reading), how=IN_ITS_WORDS)  # "price and discount below 4"
    if best.ways:
        return parsed if isinstance(parsed, Asked) else _ask_which(best.ways, best.bare_limits)
    others = _others(looked)
    named = labels(best.reading.plan, tuple(other.plan for other in others))
    chips = tuple(replace(other, label=label) for other, label in zip(others, named, strict=True))
    return Answered(best.reading, chips)


def _limits_more(plan: Plan, other: Plan) -> bool:
    """Tell whether a plan has each limit of another, and one of them for another column as well."""
    terms, others = (
        [t for s in one.steps if isinstance(s, Filter) for t in terms_of(s.predicate) if isinstance(t, Compare)]
        for one in (plan, other)
    )
    more = [term for term in terms if term not in others]
    alike = {(term.op, term.right) for term in others if term.op is not CompareOp.EQ}
    return bool(more) and all(term in terms for term in others) and {(term.op, term.right) for term in more} <= alike


def _others(looked: tuple[Looked, ...]) -> list[Reading]:
    """Return the readings to offer beside the best one, each plan once."""
    best, *rest = (found for found in looked if found is looked[0] or (found.is_whole and found.reading.cost <= SURE))
    plans = {best.reading.plan: best.reading}
    for found in rest:
        plans.setdefault(found.reading.plan, found.reading)
    return list(plans.values())[1 : MAX_OTHERS + 1]


def settle_every_word(refused: Refused, looked: tuple[Looked, ...]) -> Understanding:
    """Return a look-up reading that uses every word, or the refusal: "rank by average of 14" asks for no order."""
    whole = tuple(found for found in looked[:1] if not found.unused and found.reading.cost <= NO_DOUBT)
    return settle(refused, whole)


def settle_statistic(answer: Understanding, looked: tuple[Looked, ...]) -> Understanding:
    """Return a statistic, or the cells that were asked for: "the date associated with the label X" tests nothing."""
    best = looked[0] if looked else None
    if best is None or not best.is_whole or not best.is_cells or best.choice.name is None:
        return answer
    return Answered(best.reading) if best.reading.cost <= NO_DOUBT else answer


def _is_level(found: Looked, best: Looked) -> bool:
    """Tell whether the same words name another column just as well: "the height" of `Height (m)` and `Height (ft)`."""
    if not (found.is_whole and found.is_cells and found.choice.name and best.choice.name):
        return False
    if {*found.unused} - {*best.unused} or best.choice.name.whole:
        return False  # "the crowd in the evening" of `Crowd (evening)`
    same = found.choice.name.words == best.choice.name.words and not found.choice.name.whole
    if same and best.reading.cost <= SURE and _outside(found.choice.column) == _outside(best.choice.column):
        return True  # `Reader (audio book)` and `Reader (film)`
    return same and found.reading.cost <= SURE and best.choice.worth - found.choice.worth < LEVEL


def _outside(column: str) -> str:
    """Return the name of a column but for what stands in brackets."""
    return " ".join(outside_brackets(column).casefold().split())


def _is_one_of(parsed: Answered, tied: tuple[Looked, ...]) -> bool:
    said = say_plan(parsed.winner.plan)
    return any(say_plan(found.reading.plan) == said for found in tied)


def _ask_which(options: tuple[Reading, ...], bare_limits: tuple[str, ...] = ()) -> Asked:
    bare = "".join(f"“{limit}” names no column. " for limit in bare_limits)
    notes = (note for note in options[0].assumptions if all(note in option.assumptions for option in options))
    how = " ".join((IN_ITS_WORDS, *notes))
    if len(options) == 1:
        said = say_plan(options[0].plan)
        return Asked(f"{bare}Is this what you mean: (1) {said}?{how}", options)
    return asking_which(options, bare, how)


def _finds_other_rows(best: Looked, parsed: Understanding) -> bool:
    """Tell whether the parser read nothing, or conditions that are not those of the look-up."""
    if isinstance(parsed, Answered):
        return _rows_of(parsed.winner.plan) != _rows_of(best.reading.plan)
    return _is_lost(parsed)


def _is_lost(parsed: Understanding) -> TypeGuard[Refused]:
    return isinstance(parsed, Refused) and not parsed.missing_capabilities


def _misses_its_column(best: Looked) -> bool:
    """Tell whether rows are counted by a value of one column where another that holds it is named.

    "How many open entries are in the stage column" is said of no other column that has the word.
    """
    name, column = best.choice.name, best.choice.column
    elsewhere = (b for b in best.choice.binding.binds if b.name is None and b.bound is None)
    return (
        name is not None
        and name.whole
        and _counts_rows(best.reading.plan)
        and any(b.cells.column != column and column in {c.column for c in b.mention.cells} for b in elsewhere)
    )


def _counts_rows(plan: Plan) -> bool:
    last = plan.steps[-1] if plan.steps else None
    return isinstance(last, Aggregate) and not last.by.names and all(one.column is None for one in last.measures)


def _prevails(best: Looked, parsed: Understanding) -> bool:
    if _misses_its_column(best):
        return False
    cost = best.reading.cost
    match parsed:
        case Refused(words=words, missing_capabilities=missing):
            return cost - best.slight <= SURE and (not missing or _has_them_in_names(best, words))
        case Asked(options=options):
            good = {say_plan(best.reading.plan), *best.as_good}
            asked = any(say_plan(option.plan) in good for option in options)
            others = (option.plan for option in options if say_plan(option.plan) not in best.as_good)
            doubted = asked and any(_rows_of(plan) != _rows_of(best.reading.plan) for plan in others)
            if asked and _names_figure(best) and all(_counts_rows_of(o.plan, best) for o in options):
                return cost <= NO_DOUBT  # "the lowest number of seats" is that of `seats`, and counts no rows
            known = [option for option in options if say_plan(option.plan) not in best.senseless]
            sensible = [option for option in known if not _counts_one_value(option.plan)]
            if asked and all(say_plan(option.plan) in good for option in sensible):
                slight = best.slight if len(options) > 1 else 0.0  # one way alone asks what such a word is
                return cost - slight <= (SURE if best.is_cells else NO_DOUBT)
            if asked and not (best.is_cells or best.is_sure):
                return False  # a figure that is one of those asked about settles nothing
            if not best.is_cells and not _rows_of(best.reading.plan) and all(_rows_of(o.plan) for o in options):
                return False  # nor does one of all rows, where every reading asked about is of some
            return cost <= (SURE if best.is_cells and not doubted else NO_DOUBT)
        case Answered(winner):
            same = say_plan(best.reading.plan) == say_plan(winner.plan)
            return not same and cost <= SURE and _knows_better(best, winner)
        case _:
            assert_never(parsed)


def _names_figure(best: Looked) -> bool:
    """Tell whether the whole name of a column stands in a question for its smallest or largest figure."""
    named = best.choice.name is not None and best.choice.name.whole
    return named and _figure_of(best.reading.plan) in (AggregateFunction.MIN, AggregateFunction.MAX)


def _counts_rows_of(plan: Plan, best: Looked) -> bool:
    """Tell whether a plan is the best one, or counts or shows the rows for a number of the same column."""
    column, same = best.choice.column, say_plan(plan) == say_plan(best.reading.plan)
    return same or _is_counted_by(plan, column) or _is_listed_by(plan, column)


def _has_them_in_names(best: Looked, phrases: tuple[str, ...]) -> bool:
    """Tell whether words for what cannot be computed are parts of names: `National share` is no share."""
    name, unused = best.choice.name, {word.casefold() for word in best.unused}
    named = name is None or name.whole or name.strength >= MOSTLY or not best.unused
    return named and not any(word in unused for phrase in phrases for word in phrase.casefold().split())


def _knows_better(best: Looked, winner: Reading) -> bool:
    """Tell whether cells were asked for where the parser lists rows or counts them."""
    steps = winner.plan.steps
    summed = any(isinstance(step, Aggregate) for step in steps)
    cut = any(isinstance(step, Limit) for step in steps)  # "a rank of 8" is not the first 8
    if any(isinstance(step, Aggregate) and step.by.names and {*step.by.names} <= best.ordered for step in steps):
        return True  # "name the most wins" asks for no `Team name`
    if best.is_sure and (summed or cut) and _rows_of(winner.plan) != _rows_of(best.reading.plan):
        return True  # it read some condition as another one
    if _figure_of(best.reading.plan) is not None and best.reading.cost <= NO_DOUBT:
        column = best.choice.column
        return (
            _is_counted_by(winner.plan, column)
            or _is_listed_by(winner.plan, column)
            or _counts_values(winner.plan, column)
            or _groups_one_value(winner.plan)
        )
    if not best.is_cells or (best.choice.name is None and not best.asks_kind):
        return False
    if any(isinstance(step, Aggregate) and {*step.by.names} & best.described for step in steps):
        return True  # "earned by the rider with number 7" is of one rider
    shown = next((step for step in steps if isinstance(step, Select)), None)
    if shown is not None:
        beside = {*shown.columns.names} - {best.choice.column}
        if beside and beside <= best.ordered:
            return True  # "name the height of …" asks for no `Name`
        return best.reading.cost < NO_DOUBT and best.choice.name is not None and best.choice.name.whole
    aggregate = next((step for step in steps if isinstance(step, Aggregate)), None)
    if aggregate is None or not best.is_cued:
        return True
    counted = [measure.column.name for measure in aggregate.measures if measure.column and measure.function in COUNTS]
    if best.asks_amount and best.reading.cost <= NO_DOUBT and counted:
        return True  # "how many points have less than 5 wins" counts no wins
    if best.is_of_one_row and best.reading.cost <= NO_DOUBT:  # the sum of one cell is the cell
        counted += [m.column.name for m in aggregate.measures if m.column and m.function is AggregateFunction.SUM]
    return best.choice.column in (*counted, *aggregate.by.names)


def _rows_of(plan: Plan) -> tuple[Step, ...]:
    """Return the conditions of a plan: readings with the same ones differ only in what is shown of these rows."""
    return tuple(step for step in plan.steps if isinstance(step, Filter))


def _figure_of(plan: Plan) -> AggregateFunction | None:
    """Return the function of a plan that gives one figure of a column."""
    last = plan.steps[-1] if plan.steps else None
    if isinstance(last, Aggregate) and not last.by.names and last.measures[0].column is not None:
        return last.measures[0].function
    return None


def _is_counted_by(plan: Plan, column: str) -> bool:
    """Tell whether a plan counts rows for each number of a column, where a figure of it was asked for."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    return (
        aggregate is not None
        and aggregate.by.names == (column,)
        and all(measure.column is None for measure in aggregate.measures)
    )


def _counts_values(plan: Plan, column: str) -> bool:
    """Tell whether a plan counts the values of a column, or the rows beside its figure, where only that was asked."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    if aggregate is None:
        return False
    counted = any(m.function in COUNTS and m.column and m.column.name == column for m in aggregate.measures)
    return counted or (len(aggregate.measures) > 1 and any(measure.column is None for measure in aggregate.measures))


def _groups_one_value(plan: Plan) -> bool:
    """Tell whether a plan groups by a column that it holds at one value, which nobody asks for."""
    held = _held_at_one_value(plan)
    return any(held & set(step.by.names) for step in plan.steps if isinstance(step, Aggregate))


def _counts_one_value(plan: Plan) -> bool:
    """Tell whether a plan counts the different values of a column that it holds at one value, which nobody asks for."""
    held = _held_at_one_value(plan)
    measures = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    return any(
        one.function is AggregateFunction.COUNT_DISTINCT and one.column is not None and one.column.name in held
        for one in measures
    )


def _held_at_one_value(plan: Plan) -> set[str]:
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    return {
        term.left.name
        for term in terms
        if isinstance(term, Compare) and term.op is CompareOp.EQ and isinstance(term.left, Col)
    }


def _is_listed_by(plan: Plan, column: str) -> bool:
    """Tell whether a plan shows the whole row at one end of a column, where its end itself was asked for."""
    kinds = [type(step) for step in plan.steps if not isinstance(step, Filter)]
    keys = [key.column for step in plan.steps if isinstance(step, Sort) for key in step.keys]
    return kinds == [Sort, Limit] and keys == [column]
