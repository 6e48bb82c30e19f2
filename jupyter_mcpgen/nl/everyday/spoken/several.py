"""Several columns or figures at once: "all three scores", "every numeric column", "highest and lowest tip"."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table

MOST_COLUMNS = 12
"""Of more columns than these, nobody wants all figures side by side unless they are named."""
FIGURES, FUNCTIONS = ("x", "y", "z"), ("f", "g", "h")
"""What phrases call several columns, and several calculations."""


def all_of_a_kind(said: Speech, table: Table) -> Speech | None:
    """Say "all three scores" as `math_score`, `reading_score` and `writing_score`."""
    for found in said.find_all(table.wording("all_of_a_kind")):
        called = called_alike(found.folded("noun"), table)
        number = int(found.meant("n")) if found["n"] else len(called)
        if len(called) < len(FIGURES[:2]) or number != len(called) or _groups_by(said.word_before(found), table):
            continue
        listed = _listed(called, table)
        return said.put(found, f"{found['of']} {listed}", f"“{found['noun']}” are taken to be {listed}.")
    return None


def both_of_them(said: Speech, table: Table) -> Speech | None:
    """Say "show both the average bill and the tip" without "both", where what it stands before is a figure."""
    found = said.find(table.wording("both_of_them"))
    if found is None:
        return None
    computed = found.folded("one").split()[-1] in table.words("functions_beside")
    return said.put(found, found.said()) if computed or columns.last_figure(found["one"], table) else None


def every_number(said: Speech, table: Table) -> Speech | None:
    """Say "every numeric column" as all columns of figures."""
    found = said.find(table.wording("every_number"))
    if found is None or _groups_by(said.word_before(found), table):
        return None
    listed = numbers_listed(table, said.behind(found))
    if listed is None:
        return None
    return said.put(found, f"{found['of']} {listed}", f"“{found.text}” is taken to mean {listed}.")


def numbers_listed(table: Table, behind: str = "") -> str | None:
    """Return all columns of figures that no group behind them is; None where there are no two of them, or too many."""
    flags = set(columns.flags(table))
    grouped = {columns.named(word.strip("?.,`"), table) for word in behind.split()}
    names = table.context.profile.schema_.names
    figures = [name for name in names if table.context.is_number(name) and not table.context.is_code(name)]
    numbers = [name for name in figures if name not in flags | grouped]
    return _listed(numbers, table) if 1 < len(numbers) <= MOST_COLUMNS else None


def ends_beside(said: Speech, table: Table) -> Speech | None:
    """Say "highest, lowest and median tip" with words for calculations only."""
    found = said.find(table.wording("ends_beside"))
    if found is None:
        return None
    functions = [found[name] for name in FUNCTIONS if found[name]]
    plain = [table.meaning("ends_as_figures", word.casefold()) for word in functions]
    if [word.casefold() for word in functions] == plain:
        return None
    text = plain[0]
    for word in plain[1:]:
        text = table.say("joined", first=text, second=word)
    return said.put(found, text)


def each_figure_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "average and median bill and tip" as both figures of both columns."""
    for found in said.find_each(table.wording("each_figure_of_each")):
        named = [columns.figure(found[name], table) for name in FIGURES if found[name]]
        functions = [found[name] for name in FUNCTIONS if found[name]]
        known = [name for name in named if name is not None]
        if len(known) == len(named) and len(set(known)) == len(known):
            each = [f"{function} `{name}`" for name in known for function in functions]
            return said.put(found, _joined(each, table))
    return None


def called_alike(noun: str, table: Table) -> list[str]:
    """Return the columns of figures whose names end in a noun: all that are scores."""
    context, plain, flags = table.context, table.context.plain(noun), set(columns.flags(table))
    called = [name for name, words in context.column_words.items() if len(words) > 1 and words[-1] == plain]
    return [name for name in called if context.is_measure(name) and name not in flags]


def _groups_by(word: str, table: Table) -> bool:
    return word in table.words("ways_to_group")


def _listed(names: Sequence[str], table: Table) -> str:
    return _joined([f"`{name}`" for name in names], table)


def _joined(parts: Sequence[str], table: Table) -> str:
    """Return parts one after the other as the planner reads them: "a, b and c"."""
    return table.say("joined", first=", ".join(parts[:-1]), second=parts[-1])


def columns_from_to(said: Speech, table: Table) -> Speech | None:
    """Say "columns a to c" with all that stand between the two in the table."""
    found = said.find(table.wording("columns_from_to"))
    if found is None:
        return None
    names = list(table.context.profile.schema_.names)
    ends = [columns.named(found[key], table) for key in ("first", "last")]
    places = [names.index(name) for name in ends if name is not None]
    if len(places) != len(ends) or places[0] >= places[-1]:
        return None
    between = [name for name in names[places[0] : places[-1] + 1] if table.context.is_measure(name)]
    *first, last = (f"`{name}`" for name in between)
    return said.put(found, table.say("joined", first=", ".join(first), second=last)) if first else None
