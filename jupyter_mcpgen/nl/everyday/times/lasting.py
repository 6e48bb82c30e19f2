"""How long something took, where the table has its beginning and its end: "duration", "open longer than 30 days"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.conversions import tells_how_long
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.everyday.times.course_of_rows import side_of_full_units


def duration(said: Speech, table: Table) -> Speech | None:
    """Say "duration" and "time to close" as the days from the one date to the other."""
    for found in said.find_all(table.wording("duration")):
        ends = _ends_with(found.folded("verb"), table) if found["verb"] else _ends(table)
        if columns.named(found["noun"] or found.text, table, SHORTENED) is not None:
            return None
        if ends is None:
            continue
        unit = found["unit"] or table.say("days")
        note = f"“{found.text}” is taken to be the {unit} from `{ends[0]}` to `{ends[1]}`."
        return said.put(found, found.said(first=ends[0], last=ends[1], unit=unit), note)
    return None


def duration_in(said: Speech, table: Table) -> Speech | None:
    """Say "resolution time by team in hours" as the hours from the one date to the other."""
    found, ends = said.find(table.wording("duration_in")), _ends(table)
    if found is None or ends is None or columns.named(found["noun"], table, SHORTENED) is not None:
        return None
    note = f"“{found['noun']}” is taken to be the time from `{ends[0]}` to `{ends[1]}`."
    parts = {"asked": found["asked"], "unit": found["unit"], "rest": found["rest"]}
    return said.put(found, found.said(first=ends[0], last=ends[1], **parts), note)


def lasted(said: Speech, table: Table) -> Speech | None:
    """Say "took longer than 30 days" by the days between both dates."""
    found = said.find(table.wording("lasted"))
    ends = _ends(table) if found else None
    if found is None or ends is None:
        return None
    empty = f" Rows without `{ends[1]}` are left out." if table.context.column(ends[1]).nulls else ""
    note = f"“{found.text}” is taken to be the days from `{ends[0]}` to `{ends[1]}`.{empty}"
    side = side_of_full_units(found.meant("side"), found.meant("unit"), table)
    parts = {"side": side, "n": found.meant("n"), "unit": found["unit"] or table.say("days")}
    return said.put(found, found.said(first=ends[0], last=ends[1], **parts), note)


def took_how_long(said: Speech, table: Table) -> Speech | None:
    """Say "how long did the claims take" as the average of the days between both dates."""
    found = said.find(table.wording("took_how_long"))
    if found is None or not columns.is_row(found["who"], table):
        return None
    quality, _ = table.vocabulary.by_adjective[found.wording.becomes["longest"]]
    column, ends = columns.ranking(quality.columns, table), _ends(table)
    if column is not None and tells_how_long(column, table):
        return said.put(found, found.said("told", column=column), f"How long is taken to be the average `{column}`.")
    if ends is None:
        return None
    note = f"How long is taken to be the average of the days from `{ends[0]}` to `{ends[1]}`."
    return said.put(found, found.said("between", first=ends[0], last=ends[1]), note)


def done_within(said: Speech, table: Table) -> Speech | None:
    """Say "settled within 30 days" by the days from the beginning to the date of that verb."""
    for found in said.find_each(table.wording("done_within")):
        ends = _ends_with(found.folded("verb"), table)
        if ends is not None:
            open_rows = table.context.column(ends[1]).nulls
            if open_rows and said.word_before(found) in table.words("not"):
                return said.refusing(
                    found.said("open", last=ends[1], first=ends[0], rows=str(open_rows), said=found.text.strip())
                )
            note = f"“{found.text}” is taken to be about the time from `{ends[0]}` to `{ends[1]}`."
            side = side_of_full_units(found.meant("side"), found.meant("unit"), table)
            parts = {"side": side, "n": found.meant("n"), "unit": found["unit"]}
            return said.put(found, found.said("when", first=ends[0], last=ends[1], **parts), note)
    return None


def _ends_with(verb: str, table: Table) -> tuple[str, str] | None:
    """Return the date at which what a row is about began, and the one that a verb is of."""
    last = columns.date_of(verb, table)
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table) and name != last]
    first = [name for name in dates if _is_called(name, "first_of_two", table)]
    if last is not None and _is_called(last, "paid_dates", table):
        first = [name for name in dates if _is_called(name, "billed_dates", table)] or first
    return (first[0], last) if last is not None and len(first) == 1 else None


def _ends(table: Table) -> tuple[str, str] | None:
    """Return the only two dates of a table, where one is called a beginning and the other an end."""
    context = table.context
    dates = [name for name in context.column_words if columns.holds_dates(name, table)]
    first = [name for name in dates if _is_called(name, "first_of_two", table)]
    last = [name for name in dates if _is_called(name, "last_of_two", table)]
    alone = len(dates) == 2 and len(first) == 1 and len(last) == 1 and first != last
    return (first[0], last[0]) if alone else None


def _is_called(name: str, key: str, table: Table) -> bool:
    """Tell whether a column has a word of a list in its name, or is called as a phrase of it."""
    own = table.context.column_words[name]
    return bool({*own, " ".join(own)} & table.words(key))


def took_longest(said: Speech, table: Table) -> Speech | None:
    """Say "which order took the longest to deliver" as the one with the longest time between both dates."""
    for found in said.find_each(table.wording("took_longest")):
        verb, noun = found.folded("verb"), found["noun"]
        ends = _ends_with(verb, table) if verb else _ends(table)
        row = columns.is_row(noun, table)
        group = None if row else columns.label(noun, table)
        if ends is None or (not row and group is None):
            continue
        note = f"How long it took is the time from `{ends[0]}` to `{ends[1]}`, and on average where there are several."
        way = found.meant("end") if row else f"{found.meant('end')}_of_groups"
        return said.put(found, found.said(way, first=ends[0], last=ends[1], group=group or ""), note)
    return None


def time_of_doing(said: Speech, table: Table) -> Speech | None:
    """Say "waiting time" as `wait_min`, and "delivery time" as the days from the one other date to the delivery."""
    found = said.find(table.wording("time_of_doing"))
    if found is None or columns.named(found.text, table, SHORTENED) is not None:
        return None
    column = measure_of_verb(found.folded("verb"), table)
    if column is not None and table.context.adds_up(column) is not True:
        return said.put(found, found.said("told", column=column), f"“{found.text}” is taken to be `{column}`.")
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    date = columns.date_of(found.folded("verb"), table)
    if date is None or len(dates) != 2 or date != dates[1]:
        return None
    note = f"“{found.text}” is taken to be the days from `{dates[0]}` to `{dates[1]}`."
    return said.put(found, found.said("between", first=dates[0], last=dates[1]), note)


def fastest_first(said: Speech, table: Table) -> Speech | None:
    """Say "fastest first" as lowest first beside a time, and as highest first beside a speed."""
    found = said.find(table.wording("fastest_first"))
    column = columns.last_figure(said.before(found), table) if found else None
    if found is None or column is None:
        return None
    own = set(table.context.column_words[column])
    unit = table.meaning("units_of_measure", (table.context.column(column).unit or "").casefold())
    takes_time = bool(own & table.words("taking_time")) or unit in table.words("units_of_time")
    if takes_time == bool(own & table.words("speeds")):
        return None
    fast = found.meant("end") == Term.HIGHEST
    end = Term.LOWEST if fast == takes_time else Term.HIGHEST
    note = f"“{found.text.strip(', ')}” is taken to mean the {end} `{column}` first."
    return said.put(found, found.said(end=end), note)


def quality_first(said: Speech, table: Table) -> Speech | None:
    """Say "cheapest first" beside a price as the lowest first."""
    found = said.find(table.wording("quality_first"))
    column = columns.last_figure(said.before(found), table) if found else None
    if found is None or column is None or table.is_data(found["word"]):
        return None
    quality, highest = table.vocabulary.by_adjective[found.folded("word")]
    own = set(table.context.column_words[column])
    if not own & set(quality.columns) or own & set(quality.opposite):
        return None
    end = Term.HIGHEST if highest else Term.LOWEST
    return said.put(found, found.said(end=end), f"“{found['word']}” is taken to mean the {end} `{column}`.")


def time_beside_money(said: Speech, table: Table) -> Speech | None:
    """Say "shipping time" by the dates that tell it, or refuse it where only the money is called so."""
    found = said.find(table.wording("time_beside_money"))
    named = columns.figure(found["what"], table) if found else None
    if found is None or named is None or not _is_money(named, table):
        return None
    if columns.named(found.text, table, SHORTENED) not in (None, named):
        return None
    by_dates = time_of_doing(said, table)
    if by_dates is not None and f"`{named}`" not in by_dates.text:
        return by_dates
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    listed = ", ".join(f"`{name}`" for name in dates) or "no column"
    return said.refusing(found.said(said=found.text, column=named, dates=listed))


def _is_money(name: str, table: Table) -> bool:
    """Tell whether a column holds money, by its unit, also a sign such as €, or by its name."""
    return table.context.is_of_money(name) or table.context.column(name).unit in table.words("signs_of_money")


def half_of_a_price(said: Speech, table: Table) -> Speech | None:
    """Refuse "half price sales", which are rows with a discount and no half of the price of each."""
    found = said.find(table.wording("half_of_a_price"))
    if found is None or not columns.is_row(found["noun"], table, table.words("rows_of")):
        return None
    return said.refusing(found.said(said=found.text))
