"""The two sides of a yes-or-no column: "what percentage of women survived", "survivors vs non-survivors"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of
from jupyter_mcpgen.nl.everyday.yesno import GROUPED, chooses_rows

_SHARE = r"(?P<share>percentage|percent|per\s+cent|share|proportion|fraction)"
_AUXILIARY = r"(?:is|are|was|were|have|has|had|got|did|do|does|have\s+been|had\s+been)"
_REST = r"(?P<rest>(?:\s+(?:in|by|per|during|since|on|for|from|each|every|with)\b.*)?)[?.]?$"


def side_of(word: str, table: Table) -> tuple[str, bool] | None:
    """Return the yes-or-no column that a word is about, and whether the word says yes; None for any other word."""
    said = word.casefold()
    for prefix in ("", "non", "un"):
        plain = said.removeprefix(prefix).lstrip("- ")
        meant = table.vocabulary.antonyms.get(plain, plain)
        flag = columns.flag_of(meant, table.context) or _same_event(meant, table)
        if flag is not None and said.startswith(prefix):
            return flag, (not prefix) == (meant == plain)
    return None


def _same_event(word: str, table: Table) -> str | None:
    """Return the yes-or-no column that is called by another word for the same: "left" for `attrition`."""
    same = {other for group in table.vocabulary.same_event if word in group for other in group}
    found = [name for name in columns.flags(table.context) if same & set(table.context.column_words[name])]
    return found[0] if len(found) == 1 else None


def _sides_in(said: Speech, table: Table) -> str:
    """Return a pattern for the words of a question that are about a yes-or-no column."""
    words = {word.strip("?.,").casefold() for word in said.text.split()}
    return any_of(frozenset(word for word in words if word.isalpha() and side_of(word, table))) or r"(?!)"


def both_sides(said: Speech, table: Table) -> Speech | None:
    """Say "survivors vs non-survivors" as the two groups of that column."""
    found = said.find(
        r"\b(?:(?:of|for|between|among|by)\s+)?(?P<one>[a-z]+)\s+(?:vs\.?|versus|and|or|compared\s+(?:to|with)|against)\s+"
        r"(?:those\s+who\s+|the\s+)?(?P<other>(?:non[- ]?)?[a-z]+)\b"
    )
    one, other = (side_of(found[name], table) for name in ("one", "other")) if found else (None, None)
    if found is None or one is None or other is None or one[0] != other[0] or one[1] == other[1]:
        return None
    return said.put(found, f"by `{one[0]}`", f"“{found['one']}” and “{found['other']}” are the groups of `{one[0]}`.")


def share_of_some(said: Speech, table: Table) -> Speech | None:
    """Say "what percentage of women survived" as the mean over the women, not as the share that they are of all."""
    found = said.find(rf"^(?:among|of|for)\s+(?:the\s+)?(?P<who>[^,]+),\s*what\s+{_SHARE}\s+(?P<what>.+)$")
    if found is not None:
        return share_of_some(said.saying(f"what {found['share']} of {found['who']} {found['what']}"), table)
    found = said.find(
        rf"^(?:what|which)?\s*(?:(?:is|was)\s+the\s+)?{_SHARE}\s+of\s+(?:all\s+|the\s+)?(?P<who>.+?)\s+(?:(?:that|who|which)\s+)?"
        rf"(?:{_AUXILIARY}\s+)?(?P<not>not\s+)?(?P<flag>{_sides_in(said, table)}){_REST}"
    )
    side = side_of(found["flag"], table) if found else None
    if found is None or side is None or found["who"].casefold().split()[-1] in ("and", "or", "but", "nor", "neither"):
        return None
    flag, yes = side[0], side[1] != bool(found["not"])
    note = f"“{found['flag']}” is taken to mean that `{flag}` is {str(side[1]).lower()}."
    true = str(yes).lower()
    share = "percentage" if found["share"].casefold().startswith("per") else "share"
    grouped = GROUPED.search(found["rest"])
    if columns.is_row(found["who"], table.context, table.words("one_row")):
        if grouped:
            return said.saying(f"{share} of `{flag}` rows {found['rest']}", note) if yes else None
        return said.saying(f"{share} of rows where `{flag}` is {true} {found['rest']}", note)
    if not chooses_rows(found["who"], table):
        return None
    if not grouped:
        return said.saying(f"{share} of rows where `{flag}` is {true} for {found['who']} {found['rest']}", note)
    return said.saying(f"average `{flag}` for {found['who']} {found['rest']}", note) if yes else None


def how_many_did(said: Speech, table: Table) -> Speech | None:
    """Say "how many men in third class died" with that column as one more condition."""
    found = said.find(
        rf"^how\s+many\s+(?:of\s+the\s+)?(?P<who>.+?)\s+(?:{_AUXILIARY}\s+)?(?P<not>not\s+)?"
        rf"(?P<flag>{_sides_in(said, table)}){_REST}"
    )
    side = side_of(found["flag"], table) if found else None
    if found is None or side is None or table.is_data(found["flag"]):
        return None
    flag, yes = side[0], side[1] != bool(found["not"])
    note = f"“{found['flag']}” is taken to mean that `{flag}` is {str(side[1]).lower()}."
    return said.saying(f"number of {found['who']} where `{flag}` is {str(yes).lower()} {found['rest']}", note)


def who_did(said: Speech, table: Table) -> Speech | None:
    """Say "women who did not return" with that column as a condition."""
    found = said.find(rf"\b(?:who|that|which)\s+(?:{_AUXILIARY}\s+)?(?P<not>not\s+)?(?P<flag>[\w-]+)\b")
    side = side_of(found["flag"], table) if found else None
    if found is None or side is None or found.start() == 0:
        return None
    true = str(side[1] != bool(found["not"])).lower()
    return said.put(found, f"where `{side[0]}` is {true}", f"“{found['flag']}” is taken to be about `{side[0]}`.")


def those_who(said: Speech, table: Table) -> Speech | None:
    """Say "average age of survivors" as the average over the rows where that column says yes."""
    found = said.find(
        r"\b(?P<lead>(?:share|percentage|proportion)\s+of|of|for|among)\s+(?:the\s+)?"
        r"(?P<noun>(?:non[- ]?)?[a-z]{3,}(?:ors|ers)|"
        r"(?:those|people|employees|customers|persons|ones)\s+who\s+(?P<verb>[a-z]+))\b"
    )
    if found is None or table.is_data(found["noun"]):
        return None
    noun = found["verb"] or found["noun"]
    side = side_of(noun, table)
    if side is None or table.context.plain(noun.casefold()) in table.context.column_words[side[0]]:
        return None
    note = f"“{found['noun']}” are taken to be the rows where `{side[0]}` is {str(side[1]).lower()}."
    if found["lead"].casefold() in ("of", "for", "among"):
        return said.put(found, f"{found['lead']} rows where `{side[0]}` is {str(side[1]).lower()}", note)
    return said.put(found, f"{found['lead']} `{side[0]}` rows", note) if side[1] else None
