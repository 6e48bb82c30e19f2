"""What holds of all rows of a group, or of none: "students who passed all exams", "customers with no late orders"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.stored_values import value_words


def in_all_rows(said: Speech, table: Table) -> Speech | None:
    """Say "students who passed all exams" as those who have never had a row without it."""
    found = said.find(table.wording("in_all_rows"))
    if found is None or not _are_its_rows(found["what"], table):
        return None
    side, date = side_of(found["verb"], table), _date_of_a_deed(found.folded("verb"), table)
    column = side[0] if side is not None else date
    if column is None:
        return None
    kind = columns.label(found["what"], table) if found["what"] else None
    if found.folded("all") in table.words("one_by_one") and (kind is not None or found["how"]):
        return _one_by_one(said, found, side, kind)
    group = _group_of_all(found, column, table)
    if group is None:
        return None if found["noun"] else said.refusing(found.said("nobody", all=found["all"]))
    if found["rest"]:
        return said.refusing(found.said("part", group=group, rest=found["rest"]))
    if side is None:
        note = f"All are taken to be the rows of each `{group}`, of which none lacks its `{column}`."
        return said.put(found, found.said(f"{_way(found)}_dated", group=group, column=column), note)
    if table.context.column(column).nulls:
        return said.refusing(found.said("unknown", said=found["verb"], column=column, group=group))
    value = Term.FALSE if side[1] else Term.TRUE
    note = f"All are taken to be the rows of each `{group}`, of which none has another `{column}`."
    return said.put(found, found.said(_way(found), group=group, column=column, value=value), note)


def _date_of_a_deed(verb: str, table: Table) -> str | None:
    """Return the date of what a verb says, where some rows have none: "returned" of `returned_on`."""
    date = columns.date_of(verb, table)
    return date if date is not None and table.context.column(date).nulls else None


def _one_by_one(said: Speech, found: Found, side: tuple[str, bool] | None, kind: str | None) -> Speech | None:
    """Say "how many passed each module" as a count by module; of "each exam", either may be meant."""
    if kind is None:
        return said.refusing(found.said("open", said=found["verb"], all=found["all"], what=found["what"] or "row"))
    if not found["how"] or found["noun"] or found["rest"] or side is None:
        return None
    return said.put(found, found.said("each", column=side[0], value=Term.TRUE if side[1] else Term.FALSE, kind=kind))


def in_no_row(said: Speech, table: Table) -> Speech | None:
    """Say "customers with no reopened tickets" as those who have never had one."""
    found = said.find(table.wording("in_no_row"))
    group = _group(found, table) if found else None
    such = _such(found["which"], table) if found and group else None
    if found is None or group is None or such is None or such[0] == group:
        return None
    if found["rest"]:
        return said.refusing(found.said("part", group=group, rest=found["rest"]))
    column, value = such
    note = f"Those with no row of that kind at all are looked for, among each `{group}`."
    return said.put(found, found.said(_way(found), group=group, column=column, value=value), note)


def without_a_value(said: Speech, table: Table) -> Speech | None:
    """Say "stalls without plums" as those that never have a row with them, not as all that have a row with others."""
    for found in said.find_each(table.wording("without_a_value")):
        group = columns.entity(found["noun"], table)
        if group is None or _has_a_row_each(found["noun"], group, table):
            continue
        such = _such(found["which"], table)
        own = columns.named(found["which"], table) if such is None else None
        if own is not None and own != group and columns.may_be_lacking(own, table):
            return said.refusing(found.said("empty", group=group, column=own))
        if such is None and (several := _several(found["which"], group, table)):
            return said.refusing(found.said("several", first=several))
        if such is None or such[0] == group:
            continue
        column, value = such
        if "rest" not in found.phrase.meanings:
            return said.refusing(found.said("inside", group=group, column=column, value=value))
        if found["rest"]:
            return said.refusing(found.said("part", group=group, rest=found["rest"]))
        note = f"Those with no row of that kind at all are looked for, among each `{group}`."
        return said.put(found, found.said(_way(found), group=group, column=column, value=value), note)
    return None


def _several(text: str, group: str, table: Table) -> str:
    """Return the first of several values that words join, such as "rugs or lamps"; nothing where they are none."""
    words = text.split()
    joined = next((at for at, word in enumerate(words) if word.casefold() in table.words("joining")), 0)
    first = _such(" ".join(words[:joined]), table) if joined else None
    return " ".join(words[:joined]) if first is not None and first[0] != group else ""


def _has_a_row_each(noun: str, group: str, table: Table) -> bool:
    """Tell whether a noun is what rows are, or tells each of them apart, so that a row says all about one."""
    return table.context.is_key(group) or (columns.is_row(noun, table) and not _repeats(group, table))


def _repeats(group: str, table: Table) -> bool:
    known = table.context.column(group)
    return known.distinct < table.context.profile.rows - known.nulls


def _are_its_rows(what: str, table: Table) -> bool:
    """Tell whether "all exams" are all rows of each: nothing is said, a row is an exam, or each row tells of one."""
    return not what or _are_rows(what, table) or columns.label(what, table) is not None


def _are_rows(what: str, table: Table) -> bool:
    return columns.is_row(what, table, table.words("one_row")) or columns.dates_rows(what, table)


def _group_of_all(found: Found, flag: str, table: Table) -> str | None:
    """Return the column of those of whom "all" is said; without a noun, the only column of labels besides."""
    own = columns.label(found["what"], table) if found["what"] else None
    if found["noun"]:
        group = columns.entity(found["noun"], table)
        return group if own is not None else _group(found, table) if found["what"] else group
    names = [name for name in table.context.profile.schema_.names if name not in (own, flag)]
    labels = [name for name in names if columns.label(name, table) == name]
    return labels[0] if len(labels) == 1 else None


def _group(found: Found, table: Table) -> str | None:
    """Return the column of those of whom it is said, where each has several rows and these are what is counted."""
    group = columns.entity(found["noun"], table)
    return group if _are_rows(found["what"], table) and not columns.is_row(found["noun"], table) else None


def _way(found: Found) -> str:
    return "counted" if found["how"] else "listed"


def _such(text: str, table: Table) -> tuple[str, str] | None:
    """Return the column that words before the noun of a row are about, and its value as it is said."""
    side = side_of(text, table)
    flag = columns.flag_named(text, table)
    if flag is not None or side is not None:
        column, says_yes = (flag, True) if flag is not None else side or ("", True)
        return column, Term.TRUE if says_yes else Term.FALSE
    words = value_words(text)
    for end in range(len(words), 0, -1):
        said = " ".join(words[:end])
        values = table.context.values.get(said, ()) or table.context.values_in_plural.get(said, ())
        rest = " ".join(words[end:])
        if len(values) == 1 and (not rest or columns.named(rest, table) == values[0].column):
            return values[0].column, f'"{values[0].value}"'
    return None
