"""Whether an answer is of the kind that the question's first word asks for: "who" asks for names, never for a month."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import persons
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.predicates import holds_years
from jupyter_mcpgen.nl.reading import NEAREST, Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate, Sort
from jupyter_mcpgen.plan.schema import ColumnType, Field


def naming_whom(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where "who" or "which author" is asked and the answer holds no name at all.

    A near reading that names somebody takes the place of a winner that does not only as an offer.
    """
    if not isinstance(meant, Answered):
        return meant
    if _names(meant.winner, context):
        return _of_persons(meant, question, context, language)
    word = _asking_for_a_name(question, meant.winner, context)
    if word is None:
        return meant
    nearest = next((one for one in meant.alternatives if _names(one, context)), meant.winner)
    return Refused(
        f"“{word}” asks for a name, but I found no column of names for it. "
        f"{NEAREST.format(say_plan(nearest.plan))} Say which column holds the names.",
        words=(word,),
        nearest=nearest,
    )


def _of_persons(meant: Answered, question: str, context: Context, language: str) -> Answered:
    """Return an answer to "who" by the one column of persons, where it counts the rows of another label instead."""
    person = persons.only_person(Table(context, load_vocabulary(language)))
    tokens, steps = _tokens(question, context), meant.winner.plan.steps
    place = next((at for at, step in enumerate(steps) if isinstance(step, Aggregate)), len(steps))
    counted = steps[place] if place < len(steps) else None
    if person is None or not tokens or tokens[0].lower not in context.lexicon.person_words:
        return meant
    if not isinstance(counted, Aggregate) or len(counted.by.names) != 1 or counted.measures[0].column is not None:
        return meant
    group = counted.by.names[0]
    said = {context.plain(token.lower) for token in tokens}
    named = any(person in names_in(step) for step in steps)
    if named or group not in context.column_words or not said & set(context.column_words[group]):
        return meant
    called, old = {group: person}, meant.winner.plan
    behind = tuple(called_otherwise(step, called) for step in steps[place:])
    chart = called_otherwise(old.chart, called) if old.chart is not None else None
    made = old.with_steps((*steps[:place], *behind)).model_copy(update={"chart": chart})
    return replace(meant, winner=replace(meant.winner, plan=made), alternatives=())


def telling_how_much(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where an amount is asked for, such as the largest gift, and a date answers."""
    said = f" {' '.join(token.lower for token in _tokens(question, context))} "
    word = next((word for word in sorted(context.lexicon.amount_words) if f" {word} " in said), None)
    if word is None or not isinstance(meant, Answered) or not _is_date_only(meant.winner):
        return meant
    used = (split_name(name) for step in meant.winner.plan.steps for name in names_in(step))
    if any(f" {' '.join(name)} " in said for name in used):
        return meant  # "the largest ship date"
    near = (one for one in meant.alternatives if not _is_date_only(one))
    return Refused(
        f"“{word}” asks for an amount, but I could read only dates. Say which column holds the amounts.",
        words=(word,),
        nearest=next(near, None),
    )


def telling_when(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where "when" is asked and one figure answers that is no date and no year."""
    tokens, lexicon = _tokens(question, context), context.lexicon
    if not tokens or tokens[0].lower not in lexicon.moment_words or not isinstance(meant, Answered):
        return meant
    if any(token.lower in lexicon.choosing_words | lexicon.person_words for token in tokens[1:]):
        return meant  # "when the share is 21 %, what are the seats"
    if _asks_how_many_later(tokens, context):
        return meant  # "when the ward is Elm, how many nurses are there"
    steps = meant.winner.plan.steps
    last = steps[-1] if steps else None
    if not isinstance(last, Aggregate) or last.by.names:
        return meant
    dated = any(field.type is ColumnType.DATE for field in meant.winner.plan.result_schema.fields)
    if dated or any(one.column is not None and _is_time(one.column.name, context) for one in last.measures):
        return meant
    near = (one for one in meant.alternatives if any(f.type is ColumnType.DATE for f in one.plan.result_schema.fields))
    return Refused(
        f"“{tokens[0].text}” asks for a time, but I could read only: {say_plan(meant.winner.plan)}. Ask for the day, "
        "the month or the year with the highest or lowest measure.",
        words=(tokens[0].text,),
        nearest=next(near, None),
    )


def telling_where(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where "where did …" is asked and one figure answers: no place is a mean."""
    tokens, lexicon = _tokens(question, context), context.lexicon
    if len(tokens) < 2 or not isinstance(meant, Answered):
        return meant
    asks = tokens[0].lower in lexicon.place_words and tokens[1].lower in lexicon.doing
    last = meant.winner.plan.steps[-1] if meant.winner.plan.steps else None
    if not asks or not isinstance(last, Aggregate) or last.by.names or _asks_how_many_later(tokens, context):
        return meant
    return Refused(
        f"“{tokens[0].text}” asks for a place, but I could read only: {say_plan(meant.winner.plan)}. Name the column "
        "that holds the places.",
        words=(tokens[0].text,),
    )


def _is_time(name: str, context: Context) -> bool:
    """Tell whether a column holds years: one called so, or a `Date` that is only told by its year."""
    words = context.column_words[name]
    meanings = (found for word in words for found in context.lexicon.meanings(word))
    return name in context.years or (holds_years(name, context) and any(isinstance(x, m.Unit) for x in meanings))


def _asks_how_many_later(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether "how many" or "how much" follows; "the number of" something asks nothing by itself."""
    known = context.lexicon.meanings
    return any(
        any(isinstance(found, m.CountWord | m.HowMuch) for found in known(f"{first.lower} {second.lower}"))
        and not any(isinstance(found, m.Determiner) for found in known(before.lower))
        for before, first, second in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _is_date_only(reading: Reading) -> bool:
    """Tell whether a result is one column of dates: cells, or the earliest or latest of them."""
    fields = reading.plan.result_schema.fields
    ordered = any(isinstance(step, Sort) for step in reading.plan.steps)
    return len(fields) == 1 and fields[0].type is ColumnType.DATE and not ordered


def _tokens(question: str, context: Context) -> tuple[Token, ...]:
    return tokenize(question, decimal_comma=context.lexicon.decimal_comma)


def _asking_for_a_name(question: str, reading: Reading, context: Context) -> str | None:
    """Return the words at the beginning that ask for a name: "who", or "which author" of a column not in a result."""
    tokens = _tokens(question, context)[:2]
    if tokens and tokens[0].lower in context.lexicon.person_words:
        return question.split()[0]
    if len(tokens) < 2 or tokens[0].lower not in context.lexicon.choosing_words:
        return None
    plain = (context.plain(tokens[1].lower),)
    named = [name for name, own in context.column_words.items() if own == plain]
    shown = {field.name for field in reading.plan.result_schema.fields}
    texts = (name for name in named if context.type_of(name) is ColumnType.TEXT and not context.column(name).written)
    lacks = [name for name in texts if name not in shown]
    return f"{tokens[0].text} {tokens[1].text}" if lacks else None


def _names(reading: Reading, context: Context) -> bool:
    """Tell whether a result has texts or identifiers, which may name somebody; dates, also written ones, do not."""
    return any(_may_name(field, context) for field in reading.plan.result_schema.fields)


def _may_name(field: Field, context: Context) -> bool:
    if field.name not in context.profile.schema_.names:
        return field.type is ColumnType.TEXT
    if field.type is ColumnType.TEXT:
        return not context.column(field.name).written
    dated = field.type is ColumnType.DATE  # also where no two rows have the same date
    return not dated and (context.is_key(field.name) or context.is_code(field.name))
