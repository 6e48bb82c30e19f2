"""Lists each thing once where a question asks which things there are: "which countries are in Africa"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.repeated_ids import all_counted
from jupyter_mcpgen.nl.assembling.orders import sorts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Derive, Distinct, Filter, Select, Sort, SortKey
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

LEAST_ROWS_OF_EACH = 2
"""From so many rows of each value on, the rows are not what the values name."""


def listing_once(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning that lists a column of several rows per value once for each, where its plural asks for it."""
    name = _listed_alone(meant.winner.plan) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or name is None:
        return meant
    winner = meant.winner
    if not _repeats(name, winner.plan, context):
        return meant
    several = _asks_for_several(name, question, context)
    if not several and not (_asks_which(name, question, context) and not _is_of_one_row(winner.plan, context)):
        return meant
    order = sorts((name,), context.profile) if name in context.profile.schema_.names else (_by(name),)
    once = (Distinct(columns=Columns(names=(name,))), *order)
    plan = winner.plan.with_steps((*winner.plan.steps[:-1], *once))
    note = f"Each `{name}` is listed once, however many rows it has."
    return replace(meant, winner=replace(winner, plan=plan, assumptions=(*winner.assumptions, note)))


def _listed_alone(plan: Plan) -> str | None:
    """Return the only column that a plan lists of some rows or of all; None for any other plan."""
    *chosen, last = plan.steps or (None,)
    if not isinstance(last, Select) or len(last.columns.names) != 1 or plan.chart is not None:
        return None
    return last.columns.names[0] if all(isinstance(step, Filter | Derive) for step in chosen) else None


def _by(name: str) -> Sort:
    return Sort(keys=(SortKey(column=name),))


def _repeats(name: str, plan: Plan, context: Context) -> bool:
    """Tell whether a column of labels has several rows for most of its values, as intervals of a number have."""
    if name not in context.profile.schema_.names:
        return plan.result_schema.type_of(name) is ColumnType.TEXT
    return not context.is_measure(name) and context.column(name).distinct * LEAST_ROWS_OF_EACH <= context.profile.rows


def _asks_for_several(name: str, question: str, context: Context) -> bool:
    """Tell whether a question has a word of the column in its plural."""
    own, lexicon = _words(name, context), context.lexicon
    header = [word.casefold() for word in split_name(name)]  # one cell of `Sideline reporters` may name several
    several = [word for word in _said(question, context) if lexicon.base(word) != word and word not in header]
    days = name in context.dates and name not in context.clocks
    units = (meaning for word in several if days for meaning in lexicon.meanings(word))
    return any(context.plain(word) in own for word in several) or any(isinstance(unit, m.Unit) for unit in units)


def _asks_which(name: str, question: str, context: Context) -> bool:
    """Tell whether a question opens with "which" before a word of the column."""
    said = _said(question, context)
    choosing = len(said) > 1 and said[0] in context.lexicon.choosing_words
    return choosing and context.plain(said[1]) in _words(name, context)


def _is_of_one_row(plan: Plan, context: Context) -> bool:
    """Tell whether the rows are chosen by what names each of them, or nearly: a bridge crosses one river."""
    chosen = {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step)}
    known = [
        context.column(name) for name in chosen & set(context.profile.schema_.names) if not context.is_measure(name)
    ]
    return any(column.distinct * LEAST_ROWS_OF_EACH > context.profile.rows for column in known)


def _words(name: str, context: Context) -> tuple[str, ...]:
    return context.column_words.get(name) or tuple(context.plain(word) for word in split_name(name))


def _said(question: str, context: Context) -> list[str]:
    return [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]


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
