"""How far two groups lie apart that are the sides of a column: "difference between the bills of members and others"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.parts.shares_beside import group_called
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def sides_apart(said: Speech, table: Table) -> Speech | None:
    """Say "difference in bills between members and non-members" of the two values, or with both side by side."""
    for found in said.find_each(table.wording("sides_apart")):
        what = _average_of(found.folded("verb"), table) if found["verb"] else found["what"]
        first, second = group_called(found["one"], table), group_called(found["other"], table)
        flag = _two_sides(found["one"], found["other"], table)
        if first is None and second is None and flag is not None:
            first, second = _values_of(flag, found["one"], table)
        if not what:
            continue
        if first is not None and second is not None and first[0] == second[0] and first != second:
            return said.put(found, found.said("values", what=what, first=first[1], second=second[1]))
        if flag is not None:
            note = f"The groups of `{flag}` are shown side by side."
            return said.put(found, found.said("beside", what=what, column=flag), note)
    return None


def _average_of(verb: str, table: Table) -> str:
    """Return the average that a verb asks for: what smokers "pay"; nothing where no column tells it."""
    column = columns.ranking(table.vocabulary.verbs[verb], table)
    return table.say("average_of", column=column) if column is not None else ""


def _two_sides(one: str, other: str, table: Table) -> str | None:
    """Return the yes-or-no column of which two words are the two sides."""
    first, second = side_of(one, table), side_of(other, table)
    opposed = first is not None and second is not None and first[0] == second[0] and first[1] != second[1]
    return first[0] if first is not None and opposed else None


def _values_of(flag: str, one: str, table: Table) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """Return the texts that say yes and no, that of `one` first; None where other columns have them, too."""
    texts = [value for value in table.context.column(flag).values if isinstance(value, str)]
    own = [text for text in texts if len(table.context.values.get(text.casefold(), ())) == 1]
    if len(own) != 2:
        return None, None
    no = [text for text in own if text.casefold() in table.context.lexicon.untrue]
    yes = [text for text in own if text not in no]
    side = side_of(one, table)
    if len(no) != 1 or side is None:
        return None, None
    first, second = (flag, f'"{yes[0]}"'), (flag, f'"{no[0]}"')
    return (first, second) if side[1] else (second, first)
