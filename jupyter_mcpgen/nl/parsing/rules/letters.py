"""Phrases for texts that hold a letter or a word: "with the letters D or S in their first name"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import SLIGHT, SURE, USUAL, Found, rule
from jupyter_mcpgen.plan.expressions import AnyOf, Col, Lit, MatchMode, Predicate, TextMatch
from jupyter_mcpgen.plan.schema import ColumnType


@rule(m.LetterWord, m.Letter)
def _the_letter(word: m.LetterWord, letter: m.Letter, context: Context) -> Found:
    yield m.Letters((letter.text,), said=True), SURE


@rule(m.LetterWord, m.Quote)
def _the_letter_in_quotes(word: m.LetterWord, quote: m.Quote, context: Context) -> Found:
    if quote.text:
        yield m.Letters((quote.text,), said=True), SURE


@rule(m.Letters, m.Letter, m.Or)
def _or_a_letter(letters: m.Letters, letter: m.Letter, context: Context) -> Found:
    if letters.said and letter.text not in letters.texts:
        yield m.Letters((*letters.texts, letter.text), said=True), SURE


@rule(m.Letters, m.Quote, m.Or)
def _or_a_letter_in_quotes(letters: m.Letters, quote: m.Quote, context: Context) -> Found:
    if quote.text and quote.text not in letters.texts:
        yield m.Letters((*letters.texts, quote.text), said=True), SURE


@rule(m.Matching, m.Letters)
def _matching_letters(matching: m.Matching, letters: m.Letters, context: Context) -> Found:
    yield m.LetterMatch(matching.mode, letters.texts), SURE


@rule(m.WhereWord, m.Letters)
def _with_letters(word: m.WhereWord, letters: m.Letters, context: Context) -> Found:
    yield m.LetterMatch(MatchMode.CONTAINS, letters.texts), SURE


@rule(m.Column, m.LetterMatch)
def _column_with_letters(column: m.Column, match: m.LetterMatch, context: Context) -> Found:
    yield from _condition(column.name, match, context)


@rule(m.InWord, m.Column)
def _in_column(word: m.InWord, column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.TEXT:
        yield m.InColumn(column.name), SLIGHT


@rule(m.LetterMatch, m.InColumn)
def _letters_in_column(match: m.LetterMatch, column: m.InColumn, context: Context) -> Found:
    yield from _condition(column.name, match, context)


@rule(m.Letters, m.InColumn)
def _having_letters(letters: m.Letters, column: m.InColumn, context: Context) -> Found:
    for meaning, cost in _condition(column.name, m.LetterMatch(MatchMode.CONTAINS, letters.texts), context):
        yield meaning, cost + SLIGHT


@rule(m.HalfMatch, m.InColumn)
def _text_in_column(half: m.HalfMatch, column: m.InColumn, context: Context) -> Found:
    yield from _condition(column.name, m.LetterMatch(half.mode, (half.text,)), context)


@rule(m.Not, m.LetterMatch)
def _without_letters(word: m.Not, match: m.LetterMatch, context: Context) -> Found:
    yield m.LetterMatch(match.mode, match.texts, not match.negated), SURE


@rule(m.Not, m.Letters)
def _no_letters(word: m.Not, letters: m.Letters, context: Context) -> Found:
    yield m.LetterMatch(MatchMode.CONTAINS, letters.texts, negated=True), USUAL


def _condition(name: str, match: m.LetterMatch, context: Context) -> Found:
    if context.type_of(name) is not ColumnType.TEXT:
        return
    terms: list[Predicate] = [
        TextMatch(
            mode=match.mode,
            operand=Col(name=name),
            text=Lit(value=text, type=ColumnType.TEXT),
            negated=match.negated,
        )
        for text in match.texts
    ]
    if len(terms) == 1:
        yield m.Condition(terms[0]), SURE
    elif not match.negated:
        yield m.Condition(AnyOf(terms=tuple(terms))), SURE
