"""The day, month or group with most of something: "on which date were deaths highest", "most sales in a single day"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.periods import has_dates
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of

_UNIT = r"day|date|week|month|quarter|year|weekday|hour"
_HIGH = r"(?:at\s+(?:its|their)\s+)?(?:the\s+)?(?P<end>highest|lowest|largest|smallest|greatest|biggest)"
_REST = r"(?P<rest>\s+(?:in|by|for|during|since|from|among|at)\b.*?)?[?.]?$"
_LOW = frozenset({"lowest", "smallest", "fewest", "least", "minimum"})


def when_highest(said: Speech, table: Table) -> Speech | None:
    """Say "on which date were deaths highest" as the day with the highest total of them."""
    found = said.find(
        rf"^(?:(?:on|in|at|during)\s+)?(?:which|what)\s+(?P<unit>\w[\w-]*(?:\s\w+)?)\s+(?:was|were|is|are|did|do|does)\s+"
        rf"(?:the\s+)?(?P<what>[\w ]+?)\s+(?:reach\s+|hit\s+)?{_HIGH}{_REST}"
    ) or said.find(rf"^(?P<unit>when)\s+(?:was|were|is|are)\s+(?:the\s+)?(?P<what>[\w ]+?)\s+{_HIGH}{_REST}")
    if found is None:
        found = said.find(rf"^(?P<unit>when)\s+(?:did|do|does)\s+(?:the\s+)?(?P<what>[\w ]+?)\s+(?P<end>peak){_REST}")
    column = _figure(found["what"], table) if found else None
    if found is None or column is None:
        return None
    return _peak(said, found["unit"], column, _extreme(found["end"]), found["rest"] or "", table)


def in_one_period(said: Speech, table: Table) -> Speech | None:
    """Say "highest number of visits in a single day" as the day with the highest total of them."""
    found = said.find(
        r"^(?:what(?:'s|\s+is|\s+was)\s+|show\s+(?:me\s+)?)?(?:the\s+)?"
        r"(?P<end>highest|largest|biggest|most|record|maximum|lowest|smallest|fewest|least|minimum)\s+"
        r"(?:number\s+of\s+|amount\s+of\s+|count\s+of\s+|total\s+(?:of\s+)?)?(?P<what>[\w ]+?)\s+"
        rf"(?:in|on|for|within|during)\s+(?:a|one|any)\s+(?:single\s+|one\s+)?(?P<unit>{_UNIT}){_REST}"
    )
    column = _figure(found["what"], table) if found else None
    if found is None or column is None:
        return None
    return _peak(said, found["unit"], column, _extreme(found["end"]), found["rest"] or "", table)


def do_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "on which day do people tip the most" as the group with the highest figure of what the verb is about."""
    found = said.find(
        r"^(?:(?:on|in|at|during)\s+)?(?:which|what)\s+(?P<group>\w[\w-]*(?:\s\w+)?)\s+(?:do|does|did)\s+(?:the\s+)?(?P<who>\w+)\s+"
        rf"(?P<verb>[a-z]+)\s+(?:the\s+)?(?P<end>most|least|best){_REST}"
    )
    if found is None:
        return None
    verb = found["verb"].casefold()
    column = columns.measure_of_verb(verb, table.vocabulary.verbs, table.words("money_not"), table.context)
    who = found["who"].casefold()
    persons = table.words("persons") | table.words("one_row") | {"they", "we", "guests", "visitors"}
    known = who in persons or table.context.plain(who) in persons or columns.is_row(who, table.context, frozenset())
    if column is None or not known or not _is_group(found["group"], table):
        return None
    figure = "total" if columns.is_summed(column, table.context) else "average"
    end = "lowest" if found["end"].casefold() == "least" else "highest"
    note = f"“{found['verb']} the {found['end']}” is taken to mean the {end} {figure} `{column}`."
    return said.saying(f"which {found['group']} has the {end} {figure} `{column}` {found['rest'] or ''}", note)


def did_most_of(said: Speech, table: Table) -> Speech | None:
    """Say "which store sold the most soup" as the highest total of what was sold, of soup."""
    found = said.find(
        rf"^(?:which|what)\s+(?P<group>\w[\w-]*(?:\s\w+)?)\s+(?P<verb>{any_of(table.words('adding_up'))})\s+"
        r"(?:the\s+)?(?P<end>most|least|fewest)\s+(?P<of>\w.*?)[?.]?$"
    )
    if found is None or columns.label(found["group"], table.context) is None:
        return None
    verb, context = found["verb"].casefold(), table.context
    column = columns.measure_of_verb(verb, table.vocabulary.verbs, table.words("money_not"), context)
    if column is None or columns.named(found["of"], context, SHORTENED) is not None:
        return None
    end = "highest" if found["end"].casefold() == "most" else "lowest"
    note = f"What was {found['verb']} is taken to be the total `{column}`."
    return said.saying(f"which {found['group']} has the {end} total `{column}` for {found['of']}", note)


def most_of_a_column(said: Speech, table: Table) -> Speech | None:
    """Say "had the most deaths" as the highest total of a column of them, not as the most rows."""
    found = said.find(
        r"\b(?P<has>has|had|have|with|reported|saw|recorded)\s+(?:the\s+)?"
        r"(?P<end>most|fewest|least|highest\s+number\s+of|lowest\s+number\s+of)\s+"
        r"(?P<what>\w+(?:\s\w+)?)(?=\s*[?.]?$|\s+(?:in|by|per|for|during|since|on|from)\b)"
    )
    column = _figure(found["what"], table) if found else None
    if found is None or column is None or not columns.is_summed(column, table.context):
        return None
    end = "highest" if found["end"].casefold().split()[0] in ("most", "highest") else "lowest"
    has = "with" if found["has"].casefold() == "with" else "has"
    return said.put(found, f"{has} the {end} total `{column}`", f"“{found['what']}” is taken to mean `{column}`.")


def _figure(text: str, table: Table) -> str | None:
    """Return the column of figures that words name: a measure, and no yes or no."""
    column = columns.named(text, table.context, SHORTENED)
    if column is None or not table.context.is_measure(column) or column in set(columns.flags(table.context)):
        return None
    return column


def _extreme(word: str) -> str:
    return "lowest" if word.casefold() in _LOW else "highest"


def _is_group(text: str, table: Table) -> bool:
    return columns.label(text, table.context) is not None or columns.is_period(text, table.context)


def _peak(said: Speech, unit: str, column: str, end: str, rest: str, table: Table) -> Speech | None:
    """Ask for the period or group with the highest total of a column."""
    context, period = table.context, unit.casefold()
    if period == "when" or period == "date" or columns.is_period(period, context):
        if has_dates(table):
            period = "day" if period in ("when", "date") else period
        elif len(context.years) == 1 and period in ("when", "year"):
            period = f"`{context.years[0]}`"
        else:
            return None
    elif columns.label(unit, context) is None:
        return None
    figure = "average" if context.adds_up(column) is False else "total"
    note = f"The {end} {figure} `{column}` of one {unit if unit.casefold() != 'when' else 'period'} is looked for."
    return said.saying(f"which {period} has the {end} {figure} `{column}` {rest}", note)
