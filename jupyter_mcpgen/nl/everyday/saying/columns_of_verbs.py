"""Which column the verb of a sentence stands for: "earn" and `salary`, "won" and `winner`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.words.forms import is_irregular_past


def measure_of_verb(verb: str, table: Table) -> str | None:
    """Return the column of what a verb does: "earn" and `salary`, "tip" and `tip`."""
    context, verbs = table.context, table.vocabulary.verbs
    own = {name: words for name, words in context.column_words.items() if columns.is_figure(name, table)}
    skip = set(columns.flags(table))
    found = [name for name in own if name not in skip and any(_is_of_deed(word, verb, table) for word in own[name])]
    noun = context.plain(verb)
    alike = [name for name in skip if context.is_number(name) and context.column_words[name][-1] == noun]
    if alike and [own[name][-1] for name in found] == [noun]:
        return None  # "cards" may be those of `Yellow Cards`, and of `Red Cards`, of which no match had two
    whole = [name for name in found if len(set(own[name]) - context.optional_words[name]) == 1]
    for choice in (found, whole):
        if len(choice) == 1:
            return choice[0]
    if found or (columns.is_known(verb, table) and verb not in verbs):
        return None
    return (columns.money(verbs[verb], table) or columns.ranking(verbs[verb], table)) if verb in verbs else None


def called_by_verb(verb: str, table: Table) -> str | None:
    """Return the one column of figures that has a verb, or another form of it, in its name: "paid" and `paid_amt`."""
    own, skip = table.context.column_words, set(columns.flags(table))
    measures = [name for name in own if columns.is_figure(name, table) and name not in skip]
    found = [name for name in measures if any(table.akin(verb, word) for word in own[name])]
    found = [name for name in found if not columns.tells_something_else(name, [verb], table)]
    return found[0] if len(found) == 1 else None


def date_of_event(noun: str, table: Table) -> str | None:
    """Return the one date that some rows lack of what a noun says, also in other words: `cancelled_on` for "churn"."""
    same = dict.fromkeys(word for group in table.vocabulary.same_event if noun in group for word in sorted(group))
    dates = {date for word in (same or (noun,)) if (date := columns.date_of(word, table)) is not None}
    return next((date for date in dates if len(dates) == 1 and table.context.column(date).nulls), None)


def cost_or(column: str, word: str, table: Table) -> str:
    """Return the one column of costs where a word is of spending and a column is of what came in, else this column."""
    costs, own = table.words("spent"), table.context.column_words
    found = [name for name, words in own.items() if columns.is_figure(name, table) and costs & set(words)]
    return found[0] if word in costs and len(found) == 1 and not costs & set(own[column]) else column


def doer(verb: str, table: Table) -> str | None:
    """Return the one column of labels that is called after who does what a verb says: `Winner` and "won"."""
    noun = table.meaning("doers", verb)
    own = table.context.column_words
    fitting = [name for name, words in own.items() if noun != verb and words[-1:] == (noun,)]
    fitting = fitting or [name for name, words in own.items() if words and _does(words[-1], verb, table)]
    fitting = [name for name in fitting if not table.context.is_measure(name) and not table.context.names_rows(name)]
    return fitting[0] if len(fitting) == 1 else None


def _does(noun: str, verb: str, table: Table) -> bool:
    """Tell whether a noun is of who does what a verb says: "director" of "directed"."""
    ends = tuple(ending.removesuffix("s") for ending in table.endings("doers"))
    return noun.endswith(ends) and noun != verb and table.akin(verb, noun)


def _is_of_deed(noun: str, verb: str, table: Table) -> bool:
    """Tell whether a noun is of what a verb says, and not of those who do it: `pickers` is no amount picked."""
    return table.akin(verb, noun) and (verb.startswith(noun) or not _does(noun, verb, table))


def is_done(verb: str, table: Table) -> bool:
    """Tell whether a word says what was done in a row: the most efficient or skilled one has not the most rows."""
    done = verb.endswith(table.context.lexicon.participles) or is_irregular_past(verb, table.context.lexicon.language)
    return verb in table.words("liked") or (done and verb not in table.words("states_of_things"))
