"""Tables with a row for each figure, such as `Parameter` and `Result`: "average pH" is of the rows of that kind.

The question is read over a table in which each kind of figures is a column. Where the reading uses such columns, its
plan begins with the steps that choose their rows and call the figures so. A figure over the rows of several kinds says
nothing, so which of them is meant is asked about.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.mentions.columns import columns_in
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in, used_columns
from jupyter_mcpgen.plan.expressions import Case, Col, Compare, CompareOp, Expression, IsIn, Lit, Predicate, When
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

MOST_KINDS = 60
"""A table of more kinds of figures than this is not read as if each were a column."""
MOST_NAMED = 4
"""How many kinds are named where it is asked which is meant."""
_COUNTS = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT})


@dataclass(frozen=True)
class LongForm:
    """The column that says what is measured, the one of the figures, and what is measured."""

    kind: str
    figure: str
    kinds: tuple[str, ...]


def read_long_table(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the kinds of figures of a long table as columns where it names them."""
    context = context_of(profile, language)
    form = long_form(context, language)
    if form is None:
        return read(question, profile, language)
    named = {item.meaning for item in columns_in(tokenize(question), context) if isinstance(item.meaning, m.Column)}
    if {m.Column(form.kind), m.Column(form.figure)} & named:
        plain = read(question, profile, language)
        if not isinstance(plain, Refused):
            return _of_one_kind(plain, form)
    meant = read(question, widened(profile, form), language)
    made = _narrowed(meant, form, profile)
    if made is not None:
        return made
    apart = _in_different_rows(meant, form)
    return Refused(apart) if apart else _of_one_kind(read(question, profile, language), form)


def long_form(context: Context, language: str) -> LongForm | None:
    """Return how a table has a row for each figure; None for any other table."""
    vocabulary = load_vocabulary(language)
    kinds, plain = vocabulary.words("kinds_of_figures"), vocabulary.words("names_of_kinds")
    figures = vocabulary.words("figures_of_kinds")
    unit_words = vocabulary.words("columns_of_units")
    units = [name for name, own in context.column_words.items() if unit_words.intersection(own[-1:])]
    labels, measures = [], []
    for name, own in context.column_words.items():
        called = own[-2:-1] if own[-1:] and own[-1] in plain and len(own) > 1 else own[-1:]
        known = context.column(name)
        if known.complete and context.type_of(name) is ColumnType.TEXT and name not in units:
            if set(called) & kinds or any(_tells_the_unit(name, unit, context) for unit in units):
                labels.append(name)
        elif own and own[-1] in figures and context.is_number(name) and known.role is not Role.IDENTIFIER:
            measures.append(name)
    if len(labels) != 1 or len(measures) != 1:
        return None
    said = tuple(value for value in context.column(labels[0]).values if isinstance(value, str))
    taken = {name.casefold() for name in context.profile.schema_.names}
    fitting = 1 < len(said) <= MOST_KINDS and not any(kind.casefold() in taken for kind in said)
    return LongForm(labels[0], measures[0], said) if fitting else None


def _tells_the_unit(name: str, unit: str, context: Context) -> bool:
    """Tell whether each of the things that a column names has its unit, and not all have the same: tests of blood."""
    several = 1 < context.column(unit).distinct <= context.column(name).distinct
    return several and has_one_value(unit, name, context) and not context.names_rows(name)


def widened(profile: Profile, form: LongForm) -> Profile:
    """Return the profile of a table in which each kind of figures is a column of its own."""
    figure = next(column for column in profile.columns if column.name == form.figure)
    type_ = profile.schema_.type_of(form.figure)
    apart = {form.kind, form.figure}
    kept = tuple(field for field in profile.schema_.fields if field.name not in apart)
    made = tuple(ColumnProfile(name=k, role=Role.MEASURE, nulls=0, distinct=figure.distinct) for k in form.kinds)
    columns = (*(column for column in profile.columns if column.name not in apart), *made)
    fields = (*kept, *(Field(name=kind, type=type_) for kind in form.kinds))
    return profile.replace(schema_=Schema(fields=fields), columns=columns)


def _narrowed(meant: Understanding, form: LongForm, profile: Profile) -> Understanding | None:
    """Return a meaning over the columns of kinds as one over the table; None where it uses none, or cannot be one."""
    match meant:
        case Answered(winner, alternatives, no_chart):
            made = _over(winner, form, profile)
            others = [_over(other, form, profile) for other in alternatives]
            return None if made is None else Answered(made, tuple(o for o in others if o is not None), no_chart)
        case Asked(text, options) if options:
            chosen = tuple(one for option in options if (one := _over(option, form, profile)) is not None)
            return Asked(text, chosen) if len(chosen) == len(options) else None
        case _:
            return None


def _in_different_rows(meant: Understanding, form: LongForm) -> str:
    """Say that figures which a meaning takes from one row stand in several; nothing where it does not."""
    readings = (meant.winner,) if isinstance(meant, Answered) else meant.options if isinstance(meant, Asked) else ()
    used = [kind for kind in form.kinds if any(kind in used_columns(one.plan) for one in readings)]
    if len(used) < 2:
        return ""
    text = f"{_listed(used)} are in different rows of the table, so they cannot be combined."
    return f"{text} Ask for a figure of each, such as “average {used[0]} and {used[1]}”."


def _over(reading: Reading, form: LongForm, profile: Profile) -> Reading | None:
    """Return a reading whose plan begins with the rows of the kinds that it uses."""
    old = reading.plan
    used = [kind for kind in form.kinds if kind in used_columns(old)]
    if not used or (len(used) > 1 and not _is_of_figures_alone(old, used)):
        return None
    steps: list[Step] = [Filter(predicate=_is_of(form.kind, used))]
    for kind in used:
        figure = Col(name=form.figure)
        own: Expression = figure
        if len(used) > 1:
            own = Case(branches=(When(condition=_is_of(form.kind, [kind]), value=figure),))
        steps.append(Derive(name=kind, expression=own))
    note = f"{_listed(used)} {'is' if len(used) == 1 else 'are'} the `{form.figure}` of the rows of that `{form.kind}`."
    try:
        plan = Plan(source=old.source, source_schema=profile.schema_, steps=(*steps, *old.steps), chart=old.chart)
    except PlanError:
        return None
    return replace(reading, plan=plan, assumptions=(note, *reading.assumptions))


def _is_of_figures_alone(plan: Plan, used: list[str]) -> bool:
    """Tell whether a plan only makes a figure of each of several kinds: of one row, no two of them are known."""
    first = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    if first is None or set(first.by.names) & set(used):
        return False
    before = plan.steps[: plan.steps.index(first)]
    counts = any(measure.function in _COUNTS or measure.where is not None for measure in first.measures)
    return not counts and not any(set(names_in(step)) & set(used) for step in before)


def _is_of(column: str, kinds: list[str]) -> Predicate:
    values = tuple(Lit(value=kind, type=ColumnType.TEXT) for kind in kinds)
    if len(values) > 1:
        return IsIn(operand=Col(name=column), values=values)
    return Compare(op=CompareOp.EQ, left=Col(name=column), right=values[0])


def _of_one_kind(meant: Understanding, form: LongForm) -> Understanding:
    """Return a meaning; asked back where it makes a figure of the rows of several kinds."""
    if not isinstance(meant, Answered) or not _mixes(meant.winner.plan, form):
        return meant
    named = ", ".join(f"“{kind}”" for kind in form.kinds[:MOST_NAMED])
    more = ", …" if len(form.kinds) > MOST_NAMED else ""
    text = f"`{form.figure}` holds figures of {len(form.kinds)} kinds of `{form.kind}`: {named}{more}."
    return Asked(f"{text} Which of them do you mean? Or ask for it by `{form.kind}`.")


def _mixes(plan: Plan, form: LongForm) -> bool:
    """Tell whether a plan computes with the figures of several kinds, or orders them, as if they were of one."""
    for step in plan.steps:
        match step:
            case Filter() if form.kind in names_in(step):
                return False
            case Aggregate(by=by, measures=measures):
                return form.kind not in by.names and form.figure in _computed(measures)
            case Sort(keys=keys) if form.figure in {key.column for key in keys}:
                return True
            case _:
                continue
    return False


def _computed(measures: tuple[Measure, ...]) -> frozenset[str]:
    """Return the columns that figures other than counts are made of."""
    return frozenset(name for one in measures if one.function not in _COUNTS for name in names_in(one))


def _listed(kinds: list[str]) -> str:
    return ", ".join(f"`{kind}`" for kind in kinds)
