"""Words of periods: their ends ("the end of May 2023"), "in the same year", and the "yearly" that is a value."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.periods import days_of, has_dates


def period_as_value(said: Speech, table: Table) -> Speech | None:
    """Say "yearly subscribers" by the column that has it as a value; refuse where periods may be meant as well."""
    if (said.text.casefold().split() or [""])[0] in table.words("asks"):
        return None  # "are yearly members older" sets the values side by side
    for found in said.find_all(table.wording("period_as_value")):
        values = table.context.values.get(found.folded("period"), ())
        rows = table.words("persons") | table.words("one_row")
        if not values or not columns.is_row(found["noun"], table, rows):
            continue
        if columns.named(f"{found['period']} {found['noun']}", table) is not None:
            continue  # "monthly charges" are `MonthlyCharges`
        if len(values) > 1:
            named = " / ".join(f"`{value.column}`" for value in values)
            return said.refusing(found.said("which", columns=named, column=values[0].column))
        column, value = values[0].column, values[0].value
        person = table.context.plain(found.folded("noun")) in table.words("persons")
        if not person and table.context.dates:
            return said.refusing(found.said("both", column=column, value=value))
        note = f"“{found['period']}” is taken to be the value of `{column}`, not a period."
        return said.put(found, found.said("value", column=column, value=value), note)
    return None


def in_the_same_period(said: Speech, table: Table) -> Speech | None:
    """Refuse what asks for rows whose two dates are in the same year, and say what can be asked of the two instead."""
    for found in said.find_each(table.wording("in_the_same_period")):
        first, second = (columns.date_of(found.folded(name), table) for name in ("a", "b"))
        if first is not None and second is not None and first != second:
            return said.refusing(found.said(first=first, second=second, unit=found.meant("unit")))
    return None


def two_dated_deeds(said: Speech, table: Table) -> Speech | None:
    """Refuse "how many joined and cancelled in 2023", which may ask for two numbers, or for those of both."""
    found = said.find(table.wording("two_dated_deeds"))
    first, second = (columns.date_of(found.folded(name), table) for name in ("a", "b")) if found else (None, None)
    if found is None or first is None or second is None or first == second:
        return None
    told = f"{found['a']} and {found['b']}"
    return said.refusing(found.said(said=told, a=found["a"], b=found["b"], first=first, second=second))


def end_of_a_period(said: Speech, table: Table) -> Speech | None:
    """Say "until the end of May" as until May, and "since the beginning of 2022" as since 2022: both are whole."""
    for found in said.find_each(table.wording("end_of_a_period")) if has_dates(table) else ():
        end = found.meant("end")
        side = next((side for side in ("until", "since", "after", "before", "joined") if found[side]), "")
        if (side, end) in (
            ("until", "last"),
            ("joined", "last"),
            ("after", "last"),
            ("since", "first"),
            ("before", "first"),
        ):
            stretch = side == "since" and not table.words("ends_of_stretches").isdisjoint(said.behind(found).split())
            return said.put(found, found.said("from" if stretch else side))
    return None


def year_to_year(said: Speech, table: Table) -> Speech | None:
    """Say "growth 2022 to 2023" as from the one year to the other, where the table has dates of both."""
    for found in said.find_each(table.wording("year_to_year")):
        if said.word_before(found) in table.words("before_years_joined"):
            continue
        first, last = int(found["first"]), int(found["last"])
        names = [name for name in table.context.profile.schema_.names if columns.holds_dates(name, table)]
        spans = [span for name in names if (span := days_of(name, table)) is not None]
        if first < last and any(start.year <= first and last <= end.year for start, end in spans):
            return said.put(found, found.said())
    return None
