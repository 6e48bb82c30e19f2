"""Concentrations, such as `PM2.5`: they are averaged, never added up, and more of them is worse."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon


def is_concentration(name: str, lexicon: Lexicon) -> bool:
    """Tell whether a column is called by what pollutes, and not by how much of it came out: `NO2`, no `NO2_kg`."""
    parts = split_name(name)
    called = {*parts, *(" ".join(pair) for pair in pairwise(parts))}
    sent_out = {lexicon.base(part) for part in parts} & (lexicon.additive | lexicon.units_of_masses)
    return bool(called & lexicon.concentrations) and not sent_out
