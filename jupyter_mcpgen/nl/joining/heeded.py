"""Holds an answer over one table against the second one that its question names: no word of that may be dropped."""

from __future__ import annotations

import re
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.clause import forms_of
from jupyter_mcpgen.nl.joining.hints import MOST_WORDS, columns_named
from jupyter_mcpgen.nl.joining.implied import over_matches, read_implied
from jupyter_mcpgen.nl.joining.keys import FoundKeys, found_keys
from jupyter_mcpgen.nl.joining.owners import is_named
from jupyter_mcpgen.nl.joining.reader import how_to_join
from jupyter_mcpgen.nl.joining.summary import read_figures
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, any_of, load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, ReadAlone, Reading, Refused, Understanding
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter
from jupyter_mcpgen.plan.plan import Plan

"""Reads a question over one table."""


def heeding_both(
    alone: Answered, question: str, tables: tuple[Profile, Profile], language: str, read: ReadAlone
) -> Understanding:
    """Return what a question means that was read over the first table alone, if it names no more than that.

    One that names a column of the second table is read over both or refused; one that names the second table is read
    over both where it says how, and else says what the name was taken for.
    """
    vocabulary = load_vocabulary(language)
    if vocabulary is None or alone.winner.plan.second is not None:
        return alone
    named = _named_of_second(question, tables)
    if named:
        implied = implied_by_both(question, tables, language, read)
        column = next((name for name in named if _is_unheeded(name, alone, question, tables[0], read)), None)
        if column is not None:
            return implied if implied is not None else _unused_column(column, alone, tables, language)
        if isinstance(implied, Answered):
            return _which_meaning(alone, implied, named)
    if not is_named(tables[1], question):
        return alone
    return _of_named_table(alone, question, tables, language, read, vocabulary)


def implied_by_both(
    question: str, tables: tuple[Profile, Profile], language: str, read: ReadAlone
) -> Answered | Asked | None:
    """Return what is asked of the rows of one table with columns of the other; None where that is not sure.

    A question back where only rows of the second table are named, which may be meant whether or not the first has any.
    """
    first, other = tables
    implied = read_implied(question, tables, language, read)
    if isinstance(implied, Asked):
        return implied  # which of several figures is meant is as open over both tables as over one
    if not isinstance(implied, Answered):
        return None
    of_first = is_named(first, question) or _named_of_second(question, (other, first))
    of_other = read(question, other) if is_named(other, question) and not of_first else None
    return _which_rows(implied, of_other, tables) if isinstance(of_other, Answered) else implied


def _named_of_second(question: str, tables: tuple[Profile, Profile]) -> tuple[str, ...]:
    """Return the columns that only the second table has and a question names."""
    first, other = tables
    words = {split_name(name) for name in columns_named(question, first.schema_.names)}
    if len(question.split()) > MOST_WORDS:
        return ()
    return tuple(name for name in columns_named(question, other.schema_.names) if split_name(name) not in words)


def _is_unheeded(column: str, alone: Answered, question: str, first: Profile, read: ReadAlone) -> bool:
    """Tell whether a question means as much without a column's name: it was not used."""
    pattern = r"[\s_]+".join(map(re.escape, split_name(column)))
    left = " ".join(re.sub(rf"\b{pattern}(?:s|es)?\b", " ", question, flags=re.IGNORECASE).split())
    without = read(left, first) if left else None
    return isinstance(without, Answered) and without.winner.plan == alone.winner.plan


def _which_meaning(alone: Answered, implied: Answered, named: tuple[str, ...]) -> Asked:
    columns = " and ".join(f"`{name}`" for name in named)
    return Asked(
        f"Are the words of {columns} a column of the second table? (1) As one: {say_plan(implied.winner.plan)}; "
        f"(2) over the first table alone: {say_plan(alone.winner.plan)}.",
        (implied.winner, alone.winner),
    )


def _unused_column(column: str, alone: Answered, tables: tuple[Profile, Profile], language: str) -> Refused:
    first, other = tables
    return Refused(
        f"`{column}` is a column of `{other.name}`, and I could not read what it is for. "
        f"Without it `{first.name}` alone gives: {say_plan(alone.winner.plan)}. {how_to_join(first, other, language)}",
        words=(column,),
        nearest=alone.winner,
    )


def _of_named_table(
    alone: Answered,
    question: str,
    tables: tuple[Profile, Profile],
    language: str,
    read: ReadAlone,
    vocabulary: Vocabulary,
) -> Understanding:
    first, other = tables
    both_are_named = is_named(first, question)
    if both_are_named:
        figures = read_figures(question, tables, language, read, surely=False)
        if isinstance(figures, Answered):
            return figures
    found = found_keys(first, other, vocabulary)
    shared = _kept_by(alone.winner.plan) & set(other.schema_.names) - {own for own, _ in found.pairs}
    if shared and not both_are_named:
        return _of_which(sorted(shared)[0], alone, tables)
    key = found.pairs[0][0] if len(found.pairs) == 1 and found.sure else None
    of_other = read(question, other) if not both_are_named else None
    if key is not None and _counts(alone.winner.plan, key):
        matched = over_matches(alone, found.pairs, tables)
        if isinstance(matched, Answered) and isinstance(of_other, Answered):
            return _which_rows(matched, of_other, tables)
        return matched
    if both_are_named and _lists_rows(question, other, vocabulary):
        return _unused_rows(alone, tables, language)
    return replace(alone, winner=_told(alone, tables, found))


def _kept_by(plan: Plan) -> set[str]:
    """Return the columns by whose values rows are kept."""
    return {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step)}


def _of_which(column: str, alone: Answered, tables: tuple[Profile, Profile]) -> Refused:
    first, other = tables
    return Refused(
        f"Both tables have `{column}`, and the question names `{other.name}`. Say whose {column} you mean, as in "
        f"“{column} of {first.name}”. With that of `{first.name}` I read: {say_plan(alone.winner.plan)}.",
        words=(column,),
        nearest=alone.winner,
    )


def _counts(plan: Plan, key: str) -> bool:
    """Tell whether the values of a key are counted, for the rows of the table that it points at."""
    made = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    return any(m.function is AggregateFunction.COUNT_DISTINCT and m.column == Col(name=key) for m in made)


def _lists_rows(question: str, table: Profile, vocabulary: Vocabulary) -> bool:
    """Tell whether rows of a table are what a question begins with, such as "customers with their …"."""
    words = vocabulary.figures
    fillers = rf"(?:(?:{any_of(words['fillers'])})\s+)*"
    begins = rf"\s*{fillers}(?:{any_of(forms_of(table.name))})\s+(?:{any_of(words['with'])})\b"
    return re.match(begins, question, re.IGNORECASE) is not None


def _which_rows(found: Answered, of_other: Answered, tables: tuple[Profile, Profile]) -> Asked:
    first, other = tables
    return Asked(
        f"Are all rows of `{other.name}` meant, or only those that `{first.name}` mentions? With `{first.name}` it is: "
        f"{say_plan(found.winner.plan)}. For all rows ask of `{other.name}` alone: {say_plan(of_other.winner.plan)}.",
        (found.winner,),
    )


def _unused_rows(alone: Answered, tables: tuple[Profile, Profile], language: str) -> Refused:
    first, other = tables
    return Refused(
        f"The question asks for rows of `{other.name}`, but I could read it only over `{first.name}`, which leaves out "
        f"rows of `{other.name}` without a match: {say_plan(alone.winner.plan)}. "
        f"{how_to_join(first, other, language)}",
        words=(other.name,),
        nearest=alone.winner,
    )


def _told(alone: Answered, tables: tuple[Profile, Profile], found: FoundKeys) -> Reading:
    first, other = tables
    plan = alone.winner.plan
    used = {name for step in plan.steps for name in names_in(step)}
    key = next((own for own, _ in found.pairs if own in used), None)
    what = f"its name is read as `{key}` of `{first.name}`" if key is not None else f"`{first.name}` alone gives this"
    note = f"`{other.name}` was not used: {what}."
    return replace(alone.winner, assumptions=(note, *alone.winner.assumptions))
