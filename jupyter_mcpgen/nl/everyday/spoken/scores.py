"""Scores of several subjects together: "total score", "above 90 in all subjects", "perfect score", "passed maths"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.deeds.outcomes import outcome_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.spoken.several import called_alike

MOST_STARS = 5
FEWEST, MOST = 2, 8
"""How many columns are the scores of several subjects."""
ALIKE = 2.0
"""Scores whose highest one is so many times that of others are not told on one scale."""


def total_score(said: Speech, table: Table) -> Speech | None:
    """Say "total score" as the sum of `math score` and `reading score`, where no column holds it."""
    for found in said.find_each(table.wording("total_score")):
        names = _on_one_scale(called_alike(found.folded("noun"), table), table)
        if not names or columns.named(found.text, table) is not None or _holds_totals(names, table):
            continue
        listed = " plus ".join(f"`{name}`" for name in names)
        return said.put(found, listed, f"“{found.text}” is taken to be {listed}.")
    return None


def in_all_subjects(said: Speech, table: Table) -> Speech | None:
    """Say "above 90 in all subjects" of each of the columns of scores."""
    for found in said.find_each(table.wording("in_all_subjects")):
        names = _scores(table)
        if not names or (found["m"] and found.meant("m") != str(len(names))):
            continue
        limits = [found.said("limit", column=name, side=found.meant("side"), n=found["n"]) for name in names]
        listed = found.said(found.meant("which")).join(limits)
        scores = ", ".join(f"`{name}`" for name in names)
        return said.put(found, f"{found.said('with')} {listed}", f"“{found['noun']}” are taken to be {scores}.")
    return None


def perfect_score(said: Speech, table: Table) -> Speech | None:
    """Refuse "a perfect score", which no column tells, with the way to ask for it."""
    found = said.find(table.wording("perfect_score"))
    names = called_alike(found.folded("noun"), table) if found is not None else []
    column = columns.figure(found["noun"], table) if found is not None else None
    names = names or ([column] if column is not None else [])
    if found is None or not names or table.is_data(found.text):
        return None
    highest = table.context.column(names[0]).maximum
    return said.refusing(found.said(said=found.text.strip(), column=names[0], highest=f"{highest}"))


def so_many_stars(said: Speech, table: Table) -> Speech | None:
    """Say "5 star reviews" as the rows with that rating, where one column rates with few whole numbers."""
    for found in said.find_each(table.wording("so_many_stars")):
        rated = [name for name in table.context.column_words if _rates_in_stars(name, table)]
        called = any(table.context.columns_with(table.context.plain(word)) for word in table.words("stars"))
        noun = found["noun"]
        if len(rated) != 1 or called or table.is_data(found.text) or not found.meant("n").isdecimal():
            continue
        if not table.context.could_be(rated[0], float(found.meant("n"))):
            continue
        if noun and not (columns.is_row(noun, table) or columns.is_of_the_data(noun, table)):
            continue
        note = f"“{found.text.strip()}” is taken to mean that `{rated[0]}` is {found.meant('n')}."
        return said.put(found, found.said("rows" if noun else "where", column=rated[0], n=found.meant("n")), note)
    return None


def _rates_in_stars(name: str, table: Table) -> bool:
    """Tell whether a column holds so many stars as a rating has: whole numbers up to five."""
    known = table.context.column(name)
    few = (
        isinstance(known.maximum, int | float) and 1 < known.maximum <= MOST_STARS and known.distinct <= MOST_STARS + 1
    )
    return few and bool(set(table.context.column_words[name]) & table.words("ratings_in_stars"))


def passed_subject(said: Speech, table: Table) -> Speech | None:
    """Say "passed maths with at least 60" by its score; refuse "failed maths" alone, whose limit no column tells."""
    for found in said.find_each(table.wording("passed_subject")):
        verb, column = found.folded("verb"), columns.figure(found["what"], table)
        told = columns.flag_of(verb, table) or columns.flag_of_event(verb, table) or outcome_of(verb, table)
        if column is None or told or table.is_data(verb) or column not in _scores(table):
            continue
        if found["n"]:
            return said.put(found, found.said("limit", column=column, side=found.meant("side"), n=found["n"]))
        return said.refusing(found.said("unsaid", said=found.text.strip(), column=column))
    return None


def _scores(table: Table) -> list[str]:
    """Return the columns of scores of several subjects: the only ones that end in one noun for a score."""
    families = [called_alike(noun, table) for noun in dict.fromkeys(map(table.context.plain, table.words("figure")))]
    found = [names for family in families if (names := _on_one_scale(family, table))]
    return found[0] if len(found) == 1 else []


def _on_one_scale(names: list[str], table: Table) -> list[str]:
    """Return columns that are told on about one scale, so that they may be added up; nothing where they are not."""
    tops = [table.context.column(name).maximum for name in names]
    highest = [float(top) for top in tops if isinstance(top, int | float)]
    alike = len(highest) == len(names) and min(highest, default=0) > 0 and max(highest) <= ALIKE * min(highest)
    return names if FEWEST <= len(names) <= MOST and alike else []


def _holds_totals(names: list[str], table: Table) -> bool:
    return any(set(table.context.column_words[name]) & table.words("totals_of_columns") for name in names)
