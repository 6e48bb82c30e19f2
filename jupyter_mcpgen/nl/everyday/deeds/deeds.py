"""What a verb says of an amount: "pallets moved", "pieces scrapped", "weight delivered"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.amounts.conversions import adds_up_by_unit
from jupyter_mcpgen.nl.everyday.deeds.decorated import tells_rows_apart
from jupyter_mcpgen.nl.everyday.deeds.outcomes import deed_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term

MOST_WORDS = 3
"""Of how many words the name of an amount is."""


@dataclass(frozen=True)
class Deed:
    """The amount of which so much was done, and the value that says of which rows it is so."""

    column: str
    said_by: tuple[str, str] | None
    verb: str

    @property
    def note(self) -> str:
        """What was assumed of the verb."""
        if self.said_by is not None:
            return f"“{self.verb}” is taken to mean that `{self.said_by[0]}` is {self.said_by[1]}."
        return f"“{self.verb}” is taken to be about `{self.column}`." if self.verb else ""

    @property
    def added_up(self) -> str:
        """What was assumed of a question that asks for no other figure."""
        return (
            f"What was {self.verb} is added up, by `{self.column}`." if self.verb else f"`{self.column}` is added up."
        )


def deed(what: str, verb: str, table: Table) -> Deed | None:
    """Return what a verb says of an amount; None where it may say that only a part of it is meant.

    `scrap_pieces` is called after both of "pieces scrapped"; "pallets returned" are those of rows with that status;
    "pallets hauled" says no more than "pallets", and of "pallets lost" nothing is known.
    """
    verb = verb.casefold()
    both = called_after_both(what, verb, table)
    if both is not None:
        return Deed(both, None, verb)
    column = columns.measured(what, table)
    if column is None or not is_amount(column, table):
        return None
    values = (deed_of(verb, table), *table.context.values.get(verb, ()))
    chosen = {value.column: str(value.value) for value in values if value is not None}
    if chosen:
        return Deed(column, next(iter(chosen.items())), verb) if len(chosen) == 1 else None
    return Deed(column, None, verb) if says_only_that(verb, column, table) else None


def says_only_that(verb: str, column: str, table: Table) -> bool:
    """Tell whether a verb says of an amount no more than that there was so much of it."""
    if tells_rows_apart(verb, column, table):
        return False
    context = table.context
    own = {*context.row_nouns, *context.column_words[column]}
    return any(table.akin(verb, word) for word in own | table.words("deeds_of_amounts"))


def is_past(verb: str, table: Table) -> bool:
    """Tell whether a word behind an amount says what was done to it: "pressed", "sold", and no "kg"."""
    return verb.endswith(tuple(table.endings("pasts"))) or verb in table.words("deeds_of_amounts")


def called_after_both(what: str, verb: str, table: Table) -> str | None:
    """Return the amount that is called by a noun and what was done to it: `scrap_pieces` for "pieces scrapped"."""
    context, nouns = table.context, {table.context.plain(word.casefold()) for word in what.split()}
    skip = set(columns.flags(table))
    fitting = [
        name
        for name, own in context.column_words.items()
        if name not in skip and context.is_measure(name) and nouns < set(own)
        if all(word in nouns or table.akin(verb, word) for word in own)
    ]
    return fitting[0] if len(fitting) == 1 and is_amount(fitting[0], table) else None


def is_amount(column: str, table: Table) -> bool:
    """Tell whether a column holds how much of something there was: money, things, or so much of a unit."""
    counts_pieces = not table.context.is_of_money(column) and table.context.adds_up(column) is not False
    of_one = columns.is_per_piece(column, table) and not counts_pieces  # `unit_price`, and not `units_sold`
    if table.context.column(column).kind is Kind.PERCENT or of_one:
        return False
    if columns.is_summed(column, table) or adds_up_by_unit(column, table):
        return True
    context, own = table.context, table.context.column_words[column]
    figures = (meaning for word in own for meaning in context.lexicon.meanings(word))
    is_figure = any(isinstance(meaning, m.Function) for meaning in figures)  # `average_amount`
    return context.is_of_money(column) and own[-1] in context.lexicon.additive and not is_figure  # `discount_amount`


def splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text as its first few words and the rest, the longest name first."""
    words = text.split()
    for width in range(min(MOST_WORDS, len(words)), 0, -1):
        yield " ".join(words[:width]), " ".join(words[width:])


def group_called(noun: str, table: Table) -> str | None:
    """Return the column of labels that a noun names, or is a part of: the "truck" of `truck_type`."""
    surely = columns.entity(noun, table)
    column = columns.named(noun, table, columns.PERHAPS) if surely is None else None
    if column is None or table.context.is_measure(column) or table.context.names_rows(column):
        return surely
    return None if columns.holds_dates(column, table) else column


def figure_of_each(rest: str, table: Table) -> tuple[str, str]:
    """Return which figure of an amount is meant, and what is said behind it: "per hour" divides it by the hours."""
    terms = table.vocabulary.sayings.terms
    found = Speech(rest).find(table.wording("of_each_behind"))
    if found is None or not rest.startswith(found.text):
        return terms[Term.TOTAL], rest
    for what, behind in splits(rest[found.end :]):
        column = columns.figure(what, table)
        if columns.is_row(what, table):
            return terms[Term.AVERAGE], behind
        if column is not None:
            return "", f"{found.said(column=column)} {behind}"
    return terms[Term.TOTAL], rest
