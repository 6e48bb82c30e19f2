"""Nouns for what is taken in, where no column is called so: "sales by store" over prices and quantities, or a total.

"Sales" may be the rows, too. Where both can be meant the question is asked back, and rows are never counted silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary, load_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Understanding
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.plan import Plan

Read = Callable[[str, Profile, str], Understanding]


def read_takings(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a noun for takings read as a total or as a price times a quantity."""
    vocabulary = load_computed(language)
    found = _noun(question, vocabulary, context_of(profile, language)) if vocabulary is not None else None
    taken = _taken(vocabulary, context_of(profile, language)) if vocabulary is not None and found is not None else None
    if vocabulary is None or found is None or taken is None:
        return read(question, profile, language)
    noun, said = found[0], f"{question[: found.start()]}{taken}{question[found.end() :]}"
    plain = read(question, profile, language)
    if isinstance(plain, Answered) and not _counts_rows(plain.winner.plan):
        return plain
    meant = read(said, profile, language)
    note = f"“{noun}” is taken to be {taken}."
    if not isinstance(meant, Answered):
        return replace(meant, question=f"{meant.question} {note}") if isinstance(meant, Asked) else plain
    noted = replace(meant.winner, assumptions=(note, *meant.winner.assumptions))
    if noun.casefold() in vocabulary.lists["takings"] or not isinstance(plain, Answered):
        return replace(meant, winner=noted)
    lines = f"(1) {say_plan(noted.plan)}; (2) {say_plan(plain.winner.plan)}"
    return Asked(f"“{noun}” can be read in 2 ways: {lines}. Which one do you mean?", (noted, plain.winner))


def _noun(question: str, vocabulary: Vocabulary, context: Context) -> re.Match[str] | None:
    """Return where a question names takings that no column or value is called by, and does not count them."""
    nouns = (*vocabulary.lists["takings"], *vocabulary.lists["deals"])
    rows = (*vocabulary.lists["counted"], *vocabulary.lists.get("one_of", ()))
    counted = "|".join(re.escape(words) for words in rows)
    pattern = rf"(?<![\w`\"“-])(?:{'|'.join(map(re.escape, nouns))})(?![\w`\"”-])"
    for found in re.finditer(pattern, question, re.IGNORECASE):
        if re.search(rf"\b(?:{counted})\s+$", question[: found.start()], re.IGNORECASE):
            continue
        plain = context.plain(found[0].casefold())
        if any(context.columns_with(context.plain(noun)) for noun in nouns):
            return None  # what a column is called by is the business of the table's own words
        if not context.columns_with(plain) and plain not in context.value_parts:
            return found
    return None


def _taken(vocabulary: Vocabulary, context: Context) -> str | None:
    """Return the words for what was taken in: the one column of totals, or the one price times the one quantity."""
    totals = [name for name in _measures(context) if _is_total(name, vocabulary, context)]
    if len(totals) == 1:
        return f"`{totals[0]}`"
    prices = [name for name in _measures(context) if _ends_in(name, "prices", vocabulary, context)]
    pieces = [name for name in _measures(context) if _ends_in(name, "quantities", vocabulary, context)]
    whole = [name for name in pieces if len(split_name(name)) == 1]
    pieces = whole if len(whole) == 1 else pieces  # `quantity` beside `wasted_units`
    if totals or len(prices) != 1 or len(pieces) != 1:
        return None
    return f"`{pieces[0]}` {vocabulary.lists['multiply'][0]} `{prices[0]}`"


def _measures(context: Context) -> list[str]:
    return [name for name in context.profile.schema_.names if context.is_measure(name)]


def _is_total(name: str, vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a column is called a total, of the rows or of nothing: `refund_amount` is what was given back."""
    words = {context.plain(word) for word in split_name(name)}
    totals = set(vocabulary.lists["totals"])
    return bool(words & totals) and words <= totals | context.row_nouns and context.adds_up(name) is not False


def _ends_in(name: str, key: str, vocabulary: Vocabulary, context: Context) -> bool:
    """Tell whether a column's name ends in a word of a list, written out and without its plural ending."""
    return context.plain(split_name(name)[-1]) in vocabulary.lists[key]


def _counts_rows(plan: Plan) -> bool:
    """Tell whether a plan computes nothing but numbers of rows."""
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    return all(measure.column is None for measure in measures)
