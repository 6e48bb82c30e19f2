"""Columns whose names say what is not, such as `not_returned`: the word that they deny alone never stands for them.

"Returned loans" and "loans that were not returned" lie on two sides of such a column, and a name is easily taken for
the part of it that a question says. So an answer that uses one must have been asked for by the whole of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import NEAREST, Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.plan.columns import names_in, used_columns
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Measure
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_WORDS_BEHIND = 3
"""How far behind a name the "false" of "`not_returned` is false" is looked for."""


@dataclass(frozen=True)
class _Name:
    """A column, the stem of the word that its name denies, and whether it says yes or no."""

    column: str
    denied: str
    is_flag: bool


def asked_by_whole_names(
    meant: Understanding, question: str, context: Context, language: str, before: Plan | None = None
) -> Understanding:
    """Return a meaning, or a question back where a column that says what is not was not named as that.

    Of a change of the answer `before` only those columns are asked about that it uses in another way.
    """
    names = tuple(_denying_names(context, language)) if isinstance(meant, Answered) else ()
    if not isinstance(meant, Answered) or not names:
        return meant
    plan = meant.winner.plan
    if before is not None:
        names = tuple(name for name in names if _use(plan, name.column) != _use(before, name.column))
    said = _words(question, names, context)
    for name in names:
        sides = frozenset(_sides_of(plan, name.column)) if name.is_flag else frozenset[bool]()
        meanings = frozenset(_meant(said, name, context))
        if len(sides) == len(meanings) == 1 and sides != meanings:
            note = f"`{name.column}` is named in full, so it is taken as it stands."
            return Answered(_turned(meant.winner, name.column, note), no_chart=meant.no_chart)
        if sides and not meanings:
            return _which_side(meant.winner, name)
        named_alone = not meanings and name.denied in said
        if named_alone and (name.column in _computed(plan) or _stands_for_it_only(question, name, context)):
            return _refused(meant.winner, name)
    return meant


def _denying_names(context: Context, language: str) -> Iterator[_Name]:
    for name in context.profile.schema_.names:
        is_flag = context.type_of(name) is ColumnType.BOOLEAN or context.column(name).kind is Kind.TRUTH
        is_flag = is_flag or name in flags_of(context.profile, language)
        # the "no" of `no_rooms` is a number
        denials = context.lexicon.denying | (context.lexicon.denying_truth if is_flag else frozenset())
        words = split_name(name)
        for at, word in enumerate(words[:-1]):
            if word in denials and (is_flag or context.is_number(name)):
                yield _Name(name, stem(words[at + 1], context.lexicon.language), is_flag)
                break


def _words(question: str, names: tuple[_Name, ...], context: Context) -> list[str]:
    """Return the stems of the words of a question that say something; those that deny stay as they are."""
    denials, denied = context.lexicon.denying | context.lexicon.denying_truth, {name.denied for name in names}
    stems = [(word, stem(word, context.lexicon.language)) for word in split_name(question)]
    return [
        word if word in denials else found
        for word, found in stems
        if word in denials or found in denied or not context.lexicon.is_filler(word)
    ]


def _meant(said: list[str], name: _Name, context: Context) -> Iterator[bool]:
    """Yield what a question says of a column each time it names it: that it holds, or that it does not."""
    denials = context.lexicon.denying | context.lexicon.denying_truth
    language = context.lexicon.language
    untrue = {stem(word, language) for word in context.lexicon.untrue} | {"0"}
    for at, word in enumerate(said):
        as_one = any(word.startswith(d) and stem(word.removeprefix(d), language) == name.denied for d in denials)
        if not as_one and (word != name.denied or at == 0 or said[at - 1] not in denials):
            continue
        before = said[at - 1 : at] if as_one else said[max(at - 2, 0) : at - 1]
        behind = said[at + 1 : at + 1 + _WORDS_BEHIND]
        yield not (denials.intersection(before) or untrue.intersection(behind))


def _stands_for_it_only(question: str, name: _Name, context: Context) -> bool:
    """Tell whether the word that a name denies means nothing else here, so that an answer may not pass over it."""
    language, lexicon = context.lexicon.language, context.lexicon
    said = {word for word in split_name(question) if stem(word, language) == name.denied}
    others = {own for own in context.profile.schema_.names if own != name.column}
    named = any(stem(word, language) == name.denied for own in others for word in split_name(own))
    return not (named or said & (lexicon.words | context.value_parts) or context.row_nouns & said)


def _sides_of(plan: Plan, column: str) -> Iterator[bool]:
    """Yield which of yes and no a plan asks of a column; of groups without such a row, it asks for the other one."""
    absent = {name for step in plan.steps if isinstance(step, Filter) for name in _absent(step.predicate)}
    for step in plan.steps:
        for part in (step,) if not isinstance(step, Aggregate) else step.measures:
            sides = _sides(part.model_dump(mode="json"), column)
            denied = isinstance(part, Measure) and part.name in absent
            yield from (side != denied for side in sides)


def _absent(predicate: Predicate) -> Iterator[str]:
    """Yield the figures that a condition asks to be 0."""
    for term in terms_of(predicate):
        match term:
            case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=0, type=kind)) if kind.is_number:
                yield name


def _sides(tree: Any, column: str) -> Iterator[bool]:
    """Yield which of yes and no the conditions of a plan, written as JSON, ask of a column."""
    match tree:
        case {"kind": "compare", "left": {"name": str(name)}, "op": op, "right": {"kind": "lit", "value": value}}:
            if name == column and value in (True, False):
                yield bool(value) == (op == CompareOp.EQ)
        case dict():
            for each in tree.values():
                yield from _sides(each, column)
        case list():
            for each in tree:
                yield from _sides(each, column)


def _use(plan: Plan, column: str) -> list[str]:
    """Return the steps of a plan that name a column, as JSON."""
    return [step.model_dump_json() for step in plan.steps if column in names_in(step)]


def _computed(plan: Plan) -> frozenset[str]:
    """Return the columns that a plan uses for more than to tell groups apart, whose names stand in the answer."""
    groups = {name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names}
    return used_columns(plan) - groups


def _which_side(winner: Reading, name: _Name) -> Asked:
    options = (winner, _turned(winner, name.column))
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    return Asked(
        f"`{name.column}` has a negative name, and the question does not say which side you mean: {lines}. "
        f"Which one do you mean? Ask again with the whole name.",
        options,
    )


def _turned(reading: Reading, column: str, *notes: str) -> Reading:
    """Return a reading that asks for the other side of a column of yes and no."""
    tree = reading.plan.model_dump(mode="json")
    plan = Plan.model_validate({**tree, "steps": _other_side(tree["steps"], column)})
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, *notes))


def _other_side(tree: Any, column: str) -> Any:
    match tree:
        case {"kind": "compare", "left": {"name": str(name)}, "right": {"kind": "lit", "value": value}}:
            if name != column or value not in (True, False):
                return tree
            return {**tree, "right": {**tree["right"], "value": type(value)(not value)}}
        case dict():
            return {key: _other_side(value, column) for key, value in tree.items()}
        case list():
            return [_other_side(value, column) for value in tree]
        case _:
            return tree


def _refused(winner: Reading, name: _Name) -> Refused:
    return Refused(
        f"`{name.column}` has a negative name, and the question leaves the negation out. Ask with the whole name. "
        f"{NEAREST.format(say_plan(winner.plan))}",
        nearest=winner,
    )
