"""What a row has, beside a column that says whether it was settled: the fines of loans, and `fine_paid`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name


def had_not_settled(said: Speech, table: Table) -> Speech | None:
    """Say "loans that were fined" by a fine above 0, never by whether it was paid; refuse where no column has it."""
    for found in said.find_each(table.wording("had_not_settled")):
        verb = found.folded("verb")
        if not verb.endswith(table.context.lexicon.participles) or table.is_data(verb):
            continue
        flag = _settled(verb, table)
        if flag is None or (found["rows"] and not columns.is_row(found["rows"], table)):
            continue
        amount = columns.measured(split_name(flag)[0], table)
        if amount is None or table.context.column(amount).minimum != 0:
            return said.refusing(found.said("unsaid", said=found.text.strip(), column=flag))
        way = "unlike" if found["not"] else "before" if found["rows"] else "behind"
        note = f"“{verb}” is taken to mean `{amount}` above 0, whatever `{flag}` says."
        return said.put(found, found.said(way, column=amount), note)
    return None


def settled_amount(said: Speech, table: Table) -> Speech | None:
    """Say "total fines paid" as the total of the fines that were paid, never as the number of those that were."""
    for found in said.find_each(table.wording("settled_amount")):
        flag = columns.flag_named(f"{found['noun']} {found['verb']}", table)
        amount = columns.measured(found["noun"], table) if flag is not None else None
        if flag is not None and amount is not None and amount != flag:
            return said.put(found, found.said(amount=amount, column=flag), f"What was {found['verb']} is `{amount}`.")
    return None


def _settled(verb: str, table: Table) -> str | None:
    """Return the yes-or-no column that says what became of what a verb makes: `fine_paid` of "fined"."""
    found = []
    for name in columns.flags(table):
        first, *others = split_name(name) or (name,)
        akin = table.akin(verb, first) and not any(table.akin(verb, other) for other in others)
        if akin and set(others[-1:]) & table.words("settling"):
            found.append(name)
    return found[0] if len(found) == 1 else None
