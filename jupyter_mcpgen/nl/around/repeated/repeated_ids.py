"""Nouns that name an identifier that repeats: "orders by country" over the lines of orders counts each order once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.limits.limits_in_sum import LIMITED, OF_EACH, names_single_rows, part_in_sum
from jupyter_mcpgen.nl.around.repeated.counting_ids import PARTS, counting, first_count, meets_a_condition
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import is_studied, repeats, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, may_be_told_of_each
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Resample, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan

_PARTS_OF_TOTALS = (WindowFunction.SHARE, WindowFunction.PERCENT)
LONGEST_CUE = 4
"""Of how many words the longest words before a counted noun are."""


@dataclass(frozen=True)
class _Counted:
    """A noun that a question counts, and the identifier of what it names."""

    noun: str
    key: str
    surely: bool
    """Whether words before it count it, and it does not only open the question."""


def counting_each_once(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that counts each value of a repeated identifier once, where it counted rows for its noun.

    Where it cannot be counted so, the question is refused.
    """
    if isinstance(meant, Refused):
        return meant
    table = Table(context, load_vocabulary(language))
    counted = tuple(all_counted(question, table))
    if isinstance(meant, Asked):
        keys = {one.key for one in counted if one.surely}
        sound = tuple(option for option in meant.options if not keys & _listed_apart(option.plan))
        if len(sound) != 1 or len(meant.options) == 1:
            return meant
        meant = Answered(sound[0])
    step = first_count(meant.winner.plan)
    apart = _listed_apart(meant.winner.plan)
    alone = next((one for one in counted if one.surely and one.key in apart), None)
    if alone is not None:
        return _refused(alone, meant.winner)
    left_out = (one for one in counted if one.surely and _leaves_out(meant.winner.plan, one))
    if step is None and (other := next(left_out, None)) is not None:
        return _refused(other, meant.winner)
    groups = step.by.names if step is not None else ()
    first = next((one for one in counted if step is not None and not _is_told_by(one.key, groups, context)), None)
    if first is None:
        return _of_rows(meant, question, table) if step is not None and not counted else meant
    besides = question.replace(first.noun, "")
    of_totals = context if not names_single_rows(besides, context, language) else None
    own = _once(meant.winner, first, of_totals)
    if own is None:
        return _refused(first, meant.winner)
    total = part_in_sum(meant.winner.plan, first.key, of_totals) if of_totals is not None else None
    of_each = _once(meant.winner, first) if total and may_be_told_of_each(total[1], first.key, context) else None
    if total is not None and of_each is not None:
        return asking_which((of_each, own), OF_EACH.format(total[1], first.key))
    others = (_once(other, first, of_totals) or other for other in meant.alternatives)
    kept = {say_plan(other.plan): other for other in others}
    kept.pop(say_plan(own.plan), None)
    return replace(meant, winner=own, alternatives=tuple(kept.values()))


def _is_told_by(key: str, groups: tuple[str, ...], context: Context) -> bool:
    """Tell whether each group has one value of an identifier, which counts nothing in it: clients by their name."""
    own = (name for name in groups if name in context.column_words)
    return key in groups or any(has_one_value(key, name, context) for name in own)


def _has_one(group: str, key: str, context: Context) -> bool:
    """Tell whether all rows of an identifier are in one group, as far as the columns of the table tell."""
    return group not in context.column_words or has_one_value(group, key, context)


def _once(reading: Reading, counted: _Counted, of_totals: Context | None = None) -> Reading | None:
    """Return a reading that counts each once; None where it counts no rows, or cannot be said so.

    With a context, a limit on an amount is one of the total of each.
    """
    step, plan = first_count(reading.plan), counting(reading.plan, counted.key)
    if step is None or plan is None or counted.key in step.by.names:
        return None
    limited = part_in_sum(reading.plan, counted.key, of_totals) if of_totals is not None else None
    if limited is not None and of_totals is not None:
        if any(not _has_one(name, counted.key, of_totals) for name in step.by.names):
            return None  # the total of an order whose lines are in several groups is that of none of them
        added = LIMITED.format(f"`{limited[1]}`", counted.key)
        return replace(reading, plan=limited[0], assumptions=(*reading.assumptions, added))
    notes = [
        f"“{counted.noun}” are counted by their `{counted.key}`, which repeats.",
        f"Each `{counted.key}` counts once, however many rows it has.",
    ]
    if meets_a_condition(step):
        notes.append(f"A condition is met by each `{counted.key}` that has a row which meets it.")
    if step.by.names and any(isinstance(later, Window) for later in plan.steps):
        notes.append(f"Each `{counted.key}` that has rows in several groups counts in each of them.")
    kept = [note for note in reading.assumptions if note not in notes]
    return replace(reading, plan=plan, assumptions=(*kept, *notes))


def _refused(counted: _Counted, reading: Reading) -> Refused:
    key = counted.key
    return Refused(
        f"“{counted.noun}” are told apart by `{key}`, which repeats, and I could not count each once. Ask for the "
        f"“number of different `{key}`”, with your conditions and groups, or for the “number of rows”.",
        (counted.noun,),
        reading,
    )


def _of_rows(meant: Answered, question: str, table: Table) -> Answered | Asked:
    """Return a meaning that says that a part of the rows was taken, where no identifier tells them apart.

    A rate of what is bought, such as orders with several rows each, may be of either: it is asked about.
    """
    context = table.context
    step = first_count(meant.winner.plan)
    shares = step is not None and any(one.function in PARTS for one in step.measures)
    keys = [c for c in context.profile.columns if c.role is Role.IDENTIFIER or told_apart(c.name, table)]
    keys = keys or [c for c in context.profile.columns if is_studied(c.name, table)]
    last = max(keys, key=lambda c: c.distinct, default=None)
    if not shares or last is None or last.distinct + last.nulls >= context.profile.rows:
        return meant
    words = frozenset(question.casefold().replace("?", "").split())
    bought = set(told_apart(last.name, table) or ()) & (table.words("purchases") | table.words("deals"))
    if (
        bought
        and repeats(last.name, table)
        and words & table.words("rates_said")
        and not words & table.words("one_row")
    ):
        each = _once(meant.winner, _Counted(next(iter(bought)), last.name, surely=True))
        if each is not None:
            return Asked(
                _OF_EACH.format(last.name, say_plan(meant.winner.plan), say_plan(each.plan)), (meant.winner, each)
            )
    note = f"This is the part of the rows, some of which share their `{last.name}`."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))


_OF_EACH = (
    "Several rows share their `{0}`, so the rate may be one of the rows, or one of each `{0}` with such a row. "
    "It can be read in 2 ways: (1) {1}; (2) {2}. Which one do you mean?"
)


def _listed_apart(plan: Plan) -> frozenset[str]:
    """Return the groups in which a plan counts rows or different values, where its result shows each of them."""
    counts = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
    figures = [step for step in plan.steps if isinstance(step, Aggregate | Resample)]
    if len(figures) != 1 or not all(measure.function in counts for measure in figures[0].measures):
        return frozenset()
    return frozenset(figures[0].by.names)


def _leaves_out(plan: Plan, counted: _Counted) -> bool:
    """Tell whether a plan is a part of something else than what is counted: "share of customers", of `quantity`."""
    figures = [step for step in plan.steps if isinstance(step, Aggregate)]
    shares = any(isinstance(s, Window) and s.function in _PARTS_OF_TOTALS for s in plan.steps)
    return shares and bool(figures) and not any(counted.key in names_in(step) for step in plan.steps)


def all_counted(question: str, table: Table) -> Iterator[_Counted]:
    """Yield the nouns that a question counts, or opens with, and that name what an identifier of several rows does."""
    tokens = tokenize(question, decimal_comma=table.context.lexicon.decimal_comma)
    for place, token in enumerate(tokens):
        key = _repeated(token, table)
        behind = tokens[place + 1].lower if place + 1 < len(tokens) else ""
        counts = columns.is_plural(token.lower, table) or behind in table.words("counted_behind")
        if key is None or not counts:
            continue
        surely = _follows_a_cue(tokens[:place], table)
        if surely or _opens(tokens[:place], table):
            yield _Counted(token.text, key, surely)


def _repeated(token: Token, table: Table) -> str | None:
    """Return the identifier of what a word names, where some rows share theirs."""
    if not token.lower.isalpha():
        return None
    word = token.lower
    key = columns.repeated_key(word, table) or _person_by_work(word, table) or _person_of_the_file(word, table)
    known = table.context.column(key) if key is not None else None
    return key if known is not None and known.distinct + known.nulls < table.context.profile.rows else None


def _person_of_the_file(word: str, table: Table) -> str | None:
    """Return the identifier that shortens the noun for persons after whom the table is called: a patient's `pt_id`."""
    context, noun = table.context, table.context.plain(word)
    if noun not in table.words("persons") or noun not in {
        context.lexicon.base(one) for one in split_name(context.profile.name)
    }:
        return None
    keys = [
        name for name in context.column_words if (told := told_apart(name, table)) is not None and _shortens(told, noun)
    ]
    return keys[0] if len(keys) == 1 and repeats(keys[0], table) else None


def _shortens(told: tuple[str, ...], noun: str) -> bool:
    """Tell whether an identifier is bare, or called by a noun or a short form of it: letters of it in their order."""
    letters = iter(noun)
    short = "".join(told)
    return not told or (short[:1] == noun[:1] and all(letter in letters for letter in short))


def _person_by_work(word: str, table: Table) -> str | None:
    """Return the identifier of persons whom a word names by what they do, such as the "managers" of a column `role`."""
    held = table.context.values_in_plural.get(table.context.lexicon.base(word), ())
    held = held or table.context.values.get(table.context.lexicon.base(word), ())
    works = table.words("works_of_persons")
    named = len(held) == 1 and set(table.context.column_words[held[0].column][-1:]) & works
    return persons.repeated_person(table) if named else None


def _follows_a_cue(before: tuple[Token, ...], table: Table) -> bool:
    """Tell whether words before a noun count it: "number of cancelled orders"; not "lamps by customers"."""
    left, cues = _before_what_describes(before, table), table.words("counting_cues")
    return any(" ".join(left[-size:]) in cues for size in range(1, LONGEST_CUE + 1))


def _opens(before: tuple[Token, ...], table: Table) -> bool:
    """Tell whether a noun opens a question: "show the orders by month"."""
    return set(_before_what_describes(before, table)) <= table.words("counting_openings")


def _before_what_describes(before: tuple[Token, ...], table: Table) -> list[str]:
    left = [token.lower for token in before]
    while left and _describes(left[-1], table):
        left.pop()
    return left


def _describes(word: str, table: Table) -> bool:
    """Tell whether a word before a noun says which ones: a value, a word of a column's name, "all", "the", a number."""
    context = table.context
    known = word in table.words("describing_counted") or any(letter.isdigit() for letter in word)
    told = word in context.value_parts or context.plain(word) in context.value_parts
    if known or told:
        return True
    if word in context.lexicon.words:
        return any(isinstance(one, m.Unit | m.DistinctWord) for one in context.lexicon.meanings(word))
    flagged = columns.flag_of(word, table) is not None
    named = bool(context.columns_with(context.plain(word))) and not columns.is_plural(word, table)
    return flagged or named
