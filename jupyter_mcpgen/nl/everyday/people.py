"""What is said of people and other rows beside their noun: "women over 65", "how many women were readmitted"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of

_SIDES = {
    "over": "over",
    "above": "over",
    "older than": "over",
    "under": "under",
    "below": "under",
    "younger than": "under",
}


def aged(said: Speech, table: Table) -> Speech | None:
    """Say "women over 65" by the one column that holds an age."""
    children = table.words("children")
    nouns = table.words("one_row") | table.words("female") | table.words("male") | table.context.row_nouns | children
    found = said.find(
        rf"\b(?P<noun>(?:{any_of(frozenset(nouns))})s?)\s+(?:aged\s+)?(?P<side>{'|'.join(_SIDES)})\s+"
        r"(?:the\s+age\s+of\s+)?(?P<years>\d{1,3})(?:\s+years(?:\s+old)?)?(?=\s+(?:and|or|were|was|are|is|have|has|had|who|where|with|in|by|per|from)\b|\s*[?.,]|\s*$)"
    )
    ages = [name for name, own in table.context.column_words.items() if "age" in own and table.context.is_measure(name)]
    if found is None or len(ages) != 1 or not 0 < int(found["years"]) < 130:
        return None
    note = f"“{found['side']} {found['years']}” is taken to mean `{ages[0]}`."
    noun = "rows" if found["noun"].casefold() in children else found["noun"]
    return said.put(found, f"{noun} with `{ages[0]}` {_SIDES[found['side'].casefold()]} {found['years']}", note)


def were(said: Speech, table: Table) -> Speech | None:
    """Say "how many women over 65 were readmitted" with the yes-or-no column as one more condition."""
    found = said.find(
        r"^how\s+many\s+(?P<who>.+?)\s+(?:is|are|was|were|got|have\s+been|had\s+been|has\s+been)\s+"
        r"(?P<flag>\w+)(?P<rest>(?:\s+(?:in|by|per|during|since|on|for|from|each|every)\b.*)?)[?.]?$"
    )
    flag = columns.flag_of(found["flag"].casefold(), table.context) if found else None
    if found is None or flag is None:
        return None
    return said.saying(f"number of {found['who']} where `{flag}` is true {found['rest']}")


def as_rows(said: Speech, table: Table) -> Speech | None:
    """Say "people" as rows, where nothing in the table is called that and a row may be one."""
    found = said.find(r"\bhow\s+many\s+(?P<noun>people|persons|individuals)\b")
    if found is None or table.is_data(found["noun"]) or columns.named(found["noun"], table.context, 0.6):
        return None
    return said.put(found, "how many rows", f"Each row is taken to be one of the “{found['noun']}”.")


def on_average(said: Speech, table: Table) -> Speech | None:
    """Say "number of orders per customer on average" with the average first."""
    found = said.find(r"^(?:how\s+many|number\s+of)\s+(?P<what>.+?\b(?:per|by|for\s+each)\b.+?)\s+on\s+average[?.]?$")
    return said.saying(f"average number of {found['what']}") if found is not None else None
