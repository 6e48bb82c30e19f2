"""What stands before a condition without its column: "how many", "percent of staff who", "the most people who"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term


def leading_to(before: str, table: Table) -> Found | None:
    """Return what of a text leads to what is said of rows behind it; None where it asks for something else."""
    lead = Speech(before).find(table.wording("led_to_rows"))
    if lead is None or (lead["too"] and not before[: lead.start].rstrip().endswith('"')):
        return None  # "would leave and would recommend" says both of the rows, "age and would leave" asks for both
    words, lexicon = lead.folded("noun").split(), table.context.lexicon
    rows = words and any(isinstance(meaning, m.RowTail | m.RowNoun) for meaning in lexicon.meanings(words[-1]))
    led = not words or bool(rows) or (words[-1] not in lexicon.words and not table.groups(lead["noun"]))
    return lead if led else None  # "how many by would leave" groups


def led_to(said: Speech, lead: Found, end: int, condition: str, note: str, table: Table) -> Speech:
    """Say what stands up to a place of a question, which begins with such words, as a condition on the rows."""
    way = next((way for way in ("share", "counting", "end", "too") if lead[way]), "chosen")
    share = Term(lead.meant("share")) if way == "share" else ""
    stated = lead.said(way, condition=condition, share=share, noun=_noun(lead, table))
    before = said.text[: lead.start]
    whom = table.say("rows") if way == "chosen" and not before.strip() else ""  # "who agrees that pay is fair"
    return said.saying(f"{before} {whom} {stated} {said.text[end:]}", *([note] if note else []))


def _noun(lead: Found, table: Table) -> str:
    """Return the rows for a noun of people or none, and any other noun as it is."""
    people = table.words("people") | table.words("one_row") | table.words("people_of_rows") | {""}
    first, _, rest = lead["noun"].partition(" ")
    if first.casefold() in people:
        return f"{table.say('rows')} {rest}"
    return f"{table.say('rows')} {lead['noun']}" if first.casefold() in table.words("clauses") else lead["noun"]
