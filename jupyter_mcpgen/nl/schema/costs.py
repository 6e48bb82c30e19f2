"""How surely words mention a column or a value: 0 certain, 0.5 doubtful, 1 hardly."""

from __future__ import annotations

EXACT = 0.0
INFLECTED = 0.03
SKIPPED = 0.05
"""A function word inside a mention that the header does not have."""
ABBREVIATED = 0.2
CONCEPT = 0.18
DERIVED = 0.3
TYPO = 0.5

LACKS_LIGHT = 0.1
"""The most that words of a header cost which tell little and are not said."""
LACKS_HEAVY = 0.08
"""The least that a word costs which tells much and is not said, where the noun that it describes is."""
LACKS_MANY = 0.4
"""What all such words cost together."""
ONE_SIDE = 0.02
"""What it costs to say one of two names of a column: "stadium" for `site/stadium`."""
LACKS_HEAD = 0.6
"""The least that the noun costs which the other words of a header describe."""
LACKS_ALL = 0.9
MOST = 0.85
"""What costs more is no mention of a column: "number" for `order_id` among others."""

VALUE_INFLECTED = 0.1
VALUE_SHORT = 0.3
"""An abbreviation or the initials of a value, or a part that only it has."""
VALUE_COMMON_PART = 0.5
"""A part of a value that is a word of the language: "park" for the only park."""


def together(one: float, other: float) -> float:
    """Return the cost of two doubts at once, never more than 1."""
    return 1 - (1 - one) * (1 - other)
