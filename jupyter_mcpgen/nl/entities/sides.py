"""Whom a question is about where no row names them: "the team" and "they" of a table of one side's games."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.meanings import Value
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.schema import ColumnType


def cell(text: str, table: Table, column: str | None = None) -> Compare | None:
    """Return the condition that the one column of texts with a value has it; None where none or several have.

    With a `column`, it is that one or none.
    """
    words = [word for word in value_words(text) if word != "the"]
    texts = _held(" ".join(words), table)
    if not texts and len(words) > 1:  # "the Second division"
        noun = columns.named(words[-1], table)
        texts = [value for value in _held(" ".join(words[:-1]), table) if value.column == noun]
    texts = [value for value in texts if column in (None, value.column)]
    if len(texts) != 1:
        return None
    return Compare(
        op=CompareOp.EQ, left=Col(name=texts[0].column), right=Lit(value=texts[0].value, type=ColumnType.TEXT)
    )


def _held(text: str, table: Table) -> list[Value]:
    values = table.context.values.get(text, ())
    return [value for value in values if table.context.type_of(value.column) is ColumnType.TEXT]


def is_own_side(text: str, table: Table) -> bool:
    """Tell whether words mean the side whose rows all of these are: "they", "the club", or a name that no cell has.

    A noun for a side is none where a column holds such, and a name is none where any word of it is in the data.
    """
    bare = text.casefold().removeprefix("the ").strip()
    if bare in table.words("own_side"):
        return not _names_sides(table)
    words = text.removeprefix("the ").removeprefix("The ").split()
    named = bool(words) and all(word[:1].isupper() for word in words) and len(words) <= MOST_WORDS
    if not named or not _has_one_side(table) or not _is_called_so(words, table):
        return False
    return not any(_is_of_the_data(word, table) for word in words)


MOST_WORDS = 3
"""A longer text is no name."""


def _is_of_the_data(word: str, table: Table) -> bool:
    """Tell whether a word means something; the name of the table may be that of the side: `otters_season`."""
    named = table.context.plain(word.casefold()) in table.context.row_nouns
    return columns.is_of_the_data(word, table) if named else columns.is_known(word, table)


def is_other_side(column: str, table: Table) -> bool:
    """Tell whether a column holds the other side of each row."""
    return bool(set(table.context.column_words[column]) & table.words("other_sides"))


def _is_called_so(words: list[str], table: Table) -> bool:
    """Tell whether the table may be about a side: its name has the side's, or tells no side at all."""
    context = table.context
    general = table.words("contests") | table.words("years_of_rows") | table.words("names_of_lists")
    own = {context.plain(word) for word in split_name(context.profile.name) if word.isalpha() and word not in general}
    return not own or bool(own & {context.plain(word.casefold()) for word in words})


def _has_one_side(table: Table) -> bool:
    """Tell whether the columns name the other side only: an opponent, and no team of its own."""
    return any(is_other_side(name, table) for name in table.context.column_words) and not _names_sides(table)


def _names_sides(table: Table) -> bool:
    """Tell whether a column holds sides, so that rows may be of several."""
    return any(set(own) & table.words("sides_named") for own in table.context.column_words.values())
