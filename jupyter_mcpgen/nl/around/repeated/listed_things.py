"""Lists each thing once where a question opens with things that have several rows: "donors over 60" over gifts."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.around.repeated.repeated_ids import all_counted
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Derive, Distinct, Filter, Select, Sort, SortKey
from jupyter_mcpgen.plan.plan import Plan


def listing_things(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that lists the things of the rows that it lists, where each row is one of something else."""
    if not isinstance(meant, Answered):
        return meant
    table = Table(context, load_vocabulary(language))
    instead = _of_date_alone(meant.winner.plan, question, table)
    if instead is not None:
        plan = meant.winner.plan
        return _listed(meant, plan.with_steps(plan.steps[:-1]), instead)
    if not context.named_several_times or not _lists_rows(meant.winner.plan):
        return meant
    said = [context.plain(token.lower) for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    counted = tuple(all_counted(question, table))
    keys = {one.key for one in counted if context.plain(one.noun.casefold()) in context.named_several_times}
    if len(keys) != 1 or context.row_nouns.intersection(said):
        return meant
    return _listed(meant, meant.winner.plan, keys.pop())


def _listed(meant: Answered, rows: Plan, key: str) -> Answered:
    """Return a meaning that lists each value of an identifier once, of the rows that a plan chooses."""
    once = (Distinct(columns=Columns(names=(key,))), Sort(keys=(SortKey(column=key),)))
    plan = rows.with_steps((*rows.steps, *once))
    note = f"Each `{key}` is listed once, however many rows it has."
    return replace(meant, winner=replace(meant.winner, plan=plan, assumptions=(*meant.winner.assumptions, note)))


def _lists_rows(plan: Plan) -> bool:
    """Tell whether a plan gives some rows of the table as they are."""
    chosen = any(isinstance(step, Filter) for step in plan.steps)
    return chosen and plan.chart is None and all(isinstance(step, Filter | Derive) for step in plan.steps)


def _of_date_alone(plan: Plan, question: str, table: Table) -> str | None:
    """Return the identifier of what "which orders" asks for, where only a date that is called after it is listed."""
    context, last = table.context, plan.steps[-1] if plan.steps else None
    name = last.columns.names[0] if isinstance(last, Select) and len(last.columns.names) == 1 else ""
    if name not in context.column_words or not columns.holds_dates(name, table) or plan.chart is not None:
        return None
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    asked = len(words) > 1 and words[0] in context.lexicon.choosing_words and columns.is_plural(words[1], table)
    said = {context.plain(word) for word in words} & set(context.column_words[name])
    keys = identifiers_of(words[1], table) if asked and said == {context.plain(words[1])} else []
    return keys[0] if len(keys) == 1 else None
