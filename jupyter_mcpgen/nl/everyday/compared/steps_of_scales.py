"""Steps of a scale from one on: "fair or better condition", "risk of medium or worse", "rated 4 or better"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.stored_values import value_words

_UP, _DOWN, _GOOD, _BAD = "up", "down", "good", "bad"
"""Where a scale goes on, and at which of its ends better things are; the language's choices are called so."""
_LEAST, _MOST, _ABOVE, _BELOW = "at least", "at most", "more than", "less than"
"""On which side of a step its limit lies, called so by the language's choices as well."""


def step_or_beyond(said: Speech, table: Table) -> Speech | None:
    """Say "fair or better condition" as each step of that scale from `fair` on."""
    for found in said.find_each(table.wording("step_or_beyond")):
        column = _scale_of(found, table)
        if column is None:
            continue
        steps = table.context.column(column).order
        up = _goes_up(found, column, steps, table)
        if up is None:
            return said.refusing(found.said("which", said=found["beyond"], column=column, first=steps[0]))
        at = _place(found["step"], steps, table)
        return _keeping(said, found, column, steps[at:] if up else steps[: at + 1], table)
    return None


def limit_by_a_step(said: Speech, table: Table) -> Speech | None:
    """Say "priority of at least High" as each step of that scale from `High` on."""
    for found in said.find_each(table.wording("limit_by_a_step")):
        column = _scale_of(found, table)
        if column is None:
            continue
        steps, limit = table.context.column(column).order, found.meant("limit")
        at = _place(found["step"], steps, table)
        kept = {_LEAST: steps[at:], _MOST: steps[: at + 1], _ABOVE: steps[at + 1 :], _BELOW: steps[:at]}[limit]
        return _keeping(said, found, column, kept, table) if kept else None
    return None


def end_of_a_scale(said: Speech, table: Table) -> Speech | None:
    """Say "tickets with the highest priority" as those of the last step of that scale."""
    for found in said.find_each(table.wording("end_of_a_scale")):
        column = columns.label(found["what"], table)
        steps = table.context.column(column).order if column is not None else ()
        if column is None or not steps or (found["noun"] and not columns.is_row(found["noun"], table)):
            continue
        return _keeping(said, found, column, steps[-1:] if found.meant("end") == _UP else steps[:1], table)
    return None


def _keeping(said: Speech, found: Found, column: str, steps: tuple[str, ...], table: Table) -> Speech:
    """Say a phrase as one of some steps of a scale, and note which these are."""
    wording = table.wording("step_or_beyond")
    listed = f'"{steps[0]}"'
    for step in steps[1:]:
        listed = wording.say("another", {"steps": listed, "step": f'"{step}"'})
    parts = {"said": found.text, "column": column, "steps": ", ".join(f"“{step}”" for step in steps)}
    kept = wording.say("steps", {"column": column, "steps": listed})
    return said.put(found, f"{found['noun']} {kept}", wording.say("note", parts))


def step_of_another(said: Speech, table: Table) -> Speech | None:
    """Refuse "low csat tickets" where `Low` is a priority: a low figure has a limit, which is not said."""
    context = table.context
    for found in said.find_all(table.wording("step_of_another")):
        held = {value.column for value in context.values.get(found.folded("step"), ())}
        words = found["what"].split()
        widths = range(len(words), 0, -1)
        figure = next((c for c in (columns.measured(" ".join(words[:width]), table) for width in widths) if c), None)
        if not held or figure is None or columns.is_row(words[0], table):
            continue
        if not any(set(context.column_words[name]) & set(context.column_words[figure]) for name in held):
            return said.refusing(found.said(said=found["step"], figure=figure, column=min(held)))
    return None


def number_or_beyond(said: Speech, table: Table) -> Speech | None:
    """Say "rated 4 or better" as at least 4 of a rating, and as at most 4 of a rank."""
    for found in said.find_each(table.wording("number_or_beyond")):
        column = _rating_of(found, table)
        if column is None:
            continue
        ranked = bool(set(table.context.column_words[column]) & table.words("ranks_of_rows"))
        way = "most" if ranked == (found.meant("beyond") == _GOOD) else "least"
        note = found.said("note", said=found.text, column=column)
        return said.put(found, found.said(way, column=column), note)
    return None


def _scale_of(found: Found, table: Table) -> str | None:
    """Return the one column with an order of its own that has a value and is named beside it, if any is."""
    context, said = table.context, " ".join(value_words(found["step"]))
    fitting = [value.column for value in context.values.get(said, ()) if context.column(value.column).order]
    for name in ("what", "before"):
        named = columns.named(found[name], table) if found[name] else None
        if named is not None:
            return named if named in fitting else None
        if found[name]:
            return None  # a phrase with that word less is tried behind this one
    return fitting[0] if len(fitting) == 1 else None


def _place(step: str, steps: tuple[str, ...], table: Table) -> int:
    """Return the place of a step in its scale."""
    folded = [" ".join(value_words(each)) for each in steps]
    return folded.index(" ".join(value_words(step)))


def _goes_up(found: Found, column: str, steps: tuple[str, ...], table: Table) -> bool | None:
    """Tell whether steps above are meant, or those below; None where nothing tells which of them are better."""
    meant = found.meant("beyond")
    if meant in (_UP, _DOWN):
        return meant == _UP
    ends = [table.meaning("steps_by_worth", " ".join(value_words(step))) for step in steps]
    own = {table.meaning("scales_by_worth", word) for word in table.context.column_words[column]}
    upper = next((end for end in reversed(ends) if end in (_GOOD, _BAD)), None)
    lower = next((end for end in ends if end in (_GOOD, _BAD)), None)
    if upper is not None and upper != lower:
        return meant == upper
    if upper is not None:
        return (meant == upper) == (ends[-1] == upper)
    named = own & {_GOOD, _BAD}
    return meant == named.pop() if len(named) == 1 else None


def _rating_of(found: Found, table: Table) -> str | None:
    """Return the column of ratings or ranks that a number is of; None where a word beside it names none."""
    context = table.context
    rated = table.words("ratings") | table.words("ranks_of_rows")
    fitting = [name for name, own in context.column_words.items() if set(own) & rated and context.is_measure(name)]
    said = found["what"] or found["verb"]
    if not said:
        return fitting[0] if len(fitting) == 1 else None
    named = columns.named(said, table, columns.STEMMED)
    if named is None and found["verb"]:
        akin = [name for name in fitting if any(table.akin(said.casefold(), own) for own in context.column_words[name])]
        named = akin[0] if len(akin) == 1 else fitting[0] if len(fitting) == 1 else None
    return named if named in fitting else None
