"""Finds where a question asks how many there are: "how many", "the number of"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.vocabulary import QuestionWords
from jupyter_mcpgen.nl.lookup.words import Word
from jupyter_mcpgen.nl.words.forms import split_name


def counts_in(words: tuple[Word, ...], blocked: set[int], table: Table) -> tuple[tuple[int, int], ...]:
    """Return where "how many" and the like stand, outside values."""
    found = []
    for phrase in table.vocabulary.count_phrases:
        for start in range(len(words) - len(phrase) + 1):
            span = range(start, start + len(phrase))
            if (
                tuple(words[i].text for i in span) == phrase
                and not blocked & {*span, *([span.stop] if phrase[0] not in table.vocabulary.questions.how else [])}
                and not _is_numbered(words[:start], phrase, table)
            ):
                found.append((span.start, span.stop))
    longest = [a for a in found if not any(a != b and b[0] <= a[0] and a[1] <= b[1] for b in found)]
    return tuple(sorted(set(longest)))


def _is_numbered(before: tuple[Word, ...], phrase: tuple[str, ...], table: Table) -> bool:
    """Tell whether "number of" goes on after a noun: "the jersey number of Olsen" counts nothing."""
    vocabulary = table.vocabulary
    cues = {word for phrase in vocabulary.functions for word in phrase}
    return (
        phrase in vocabulary.numbered_phrases
        and bool(before)
        and before[-1].text not in vocabulary.light | vocabulary.restricting | cues
    )


def heads_the_table(column: str, context: Context) -> bool:
    """Tell whether a column has the noun that the table's name ends in: each row of `cup_races` is a race."""
    named = split_name(context.profile.name)
    if context.is_called_as_rows(column):
        return True
    return bool(named) and context.column_words[column] == (context.lexicon.base(named[-1]),)


def asks_how_many(
    span: tuple[int, int], words: tuple[Word, ...], focus: int, asks: str | None, own: QuestionWords
) -> bool:
    """Tell whether a number is what the question asks for, not what picks the rows."""
    if words[span[0]].text in own.how:
        return True
    before = words[span[0] - 1].text
    if before in own.having and focus > 0 and words[focus - 1].text in own.which:
        return False  # "which town has the number of gulls above 5"
    if span[1] < focus and words[focus - 1].text in own.choosing:
        return False  # "if the number of seats is 5, which election is it"
    return asks is None and (span[0] <= focus + 3 or before in own.before_count)
