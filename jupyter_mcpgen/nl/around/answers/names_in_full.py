"""Columns that are named as they are written: "temp_max by month" names `temp_max`, and asks for no largest value."""

from __future__ import annotations

import re
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import TextMatch, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Resample
from jupyter_mcpgen.plan.schema import ColumnType

_ENDS = (AggregateFunction.MIN, AggregateFunction.MAX)


def heeding_whole_names(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, settled where it is asked about only for a word that belongs to a column's name as written."""
    if not isinstance(meant, Asked) or len(meant.options) < len(_ENDS):
        return meant
    others = [option for option in meant.options if not _of_the_name(option, meant, question, context)]
    return Answered(others[0]) if len(others) == 1 else meant


def asking_whose_name(meant: Understanding, question: str, context: Context) -> Understanding:
    """Ask whose name begins with a text where only "name" is said of `song_name`, and "clubs" names a column itself."""
    if not isinstance(meant, Answered):
        return meant
    said = {context.plain(word) for word in split_name(question)}
    texts = {
        name: set(words) for name, words in context.column_words.items() if context.type_of(name) is ColumnType.TEXT
    }
    steps = meant.winner.plan.steps
    for place, step in enumerate(steps):
        for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
            own = texts.get(term.operand.name, set()) if isinstance(term, TextMatch) else set()
            things = [name for name, words in texts.items() if words <= said and words != own]
            if own - said and own & said and own & said <= set(context.lexicon.generic) and len(things) == 1:
                changed = called_otherwise(step, {next(n for n, words in texts.items() if words == own): things[0]})
                other = meant.winner.plan.with_steps((*steps[:place], changed, *steps[place + 1 :]))
                return asking_which((replace(meant.winner, plan=other), meant.winner))
    return meant


def _of_the_name(option: Reading, meant: Asked, question: str, context: Context) -> bool:
    """Tell whether a reading takes the word of a name for a calculation, and is another one but for that."""
    for measure in _measures(option):
        column = measure.column
        if measure.function not in _ENDS or column is None or not _is_written_out(column.name, question, context):
            continue
        own = say_plan(option.plan).replace(_said(measure), "").replace(measure.name, "")
        for other in meant.options:
            same = [one for one in _measures(other) if one.column == column and one.function not in _ENDS]
            if same and say_plan(other.plan).replace(_said(same[0]), "").replace(same[0].name, "") == own:
                return True
    return False


def _measures(option: Reading) -> list[Measure]:
    return [
        measure for step in option.plan.steps if isinstance(step, Aggregate | Resample) for measure in step.measures
    ]


def _said(measure: Measure) -> str:
    """Return how a plan says a measure in English, without its column."""
    words = {AggregateFunction.MIN: "smallest", AggregateFunction.MAX: "largest"}
    return words.get(measure.function, f"{measure.function.value} of") + " "


def _is_written_out(name: str, question: str, context: Context) -> bool:
    """Tell whether a question has a name as only a column is written: in backticks, or with its underscores."""
    if f"`{name}`" in question:
        return True
    words = context.column_words.get(name, ())
    return " " not in name and len(words) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question) is not None
