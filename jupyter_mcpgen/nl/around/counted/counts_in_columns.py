"""Rows that tell how many there were: "which hour has the most calls" over rows with a number of `Calls` each."""

from __future__ import annotations

from collections import Counter

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.counting_ids import first_count
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.levels_at_times import is_level
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure

_SUM = AggregateFunction.SUM
_FEWEST_PARTS = 2


def asking_rows_or_counts(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask where rows are counted for a noun of which a column says how many there were.

    How busy a time was is told by all such columns, where no key says that each row happened once.
    """
    step = first_count(meant.winner.plan) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or not isinstance(step, Aggregate):
        return meant
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    used = {name for one in meant.winner.plan.steps for name in names_in(one)}
    said = Counter(context.plain(word) for word in words if context.lexicon.base(word) != word)
    said -= Counter(noun for name in used for noun in {*context.column_words.get(name, ())})  # "with 9 missed calls"
    nouns = {*said}
    named = [name for name in context.column_words if _says_how_many(name, context) and _of(name, context) in nouns]
    of_table = {context.plain(word) for word in split_name(context.profile.name)}
    named += [name for name in context.column_words if nouns & of_table and _is_a_total(name, context)]
    if any(word in load_vocabulary(language).words("busy_words") for word in words) and not _has_identifiers(context):
        named = [name for name in context.column_words if _says_how_many(name, context)]
    left = [name for name in named if name not in used]
    if not left or len(left) < len(named) or _tell_the_rows(nouns, context):
        return meant
    ways = [way for name in left if (way := added_up(meant.winner, step, name)) is not None]
    return asking_which((*ways, meant.winner), how=IN_ITS_WORDS) if ways else meant


def _says_how_many(name: str, context: Context) -> bool:
    return context.is_measure(name) and (context.counts_things(name) or is_level(name, context))


def _is_a_total(name: str, context: Context) -> bool:
    """Tell whether a column is called nothing but a total, beside numbers of its parts: `Gold`, `Silver`, `Total`."""
    word, *more = context.column_words[name]
    total = any(isinstance(one, m.Function) and one.function is _SUM for one in context.lexicon.meanings(word))
    others = [one for one in context.column_words if one != name]
    paid = any(map(context.is_of_money, others)) or _keys(context)
    if not total or more or paid or not context.is_whole(name):
        return False  # the total of an order is what was paid for it
    return sum(context.is_measure(one) and context.is_whole(one) for one in others) >= _FEWEST_PARTS


def _of(name: str, context: Context) -> str:
    """Return the noun that the name of a column ends in."""
    return context.plain(split_name(name)[-1])


def _tell_the_rows(nouns: set[str], context: Context) -> bool:
    """Tell whether an identifier without repeats tells one of the nouns apart, so that each row is one of these."""
    return any(nouns & set(context.column_words[key][:-1]) for key in _keys(context))


def _has_identifiers(context: Context) -> bool:
    """Tell whether each row is one of something, or a line of it, and no number of what happened."""
    return any(one.role is Role.IDENTIFIER for one in context.profile.columns)


def _keys(context: Context) -> list[str]:
    return [one.name for one in context.profile.columns if one.role is Role.IDENTIFIER and context.is_key(one.name)]


def added_up(reading: Reading, step: Aggregate, name: str) -> Reading | None:
    """Return the same with a column added up in the place of the number of rows; None where that is no plan."""
    plan = reading.plan
    counted = [one for one in step.measures if one.column is None]
    if len(counted) != 1 or counted[0].function is not AggregateFunction.COUNT:
        return None
    summed = Measure(function=AggregateFunction.SUM, column=Col(name=name), where=counted[0].where)
    called = {counted[0].name: summed.name}
    place = plan.steps.index(step)
    made = step.model_copy(update={"measures": tuple(summed if one == counted[0] else one for one in step.measures)})
    behind = tuple(called_otherwise(one, called) for one in plan.steps[place + 1 :])
    chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
    steps = (*plan.steps[:place], made, *behind)
    return reading.with_steps(steps, chart, assumptions=())
