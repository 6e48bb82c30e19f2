"""Columns that run up what another one says is new in each row: `total_cases` beside `new_cases`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon


def run_up(names: Iterable[str], lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield each running total of some columns with the column of what is new, both without a doubt."""
    words = {name: frozenset(split_name(name)) for name in names}
    told = lexicon.totals_so_far | lexicon.running_totals
    for total, own in words.items():
        of_what = own - told
        if of_what == own or not of_what:
            continue
        new = [
            name
            for name, other in words.items()
            if other & lexicon.increments and other - lexicon.increments == of_what
        ]
        if len(new) == 1:
            yield total, new[0]
