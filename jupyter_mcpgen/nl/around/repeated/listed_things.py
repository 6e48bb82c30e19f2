"""Lists each thing once where a question opens with things that have several rows: "donors over 60" over gifts."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.around.repeated.repeated_ids import all_counted
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Derive, Distinct, Filter, Sort, SortKey
from jupyter_mcpgen.plan.plan import Plan


def listing_things(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that lists the things of the rows that it lists, where each row is one of something else."""
    if not isinstance(meant, Answered) or not context.named_several_times or not _lists_rows(meant.winner.plan):
        return meant
    said = [context.plain(token.lower) for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    counted = tuple(all_counted(question, Table(context, load_vocabulary(language))))
    keys = {one.key for one in counted if context.plain(one.noun.casefold()) in context.named_several_times}
    if len(keys) != 1 or context.row_nouns.intersection(said):
        return meant
    key = keys.pop()
    once = (Distinct(columns=Columns(names=(key,))), Sort(keys=(SortKey(column=key),)))
    plan = meant.winner.plan.with_steps((*meant.winner.plan.steps, *once))
    note = f"Each `{key}` is listed once, however many rows it has."
    return replace(meant, winner=replace(meant.winner, plan=plan, assumptions=(*meant.winner.assumptions, note)))


def _lists_rows(plan: Plan) -> bool:
    """Tell whether a plan gives some rows of the table as they are."""
    chosen = any(isinstance(step, Filter) for step in plan.steps)
    return chosen and plan.chart is None and all(isinstance(step, Filter | Derive) for step in plan.steps)
