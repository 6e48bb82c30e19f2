"""Two things that are said of the same rows: "breached and escalated tickets", "hazardous sea freight".

Read one by one, the first would be a column that is shown or grouped by, and only the second would choose rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.schema import ColumnType

Said = tuple[str, str]
"""A column, and what it says of the rows."""


def both_held(said: Speech, table: Table) -> Speech | None:
    """Say "breached and escalated tickets" as the rows of which both are true; asked where no row is both."""
    for found in said.find_all(table.wording("both_held")):
        if not columns.is_row(found["noun"].strip("?.,!"), table) or _stands_in_a_list(said, found, table):
            continue
        pair = next(_pairs(found, table), None)
        if pair is None:
            continue
        if found["joined"] and table.words("comparing_words") & set(said.before(found).casefold().split()):
            return said.refusing(found.said("compared", said=found.text))
        denied = "no_" if found["denied"] else ""
        conditions = {"one": _condition(pair[0], found), "other": _condition(pair[1], found, denied)}
        noun = found["noun"].rstrip("?.,!")
        conditions["rows"] = found.said("several" if columns.is_plural(noun, table) else "single")
        behind = found["noun"][len(noun) :]
        before = _with_its_figure(said.before(found), table)
        if _is_a_share(before, table):
            return said.refusing(found.said("share", said=found.text))
        if found["third"]:
            third = next(_said(found["third"], table), None)
            if third is None:
                continue
            conditions["third"] = _condition(third, found)
        way = "three" if found["third"] else "both"
        all_of_them = said.saying(f"{before} {found.said(way, **conditions)}{behind} {said.behind(found)}")
        if found["joined"] and not found["third"] and not denied and _is_never_both(pair, table):
            either = said.put(found, found.said("either", **conditions) + behind)
            return said.asking_back(found.said("asking", said=found.text), all_of_them.text, either.text)
        return all_of_them
    return None


def _pairs(found: Found, table: Table) -> Iterator[tuple[Said, Said]]:
    """Yield what two words say of the rows by two columns, one of which says yes or no."""
    for one, other in product(_said(found["one"], table), _said(found["other"], table)):
        if one[0] != other[0] and "" in (one[1], other[1]):
            yield one, other


def _said(word: str, table: Table) -> Iterator[Said]:
    """Yield the yes-or-no column that a word names, or the value that it is."""
    flag = columns.flag_named(word, table)
    if flag is not None:
        yield flag, ""
    else:
        yield from values_called(word, table)


def _condition(one: Said, found: Found, denied: str = "") -> str:
    column, value = one
    return found.said(f"{denied}{'value' if value else 'flag'}", column=column, value=value)


def _stands_in_a_list(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether more stands before the two words that belongs to them: other words, a denial, or groups."""
    before = said.before(found).strip().casefold()
    words = before.split()
    return before.endswith(",") or bool(words and words[-1] in table.words("never_before_both"))


def _is_a_share(before: str, table: Table) -> bool:
    """Tell whether a part of the rows is asked for, which is said of both at once by no words of the table."""
    return any(word.startswith(tuple(table.words("words_of_shares"))) for word in before.casefold().split())


def _with_its_figure(before: str, table: Table) -> str:
    """Return the words before the rows with the figure of these by its name: "amount of" may be a number of rows."""
    words = before.split()
    figure = (
        columns.named(words[-2], table) if len(words) > 1 and words[-1].casefold() in table.words("of_rows") else None
    )
    if figure is None or not columns.is_figure(figure, table):
        return before
    return " ".join((*words[:-2], f"`{figure}`", words[-1]))


def _is_never_both(pair: tuple[Said, Said], table: Table) -> bool:
    """Tell whether two yes-or-no columns that may be told row by row are never both true."""
    context = table.context
    places = []
    for column, value in pair:
        known = context.column(column)
        if value or not known.places or context.type_of(column) is ColumnType.TEXT:
            return False
        letters = {chr(FIRST_PLACE + place) for place, one in enumerate(known.values, 1) if one in (True, 1)}
        places.append([letter in letters for letter in known.places])
    return not any(map(all, zip(*places, strict=True)))
