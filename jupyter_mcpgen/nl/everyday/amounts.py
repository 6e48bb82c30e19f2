"""Amounts said otherwise than by their columns: "average order value", "revenue per order", "over 10%", "pay gap"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.context import value_words
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.kinship import akin
from jupyter_mcpgen.nl.everyday.speech import IN_ALL, Speech, Table, any_of
from jupyter_mcpgen.nl.words import split_name

_FUNCTION = r"average|mean|median|avg|typical|total|highest|lowest|maximum|minimum|max|min"


def order_value(said: Speech, table: Table) -> Speech | None:
    """Say "average order value" as the average of the column that holds what an order is worth."""
    found = said.find(rf"\b(?P<f>{_FUNCTION})\s+(?P<noun>\w+)\s+(?P<value>value|amount|total|worth)\b")
    if found is None or not columns.is_row(
        found["noun"], table.context, frozenset({"transaction", "order", "basket", "invoice"})
    ):
        return None
    if columns.named(f"{found['noun']} {found['value']}", table.context, 0.75):
        return None
    if columns.repeated_key(found["noun"], table.context):
        return None  # a row is only a part of one
    column = columns.money(table.vocabulary.ranked["money"], table.words("money_not"), table.context)
    if column is None:
        return None
    return said.put(
        found, f"{found['f']} `{column}`", f"The {found['noun']} {found['value']} is taken to be `{column}`."
    )


def how_much_spent(said: Speech, table: Table) -> Speech | None:
    """Say "how much did Acme spend" as the total of what was paid, for Acme."""
    verbs = any_of(frozenset({"spend", "spent", "pay", "paid", "earn", "earned", "cost", "make", "made"}))
    found = said.find(
        rf"^how\s+much\s+(?:money\s+)?(?:did|does|do|has|have)\s+(?P<who>.+?)\s+(?P<verb>{verbs})\b(?P<rest>.*?)[?.]?$"
    )
    if found is None:
        return None
    rest = found["rest"].strip()
    behind = re.match(r"(?:in|for|on)\s+(.+)$", rest)
    column = columns.named(behind[1], table.context, 0.75) if behind else None
    if column is not None and table.context.is_measure(column):
        return said.saying(f"total `{column}` for {found['who']}")
    wanted = table.vocabulary.verbs.get(found["verb"].casefold(), table.vocabulary.ranked["money"])
    column = columns.money(wanted, table.words("money_not"), table.context)
    if column is None:
        return None
    return said.saying(
        f"total `{column}` for {found['who']} {rest}", f"What was {found['verb']} is taken to be `{column}`."
    )


def per_row(said: Speech, table: Table) -> Speech | None:
    """Say "revenue per order" as the average of revenue, where a row is an order."""
    found = said.find(
        r"^(?:what(?:'s|\s+is|\s+was)\s+(?:the\s+)?)?(?P<f>(?:average|mean|avg)\s+)?(?P<what>.+?)\s+per\s+(?P<noun>\w+)\b(?P<rest>.*)$"
    )
    if (
        found is None
        or columns.label(found["noun"], table.context)
        or not columns.is_row(found["noun"], table.context, frozenset())
    ):
        return None
    if re.match(r"(?:number|count|share|percentage|how)\b", found["what"], re.IGNORECASE):
        return None
    column = columns.named(re.sub(r"^total\s+", "", found["what"], flags=re.IGNORECASE), table.context, 0.75)
    if column is None or not table.context.is_measure(column):
        return None
    return said.saying(
        f"average `{column}` {found['rest']}", f"Each row is one {found['noun']}, so `{column}` is averaged."
    )


def per_piece(said: Speech, table: Table) -> Speech | None:
    """Say "revenue per unit" by the column that counts the pieces, "cost per kwh" by the one measured in them."""
    found = said.find(r"\bper\s+(?P<noun>[a-z]\w*)\b")
    if found is None:
        return None
    noun = found["noun"].casefold()
    pieces = table.words("quantity") if noun in ("unit", "item", "piece", "copy") else {noun}
    own = table.context.column_words
    measures = (c for c in own if table.context.is_measure(c) and own[c] != (noun,))
    wanted = [c for c in measures if own[c] and own[c][-1] in pieces]
    if len(wanted) != 1:
        return None
    counted = table.context.adds_up(wanted[0])
    return said.put(found, f"{'per' if counted else 'divided by'} `{wanted[0]}`")


def percents(said: Speech, table: Table) -> Speech | None:
    """Say "10%" as 0.1 of a column of fractions, and as 10 of a column of percents."""
    found = said.find(r"(?P<of>\b[\w ]*?)(?P<number>\d+(?:\.\d+)?)\s*(?:%|percent\b|per cent\b)(?!\s+of\b)")
    if found is None:
        return None
    column = next((name for name in _named_numbers(found["of"], table)), None)
    if column is None:
        return None
    known = table.context.column(column)
    if known.minimum is None or known.minimum < 0:
        return None
    number = float(found["number"])
    if known.maximum <= 1 < number or (known.maximum <= 1 and number < 1 and known.maximum < 0.2):
        written = f"{number / 100:.6f}".rstrip("0").rstrip(".")
        return said.put(
            found, f"{found['of']} {written}", f"`{column}` holds fractions, so {found['number']}% is {written}."
        )
    return said.put(found, f"{found['of']} {found['number']}")


def _named_numbers(text: str, table: Table) -> list[str]:
    """Return the number columns that words name, the nearest to their end first."""
    words = text.split()
    found = []
    for end in range(len(words), 0, -1):
        for width in (3, 2, 1):
            name = (
                columns.named(" ".join(words[max(0, end - width) : end]), table.context, 0.75) if end >= width else None
            )
            if name and table.context.is_number(name):
                found.append(name)
    return found


def in_units(said: Speech, table: Table) -> Speech | None:
    """Leave out the unit behind the name of a column that is measured in it: "cost in usd"."""
    for name in table.context.profile.schema_.names:
        pieces = split_name(name)
        for cut in range(1, len(pieces)):
            of, unit = pieces[:cut], pieces[cut:]
            found = said.find(rf"\b{'[ _]'.join(map(re.escape, of))}\s+in\s+{'[ _]'.join(map(re.escape, unit))}\b")
            if found is not None and table.context.is_number(name):
                return said.put(found, f"`{name}`")
    return None


def figures(said: Speech, table: Table) -> Speech | None:
    """Leave out a noun that adds nothing to the figures of a column: "maths scores"."""
    found = said.find(rf"\b(?P<name>\w+)\s+(?:{any_of(table.words('figure'))})\b")
    if found is None or columns.named(found[0], table.context):
        return None
    column = columns.named(found["name"], table.context)
    return said.put(found, found["name"]) if column and table.context.is_measure(column) else None


def pay_gap(said: Speech, table: Table) -> Speech | None:
    """Say "gender pay gap" as the average pay of each gender, side by side."""
    found = said.find(
        rf"\b(?:the\s+)?(?P<label>\w+)\s+(?P<what>\w+)\s+(?:{any_of(table.words('gap'))})\b"
        r"(?:\s+(?:by|per|in each|across)\s+(?P<by>\w+(?:\s\w+)?))?"
    )
    label = columns.label(found["label"], table.context) if found else None
    if found is None or label is None:
        return None
    words = (
        (found["what"], *table.vocabulary.verbs.get("earn", ()))
        if found["what"].casefold() in ("pay", "wage", "salary", "earnings", "income")
        else (found["what"],)
    )
    column = columns.ranking(words, table.context)
    if column is None:
        return None
    by = f"{found['by']} and " if found["by"] else ""
    return said.put(
        found, f"average `{column}` by {by}`{label}`", f"The gap is shown as the average `{column}` of each `{label}`."
    )


def differences(said: Speech, table: Table) -> Speech | None:
    """Ask for a test where a difference between groups is doubted, and for averages where it is a figure."""
    found = said.find(r"^(?:is|are)\s+there\s+(?:a|an|any)\s+differences?\s+(?P<rest>(?:in|between)\b.*)$")
    if found is not None:
        return said.saying(
            f"is there a significant difference {found['rest']}", "A difference is looked for with a statistical test."
        )
    found = said.find(r"^do(?:es)?\s+(?P<a>\w+)\s+and\s+(?P<b>\w+)\s+differ\s+in\s+(?P<what>.+?)[?.]?$")
    if found is not None:
        text = f"is there a significant difference in {found['what']} between {found['a']} and {found['b']}"
        return said.saying(text, "A difference is looked for with a statistical test.")
    found = said.find(
        r"^(?:what\s+is\s+)?(?:the\s+)?difference\s+in\s+(?:average\s+|mean\s+)?(?P<what>.+?)\s+between\s+(?P<a>\w+)\s+and\s+(?P<b>\w+)[?.]?$"
    )
    if found is not None:
        column = columns.named(found["what"], table.context, 0.75)
        adds_up = column is not None and table.context.adds_up(column) is True
        figure = "total" if adds_up and "average" not in found[0] and "mean" not in found[0] else "average"
        text = f"compare {figure} {found['what']} of {found['a']} and {found['b']}"
        return said.saying(text, f"The {figure}s are shown side by side, not subtracted.")
    return None


def missing(said: Speech, table: Table) -> Speech | None:
    """Say "how many values are missing" as the number of missing values."""
    found = said.find(r"\bhow\s+many\s+(?:values|cells|entries)\s+are\s+(?:missing|empty|null|blank)\b")
    if found is not None:
        return said.put(found, "number of missing values")
    found = said.find(
        r"\bhow\s+many\s+(?P<noun>\w+)\s+(?:are\s+missing|have\s+no|lack|miss)\s+(?:an?\s+|the\s+|their\s+)?(?P<what>\w+(?:\s\w+)?)[?.]?$"
    )
    if (
        found is not None
        and columns.named(found["what"], table.context, 0.75)
        and columns.is_row(found["noun"], table.context, table.words("one_row"))
    ):
        return said.put(found, f"number of rows where {found['what']} is missing")
    return None


def cell_of(said: Speech, table: Table) -> Speech | None:
    """Ask "what is" of a column and the one row that a value names: "box office of Paper Kings"."""
    found = said.find(r"^(?:the\s+)?(?P<what>[\w ]+?)\s+(?:of|for)\s+(?:the\s+)?(?P<value>.+?)[?.]?$")
    column = columns.named(found["what"], table.context) if found else None
    if found is None or column is None:
        return None
    values = table.context.values.get(" ".join(value_words(found["value"])), ())
    unique = values and all(table.context.names_rows(value.column) for value in values)
    return said.saying(f"what is the {said.text}") if unique else None


def how_often(said: Speech, table: Table) -> Speech | None:
    """Say "how often was the status warning" as a number of rows."""
    found = said.find(r"^how\s+often\s+(?:was|is|were|are|has|have)\s+(?P<rest>.+)$")
    return said.put(found, f"number of rows where {found['rest']}") if found else None


def verbs_compared(said: Speech, table: Table) -> Speech | None:
    """Say "earning less than 50k" and "delayed by more than 15 minutes" of the columns they are about."""
    size = r"(?=(?:less|more|fewer|over|under|above|below|at\s+least|at\s+most|between|exactly)\b)"
    found = said.find(
        rf"\b(?:(?:who|that|which|and)\s+)?(?:(?:are|were|was|is)\s+)?(?P<verb>[a-z]{{3,}}(?:ing|ed|s)?)\s+(?:by\s+|for\s+)?{size}"
    )
    if found is None or columns.named(found["verb"], table.context, 0.7) or said.find(IN_ALL):
        return None  # "spent more than 50 in total" limits no single row
    verb = found["verb"].casefold()
    wanted = table.vocabulary.verbs.get(verb)
    column = columns.ranking(wanted, table.context) if wanted else _measure_of(verb, table)
    if column is None:
        return None
    joined = "and" if found[0].casefold().startswith("and") else ""
    said = said.put(found, f"{joined} with `{column}`", f"“{verb}” is taken to be about `{column}`.")
    unit = said.find(
        r"(?<=\d)\s*(?P<unit>minutes?|mins?|hours?|days?|km|kilometers?|kg|euros?|dollars?|meters?|years)\b"
    )
    return said.put(unit, "") if unit and _is_unit_of(unit["unit"], column, table) else said


def _measure_of(verb: str, table: Table) -> str | None:
    if columns.is_known(verb, table.context) and not table.context.columns_with(verb):
        return None
    skip = set(columns.flags(table.context))
    own = table.context.column_words
    found = [n for n in own if n not in skip and table.context.is_measure(n) and any(akin(verb, w) for w in own[n])]
    return found[0] if len(found) == 1 else None


def _is_unit_of(unit: str, column: str, table: Table) -> bool:
    """Tell whether a column is measured in a unit, by the end of its name."""
    last = split_name(column)[-1]
    return unit.casefold().startswith(last) or last.startswith(unit.casefold()[:3])


def summed(said: Speech, table: Table) -> Speech | None:
    """Say "how many passengers flew to Cork" as the total of a column that adds up."""
    found = said.find(
        r"^how\s+many\s+(?P<what>\w+)(?:\s+(?P<verb>\w+))?\s+(?P<rest>(?:to|from|in|at|on|by|during|per|across)\b.*)$"
    )
    column = columns.named(found["what"], table.context) if found else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    verb = (found["verb"] or "").casefold()
    if table.context.adds_up(column) is not True or columns.is_row(found["what"], table.context, frozenset()):
        return None
    if verb and columns.is_known(verb, table.context) and verb not in table.words("stay"):
        return None
    return said.saying(f"total `{column}` {found['rest']}", f"“{verb}” is taken to say nothing more." if verb else "")


def stay(said: Speech, table: Table) -> Speech | None:
    """Leave out the "work" of "work in Sales"."""
    found = said.find(rf"\b(?:{any_of(table.words('stay'))})\s+(?=(?:in|at|for|on|to|from)\b)")
    return said.put(found, "") if found and not table.is_data(found[0].strip()) else None


def done_by(said: Speech, table: Table) -> Speech | None:
    """Say "which films did Elsa Brandt direct" of the column of who directed."""
    found = said.find(
        r"^(?:which|what)\s+(?P<np>\w+)\s+(?:did|does|do|has|have)\s+(?P<who>.+?)\s+(?P<verb>[a-z]+)(?P<rest>\s+(?:in|since|after|before|from|between|for|at|on)\b.*)?[?.]?$"
    )
    if found is None:
        return None
    values = table.context.values.get(" ".join(value_words(found["who"])), ())
    about = [v for v in values if any(akin(found["verb"].casefold(), w) for w in table.context.column_words[v.column])]
    if len(about) != 1:
        return None
    return said.saying(f'{found["np"]} where `{about[0].column}` is "{about[0].value}" {found["rest"] or ""}')
