"""The tree of exceptions is the one that is drawn where they are imported from."""

from __future__ import annotations

import re

import pytest

from jupyter_mcpgen import errors

BRANCH = re.compile(r"^(?P<lead>[│├└─ ]*)(?P<name>[A-Z]\w+)(?:\s|$)")
STEP = 4


def drawn() -> dict[str, str]:
    """Return each exception of the drawing with the one that it hangs from."""
    parents: dict[str, str] = {}
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = BRANCH.match(line)
        if found is None or (found["name"] != "McpgenError" and not found["lead"]):
            continue
        depth = len(found["lead"]) // STEP
        above[depth] = found["name"]
        if depth:
            parents[found["name"]] = above[depth - 1]
    return parents


def test_the_drawing_shows_every_exception_below_the_one_it_derives_from() -> None:
    classes = [getattr(errors, name) for name in errors.__all__ if name != "did_you_mean"]

    derived = {one.__name__: one.__base__.__name__ for one in classes if one is not errors.McpgenError}

    assert drawn() == derived


@pytest.mark.parametrize(
    ("typed", "known", "near"),
    [
        ("a.csv", ["b.csv", "notes.csv"], ""),  # only the ending is the same
        ("slaes.csv", ["b.csv", "sales.csv"], " Did you mean `sales.csv`?"),
        ("sales.csv", ["Sales.CSV"], " Did you mean `Sales.CSV`?"),
        ("sales.csv", ["sales.tsv", "c.csv"], " Did you mean `sales.tsv`?"),
        ("nett.sale", ["net.sales", "cost"], " Did you mean `net.sales`?"),
        ("b", ["a", "abc"], ""),
    ],
)
def test_the_nearest_name_is_offered_where_more_than_the_ending_is_alike(
    typed: str, known: list[str], near: str
) -> None:
    assert errors.did_you_mean(typed, known) == near
