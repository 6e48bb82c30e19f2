"""Finds the steps of a question that prepare rows: repeated, incomplete or unusual ones are dropped, gaps filled.

"Fill missing ages with the median and give the average age" is two steps, of which the first prepares. A preparation
may also stand behind "after": "the average price after removing duplicates".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.columns_prepared import begins_by_zeros, without_columns, without_zeros
from jupyter_mcpgen.nl.followups.gaps import filled
from jupyter_mcpgen.nl.followups.kept_rows import drops_rows, kept_rows, without_verb
from jupyter_mcpgen.nl.followups.outliers import without_outliers
from jupyter_mcpgen.nl.followups.preparation import Preparation, any_of, behind, words_of_steps
from jupyter_mcpgen.nl.followups.scaling import begins_by_scaling, scaled_column
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import All, Col, Columns, IsMissing, Predicate
from jupyter_mcpgen.plan.ops import Distinct, Filter, Select


def in_order(question: str, language: str) -> str:
    """Return a question with what is prepared "after" or before it said first, in steps of their own."""
    tree = words_of_steps(language)
    if tree is None:
        return question
    if ";" in question:  # behind a step of its own
        question = re.sub(rf"[\s,]+(?:{any_of(tree['said_behind'])})(?=\W*$)", "", question, flags=re.IGNORECASE)
    complete = _of_complete_rows(question, tree["incomplete"])
    if complete is not None:
        return complete
    doing = any_of(tree["doing"])
    found = re.search(rf"\b(?:{any_of(tree['after'])})\s+(?=(?:{doing})\s)", question, re.IGNORECASE)
    if found is None or re.search(rf"\b(?:{any_of(tree['both'])})\s+(?=(?:{doing})\s)", question, re.IGNORECASE):
        return question
    before, rest = question[: found.start()].strip(" ,?."), question[found.end() :].strip(" ?.")
    what, comma, asked = rest.partition(", ") if not before else (rest, ", ", before)
    if not comma:
        return question
    steps = re.split(rf"(?:\s*,)?\s+(?:{any_of(tree['joining'])})\s+(?=(?:{doing})\s)", what, flags=re.IGNORECASE)
    verbs = [step.partition(" ") for step in steps]
    return "; ".join([*(f"{tree['doing'][verb.lower()]} {rest}" for verb, _, rest in verbs), asked])


def _of_complete_rows(question: str, words: Mapping[str, Any]) -> str | None:
    """Return a figure of complete rows only with the others dropped first; None where no figure is asked for."""
    only, before = any_of(words["only"]), any_of(words["before_kept"])
    kept = rf"(?:(?:{only})\s+)?(?:the\s+)?(?:{any_of(words['kept'])})(?:\s+(?:{only}))?"
    first = re.match(rf"(?:(?:{before})\s+)?{kept}\s*[,:.;-]\s*(?P<asked>.+)", question, re.IGNORECASE)
    last = re.match(rf"(?P<asked>.+?)(?:,|\s+(?:{before}))\s+{kept}[\s.?!]*$", question, re.IGNORECASE)
    found = first or last
    if found is None or re.search(rf"\b(?:{any_of(words['figures'])})\b", found["asked"], re.IGNORECASE) is None:
        return None
    return f"{words['drop']}; {found['asked'].strip(' ,?.')}"


def begins_by_preparing(clauses: list[str], language: str, context: Context) -> bool:
    """Tell whether the first of several steps drops or fills something, so that no other reading is believed."""
    tree = words_of_steps(language)
    if tree is None or len(clauses) < 2:
        return False
    tokens = _tokens(clauses[0], context)
    return drops_rows(tokens, context) or _changes_values(tokens, tree)


def _changes_values(tokens: tuple[Token, ...], tree: Mapping[str, Any]) -> bool:
    """Tell whether a step begins with a verb that fills gaps, or scales a column."""
    fills = behind(tokens, tree["fill"]["verbs"]) is not None or begins_by_zeros(tokens, tree["zeros"])
    return fills or begins_by_scaling(tokens, tree["scale"])


def parted(clause: str, language: str, context: Context) -> tuple[str, ...]:
    """Return a clause, in two where it prepares the rows and then computes: "drop … and calculate …"."""
    tree = words_of_steps(language)
    if tree is None or not _begins(clause, tree, context):
        return (clause,)
    verbs, joining = (any_of(tree[key]) for key in ("compute", "joining"))
    found = re.search(rf"(?:\s*,\s*(?:(?:{joining})\s+)?|\s+(?:{joining})\s+)(?=(?:{verbs})\b)", clause, re.IGNORECASE)
    return (clause,) if found is None else (clause[: found.start()], clause[found.end() :])


def _begins(clause: str, tree: Mapping[str, Any], context: Context) -> bool:
    tokens = _tokens(clause, context)
    return without_verb(tokens, context.lexicon)[0] is not None or _changes_values(tokens, tree)


def _tokens(clause: str, context: Context) -> tuple[Token, ...]:
    return tokenize(clause, decimal_comma=context.lexicon.decimal_comma)


def prepared_by(clauses: list[str], context: Context, language: str) -> Preparation | None:
    """Return what the first steps of a question prepare, all together; None where they only keep or drop some rows.

    The last step asks for something, so it prepares nothing.
    """
    found: list[Preparation] = []
    for place, clause in enumerate(clauses[:-1]):
        step = _preparation(clause, clauses[place + 1], context, language, _left(found, context))
        if step is None:
            break
        found.append(step)
    if all(step.plain for step in found):
        return None
    steps = tuple(step for one in found for step in one.steps)
    notes = tuple(note for one in found for note in one.notes)
    column = next((one.column for one in reversed(found) if one.column is not None), None)
    return Preparation(steps, notes, column, len(found))


def _left(found: list[Preparation], context: Context) -> tuple[str, ...]:
    """Return the columns that are left where some were dropped."""
    selected = [step.columns.names for one in found for step in one.steps if isinstance(step, Select)]
    names = context.profile.schema_.names
    return tuple(name for name in names if all(name in kept for kept in selected))


def _preparation(
    clause: str, then: str, context: Context, language: str, columns: tuple[str, ...] | None = None
) -> Preparation | None:
    """Return what a step does to the rows, with the step `then` behind it; None for one that does anything else.

    Of the table there are only these `columns`, or all.
    """
    tree = words_of_steps(language)
    if tree is None:
        return None
    tokens = _tokens(clause, context)
    if " ".join(token.lower for token in tokens) in tree["incomplete"]["ignored"]:
        return Preparation((), (tree["incomplete"]["ignored_note"],))
    if drops_rows(tokens, context):
        rest = " ".join(token.lower for token in without_verb(tokens, context.lexicon)[1])
        names = columns if columns is not None else context.profile.schema_.names
        if rest in tree["duplicates"]["nouns"]:
            return Preparation((Distinct(columns=Columns(names=names)),), (tree["duplicates"]["note"],))
        if rest in tree["incomplete"]["nouns"]:
            present = tuple(IsMissing(operand=Col(name=name), negated=True) for name in names)
            return Preparation((Filter(predicate=_all(present)),), (tree["incomplete"]["note"],))
        regular = without_outliers(
            without_verb(tokens, context.lexicon)[1], _tokens(then, context), tree["outliers"], context
        )
        if regular is not None:
            return regular
        fewer = without_columns(without_verb(tokens, context.lexicon)[1], tree["columns"], context)
        if fewer is not None:
            return fewer
    kept = kept_rows(tokens, context)
    if kept:
        return Preparation((Filter(predicate=_all(kept)),), plain=True)
    zeros = without_zeros(tokens, tree["zeros"], context)
    return zeros or filled(tokens, tree["fill"], context) or scaled_column(tokens, tree["scale"], context)


def prepared_alone(clause: str, context: Context, language: str) -> Preparation | None:
    """Return what the only step of a request does to the rows; None where a condition says it as well."""
    step = _preparation(clause, "", context, language)
    return step if step is not None and step.steps and not step.plain else None


def prepares(clause: str, language: str, context: Context) -> bool:
    """Tell whether a sentence does nothing but prepare the rows, whatever is asked of them."""
    return _preparation(clause, "", context, language) is not None or _drops_usual(clause, language, context)


def prepared_column(clause: str, then: str, language: str, context: Context) -> Preparation | None:
    """Return what a step does to one column, with the question `then` behind it; None for any other step."""
    step = _preparation(clause, then, context, language)
    return None if step is None or step.column is None else step


def _drops_usual(clause: str, language: str, context: Context) -> bool:
    """Tell whether a sentence leaves out outliers of a column that only the question names."""
    tree = words_of_steps(language)
    tokens = _tokens(clause, context)
    if tree is None or not drops_rows(tokens, context):
        return False
    rest = behind(without_verb(tokens, context.lexicon)[1], tree["outliers"]["nouns"])
    around = (*tree["outliers"]["around"], *tree["outliers"]["z_score"])
    return rest is not None and all(token.lower in around for token in rest)


def _all(terms: tuple[Predicate, ...]) -> Predicate:
    return terms[0] if len(terms) == 1 else All(terms=terms)


def asked_after(clause: str, prepared: Preparation, language: str, context: Context) -> str:
    """Return what is asked behind a preparation as a question of its own.

    "New" says no more than that something was prepared, and a figure without a column is of the one that was filled.
    """
    tree = words_of_steps(language)
    if tree is None:
        return clause
    spare = {word for word in tree["said_after"] if not context.columns_with(word)}
    clause = re.sub(rf"[\s,]+(?:{any_of(tree['said_behind'])})(?=\W*$)", "", clause, flags=re.IGNORECASE)
    asked = " ".join(word for word in clause.split() if word.lower().strip("?.,") not in spare)
    tokens = _tokens(asked, context)
    items = link(tokens, context)
    numbers = [i for i in items if isinstance(i.meaning, m.Column) and context.is_measure(i.meaning.name)]
    ends = [item.end for item in items if isinstance(item.meaning, m.Function)]
    of_all = any(word.lower() in tree["everything"] for word in asked.split())
    if numbers or not ends or of_all or prepared.column is None:
        return asked
    return text_of((*tokens[: max(ends)], Token(prepared.column, TokenKind.QUOTED), *tokens[max(ends) :]))
