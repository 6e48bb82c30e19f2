"""Two groups of which one may have more: "do smokers tip more than non-smokers", "are men taller than women"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED, value_words
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.sides import side_of
from jupyter_mcpgen.nl.everyday.speech import Speech, Table

_ASKS = r"^(?:do|does|did|are|is|were|was|have|has|had)\s+(?:the\s+)?"
_MORE = r"(?:more|less|fewer|higher|lower|better|worse|larger|smaller|bigger|longer|shorter|greater)"
_THAN = r"\s+(?:than|vs)\s+(?:the\s+)?"
_AT = r"(?:at|on|in|during|for|among|by|with)"
_A, _B, _WHAT = r"(?P<a>[\w -]+?)", r"(?P<b>[\w -]+?)(?:\s+on\s+average)?[?.]?$", r"(?P<what>[\w ]+?)"
_OF_THEM = (
    rf"{_ASKS}{_A}\s+(?P<verb>[a-z]+)\s+(?:an?\s+)?(?:(?:much|on\s+average)\s+)?{_MORE}"
    rf"(?:\s+(?:average\s+)?{_WHAT})?(?:\s+on\s+average)?{_THAN}{_B}",
    rf"{_ASKS}{_A}\s+(?P<adj>[a-z]{{3,}}er){_THAN}{_B}",
)
"""Two groups that do or have something: "do smokers tip more than non-smokers"."""
_AMONG_ALL = (
    rf"{_ASKS}(?P<who>\w+)\s+(?P<verb>[a-z]+)\s+{_MORE}(?:\s+{_WHAT})?\s+{_AT}\s+(?:the\s+)?{_A}{_THAN}(?:{_AT}\s+(?:the\s+)?)?{_B}",
    rf"{_ASKS}(?:average\s+|mean\s+)?{_WHAT}\s+{_MORE}\s+{_AT}\s+(?:the\s+)?{_A}{_THAN}(?:{_AT}\s+(?:the\s+)?)?{_B}",
)
"""What the same people do, or what a figure is, in two groups: "do people tip more at dinner than at lunch"."""
_LIKELY = rf"{_ASKS}{_A}\s+(?:more|less)\s+likely\s+to\s+(?:be\s+|have\s+)?(?P<flag>\w+){_THAN}{_B}"
_LIKELY_WITH = (
    rf"{_ASKS}\w+\s+(?:with|without|who\s+have|who\s+use|who\s+work)\s+(?:an?\s+|the\s+)?(?P<with>[\w -]+?)\s+"
    r"(?:more|less)\s+likely\s+to\s+(?:be\s+|have\s+)?(?P<flag>\w+)(?:\s+than\s+(?:those|others|people|the\s+rest)\b.*)?[?.]?$"
)
_BOTH = (
    r"^(?:what(?:'s|\s+is|\s+was|\s+are|\s+were)\s+|show\s+(?:me\s+)?|compare\s+)?(?:the\s+)?"
    r"(?P<what>(?:average|mean|median)\s+[\w ]+?)\s+(?:of|for|among)\s+(?:the\s+)?"
    r"(?P<a>[\w-]+(?:\s[\w-]+)?)\s+and\s+(?P<b>[\w-]+(?:\s[\w-]+){0,2}?)"
    r"(?P<rest>\s+(?:in|by|per|for|during|since|on|at|from|who|where)\b.*?)?[?.]?$"
)
FEW_NUMBERS = 20
_OTHERS = frozenset({"others", "the others", "other", "the rest", "everyone else", "everybody else", "those without"})


def more_than_others(said: Speech, table: Table) -> Speech | None:
    """Say "do smokers tip more than non-smokers" as the figures of both groups, side by side."""
    for pattern in (*_AMONG_ALL, *_OF_THEM):
        found = said.find(pattern)
        parts = found.groupdict() if found else {}
        if not parts or ("who" in parts and not _is_person(parts["who"].casefold(), table)):
            continue
        both = _groups(parts["a"], parts["b"], table)
        column, figure = _figure(parts, table) if both else (None, "")
        if both is not None and column is not None:
            note = f"The {figure} `{column}` of both groups is shown side by side."
            return said.saying(f"{figure} `{column}` {both}", note)
    return None


def more_likely(said: Speech, table: Table) -> Speech | None:
    """Say "are men more likely to leave than women" as the share of both groups that did."""
    found = said.find(_LIKELY) or said.find(_LIKELY_WITH)
    side = side_of(found["flag"], table) if found else None
    if found is None or side is None or not side[1]:
        return None
    parts = found.groupdict()
    both = _groups(parts["a"], parts["b"], table) if "b" in parts else _with_and_without(parts["with"], table)
    if both is None:
        return None
    note = f"How likely is taken to be the share of each group where `{side[0]}` is true."
    return said.saying(f"average `{side[0]}` {both}", note)


def _with_and_without(text: str, table: Table) -> str | None:
    """Return the two groups of the yes-or-no column that words name."""
    flag = columns.named(text, table.context, SHORTENED)
    return f"by `{flag}`" if flag is not None and flag in set(columns.flags(table.context)) else None


def of_both(said: Speech, table: Table) -> Speech | None:
    """Say "average income of men and women" as the average of each, not of both together."""
    found = said.find(_BOTH)
    both = _groups(found["a"], found["b"], table) if found else None
    if found is None or both is None:
        return None
    return said.saying(f"{found['what']} {both} {found['rest'] or ''}", "Each group has a figure of its own.")


def _figure(found: dict[str, str], table: Table) -> tuple[str | None, str]:
    """Return the column that two groups are compared by, and how each group's rows become one figure."""
    context, adjective = table.context, found.get("adj")
    if adjective:
        best = f"{adjective.casefold()[:-2]}est"
        fitting = [quality for quality in table.vocabulary.qualities if best in (*quality.highest, *quality.lowest)]
        return (columns.ranking(fitting[0].columns, context) if fitting else None), "average"
    what = found.get("what")
    if what:
        column = columns.named(re.sub(r"^(?:average|mean)\s+", "", what), context, SHORTENED)
        if column is None or not context.is_measure(column) or column in set(columns.flags(context)):
            return None, ""
        total = columns.is_summed(column, context) and not re.match(r"average|mean", what, re.IGNORECASE)
        return column, "total" if total else "average"
    verb = (found.get("verb") or "").casefold()
    column = columns.measure_of_verb(verb, table.vocabulary.verbs, table.words("money_not"), context)
    return column, "total" if verb in table.words("adding_up") else "average"


def _groups(first: str, second: str, table: Table) -> str | None:
    """Return how two groups of one column are asked for, or None where they are not two of one column."""
    sides = _side(first, table), _side(second, table)
    others = second.casefold() in _OTHERS or second.casefold().startswith("those who do")
    if sides[0] is not None and (others or (sides[1] is not None and sides[0] == (sides[1][0], not sides[1][1]))):
        return f"by `{sides[0][0]}`"
    for a in _values(first, table):
        for b in _values(second, table):
            if a[0] == b[0] and a[1] != b[1]:
                return f"by `{a[0]}` where `{a[0]}` is {a[1]} or {b[1]}"
    return None


def _side(text: str, table: Table) -> tuple[str, bool] | None:
    folded = text.casefold().split()
    words = [word for word in folded if not _is_person(word, table)] or folded
    return side_of(words[0], table) if len(words) == 1 else None


def _is_person(word: str, table: Table) -> bool:
    persons = table.words("persons") | table.words("one_row")
    return (
        word in persons or table.context.plain(word) in persons or table.context.plain(word) in table.context.row_nouns
    )


def _values(text: str, table: Table) -> list[tuple[str, str]]:
    """Return the columns and values that words may name, as they are said: a value, or a numbered class."""
    context = table.context
    words = text.replace("¤", "").split()
    while len(words) > 1 and _is_person(words[-1].casefold(), table):
        words = words[:-1]
    folded = " ".join(value_words(" ".join(words)))
    plain = " ".join((*folded.split()[:-1], context.lexicon.base(folded.split()[-1]))) if folded else ""
    found = [(v.column, f'"{v.value}"') for key in dict.fromkeys((folded, plain)) for v in context.values.get(key, ())]
    if found:
        return found
    numbered = folded.split()
    if len(numbered) != 2:
        return []
    place = [o.number for o in context.lexicon.meanings(numbered[0]) if isinstance(o, m.Ordinal)]
    column = columns.named(numbered[1], context, SHORTENED)
    few = column is not None and context.is_number(column) and context.column(column).distinct <= FEW_NUMBERS
    return (
        [(column, str(place[0]))] if place and column is not None and few and context.could_be(column, place[0]) else []
    )
