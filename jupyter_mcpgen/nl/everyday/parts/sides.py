"""The two sides of a yes-or-no column: "what percentage of women survived", "survivors vs non-survivors"."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.stored_values import value_words

FEW_SIDES = 4
"""A column with more values than this has no two sides and what is neither."""
_SIZES = range(1, 5)
"""Of how many words a value may be that chooses rows."""


@dataclass(frozen=True)
class Split:
    """A text around the verb of a yes-or-no column: of whom it is said, the word, what it means, and the rest."""

    who: str
    word: str
    column: str
    says_yes: bool
    """Whether the word alone says yes."""
    holds: bool
    rest: str
    beside: bool
    """Whether a verb such as "were" stands beside the word."""

    @property
    def note(self) -> str:
        """What was assumed."""
        return f"“{self.word}” is taken to mean that `{self.column}` is {_term(self.says_yes)}."

    @property
    def parts(self) -> dict[str, str]:
        """What templates name."""
        return {"who": self.who, "column": self.column, "holds": _term(self.holds), "rest": self.rest}


def _term(holds: bool) -> Term:
    return Term.TRUE if holds else Term.FALSE


def side_of(word: str, table: Table) -> tuple[str, bool] | None:
    """Return the yes-or-no column that a word is about, and whether the word says yes; None for any other word."""
    said = word.casefold()
    for prefix in ("", *table.vocabulary.ranked["denying"]):
        plain = said.removeprefix(prefix).lstrip("- ")
        meant = table.vocabulary.antonyms.get(plain, plain)
        flag = columns.flag_of(meant, table) or columns.flag_of_event(meant, table)
        if flag is not None and said.startswith(prefix):
            return flag, (not prefix) == (meant == plain)
    return None


def share_of_flag(said: Speech, table: Table) -> Speech | None:
    """Say "percent organic by orchard" as the percentage of organic rows."""
    found = said.find(table.wording("share_of_flag"))
    flag = columns.flag_named(found["flag"], table) if found else None
    return said.put(found, found.said(column=flag)) if found is not None and flag is not None else None


def denied_by_prefix(said: Speech, table: Table) -> Speech | None:
    """Say "non-escalated" as not escalated, where a column says yes or no to it."""
    found = said.find(table.wording("denied_by_prefix"))
    side = side_of(found["word"], table) if found else None
    if found is None or side is None or not side[1] or table.is_data(found.text):
        return None
    return said.put(found, found.said())


def denied_doers(said: Speech, table: Table) -> Speech | None:
    """Say "non survivors" as one word, where a column says yes or no to it."""
    found = said.find(table.wording("denied_doers"))
    return said.put(found, found.said()) if found is not None and side_of(found["word"], table) else None


def both_sides(said: Speech, table: Table) -> Speech | None:
    """Say "survivors vs non-survivors" as the two groups of that column."""
    for found in said.find_each(table.wording("both_sides")):
        one, other = side_of(found["one"], table), side_of(found["other"], table)
        if one is None or other is None or one[0] != other[0] or (one[1] == other[1]) != bool(found["not"]):
            continue
        if found["not"] and table.words("set_apart") & set(said.before(found).casefold().split()):
            return None
        note = f"“{found['one']}” and “{found['other']}” are the groups of `{one[0]}`."
        note = f"“{found.text}” asks for the groups of `{one[0]}`." if found["not"] else note
        return said.put(found, found.said(column=one[0]), note)
    return None


def with_and_without(said: Speech, table: Table) -> Speech | None:
    """Say "with a trainer vs without" as the two groups of that column."""
    for found in said.find_each(table.wording("with_and_without")):
        flag = columns.flag_named(found["flag"], table, SHORTENED)
        kept = found.folded("noun") in table.words("rates_said") or columns.measured(found["noun"], table) is not None
        noun = found["noun"] if kept else ""  # the rate of "churn rate with"
        if flag is not None and not (found["noun"] and columns.measured(found["noun"], table)):  # "bill with breakfast"
            text = f"{noun} {found.said(column=flag)}"
            return said.put(found, text, f"With and without are the groups of `{flag}`.")
        several = columns.label(found["flag"], table) if flag is None else None
        if several is not None and _says_no_and_more(several, table):
            kinds = ", ".join(str(value) for value in table.context.column(several).values)
            text = f"{noun} {found.said(column=several)}"
            return said.put(found, text, f"`{several}` is one of {kinds}: each is a group.")
    return None


def _says_no_and_more(column: str, table: Table) -> bool:
    """Tell whether a column of labels has a "no" among few others: "Yes", "No" and "No internet service"."""
    known = table.context.column(column)
    said = {str(value).casefold() for value in known.values}
    return known.complete and known.distinct <= FEW_SIDES and bool(said & table.context.lexicon.untrue)


def share_of_some(said: Speech, table: Table) -> Speech | None:
    """Say "what percentage of women survived" as the mean over the women, not as the share that they are of all."""
    found = said.find(table.wording("share_of_some"))
    split = split_at_side(f"{found['who']} {found['said']}", table) if found else None
    unsaid = table.words("joining") | table.words("owners_of_figures")
    if found is None or split is None or split.who.casefold().split()[-1] in unsaid:
        return None
    share = Term(found.meant("share"))
    grouped = table.groups(split.rest)
    if columns.is_row(split.who, table, table.words("one_row")):
        way = "grouped" if grouped else "rows"
    elif chooses_rows(split.who, table):
        way = "some_grouped" if grouped else "some"
    else:
        return None
    if grouped and not split.holds:
        return None
    return said.put(found, found.said(way, **split.parts | {"share": share}), split.note)


def share_of_rows(said: Speech, table: Table) -> Speech | None:
    """Say "percent paid by card" of the rows, where no noun says of what and a column is about the verb."""
    found = said.find(table.wording("share_of_rows"))
    words = {word for own in table.context.column_words.values() for word in own} if found else set()
    if found is None or table.is_data(found["verb"]):
        return None
    if not any(table.akin(found.folded("verb"), word) for word in words | table.context.row_nouns):
        return None
    return said.put(found, found.said(share=Term(found.meant("share"))))


def share_of_those_in(said: Speech, table: Table) -> Speech | None:
    """Say "percentage of readings that were ok in the kitchen" of the readings in the kitchen."""
    found = said.find(table.wording("share_of_those_in"))
    if found is None or not columns.is_row(found["who"], table, table.words("one_row") | table.words("rows_called")):
        return None
    values = table.context.values
    said_so, where = (" ".join(value_words(found[name])) for name in ("said", "where"))
    if said_so not in values or where not in values or values[said_so][0].column == values[where][0].column:
        return None
    return said.put(found, found.said())


def part_of_all(said: Speech, table: Table) -> Speech | None:
    """Say "what part of revenue" as its share, where no column is called a part."""
    found = said.find(table.wording("part_of_all"))
    return said.put(found, found.said()) if found and not table.context.columns_with(found.folded("part")) else None


def share_having(said: Speech, table: Table) -> Speech | None:
    """Say "what percentage of pupils have a score above 50" as a share of rows, where each row is one of them."""
    for found in said.find_each(table.wording("share_having")):
        column = columns.named(found["what"], table, SHORTENED)
        if column is None or not columns.is_row(found["who"], table, table.words("one_row")):
            continue
        parts = {"column": column, "share": Term(found.meant("share")), "side": found.meant("side")}
        if found["n"] and columns.holds_numbers(column, table):
            return said.put(found, found.said("limit", **parts))
        if not found["n"] and columns.may_be_lacking(column, table):
            return said.put(found, found.said("held", **parts))
    return None


def how_many_did(said: Speech, table: Table) -> Speech | None:
    """Say "how many men in third class died" with that column as one more condition."""
    found = said.find(table.wording("how_many_did"))
    split = split_at_side(found["said"], table) if found else None
    if found is None or split is None or (table.is_data(split.word) and not split.beside):
        return None
    if _groups_by_it(split, table):
        return None
    named = table.context.plain(split.word.casefold()) in table.context.column_words[split.column]
    return said.put(found, found.said(**split.parts), "" if named else split.note)


def _groups_by_it(split: Split, table: Table) -> bool:
    """Tell whether the word ends the name of a column by which rows are grouped: "by ticket holder"."""
    groups = [Speech(split.who).behind(found) for found in Speech(split.who).find_all(table.wording("grouped"))]
    return any(columns.flag_named(f"{group} {split.word}", table) == split.column for group in groups)


def split_at_side(text: str, table: Table) -> Split | None:
    """Return a text split at the first verb that is about a yes-or-no column."""
    speech = Speech(text.strip())
    for found in speech.find_all(table.wording("verb_of_a_side")):
        side = side_of(found["flag"], table) if found.start else None
        if side is not None:
            holds = side[1] != bool(found["not"])
            before, behind = speech.before(found).strip(), speech.behind(found)
            return Split(before, found["flag"], side[0], side[1], holds, behind, bool(found["said_of"]))
    return None


def who_did(said: Speech, table: Table) -> Speech | None:
    """Say "women who did not return" with that column as a condition."""
    found = said.find(table.wording("who_did"))
    side = side_of(found["flag"], table) if found else None
    if found is None or side is None or found.start == 0:
        return None
    if Speech(said.before(found)).find(table.wording("a_share")):
        return None  # it is what is asked of the rows before it, and does not choose them
    note = f"“{found['flag']}” is taken to be about `{side[0]}`."
    return said.put(found, found.said(column=side[0], holds=_term(side[1] != bool(found["not"]))), note)


def _doer(found: Found) -> str:
    """Return the noun for those of a yes-or-no column, with what denies it."""
    return f"{found['not']}-{found['flag']}" if found["not"] else found["flag"]


def those_who(said: Speech, table: Table) -> Speech | None:
    """Say "average age of survivors" as the average over the rows where that column says yes."""
    found = next((f for f in said.find_each(table.wording("those_who")) if side_of(_doer(f), table)), None)
    side = side_of(_doer(found), table) if found else None
    if found is None or side is None or table.is_data(found["flag"]):
        return None
    if table.context.plain(found.folded("flag")) in table.context.column_words[side[0]]:
        return None
    note = f"“{found['flag']}” are taken to be the rows where `{side[0]}` is {_term(side[1])}."
    if found["share"]:
        return said.put(found, found.said("share", column=side[0]), note) if side[1] else None
    return said.put(found, found.said("rows", column=side[0], holds=_term(side[1])), note)


def chooses_rows(text: str, table: Table) -> bool:
    """Tell whether some rows are chosen by a value or a number."""
    context = table.context
    words = text.casefold().replace("-", " ").split()
    plain = [word.strip("?.,") for word in words]
    runs = {" ".join(plain[at : at + size]) for size in _SIZES for at in range(len(plain) - size + 1)}
    said = runs | {context.lexicon.base(word) for word in plain}
    if not said.isdisjoint(context.values):
        return True
    return any(word.isdigit() or columns.is_place(word, table) for word in plain)


def as_a_percentage(said: Speech, table: Table) -> Speech | None:
    """Say "tickets closed within a day as a percentage" as the percentage of tickets that are so."""
    found = said.find(table.wording("as_a_percentage"))
    if found is None or table.groups(found["asked"]):
        return None
    first = found["asked"].split()[0]
    return said.put(found, found.said(asked=found["asked"])) if columns.is_row(first, table) else None
