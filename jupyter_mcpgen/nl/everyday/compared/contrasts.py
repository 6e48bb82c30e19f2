"""Two values or two periods set side by side: "Oslo compared with Bergen", "Q2 2023 vs Q3 2023"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.periods import (
    days_between,
    has_dates,
    months_of_half,
    months_of_quarter,
    only_year,
)

MOST_WORDS_OF_A_VALUE = 3


def week_parts(said: Speech, table: Table) -> Speech | None:
    """Say "weekend vs weekday revenue" as revenue by the part of the week."""
    found = said.find(table.wording("week_parts"))
    if found is None or found.meant("which") == found.meant("other") or not has_dates(table):
        return None
    if table.is_data(found["which"]) or table.is_data(found["other"]):
        return None
    before, behind = said.before(found), said.behind(found)
    last = said.word_before(found)
    if last and columns.date_of(last, table) is not None and not columns.is_row(last, table):
        before = before.rstrip()[: -len(last)]  # "opened on weekends": of the date on which it was
    return said.saying(f"{before} {behind.rstrip(' ?!.')} {found.said()}")


def compared_in(said: Speech, table: Table) -> Speech | None:
    """Say "compare Q1 with Q2 in terms of sales" as sales in both, "compare the shops on sales" as sales by shop."""
    found = said.find(table.wording("compared_in"))
    if found is None or columns.last_figure(found["what"], table) is None:
        return None
    group = columns.entity(found["asked"], table)
    if group is not None:
        return said.put(found, found.said("groups", what=found["what"], group=group))
    return said.put(found, found.said("others", what=found["what"], asked=found["asked"]))


def groups_differ(said: Speech, table: Table) -> Speech | None:
    """Say "do the shops differ in sales" as whether sales differ between the shops."""
    found = said.find(table.wording("groups_differ"))
    group = columns.entity(found["group"], table) if found else None
    if found is None or group is None or columns.last_figure(found["what"], table) is None:
        return None
    return said.put(found, found.said(group=group))


def two_weekdays(said: Speech, table: Table) -> Speech | None:
    """Say "monday vs friday revenue" as revenue on both days, weekday by weekday."""
    found = said.find(table.wording("two_weekdays"))
    if found is None or not has_dates(table) or table.is_data(found["first"]):
        return None
    rest = f"{said.before(found)} {said.behind(found).rstrip(' ?!.')}"
    return said.saying(f"{rest} {found.said(first=found.meant('first'), second=found.meant('second'))}")


def two_periods(said: Speech, table: Table) -> Speech | None:
    """Say "in Q2 2023 vs Q3 2023" as both quarters, quarter by quarter."""
    found = said.find(table.wording("two_periods"))
    if found is None or not has_dates(table):
        return None
    unit = next((unit for unit in ("quarter", "month", "half") if found[unit]), "year")
    if table.is_data(found[unit]):
        return None
    behind = Speech(said.behind(found))
    later = behind.find(table.wording("year_at_the_end")) if unit != "year" else None
    named = found["year"] or found["other_year"] or (later["year"] if later is not None else "")
    year = named or only_year(table, *_months(found, unit, ""))
    other_year = found["other_year"] or named or only_year(table, *_months(found, unit, "other_"))
    if year is None or other_year is None:
        return _of_any_year(said, found, unit, table)
    if later is not None and not found["year"] and not found["other_year"]:
        behind = Speech(behind.before(later))
    first, second = _days_of(found, unit, "", year, table), _days_of(found, unit, "other_", other_year, table)
    note = "" if named else f"The table has these months only in {' and '.join(sorted({year, other_year}))}."
    both_halves = unit == "half" and year == other_year and first != second  # the whole year
    way, parts = ("halves", {"one_year": year}) if both_halves else (unit, {"first": first, "second": second})
    return said.saying(f"{said.before(found)} {found.said(way, what=found['what'], **parts)} {behind.text}", note)


def _of_any_year(said: Speech, found: Found, unit: str, table: Table) -> Speech | None:
    """Say "Q1 vs Q2" of dates in several years as these quarters of each year."""
    first, second = _months(found, unit, ""), _months(found, unit, "other_")
    if unit == "year" or found["year"] or found["other_year"] or first == second:
        return None
    note = f"No year is named: each year has its own {found[unit]} and {found[f'other_{unit}']}."
    if unit == "half":
        return said.put(found, found.said("halves_of_years", what=found["what"]), note)
    names = {int(number): max(words, key=len) for number, words in table.choices("short_months").items()}
    months = [names[month] for low, high in (first, second) for month in range(low, high + 1)]
    chosen = found.said("months_of_years", first=months[0])
    for month in months[1:]:
        chosen = found.said("another_month", rest=chosen, other=month)
    return said.put(found, f"{found['what']} {chosen} {found.said('each', unit=unit)}", note)


def _months(found: Found, unit: str, which: str) -> tuple[int, int]:
    """Return the first and the last month of a period."""
    number = int(found.meant(f"{which}{unit}")) if unit != "year" else 0
    match unit:
        case "quarter":
            return months_of_quarter(number)
        case "half":
            return months_of_half(number)
        case _:
            return (number, number) if number else (1, 12)


def _days_of(found: Found, unit: str, which: str, of_year: str, table: Table) -> str:
    """Return a period by its first and last day."""
    number, year = found.meant(f"{which}{unit}"), int(of_year)
    match unit:
        case "quarter":
            return days_between(year, *months_of_quarter(int(number)), table)
        case "half":
            return days_between(year, *months_of_half(int(number)), table)
        case "month":
            return days_between(year, int(number), int(number), table)
        case _:
            return days_between(year, 1, 12, table)


def two_values(said: Speech, table: Table) -> Speech | None:
    """Say "compared with" between two values of the data as "vs"."""
    found = said.find(table.wording("two_values"))
    if found is None:
        return None
    before, after = _words(said.before(found)), _words(said.behind(found))
    sizes = range(1, MOST_WORDS_OF_A_VALUE + 1)
    left = _columns_of([before[-size:] for size in sizes], table)
    right = _columns_of([after[:size] for size in sizes], table)
    return said.put(found, found.said()) if left & right else None


def shared_head(said: Speech, table: Table) -> Speech | None:
    """Say "claimed and paid amount" as the two columns that share the noun."""
    for found in said.find_all(table.wording("shared_head")):
        names = ("one", "other")
        first, second = (columns.named(f"{found[name]} {found['head']}", table, columns.PERHAPS) for name in names)
        whole = columns.named(found["one"], table) is not None
        known = any(found.folded(name) in table.context.lexicon.words for name in names)  # "mean and median price"
        if first is None or second is None or first == second or whole or known:
            continue
        if columns.is_figure(first, table) and columns.is_figure(second, table):
            return said.put(found, found.said(first=first, second=second))
    return None


def how_it_compares(said: Speech, table: Table) -> Speech | None:
    """Say "how does the average price for Oslo compare with Bergen" as the average price of one vs the other."""
    for found in said.find_each(table.wording("how_it_compares")):
        one, other = (_columns_of([_words(found[name])], table) for name in ("one", "other"))
        if one & other:
            return said.put(found, found.said())
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _columns_of(phrases: list[list[str]], table: Table) -> set[str]:
    """Return the columns that have one of some phrases as a value, also in the plural."""
    values, base = table.context.values, table.context.lexicon.base
    said = (words for words in phrases if words)
    spelled = {" ".join(words) for phrase in said for words in (phrase, [*phrase[:-1], base(phrase[-1])])}
    return {values[phrase][0].column for phrase in spelled if phrase in values}
