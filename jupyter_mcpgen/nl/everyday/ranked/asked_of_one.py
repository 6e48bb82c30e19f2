"""Whether one of a kind is the first of them: "is web the channel with the most cancellations", over all channels."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def is_the_first(said: Speech, table: Table) -> Speech | None:
    """Say "is web the channel with the most cancellations" as which channel that is: of web alone it always is web."""
    for found in said.find_each(table.wording("is_the_first")):
        words = [table.context.plain(word.strip("?.,!").casefold()) for word in found["what"].split()]
        if not _ranks(found["what"], table):
            continue
        for column, value in values_called(found["value"].strip("?.,!"), table):
            own = set(table.context.column_words[column])
            what = found["what"]
            if found["one"]:
                what = f"`{column}` {what}"
            elif not own & set(words):
                continue
            note = found.said("note", value=value.strip('"'), column=column)
            return said.saying(found.said("way", what=what.strip(" ?")), note)
        if found["one"]:
            return said.refusing(found.said("refused", value=found["value"], what=found["what"].strip(" ?")))
    return None


def has_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "does Kiel have the most bookings" as which city has them."""
    for found in said.find_each(table.wording("has_the_most")):
        called = values_called(found["value"], table)
        if len(called) == 1 and _ranks(found["what"], table):
            ((column, value),) = called
            note = found.said("note", value=value.strip('"'), column=column)
            return said.saying(found.said("way", column=column, what=found["what"].strip(" ?")), note)
    return None


def _ranks(text: str, table: Table) -> bool:
    """Tell whether words ask for the first or the last of some: "most", "highest", "cheapest", "most common"."""
    words = [word.strip("?.,!") for word in text.casefold().split()]
    said = [*words, *(" ".join(pair) for pair in pairwise(words))]
    meanings = (meaning for phrase in said for meaning in table.context.lexicon.meanings(phrase))
    known = any(isinstance(meaning, m.Extreme | m.MostCommon) for meaning in meanings)
    return known or any(set(said) & {*quality.highest, *quality.lowest} for quality in table.vocabulary.qualities)
