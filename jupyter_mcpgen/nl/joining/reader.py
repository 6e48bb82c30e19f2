"""Reads a question over two tables: takes out what joins them, lets the others read the rest over the joined table."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.followups.in_turn import change_of_both
from jupyter_mcpgen.nl.joining.clause import Clause, find_clause
from jupyter_mcpgen.nl.joining.joined import Tables, are_alike, checked, is_key_of, joined_by_key
from jupyter_mcpgen.nl.joining.keys import FoundKeys, Pair, found_keys, is_told, named_keys
from jupyter_mcpgen.nl.joining.owners import begins_with_column
from jupyter_mcpgen.nl.joining.refusals import beyond, no_key, open_condition, repeats, unknown_key
from jupyter_mcpgen.nl.joining.summary import notes_of, with_figures_called
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, Way, load_vocabulary
from jupyter_mcpgen.nl.joins.profiles import profile_of_both
from jupyter_mcpgen.nl.reading import Answered, Asked, ReadAlone, Reading, Refused, Understanding
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Summary, Union

"""Reads a question over one table."""


def read_joined(
    question: str, tables: tuple[Profile, Profile], language: str, earlier: tuple[str, Plan] | None, read: ReadAlone
) -> Understanding | None:
    """Return what a question means over two tables; None for one that does not say how they come together."""
    vocabulary = load_vocabulary(language)
    clause = find_clause(question, (tables[0].name, tables[1].name), vocabulary) if vocabulary is not None else None
    if clause is None or vocabulary is None:
        return _followed(question, tables, earlier, language, read)
    if clause.way is Way.BEYOND:
        return beyond()
    first, second = tables[clause.first], tables[clause.second]
    if clause.way in (Way.JOIN, Way.WITH) and begins_with_column(clause.after, second):
        return None  # "staff with their department name" asks for a column
    keys = named_keys(clause.after, first, second, vocabulary) if clause.way is not Way.STACK else None
    after = keys.after if keys is not None and keys.unknown is None else clause.after
    if keys is not None and keys.unknown is not None:
        return unknown_key(keys.unknown, first, second)
    if clause.way is Way.STACK or (clause.way is Way.EITHER and keys is None and are_alike(first, second)):
        return _stacked(clause, after, first, second, vocabulary, read)
    options: tuple[tuple[Pair, ...], ...]
    if keys is not None:
        options = (keys.pairs,)
    else:
        found = found_keys(first, second, vocabulary)
        if not found.pairs or (clause.way is Way.EITHER and not found.sure):
            return no_key(first, second)
        options = tuple((pair,) for pair in found.pairs)
        if len(options) > 1 and not is_told(found, first, second):
            return _which_key(clause, after, options, first, second, vocabulary, read)
    return _over(clause, after, options[0], first, second, vocabulary, read)


def how_to_join(first: Profile, second: Profile, language: str) -> str:
    """Say in which words two tables can be joined; nothing where no key is seen, or where they hold the same rows."""
    vocabulary = load_vocabulary(language)
    found = found_keys(first, second, vocabulary) if vocabulary is not None else FoundKeys()
    if not found.sure:
        return ""
    if not any(is_key_of(found.pairs[:1], table, side) for side, table in enumerate((first, second))):
        return repeats(found.pairs[:1], first, second).message
    own, other = found.pairs[0]
    key = own if own == other else f"{own} = {other}"
    return (
        f"To use `{first.name}` and `{second.name}` together, say how: “… in {first.name} joined with {second.name} on "
        f"{key}”, or “{first.name} without {second.name}”."
    )


def _followed(
    question: str, tables: tuple[Profile, Profile], earlier: tuple[str, Plan] | None, language: str, read: ReadAlone
) -> Understanding | None:
    """Return the change of an answer over both tables that a question asks for."""
    if earlier is None or earlier[1].second is None:
        return None
    asked, plan = earlier
    second = plan.second
    first, other = tables if plan.source == tables[0].name else (tables[1], tables[0])
    if second is None or (second.first_schema, second.other_schema) != (first.schema_, other.schema_):
        return None
    if isinstance(second, Summary):
        question = with_figures_called(question, first, other, second, language)
    both = profile_of_both(first, other, second)
    alone = Plan(source=plan.source, source_schema=plan.source_schema, steps=plan.steps, chart=plan.chart)
    followed = change_of_both(question, (asked, alone), both, language, lambda text, table, _: read(text, table))
    notes = notes_of(second, first.name) if isinstance(second, Summary) else ()
    return checked(followed, Tables(first, other, second, notes)) if followed is not None else None


def _stacked(
    clause: Clause, after: str, first: Profile, second: Profile, vocabulary: Vocabulary, read: ReadAlone
) -> Understanding:
    try:
        union = Union(other=second.name, first_schema=first.schema_, other_schema=second.schema_)
    except PlanError as error:
        return Refused(f"`{first.name}` and `{second.name}` cannot stand below each other. {error}")
    notes: tuple[str, ...] = (
        f"The rows of `{second.name}` stand below those of `{first.name}`, with columns matched by name.",
    )
    if union.only_in_one:
        lacking = ", ".join(f"`{name}`" for name in union.only_in_one)
        notes = (*notes, f"Only one of the two tables has {lacking}; the values are missing for the rows of the other.")
    return _read_rest(clause, after, Tables(first, second, union, notes), vocabulary, read)


def _over(
    clause: Clause,
    after: str,
    pairs: tuple[Pair, ...],
    first: Profile,
    second: Profile,
    vocabulary: Vocabulary,
    read: ReadAlone,
) -> Understanding:
    """Return what is asked of two tables that are joined by a key."""
    try:
        tables = joined_by_key(clause.way, pairs, first, second)
        if isinstance(tables, Refused):
            return tables
        meant = _read_rest(clause, after, tables, vocabulary, read)
        return open_condition(meant, clause, after, second, read) or meant
    except PlanError as error:
        return Refused(f"`{first.name}` and `{second.name}` cannot be joined in this way. {error}")


def _read_rest(clause: Clause, after: str, tables: Tables, vocabulary: Vocabulary, read: ReadAlone) -> Understanding:
    both = profile_of_both(tables.first, tables.second, tables.way)
    rest = clause.rest(both.name, after, vocabulary)
    if not rest or rest.casefold() == both.name.casefold():
        rows = Plan(source=both.name, source_schema=both.schema_)
        return checked(Answered(Reading(plan=rows, label="", cost=0.0)), tables)
    return checked(read(rest, both), tables)


def _which_key(
    clause: Clause,
    after: str,
    options: tuple[tuple[Pair, ...], ...],
    first: Profile,
    second: Profile,
    vocabulary: Vocabulary,
    read: ReadAlone,
) -> Understanding:
    """Ask by which of several keys the tables belong together."""
    readings = []
    for pairs in options:
        match _over(clause, after, pairs, first, second, vocabulary, read):
            case Answered(winner):
                readings.append(winner)
            case _:
                continue
    names = " or ".join(own if own == other else f"{own} = {other}" for ((own, other),) in options)
    return Asked(
        f"`{first.name}` and `{second.name}` can be joined by {names}. Which one is meant? Say it with “on …”.",
        tuple(readings),
    )
