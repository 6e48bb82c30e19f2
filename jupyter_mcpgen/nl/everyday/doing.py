"""What the rows do, where a column says yes or no to it: "employees who work overtime", "how many use autopay"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of

_VERBS = frozenset(
    {"do", "does", "did", "get", "gets", "got", "use", "uses", "used", "take", "takes", "took", "own", "owns"}
)


def doing(said: Speech, table: Table) -> Speech | None:
    """Say "how many employees work overtime" and "people who work overtime" by the column `overtime`."""
    verbs = any_of(_VERBS | table.words("stay"))
    found = said.find(
        rf"^(?P<how>how\s+many)\s+(?P<noun>\w+)\s+(?:(?P<not>don't|do\s+not|didn't|did\s+not)\s+)?(?:{verbs})\s+(?P<flag>\w+(?:\s\w+)?)(?P<rest>(?:\s+(?:in|by|per|for|at|on|from|who|with)\b.*)?)[?.]?$"
    ) or said.find(
        rf"\b(?:(?P<noun>\w+)\s+)?(?:who|that|which)\s+(?:(?P<not>don't|do\s+not|didn't|did\s+not)\s+)?(?:{verbs})\s+(?P<flag>\w+(?:\s\w+)?)(?P<rest>)\b"
    )
    flag = columns.named(found["flag"], table.context) if found else None
    if found is None or flag is None or flag not in set(columns.flags(table.context)):
        return None
    if found["noun"] and not columns.is_row(
        found["noun"], table.context, table.words("one_row") | table.words("persons")
    ):
        return None
    holds = str(not found["not"]).lower()
    note = f"“{found['flag']}” is taken to mean that `{flag}` is true."
    if found.groupdict().get("how"):
        return said.saying(f"number of rows where `{flag}` is {holds} {found['rest']}", note)
    return said.put(found, f"rows where `{flag}` is {holds}", note)
