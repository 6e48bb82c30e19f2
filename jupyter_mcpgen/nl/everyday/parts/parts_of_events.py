"""What became of some of the rows: "percentage of appeals upheld" is one of the appeals, not of all rows."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.forms import is_irregular_past, stem
from jupyter_mcpgen.nl.words.stored_values import value_words


def part_of_events(said: Speech, table: Table) -> Speech | None:
    """Say "share of upheld appeals" as the upheld ones of the rows that were appealed, or that have an outcome."""
    for found in said.find_each(table.wording("part_of_events")):
        noun, value = found.folded("events"), _value(found["said"], table)
        plain = table.context.plain(noun)
        if value is None or plain in table.context.row_nouns or not columns.is_plural(noun, table):
            continue
        column, text = value
        parts = {"share": Term(found.meant("share")), "said": text}
        flag = columns.flag_of(noun, table) or columns.flag_of_event(noun, table)
        if flag is not None and flag != column:
            note = f"“{found['events']}” are the rows where `{flag}` is true."
            return said.put(found, found.said("flagged", column=flag, **parts), note)
        if plain in table.context.column_words[column] and table.context.column(column).nulls:
            note = f"“{found['events']}” are the rows that have a value in `{column}`."
            return said.put(found, found.said("held", column=column, **parts), note)
    return None


def _only_groups(text: str, table: Table) -> bool:
    """Tell whether words say nothing, or only by what rows are grouped."""
    if not text:
        return True
    grouped = Speech(text).find(table.wording("grouped"))
    if grouped is None or grouped.start:
        return False
    return columns.label(text[grouped.end :].strip(" ?."), table) is not None


def _value(text: str, table: Table) -> tuple[str, str] | None:
    """Return the one column that has a value, with the value as it is written there."""
    found = {(value.column, value.value) for value in _values(text, table)}
    return next(iter(found)) if len(found) == 1 else None


def _values(text: str, table: Table) -> tuple[m.Value, ...]:
    known = table.context.values.get(" ".join(value_words(text)), ())
    return tuple(value for value in known if isinstance(value.value, str))


def part_done(said: Speech, table: Table) -> Speech | None:
    """Say "percentage of invoices paid by region" as those that have a date of it, where some have none."""
    found = said.find(table.wording("part_done"))
    verb = found.folded("verb") if found else ""
    lexicon = table.context.lexicon
    done = verb.endswith(lexicon.participles) or is_irregular_past(verb, lexicon.language)
    if found is None or not done:
        return None
    if verb in table.context.values:
        return _part_of_a_value(said, found, table)
    kind = None if columns.is_row(found["who"], table, table.words("one_row")) else _kind(found["who"], table)
    if kind is None and not columns.is_row(found["who"], table, table.words("one_row")):
        return None
    date = columns.date_of(verb, table)
    if date is None or not table.context.column(date).nulls or not _only_groups(found["rest"], table):
        return None
    note = f"“{found['verb']}” is taken to mean that `{date}` is not missing."
    way, (column, value) = ("rows", ("", "")) if kind is None else ("kind", kind)
    text = found.said(way, share=Term(found.meant("share")), column=date, kind=column, value=value)
    return said.put(found, text, note)


def _part_of_a_value(said: Speech, found: Found, table: Table) -> Speech | None:
    """Say "percentage of tickets paid by make" by the `status` that is "paid", and by no amount that is called so."""
    values = table.context.values[found.folded("verb")]
    if len(values) != 1 or not columns.is_row(found["who"], table, table.words("one_row")):
        return None
    if not _only_groups(found["rest"], table):
        return None
    told = found.said("value", share=Term(found.meant("share")), column=values[0].column, value=values[0].value)
    return said.put(found, told)


def _kind(text: str, table: Table) -> tuple[str, str] | None:
    """Return the one value that a noun in the plural names: the `Condo` of "condos"."""
    found = {(value.column, value.value) for one in (text, text.removesuffix("s")) for value in _values(one, table)}
    return next(iter(found)) if len(found) == 1 else None


def leading_to(said: Speech, table: Table) -> Speech | None:
    """Say "led to an arrest" as where the column that tells it says yes, or has that value."""
    for found in said.find_each(table.wording("leading_to")):
        what = found["what"]
        flag = columns.flag_named(what, table) or columns.flag_of(what.casefold(), table)
        if flag is not None:
            note = f"“{found.text.strip()}” is taken to mean that `{flag}` is true."
            return said.put(found, found.said("flag", column=flag), note)
        values = values_called(what, table)
        if len(values) == 1:
            column, value = values[0]
            return said.put(found, found.said("value", column=column, value=value))
    return None


def how_often_it(said: Speech, table: Table) -> Speech | None:
    """Say "how often does it snow" as the number of rows whose weather is snow, in a column of a few values."""
    found = said.find(table.wording("how_often_it"))
    if found is None:
        return None
    values = values_called(found["what"], table) or _of_the_same_stem(found.folded("what"), table)
    if len(values) != 1:
        return None
    column, value = values[0]
    note = found.said("note", column=column, value=value)
    return said.put(found, found.said("value", column=column, value=value), note)


def _of_the_same_stem(word: str, table: Table) -> list[tuple[str, str]]:
    """Return the values that a verb is made of: "snowing" and `snow`."""
    language = table.context.lexicon.language
    same = [key for key in table.context.values if " " not in key and stem(key, language) == stem(word, language)]
    return [(value.column, f'"{value.value}"') for key in same for value in table.context.values[key]]
