"""Concentrations, such as `PM2.5`, and units of levels: what they measure is averaged, never added up."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon

_RATIO = "/"


def is_concentration(name: str, lexicon: Lexicon) -> bool:
    """Tell whether a column is called by what pollutes, and not by how much of it came out: `NO2`, no `NO2_kg`."""
    parts = split_name(name)
    called = {*parts, *(" ".join(pair) for pair in pairwise(parts))}
    sent_out = {lexicon.base(part) for part in parts} & (lexicon.additive | lexicon.units_of_masses)
    return bool(called & lexicon.concentrations) and not sent_out


def is_unit_of_levels(unit: str, lexicon: Lexicon) -> bool:
    """Tell whether a unit is one of levels, such as hPa and ppm."""
    return unit.casefold() in lexicon.units_of_levels


def is_ratio(unit: str) -> bool:
    """Tell whether a unit divides one by another, such as µg/m³."""
    return _RATIO in unit.strip(_RATIO)
