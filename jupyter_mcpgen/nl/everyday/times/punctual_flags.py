"""Tables that say themselves what was on time: "late trips" over a column `on_time`, whatever other columns tell."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.words.forms import split_name

LATE, ON_TIME = "above", "at most"


def punctual_or_not(said: Speech, table: Table) -> Speech | None:
    """Say "late and on-time trips" by the column that tells both, which makes them two groups."""
    flag = _flag(table)
    for found in said.find_each(table.wording("punctual_or_not")):
        both = {found.meant("late"), found.meant("other")} == {LATE, ON_TIME}
        if flag is not None and both and not any(table.is_data(found[noun]) for noun in ("noun", "things")):
            return said.put(found, found.said(column=flag[0]))
    return None


def how_late(said: Speech, table: Table) -> Speech | None:
    """Refuse "how late were the trips" and "how many minutes late": of a delay, an average or a total may be meant.

    Where no column holds a delay, a flag or two dates may tell what is late, but the number of such rows is no amount.
    """
    for found in said.find_each(table.wording("how_late")):
        words = {found.folded("late"), table.context.lexicon.having_some.get(found.folded("late"), "")}
        delays = [name for name, own in table.context.column_words.items() if words & set(own)]
        if len(delays) == 1 and columns.is_figure(delays[0], table):
            return said.refusing(found.said("delay", said=found.text.strip(), column=delays[0]))
        return said.refusing(found.said("none", said=found.text.strip(), late=found["late"]))
    return None


def said_by_flag(said: Speech, table: Table) -> Speech | None:
    """Say "late trips" as those whose `on_time` is no, and "on-time trips" as those whose it is yes."""
    flag, made = _flag(table), None
    while flag is not None and (further := _said_once(made or said, *flag, table)) is not None:
        made = further
    return made


def _said_once(said: Speech, column: str, says: str, table: Table) -> Speech | None:
    for found in said.find_each(table.wording("said_by_flag")):
        late, by_how_much = found.meant("late"), said.word_before(found) in table.words("units_of_times")
        if late not in (LATE, ON_TIME) or by_how_much or _is_value(found.folded("late"), table):
            continue
        if table.is_data(found["noun"]):
            continue
        note = "" if late == says else table.say("taken_to_be_false", said=found["late"], column=column)
        if found["rate"]:
            return said.put(found, found.said("rate", column=column, side=Term.FALSE if note else Term.TRUE), note)
        return said.put(found, found.said("no" if note else "yes", column=column), note)
    return None


def _is_value(word: str, table: Table) -> bool:
    return word.replace("-", " ") in table.context.values


def _flag(table: Table) -> tuple[str, str] | None:
    """Return the one yes-or-no column that is called late or on time, and which of the two it says."""
    told = []
    for name in columns.flags(table):
        words = " ".join(word for word in split_name(name) if word not in table.context.lexicon.truth_prefixes)
        says = {table.meaning(key, words) for key in ("late_or_early", "late_or_early_before")} & {LATE, ON_TIME}
        told += [(name, side) for side in says]
    return told[0] if len(told) == 1 else None
