"""Who did the most of something, or so much of it: "which driver hauled the most pallets", "how much did Bo press"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.conversions import adds_up_by_unit
from jupyter_mcpgen.nl.everyday.deeds.agents import agent_of
from jupyter_mcpgen.nl.everyday.deeds.deeds import Deed, deed, figure_of_each, group_called, is_amount, splits
from jupyter_mcpgen.nl.everyday.saying import persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import called_by_verb, doer
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def did_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "which driver hauled the most pallets" as the one with the highest total, of the rows that it is so of."""
    for found in said.find_each(table.wording("did_the_most")):
        verb = found.folded("verb")
        group = group_called(found["group"], table) if found["group"] else _doer(verb, table)
        if verb in table.words("auxiliaries"):
            continue
        several = () if group is not None or found["group"] else _told_by_several(table)
        if several:
            return said.refusing(found.said("several", named=" and ".join(f"`{name}`" for name in several)))
        if group is None:
            continue
        for what, rest in (*splits(found["rest"].rstrip("?.! ")), ("", found["rest"].rstrip("?.! "))):
            done = deed(what, verb, table) if what else _called(verb, rest, table)
            if done is not None:
                way, parts = _where(done)
                figure, behind = figure_of_each(rest, table)
                end, said_so = Term(found.meant("end")), f"{found['verb']} the {found['end']}"
                note = f"“{said_so}” is taken to mean the {f'{end} {figure}'.strip()} `{done.column}`."
                parts |= {"group": group, "end": end, "amount": done.column, "rest": behind}
                return said.put(found, found.said(way, figure=figure, **parts), note if way == "all" else done.note)
    return None


def did_so_much(said: Speech, table: Table) -> Speech | None:
    """Say "how much weight did Leeds ship" and "what share of the fuel did reefers burn" by the rows of these."""
    for found in said.find_each(table.wording("did_so_much")):
        agent = agent_of(found["who"], table)
        done = deed(found["what"], found["verb"], table) if agent is not None and not agent.behind else None
        if agent is None or done is None:
            continue
        measured = adds_up_by_unit(done.column, table) or table.context.counts_things(done.column)
        if found["of_money"] and measured and not table.context.is_of_money(done.column):
            return said.refusing(found.said("no_money", column=done.column))
        way, parts = _where(done)
        term = Term(found.meant("share")) if found["share"] else Term.TOTAL
        parts |= {"figure": table.vocabulary.sayings.terms[term], "amount": done.column, "rest": found["rest"]}
        return said.put(found, found.said(way, who=agent.column, name=agent.value, **parts), done.note)
    return None


def _called(verb: str, rest: str, table: Table) -> Deed | None:
    """Return the amount that a verb alone names, where it is that of each of something: "charges the most per hour"."""
    column = called_by_verb(verb, table) if figure_of_each(rest, table)[1] != rest else None
    return Deed(column, None, verb) if column is not None and is_amount(column, table) else None


def _doer(verb: str, table: Table) -> str | None:
    """Return the one column of those who may have done something."""
    return doer(verb, table) or persons.only_person(table)


def _told_by_several(table: Table) -> tuple[str, ...]:
    """Return the columns of persons of which each names most of the same."""
    names = [name for name in table.context.column_words if persons.names_persons(name, table)]
    found = ((name, *persons.also_named_in(name, table)) for name in names if not table.context.is_number(name))
    return next((both for both in found if len(both) > 1), ())


def _where(done: Deed) -> tuple[str, dict[str, str]]:
    """Return how rows are chosen by what was done, and what is filled in."""
    if done.said_by is None:
        return "all", {}
    return "some", {"column": done.said_by[0], "value": done.said_by[1]}
