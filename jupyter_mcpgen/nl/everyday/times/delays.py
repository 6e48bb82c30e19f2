"""What columns of delays tell of their rows: "departed late", "arrived on time", "left early", "on-time rate"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term

MINUTE = "minute"


def said_of_delays(said: Speech, table: Table) -> Speech | None:
    """Say "departed late" as a departure delay above 0, "on time" as one of at most 0; of two delays, ask."""
    for found in said.find_each(table.wording("said_of_delays")):
        late = found.folded("late")
        told = (columns.flag_of(word, table) or columns.flag_of_event(word, table) for word in late.split("-"))
        if table.is_data(late) or any(told):
            continue
        if found["noun"] and not columns.is_row(found["noun"], table):
            continue
        fitting = [name for name in delays_of(found.folded("verb"), table) if _may_be_so(name, found, table)]
        if fitting:
            return _of_one_or_several(said, found, fitting, table)
    return None


def delays_of(verb: str, table: Table) -> list[str]:
    """Return the columns of delays in minutes that a verb is said of: `dep_delay` of "departed", any where none is."""
    context, delays = table.context, table.words("told_in_minutes")
    names = [name for name, own in context.column_words.items() if set(own) & delays and context.is_measure(name)]
    names = [name for name in names if table.meaning("units_of_time", _unit(name, table)) in ("", MINUTE)]
    plain = table.context.lexicon.base(verb)
    same = {word for group in table.vocabulary.same_event if {verb, plain} & group for word in group}
    called = [name for name in names if same & set(context.column_words[name])]
    return called or names if same else names


def _unit(name: str, table: Table) -> str:
    return (table.context.column(name).unit or "").casefold()


def _may_be_so(name: str, found: Found, table: Table) -> bool:
    """Tell whether what is said of a delay may be: nothing is early where no delay is below 0."""
    least = table.context.column(name).minimum
    return found.meant("late") != "below" or (isinstance(least, int | float) and least < 0)


def _of_one_or_several(said: Speech, found: Found, names: list[str], table: Table) -> Speech:
    limited = bool(found["n"]) and found.meant("late") == "above"
    parts = {"side": found.meant("side"), "n": found["n"]} if limited else {"side": found.meant("late"), "n": "0"}
    way = (
        "rate"
        if found["rate"]
        else "rows"
        if found["noun"] or found.folded("verb") in table.words("nouns_with_delays")
        else "where"
    )
    end = _end(found, table.words("best")) if found["end"] else ""
    texts = [said.put(found, found.said(way, column=name, end=end, **parts)).text for name in names]
    if len(names) > 1:
        listed = " or ".join(f"`{name}`" for name in names)
        return said.asking_back(f"“{found.text.strip()}” may be said of {listed}.", *texts)
    about = found["late"] if limited else found.text.strip()
    note = found.said("beyond" if limited else "note", said=about, column=names[0], **parts)
    return said.saying(texts[0], note)


def _end(found: Found, judging: frozenset[str]) -> Term:
    """Return which end of a rate is meant: the best rate of late ones is the lowest."""
    end = Term(found.meant("end"))
    if found.folded("end") in judging and found.meant("late") == "above":
        return Term.LOWEST if end is Term.HIGHEST else Term.HIGHEST
    return end
