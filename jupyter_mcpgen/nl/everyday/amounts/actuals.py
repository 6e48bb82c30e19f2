"""What came of a budget, where the table has both: "variance by department", "overspend", "cost" of a `budget`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.budgets import came_to
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def beside_the_budget(said: Speech, table: Table) -> Speech | None:
    """Say "variance" as the actual figure less the planned one, and "utilisation" as the part that it is of it."""
    for found in said.find_each(table.wording("beside_the_budget")):
        both = _plan_and_actual(table)
        if both is None or _is_named(found, table):
            continue
        plan, actual = both
        in_percent = found["percent"] or found["sign"]
        text = found.said(f"{found.meant('kind')}{'_percent' if in_percent else ''}", actual=actual, plan=plan)
        note = found.said(f"note_{found.meant('kind')}", said=found["kind"], actual=actual, plan=plan)
        return said.put(found, text, note)
    return None


def spent_of_the_budget(said: Speech, table: Table) -> Speech | None:
    """Say "cost" and "how much did HR spend" by the actual figure beside a budget, where nothing else is called so."""
    found = said.find(table.wording("spent_of_the_budget"))
    both = came_to("budget", None, table) if found is not None else None
    if found is None or both is None or _is_named(found, table):
        return None
    plain = said.word_before(found) not in table.words("functions")
    way = "by_one" if found["who"] else "total" if plain else "figure"
    note = f"“{found['kind']}” is taken to be `{both[1]}`."
    return said.put(found, found.said(way, actual=both[1], who=found["who"]), note)


def _plan_and_actual(table: Table) -> tuple[str, str] | None:
    """Return the one column of what was planned, and the one of what came of it."""
    known = {both for noun in table.words("planned_figures") if (both := came_to(noun, None, table)) is not None}
    return known.pop() if len(known) == 1 else None


def _is_named(found: Found, table: Table) -> bool:
    """Tell whether a column or a value is called so."""
    return columns.is_of_the_data(found["kind"], table) or table.is_data(found.text)
