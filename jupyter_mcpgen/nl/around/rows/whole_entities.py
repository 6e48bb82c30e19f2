"""Things counted by what all of their rows say, or none: "customers who only use the app", "days with no alarm".

Read row by row, a customer with one such row beside others would be one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from jupyter_mcpgen.nl.around.limits.compared_in_sum import group_asked_for
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Columns,
    Compare,
    CompareOp,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TimeBetween,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Distinct, Filter, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MOST_WORDS_BETWEEN = 4
"""How far "only" may stand behind the noun of which it is said."""
MOST_WORDS_OF_AN_OPENING = 3


def holding_of_all_rows(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that counts or lists a thing by all of its rows where a question says "only", "no" or "any"."""
    said = _said_in(question, context, language)
    if isinstance(meant, Refused):
        return meant
    if isinstance(meant, Asked):
        return _unread_of(meant, said, question, context, language)
    entities = entities_of(meant.winner.plan, context, group_asked_for(meant.winner.plan, question, context, language))
    if entities is None:
        return _unread_only(meant, said, context)
    place = said.only_of(entities, context)
    if place is not None:
        return _only(meant, entities, said.words[place:], said, context)
    denied = [term for term in entities.terms if says_what_is_not(term)]
    if not said.denies or len(denied) != 1:
        return meant
    note = f"Those with no row of that kind at all are looked for, among each `{entities.group}`."
    made = all_rows_so(meant.winner, entities, denied, what_is_denied(denied[0]), CompareOp.EQ, 0, note)
    return meant if made is None else replace(meant, winner=made)


@dataclass(frozen=True)
class _Said:
    """The words of a question, and which of them say something of all rows."""

    words: tuple[Token, ...]
    only: frozenset[str]
    denials: frozenset[str]
    choosing: frozenset[str]
    """Words before an "only" that chooses rows: "in only 2020"."""
    relative: frozenset[str]
    """Words such as "who", which say of what stands before them what follows."""

    @property
    def denies(self) -> bool:
        return any(token.lower in self.denials for token in self.words)

    def only_of(self, entities: Entities, context: Context) -> int | None:
        """Return the place behind an "only" that is said of what is counted, and not of the rows."""
        for place, token in enumerate(self.words):
            if token.lower not in self.only or place + 1 == len(self.words):
                continue
            before = [one.lower for one in self.words[:place]]
            own = [at for at, word in enumerate(before) if context.plain(word) in entities.nouns]
            behind = self.words[place + 1].lower
            if not own or behind[:1].isdigit() or before[-1] in self.choosing:
                continue
            between = before[own[-1] + 1 :]
            if len(between) <= MOST_WORDS_BETWEEN and all(word[:1].isalpha() for word in between):
                return place + 1
        return None


def _said_in(question: str, context: Context, language: str) -> _Said:
    vocabulary = load_vocabulary(language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    lists = (vocabulary.words(key) for key in ("only_such_rows", "no_such_row", "choosing_rows", "saying_of_it"))
    return _Said(tuple(tokens), *(frozenset(one) for one in lists))


@dataclass(frozen=True)
class Entities:
    """What a plan counts or lists, and the conditions on its rows."""

    group: str
    nouns: frozenset[str]
    derived: tuple[Step, ...]
    terms: tuple[Predicate, ...]
    counted: bool


def entities_of(plan: Plan, context: Context, listed: str | None) -> Entities | None:
    """Return what a plan counts or lists for its rows; None where it computes anything else."""
    place = next((at for at, step in enumerate(plan.steps) if not isinstance(step, Derive | Filter)), len(plan.steps))
    before, after = plan.steps[:place], tuple(step for step in plan.steps[place:] if not isinstance(step, Sort))
    match after:
        case (Aggregate(by=Columns(names=()), measures=(Measure() as one,)),):
            distinct = one.function is AggregateFunction.COUNT_DISTINCT and one.where is None
            group, counted = (one.column.name if distinct and one.column is not None else None), True
        case (
            Aggregate(by=Columns(names=(name,)), measures=(Measure(function=AggregateFunction.COUNT, where=None),)),
            Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, where=None),)),
        ):
            group, counted = name, True
        case (
            Aggregate(by=Columns(names=(name,)), measures=(Measure(function=AggregateFunction.COUNT, where=None),)),
        ) if name == listed:
            group, counted = name, False
        case (Select(columns=Columns(names=(name,))),) | (Select(columns=Columns(names=(name,))), Distinct()):
            group, counted = name, False
        case (Distinct(columns=Columns(names=(name,))),):
            group, counted = name, False
        case _:
            return None
    if group is None or (group in context.column_words and context.is_key(group)):
        return None
    derived = tuple(step for step in before if isinstance(step, Derive))
    terms = tuple(term for step in before if isinstance(step, Filter) for term in terms_of(step.predicate))
    if not terms or any(isinstance(step.expression, TimeBetween) and group == step.name for step in derived):
        return None
    nouns = frozenset(context.column_words.get(group, ()))
    return Entities(group, nouns or frozenset(context.plain(one) for one in group.split("_")), derived, terms, counted)


def _unread_of(asked: Asked, said: _Said, question: str, context: Context, language: str) -> Understanding:
    """Return a question back, or a refusal where its readings leave out what "only" says of all rows."""
    for reading in asked.options:
        entities = entities_of(reading.plan, context, group_asked_for(reading.plan, question, context, language))
        if entities is not None and said.only_of(entities, context) is not None:
            return _unread(entities.group, said)
    return asked


def _unread_only(meant: Answered, said: _Said, context: Context) -> Understanding:
    """Return a meaning, or a refusal where "only" is said of what a question opens with, and something else is read."""
    before = takewhile(lambda step: not isinstance(step, Aggregate), meant.winner.plan.steps)
    filtered = any(isinstance(step, Filter) for step in before)  # behind it groups are kept, by all of their rows
    grouped = {name for step in meant.winner.plan.steps if isinstance(step, Aggregate) for name in step.by.names}
    for name, words in context.column_words.items() if filtered else ():
        if context.is_key(name):
            continue
        nouns = frozenset(words)
        opening = any(context.plain(token.lower) in nouns for token in said.words[:MOST_WORDS_OF_AN_OPENING])
        place = said.only_of(Entities(name, nouns, (), (), counted=False), context)
        if place is not None and ((opening and name in grouped) or said.words[place - 2].lower in said.relative):
            return _unread(name, said)
    return meant


def _unread(group: str, said: _Said) -> Refused:
    word = next(token.text for token in said.words if token.lower in said.only)
    return Refused(
        f"“{word}” asks for each `{group}` whose rows all meet a condition, and I could not tell which condition. Ask "
        f"how many `{group}` there are, with one condition behind “{word}”.",
        (word,),
    )


def _only(meant: Answered, entities: Entities, behind: Sequence[Token], said: _Said, context: Context) -> Understanding:
    """Return those of which all rows are so; a refusal where it cannot be told which condition "only" is about."""
    words = {context.plain(token.lower) for token in behind} | {token.lower for token in behind}
    about: dict[str, list[Predicate]] = {}
    for term in entities.terms:
        names = sorted(set(names_in(term)))
        if entities.group not in names and len(names) == 1 and _is_named(term, words, context):
            about.setdefault(names[0], []).append(term)
    kinds = [name for name, terms in about.items() if _is_kind_of_row(terms, name, behind, context)]
    if len(about) > 1 and len(about) - len(kinds) == 1:
        about = {name: terms for name, terms in about.items() if name not in kinds}
    if not about and all(set(names_in(term)) <= {entities.group} for term in entities.terms):
        return meant
    word = next(token.text for token in said.words if token.lower in said.only)
    unread = _unread(entities.group, said)
    if len(about) != 1:
        return unread
    name, terms = next(iter(about.items()))
    predicate = terms[0] if len(terms) == 1 else All(terms=tuple(terms))
    lacking = name in context.column_words and context.column(name).nulls > 0
    note = f"“{word}” is taken to mean each `{entities.group}` of which all rows"
    note += f" with a value in `{name}` are so, and at least one is." if lacking else " are so."
    there = (IsMissing(operand=Col(name=name), negated=True),) if lacking else ()
    kept = replace(entities, terms=(*(term for term in entities.terms if term not in terms), *there))
    made = all_rows_so(meant.winner, kept, [], predicate, CompareOp.EQ, None, note)
    return unread if made is None else replace(meant, winner=made, alternatives=())


def _is_named(term: Predicate, words: set[str], context: Context) -> bool:
    """Tell whether words name the value of a condition, or the yes-or-no column or the date that it is about."""
    match term:
        case Compare(left=Col(name=name), right=Lit(value=str() as value, type=kind)) if kind is ColumnType.TEXT:
            parts = value.casefold().replace("-", " ").split()
            return bool({*parts, *(context.plain(part) for part in parts), name.casefold()} & words)
        case Compare(left=Col(name=name), right=Lit(type=ColumnType.BOOLEAN)):
            return bool(set(context.column_words.get(name, ())) & words)
        case Compare() | IsMissing() | AnyOf() | IsIn():
            return True
        case _:
            return True


def _is_kind_of_row(terms: list[Predicate], name: str, behind: Sequence[Token], context: Context) -> bool:
    """Tell whether a condition only says of which rows something is said: the "alarms" of "only had jam alarms"."""
    own = set(context.column_words.get(name, ()))
    last = next((token.lower for token in reversed(behind) if token.lower[:1].isalpha()), "")
    truth = isinstance(terms[0], Compare) and isinstance(terms[0].right, Lit) and terms[0].right.value is True
    return len(terms) == 1 and truth and context.plain(last) in own


def says_what_is_not(term: Predicate) -> bool:
    """Tell whether a condition says what is not: "is not", false, missing or 0."""
    match term:
        case Compare(op=CompareOp.NE, right=Lit()):
            return True
        case Compare(op=CompareOp.EQ, right=Lit(value=value)):
            return value is False or (not isinstance(value, bool | str) and value == 0)
        case IsMissing(negated=negated):
            return not negated
        case AnyOf(terms=terms):
            return all(says_what_is_not(one) for one in terms)
        case _:
            return False


def what_is_denied(term: Predicate) -> Predicate:
    """Return what a condition denies."""
    match term:
        case Compare(op=CompareOp.NE):
            return term.model_copy(update={"op": CompareOp.EQ})
        case Compare(right=Lit(value=False, type=ColumnType.BOOLEAN) as no):
            return term.model_copy(update={"right": no.model_copy(update={"value": True})})
        case Compare():
            return term.model_copy(update={"op": CompareOp.GT})
        case IsMissing():
            return term.model_copy(update={"negated": True})
        case AnyOf(terms=terms):
            return what_is_denied(next((one for one in terms if isinstance(one, Compare)), terms[0]))
        case _:
            return term


def all_rows_so(
    reading: Reading,
    entities: Entities,
    without: Sequence[Predicate],
    predicate: Predicate,
    op: CompareOp,
    number: int | None,
    note: str,
) -> Reading | None:
    """Return the things of whose rows so many meet a condition: a number of them, or all where none is given."""
    rows = Measure(function=AggregateFunction.COUNT, column=None)
    such = Measure(function=AggregateFunction.COUNT, column=None, where=predicate)
    end = Col(name=rows.name) if number is None else Lit(value=number, type=ColumnType.INTEGER)
    made: list[Step] = [*entities.derived]
    made += [Filter(predicate=term) for term in entities.terms if term not in without]
    made.append(Aggregate(by=Columns(names=(entities.group,)), measures=(rows, such)))
    made.append(Filter(predicate=Compare(op=op, left=Col(name=such.name), right=end)))
    if entities.counted:
        made.append(Aggregate(by=Columns(names=()), measures=(rows,)))
    else:
        made.append(Select(columns=Columns(names=(entities.group,))))
    return reading.with_steps(
        tuple(made), assumptions=(*reading.assumptions, note)
    )  # the groups have the name of a count
