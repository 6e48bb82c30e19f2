"""Years that nobody said to be those of a beginning: "who was keeper at Skerry in 1902" is not who began in 1902."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.entities.serving import held_in_a_year
from jupyter_mcpgen.nl.entities.terms import Term, term_of
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import TokenKind, tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import Filter


def without_unsaid_beginnings(meant: Understanding, question: str, table: Table) -> Understanding:
    """Refuse rows that began, or ended, in a year where no word asks for that; else return the meaning."""
    has_words = bool(table.wording(held_in_a_year.__name__).phrases)
    term = term_of(table) if isinstance(meant, Answered) and has_words else None
    if not isinstance(meant, Answered) or term is None or term.dated:
        return meant
    found = next(_in_a_year(meant.winner, term), None)
    if found is None or _is_said(found[0], term, question, table):
        return meant
    column, year = found
    return Refused(
        f"“{year}” can be the year of `{column}`, or any year from `{term.start}` to `{term.end}`. Say which, for "
        f"example: where `{term.start}` is {year}, or: where `{term.start}` is at most {year} and `{term.end}` is at "
        f"least {year}.",
        words=(year,),
        nearest=meant.winner,
    )


def _in_a_year(reading: Reading, term: Term) -> Iterator[tuple[str, str]]:
    """Yield the ends of the term that must be one year, with the year."""
    for step in reading.plan.steps:
        for part in terms_of(step.predicate) if isinstance(step, Filter) else ():
            match part:
                case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=year)) if name in (
                    term.start,
                    term.end,
                ):
                    yield name, f"{year:g}" if isinstance(year, int | float) else str(year)
                case _:
                    pass


def _is_said(column: str, term: Term, question: str, table: Table) -> bool:
    """Tell whether a question has a word of a column's name that the other end does not have, in any form."""
    other = {word.casefold() for word in split_name(term.end if column == term.start else term.start)}
    own = {word.casefold() for word in split_name(column)} - other
    said = [token.lower for token in tokenize(question) if token.kind is not TokenKind.NUMBER]
    said = [word for text in said for word in split_name(text)]
    return any(_is_form_of(word.casefold(), name, table) for word in said for name in own)


def _is_form_of(word: str, name: str, table: Table) -> bool:
    said, known = (table.meaning("past_of_verbs", each) for each in (word, name))
    return said == known or table.context.plain(word) == table.context.plain(name) or table.akin(said, known)
