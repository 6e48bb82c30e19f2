"""Which end the worst of a figure is: the highest delay and the lowest score, and of a price either."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.words.concentrations import is_concentration


def worst_figure(said: Speech, table: Table) -> Speech | None:
    """Say "the worst average delay" as the highest one; of a figure that may be good or bad, ask which is meant."""
    for found in said.find_each(table.wording("worst_figure")):
        column = _figure_first(found["what"], table)
        if column is None:
            continue
        end = Term(found.meant("end"))
        other = Term.LOWEST if end is Term.HIGHEST else Term.HIGHEST
        grouped = said.before(found).strip() and not found["f"] and not columns.is_summed(column, table)
        figure = Term.AVERAGE if grouped else found["f"]  # no delays are added up unless that is said
        ways = {term: said.put(found, found.said(end=term, f=figure)).text for term in (other, end)}
        if more_is_worse(column, table):
            note = f"“{found['end']}” is taken to mean the {other} `{column}`, because more of it is worse."
            return said.saying(ways[other], note)
        if found["f"] and set(table.context.column_words[column]) & table.words("less_is_better"):
            about = f"“{found['end']}” of `{column}` may be the highest or the lowest."
            return said.asking_back(about, *ways.values())
    return None


def improving(said: Speech, table: Table) -> Speech | None:
    """Say "improved" as what a figure did: a rating grew, a delay fell. Of a price or a time it is asked about."""
    found = said.find(table.wording("improving"))
    column = columns.last_figure(said.text, table) if found else None
    if found is None or column is None:
        return None
    way = found.meant("way")
    turned = table.meaning("moves_turned", way)
    ways = {move: said.put(found, move).text for move in (way, turned)}
    if more_is_worse(column, table):
        return said.saying(ways[turned], found.said("note", said=found["way"], move=turned, column=column))
    if set(table.context.column_words[column]) & table.words("less_is_better"):
        return said.asking_back(found.said("asked", said=found["way"], column=column), *ways.values())
    return said.saying(ways[way], found.said("note", said=found["way"], move=way, column=column))


def more_is_worse(column: str, table: Table) -> bool:
    """Tell whether more of a column is surely worse: a delay, a cost, a number of complaints."""
    own = set(table.context.column_words[column])
    returned = bool(own & table.words("worse_in_pieces")) and table.context.counts_things(column)
    polluted = is_concentration(column, table.context.lexicon)
    return bool(own & table.words("more_is_worse")) or returned or polluted


def more_is_better(column: str, table: Table) -> bool:
    """Tell whether more of a column is surely better: a rating, or money that is no price."""
    own = set(table.context.column_words[column])
    good = any(table.meaning("scales_by_worth", word) == "good" for word in own) or bool(own & table.words("ratings"))
    return good or (table.context.is_of_money(column) and not own & table.words("less_is_better"))


def _figure_first(text: str, table: Table) -> str | None:
    words = text.split()
    widths = range(len(words), 0, -1)
    return next((c for c in (columns.figure(" ".join(words[:width]), table) for width in widths) if c), None)
