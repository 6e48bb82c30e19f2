"""Filling gaps: "fill missing ages with the median"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import free_name
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.preparation import SURELY_A_NAME, Preparation, behind
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.tables.numbered_kinds import is_like_a_label
from jupyter_mcpgen.nl.tables.single_rows import has_one_row_each
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Case, Col, Columns, Expression, IsMissing, Lit, When
from jupyter_mcpgen.plan.ops import AggregateFunction, Derive, Step, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

_FIGURES = {AggregateFunction.MEAN: WindowFunction.MEAN, AggregateFunction.MEDIAN: WindowFunction.MEDIAN}


def filled(tokens: tuple[Token, ...], words: Mapping[str, Any], context: Context) -> Preparation | None:
    """Return "fill missing ages with the mean" as a column of figures and a choice between them and the values."""
    rest = behind(tokens, words["verbs"])
    places = [place for place, token in enumerate(rest or ()) if token.lower in words["with"]]
    if rest is None or len(places) != 1:
        return None
    gaps, filler = rest[: places[0]], rest[places[0] + 1 :]
    fills = behind(tokens, words["filling"]) is not None
    column = _column_of_gaps(gaps, words, context, fills=fills)
    value = _filler(filler, column, words, context) if column is not None else None
    if column is None or value is None:
        return None
    return _steps(column, *value, words, context)


def _column_of_gaps(
    tokens: tuple[Token, ...], words: Mapping[str, Any], context: Context, *, fills: bool
) -> str | None:
    """Return the only column that is named, where the words around it, or the verb, speak of gaps and nothing else."""
    named = [i for i in link(tokens, context) if isinstance(i.meaning, m.Column) and i.cost <= SURELY_A_NAME]
    longest = max((item.end - item.start for item in named), default=0)
    named = [item for item in named if item.end - item.start == longest]
    columns = {item.meaning.name for item in named if isinstance(item.meaning, m.Column)}
    if len(columns) != 1:
        return None
    around = [t.lower for place, t in enumerate(tokens) if not named[0].start <= place < named[0].end]
    says_gaps = fills or any(word in words["gaps"] for word in around)
    understood = all(word in words["gaps"] or word in words["around"] for word in around)
    return columns.pop() if says_gaps and understood else None


def _filler(
    tokens: tuple[Token, ...], column: str, words: Mapping[str, Any], context: Context
) -> tuple[WindowFunction | Lit, str | None] | None:
    """Return the figure, or the number, that fills the gaps, with the groups it is one of; None if it is not known."""
    own = [i for i in link(tokens, context) if isinstance(i.meaning, m.Column) and i.meaning.name == column]
    inside = {place for item in own for place in range(item.start, item.end)}
    group, places = _group(tokens, inside, context)
    if group is not None and has_one_row_each(group, context):
        called = " ".join(tokens[place].lower for place in sorted(places))
        if called != context.profile.name.casefold():
            return None  # a figure of one row fills no gap
        group = None
    around = {*words["around"], *(words["of_groups"] if group is not None else ())}
    said = [t for place, t in enumerate(tokens) if place not in inside | places and t.lower not in around]
    if len(said) != 1:
        return None
    type_ = context.type_of(column)
    if type_ is ColumnType.TEXT and group is None and said[0].kind in (TokenKind.WORD, TokenKind.QUOTED):
        names_figure = any(isinstance(meant, m.Function) for meant in context.lexicon.meanings(said[0].lower))
        return None if names_figure else (Lit(value=said[0].text, type=ColumnType.TEXT), None)
    if not type_.is_number:
        return None
    if said[0].kind is TokenKind.NUMBER and group is None:
        number = said[0].number
        return Lit(value=number, type=ColumnType.REAL if isinstance(number, float) else ColumnType.INTEGER), None
    meanings = context.lexicon.meanings(said[0].lower)
    known = [
        _FIGURES[meant.function] for meant in meanings if isinstance(meant, m.Function) and meant.function in _FIGURES
    ]
    return (known[0], group) if known else None


def _group(tokens: tuple[Token, ...], inside: set[int], context: Context) -> tuple[str | None, set[int]]:
    """Return the column of groups that is named beside a figure, and where its words stand."""
    named = [
        (item.start - item.end, item.meaning.name, set(range(item.start, item.end)))
        for item in link(tokens, context)
        if isinstance(item.meaning, m.Column)
        and item.cost <= SURELY_A_NAME
        and not inside & set(range(item.start, item.end))
        and (not context.is_measure(item.meaning.name) or is_like_a_label(item.meaning.name, context))
    ]
    if not named:
        return None, set()
    _, name, places = min(named, key=lambda found: found[0])
    return name, places


def _steps(
    column: str, value: WindowFunction | Lit, group: str | None, words: Mapping[str, Any], context: Context
) -> Preparation:
    missing = IsMissing(operand=Col(name=column))
    steps: tuple[Step, ...] = ()
    filler: Expression
    if isinstance(value, Lit):
        filler, figure = value, f"“{value.value}”" if value.type is ColumnType.TEXT else f"{value.value:,}"
    else:
        name = free_name(f"{value.value}_of_{column}", context.profile)
        by = Columns(names=() if group is None else (group,))
        steps, filler = (Window(name=name, function=value, column=Col(name=column), by=by),), Col(name=name)
        figure = f"its {value.value}"
    figure = figure if group is None else words["within"].format(figure=figure, group=group)
    filled = Case(branches=(When(condition=missing, value=filler),), otherwise=Col(name=column))
    said = words["note"].format(column=column, figure=figure, count=context.column(column).nulls)
    return Preparation((*steps, Derive(name=column, expression=filled)), (said,), column)
