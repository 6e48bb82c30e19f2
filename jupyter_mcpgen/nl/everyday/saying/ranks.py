"""How a ranking is said: the row, the rows or the groups with most or least of a column."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.plan.schema import ColumnType

USUAL_KEPT = 10
"""How many are shown where the question names no number."""
KEPT_NOTE = f" The first {USUAL_KEPT} are shown, because the question names no number."


@dataclass(frozen=True)
class Rank:
    """A column to rank by, from which end, said by which word."""

    column: str
    descending: bool
    word: str

    @property
    def extreme(self) -> Term:
        """The end as it is said of one."""
        return Term.HIGHEST if self.descending else Term.LOWEST

    @property
    def end(self) -> Term:
        """The end as it is said of several."""
        return Term.TOP if self.descending else Term.BOTTOM

    @property
    def note(self) -> str:
        """What was assumed; a word that says just that may stand in another one's place, and is not quoted."""
        if self.word.casefold() == self.extreme:
            return f"The {self.extreme} `{self.column}` is looked for."
        return f"“{self.word}” is taken to mean the {self.extreme} `{self.column}`."

    @property
    def parts(self) -> dict[str, str]:
        """What templates name."""
        return {"column": self.column, "end": self.extreme}


def noun_phrase(tail: str, table: Table) -> tuple[str, str]:
    """Return the nouns right behind an adjective, and the rest."""
    words, others = tail.split(), table.words("after_nouns")
    end = next((i for i, word in enumerate(words) if word.casefold() in others), len(words))
    return " ".join(words[:end]), " ".join(words[end:])


def ranked_rows(said: Speech, count: str, phrase: str, rest: str, rank: Rank, table: Table) -> Speech | None:
    """Say a ranking of rows; None where the noun is neither a row nor a value."""
    noun = (phrase.split() or [""])[-1]
    is_value = phrase.casefold() in table.context.values  # "tv show", where a row is a show
    known = not is_value and (not noun or columns.is_row(noun, table, table.words("one_row")))
    base = table.context.lexicon.base(noun.casefold())
    in_plural = phrase.casefold() in table.context.values_in_plural  # "shirt" for `Shirts`
    if not known and not in_plural and not any(map(table.is_data, (noun, base, phrase))):
        return None
    of = " ".join(phrase.split()[:-1]) if known else phrase
    chosen = table.say("for", of=of) if of else ""
    wording, parts = table.wording("ranked_rows"), {"column": rank.column, "rest": rest, "of": of, "for": chosen}
    if table.context.type_of(rank.column) is ColumnType.DATE:
        way = Term.DESCENDING if rank.descending else Term.ASCENDING
        return said.saying(wording.say("dated", parts | {"n": count or "1", "way": way}), rank.note)
    if count or (noun and columns.is_plural(phrase, table)):
        kept = "" if count else KEPT_NOTE
        of_rows = "several_years" if rank.column in table.context.years else "several"
        kept += f" Several rows may share the same `{rank.column}`." if of_rows == "several_years" else ""
        text = wording.say(of_rows, parts | {"n": count or str(USUAL_KEPT), "end": rank.end, "most": rank.extreme})
        return said.saying(text, rank.note + kept)
    return said.saying(wording.say("one", parts | {"end": rank.extreme}), rank.note)


def ranked_groups(
    said: Speech, phrase: str, rest: str, rank: Rank, table: Table, *, count: str, several: bool, in_all: bool = False
) -> Speech:
    """Say a ranking of groups by their totals, or by their averages where totals mean nothing."""
    timed = bool(set(table.context.column_words[rank.column]) & table.words("taking_time"))
    summed = columns.is_summed(rank.column, table) and not timed
    priced = bool(set(table.context.column_words[rank.column]) & table.words("price"))
    group = columns.entity(phrase.strip("`"), table)
    one_by_one = priced and group is not None and told_apart(group, table) is None  # what one of a kind costs
    figure = Term.TOTAL if in_all or (summed and not one_by_one) else Term.AVERAGE
    note = f"“{rank.word}” is taken to mean the {rank.extreme} {figure} `{rank.column}`."
    parts = {"group": phrase, "rest": rest, "figure": figure, "column": rank.column}
    unit = table.meaning("units", phrase.casefold())
    if several and "first_periods" in table.vocabulary.sayings.becomes and unit in table.choices("units"):
        return said.saying(
            table.say("first_periods", n=count or str(USUAL_KEPT), end=rank.end, unit=unit, **parts), note
        )
    if several:
        return said.saying(table.say("first_groups", n=count or str(USUAL_KEPT), end=rank.end, **parts), note)
    return said.saying(table.say("which_group", end=rank.extreme, **parts), note)


def ranked_persons(said: Speech, phrase: str, rest: str, rank: Rank, table: Table, *, count: str) -> Speech:
    """Say a ranking of persons by the highest or lowest of what each has: nobody has an average age."""
    figure = Term.MAXIMUM if rank.descending else Term.MINIMUM
    parts = {"group": phrase, "rest": rest, "figure": figure, "column": rank.column}
    return said.saying(table.say("first_groups", n=count or str(USUAL_KEPT), end=rank.end, **parts), rank.note)
