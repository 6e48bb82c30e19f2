"""Ranges: "temperature range" beside `temp_max` and `temp_min`, "homes between 300k and 400k" by what they cost."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.text.tokens import TokenKind, tokenize


def between_two_ends_of_it(said: Speech, table: Table) -> Speech | None:
    """Say "temperature range" as the highest less the lowest, where each row has both in columns of their own."""
    for found in said.find_each(table.wording("between_two_ends_of_it")):
        if columns.named(found.text, table) is not None:
            continue
        ends = two_ends(found["what"], table)
        if ends is not None:
            note = f"“{found.text}” is taken to be `{ends[1]}` minus `{ends[0]}`."
            return said.put(found, found.said(low=ends[0], high=ends[1]), note)
    return None


def end_of_a_figure(said: Speech, table: Table) -> Speech | None:
    """Say "highest temperature" as the highest `temp_max`, where each row has both ends in columns of their own."""
    if said.find(table.wording("when_recorded")) is not None:
        return None  # the row is asked for
    for found in said.find_all(table.wording("end_of_a_figure")):
        column = end_told(found, table)
        if column is None or columns.named(found["what"], table) is not None:
            continue
        note = f"“{found.text}” is looked for in `{column}`."
        return said.put(found, found.said(end=Term(found.meant("end")), column=column), note)
    return None


def end_told(found: Found, table: Table) -> str | None:
    """Return the column of the end that a superlative and its figure name, where each row has both ends."""
    ends = two_ends(found["what"], table)
    return None if ends is None else ends[found.meant("end") == Term.HIGHEST]


def scaled_alike(said: Speech, table: Table) -> Speech | None:
    """Say "between 10 and 20 million" with the scale at both ends: nobody means from ten on."""
    for found in said.find_all(table.wording("scaled_alike")):
        low, high = float(found["low"]), float(found["high"])
        if low < high:
            gap = " " if len(found["scale"]) > 1 else ""  # "20k" is one word
            return said.put(found, found.said(gap=gap))
    return None


def two_ends(text: str, table: Table) -> tuple[str, str] | None:
    """Return the columns of the lowest and of the highest of a figure that words name; None where there are no two."""
    wanted = {table.context.plain(word) for word in text.casefold().split()}
    low, high = ends_of(wanted, "lowest", table), ends_of(wanted, "highest", table)
    return (low[0], high[0]) if len(low) == len(high) == 1 and wanted else None


def ends_of(wanted: set[str], end: str, table: Table) -> list[str]:
    """Return the columns of figures that are called by some words and one for an end: `temp_max`."""
    said = table.vocabulary.lists.choices.get("ends_in_names", {}).get(end, frozenset())
    own = ((name, set(words)) for name, words in table.context.column_words.items() if columns.is_figure(name, table))
    return [name for name, words in own if wanted < words and words - wanted <= said]


def rows_between(said: Speech, table: Table) -> Speech | None:
    """Say "homes between 300k and 400k" by the amount of money that may be so much, and by no number of a home."""
    found = said.find(table.wording("rows_between"))
    noun = found.folded("noun") if found is not None else ""
    if found is None or not (columns.is_row(noun, table) or _is_key(noun, table)):
        return None
    tokens = [token for end in ("low", "high") for token in tokenize(found[end])[:1]]
    ends = [float(token.number) for token in tokens if token.kind is TokenKind.NUMBER and token.text[-1:] != "m"]
    if len(ends) < len(tokens):
        return None
    own = columns.named(noun, table)
    if own is not None and (figures := _range_of(own, table)) is not None and _reaches(figures, ends):
        return None
    ranges = {name: _range_of(name, table) for name in table.context.column_words if _is_worth(name, table)}
    fitting = [name for name, figures in ranges.items() if figures is not None and _reaches(figures, ends)]
    ways = [said.put(found, found.said(column=name)) for name in fitting]
    if len(ways) == 1:
        return said.put(found, found.said(column=fitting[0]), f"“{_said(found)}” is taken to be about `{fitting[0]}`.")
    return said.asking_back(f"“{_said(found)}” may be about any amount.", *(w.text for w in ways)) if ways else None


def _said(found: Found) -> str:
    return f"{found['low']} to {found['high']}"


def _is_key(noun: str, table: Table) -> bool:
    own = columns.named(noun, table)
    return own is not None and table.context.is_key(own)


def _is_worth(name: str, table: Table) -> bool:
    written = any(way.values.kind is Kind.MONEY for way in table.context.column(name).written)
    return columns.is_figure(name, table) and (written or table.context.is_of_money(name))


def _range_of(name: str, table: Table) -> tuple[float, float] | None:
    """Return the smallest and the largest number of a column, also of one whose texts write them."""
    known = table.context.column(name)
    for values in (known, *(way.values for way in known.written)):
        if isinstance(values.minimum, int | float) and isinstance(values.maximum, int | float):
            return values.minimum, values.maximum
    return None


def _reaches(figures: tuple[float, float], ends: list[float]) -> bool:
    """Tell whether some number may lie between two ends."""
    return ends[0] <= figures[1] and figures[0] <= ends[-1]
