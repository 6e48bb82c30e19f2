"""What happened to rows, where a column of labels has a value for it: "failed readings", "number of warnings"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found

FEW_OUTCOMES = 12
"""A column with more different values than this tells no outcomes."""
SHORTEST_OUTCOME = 3
MOST_DEEDS = 3
"""How many such verbs of one question are said by their values."""


def came_most(said: Speech, table: Table) -> Speech | None:
    """Say "which sensor failed most often" as the one with the most rows of that outcome."""
    found = said.find(table.wording("came_most"))
    value = outcome_of(found.folded("verb"), table) if found else None
    if found is None or value is None or columns.entity(found["np"], table) is None:
        return None
    end = found.meant("end")
    return said.put(found, found.said(end, column=value.column, value=value.value), _note(found["verb"], value))


def did_to_rows(said: Speech, table: Table) -> Speech | None:
    """Say "how many orders did Acme return" as the orders of Acme with that outcome."""
    found = said.find(table.wording("did_to_rows"))
    value = _outcome(found.folded("verb"), table) if found else None
    if found is None or value is None or table.is_data(found["verb"]):
        return None
    group = columns.label(found["noun"], table)
    if group is None and not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    figure = table.say("number_of_different", column=group) if group else table.say("number_of_rows")
    text = found.said(figure=figure, column=value.column, value=value.value)
    return said.put(found, text, _note(found["verb"], value))


def outcomes(said: Speech, table: Table) -> Speech | None:
    """Say "failed readings" and "number of failures" by the value that says so."""
    for found in said.find_all(table.wording("outcomes")):
        value = outcome_of(found.folded("word"), table)
        following = (said.behind(found).split() or [""])[0].strip("?,.!").casefold()
        beside = columns.is_period(following, table) or following in table.words("rate_words")
        asked = said.before(found).casefold().split()
        if len(asked) == 1 and asked[0] in table.words("do"):
            continue  # "does dust reduce …" asks what it does, and not for those rows
        if value is not None and not beside:
            said_so = found.said(_way(said, found, table), column=value.column, value=value.value)
            return said.put(found, said_so, _note(found["word"], value))
    return None


def on_offer(said: Speech, table: Table) -> Speech | None:
    """Say "homes for sale" by the one value that says so, such as `Active`; what is sold is not for sale."""
    found = said.find(table.wording("on_offer"))
    if found is None or table.is_data(found["state"]):
        return None
    known = [value for word in table.words("states_on_offer") for value in table.context.values.get(word, ())]
    if len(known) == 1:
        text = found.said("value", column=known[0].column, value=known[0].value)
        return said.put(found, text, _note(found["state"], known[0]))
    taken = any(table.context.values.get(word) for word in table.words("states_taken"))
    return said.refusing(found.said("none", state=found["state"])) if taken else None


def deed_as_value(said: Speech, table: Table) -> Speech | None:
    """Say "quantity issued" by the value `issue`: a verb that says nothing elsewhere is no empty word beside it."""
    changed = said
    for _ in range(MOST_DEEDS):
        again = _one_deed_as_value(changed, table)
        if again is None:
            break
        changed = again
    return changed if changed is not said else None


def _one_deed_as_value(said: Speech, table: Table) -> Speech | None:
    for found in said.find_all(table.wording("deed_as_value")):
        value = _value_of_an_empty_verb(found.folded("word"), table)
        if value is not None:
            way = _way(said, found, table)
            text = found.said(way if way != "noun" else "verb", column=value.column, value=value.value)
            return said.put(found, text, _note(found["word"], value))
    return None


def deed_of(word: str, table: Table) -> m.Value | None:
    """Return the value that a verb says of rows, also one that says nothing over other tables."""
    return _value_of_an_empty_verb(word, table) or outcome_of(word, table)


def _value_of_an_empty_verb(word: str, table: Table) -> m.Value | None:
    """Return the value that a verb like "issued" is of, which elsewhere says of the rows what they all are."""
    meanings = table.context.lexicon.meanings(word)
    if not meanings or not all(isinstance(meaning, m.Describing) for meaning in meanings):
        return None
    known = table.is_data(word) or table.context.columns_with(table.context.plain(word))
    value = None if known or columns.date_of(word, table) is not None else _outcome(word, table)
    return value if value is not None and (_is_no_deal(meanings) or _has_other_deeds(value, table)) else None


def _is_no_deal(meanings: tuple[m.Meaning, ...]) -> bool:
    return not any(isinstance(meaning, m.Describing) and meaning.deals for meaning in meanings)


def _has_other_deeds(value: m.Value, table: Table) -> bool:
    """Tell whether a column tells deeds apart: "sale" beside "return" is what was sold, beside "regular" a price."""
    others = {str(known).casefold() for known in table.context.column(value.column).values} - {value.value.casefold()}
    deeds = table.words("trading") | table.words("handled") | table.words("deeds_of_rows")
    return any(table.akin(deed, other) for deed in deeds for other in others)


def _way(said: Speech, found: Found, table: Table) -> str:
    """Tell how a word stands: before the noun that it is said of, as a noun itself, or as the verb of a clause."""
    following = (said.behind(found).split() or [""])[0].strip("?,.!").casefold()
    is_noun = columns.is_row(following, table, table.words("one_row")) or columns.is_plural(following, table)
    if following and is_noun:
        return "before"
    if columns.is_plural(found["word"], table):
        return "noun"
    before = said.before(found)
    chosen = bool(table.words("among_those") & set(before.casefold().split()))
    if Speech(before).find(table.wording("a_share")) and not chosen:
        return "manner"  # it is what is asked of the cloudy samples, and does not choose them
    return "manner" if found.folded("word").endswith(tuple(table.endings("adverbs"))) else "verb"


def outcome_of(word: str, table: Table) -> m.Value | None:
    """Return the one value of a column of few labels that a word is a form of, where it is no other word."""
    return None if columns.is_known(word, table) else _outcome(word, table)


def outcome_of_a_rate(noun: str, table: Table) -> m.Value | None:
    """Return the value that the noun before "rate" is of, also where the language has another use for the word."""
    column = columns.named(noun, table)
    return _outcome(noun, table) if column is None and not table.is_data(noun) else None


def _outcome(word: str, table: Table) -> m.Value | None:
    context = table.context
    bare = {word.removesuffix(ending) for ending in table.endings("adverbs")}
    found = [
        value
        for said, values in context.values.items()
        if len(said) >= SHORTEST_OUTCOME and said.isalpha() and (said in bare or table.akin(word, said))
        for value in values
        if context.column(value.column).complete and context.column(value.column).distinct <= FEW_OUTCOMES
    ]
    return found[0] if len(found) == 1 else None if found else _ending_in(word, table)


def _ending_in(word: str, table: Table) -> m.Value | None:
    """Return the one value of two words of a column of few labels that ends in a form of a word: "Closed Won"."""
    context = table.context
    found = [
        value
        for said, values in context.values.items()
        if len(parts := said.split()) == 2 and parts[1].isalpha() and table.akin(word, parts[1])
        for value in values
        if context.column(value.column).complete and context.column(value.column).distinct <= FEW_OUTCOMES
    ]
    return found[0] if len(found) == 1 else None


def _note(word: str, value: m.Value) -> str:
    return f"“{word}” is taken to mean that `{value.column}` is {value.value}."
