"""Says in English which rows a plan over two tables works on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from jupyter_mcpgen.plan.english_measures import say_measure
from jupyter_mcpgen.plan.sources import Join, JoinKind, Relation, Second, Summary, Union

_JOINED = {
    JoinKind.LEFT: "{source} joined with {other} by {keys}, all rows of {source} kept",
    JoinKind.INNER: "{source} joined with {other} by {keys}, only rows with a match",
    JoinKind.OUTER: "{source} joined with {other} by {keys}, all rows of both kept",
    JoinKind.SEMI: "{source} with a match in {other} by {keys}",
    JoinKind.ANTI: "{source} without a match in {other} by {keys}",
}
_GENERALLY = {
    JoinKind.LEFT: "over a table joined with a second one",
    JoinKind.INNER: "over the rows of a table joined with their matches in a second one",
    JoinKind.OUTER: "over the rows of two tables, joined where they match",
    JoinKind.SEMI: "over the rows that have a match in a second table",
    JoinKind.ANTI: "over the rows that have no match in a second table",
}
_DONE = {
    JoinKind.LEFT: "Joins each row with the rows of the second table that have the same key{refused}.",
    JoinKind.INNER: "Keeps the rows that have a match in the second table, joined with it{refused}.",
    JoinKind.OUTER: (
        "Joins each row with the rows of the second table that have the same key, and keeps the rows of either table "
        "that match none{refused}."
    ),
    JoinKind.SEMI: "Keeps the rows whose key is in the second table.",
    JoinKind.ANTI: "Keeps the rows whose key is not in the second table.",
}


def say_second(source: str, second: Second) -> str:
    """Return the table that is made of two, such as `orders joined with customers by customer_id = id`."""
    match second:
        case Join():
            return _JOINED[second.how].format(source=source, other=second.other, keys=say_keys(second))
        case Union():
            return f"{source} and {second.other} below each other"
        case Summary():
            figures = " and ".join(map(say_measure, second.measures))
            return f"{source} with {figures} in {second.other} by {say_keys(second)}"
        case _:
            assert_never(second)


def say_keys(join: Join | Summary) -> str:
    """Return what must be equal: a name that both tables have, or two."""
    pairs = (pair.first.name if pair.is_one_column else f"{pair.first.name} = {pair.second.name}" for pair in join.keys)
    return " and ".join(pairs)


def say_second_generally(second: Second) -> str:
    """Return which rows a family of questions over two tables is about."""
    match second:
        case Join():
            return _GENERALLY[second.how]
        case Union():
            return "over two tables below each other"
        case Summary():
            return "each row with figures of the rows of a second table that have its key"
        case _:
            assert_never(second)


def do_second(second: Second) -> str:
    """Return what a tool does to make one table of two."""
    match second:
        case Join():
            return _DONE[second.how].format(refused=_refused(second))
        case Union():
            return "Puts the rows of the second table below those of the first; columns are matched by name."
        case Summary():
            functions = ", ".join(dict.fromkeys(measure.function.value for measure in second.measures))
            once = "; a key that names several rows of the first table is refused"
            refused = once if second.relation.first_is_unique else ""
            return f"Computes {functions} of the rows of the second table with each key, beside the first's{refused}."
        case _:
            assert_never(second)


def limits_of_second(second: Second) -> Iterator[str]:
    """Yield what a card has to say about the way two tables come together."""
    if isinstance(second, Union):
        if second.only_in_one:
            named = ", ".join(f"`{name}`" for name in second.only_in_one)
            yield f"Only one of the two tables has {named}: the values are missing for the rows of the other."
        return
    yield "A missing key matches nothing, and keys match only when they are written alike, upper and lower case too."
    if isinstance(second, Summary):
        yield "A count or a sum of no rows of the second table is 0, every other figure of none is missing."
        if not second.relation.first_is_unique:
            yield "Rows of the first table that share a key have the same figures: added up, they count several times."
        return
    if second.how.adds_columns and second.relation is Relation.MANY_TO_MANY:
        yield "A key that several rows have repeats the rows of the other table, and their values count several times."


def _refused(join: Join) -> str:
    """Return which tables are refused because their rows would repeat."""
    sides = [
        *(["the first table"] if join.relation.first_is_unique else []),
        *(["the second one"] if join.relation.second_is_unique else []),
    ]
    return f"; a key that names several rows of {' or '.join(sides)} is refused" if sides else ""
