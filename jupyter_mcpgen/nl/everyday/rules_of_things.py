"""The rules about ends of rows, columns that hold the same and what rows need, in the order in which they are tried."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.parts import promoters, status_codes
from jupyter_mcpgen.nl.everyday.things import fallen, from_and_to, needing, same_in_both

SURE_OF_THINGS = (
    fallen.fallen,
    from_and_to.in_the_same,
    same_in_both.same_in_both,
    same_in_both.done_by_oneself,
    from_and_to.from_one_to_another,
    from_and_to.between_two_ends,
    from_and_to.from_or_to,
    needing.needing,
    from_and_to.outside,
    status_codes.errors_by_code,
    promoters.promoters,
)
"""What words such as "from", "to" and "the same" say of two columns, and "need" of what is needed."""
