"""Amounts of what was done, and by whom: "weight shipped from Leeds", "which driver hauled the most pallets"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.deeds.agents import Agent, agent_of
from jupyter_mcpgen.nl.everyday.deeds.deeds import MOST_WORDS, Deed, deed, is_amount, is_past
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term


def amount_done(said: Speech, table: Table) -> Speech | None:
    """Say "weight shipped from Leeds" as its total, and "share of fuel used by the flatbeds" as that of their rows."""
    for found in said.find_all(table.wording("amount_done")):
        words = said.before(found).split() if is_past(found.folded("verb"), table) else []
        for width in range(min(MOST_WORDS, len(words)), 0, -1):
            what, before = " ".join(words[-width:]), words[:-width]
            names_none = _is_a_function(what, table) or (width > 1 and _is_joined(what, table))
            done = None if names_none else deed(what, found["verb"], table)
            if done is not None:
                changed = _said_of(said, found, done, before, table)
                if changed is not None:
                    return changed
                break
    return None


def amount_by_one(said: Speech, table: Table) -> Speech | None:
    """Say "pallets by Sam" as those of the rows with that name: a value groups nothing."""
    for found in said.find_all(table.wording("amount_by_one")):
        agent, words = agent_of(said.behind(found), table), said.before(found).split()
        for width in range(min(MOST_WORDS, len(words)) if agent is not None else 0, 0, -1):
            what, before = " ".join(words[-width:]), words[:-width]
            column = None if _is_a_function(what, table) else columns.figure(what, table)
            if column is not None and columns.is_summed(column, table) and is_amount(column, table):
                return _said_of(said, found, Deed(column, None, ""), before, table)
    return None


def ranked_by_deed(said: Speech, table: Table) -> Speech | None:
    """Say "top 3 drivers by hours worked" by the total of what each did."""
    found = said.find(table.wording("ranked_by_deed"))
    done = deed(found["what"], found["verb"], table) if found and is_past(found.folded("verb"), table) else None
    if found is None or done is None or done.said_by is not None:
        return None
    if columns.figure(f"{found['what']} {found['verb']}", table) is not None:
        return None  # `units_made` is called so
    return said.put(found, found.said(column=done.column), done.added_up)


def _is_a_function(what: str, table: Table) -> bool:
    """Tell whether a word asks for a figure itself: "total raised by each collector"."""
    meanings = table.context.lexicon.meanings(what.casefold())
    return any(isinstance(meaning, m.Function) for meaning in meanings)


def _is_joined(what: str, table: Table) -> bool:
    """Tell whether words hold a joining one, so that they are no one name."""
    return bool(table.words("joining") & set(what.casefold().split()))


def _said_of(said: Speech, found: Found, done: Deed, before: list[str], table: Table) -> Speech | None:
    """Return a question with the amount and the rows that are meant; None where it says so already."""
    behind, agent = said.behind(found), None
    if found["by"]:
        agent = agent_of(behind, table)
        behind = agent.behind if agent is not None else f"{found['by']} {behind}"
    beside = _amount_beside(before, table)
    opens = _asks_for_no_figure(before if beside is None else beside[0], table)
    total = opens and _is_of_groups_or_all(behind, table)
    if agent is None and not total:
        return None
    figure = table.vocabulary.sayings.terms[Term.TOTAL] if total else ""
    opening = " ".join(before)
    if beside is not None and total:
        opening = f"{' '.join(beside[0])} {figure} `{beside[1]}` {before[-1]}"
    text = f"{opening} {figure} {_rows_of(done, agent, found)} {behind}"
    return said.saying(text, done.added_up if total and done.said_by is None else done.note)


def _rows_of(done: Deed, agent: Agent | None, found: Found) -> str:
    """Say a column with the conditions on its rows."""
    conditions = [(agent.column, agent.value)] if agent is not None else []
    conditions += [(done.said_by[0], f'"{done.said_by[1]}"')] if done.said_by is not None else []
    ways = ("alone", "where", "both")
    (column, value), (second, other) = (*conditions, ("", ""), ("", ""))[:2]
    return found.said(ways[len(conditions)], amount=done.column, column=column, value=value, second=second, other=other)


def _asks_for_no_figure(before: list[str], table: Table) -> bool:
    """Tell whether the words before an amount only open a question: no average and no share is asked for."""
    return all(word.casefold() in table.words("opening_a_total") for word in before)


def _amount_beside(before: list[str], table: Table) -> tuple[list[str], str] | None:
    """Return the amount that is joined with one, and the words before it: "pallets and weight hauled by driver"."""
    if not before or before[-1].casefold() not in table.words("joining"):
        return None
    for width in range(min(MOST_WORDS, len(before) - 1), 0, -1):
        column = columns.figure(" ".join(before[-1 - width : -1]), table)
        if column is not None:
            return (before[: -1 - width], column) if is_amount(column, table) else None
    return None


def _is_of_groups_or_all(behind: str, table: Table) -> bool:
    """Tell whether what stands behind an amount chooses rows or groups them: not "per haul" where a row is a haul."""
    words = behind.strip(" ?.!").split()
    if not words:
        return True
    said = {word.casefold() for word in words}
    joined = bool(said & table.words("joining")) and columns.last_figure(behind, table) is not None
    limited = len(words) > 1 and words[1][:1].isdigit() and words[0].casefold() in table.words("over_or_limits")
    if said & table.words("mean") or joined or limited or words[0].casefold() not in table.words("behind_a_deed"):
        return False
    noun = words[-1] if len(words) == 1 else words[1]
    each = m.GroupWord(each=True) in table.context.lexicon.meanings(words[0].casefold())
    return not (each and columns.is_row(noun, table))
