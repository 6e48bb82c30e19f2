"""What a statistic needs and a question does not name, said with the columns that would fit."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.assembling.implied import all_measures
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.statistics.named import Named
from jupyter_mcpgen.plan.schema import ColumnType

MOST_GROUPS = 60
"""A column with more values than this is not offered as groups."""


@dataclass(frozen=True)
class Lacking:
    """What a statistic needs and the question does not name."""

    sentence: str
    missing_capability: str | None = None
    """What no plan can say, where no answer to a question back would help."""


def lacking(what: str, named: Named, *, example: str, numbers: bool = True, groups: bool = True) -> Lacking:
    """Ask for the columns that are missing, with those that fit."""
    fitting = _fitting_numbers(named.context)
    labels = _fitting_groups(named.context)
    wrong = _wrong(named, numbers=numbers, groups=groups)
    parts = [f"{what}: which {_which(numbers, groups)}?", *wrong]
    if numbers:
        parts.append(f"Number columns: {_listed(fitting)}.")
    if groups or not numbers:
        parts.append(f"Columns of groups: {_listed(labels)}.")
    filled = _filled(example, fitting, labels)
    return Lacking(" ".join([*parts, *([f"Ask for example: {filled}."] if filled else [])]))


def two_kinds_of_groups(named: Named) -> Lacking:
    """Ask which groups are meant where two values are set against each other and other groups are named as well."""
    group, first, second = named.sides or ("", None, None)
    others = " and ".join(f"`{name}`" for name in named.labels if name != group)
    values = " and ".join(f"`{value.value}`" for value in (first, second) if value is not None)
    return Lacking(
        f"Two values of `{group}` are set against each other ({values}), and {others} is named as groups: which of "
        "them is to be compared? Ask for one at a time, or name one value of the other as a condition."
    )


def _which(numbers: bool, groups: bool) -> str:
    return " and ".join([*(["number"] if numbers else []), *(["groups"] if groups or not numbers else [])])


def _wrong(named: Named, *, numbers: bool, groups: bool) -> list[str]:
    """Say which of the named columns cannot be used."""
    if not groups:
        return [f"`{name}` is no number to compute with." for name in named.labels]
    return [f"`{name}` is a number, not a category." for name in named.numbers] if not numbers else []


def _fitting_numbers(context: Context) -> tuple[str, ...]:
    return tuple(name for name in all_measures(context) if context.is_measure(name))


def _fitting_groups(context: Context) -> tuple[str, ...]:
    return tuple(
        name
        for name in context.profile.schema_.names
        if not context.is_measure(name)
        and context.type_of(name) is not ColumnType.DATE
        and 2 <= context.column(name).distinct <= MOST_GROUPS
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names[:24]) if names else "none"


def _filled(example: str, numbers: tuple[str, ...], groups: tuple[str, ...]) -> str | None:
    places = {"{0}": numbers[:1], "{3}": numbers[1:2], "{1}": groups[:1], "{2}": groups[1:2]}
    for place, found in places.items():
        if place in example:
            if not found:
                return None
            example = example.replace(place, found[0])
    return example
