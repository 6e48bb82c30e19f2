"""What a follow-up changes of an answer: its groups, figures, rows, order or chart; the rest stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Answer, Crossed, Grouping, Listing, Moved, OneStep
from jupyter_mcpgen.nl.assembly.choice import Choice
from jupyter_mcpgen.nl.dialogue.change import Change, by_amount, dated_as_before, measured_by, of_whom, over_time
from jupyter_mcpgen.nl.dialogue.groups import changed_groups
from jupyter_mcpgen.nl.dialogue.rows import changed_crossing, changed_rows
from jupyter_mcpgen.nl.dialogue.tests_again import changed_test
from jupyter_mcpgen.nl.grammar.table import Table


def changed(answer: Answer, change: Change, table: Table) -> Iterator[Choice]:
    """Yield what an answer may become by what was said of it."""
    query = measured_by(by_amount(change.query, table), answer, table)
    query = over_time(dated_as_before(query, answer, table), answer, table)
    if change.cue.narrows:
        query = of_whom(query, table)
    if query.span or query.pair is not None:
        return
    change = replace(change, query=query)
    match answer:
        case Grouping():
            yield from changed_groups(answer, change, table)
        case Listing():
            yield from changed_rows(answer, change, table)
        case Crossed():
            yield from changed_crossing(answer, change, table)
        case OneStep():
            found = changed_test(answer, replace(query, tests=change.tests()), table) if not change.edits else None
            if found is not None:
                yield Choice(found)
        case Moved():
            return
