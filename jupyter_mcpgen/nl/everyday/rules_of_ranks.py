"""The rules about what is most, best or used most, where no other rule has said by which figure."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.ranked import commonest, having_most, peaks

RANKED = (
    peaks.most_of_a_column,
    having_most.most_done,
    having_most.most_of_what,
    commonest.used_most,
    having_most.top_rows,
    having_most.best_average,
    having_most.best_by,
    having_most.best_in,
    having_most.name_them,
)
"""In the order in which they are tried."""
