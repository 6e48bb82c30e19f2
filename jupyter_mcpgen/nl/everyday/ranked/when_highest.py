"""When one of several was highest, and on which days something held: "when did Acme close highest"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.amounts.counts import has_rows_of_days
from jupyter_mcpgen.nl.everyday.ranked.peaks import period_called
from jupyter_mcpgen.nl.everyday.ranked.rankings import ranked_by_worth
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import tokenize


def highest_of_one(said: Speech, table: Table) -> Speech | None:
    """Say "on which day did Acme have its highest volume" as the day with the highest volume of Acme."""
    for found in said.find_each(table.wording("highest_of_one")):
        column = columns.figure(found["what"], table)
        period = period_called(found["unit"], table)
        if column is None or period is None:
            continue
        whose = found.folded("who")
        everybody = not whose or whose in table.words("we") or columns.is_row(whose, table)
        of = "" if everybody else table.say("for", of=found["who"])
        figure = Term.AVERAGE if table.context.adds_up(column) is False else Term.TOTAL
        end = Term(found.meant("end"))
        note = f"The {end} {figure} `{column}` of one {found['unit'] or 'period'} is looked for."
        parts = {"group": period, "end": end, "figure": figure, "column": column}
        return said.put(found, table.say("which_group", rest=f"{of} {found['rest']}", **parts), note)
    return None


def days_when(said: Speech, table: Table) -> Speech | None:
    """Say "days when close was below open" as the rows where it was, in a table with a row for each day."""
    found = said.find(table.wording("days_when"))
    if found is None or not (table.context.has_a_row_per_day or has_rows_of_days(table)):
        return None
    if not table.context.has_a_row_per_day and _is_of_whole_days(found["condition"], table):
        return None
    way = "counted" if found["how"] else "beside" if found["beside"] else "rows"
    return said.put(found, found.said(way), "Each row is taken to be one day.")


def _is_of_whole_days(condition: str, table: Table) -> bool:
    """Tell whether "sales were below average" or "over 2000" is told by all rows of a day together."""
    tokens = tokenize(condition, decimal_comma=table.context.lexicon.decimal_comma)
    items = link(tokens, table.context)
    columns_named = {item.meaning.name for item in items if isinstance(item.meaning, m.Column)}
    if any(isinstance(item.meaning, m.Value) for item in items):
        return False  # a day at one place is a row
    if any(token.lower in table.words("functions_of_averages") for token in tokens):
        return True
    named = columns_named.pop() if len(columns_named) == 1 else None
    return named is not None and (table.context.adds_up(named) is True or table.context.counts_things(named))


def best_of_no_figure(said: Speech, table: Table) -> Speech | None:
    """Refuse "the worst day for Acme", where nothing says by which figure: never the first or the last of the days."""
    found = said.find(table.wording("best_of_no_figure"))
    own = columns.label(found["unit"], table) if found is not None else None
    if found is None or (own is not None and own not in table.context.years):
        return None
    if found["what"] and columns.last_figure(found["what"], table) is not None:
        return None
    by_worth = ranked_by_worth(said, table)
    if by_worth is not None:
        return by_worth
    taken = columns.money(table.vocabulary.ranked["worth"], table, "worth_not")
    if found.folded("what") in table.words("takings") and taken is not None and table.context.adds_up(taken):
        end = Term(found.meant("end"))
        note = f"“{found['end']}” is taken to mean the {end} total `{taken}`."
        parts = {"group": found["unit"], "end": end, "figure": Term.TOTAL, "column": taken, "rest": ""}
        return said.put(found, table.say("which_group", **parts), note)
    measures = [f"`{name}`" for name in table.context.column_words if _may_rank(name, table)]
    if not measures:
        return None
    return said.refusing(found.said(measures=", ".join(measures)))


def _may_rank(name: str, table: Table) -> bool:
    return table.context.is_measure(name) and name not in set(columns.flags(table))
