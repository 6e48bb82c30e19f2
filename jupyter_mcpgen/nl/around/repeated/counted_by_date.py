"""Things that have several rows and are told apart by a date: the "matches" of `match_date`, the "hires" of `hired_on`.

A row is none of them where the date tells who played, or where the date is that of a person with several rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.counting_ids import counting, first_count
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import repeats, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import is_told_of_each
from jupyter_mcpgen.nl.text.tokens import tokenize

FEWEST_KINDS = 3
"""A label of fewer values may be the same on each day by chance."""


def counting_what_is_dated(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that counts what a date tells apart once, where it counted the rows for its noun."""
    if not isinstance(meant, Answered) or first_count(meant.winner.plan) is None:
        return meant
    table = Table(context, load_vocabulary(language))
    for noun, date in _dated_nouns(question, table):
        key = _told_by(date, table)
        plan = counting(meant.winner.plan, key) if key is not None else None
        if plan is None:
            continue
        if key == date:
            return _asked(meant, replace(meant.winner, plan=plan, assumptions=()), noun, date)
        note = f"“{noun}” are counted by their `{key}`, which repeats: each counts once, however many rows it has."
        kept = (one for one in meant.winner.assumptions if f"“{noun}”" not in one)
        return Answered(replace(meant.winner, plan=plan, assumptions=(*kept, note)), no_chart=meant.no_chart)
    return meant


def _asked(meant: Answered, own: Reading, noun: str, date: str) -> Asked:
    ways = (own, meant.winner)
    return asking_which(ways, f"“{noun}” may be told apart by `{date}`, which several rows share, or each row is one. ")


def _dated_nouns(question: str, table: Table) -> Iterator[tuple[str, str]]:
    """Yield the counted nouns of a question that nothing but a date is called after, with the date."""
    context = table.context
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    dates = [name for name in context.column_words if columns.holds_dates(name, table)]
    before = table.words("counting_openings") | {part for cue in table.words("counting_cues") for part in cue.split()}
    for word in words:
        if word in before or not word.isalpha():
            continue
        plain = context.plain(word)
        named = [name for name in dates if _is_called(plain, word, name, table)]
        others = [name for name in context.columns_with(plain) if name not in named]
        known = plain in context.row_nouns or plain in context.values or columns.repeated_key(word, table) is not None
        if columns.is_plural(word, table) and len(named) == 1 and not others and not known:
            yield word, named[0]
        return  # what is counted stands first


def _is_called(plain: str, word: str, date: str, table: Table) -> bool:
    first = table.context.column_words[date][:1]
    return bool(first) and (first[0] == plain or table.akin(word, first[0]) or table.akin(plain, first[0]))


def _told_by(date: str, table: Table) -> str | None:
    """Return what tells apart the things that have a date: a person's identifier, or the date where labels go by it."""
    context, own = table.context, table.context.column_words
    keys = [key for key in own if told_apart(key, table) and persons.names_persons(key, table) and repeats(key, table)]
    for key in keys:
        if is_told_of_each(date, key, context):
            return key
    labels = [name for name in own if name != date and columns.label(name, table) == name]
    labels = [name for name in labels if context.column(name).distinct >= FEWEST_KINDS]
    labels = [name for name in labels if not columns.holds_dates(name, table) and not _is_period(name, context)]
    told = any(is_told_of_each(name, date, context) for name in labels)
    return date if told and not context.names_rows(date) else None


def _is_period(name: str, context: Context) -> bool:
    """Tell whether a label is the month, the week or the like of a date."""
    units = (meaning for word in context.column_words[name] for meaning in context.lexicon.meanings(word))
    return context.column(name).kind is Kind.PERIOD or any(isinstance(one, m.Unit) for one in units)
