"""Columns of 0 and 1 that say no and yes: conditions may be said of them as of any yes-or-no column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role, Written
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding
from jupyter_mcpgen.nl.words.forms import base_form, split_name
from jupyter_mcpgen.nl.words.lexicon import load_lexicon
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, Select
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.statistics import Correlations
from jupyter_mcpgen.plan.writings import TruthWriting

FEWEST_ROWS = 5
"""In fewer rows than this a column of 0 and 1 may as well count something."""
HARDLY = 0.1
"""A column of 0 and 1 is shown alone where that is surer by more than this: "returned rows" asks for rows."""


def read_flags(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means; a column of 0 and 1 is a condition where the question uses it as one."""
    plain = read(question, profile, language)
    flags = flags_of(profile, language)
    if not flags or (isinstance(plain, Answered) and _conditions_on(plain.winner.plan, flags)):
        return plain
    meant = read(question, _typed(profile, flags), language)
    if isinstance(plain, Answered) and isinstance(meant, Asked):
        beside = _averages_beside(plain.winner.plan, flags)
        chosen = all(_conditions_on(option.plan, flags) for option in meant.options)
        if beside or (chosen and _shows_alone(plain.winner.plan, flags)):
            return replace(meant, options=tuple(_stored(option, flags, profile) for option in meant.options))
        return plain
    if not isinstance(meant, Answered) or not _conditions_on(meant.winner.plan, flags):
        return plain
    if isinstance(plain, Answered) and flags & _correlated(plain.winner.plan):
        return plain  # what is correlated with survival is not asked of the survivors
    shows = isinstance(plain, Answered) and flags & _shown(plain.winner.plan) and not _computes(meant.winner.plan)
    if isinstance(plain, Answered) and _draws(plain.winner.plan, flags):
        return plain
    if isinstance(plain, Answered) and shows:
        alone = _shows_alone(plain.winner.plan, flags)
        if plain.winner.cost + (HARDLY if alone else 0.0) < meant.winner.cost:
            return plain
    return stored_flags(meant, profile, language)


def as_flags(profile: Profile, language: str) -> Profile | None:
    """Return a profile whose columns of 0 and 1 are of true and false; None where there are none."""
    flags = flags_of(profile, language)
    return _typed(profile, flags) if flags else None


def stored_flags(meant: Answered, profile: Profile, language: str) -> Answered:
    """Return an answer over such a profile as one over the table, which has 0 and 1."""
    flags = flags_of(profile, language)
    others = tuple(_stored(other, flags, profile) for other in meant.alternatives)
    return Answered(_stored(meant.winner, flags, profile), others, meant.no_chart)


def conditions_on_flags(plan: Plan, profile: Profile, language: str) -> bool:
    """Tell whether a plan compares one of the columns of 0 and 1 with a constant."""
    return _conditions_on(plan, flags_of(profile, language))


def over_flags(plan: Plan, flagged: Profile) -> Plan | None:
    """Return a plan over a profile with true and false for 0 and 1; None for one that computes with these."""
    try:
        return Plan(source=plan.source, source_schema=flagged.schema_, steps=plan.steps, chart=plan.chart)
    except PlanError:
        return None


@lru_cache(maxsize=16)
def flags_of(profile: Profile, language: str) -> frozenset[str]:
    """Return the whole-number columns that hold 0 and 1 only and are called like no amount."""
    amounts = load_lexicon(language).additive
    return frozenset(
        name
        for name in ones_and_zeros(profile)
        if not {base_form(word, load_lexicon(language).language) for word in split_name(name)} & amounts
    )


def ones_and_zeros(profile: Profile) -> frozenset[str]:
    """Return the whole-number columns that hold 0 and 1 only, also those of an amount: its total counts rows."""
    return frozenset(
        field.name
        for field, column in zip(profile.schema_.fields, profile.columns, strict=True)
        if field.type.is_number and column.complete and set(column.values) == {0, 1} and profile.rows >= FEWEST_ROWS
    )


@lru_cache(maxsize=16)
def _typed(profile: Profile, flags: frozenset[str]) -> Profile:
    fields = tuple(
        field.model_copy(update={"type": ColumnType.BOOLEAN}) if field.name in flags else field
        for field in profile.schema_.fields
    )
    columns = tuple(_as_truth(column) if column.name in flags else column for column in profile.columns)
    return profile.replace(schema_=Schema(fields=fields), columns=columns)


def _as_truth(column: ColumnProfile) -> ColumnProfile:
    values = tuple(bool(value) for value in column.values)
    return column.replace(role=Role.CATEGORY, values=values, minimum=None, maximum=None)


def _conditions_on(plan: Plan, flags: frozenset[str]) -> bool:
    return bool(_compared(plan.model_dump(mode="json")["steps"]) & flags)


def _computes(plan: Plan) -> bool:
    """Tell whether a plan gives figures rather than cells."""
    return any(isinstance(step, Aggregate) for step in plan.steps)


def _correlated(plan: Plan) -> frozenset[str]:
    """Return the columns that a plan correlates with others."""
    correlations = (step for step in plan.steps if isinstance(step, Correlations))
    return frozenset(name for step in correlations for name in names_in(step))


def _shown(plan: Plan) -> frozenset[str]:
    """Return the columns whose cells a plan shows: nothing is said of them."""
    return frozenset(name for step in plan.steps if isinstance(step, Select) for name in step.columns.names)


def _shows_alone(plan: Plan, flags: frozenset[str]) -> bool:
    """Tell whether a plan shows nothing but the cells of such columns."""
    return bool(_shown(plan)) and _shown(plan) <= flags


def _averages_beside(plan: Plan, flags: frozenset[str]) -> bool:
    """Tell whether a plan has a figure of such a column beside one of another: "heart rate with heart disease"."""
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    named = [measure.column.name for measure in measures if measure.column is not None]
    return len(named) > 1 and not flags.isdisjoint(named)


def _draws(plan: Plan, flags: frozenset[str]) -> bool:
    """Tell whether the cells of such a column stand in a chart: "a bar chart of pier and lit" picks no rows."""
    drawn = () if plan.chart is None else (plan.chart.x, plan.chart.y)
    return not _computes(plan) and bool(flags & {*drawn})


def _compared(tree: Any) -> frozenset[str]:
    """Return the columns that a plan, written as JSON, compares with a constant."""
    match tree:
        case {"kind": "compare", "left": {"kind": "col", "name": str(name)}, "right": {"kind": "lit"}}:
            return frozenset({name})
        case dict():
            return frozenset().union(*map(_compared, tree.values()))
        case list():
            return frozenset().union(*map(_compared, tree))
        case _:
            return frozenset()


def _stored(reading: Reading, flags: frozenset[str], profile: Profile) -> Reading:
    """Return a reading whose plan compares with 1 and 0, as the table has them."""
    tree = reading.plan.model_dump(mode="json")
    used = sorted(_compared(tree["steps"]) & flags)
    schema = profile.schema_.model_dump(mode="json")
    plan = Plan.model_validate({**tree, "steps": _with_numbers(tree["steps"], flags), "source_schema": schema})
    notes = tuple(f"`{name}` is read as true (1) or false (0)." for name in used)
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, *notes))


def _with_numbers(tree: Any, flags: frozenset[str]) -> Any:
    match tree:
        case {"kind": "compare", "left": {"name": str(name)}, "right": {"value": bool(value)}} if name in flags:
            number = {**tree["right"], "value": int(value), "type": ColumnType.INTEGER.value}
            return {**tree, "right": number}
        case dict():
            return {key: _with_numbers(value, flags) for key, value in tree.items()}
        case list():
            return [_with_numbers(value, flags) for value in tree]
        case _:
            return tree


TWO = 2
"""How many spellings yes and no need."""


def groups_of_mixed_truth(plan: Plan, way: Mapping[str, Written], profile: Profile) -> frozenset[str]:
    """Return the columns of yes and no in mixed spellings that a plan groups rows of its source by."""
    first = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    keys = first.by.names if first is not None else ()
    return frozenset(name for name in keys if name in way and _is_mixed(profile.column(name), way[name]))


def _is_mixed(column: ColumnProfile, written: Written) -> bool:
    """Tell whether yes or no stands in the column in more than one spelling, capitals counted."""
    writing = written.writing
    if not isinstance(writing, TruthWriting):
        return False
    spelled = {value for value in column.values if isinstance(value, str)}
    known = {value for value in spelled if value.strip().casefold() in {*writing.true, *writing.false}}
    return len(known) > TWO
