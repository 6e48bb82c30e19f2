"""The largest rows by no figure: "largest event for each customer" may be by guests, or by any amount."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.plan.english import say_plan

MOST_FIGURES = 4
"""How many amounts are offered."""


def read_unsaid_extremes(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, or ask by which figure a row is the largest where it names none."""
    meant = read(question, profile, language)
    if not isinstance(meant, Refused):
        return meant
    table, said = table_of(profile, language), Speech(question)
    for found in said.find_all(table.wording("extreme_row")):
        if not columns.is_row(found["noun"], table, table.words("one_row")):
            continue
        ways = tuple(_ways(said, found, table, read))
        if len(ways) > 1:
            lines = "; ".join(f"({place}) {say_plan(way.plan)}" for place, way in enumerate(ways, 1))
            return Asked(
                f"The question does not say which measure decides “{found.text}”. It can be read in {len(ways)} ways: "
                f"{lines}. Which one do you mean? Name its column.",
                ways,
            )
    return meant


def _ways(said: Speech, found: Found, table: Table, read: Read) -> Iterator[Reading]:
    """Yield what is asked for by each amount, the ones that add up first."""
    flags = set(columns.flags(table))
    known = [name for name in table.context.column_words if columns.is_figure(name, table) and name not in flags]
    ordered = sorted(known, key=lambda name: not columns.is_summed(name, table))
    placed = columns.is_place(said.word_before(found), table)
    for column in ordered[:MOST_FIGURES]:
        end = Term(found.meant("end"))
        text = said.put(found, found.said("figure" if placed else "row", column=column, end=end)).text
        meant = read(text, table.context.profile, table.vocabulary.language)
        if not isinstance(meant, Answered):
            return
        yield meant.winner
