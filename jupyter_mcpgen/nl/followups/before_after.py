"""A figure before and after rows are prepared: "the mean price before and after removing outliers"."""

from __future__ import annotations

import re

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.reader import MOST_COLUMNS, over_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.preparation import SURELY_A_NAME, Preparation, any_of, words_of_steps
from jupyter_mcpgen.nl.followups.preparing import prepared_column
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import Case, Col, When
from jupyter_mcpgen.plan.ops import Derive, Filter


def read_before_and_after(question: str, profile: Profile, language: str) -> Understanding | None:
    """Return what a question for figures before and after a preparation means; None for any other question."""
    column = _prepared_column(question, profile, context_of(profile, language), language)
    meant = over_computed(column, profile, language, read, MOST_COLUMNS) if column is not None else None
    return meant if isinstance(meant, Answered | Asked) else None


def _prepared_column(question: str, profile: Profile, context: Context, language: str) -> Computed | None:
    """Return the column as it is prepared, where a question asks for figures of it as it is and as it is then."""
    tree = words_of_steps(language)
    if tree is None:
        return None
    doing = any_of(tree["doing"])
    found = re.search(rf"\b(?:{any_of(tree['both'])})\s+(?P<verb>{doing})\s+(?P<what>[^?.]+)", question, re.IGNORECASE)
    if found is None:
        return None
    opening = re.match(rf"\s*(?:{any_of(tree['comparing'])})\s+", question, re.IGNORECASE)
    start = opening.end() if opening is not None else 0
    asked = f"{question[start : found.start()]} {question[found.end() :]}".strip(" ?.")
    clause = f"{tree['doing'][found['verb'].lower()]} {found['what']}".strip()
    prepared = prepared_column(clause, asked, language, context)
    if prepared is None or prepared.column is None:
        return None
    name = free_name(f"{prepared.column}_{tree['after_word']}", profile)
    meant = _with_both(asked, prepared.column, name, tree["and"], context)
    step = _as_a_column(prepared, name)
    if meant is None or step is None:
        return None
    return Computed(
        name=name,
        type=context.type_of(prepared.column),
        step=step,
        question=meant,
        notes=(f"`{name}`: {prepared.notes[0]}",),
        adds_up=context.adds_up(prepared.column),
        before=prepared.steps[:-1],
        required=True,
    )


def _as_a_column(prepared: Preparation, name: str) -> Derive | None:
    """Return what a preparation leaves of its column, as another column beside it."""
    column = Col(name=prepared.column or "")
    match prepared.steps[-1]:
        case Filter(predicate=kept):
            return Derive(name=name, expression=Case(branches=(When(condition=kept, value=column),)))
        case Derive(name=own, expression=expression) if own == column.name:
            return Derive(name=name, expression=expression)
        case _:
            return None


def _with_both(asked: str, column: str, name: str, and_: str, context: Context) -> str | None:
    """Return a question with both columns in the place of the one that it names."""
    tokens = tokenize(asked, decimal_comma=context.lexicon.decimal_comma)
    named = [i for i in link(tokens, context) if i.meaning == m.Column(column) and i.cost <= SURELY_A_NAME]
    longest = max(named, key=lambda item: item.end - item.start, default=None)
    if longest is None:
        return None
    both = (Token(column, TokenKind.QUOTED), Token(and_, TokenKind.WORD), Token(name, TokenKind.QUOTED))
    return text_of((*tokens[: longest.start], *both, *tokens[longest.end :]))
