"""Rows that are marked by a condition before something is asked: "mark tickets over 48 hours as late and count them".

The mark becomes a column of two labels, and the rest is read as if the table had it.
"""

from __future__ import annotations

import datetime as dt
import re
from math import prod

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name
from jupyter_mcpgen.nl.computed.reader import over_computed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.meanings import Unit
from jupyter_mcpgen.nl.predicates import opposite
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.plan.expressions import Case, DateUnit, Lit, Predicate, When
from jupyter_mcpgen.plan.ops import Derive, Filter, Select, Step, Window
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MOST_COLUMNS = 1
_NO_NAME = re.compile(r"\W+")


def read_flagged(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means that marks rows first, with the mark as a column that the table had."""
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("marked_rows"))
    if found is None or (found["label"] and _is_taken(found["label"], table)):
        return read(question, profile, language)
    meant = _read_rows(found, table, read)
    match meant:
        case Asked():
            return meant
        case None:
            noun = (found["what"] or found["noun"]).split(" ")[0]
            return Refused(found.said("several_rows", noun=noun))
        case Answered(winner) if (parts := _condition(winner.plan)) is not None:
            computed = _marked(found, *parts, winner, profile, table)
        case _:
            return read(question, profile, language)
    made = over_computed(computed, profile, language, read, MOST_COLUMNS) if computed.question else None
    if made is None and not computed.question:
        made = _listed(computed, profile)
    return made if isinstance(made, Answered | Asked) else read(question, profile, language)


def _read_rows(found: Found, table: Table, read: Read) -> Understanding | None:
    """Return what the rows that are marked mean; None for "months where …" where a month has several of them."""
    profile, language = table.context.profile, table.vocabulary.language
    what = found["what"] or found.said("condition")
    meant = read(what, profile, language)
    noun, _, condition = what.partition(" ")
    told = isinstance(meant, Answered) and _condition(meant.winner.plan) is not None
    period = table.context.plain(noun)
    if not condition or not columns.is_period(period, table) or (told and not table.context.dates):
        return meant
    rows = meant if told else read(f"{table.say('rows')} {condition}", profile, language)
    return rows if not isinstance(rows, Answered) or _is_one_of(period, found["asked"], table.context) else None


def _is_one_of(unit: str, asked: str, context: Context) -> bool:
    """Tell whether each row is one of a period, or of a period and the groups that a question asks about."""
    date = context.dates[0] if len(context.dates) == 1 else own_date(context)
    starts = [m.unit for m in context.lexicon.meanings(unit) if isinstance(m, Unit)]
    known = context.column(date) if date is not None else None
    if known is None or known.nulls or known.minimum is None or not starts:
        return False
    groups = [named for word in asked.split() for named in context.columns_with(context.plain(word))]
    each = prod(context.column(name).distinct for name in groups if not context.is_measure(name))
    first, last = (dt.date.fromisoformat(str(day)[:10]) for day in (known.minimum, known.maximum))
    return known.distinct <= _periods(first, last, starts[0]) and context.profile.rows <= known.distinct * each


def _periods(first: dt.date, last: dt.date, unit: DateUnit) -> int:
    """Return how many periods there are from one day to another, both included."""
    match unit:
        case DateUnit.START_OF_YEAR:
            return last.year - first.year + 1
        case DateUnit.START_OF_QUARTER:
            return (last.year - first.year) * 4 + (last.month - 1) // 3 - (first.month - 1) // 3 + 1
        case DateUnit.START_OF_MONTH:
            return (last.year - first.year) * 12 + last.month - first.month + 1
        case DateUnit.START_OF_WEEK:
            return (last - first).days // 7 + 1
        case DateUnit.START_OF_DAY:
            return (last - first).days + 1
        case _:
            return 0  # rows of an hour of any day are no period


def _is_taken(label: str, table: Table) -> bool:
    """Tell whether a label is a value or a column already, which the question then means."""
    return table.is_data(label.strip("\"'“”"))


def _condition(plan: Plan) -> tuple[tuple[Step, ...], Predicate] | None:
    """Return the condition of the rows that a plan lists, with the steps that it needs; None for any other plan."""
    steps = [step for step in plan.steps if not isinstance(step, Select)]
    if not steps or not isinstance(steps[-1], Filter):
        return None
    before = tuple(steps[:-1])
    return (before, steps[-1].predicate) if all(isinstance(step, Derive | Window) for step in before) else None


def _marked(
    found: Found, before: tuple[Step, ...], condition: Predicate, reading: Reading, profile: Profile, table: Table
) -> Computed:
    """Return the column of a mark; a row that cannot be decided has none."""
    label = found["label"].strip("\"'“”") or found.said("name")
    other = found.said("other", label=label)
    name = free_name(_NO_NAME.sub("_", label.casefold()).strip("_") or found.said("name"), profile)
    both = ((condition, label), (opposite(condition), other))
    branches = tuple(When(condition=met, value=Lit(value=said, type=ColumnType.TEXT)) for met, said in both)
    asked = Speech(found["asked"])
    for rule in ("both_marks", "share_of_mark", "the_marked_rows", "each_mark", "by_mark"):
        word = asked.find(table.wording(rule))
        if word is not None and word.folded("label") in ("", label.casefold()):
            asked = asked.put(word, word.said(column=name, label=label))
            break
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=branches)),
        question=asked.text,
        notes=reading.assumptions,
        labels=len(both),
        values=(label, other),
        before=before,
        is_new=True,
        required=True,
    )


def _listed(computed: Computed, profile: Profile) -> Answered | None:
    """Return all rows with their mark, where nothing is asked of them."""
    try:
        plan = Plan(source=profile.name, source_schema=profile.schema_, steps=(*computed.before, computed.step))
    except PlanError:
        return None  # the helping columns have names of the table's own
    return Answered(Reading(plan=plan, label="", cost=0.0, assumptions=computed.notes))
