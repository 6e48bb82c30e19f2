"""What a question says of its rows is a condition: "how many women would stay", "sales to members", "did not agree".

Where a column of answers is shown or counted by instead, or a step of a scale is denied of which there is a stronger
one, the ways to read it are asked about.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.mentions.columns import columns_in
from jupyter_mcpgen.nl.predicates import equals, is_true
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, IsIn, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.writings import TruthWriting


def applying_what_is_said(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning; asked about or refused where it shows a column that the question says of its rows."""
    if not isinstance(meant, Answered):
        return meant
    vocabulary = load_vocabulary(language)
    tokens = tuple(tokenize(question, decimal_comma=context.lexicon.decimal_comma))
    plan = meant.winner.plan
    dated = _dates_in_order(plan, context)
    for name in (one for one in _shown(plan) if one not in dated):
        words = _said_of_rows(name, plan, tokens, context, vocabulary.words("before_what_is_said"))
        if not words:
            continue
        is_deed = words.casefold() in vocabulary.words("deeds_of_rows") and len(context.column_words[name]) > 1
        holds = _says_yes(name, context)
        way = _narrowed(meant.winner, name, holds) if holds is not None else None
        if way is not None:
            return _ask((way, meant.winner))
        if is_deed or context.column(name).order:
            text = f"“{words}” does not say which values of `{name}` you mean. Name them."
            return Refused(text, (words,))
    return meant


def asking_about_stronger(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning; asked about where "not agree" leaves in those who strongly agree."""
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    for place, step in enumerate(plan.steps):
        terms = terms_of(step.predicate) if isinstance(step, Filter) else ()
        for at, term in enumerate(terms):
            wider = _without_stronger(term, context)
            if wider is not None:
                every = (*terms[:at], wider, *terms[at + 1 :])
                steps = (*plan.steps[:place], Filter(predicate=_all(every)), *plan.steps[place + 1 :])
                return _ask((meant.winner, replace(meant.winner, plan=plan.with_steps(steps))))
    return meant


def _without_stronger(term: Predicate, context: Context) -> Predicate | None:
    """Return the denial of a step of a scale with the stronger ones of the same word; None for anything else."""
    if not (isinstance(term, Compare) and term.op is CompareOp.NE and isinstance(term.left, Col)):
        return None
    if not isinstance(term.right, Lit) or not isinstance(term.right.value, str):
        return None
    said, name = term.right.value.casefold().split(), term.left.name
    if name not in context.column_words:
        return None
    known = [step for step in context.column(name).order if step.casefold().split()[-len(said) :] == said]
    if len(known) < 2:
        return None
    return IsIn(operand=term.left, values=tuple(Lit(value=step, type=ColumnType.TEXT) for step in known), negated=True)


def _shown(plan: Plan) -> tuple[str, ...]:
    """Return the columns of which cells are shown, or by which rows are counted."""
    selected = [step for step in plan.steps if isinstance(step, Select)]
    if selected:
        return selected[-1].columns.names
    summed = [step for step in plan.steps if isinstance(step, Aggregate)]
    if len(summed) != 1 or any(measure.function is not AggregateFunction.COUNT for measure in summed[0].measures):
        return ()
    return summed[0].by.names if len(summed[0].by.names) == 1 else ()


def _dates_in_order(plan: Plan, context: Context) -> frozenset[str]:
    """Return the dates by which a plan orders its rows: "who ordered last" says when, and not which."""
    keys = (key for step in plan.steps if isinstance(step, Sort) for key in step.keys)
    return frozenset(key.column for key in keys if key.column in context.dates)


def _said_of_rows(name: str, plan: Plan, tokens: tuple[Token, ...], context: Context, leading: frozenset[str]) -> str:
    """Return the words by which a question says a column of its rows; none where it asks for the column."""
    if name not in context.column_words:
        return ""
    named = [item for item in columns_in(tokens, context) if item.meaning == m.Column(name)]
    if not named:
        return ""
    item = max(named, key=lambda one: (one.end - one.start, -one.cost))
    words = " ".join(token.text for token in tokens[item.start : item.end])
    before = item.start - 1
    while before >= 0 and _means(tokens[before], m.Determiner, context):
        before -= 1
    if before < 0:
        return ""
    if tokens[before].lower in leading:
        return words
    counts = any(_means(token, m.CountWord, context) for token in tokens[:before]) or _counts(tokens, context)
    counted = counts and not any(isinstance(step, Select) for step in plan.steps)
    is_noun = before == item.start - 1 and _is_a_noun(tokens[before], context)
    return words if counted and is_noun else ""


def _counts(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a question opens with words like "how many"."""
    opening = " ".join(token.lower for token in tokens[:2])
    return any(isinstance(meaning, m.CountWord) for meaning in context.lexicon.meanings(opening))


def _means(token: Token, kind: type[m.Meaning], context: Context) -> bool:
    return any(isinstance(meaning, kind) for meaning in context.lexicon.meanings(token.lower))


def _is_a_noun(token: Token, context: Context) -> bool:
    """Tell whether a word is of the data or a noun for its rows, and none that leads to another."""
    of_rows = any(_means(token, kind, context) for kind in (m.RowTail, m.RowNoun))
    known = token.lower in context.lexicon.words and not of_rows
    return token.text.isalpha() and not known


def _says_yes(name: str, context: Context) -> Predicate | None:
    """Return the condition that a column says yes; None where none of its values does."""
    known = context.column(name)
    if context.type_of(name) is ColumnType.BOOLEAN:
        return is_true(name)
    spelled = {word for way in known.written if isinstance(way.writing, TruthWriting) for word in way.writing.true}
    values = [value for value in known.values if isinstance(value, str)]
    yes = [value for value in values if value.casefold() in spelled or m.Truth(value=True) in _meanings(value, context)]
    if not yes:
        return None
    literals = tuple(Lit(value=value, type=ColumnType.TEXT) for value in sorted(yes))
    return equals(name, yes[0]) if len(yes) == 1 else IsIn(operand=Col(name=name), values=literals)


def _meanings(value: str, context: Context) -> tuple[m.Meaning, ...]:
    return context.lexicon.meanings(value.casefold())


def _narrowed(reading: Reading, name: str, holds: Predicate) -> Reading | None:
    """Return a reading with a condition in the place of a column that it shows, or by which it counts."""
    plan = reading.plan
    place = next(at for at, step in enumerate(plan.steps) if isinstance(step, Select | Aggregate))
    before, end = plan.steps[:place], plan.steps[place]
    if isinstance(end, Select):
        rest = tuple(shown for shown in end.columns.names if shown != name)
        after = tuple(step for step in plan.steps[place + 1 :])
        ending: tuple[Step, ...] = (Select(columns=Columns(names=rest)), *after) if rest else ()
    elif isinstance(end, Aggregate):
        ending = (Aggregate(by=Columns(names=()), measures=end.measures),)
    else:
        return None
    prepared = tuple(takewhile(lambda step: isinstance(step, Derive), before))
    filters = [step for step in before[len(prepared) :] if isinstance(step, Filter)]
    if len(filters) != len(before) - len(prepared):
        return None
    terms = tuple(term for step in filters for term in terms_of(step.predicate))
    made = (*prepared, Filter(predicate=_all((*terms, holds))), *ending)
    return reading.with_steps(made)


def _all(terms: tuple[Predicate, ...]) -> Predicate:
    return terms[0] if len(terms) == 1 else All(terms=terms)


def _ask(ways: tuple[Reading, ...]) -> Asked:
    return asking_which(ways)
