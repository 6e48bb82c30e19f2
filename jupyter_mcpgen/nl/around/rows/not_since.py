"""Things of which no row is dated later: "donors who have not donated since 2023" have none from 2023 on.

Read row by row, a donor with an earlier row would be one of them, whatever came later.
"""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.around.limits.compared_in_sum import group_asked_for
from jupyter_mcpgen.nl.around.rows.whole_entities import (
    Entities,
    all_rows_so,
    entities_of,
    says_what_is_not,
    what_is_denied,
)
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def without_rows_since(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that looks for things without a row from a day on where a question says "not … since"."""
    found = _since(question, context, language)
    if found is None or isinstance(meant, Refused):
        return meant
    word, things = found
    if isinstance(meant, Asked):
        wrong = any(_is_of_things(option.plan, context) and _before(option.plan) for option in meant.options)
        return _unread(word) if wrong else meant
    plan = meant.winner.plan
    entities = entities_of(plan, context, group_asked_for(plan, question, context, language))
    if entities is not None:
        made = _none_since(meant.winner, entities)
        return meant if made is None else Answered(made)
    return _unread(word) if (things or _is_of_things(plan, context)) and _before(plan) else meant


def _since(question: str, context: Context, language: str) -> tuple[str, bool] | None:
    """Return the word that says "since" where a denial stands before it, and whether it denies it of things."""
    vocabulary = load_vocabulary(language)
    denials, then = vocabulary.words("not_so"), vocabulary.words("from_then_on")
    before, denied = list[str](), False
    for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma):
        if denied and token.lower in then:
            return token.text, any(_is_thing(word, context) for word in before)
        denied = denied or token.lower in denials
        before += [] if denied else [token.lower]
    return None


def _is_thing(word: str, context: Context) -> bool:
    """Tell whether a word is the name of what has several rows, and not that of the rows."""
    plain = context.plain(word)
    if plain in context.row_nouns:
        return False
    own = (name for name, words in context.column_words.items() if plain in words)
    return any(context.column(name).role is Role.IDENTIFIER and not context.is_key(name) for name in own)


def _none_since(reading: Reading, entities: Entities) -> Reading | None:
    """Return the things without a row from a day on; None where no condition of theirs says from when."""
    before = [term for term in entities.terms if _is_dated(term, (CompareOp.LT,))]
    after = [term for term in entities.terms if _is_dated(term, (CompareOp.GE, CompareOp.GT))]
    denied = [term for term in entities.terms if says_what_is_not(term)]
    note = f"Those with no such row from then on are looked for, among each `{entities.group}`."
    if len(before) == 1 and not after and isinstance(before[0], Compare):
        since = before[0].model_copy(update={"op": CompareOp.GE})
        return all_rows_so(reading, entities, before, since, CompareOp.EQ, 0, note)
    if len(after) == 1 and len(denied) == 1 and not before:
        both = All(terms=(what_is_denied(denied[0]), after[0]))
        return all_rows_so(reading, entities, [*after, *denied], both, CompareOp.EQ, 0, note)
    return None


def _is_dated(term: Predicate, ops: Sequence[CompareOp]) -> bool:
    match term:
        case Compare(op=op, left=Col(), right=Lit(type=ColumnType.DATE)):
            return op in ops
        case _:
            return False


def _before(plan: Plan) -> bool:
    """Tell whether rows are chosen that lie before a day."""
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    return any(_is_dated(term, (CompareOp.LT,)) for term in terms) and not any(
        _is_dated(term, (CompareOp.GE, CompareOp.GT)) for term in terms
    )


def _is_of_things(plan: Plan, context: Context) -> bool:
    """Tell whether a plan counts what has several rows."""
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    counted = [m.column.name for m in measures if m.function is AggregateFunction.COUNT_DISTINCT and m.column]
    return any(not (name in context.column_words and context.is_key(name)) for name in counted)


def _unread(word: str) -> Refused:
    return Refused(
        f"“{word}” asks for what has no row after that, and I could not combine it with the rest. Ask for it alone, "
        "for example: which customers have not ordered since 2023?",
        (word,),
    )
