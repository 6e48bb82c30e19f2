"""Questions that say how two tables come together: joined by some keys, or one below the other."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.grammar.table import Table, table_of
from jupyter_mcpgen.nl.joins.clauses import Clause
from jupyter_mcpgen.nl.joins.keys import Pair, are_alike, found_keys, is_told
from jupyter_mcpgen.nl.joins.over_both import over, which_key
from jupyter_mcpgen.nl.joins.tables import (
    Tables,
    joined,
    stacked,
)
from jupyter_mcpgen.nl.joins.words import Way
from jupyter_mcpgen.nl.reading import Refused, Understanding


def of_clause(clause: Clause, tables: tuple[Profile, Profile], language: str) -> Understanding:
    """Return what is asked of two tables that come together as a question says."""
    first, second = tables[clause.first], tables[1 - clause.first]
    known = table_of(first, language), table_of(second, language)
    if clause.unknown or clause.only_in:
        return _no_such_key(clause, first, second)
    if clause.way is Way.CROSS:
        return Refused(
            "Each row of one table with each row of the other is not computed: cross joins are a missing capability.",
            missing_capabilities=("cross joins",),
        )
    try:
        if clause.way is Way.STACK or (clause.way is Way.EITHER and not clause.pairs and are_alike(*known)):
            return over(clause.rest, stacked(first, second), language)
        options = (clause.pairs,) if clause.pairs else _options(*known, clause)
        if not options:
            return Refused(
                f"`{first.name}` and `{second.name}` have no column by which their rows belong together. Name the keys "
                "with “on …”."
            )
        meant = []
        for pairs in options:
            both = _turned(clause.way, pairs, first, second)
            meant.append(both if isinstance(both, Refused) else over(clause.rest, both, language))
    except PlanError as error:
        return Refused(f"`{first.name}` and `{second.name}` cannot be joined in this way. {error}")
    return meant[0] if len(meant) == 1 else which_key(options, meant, first, second)


def _turned(way: Way, pairs: tuple[Pair, ...], first: Profile, second: Profile) -> Tables | Refused:
    """Join two tables as they were said to be; a right join keeps all rows of the second."""
    if way is Way.RIGHT:
        return joined(Way.KEEP_FIRST, tuple((other, own) for own, other in pairs), second, first)
    return joined(Way.LEFT if way is Way.EITHER else way, pairs, first, second)


def _options(first: Table, second: Table, clause: Clause) -> tuple[tuple[Pair, ...], ...]:
    found = found_keys(first, second)
    if clause.way is Way.EITHER and not found.sure:
        return ()
    if len(found.pairs) > 1 and is_told(found, first, second):
        return (found.pairs[:1],)
    return tuple((pair,) for pair in found.pairs)


def _no_such_key(clause: Clause, first: Profile, second: Profile) -> Refused:
    if clause.only_in:
        owner = first if clause.only_in in first.schema_.names else second
        return Refused(f"Only `{owner.name}` has a column `{clause.only_in}`. Say which column of the other it equals.")
    shared = [name for name in first.schema_.names if name in second.schema_.names]
    hint = f" Did you mean `{shared[0]}`?" if shared else ""
    return Refused(f"`{clause.unknown}` is no column of both tables.{hint}", (clause.unknown,))
