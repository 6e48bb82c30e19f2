"""Identifiers, which name and do not measure."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing, OneStep
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import parts
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Both, Column, Figure, Holds, Is, Rate
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.schema.row_nouns import NAMED
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction

_NAMED = 0.02
"""What a mention costs at most that says the whole header."""
_EQUAL = frozenset({CompareOp.EQ, CompareOp.NE})


def compares_identifiers(found: Derivation, table: Table) -> bool:
    """Tell whether identifiers are compared by size though only their things were named: "orders over 100"."""
    for phrase in found.phrases():
        if phrase.category is not C.TEST:
            continue
        sized = {
            one.left.name
            for one in (phrase.meaning.terms if isinstance(phrase.meaning, Both) else (phrase.meaning,))
            if isinstance(one, Holds) and isinstance(one.left, Column) and one.op not in _EQUAL
        }
        for part in phrase.parts:
            thing = part.rule == "column" and part.cost > _NAMED and part.meaning.name in sized
            if thing and table.column(part.meaning.name).is_identifier:
                return True
    return False


def counts_one_by_one(found: Derivation, table: Table) -> bool:
    """Tell whether rows are counted by what is different in each of them, which says 1 of every row."""
    answer = found.answer
    if not isinstance(answer, Grouping) or answer.window is not None or answer.chart is not None:
        return False
    counts = all(isinstance(one, Figure) and one.function is AggregateFunction.COUNT for one in answer.measures)
    return counts and any(isinstance(key, Column) and table.column(key.name).is_unique for key in answer.keys)


def each_of_nothing(found: Derivation, table: Table) -> bool:
    """Tell whether a figure was asked "of each" and no groups were found."""
    said = any(phrase.rule == "figures.for_each_one" for phrase in found.phrases())
    return said and isinstance(found.answer, Grouping) and not found.answer.keys


def measures_an_adjective(found: Derivation, table: Table) -> bool:
    """Tell whether a number is taken for what only describes things: "active users" are no active minutes."""
    nouns = {thing.words[-1] for thing in table.schema.row.repeated}
    for first, second in pairwise(found.cover.phrases):
        beside = first.category is C.TERM and first.rule == "column" and first.last == second.first
        thing = second.rule == "row" and second.meaning.word.rpartition(" ")[2] in nouns
        if beside and thing and table.is_number(first.meaning.name):
            return True
    return False


def counts_before_rows(found: Derivation, table: Table) -> bool:
    """Tell whether a column is counted that only describes the rows behind it: "how many covered stalls"."""
    starts = _rows_named(found, table)
    return any(one.rule == "figures.count_column" and one.last in starts for one in found.phrases())


def _rows_named(found: Derivation, table: Table) -> set[int]:
    """Return where nouns for the rows stand, also those that are left unread."""
    nouns = {noun.words[-1] for noun in table.schema.row.nouns}
    unread = zip(found.cover.unread, found.unread, strict=True)
    left = {at for at, word in unread if not nouns.isdisjoint(table.lexicon.lemmas(word))}
    return left | {one.first for one in found.phrases() if one.category is C.ENTITY and not one.parts}


def such_of_nothing(found: Derivation, table: Table) -> bool:
    """Tell whether a word such as "lost" is read as one for some rows that stands for what they did."""
    starts = _rows_named(found, table)
    such = [one for one in found.phrases() if one.rule == "conditions.such"]
    pairs = (pair for one in found.phrases() for pair in pairwise(one.parts))
    told = [part for before, part in pairs if before.category in (C.IS, C.WHERE, C.NOT)]
    limited = [test.left for test in found.query.tests if isinstance(test, Holds)]
    twice = any(limited.count(one.meaning.left) > 1 for one in such)  # "delayed more than 15 minutes"
    return twice or any((one.last not in starts and one not in told) or found.query.compared for one in such)


def asks_for_rows_by_header(found: Derivation, table: Table) -> bool:
    """Tell whether "what is the state" is read as "which row" because a header says more of a state."""
    if not isinstance(found.answer, Listing) or found.answer.columns or found.answer.order is not None:
        return False
    phrases = found.cover.phrases
    asked = [one.parts[-1] for one in phrases if one.rule == "groups.which_thing"]
    asked += [
        one for before, one in pairwise(phrases) if table.lists("questioning", getattr(before.meaning, "said", ""))
    ]
    return any(one.rule == "row" and one.cost > NAMED and table.has_word(_last_word(one)) for one in asked)


def _last_word(phrase: Phrase) -> str:
    return str(phrase.meaning.word.rpartition(" ")[2])


def nth_of_each(found: Derivation, table: Table) -> bool:
    """Tell whether "second highest price by product" is taken for the products, and not for the prices in each."""
    extreme = found.query.extreme
    if extreme is None or extreme.nth is None or not isinstance(extreme.by, Column):
        return False
    by = any(table.lists("grouping", word) for word in found.unread)
    return bool(found.query.keys) or (by and any(term != extreme.by for term in found.query.terms))


def compares_one_group(found: Derivation, table: Table) -> bool:
    """Tell whether groups are compared of which a condition leaves one alone."""
    answer = found.answer
    used = names_in(answer.step) if isinstance(answer, OneStep) else set()
    return any(isinstance(test, Is) and len(test.values) == 1 and test.column in used for test in found.query.tests)


def figures_apart(found: Derivation, table: Table) -> bool:
    """Tell whether a part or a bare number of the rows stands beside another figure and nothing joins the two."""
    figures = [one for one in found.cover.phrases if one.category is C.FIGURE]
    alone = (isinstance(one.meaning, Rate) or one.rule == "figures.count_rows" for one in figures)
    return len(figures) > 1 and any(alone)


def checks_who_is_first(found: Derivation, table: Table) -> bool:
    """Tell whether "is Leeds the town" is read as "which town" and nothing says which comes first."""
    guessed = [one.first for one in found.phrases() if one.rule == "groups.is_it"]
    return any(guessed) or (bool(guessed) and found.query.extreme is None)


def lists_by(found: Derivation, table: Table) -> bool:
    """Tell whether columns are only shown, or left out, though the question says "by", which groups."""
    said = [at for at, word in zip(found.cover.unread, found.unread, strict=True) if table.lists("grouping", word)]
    if said and isinstance(found.answer, Listing) and found.answer.order is None:
        return True
    behind = (one for one in found.cover.phrases if one.category is C.TERM and one.first - 1 in said)
    return any(one.meaning not in parts(found.answer) for one in behind)


def joins_what_is_shown(found: Derivation, table: Table) -> bool:
    """Tell whether one figure is given of what each row should show: "schools in Leeds and their pupils"."""
    answer = found.answer
    if not any(table.lists("possessive", word) for word in found.unread):
        return False
    joined = any(table.lists("begins", first) for first, _ in pairwise(found.unread))  # "the highest and its town"
    if found.query.extreme is not None and (found.query.extreme.timed or (joined and isinstance(answer, Grouping))):
        return True  # "animals in poor condition at their last visit"
    implied = isinstance(answer, Grouping) and any(isinstance(one, Figure) and one.implied for one in answer.measures)
    return implied and isinstance(answer, Grouping) and not answer.keys
