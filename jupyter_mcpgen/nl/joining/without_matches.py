"""Rows of one table that have none of a kind in the other: "hosts with no stay in 2024", also those without any stay.

The question is read over both tables; what has no such row is then looked for among all rows of its own table, because
the rows of the other one know only those that have some.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying.speech import Speech
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary as load_everyday
from jupyter_mcpgen.nl.joining.joined import Tables, are_alike, is_key_of, joined_by_key
from jupyter_mcpgen.nl.joining.keys import found_keys
from jupyter_mcpgen.nl.joining.summary import notes_of
from jupyter_mcpgen.nl.joining.vocabulary import Way, load_vocabulary
from jupyter_mcpgen.nl.joins.profiles import profile_of_both
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, ReadAlone, Reading, Refused
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Select, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, KeyPair, Relation, Summary

LONGEST = 400
"""A longer text is no such question."""


def read_without_matches(
    question: str, tables: tuple[Profile, Profile], language: str, read: ReadAlone
) -> Answered | Refused | None:
    """Return what a question means that asks for rows without some of another table; None for any other.

    A refusal where it cannot be asked of all rows of their table: the other one leaves out those without any.
    """
    worded, vocabulary = load_everyday(language).wordings.get("without_rows"), load_vocabulary(language)
    if worded is None or vocabulary is None or len(question) > LONGEST or Speech(question).find(worded) is None:
        return None
    found = found_keys(*tables, vocabulary)
    if not found.sure or len(found.pairs) != 1 or are_alike(*tables):
        return None
    if is_key_of(found.pairs, tables[0], 0) == is_key_of(found.pairs, tables[1], 1):
        return None
    both = joined_by_key(Way.JOIN, found.pairs, *tables)
    if isinstance(both, Refused) or not isinstance(both.way, Join):
        return None
    meant = read(question, profile_of_both(both.first, both.second, both.way))
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options if isinstance(meant, Asked) else ()
    if not ways or not all(asks_for_none(way.plan) for way in ways):
        return None
    of_rows = [way for way in ways if _is_of_rows(way.plan, both, both.way)]  # a date of the owners is none of theirs
    made = _of_all((of_rows or ways)[0], both, both.way) if len(of_rows) < 2 else None
    return made if made is None or isinstance(made, Refused) else Answered(made)


def _is_of_rows(plan: Plan, both: Tables, way: Join) -> bool:
    """Tell whether nothing but columns of the first table says of which kind a row is."""
    measures = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    asked = {name for measure in measures if measure.where is not None for name in names_in(measure)}
    return asked <= set(both.first.schema_.names) - set(way.taken.values())


def asks_for_none(plan: Plan) -> bool:
    """Tell whether groups are kept that have no row of a kind."""
    grouped = next((place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)), None)
    return grouped is not None and any(_is_none(step) for step in plan.steps[grouped:])


def _is_none(step: Step) -> bool:
    match step:
        case Filter(predicate=Compare(op=CompareOp.EQ, left=Col(), right=Lit(value=0))):
            return True
        case _:
            return False


def _of_all(reading: Reading, both: Tables, way: Join) -> Reading | Refused | None:
    """Return a reading over all rows of the second table; None where groups are none of its rows."""
    own = {new: old for old, new in way.taken.items()}
    keys = {pair.first.name: pair.second.name for pair in way.keys}
    steps = reading.plan.steps
    place = next(at for at, step in enumerate(steps) if isinstance(step, Aggregate))
    grouped = steps[place]
    if not isinstance(grouped, Aggregate) or not set(grouped.by.names) <= {*own, *keys}:
        return None
    counts = [measure for measure in grouped.measures if measure.where is not None]
    kept = steps[:place]
    names = {name for step in kept for name in names_in(step)}
    simple = all(isinstance(step, Filter) for step in kept) and names <= set(own)
    asked = {name for measure in counts for name in names_in(measure)}
    if asked & set(own):
        return None  # "without loans in Lund" may be readers in Lund
    if len(counts) != 1 or not simple or not asked <= set(both.first.schema_.names) - set(own):
        return _refused(both)
    count = counts[0].model_copy(update={"label": None})
    counted = steps[-1] if isinstance(steps[-1], Aggregate) and steps[-1] is not grouped else None
    try:
        summary = _summary(both, way, count)
        figure = summary.figures[0].name
        made: list[Step] = [called_otherwise(step, own) for step in kept]
        zero = Lit(value=0, type=summary.schema_.type_of(figure))
        made.append(Filter(predicate=Compare(op=CompareOp.EQ, left=Col(name=figure), right=zero)))
        shown = both.second.schema_.names
        one = Measure(function=AggregateFunction.COUNT, column=None)
        made.append(
            Aggregate(by=Columns(names=()), measures=(one,)) if counted else Select(columns=Columns(names=shown))
        )
        plan = Plan(source=both.second.name, source_schema=summary.schema_, second=summary, steps=tuple(made))
    except PlanError:
        return _refused(both)
    return replace(reading, plan=plan, assumptions=notes_of(summary, both.second.name))


def _summary(both: Tables, way: Join, count: Measure) -> Summary:
    return Summary(
        other=both.first.name,
        first_schema=both.second.schema_,
        other_schema=both.first.schema_,
        keys=tuple(KeyPair(first=pair.second, second=pair.first) for pair in way.keys),
        measures=(count,),
        relation=Relation.ONE_TO_ONE,
    )


def _refused(both: Tables) -> Refused:
    first, second = both.first.name, both.second.name
    return Refused(
        f"The question asks for rows of `{second}` that have no such row of `{first}`, which I cannot compute. Ask "
        f"for the number of such rows first: “{second} with number of {first}”.",
        (first,),
    )
