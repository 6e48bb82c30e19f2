"""Columns of money whose figures are things to count: "how many budgets" asks for no sum of them."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.words.adding_up import SUMMED_WORDS
from jupyter_mcpgen.nl.words.forms import split_name


def is_counted_money(name: str, context: Context) -> bool:
    """Tell whether each figure of a column is one of what its name is the plural of: three budgets are no amount.

    A number of payments is no money, a total is none of several, and the plural `sales` may be an amount.
    """
    lexicon, words = context.lexicon, split_name(name)
    of_money = context.is_measure(name) and bool(set(words) & lexicon.counted_money or context.is_of_money(name))
    singular = bool(words) and all(lexicon.base(word) == word for word in words)
    number = any(isinstance(meaning, m.CountWord) for word in words for meaning in lexicon.meanings(word))
    return of_money and singular and not number and not set(words) & SUMMED_WORDS
