"""How large one unit of a column is by its name: `budget_musd` and `GDP ($ bn)` count millions and billions."""

from __future__ import annotations

import re
from itertools import pairwise

from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon

_PIECE = re.compile(r"[^\W_]+|[$€£¥]")


def scale_of_name(name: str, lexicon: Lexicon) -> int:
    """Return how many single units one of a column's is by its name, 1 where nothing tells; a rate tells nothing."""
    words = split_name(name)[1:]
    if "per" in words:
        return 1
    told = [lexicon.scales_in_names[word] for word in words if word in lexicon.scales_in_names]
    pieces = [piece.casefold() for piece in _PIECE.findall(name)]
    pairs = [pair for one, other in pairwise(pieces) for pair in ((one, other), (other, one))]
    beside = [
        lexicon.letters_of_scales[a] for a, b in pairs if a in lexicon.letters_of_scales and b in lexicon.currencies
    ]
    return next(iter((*told, *beside)), 1)
