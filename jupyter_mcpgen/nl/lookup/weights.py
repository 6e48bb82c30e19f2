"""What each sign in a question is worth when it is decided what is asked; set by hand, larger is surer."""

from __future__ import annotations

from typing import Final

# ── which column answers ─────────────────────────────────────────────────────

NAMED: Final = 4.0
"""The whole name of the column stands in the question; a part of it is worth its share."""
PER_NAME_WORD: Final = 0.35
"""Each further word of the name that stands in the question."""
LEFT_OVER: Final = -0.9
"""A word that a reading leaves unexplained."""
LEFT_OVER_NAME: Final = -1.2
"""A word of some column's name that a reading leaves unexplained."""
LEFT_OVER_FIGURE: Final = -2.0
LEFT_OVER_MEASURE: Final = -2.0
"""What follows "how", as in "how tall", and nothing in a reading stands for."""
ROW_NOUN: Final = -0.5
"""A column's name that only says what the rows are: "the score of the player from …"."""
AT_FOCUS: Final = (3.0, 1.8, 1.2, 0.8)
"""The name stands where an answer's name is expected, or so many words later."""
AWAY: Final = 0.4
BEFORE_FOCUS: Final = 0.2
ASKED_NOUN: Final = 0.8
"""The name stands right after "which" or "what", with nothing between."""
IN_CONDITION: Final = -1.5
"""The name follows "with", "when", "where": it belongs to a condition."""
KIND: Final = 2.5
"""The column holds what "who", "when" or "where" asks for."""
HOUR: Final = -1.0
"""The column holds hours, and "when" asks sooner for the day that another column tells."""
KIND_OF_MANY: Final = 1.5
"""Where "who" asks, and the column holds teams or parties."""
OTHER_TIME_OR_PLACE: Final = -3.5
"""The column holds something else than the time or place that "when" or "where" asks for."""
OTHER_AGENT: Final = -1.5
"""Where "who" asks: teams and parties act, too."""
NO_AGENT: Final = -4.5
"""What something was done to where "who" asks for whoever did it, and another column holds persons."""
NUMBER_FOR_KIND: Final = -4.0
"""The column holds numbers where a person or a place is asked for."""
NUMBER_FOR_TIME_OR_PLACE: Final = -5.0
"""The column holds numbers, such as those of games, where "when" or "where" asks."""
NAME_OF_ROW: Final = 3.0
"""The column holds the rows' names, and "which" asks for one with a noun that names no column."""
OF_ITS_SIDE: Final = 1.5
"""A condition is on a column whose name the answer's goes on, or on one that goes on the answer's."""
SUBJECT: Final = 0.8
"""The column says what a row is about."""
ALSO_CONDITION: Final = -6.0
"""The column is already bound to one value."""
UNNAMED: Final = -1.0

# ── which column a value belongs to ──────────────────────────────────────────

NAME_BEFORE: Final = 3.0
"""The column's name stands right before the value, with "of", "is" or nothing between."""
NAME_BEFORE_LOOSELY: Final = 1.6
"""The same with "in", "for", "with" between."""
NAME_AFTER: Final = 2.2
"""The column's name stands right after the value."""
NAME_AFTER_LOOSELY: Final = 1.4
NAME_ELSEWHERE: Final = 0.8
PER_WORD: Final = 0.12
"""What each word between name and value takes off."""
FITS_PREPOSITION: Final = 0.7
FITS_ROLE: Final = 1.5
"""It is the one of two columns, such as origin and destination, that "from" or "to" before the value says."""
FIT: Final = 0.6
"""How well the value itself is met."""
SAME_NAME_TWICE: Final = -1.2
SAME_COLUMN_TWICE: Final = -4.0
EARLIER_COLUMN: Final = -0.02
UNBOUND: Final = -5.0
NO_ROW: Final = -3.5
"""No row of the table meets the conditions."""
BESIDE_ANSWER: Final = -3.0
"""A number right behind the answer's name, which that column has, too: "took office in 1976" is no `left office`."""
OUT_OF_RANGE: Final = -2.0
"""A limit that lies beyond every number of the column."""
