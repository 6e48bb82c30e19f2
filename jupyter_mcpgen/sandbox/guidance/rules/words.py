"""Did-you-mean from what is known: names, or what stands in the code; no parsing, so broken code is no trouble."""

from __future__ import annotations

import re

from jupyter_mcpgen.errors import did_you_mean

_READ = 4 * 1024
_LONGEST_NAME = 80
_MOST_NAMES = 200  # comparing is slow: more would take longer than the analysis of the failure may
_WORD = re.compile(r"[A-Za-z_$][\w$]{1,60}")
_TEXT = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"")


def nearest(name: str, known: tuple[str, ...]) -> str:
    """Return `" Did you mean `x`?"` for the nearest of the first 200 known names, or an empty string."""
    return did_you_mean(name, known[:_MOST_NAMES]) if len(name) <= _LONGEST_NAME else ""


def words_of(code: str, without: str) -> tuple[str, ...]:
    """Return the names that the beginning of a program uses, each once, but for the one that is looked for."""
    return _each_once(_WORD.findall(code[:_READ]), without)


def texts_of(code: str, without: str) -> tuple[str, ...]:
    """Return the quoted texts of the beginning of a program, each once, but for the one that is looked for."""
    return _each_once([single or double for single, double in _TEXT.findall(code[:_READ])], without)


def _each_once(found: list[str], without: str) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(found) if name != without)
