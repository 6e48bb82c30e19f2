"""Nouns for what is taken in, where no column is called so: "sales by store" over prices and quantities, or a total.

"Sales" may be the rows, too. Where both can be meant the question is asked back, and rows are never counted silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.taken import amount_taken
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary, load_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Understanding
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

IDENTIFIER = "identifier"
NUMBER = "number"
"""What the names of columns that tell things apart end in, written out."""


def read_takings(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a noun for takings read as a total or as a price times a quantity."""
    vocabulary = load_computed(language)
    found = _noun(question, vocabulary, context_of(profile, language)) if vocabulary is not None else None
    taken = (
        amount_taken(vocabulary, context_of(profile, language))
        if vocabulary is not None and found is not None
        else None
    )
    if vocabulary is None or found is None or taken is None:
        return read(question, profile, language)
    noun, said = found[0], _said(question, found, taken, vocabulary, context_of(profile, language))
    plain = read(question, profile, language)
    if isinstance(plain, Answered) and not _counts_rows(plain.winner.plan):
        return plain
    meant = read(said, profile, language)
    note = f"“{noun}” is taken to be {taken}."
    if isinstance(meant, Answered) and _divides_purchases(meant.winner.plan, context_of(profile, language)):
        return plain
    if not isinstance(meant, Answered):
        return replace(meant, question=f"{meant.question} {note}") if isinstance(meant, Asked) else plain
    noted = replace(meant.winner, assumptions=(note, *meant.winner.assumptions))
    if noun.casefold() not in vocabulary.lists["deals"] or not isinstance(plain, Answered):
        return replace(meant, winner=noted)
    lines = f"(1) {say_plan(noted.plan)}; (2) {say_plan(plain.winner.plan)}"
    return Asked(f"“{noun}” can be read in 2 ways: {lines}. Which one do you mean?", (noted, plain.winner))


def _divides_purchases(plan: Plan, context: Context) -> bool:
    """Tell whether totals of each purchase are averaged over groups of which one purchase is in several."""
    figures = [step for step in plan.steps if isinstance(step, Aggregate)]
    if len(figures) < 2:
        return False
    own, outer = figures[0].by.names, figures[1].by.names
    keys = [name for name in own if name not in outer and name in context.column_words]
    groups = [name for name in outer if name in context.column_words]
    return any(not has_one_value(group, key, context) for group in groups for key in keys)


def _said(question: str, found: re.Match[str], taken: str, vocabulary: Vocabulary, context: Context) -> str:
    """Return a question with what was taken in the place of its noun; a mean of each order is one of their totals."""
    before, behind, lists = question[: found.start()], question[found.end() :], vocabulary.lists
    averaged = re.search(rf"\b(?:{_any_of(lists.get('averages', ()))})\s+$", before, re.IGNORECASE)
    each = re.match(rf"\s+(?:{_any_of(lists.get('of_each', ()))})\s+(\w+)", behind, re.IGNORECASE)
    own = found[0].split()[0] if len(found[0].split()) > 1 else ""
    key = _repeated_key(each[1] if each else own, context, _purchases(vocabulary)) if averaged else None
    if key is None:
        return f"{before}{taken}{behind}"
    rest = behind[each.end() :] if each else behind
    return f"{before}{lists['total_of_each'][0].format(taken=taken, key=key)}{rest}"


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _repeated_key(noun: str, context: Context, purchases: frozenset[str] = frozenset()) -> str | None:
    """Return the identifier of what a noun names, where several rows share it: the lines of an order.

    A purchase may be called by the noun of another one: an order where the table has invoices.
    """
    plain = context.plain(noun.casefold())
    nouns = {plain} if plain not in purchases or context.columns_with(plain) else purchases
    own = {(noun, told) for noun in nouns for told in (IDENTIFIER, NUMBER)}
    named = [name for name, words in context.column_words.items() if words in own and not context.is_key(name)]
    return named[0] if len(named) == 1 else None


def _purchases(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the nouns of purchases that are worth something together: an order, a basket, an invoice."""
    return frozenset(noun.split()[0] for noun in vocabulary.lists.get("worths", ()))


def _noun(question: str, vocabulary: Vocabulary, context: Context) -> re.Match[str] | None:
    """Return where a question names takings that no column or value is called by, and does not count them."""
    lists = vocabulary.lists
    known = _purchases(vocabulary)
    worths = [noun for noun in lists.get("worths", ()) if _repeated_key(noun.split()[0], context, known) is not None]
    nouns = (*worths, *lists["takings"], *lists["deals"])
    rows = (*vocabulary.lists["counted"], *vocabulary.lists.get("one_of", ()))
    counted = "|".join(re.escape(words) for words in rows)
    pattern = rf"(?<![\w`\"“-])(?:{'|'.join(map(re.escape, nouns))})(?![\w`\"”-])"
    for found in re.finditer(pattern, question, re.IGNORECASE):
        if re.search(rf"\b(?:{counted})\s+$", question[: found.start()], re.IGNORECASE):
            continue
        plain = context.plain(found[0].casefold())
        if any(_called(context.plain(noun), context) for noun in nouns if noun not in worths):
            return None  # what a column is called by is the business of the table's own words
        if not _called(plain, context) and plain not in context.value_parts:
            return found
    return None


def _called(noun: str, context: Context) -> list[str]:
    """Return the columns that are called by a noun, but for dates: a `sale_date` is no amount of sales."""
    return [name for name in context.columns_with(noun) if not _is_dated(name, context)]


def _is_dated(name: str, context: Context) -> bool:
    written = (way.type for way in context.column(name).written)
    return ColumnType.DATE in (context.type_of(name), *written)


def _counts_rows(plan: Plan) -> bool:
    """Tell whether a plan computes nothing but numbers of rows."""
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    return all(measure.column is None for measure in measures)
