"""Reads questions about single rows by their names, where the words of the whole question are accounted for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.entities import plans
from jupyter_mcpgen.nl.entities.acting import did_then, did_when
from jupyter_mcpgen.nl.entities.beginnings import without_unsaid_beginnings
from jupyter_mcpgen.nl.entities.meant import Meant, number_in
from jupyter_mcpgen.nl.entities.naming import Figure, column_of, entity, figure, measured, two_entities
from jupyter_mcpgen.nl.entities.order import order_of_rows
from jupyter_mcpgen.nl.entities.reaching import has_a_value, last_time_in, times_reached
from jupyter_mcpgen.nl.entities.rewording import AT_LEAST, SURE, Reword
from jupyter_mcpgen.nl.entities.serving import (
    held_for_years,
    held_how_long,
    held_in_a_year,
    held_still,
    held_the_longest,
)
from jupyter_mcpgen.nl.entities.winning import named_most, times_named, times_won, won_the_most, won_the_most_in
from jupyter_mcpgen.nl.everyday.amounts.units import is_unit_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import doer
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.own_dates import year_of_rows
from jupyter_mcpgen.nl.tables.written import ways, with_texts_read
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import Filter

_NO_ORDER = (
    "`{}` has no date, year or number that orders its rows, so I cannot tell what comes before or after one of them. "
    "Say by which column, for example: sort by name, or the next larger one."
)
_SAME_END = "Several rows may share the same `{}`; only the first of them is shown."
_SAME_PLACE = (
    "Several rows have the same `{0}`, or none, so I cannot tell which comes before or after another. Ask for the rows "
    "sorted by `{0}` instead."
)
_ITSELF = "`{}` itself is one of them."
_BOTH_SHOWN = "Some rows have no `{0}`; if one of the two has none, it is shown too, and which has more is not known."
_BEYOND_NONE = "Some rows have no `{0}`: they are never among these, and if `{1}` has none, no row is."
_LIKE_NONE = "Some rows have no `{0}`; if `{1}` has none, no other row has the same."
LONGEST = 400
"""A longer text is no question about one row."""


def read_entities(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question about single rows means; what is none is read otherwise."""
    if len(question) > LONGEST:
        return read(question, profile, language)
    table = table_of(profile, language)
    meant = _of_single_rows(question, table, read)
    if meant is not None:
        return meant
    plain = without_unsaid_beginnings(_read_reworded(question, table, language, read), question, table)
    written = ways(profile)
    if isinstance(plain, Answered) or len(written) != 1:
        return plain
    way, typed = written[0]
    meant = _of_single_rows(question, table_of(typed, language), read)
    return plain if meant is None else with_texts_read(meant, way, profile)


def _of_single_rows(question: str, table: Table, read: Read) -> Understanding | None:
    """Return what a question about single rows means over a table; None for any other question."""
    profile, language = table.context.profile, table.vocabulary.language
    for rule in RULES:
        for found in Speech(question).find_each(table.wording(rule.__name__)):
            try:
                meant = rule(found, table)
                if isinstance(meant, Meant) and meant.condition:
                    meant = _under_its_condition(meant, read(meant.condition, profile, language))
            except PlanError:
                continue  # what cannot be computed so is no reading
            if isinstance(meant, Refused | Asked):
                return meant
            if meant is not None:
                return _answered(meant)
    return None


def _read_reworded(question: str, table: Table, language: str, read: Read) -> Understanding:
    """Return what a question means in plainer words, where it can be answered so, else as it is."""
    profile = table.context.profile
    surely = _answered_so(question, SURE, table, language, read)
    if surely is not None:
        return surely
    plain = read(question, profile, language)
    perhaps = _answered_so(question, AT_LEAST, table, language, read) if isinstance(plain, Refused) else None
    return plain if perhaps is None else perhaps


def _answered_so(
    question: str, rewordings: tuple[Reword, ...], table: Table, language: str, read: Read
) -> Answered | None:
    """Return the answer to a question in the first plainer words that have one."""
    for reword in rewordings:
        said = reword(Speech(question), table)
        meant = read(said.text, table.context.profile, language) if said is not None else None
        if said is not None and isinstance(meant, Answered):
            noted = (*said.notes, *meant.winner.assumptions)
            return replace(meant, winner=replace(meant.winner, assumptions=noted))
    return None


def _under_its_condition(meant: Meant, rows: Understanding) -> Meant | None:
    """Return what is meant over the rows that a condition keeps; None where its words say anything else."""
    kept = rows.winner.plan.steps if isinstance(rows, Answered) else ()
    if not isinstance(rows, Answered) or not kept or any(not isinstance(step, Filter) for step in kept):
        return None
    plan = meant.plan.with_steps((*kept, *meant.plan.steps))
    return Meant(plan, (*rows.winner.assumptions, *meant.notes))


def _answered(meant: Meant) -> Answered:
    notes = tuple(note for note in meant.notes if note)
    return Answered(Reading(meant.plan, label="", cost=0.0, assumptions=notes, no_chart=True), no_chart=True)


def one_of_two(found: Found, table: Table) -> Meant | None:
    """Read "which is deeper, Lake Orla or Lake Polda" and "who got more votes, Lind or Finch"."""
    both, by = two_entities(found, table), figure(found, table)
    if both is None or by is None or not column_of(found["noun"], both[0], table):
        return None
    lacking = _may_lack(by.column, table)
    note = _BOTH_SHOWN.format(by.column) if lacking else ""
    return Meant(plans.with_more(both, by, table.context.profile, lacking=lacking), (by.note, note))


def more_than_the_other(found: Found, table: Table) -> Meant | None:
    """Read "how much deeper is Lake Visk than Lake Arde" and "how many more votes did Finch get than Lind"."""
    both, by = two_entities(found, table), figure(found, table)
    if both is None or by is None:
        return None
    return Meant(plans.difference(both, by, table.context.profile, signed=True), (by.note,))


def difference_between(found: Found, table: Table) -> Meant | None:
    """Read "difference in depth between Lake Visk and Lake Arde": how far the two lie apart."""
    both, by = two_entities(found, table), measured(found["what"], table)
    if both is None or by is None:
        return None
    note = "How far the two lie apart, whichever has more."
    return Meant(plans.difference(both, Figure(by, more=True), table.context.profile, signed=False), (note,))


def beyond_another(found: Found, table: Table) -> Meant | None:
    """Read "which lakes are deeper than Lake Orla" and "how many mayors got more votes than Ida Crane"."""
    one, by = entity(found["a"], table), figure(found, table)
    if one is None or by is None or found["a"].isdigit() or not column_of(found["noun"], one, table):
        return None
    counted = found.folded("how") in table.words("counting")
    note = _BEYOND_NONE.format(by.column, one.value.value) if _may_lack(by.column, table) else ""
    return Meant(plans.beyond(one, by, table.context.profile, counted=counted), (by.note, note))


def same_as_another(found: Found, table: Table) -> Meant | None:
    """Read "which lakes are in the same district as Lake Yra"."""
    one = entity(found["a"], table)
    column = columns.named(found["what"], table)
    if one is None or column in (None, one.column) or not column_of(found["noun"], one, table):
        return None
    counted, others = found.folded("how") in table.words("counting"), bool(found["other"])
    lacking, profile = _may_lack(str(column), table), table.context.profile
    itself = "" if others or (counted and lacking) else _ITSELF.format(one.value.value)
    none = _LIKE_NONE.format(column, one.value.value) if lacking else ""
    plan = plans.alike(one, str(column), profile, counted=counted, others=others, lacking=lacking)
    return Meant(plan, (itself, none))


def _may_lack(column: str, table: Table) -> bool:
    return table.context.column(column).nulls > 0


def next_to_another(found: Found, table: Table) -> Meant | Refused | None:
    """Read "who was mayor after Jonas Pratt" and "which race came right before the Moor Trophy"."""
    one, order = entity(found["a"], table), order_of_rows(table)
    if one is None or not column_of(found["noun"], one, table) or order == one.column:
        return None
    if order is None:
        return Refused(_NO_ORDER.format(table.context.profile.name))
    if not table.context.is_key(order):
        return Refused(_SAME_PLACE.format(order))
    after = found.meant("side") == "after"
    return Meant(plans.neighbour(one, order, table.context.profile, after=after), (_in_order_of(order),))


def first_beyond(found: Found, table: Table) -> Meant | None:
    """Read "when did attendance first exceed 8000": the first row beyond a limit, where each moment has one row."""
    order, column = order_of_rows(table), measured(found["what"], table)
    if order is None or column is None or not table.context.is_key(order):
        return None
    if found["unit"] and not is_unit_of(found.folded("unit"), column, table):
        return None
    limit = number_in(found["n"])
    if limit is None:
        return None
    plan = plans.first_beyond(column, CompareOp(found.meant("limit")), limit, order, table.context.profile)
    return Meant(plan, (_in_order_of(order),))


def at_an_end(found: Found, table: Table) -> Meant | None:
    """Read "what was the last race of the season" and "who won the first race", by the column that orders the rows."""
    noun, order = found["noun"], order_of_rows(table)
    column = columns.named(noun, table)
    if column is not None and column == year_of_rows(table.context):
        order = column  # "the last year" is no year of the last approval
    if columns.named(f"{found['end']} {noun}", table) is not None:
        return None
    if order is None or (column is None and not columns.is_row(noun, table)):
        return None
    if column is not None and table.context.is_measure(column) and not table.context.is_key(order):
        return None
    who = doer(found.folded("verb"), table)
    if found["verb"] and who is None:
        return None
    asked = [order] if found["when"] else [who] if who is not None else []
    shown = table.context.profile.schema_.names if column is None and who is None else (*asked, *filter(None, [column]))
    plan = plans.end_of(tuple(shown), order, table.context.profile, last=found.meant("end") == "last")
    ties = "" if table.context.is_key(order) else _SAME_END.format(order)
    return Meant(plan, (_in_order_of(order), ties), condition=_such_rows(found, table))


def _such_rows(found: Found, table: Table) -> str:
    """Return the rows that a kind and a condition choose, as they would be asked for; nothing without either."""
    condition = found["condition"] or f"{found['deed']} {found['by']} {found['who']}".strip()
    if not found["kind"] and not condition:
        return ""
    return f"{found['kind']} {table.say('rows')} {condition}".strip()


def _in_order_of(column: str) -> str:
    return f"The rows are taken in the order of `{column}`."


RULES: tuple[Callable[[Found, Table], Meant | Asked | Refused | None], ...] = (
    one_of_two,
    more_than_the_other,
    difference_between,
    beyond_another,
    same_as_another,
    next_to_another,
    first_beyond,
    at_an_end,
    held_in_a_year,
    held_still,
    held_how_long,
    held_the_longest,
    held_for_years,
    did_when,
    did_then,
    times_reached,
    has_a_value,
    last_time_in,
    won_the_most,
    won_the_most_in,
    named_most,
    times_named,
    times_won,
)
"""The kinds of questions about single rows, each with phrases under its name."""
