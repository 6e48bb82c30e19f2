"""Ratios that have a name of their own: "conversion rate by store" is the conversions divided by the visits."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.plan import Plan

_OF_SUMS = "taken to mean the sum of `{}` divided by the sum of `{}`."
_OF_ROWS = "taken to mean `{}` divided by `{}` in each row."


def known_ratio(said: Speech, table: Table) -> Speech | None:
    """Say "conversion rate" and "ctr" as one total divided by another, where no column holds it."""
    for found in said.find_all(table.wording("known_ratio")):
        name = found.folded("name")
        ratio = table.vocabulary.ratios[name]
        if any(table.is_data(other) or columns.named(other, table, SHORTENED) for other in ratio.names):
            continue  # a column holds it, under one name or another
        if Speech(said.behind(found)).find(table.wording("beside_a_limit")):
            continue  # a ratio of sums is compared with no other figure yet
        part, whole = _called(ratio.part, table, of_all=False), _called(ratio.whole, table, of_all=True)
        if part is not None and whole is not None and part != whole:
            note = f"“{name}” is {_OF_SUMS.format(part, whole)}"
            end = _end(found.meant("end"), part, table) if found["end"] else None
            if end is not None:
                return said.put(found, found.said("ranked", end=end, part=part, whole=whole), note)
            return said.put(found, found.said("plain", part=part, whole=whole), note)
    return None


def as_computed(note: str, plan: Plan) -> str:
    """Return what was assumed of a ratio as the plan has it: of two sums, or of each row, as in "the highest ctr"."""
    for step in plan.steps:
        match step:
            case Derive(expression=Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name=part), right=Col(name=whole))):
                note = note.replace(_OF_SUMS.format(part, whole), _OF_ROWS.format(part, whole))
            case _:
                pass
    return note


def _end(best: str, part: str, table: Table) -> Term:
    """Return the end that is the best, or the worst, one: of a cost, less is better."""
    less = bool(set(table.context.column_words[part]) & table.words("spent"))
    return Term.LOWEST if (best == Term.HIGHEST) == less else Term.HIGHEST


def _called(nouns: Iterable[str], table: Table, *, of_all: bool) -> str | None:
    """Return the one column that is called by the first fitting noun; a part of something is an amount."""
    context = table.context
    for noun in nouns:
        fitting = [
            name
            for name, own in context.column_words.items()
            if own and own[-1] == context.plain(noun) and columns.is_figure(name, table)
        ]
        fitting = [name for name in fitting if not columns.is_planned(name, table)]
        fitting = [name for name in fitting if of_all or context.adds_up(name) is not False]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None
