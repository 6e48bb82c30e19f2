"""Purchases by the noun that the table has for them: "orders per customer" and "basket value" where it has invoices."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.identifiers import repeats, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def purchases_called_otherwise(said: Speech, table: Table) -> Speech | None:
    """Say "orders" as "invoices", where several rows share an `InvoiceNo` and nothing is called an order."""
    key = _key_of_purchases(table)
    for found in said.find_each(table.wording("purchases_called_otherwise")) if key is not None else ():
        word = found.folded("noun") or found.folded("counted")
        if key is None or columns.is_of_the_data(word, table) or columns.is_row(word, table):
            continue
        way = next((way for way in ("worth", "counted") if found[way]), "one" if found["lead"] else "several")
        told = " ".join(told_apart(key, table) or ())
        note = f"“{found['noun'] or found['counted']}” are taken to be told apart by `{key}`."
        parts = {"noun": told, "key": key, **{name: found[name] for name in ("lead", "worth", "side", "n")}}
        return said.put(found, found.said(way, **parts), note)
    return None


def _key_of_purchases(table: Table) -> str | None:
    """Return the one identifier of purchases of which each may have several rows."""
    known = {table.context.plain(word) for word in table.words("purchases")}
    keys = [name for name in table.context.column_words if (told_apart(name, table) or ("",))[0] in known]
    keys = [name for name in keys if len(told_apart(name, table) or ()) == 1 and repeats(name, table)]
    return keys[0] if len(keys) == 1 else None
