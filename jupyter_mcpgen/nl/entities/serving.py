"""Questions about who held something when, and for how long: "who was mayor in 1915", "who served the longest"."""

from __future__ import annotations

from jupyter_mcpgen.nl.entities import plans
from jupyter_mcpgen.nl.entities.meant import Meant, number_in
from jupyter_mcpgen.nl.entities.naming import column_of, entity, is_thing
from jupyter_mcpgen.nl.entities.terms import Term, term_of, years_of, years_of_ended
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Sort, SortKey
from jupyter_mcpgen.plan.schema import ColumnType

_OF_DATES = (
    "“{0}” goes from `{1}` to `{2}`, which are dates. Say in which unit, for example: days between `{1}` and `{2}`."
)


def held_in_a_year(found: Found, table: Table) -> Meant | None:
    """Read "who was mayor in 1915": the rows of which some of that time lies between beginning and end."""
    term, asked = term_of(table), asked_for(found, table)
    if term is None or asked is None:
        return None
    first, last = int(found["only"] or found["year"]), int(found["only"] or found["last"])
    if first > last:
        return None
    rows = Filter(predicate=term.covers(first, last))
    notes = (_both_ends(term, first, last), *_going_on(term))
    if found["how"]:
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        return Meant(plans.over(table.context.profile, rows, counted), notes, found["condition"])
    shown = plans.showing(*asked, term.start, term.end)
    return Meant(plans.over(table.context.profile, rows, shown), notes, found["condition"])


def held_still(found: Found, table: Table) -> Meant | None:
    """Read "who is still in office" and "who is the current mayor": the rows without an end."""
    term, asked = term_of(table), asked_for(found, table)
    if term is None or asked is None or not term.open_ended:
        return None
    rows, shown = Filter(predicate=term.goes_on), plans.showing(*asked, term.start)
    return Meant(plans.over(table.context.profile, rows, shown), _going_on(term))


def held_how_long(found: Found, table: Table) -> Meant | Refused | None:
    """Read "how long did Ida Crane serve": the years from the beginning to the end of one row."""
    term, one = term_of(table), entity(found["a"], table)
    if term is not None and term.dated and one is not None and found["held"]:
        return Refused(_OF_DATES.format(found.text, term.start, term.end), words=(found["held"],))
    if term is None or term.dated or one is None or (found["noun"] and not column_of(found["noun"], one, table)):
        return None
    name, lasted = years_of(term, table.context.profile)
    of_one = Filter(predicate=one.is_it)
    shown = plans.showing(one.column, name, term.start, term.end)
    unknown = f"Without `{term.end}` the years are not known." if term.open_ended else ""
    notes = (f"The years are `{term.end}` minus `{term.start}`.", unknown)
    return Meant(plans.over(table.context.profile, of_one, lasted, shown), notes)


def held_the_longest(found: Found, table: Table) -> Meant | None:
    """Read "who served the longest": the rows with the most years between beginning and end, all of them."""
    term, asked = term_of(table), asked_for(found, table)
    if term is None or term.dated or asked is None or not _tell_rows(asked, table):
        return None
    name, steps = years_of_ended(term, table.context.profile)
    made = plans.over(table.context.profile, *steps)
    key = SortKey(column=name, descending=found.meant("side") == "longest")
    ranked = plans.at_place(key, 1, made.schema_at(len(steps)))
    shown = plans.showing(*asked, name, term.start, term.end)
    return Meant(plans.over(table.context.profile, *steps, *ranked, shown), _counted_in_years(term))


def held_for_years(found: Found, table: Table) -> Meant | None:
    """Read "which mayors served more than 10 years", and how many did."""
    term, asked, limit = term_of(table), asked_for(found, table), number_in(found.meant("n"))
    if term is None or term.dated or asked is None or limit is None or not _tell_rows(asked, table):
        return None
    name, steps = years_of_ended(term, table.context.profile)
    kept = Filter(predicate=Compare(op=CompareOp(found.meant("limit")), left=Col(name=name), right=limit))
    notes = _counted_in_years(term)
    if found["how"]:
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        return Meant(plans.over(table.context.profile, *steps, kept, counted), notes)
    order = Sort(keys=(SortKey(column=name, descending=True),))
    shown = plans.showing(*asked, name, term.start, term.end)
    return Meant(plans.over(table.context.profile, *steps, kept, order, shown), notes)


def asked_for(found: Found, table: Table) -> tuple[str, ...] | None:
    """Return the columns that tell who is asked for; None where a noun is none of the table's."""
    if found["held"] and table.is_data(found["held"]):
        return None  # "active" is what a cell says
    nouns = [found[name] for name in ("kind", "noun") if found[name]]
    named = [columns.named(noun, table) for noun in nouns]
    if any(column is None and not is_thing(noun, table) for noun, column in zip(nouns, named, strict=True)):
        return None
    texts = [name for name in named if name is not None]
    if any(table.context.type_of(name) is not ColumnType.TEXT for name in texts):
        return None
    own = name_of_rows(table)
    shown = tuple(dict.fromkeys((*texts, *([own] if own else []))))
    return shown or None


def _tell_rows(asked: tuple[str, ...], table: Table) -> bool:
    """Tell whether what is asked for is a row: a party that held office twice has two terms that add up."""
    return table.context.names_rows(asked[0]) and all(table.context.is_key(name) for name in asked)


def name_of_rows(table: Table) -> str | None:
    """Return the first column of texts that tells every row apart, or nearly every one."""
    context = table.context
    texts = [name for name in context.profile.schema_.names if context.type_of(name) is ColumnType.TEXT]
    return next((name for name in texts if context.is_key(name)), None) or next(
        (name for name in texts if context.names_rows(name)), None
    )


def _both_ends(term: Term, first: int, last: int) -> str:
    ends = f"ended in {first} or began in {last}" if first != last else f"began or ended in {first}"
    return f"From `{term.start}` to `{term.end}`: who {ends} counts, too."


def _going_on(term: Term) -> tuple[str, ...]:
    return (f"A row without `{term.end}` is taken to go on.",) if term.open_ended else ()


def _counted_in_years(term: Term) -> tuple[str, ...]:
    left = (f"Rows without `{term.end}` are left out.",) if term.open_ended else ()
    return (f"The years are `{term.end}` minus `{term.start}`.", *left)
