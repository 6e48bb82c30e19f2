"""What a next step does with the figures shown before it: "the average of those", "keep those above 1000"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.kept_rows import without_verb
from jupyter_mcpgen.nl.followups.preparation import words_of_steps
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.expressions import Col, Compare
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Limit, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

_OVER = frozenset({AggregateFunction.SUM, AggregateFunction.MEAN, AggregateFunction.MEDIAN, AggregateFunction.STD})
_ENDS = frozenset({AggregateFunction.MIN, AggregateFunction.MAX})


def of_the_figures(before: Plan, tokens: tuple[Token, ...], context: Context, language: str) -> Plan | None:
    """Return a plan with a step over the figures of its groups; None where a text says anything else.

    The text has to point at them, or to limit a figure without naming one.
    """
    figure = _figure(before)
    tree = words_of_steps(language)
    if figure is None or tree is None or "again" not in tree:
        return None
    plain = _plain(tokens)
    step = _over_all(plain, figure, tree["again"], context) or _limited(plain, figure, tree["again"], context)
    if step is None:
        return None
    kept = any(isinstance(one, Limit) for one in before.steps) or isinstance(step, Filter)
    steps: tuple[Step, ...] = tuple(
        one for one in before.steps if not isinstance(one, Select) and (kept or not isinstance(one, Sort))
    )
    made = before.tried((*steps, step))
    if made is None:
        return None  # the figures are no numbers
    return made.model_copy(update={"chart": before.chart}) if isinstance(step, Filter) else made


def _figure(plan: Plan) -> str | None:
    """Return the only figure of the groups of a plan; None for a plan of anything else."""
    places = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    grouped = plan.steps[places[0]] if len(places) == 1 else None
    if not isinstance(grouped, Aggregate) or not grouped.by.names or len(grouped.measures) != 1:
        return None
    behind = plan.steps[places[0] + 1 :]
    return grouped.measures[0].name if all(isinstance(one, Sort | Limit | Select | Filter) for one in behind) else None


def says_of_figures(tokens: tuple[Token, ...], context: Context, language: str) -> bool:
    """Tell whether a step asks for something of the figures that the one before it makes."""
    tree = words_of_steps(language)
    if tree is None or "again" not in tree:
        return False
    plain, figure = _plain(tokens), ""
    return (
        _over_all(plain, figure, tree["again"], context) or _limited(plain, figure, tree["again"], context)
    ) is not None


def _plain(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tuple(token for token in tokens if token.text not in ("?", ".", "!", ","))


def _over_all(tokens: tuple[Token, ...], figure: str, words: Mapping[str, Any], context: Context) -> Aggregate | None:
    said = " ".join(token.lower for token in tokens)
    if said in words["counting"]:
        return Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    items = link(tokens, context)
    functions = {item.meaning.function for item in items if isinstance(item.meaning, m.Function)}
    asked = [item for item in items if isinstance(item.meaning, m.Function)]
    function = functions.pop() if len(functions) == 1 else None
    rest = _around(tokens, asked)
    if (
        function not in _OVER | _ENDS
        or not set(rest) & set(words["pointing"])
        or not _says_no_more(rest, words, context)
    ):
        return None
    return Aggregate(measures=(Measure(function=function, column=Col(name=figure)),))


def _limited(tokens: tuple[Token, ...], figure: str, words: Mapping[str, Any], context: Context) -> Filter | None:
    keeps, rest = without_verb(tokens, context.lexicon)
    items = link(rest, context)
    for compared in items:
        for value in items:
            if not isinstance(compared.meaning, m.Comparison) or not isinstance(value.meaning, m.Number):
                continue
            around = _around(rest, [compared, value])
            if compared.end != value.start or compared.meaning.of is not None or not around:
                continue
            if keeps is False or not set(around) & set(words["pointing"]) or not _says_no_more(around, words, context):
                continue
            right = number(value.meaning.value)
            return Filter(predicate=Compare(op=compared.meaning.op, left=Col(name=figure), right=right))
    return None


def _around(tokens: tuple[Token, ...], items: list[Item]) -> list[str]:
    taken = {place for item in items for place in range(item.start, item.end)}
    return [token.lower for place, token in enumerate(tokens) if place not in taken]


def _says_no_more(rest: list[str], words: Mapping[str, Any], context: Context) -> bool:
    known = {*words["pointing"], *words["around"]}
    return all(word in known or context.lexicon.is_filler(word) for word in rest)
