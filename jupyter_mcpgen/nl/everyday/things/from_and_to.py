"""Where rows begin and end: "parcels from Leeds to Hull", "words into French", "trips between A and B"."""

from __future__ import annotations

from jupyter_mcpgen.nl.computed.vocabulary import load_computed
from jupyter_mcpgen.nl.ends import Ends, ends_of
from jupyter_mcpgen.nl.everyday.deeds.outcomes import deed_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.stored_values import value_words


def from_one_to_another(said: Speech, table: Table) -> Speech | None:
    """Say "from Leeds to Hull" by the column of where rows begin and the one of where they end."""
    ends = _ends(table)
    for found in said.find_all(table.wording("from_one_to_another")) if ends is not None else ():
        first, second = (_at_an_end(found[name], ends, table) for name in ("a", "b"))
        if ends is not None and first is not None and second is not None:
            return said.put(found, found.said(begin=ends[0], end=ends[1], a=first, b=second), _note(ends))
    return None


def between_two_ends(said: Speech, table: Table) -> Speech | None:
    """Say "trips between Leeds and Hull" as those from one of them to the other."""
    ends = _ends(table)
    for found in said.find_all(table.wording("between_two_ends")) if ends is not None else ():
        first, second = (_at_an_end(found[name], ends, table) for name in ("a", "b"))
        if ends is not None and first is not None and second is not None and first != second:
            note = f"“{found.text}” is taken to be from either of both to the other one."
            text = found.said(begin=ends[0], end=ends[1], a=first, b=second, rest=said.behind(found))
            return said.saying(f"{said.before(found)} {text}", note)
    return None


def from_or_to(said: Speech, table: Table) -> Speech | None:
    """Say "went to York" and "words into French" by the column of where rows end, "from York" by the other one."""
    ends, changed = _ends(table), said
    for _ in ends or ():  # one of each
        found = next(
            (one for one in changed.find_all(table.wording("from_or_to")) if _is_an_end(one, changed, ends, table)),
            None,
        )
        value = _at_an_end(found["a"], ends, table) if found is not None else None
        if found is None or ends is None or value is None:
            break
        column = ends[0] if found["from"] else ends[1]
        way = "first" if changed is said else "also"
        changed = changed.put(found, found.said(way, verb=_verb(found, table), column=column, a=value))
    return changed.saying(changed.text, _note(ends)) if ends is not None and changed is not said else None


def _is_an_end(found: Found, said: Speech, ends: Ends | None, table: Table) -> bool:
    """Tell whether a value behind "from" or "to" is said of an end of the rows, and nothing is compared with it."""
    before = said.word_before(found)
    if _at_an_end(found["a"], ends, table) is None or before in table.words("not_of_ends"):
        return False
    if found["from"] or found["into"] or found["verb"] or before.endswith('"'):
        return True
    of_rows = columns.is_row(before, table) or columns.is_plural(before, table)
    return of_rows or columns.figure(before, table) is not None


def _verb(found: Found, table: Table) -> str:
    """Return a verb before an end where it chooses rows; "went" says nothing more, nor does "sent" of `sent_on`."""
    verb = found.folded("verb")
    date = columns.date_of(verb, table) if verb else None
    of_all = date is not None and not table.context.column(date).nulls
    tells = columns.is_of_the_data(verb, table) or columns.flag_of(verb, table) or deed_of(verb, table) or date
    return found["verb"] if verb and tells and not of_all else ""


def _note(ends: Ends) -> str:
    return f"“From” is taken to be about `{ends[0]}`, and “to” about `{ends[1]}`."


def _ends(table: Table) -> Ends | None:
    """Return the two columns of where rows begin and end, where there is one such pair."""
    vocabulary = load_computed(table.vocabulary.language)
    pairs = list(ends_of(vocabulary, table.context)) if vocabulary is not None else []
    return pairs[0] if len(pairs) == 1 else None


def _at_an_end(text: str, ends: Ends | None, table: Table) -> str | None:
    """Return the value of one of both columns that words name, as it is written."""
    words = " ".join(value_words(text))
    values = table.context.values.get(words, ()) if ends is not None else ()
    held = {value.column: value.value for value in values}
    if ends is None or not set(held) <= set(ends) or len(set(held.values())) != 1:
        return None
    return next(iter(held.values()))


def outside(said: Speech, table: Table) -> Speech | None:
    """Say "orders outside Oslo" as those where the one column that has Oslo says something else."""
    for found in said.find_all(table.wording("outside")):
        held = dict(values_called(found["a"].strip("?.,!"), table))
        if len(held) == 1:
            ((column, value),) = held.items()
            part = not table.words("nouns_of_parts").isdisjoint(said.before(found).casefold().split())
            return said.put(found, found.said("of_a_part" if part else "rows", column=column, a=value))
    return None


def in_the_same(said: Speech, table: Table) -> Speech | None:
    """Say "in the same zone" of a table with a zone at each of two ends as the one being the other."""
    found = said.find(table.wording("in_the_same"))
    if found is None:
        return None
    context = table.context
    plain = context.plain(found.folded("noun"))
    ends = [name for name, own in context.column_words.items() if len(own) > 1 and own[-1] == plain]
    whole = [name for name, own in context.column_words.items() if own == (plain,)]
    if len(ends) != 2 or whole or context.type_of(ends[0]) is not context.type_of(ends[1]):
        return None
    note = f"“{found.text}” is taken to mean that `{ends[0]}` and `{ends[1]}` are equal."
    return said.put(found, found.said(first=ends[0], second=ends[1]), note)
