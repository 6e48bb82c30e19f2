"""Rows or pieces: "how many pumps were issued" over rows that are each about several asks which are counted."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.amounts.money import column_of_pieces
from jupyter_mcpgen.nl.everyday.deeds.outcomes import deed_of
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure


def asking_rows_or_pieces(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Ask where the number of a kind of things may be that of the rows, or of the pieces that these are about."""
    grouped = _only_aggregate(meant.winner) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or grouped is None:
        return meant
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    table = Table(context, load_vocabulary(language))
    if not _asks_for_a_number(words, context) or not _says_a_deed(words, table):
        return meant
    measure = grouped.measures[0]
    counted = measure.function is AggregateFunction.COUNT and measure.column is None and measure.where is None
    if not counted and not _adds_up_unnamed_money(measure, words, context):
        return meant
    if counted and not any(_is_of_a_kind(word, context) for word in words):
        return meant
    pieces = column_of_pieces(table)
    rows = meant.winner if counted else _measured(meant.winner, Measure(function=AggregateFunction.COUNT))
    summed = Measure(function=AggregateFunction.SUM, column=Col(name=pieces)) if pieces is not None else None
    of_pieces = _measured(meant.winner, summed) if summed is not None else None
    if rows is not None and of_pieces is not None:
        return asking_which((rows, of_pieces), how=IN_ITS_WORDS)
    return meant if counted else Refused(_NO_NUMBER.format(say_plan(meant.winner.plan)), nearest=meant.winner)


def _only_aggregate(reading: Reading) -> Aggregate | None:
    """Return the one step of a plan that makes a single figure of rows."""
    found = [step for step in reading.plan.steps if isinstance(step, Aggregate)]
    return found[0] if len(found) == 1 and len(found[0].measures) == 1 else None


def _asks_for_a_number(words: list[str], context: Context) -> bool:
    """Tell whether a question begins by asking for a number of things: "how many", and not "how much"."""
    meanings = context.lexicon.meanings(" ".join(words[:2]))
    return any(isinstance(meaning, m.CountWord) for meaning in meanings)


def _says_a_deed(words: list[str], table: Table) -> bool:
    """Tell whether a word says what was done with the things."""
    deeds = table.words("deeds_of_amounts")
    return any(deed_of(word, table) is not None or any(table.akin(word, deed) for deed in deeds) for word in words)


def _adds_up_unnamed_money(measure: Measure, words: list[str], context: Context) -> bool:
    """Tell whether money is added up that no word of a question names: the `sales` of "how many lamps were sold"."""
    if measure.function is not AggregateFunction.SUM or measure.column is None:
        return False
    name = measure.column.name
    named = name in context.column_words and context.is_of_money(name)
    return named and not {context.plain(word) for word in words} & set(context.column_words[name])


def _is_of_a_kind(word: str, context: Context) -> bool:
    """Tell whether a word is the plural of a value: "pumps"."""
    plain = context.lexicon.base(word)
    return plain != word and (plain in context.values or plain in context.values_in_plural)


def _measured(reading: Reading, measure: Measure) -> Reading | None:
    """Return the same with another figure; None where the steps behind it need the one that there is."""
    plan = reading.plan
    place = next(place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate))
    grouped = plan.steps[place]
    if not isinstance(grouped, Aggregate):
        return None
    called = {grouped.measures[0].name: measure.name}
    made = grouped.model_copy(update={"measures": (measure,)})
    behind = tuple(called_otherwise(step, called) for step in plan.steps[place + 1 :])
    steps = (*plan.steps[:place], made, *behind)
    chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
    return reading.with_steps(steps, chart, assumptions=())


_NO_NUMBER = (
    "“How many” asks for a number of things, but I could only add up money ({}). Ask for the number of rows, or for "
    "the total of a column."
)


def noting_pieces(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that says that rows were counted, where a word for pieces stands in the question."""
    if not isinstance(meant, Answered) or len(context.pieces) != 1:
        return meant
    pieces, winner = context.pieces[0], meant.winner
    aggregates = [step for step in winner.plan.steps if isinstance(step, Aggregate)]
    counted = any(
        measure.function is AggregateFunction.COUNT and measure.column is None and measure.where is None
        for step in aggregates[:1]
        for measure in step.measures
    )
    used = any(pieces in names_in(step) for step in winner.plan.steps)
    if not counted or used or not _says_pieces(question, context, load_vocabulary(language).words("quantity")):
        return meant
    note = f"Rows are counted. How many pieces each is about says `{pieces}`: for these ask for the total `{pieces}`."
    return replace(meant, winner=replace(winner, assumptions=(*winner.assumptions, note)))


def _says_pieces(question: str, context: Context, pieces: frozenset[str]) -> bool:
    """Tell whether a question names pieces by a general word, and not by the name of anything in the table."""
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    said = [word for word in words if context.plain(word) in pieces]
    return any(word not in context.values and not context.columns_with(context.plain(word)) for word in said)
