"""Ratios that have a name and are told of so many at a time: "cpm" is the cost of 1000 impressions."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.parts.ratios import divided, is_held
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.reading import Answered, Read, Understanding


def read_ratios_of_many(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the name of a ratio of so many as the two columns that it divides."""
    said = _said(Speech(question), table_of(profile, language))
    if said is None:
        return read(question, profile, language)
    meant = read(said.text, profile, language)
    if isinstance(meant, Answered):
        noted = replace(meant.winner, assumptions=(*said.notes, *meant.winner.assumptions))
        return replace(meant, winner=noted)
    return meant


def _said(said: Speech, table: Table) -> Speech | None:
    for found in said.find_all(table.wording("known_ratio")):
        ratio = table.vocabulary.ratios[found.folded("name")]
        part, whole = divided(ratio, table)
        if ratio.times == 1 or part is None or whole is None or is_held(ratio, table):
            continue
        end = found.meant("end") if found["end"] else ""
        text = found.said("of_many", end=end, part=part, whole=whole, times=str(ratio.times))
        note = f"“{found['name']}” is taken to mean the sum of `{part}` for each {ratio.times} of `{whole}`."
        return said.put(found, text, note)
    return None
