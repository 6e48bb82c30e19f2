"""Figures of several things told apart by an identifier: "cost of trees in Riverside" is one figure, not one of each.

"By tree", "per tree" and "which trees" ask for one of each; "of trees with fungus" only says whose figure it is.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.groupings import grouped_by_others
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Sort
from jupyter_mcpgen.plan.plan import Plan

MOST_ADJECTIVES = 4
"""How many words may stand between "of" and the noun for what the figure is of."""


def of_all_of_them(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning without the groups of an identifier that is only named as what a figure is of."""
    if isinstance(meant, Refused):
        return meant
    table = Table(context, load_vocabulary(language))
    readings = (meant.winner,) if isinstance(meant, Answered) else meant.options
    said = {note for reading in readings for note in reading.assumptions}
    left_out = [name for name in context.column_words if grouped_by_others(name) in said]
    if any(not _is_named_as_owner(name, question, table) for name in left_out):
        names = " and ".join(f"`{name}`" for name in left_out)
        return Refused(f"The question does not say whether to group by {names}. Ask with “by”, or leave them out.")
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    grouped = [step for step in plan.steps if isinstance(step, Aggregate)]
    if len(grouped) != 1 or not all(isinstance(step, Derive | Filter | Aggregate | Sort) for step in plan.steps):
        return meant
    part = all(measure.where is not None for measure in grouped[0].measures)
    if isinstance(plan.steps[-1], Filter) or not (part or any(isinstance(step, Filter) for step in plan.steps)):
        return meant
    each = [name for name in grouped[0].by.names if _is_named_as_owner(name, question, table)]
    if len(each) != 1:
        return meant
    ungrouped = _without(plan, grouped[0], each[0])
    if ungrouped is None:
        return meant
    note = grouped_by_others(each[0])
    winner = replace(meant.winner, plan=ungrouped, assumptions=(*meant.winner.assumptions, note))
    return replace(meant, winner=winner)


def _is_named_as_owner(name: str, question: str, table: Table) -> bool:
    """Tell whether an identifier of several rows is named once, in the plural, behind "of" or "from"."""
    context = table.context
    if name not in context.column_words or context.column(name).role is not Role.IDENTIFIER or context.is_key(name):
        return False
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    words = [token.lower for token in tokens]
    if any(_asks_for_each(word, context) for word in words):
        return False
    noun = context.column_words[name][0]
    places = [place for place, word in enumerate(words) if context.plain(word) == noun]
    if len(places) != 1 or words[places[0]] == noun:
        return False
    owners = table.words("owners_of_figures")
    before = words[: places[0]]
    adjectives = list(takewhile(lambda word: word not in owners, reversed(before)))
    if len(adjectives) >= len(before) or len(adjectives) > MOST_ADJECTIVES:
        return False
    figure = before[: len(before) - len(adjectives) - 1]
    groups = any(_is_of_groups(word, context) for word in adjectives)
    return not groups and any(word not in context.lexicon.filler for word in figure)


def _asks_for_each(word: str, context: Context) -> bool:
    return any(
        isinstance(one, m.Extreme | m.EachOne) or one == m.GroupWord(each=True)
        for one in context.lexicon.meanings(word)
    )


def _is_of_groups(word: str, context: Context) -> bool:
    return any(isinstance(one, m.GroupWord) for one in context.lexicon.meanings(word))


def _without(plan: Plan, grouped: Aggregate, name: str) -> Plan | None:
    """Return a plan without the groups of a column; None where what is left is none."""
    place = plan.steps.index(grouped)
    kept = tuple(one for one in grouped.by.names if one != name)
    later = plan.steps[place + 1 :] if kept else ()
    steps = (*plan.steps[:place], grouped.model_copy(update={"by": Columns(names=kept)}), *later)
    chart = plan.chart if kept else None
    if chart is not None and chart.color == name:
        chart = chart.model_copy(update={"color": None})
    elif chart is not None and chart.x == name:
        chart = chart.model_copy(update={"x": kept[0], "color": None})
    return plan.tried(steps, chart)
