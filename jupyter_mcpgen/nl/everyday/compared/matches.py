"""Matches of one side or of two, where each row has two: "matches between A and B", "attendance of A matches"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.schema import ColumnType

Sides = tuple[str, str]


def between_two(said: Speech, table: Table) -> Speech | None:
    """Say "matches between A and B" as those in which either is at home and the other one is away."""
    found = said.find(table.wording("between_two"))
    sides = _unnamed_sides(said, table) if found else None
    if found is None or sides is None:
        return None
    first, second = (on_both(found[name], sides, table) for name in ("a", "b"))
    if first is None or second is None or not _names_rows(said.before(found), table):
        return None
    note = f"“{found.text}” is taken to be either of both as `{sides[0]}` and the other one as `{sides[1]}`."
    text = found.said("both", home=sides[0], away=sides[1], a=first, b=second, rest=said.behind(found))
    return said.saying(f"{said.before(found)} {text}", note)


def of_one(said: Speech, table: Table) -> Speech | None:
    """Say "attendance of A matches" as those in which A is on either side."""
    sides = _unnamed_sides(said, table)
    if sides is None:
        return None
    named = [
        (found, value)
        for found in said.find_all(table.wording("of_one"))
        if (value := on_both(found["a"], sides, table)) is not None
    ]
    if len({value for _, value in named}) != 1:
        return None
    fitting = [one for one in named if _is_of_rows(said, one[0], table)]
    if not fitting:
        return None
    found, value = fitting[0]
    noun = found["noun"]
    note = f"“{found['a']}” may be the `{sides[0]}` or the `{sides[1]}`."
    text = found.said("either", home=sides[0], away=sides[1], a=value, noun=noun, rest=said.behind(found))
    return said.saying(f"{said.before(found)} {text}", note)


def _is_of_rows(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a side stands before a noun for rows, or somewhere behind one."""
    return columns.is_row(found["noun"], table) if found["noun"] else _names_rows(said.before(found), table)


def sides_of(table: Table) -> Sides | None:
    """Return the columns of the two sides of each row, which are called alike but for their sides."""
    texts = {words: n for n, words in table.context.column_words.items() if table.context.type_of(n) is ColumnType.TEXT}
    found = [
        (name, texts[other])
        for home, away in table.vocabulary.sides
        for words, name in texts.items()
        if home in words and (other := turned(words, home, away)) in texts
    ]
    return found[0] if len(found) == 1 else None


def turned(words: tuple[str, ...], home: str, away: str) -> tuple[str, ...]:
    """Return the words of a name with the one side in the place of the other."""
    return tuple(away if word == home else word for word in words)


def _unnamed_sides(said: Speech, table: Table) -> Sides | None:
    """Return the columns of the two sides of each row, unless the question names one of them."""
    words = set(said.text.casefold().split())
    named = any({home, away} & words for home, away in table.vocabulary.sides)
    return None if named else sides_of(table)


def on_both(text: str, sides: Sides, table: Table) -> str | None:
    """Return the value that words name, where it stands on both sides."""
    values = table.context.values.get(" ".join(value_words(text)), ())
    return values[0].value if {value.column for value in values} >= set(sides) else None


def _names_rows(text: str, table: Table) -> bool:
    return any(columns.is_row(word, table) for word in text.split())
