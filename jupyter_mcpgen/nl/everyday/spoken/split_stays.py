"""Stays whose nights stand in two columns: "average length of stay" beside nights in the week and at weekends."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.everyday.spoken.several import called_alike


def nights_of_stays(said: Speech, table: Table) -> Speech | None:
    """Say "length of stay" as the nights of the week plus those of the weekend, where no column holds both."""
    found = said.find(table.wording("nights_of_stays"))
    names = _nights_of_weeks(table) if found is not None else []
    if found is None or not names or said.word_before(found) in _parts_of_weeks(table):
        return None
    both = " plus ".join(f"`{name}`" for name in names)
    way = "longest" if found["end"] else "so_long" if found["n"] else "nights"
    parts = {"end": Term(found.meant("end"))} if found["end"] else {}
    return said.put(found, found.said(way, nights=both, **parts), f"“{found.text}” is taken to mean {both}.")


def _parts_of_weeks(table: Table) -> frozenset[str]:
    return table.words("weekdays_of_stays") | table.words("weekends_of_stays")


def _nights_of_weeks(table: Table) -> list[str]:
    """Return the two columns of nights that together are a stay; nothing where there is another one of nights."""
    own = table.context.column_words
    night = table.words("night_of_a_stay")
    names = [name for noun in sorted(night) for name in called_alike(noun, table)]
    parts = [
        {kind for kind in ("weekdays_of_stays", "weekends_of_stays") if set(own[n]) & table.words(kind)} for n in names
    ]
    told_once = len(parts) == 2 and all(len(part) == 1 for part in parts) and parts[0] != parts[1]
    return names if told_once and not any(night & set(words[:1]) for words in own.values()) else []
