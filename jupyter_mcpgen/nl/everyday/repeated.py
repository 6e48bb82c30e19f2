"""Figures over what has several rows: "average order value", "customers who ordered more than 5 times"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.kinship import akin
from jupyter_mcpgen.nl.everyday.speech import NUMBERS, Speech, Table
from jupyter_mcpgen.nl.everyday.yesno import GROUPED

_REST = r"(?P<rest>\s+(?:in|for|during|since|on|from|at|by|per)\b.*?)?[?.]?$"
_WHAT = r"^(?:what(?:'s|\s+is|\s+was)\s+|show\s+(?:me\s+)?)?(?:the\s+)?(?P<f>average|mean|median|typical)\s+"


def value_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "average order value" as the average of the orders' totals, where an order has several rows."""
    found = said.find(rf"{_WHAT}(?P<noun>\w+)\s+(?P<value>value|amount|total){_REST}")
    group = columns.repeated_key(found["noun"], table.context) if found else None
    if found is None or group is None:
        return None
    named = columns.named(f"{found['noun']} {found['value']}", table.context, SHORTENED)
    if named is not None and table.context.is_measure(named):
        return None
    column = columns.money(table.vocabulary.ranked["money"], table.words("money_not"), table.context)
    rest = found["rest"] or ""
    if column is None or GROUPED.search(rest):
        return None  # an average of each group of orders is not read
    note = f"`{column}` is added up for each `{group}`, and these totals are averaged."
    return said.saying(f"{_function(found['f'])} over groups of total `{column}` by `{group}` {rest}", note)


def number_for_each(said: Speech, table: Table) -> Speech | None:
    """Say "average number of orders per customer" as the average of the customers' counts."""
    found = said.find(
        rf"{_WHAT}(?:number|count)\s+of\s+(?P<what>[\w ]+?)\s+"
        r"(?:per|for\s+each|by|of\s+each|for\s+every)\s+(?P<noun>\w+)[?.]?$"
    )
    group = columns.entity(found["noun"], table.context) if found else None
    if found is None or group is None or columns.named(f"number of {found['what']}", table.context, 0.9):
        return None
    figure = _counted(found["what"], table)
    if figure is None:
        return None
    note = f"The {figure} is taken for each `{group}`, and these figures are averaged."
    return said.saying(f"{_function(found['f'])} over groups of {figure} by `{group}`", note)


def total_for_each(said: Speech, table: Table) -> Speech | None:
    """Say "average total sales per customer" and "average revenue per order" as the average of their totals."""
    found = said.find(
        rf"{_WHAT}(?P<total>total\s+)?(?P<what>[\w ]+?)\s+"
        r"(?:per|for\s+each|of\s+each|for\s+every|of\s+an)\s+(?P<noun>\w+)[?.]?$"
    )
    group = columns.entity(found["noun"], table.context) if found else None
    column = columns.named(found["what"], table.context, SHORTENED) if found else None
    if found is None or group is None or column is None or not table.context.is_measure(column):
        return None
    purchase = found["noun"].casefold() in table.words("purchases") and table.context.adds_up(column)
    if not found["total"] and not (purchase and group == columns.repeated_key(found["noun"], table.context)):
        return None
    note = f"`{column}` is added up for each `{group}`, and these totals are averaged."
    return said.saying(f"{_function(found['f'])} over groups of total `{column}` by `{group}`", note)


def more_than_times(said: Speech, table: Table) -> Speech | None:
    """Say "customers who ordered more than 5 times" as those with more than 5 different orders."""
    found = said.find(
        r"^(?P<how>how\s+many\s+|number\s+of\s+)?(?:(?:which|what|list|show|find)\s+)?(?:the\s+)?(?P<noun>[a-z]+)\s+"
        r"(?:(?:who|that|which)\s+)?(?:(?:have|has|had|were|was|are)\s+)?(?P<verb>[a-z]+)\s+"
        r"(?P<side>more\s+than|at\s+least|at\s+most|fewer\s+than|less\s+than|exactly)\s+"
        rf"(?P<n>{NUMBERS}|once|twice)(?:\s+times|\s+orders)?{_REST}"
    )
    group = columns.entity(found["noun"], table.context) if found else None
    if found is None or group is None:
        return None
    n = {"once": "1", "twice": "2"}.get(found["n"].casefold(), found["n"])
    if n == found["n"] and "time" not in found[0].casefold():
        return None
    verb = found["verb"].casefold()
    context = table.context
    own = context.column_words
    others = [name for name, words in own.items() if words[-1:] == ("identifier",) and name != group]
    others = [name for name in others if not context.names_rows(name)]
    keys = [name for name in others if any(akin(verb, word) for word in own[name][:-1])] or others
    if len(keys) == 1:
        figure = f"number of different `{keys[0]}`"  # several rows of one receipt are one visit
    elif not keys and (columns.date_of(verb, context) or not columns.is_known(verb, context)):
        figure = "number of rows"
    else:
        return None
    side = "equal to" if found["side"].casefold() == "exactly" else found["side"]
    text = f"`{group}` with {figure} {side} {n} {found['rest'] or ''}"
    note = f"How often is taken to mean the {figure} of each `{group}`."
    return said.saying(f"number of groups of {text}" if found["how"] else text, note)


def with_more_of(said: Speech, table: Table) -> Speech | None:
    """Say "customers with more than 5 orders" as those with more than 5 different ones."""
    found = said.find(
        r"^(?P<how>how\s+many\s+|number\s+of\s+)?(?:(?:which|what|list|show|find)\s+)?(?:the\s+)?(?P<noun>[a-z]+)\s+"
        r"(?:(?:who|that|which)\s+)?(?:with|have|has|had|having|made|placed)\s+"
        r"(?P<side>more\s+than|at\s+least|at\s+most|fewer\s+than|less\s+than|exactly)\s+"
        rf"(?P<n>{NUMBERS})\s+(?P<what>[a-z]+){_REST}"
    )
    group = columns.entity(found["noun"], table.context) if found else None
    key = columns.repeated_key(found["what"], table.context) if found else None
    if found is None or group is None or key is None or key == group:
        return None
    side = "equal to" if found["side"].casefold() == "exactly" else found["side"]
    text = f"`{group}` with number of different `{key}` {side} {found['n']} {found['rest'] or ''}"
    return said.saying(f"number of groups of {text}" if found["how"] else text, f"Each `{key}` counts once.")


def more_in_total(said: Speech, table: Table) -> Speech | None:
    """Say "customers who spent more than 100" as those with a total above it."""
    found = said.find(
        r"^(?P<how>how\s+many\s+|number\s+of\s+)?(?:(?:which|what|list|show|find)\s+)?(?:the\s+)?(?P<noun>[a-z]+)\s+"
        r"(?:(?:who|that|which)\s+)?(?:(?:have|has|had)\s+)?(?P<verb>[a-z]+)\s+(?:a\s+total\s+of\s+)?"
        rf"(?P<side>more\s+than|at\s+least|at\s+most|less\s+than|over|under)\s+(?P<n>[\d.,]*\d)(?P<times>\s+times)?{_REST}"
    )
    group = columns.entity(found["noun"], table.context) if found else None
    if found is None or group is None or found["times"]:
        return None
    verb, context = found["verb"].casefold(), table.context
    column = columns.measure_of_verb(verb, table.vocabulary.verbs, table.words("money_not"), context)
    if column is None or context.adds_up(column) is False:
        return None
    text = f"`{group}` with total `{column}` {found['side']} {found['n']} {found['rest'] or ''}"
    note = f"What was {found['verb']} is taken to be the total `{column}` of each `{group}`."
    return said.saying(f"number of groups of {text}" if found["how"] else text, note)


def _function(word: str) -> str:
    return "median" if word.casefold() == "median" else "mean"


def _counted(what: str, table: Table) -> str | None:
    """Return what is counted: different things where an identifier repeats, else rows."""
    key = columns.repeated_key(what, table.context)
    if key is not None:
        return f"number of different `{key}`"
    if table.context.plain(what.casefold()) in table.words("quantity"):
        pieces = columns.ranking(("quantity", "units", "pieces"), table.context)
        return f"total `{pieces}`" if pieces else None
    return "number of rows" if columns.is_row(what, table.context, table.words("one_row")) else None
