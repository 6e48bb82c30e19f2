"""Finds the nouns that stand for the rows of the table."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.mentions.naming import amount_of_the_table, asks_for_rows
from jupyter_mcpgen.nl.mentions.values import is_common
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.nl.words.told_of_some import kinds_in_name
from jupyter_mcpgen.plan.schema import ColumnType

ROWS_OF_AMOUNTS = 0.02
"""What it costs to take "payments" for the rows of a table whose name holds that word among others."""
ROWS_RATHER = 0.2
"""What it costs to take "expenses" for the rows of `expenses` where one column is called nothing but an amount."""
SHORTEST_TAIL = 5
"""How many letters the last part of a compound has at least."""
OF_ITS_KEY = 0.2
"""What it costs to take the plural of a column that tells the rows apart for the rows."""
ASSUMED_NOUN = 0.3
"""What it costs to take an unknown noun for a row."""


def row_nouns_in(tokens: tuple[Token, ...], sure: set[int], context: Context) -> Iterator[Item]:
    """Yield the nouns that may stand for a row; an unknown noun only where no column or value is `sure` to begin."""
    own = "_".join(context.profile.name.casefold().split())  # how a name of several words stands in a question
    yield from _names_of_several_words(tokens, context)
    for position, token in enumerate(tokens):
        words = [context.lexicon.base(word) for word in split_name(token.text)]
        named = token.lower == own and len(words) > 1  # a column's name is one word
        if token.kind is not TokenKind.WORD or not words or (set(words) & context.full_names and not named):
            if _names_each_row(words, token.lower, context):
                yield Item(position, position + 1, m.RowNoun(token.text), OF_ITS_KEY)
            continue
        if set(words) <= context.row_nouns or (len(words) == 1 and _ends_a_compound(token.lower, context)):
            amount = not context.lexicon.amounts.isdisjoint(words) and _is_an_amount(position, tokens, context)
            yield Item(position, position + 1, m.RowNoun(token.text, amount=amount), 0.0)
        elif token.lower == own and context.named_several_times.isdisjoint(words):
            placed = position > 0 and tokens[position - 1].lower in context.lexicon.places
            amount = bool(set(words) & context.lexicon.amounts) and not placed
            counted = set(words) <= context.lexicon.counted_money and words != [token.lower]
            amount = amount and not (counted and asks_for_rows(tokens[:position], context))
            costs = ROWS_RATHER if amount and any(amount_of_the_table(words, context)) else 0.0
            yield Item(position, position + 1, m.RowNoun(token.text, amount=amount), costs)
        elif set(words) <= context.amount_nouns:
            amount = _is_an_amount(position, tokens, context)
            if amount and _is_one_column(words[-1], context):
                continue  # "output" over `output_mwh`
            yield Item(position, position + 1, m.RowNoun(token.text, amount=amount), ROWS_OF_AMOUNTS)
        elif _heads_a_label(words[-1], context):
            continue  # "reps" over `sales_rep`
        elif position not in sure and not is_common(token, context.lexicon) and token.lower.isalpha():
            yield Item(position, position + 1, m.RowNoun(token.text, assumed=True), ASSUMED_NOUN)


def _names_of_several_words(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield where the whole name of the table stands: "order lines" are the rows of `order_lines`."""
    name = [context.lexicon.base(word) for word in split_name(context.profile.name)]
    if len(name) < 2 or kinds_in_name(context.profile, context.values, context.lexicon.base):
        return
    for start in range(len(tokens) - len(name) + 1):
        run = tokens[start : start + len(name)]
        if [context.lexicon.base(token.lower) for token in run] == name:
            yield Item(start, start + len(name), m.RowNoun(" ".join(token.text for token in run)), 0.0)


def _is_an_amount(position: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a noun that is said in the singular, and not of one row, may be an amount: "output by line"."""
    word = tokens[position].lower
    if context.lexicon.base(word) != word:
        return False
    before = context.lexicon.meanings(tokens[position - 1].lower) if position else ()
    return not any(isinstance(meaning, m.GroupWord | m.EachOne | m.Determiner) for meaning in before)


def _is_one_column(word: str, context: Context) -> bool:
    """Tell whether one column of figures is called a noun, but for its unit, or by its verb, and no other has it."""
    found, language = context.columns_with(context.plain(word)), context.lexicon.language
    said = {name: set(context.column_words[name]) - context.optional_words[name] for name in found}
    names = [name for name, own in said.items() if {stem(one, language) for one in own} == {stem(word, language)}]
    return len(found) == len(names) == 1 and context.is_measure(names[0])


def _heads_a_label(word: str, context: Context) -> bool:
    """Tell whether a noun ends the longer name of one column of labels alone, whose values are of that kind."""
    found = [name for name, own in context.column_words.items() if len(own) > 1 and own[-1] == word]
    return len(found) == 1 and context.type_of(found[0]) is ColumnType.TEXT and not context.names_rows(found[0])


def _names_each_row(words: list[str], said: str, context: Context) -> bool:
    """Tell whether a noun is the plural of a column of texts that names each row: "projects" beside `project`."""
    if context.lexicon.generic.issuperset(words):
        return False  # the names of things are no things
    keys = [name for name, own in context.column_words.items() if list(own) == words and context.is_key(name)]
    return any((not context.is_number(name) or context.is_code(name)) and said != name.casefold() for name in keys)


def _ends_a_compound(word: str, context: Context) -> bool:
    """Tell whether a noun ends the compound that the table is called by: the "Rechnungen" of `stromrechnungen`."""
    fits = len(word) >= SHORTEST_TAIL and bool(context.lexicon.compounds)
    return fits and any(name.endswith(word) and name != word for name in split_name(context.profile.name))
