"""Columns of texts that write numbers, dates or truth, used as what they write where a question needs it.

The question is read once more over a table in which these columns have the type of what they write. Where the reading
compares, orders or computes with such a column, its plan begins with a step that reads the texts, and the reading says
so. Everywhere else the texts stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice, product

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile, Written
from jupyter_mcpgen.model.written_notes import say_written
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.flags import groups_of_mixed_truth
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Columns,
    Compare,
    CompareOp,
    IsIn,
    IsMissing,
    Lit,
    Parse,
    Predicate,
)
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    ChartKind,
    Derive,
    Distinct,
    Filter,
    Measure,
    Select,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Node, Schema
from jupyter_mcpgen.plan.writings import TruthWriting

_MOST_WAYS = 4
"""How many ways to read a table are looked at, where dates can be read in two."""
_MOST_OPTIONS = 5
_COUNTS = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT})
_EQUALITIES = frozenset({CompareOp.EQ, CompareOp.NE})
_CHOOSING = frozenset({ColumnType.BOOLEAN, ColumnType.DATE})
"""What a column writes where a question that names it may choose rows by it, and not ask for its cells."""


def read_written(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with columns of texts used as what they write where it needs that."""
    plain = read(question, profile, language)
    known = ways(profile)
    if not known:
        return plain
    if _shows_cells(plain, known[0][0]):
        return _rows_meant(question, plain, profile, language, read) or plain
    found = [(way, read(question, typed, language)) for way, typed in known]
    groups = _groups_of_truth(plain, known[0][0], profile)
    needed = [(way, meant) for way, meant in found if _needs(meant, way, plain) and not _limits_groups(meant, groups)]
    if not needed:
        return with_texts_read(plain, known[0][0], profile) if groups else _refused_as_written(plain, found, profile)
    for way, meant in needed:
        if (column := _part_for_percent(meant, way, question)) is not None:
            doubt = f"`{column}` is written in percent, so a number below 1 may be a part or percent."
            return Refused(f"{doubt} Ask again with a percent sign, such as 10%.", (column,))
    meanings = [with_texts_read(meant, way, profile) for way, meant in needed]
    return _one_of(meanings)


def _rows_meant(
    question: str, plain: Understanding, profile: Profile, language: str, read: Read
) -> Understanding | None:
    """Return a meaning that chooses rows by what cells write, where these cells are a stranger answer.

    "The delivered orders" are some of the orders, not what the column `delivered` says; "orders shipped in May" are
    chosen by the dates that `shipped` writes, and do not show them beside another date.
    """
    shown = {n for s in _steps(plain) if isinstance(s, Select) for n in s.columns.names}
    if any(_compared(reading.plan) & set(ways(profile)[0][0]) for reading in _readings(plain)):
        return None  # a cell is named as it is written
    best, found = min(reading.cost for reading in _readings(plain)), []
    for way, typed in ways(profile):
        said = {name: written.type for name, written in way.items() if written.type in _CHOOSING and name in shown}
        meant = read(question, typed, language) if said else plain
        first = next(iter(_readings(meant)), None)
        chosen = {said[name] for name in _compared(first.plan) & set(said)} if first is not None else set()
        sure = isinstance(meant, Answered) and first is not None and first.cost < best
        if ColumnType.DATE in chosen or (chosen and sure):
            found.append(with_texts_read(meant, way, profile))
    return _one_of(found) if found else None


def _groups_of_truth(plain: Understanding, way: Mapping[str, Written], profile: Profile) -> frozenset[str]:
    """Return the columns of yes and no in mixed spellings by which a meaning groups rows."""
    return frozenset().union(*(groups_of_mixed_truth(one.plan, way, profile) for one in _readings(plain)))


def _limits_groups(meant: Understanding, groups: frozenset[str]) -> bool:
    """Tell whether a meaning keeps one group of a column by which it groups rows, as the question does."""
    return any(_compared(one.plan) & groups & _grouped(one.plan) for one in _readings(meant))


def _grouped(plan: Plan) -> frozenset[str]:
    """Return the columns that rows are grouped by."""
    return frozenset(name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names)


def _steps(meant: Understanding) -> tuple[Step, ...]:
    return meant.winner.plan.steps if isinstance(meant, Answered) else ()


def _part_for_percent(meant: Understanding, way: Mapping[str, Written], question: str) -> str | None:
    """Return a column of percentages that is compared with a number below 1, which may be meant as a part of 1."""
    if not isinstance(meant, Answered) or any(word in question.casefold() for word in ("%", "percent", "prozent")):
        return None
    percents = {
        name
        for name, written in way.items()
        if isinstance(written.writing, NumberWriting)
        and "%" in written.writing.suffixes
        and (written.values.maximum or 0) > 1
    }
    predicates = [step.predicate for step in meant.winner.plan.steps if isinstance(step, Filter)]
    terms = [term for p in predicates for term in (p.terms if isinstance(p, All | AnyOf) else (p,))]
    for term in terms:
        if isinstance(term, Compare) and isinstance(term.left, Col) and isinstance(term.right, Lit):
            below_one = isinstance(term.right.value, float) and term.right.value < 1
            if below_one and term.left.name in percents:
                return term.left.name
    return None


@lru_cache(maxsize=16)
def ways(profile: Profile) -> tuple[tuple[Mapping[str, Written], Profile], ...]:
    """Return the ways to take the texts of a table for what they write, each with the profile of the table then."""
    written = {column.name: column.written for column in profile.columns if column.written}
    if not written:
        return ()
    choices = islice(product(*written.values()), _MOST_WAYS)
    return tuple((way := dict(zip(written, choice, strict=True)), _typed(profile, way)) for choice in choices)


def _refused_as_written(
    plain: Understanding, found: list[tuple[Mapping[str, Written], Understanding]], profile: Profile
) -> Understanding:
    """Return a refusal that knows what the columns write: a mean of dates is refused as one of dates, not of texts."""
    way, meant = found[0]
    if not isinstance(plain, Refused) or not isinstance(meant, Refused):
        return plain
    return with_texts_read(meant, way, profile)


def _typed(profile: Profile, way: Mapping[str, Written]) -> Profile:
    fields = tuple(
        field.model_copy(update={"type": way[field.name].type}) if field.name in way else field
        for field in profile.schema_.fields
    )
    columns = tuple(way[column.name].values if column.name in way else column for column in profile.columns)
    return profile.replace(schema_=Schema(fields=fields), columns=columns)


def _shows_cells(plain: Understanding, way: Mapping[str, Written]) -> bool:
    """Tell whether the texts as they are answer a question: cells of some rows, found by what is written in others."""
    if not isinstance(plain, Answered):
        return False
    plan = plain.winner.plan
    chooses = any(isinstance(step, Select) for step in plan.steps)
    return (
        chooses
        and plan.chart is None
        and all(isinstance(s, Filter | Select | Distinct) for s in plan.steps)
        and not _computed(plan) & set(way)
    )


def _needs(meant: Understanding, way: Mapping[str, Written], plain: Understanding) -> bool:
    """Tell whether a meaning uses a written column as more than a text; what the texts can do alone, they do."""
    readings = _readings(meant)
    if not readings:
        return False
    if any(_computed(reading.plan) & set(way) for reading in readings):
        return True
    if any(_drawn(reading.plan, way) for reading in readings):
        return True
    if any(_asked_for_missing(reading.plan) & _with_gaps(way) for reading in readings):
        return True
    compared = frozenset().union(*(_compared(reading.plan) for reading in readings)) & set(way)
    if not isinstance(plain, Answered):
        return bool(compared)
    fresh = compared - _compared(plain.winner.plan)
    truths = [name for name in compared if way[name].type is ColumnType.BOOLEAN]
    return any(name in fresh or _has_spellings(way[name]) for name in truths)


def _has_spellings(written: Written) -> bool:
    """Tell whether yes or no is written in several ways, so that a comparison with one of them leaves rows out."""
    writing = written.writing
    return isinstance(writing, TruthWriting) and max(len(writing.true), len(writing.false)) > 1


def _drawn(plan: Plan, way: Mapping[str, Written]) -> frozenset[str]:
    """Return the columns that a chart needs as what they write: a line its dates, points and a histogram numbers."""
    match plan.chart:
        case Chart(kind=ChartKind.LINE, x=x):
            return frozenset({x} & {name for name, written in way.items() if written.type is ColumnType.DATE})
        case Chart(kind=ChartKind.HISTOGRAM | ChartKind.SCATTER, x=x, y=y):
            return frozenset({x, y or x} & {name for name, written in way.items() if written.type.is_number})
        case _:
            return frozenset()


def _asked_for_missing(plan: Plan) -> frozenset[str]:
    """Return the columns of which a condition asks whether they are missing."""
    conditions = [step.predicate for step in plan.steps if isinstance(step, Filter)]
    return frozenset(name for condition in conditions for name in _tested_in(condition))


def _tested_in(condition: Predicate) -> Iterator[str]:
    match condition:
        case IsMissing(operand=operand):
            yield operand.name
        case All(terms=terms) | AnyOf(terms=terms):
            for term in terms:
                yield from _tested_in(term)
        case _:
            return


def _with_gaps(way: Mapping[str, Written]) -> frozenset[str]:
    """Return the columns in which some texts spell a missing value or cannot be read."""
    return frozenset(name for name, written in way.items() if written.missing or written.unreadable)


def _readings(meant: Understanding) -> tuple[Reading, ...]:
    match meant:
        case Answered(winner):
            return (winner,)
        case Asked(options=options):
            return options
        case Refused():
            return ()


def _computed(plan: Plan) -> frozenset[str]:
    """Return the columns that are ordered, compared by size or computed with."""
    names: set[str] = set()
    for step in plan.steps:
        names.update(_computed_in(step))
    return frozenset(names)


def _computed_in(node: Node) -> Iterator[str]:
    match node:
        case Select() | Distinct() | IsMissing() | IsIn() | Columns():
            return
        case Compare(op=op, left=Col(), right=Lit()) if op in _EQUALITIES:
            return
        case Measure(function=function) if function in _COUNTS:
            return
        case Filter(predicate=predicate):
            yield from _computed_in(predicate)
        case All(terms=terms) | AnyOf(terms=terms):
            for term in terms:
                yield from _computed_in(term)
        case Aggregate(measures=measures):
            for measure in measures:
                yield from _computed_in(measure)
        case _:
            yield from names_in(node)


def _compared(plan: Plan) -> frozenset[str]:
    """Return the columns that a condition compares with a constant."""
    conditions = [step.predicate for step in plan.steps if isinstance(step, Filter)]
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    conditions += [measure.where for measure in measures if measure.where is not None]
    return frozenset(name for condition in conditions for name in names_in(condition))


def over_texts_read(plan: Plan, way: Mapping[str, Written], typed: Profile) -> Plan | None:
    """Return a plan over a table whose texts were read in a way, without its steps that read them.

    None for a plan that reads them in another way.
    """
    steps = list(plan.steps)
    while steps and isinstance(first := steps[0], Derive) and isinstance(first.expression, Parse):
        written = way.get(first.name)
        if written is None or written.writing != first.expression.writing:
            return None
        steps.pop(0)
    try:
        return Plan(source=plan.source, source_schema=typed.schema_, steps=tuple(steps), chart=plan.chart)
    except PlanError:
        return None  # it uses a column as the text that it is


def with_texts_read(meant: Understanding, way: Mapping[str, Written], profile: Profile) -> Understanding:
    """Return a meaning over a table whose texts were read, as one over the table as it is."""
    match meant:
        case Answered(winner, alternatives, no_chart):
            others = tuple(_reading(other, way, profile) for other in alternatives)
            return Answered(_reading(winner, way, profile), others, no_chart)
        case Asked(question, options):
            return Asked(question, tuple(_reading(option, way, profile) for option in options))
        case Refused():
            return meant.with_readings(partial(_reading, way=way, profile=profile))


def _reading(reading: Reading, way: Mapping[str, Written], profile: Profile) -> Reading:
    """Return a reading whose plan reads the texts that it uses before anything else."""
    used = _computed(reading.plan) | _compared(reading.plan) | _drawn(reading.plan, way)
    used |= groups_of_mixed_truth(reading.plan, way, profile)
    texts = [name for name in profile.schema_.names if name in used and name in way]
    parsed = tuple(Derive(name=n, expression=Parse(operand=Col(name=n), writing=way[n].writing)) for n in texts)
    old = reading.plan
    plan = Plan(source=old.source, source_schema=profile.schema_, steps=(*parsed, *old.steps), chart=old.chart)
    notes = tuple(say_written(name, way[name]) for name in texts)
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, *notes))


def _one_of(meanings: list[Understanding]) -> Understanding:
    """Return the one meaning there is, or ask which way the texts are meant: nobody can know that from the table."""
    said = [tuple(say_plan(reading.plan) for reading in _readings(meant)) for meant in meanings]
    if len(set(said)) == 1:
        return meanings[0]
    options = tuple({say_plan(r.plan): r for meant in meanings for r in _readings(meant)}.values())[:_MOST_OPTIONS]
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    return Asked(f"The {_what(options)} can be read in {len(options)} ways: {lines}. Which one do you mean?", options)


def _what(options: tuple[Reading, ...]) -> str:
    """Say what is written in several ways."""
    kinds = {type(e.writing) for o in options for s in o.plan.steps for e in _parses(s)}
    return "numbers" if kinds == {NumberWriting} else "dates" if kinds == {DateWriting} else "texts"


def _parses(step: Step) -> Iterator[Parse]:
    if isinstance(step, Derive) and isinstance(step.expression, Parse):
        yield step.expression
