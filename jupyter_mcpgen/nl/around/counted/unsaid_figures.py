"""Two periods that are to be compared by no figure: "compare Q1 and Q2" may be of rows, or of any amount."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction
from jupyter_mcpgen.plan.plan import Plan

MOST_FIGURES = 3
"""How many amounts are offered beside the number of rows."""


def read_unsaid_figures(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, or ask what is compared where it names no figure and rows would be counted."""
    meant = read(question, profile, language)
    if not isinstance(meant, Answered) or not counts_rows_of_groups(meant.winner.plan):
        return meant
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("compared_by_no_figure"))
    words = [word.strip("?.,!") for word in question.split()]
    if found is None or any(columns.is_row(word, table, table.words("one_row")) for word in words):
        return meant
    said = Speech(question)
    if said.find(table.wording("says_a_number")) is not None:
        return meant
    if not found["compared"] and (meant.winner.assumptions or said.find(table.wording("two_periods")) is not None):
        return meant  # something was taken to be what is counted
    if said.find(table.wording("two_periods")) is None:
        notes = (*meant.winner.assumptions, found.said("note"))
        return replace(meant, winner=replace(meant.winner, assumptions=notes))
    ways = [found.said("by", figure=figure) for figure in _figures(table)]
    others = [other.winner for other in (read(way, profile, language) for way in ways) if isinstance(other, Answered)]
    return _asked((meant.winner, *others)) if others else meant


def compares_by_no_figure(question: str, profile: Profile, language: str) -> bool:
    """Tell whether a question sets groups against each other and names no figure by which they are compared."""
    table = table_of(profile, language)
    said = Speech(question)
    words = [word.strip("?.,!") for word in question.split()]
    if any(columns.is_row(word, table, table.words("one_row")) for word in words):
        return False
    if said.find(table.wording("says_a_number")) is not None:
        return False
    return said.find(table.wording("compared_by_no_figure")) is not None


def counts_rows_of_groups(plan: Plan) -> bool:
    """Tell whether a plan counts the rows of groups, and computes nothing else."""
    grouped = [step for step in plan.steps if isinstance(step, Aggregate)]
    measures = grouped[0].measures if len(grouped) == 1 and grouped[0].by.names else ()
    return len(measures) == 1 and measures[0].function is AggregateFunction.COUNT and measures[0].column is None


def _figures(table: Table) -> list[str]:
    """Return the amounts of the table as they are asked for: totals of what adds up, else averages."""
    flags = set(columns.flags(table))
    known = [name for name in table.context.column_words if columns.is_figure(name, table) and name not in flags]
    summed = [name for name in known if columns.is_summed(name, table)]
    figure = Term.TOTAL if summed else Term.AVERAGE
    said = table.vocabulary.sayings.terms[figure]
    return [f"{said} {name}" for name in (summed or known)[:MOST_FIGURES]]


def _asked(ways: tuple[Reading, ...]) -> Asked:
    lines = "; ".join(f"({place}) {say_plan(way.plan)}" for place, way in enumerate(ways, 1))
    return Asked(
        f"The question does not say which measure to compare. It can be read in {len(ways)} ways: {lines}. Which one "
        "do you mean? Name its column.",
        ways,
    )
