"""Reads a look-up question: the answer's column, the conditions, the words that were not used."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.lookup import weights as w
from jupyter_mcpgen.nl.lookup.binding import Bind, conditions_of
from jupyter_mcpgen.nl.lookup.choice import Choice, choices
from jupyter_mcpgen.nl.lookup.leftover import LeftOver, left_over
from jupyter_mcpgen.nl.lookup.plans import Draft, draft, holds_years
from jupyter_mcpgen.nl.lookup.scene import Cue, Scene, scene_of
from jupyter_mcpgen.nl.lookup.searching import searches
from jupyter_mcpgen.nl.lookup.table import Table, table_of
from jupyter_mcpgen.nl.lookup.ways import as_good, ways_of
from jupyter_mcpgen.nl.parsing.rules.numbers import takes
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.text.tokens import MAX_TOKENS, TokenKind, tokenize
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction
from jupyter_mcpgen.plan.plan import Plan

_CLOCK = re.compile(r"(?<![\w:.])\d{1,2}:\d{2}(?![\w:]|\.\d)")
"""A time of the day; the 1:29 of a lap of 1:29.00 is none."""
NOT_USED = "Not used: "
"""How the remark begins which words an answer leaves out."""
MAX_READINGS = 5
WRITTEN = frozenset({"en", "de"})
"""The languages that have the words of look-up questions."""
LEFT_OUT = 0.12
"""What each word that is not used costs."""
SLIGHTLY = 0.05
"""What one costs that only says what a row is, or what is done in most."""
LEFT_OUT_OF_COUNT = 0.45
"""A word that is not used may say which rows are meant, and a count shows no sign of it."""
NO_ROW = 0.6
"""No row meets the conditions: more likely they are misread."""
COUNTS = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
UNBOUND = 1.0
HARDLY = 0.2
HARDLY_NAMED = 0.62
RIVAL = 0.3
"""What it costs that another answer is just as likely."""
CLEAR = 1.5
"""An answer that is ahead by this much has no rival."""


@dataclass(frozen=True)
class Looked:
    """A look-up reading with what speaks for it and against it."""

    reading: Reading
    choice: Choice
    unused: tuple[str, ...]
    blocking: tuple[str, ...]
    asks: bool
    """The text is a question, or tells to name something: a row of key words is for the chart parser."""

    is_cued: bool
    """A word in it asks for a figure."""
    asks_kind: bool
    """It asks who, when or where."""
    asks_amount: bool = False
    """The name of the answer's column follows "how many"."""
    ways: tuple[Reading, ...] = ()
    """The ways to read it, where its words leave open which one is meant."""
    bare_limits: tuple[str, ...] = ()
    """The limits that name no column."""
    is_ordered: bool = False
    """A text that begins with "list" or an article, of which every word is used."""
    is_fragment: bool = False
    """A text that begins with the name of the answer's column, of which only words for what a row is are not used."""
    is_sure: bool = False
    """Every word is used, and the name of a column stands beside each of two or more conditions."""
    slight: float = 0.0
    """How much of the cost is for words that only say what a row is, or what is done in most."""
    is_of_one_row: bool = False
    """A condition names the one row that has a value, and the answer's column need not add up."""

    ordered: frozenset[str] = frozenset()
    """The columns that are called like the order which begins the text, as `Name` is in "name the height"."""
    as_good: frozenset[str] = frozenset()
    """The plans, as said, that must show the same."""
    senseless: frozenset[str] = frozenset()
    """The plans, as said, that mean nothing beside it."""
    described: frozenset[str] = frozenset()
    """The columns of which one value is described, as in "the rider with number 7"."""

    @property
    def is_whole(self) -> bool:
        """Tell whether it is a question of which nothing is left out that may not be."""
        return self.asks and not self.blocking

    @property
    def is_cells(self) -> bool:
        """Tell whether the answer is the cells of a column where a condition holds."""
        return tuple(step.kind for step in self.reading.plan.steps) == ("filter", "select")


def look_up(question: str, profile: Profile, language: str = "en") -> tuple[Looked, ...]:
    """Return the look-up readings of a question, best first; none in a language without words for them."""
    if language not in WRITTEN:
        return ()
    table = table_of(profile, language)
    scene = scene_of(question, table)
    if len(scene.words) == MAX_TOKENS:
        return ()  # what was cut off is not known
    if searches(scene, table) or _tells_time(question, table):
        return ()  # a piece of a text is looked for, or a time of the day, not a cell
    ranked = choices(scene, table)[:MAX_READINGS]
    drafts = [draft(choice, scene, table) for choice in ranked]
    found = [_looked(made, choice, scene, table) for choice, made in zip(ranked, drafts, strict=True) if made]
    meant = [looked for looked in found if _uses_what_is_quoted(looked.reading.plan, question, profile)]
    found = [looked for looked in meant if not (_is_no_figure(looked, scene, table) or _is_by_any_date(looked, table))]
    return tuple(
        replace(
            looked,
            reading=replace(looked.reading, cost=looked.reading.cost + _rivalry(looked, ranked, drafts, scene, table)),
        )
        for looked in found
    )


def _looked(made: Draft, choice: Choice, scene: Scene, table: Table) -> Looked:
    """Return one reading with its cost, apart from that of its rivals."""
    rest = left_over(made, choice, scene, table)
    picks_rows = any(step.kind == "filter" for step in made.plan.steps)
    figure = any(isinstance(step, Aggregate) for step in made.plan.steps)
    # a whole column answers no question of which words are left over
    blocking = rest.blocking if picks_rows or figure else (*rest.blocking, *rest.unused)
    if scene.wants_figure or (figure and not _is_of_one_cell(made.plan, choice, table)):
        blocking = (*blocking, *rest.unsaid)  # a figure shows no sign of what it leaves out
    left_out = f"{NOT_USED}{', '.join(f'“{word}”' for word in rest.unused)}."
    notes = (*scene.notes, *((left_out,) if rest.unused else ()), *_figures_of_labels(made.plan, table.context))
    ways = ways_of(made, choice, scene, table)
    same, senseless = as_good(made.plan, choice, scene, table)
    return Looked(
        Reading(made.plan, "", _doubt(choice, rest, made.plan), notes),
        choice,
        rest.unused,
        blocking,
        asks=scene.is_question,
        is_cued=bool(scene.counts) or any(not _is_in_name(cue, choice) for cue in scene.cues),
        asks_kind=scene.asks is not None,
        asks_amount=choice.name is not None and any(choice.name.start == span[1] for span in scene.counts),
        ways=tuple(Reading(plan, "", 0.0, notes) for plan in ways.plans),
        bare_limits=ways.open_words,
        is_ordered=_is_ordered(choice, scene, table) and not (blocking or rest.unused),
        is_fragment=_begins_with_answer(choice, table) and not blocking and rest.slight == len(rest.unused),
        is_sure=_is_sure(choice, table) and not (blocking or rest.unused),
        slight=(LEFT_OUT - SLIGHTLY) * rest.slight,
        ordered=_called_like_the_order(scene, table),
        as_good=same,
        senseless=senseless,
        described=_described(choice, scene, table),
        is_of_one_row=table.context.adds_up(choice.column) is None and _names_one_row(choice, table),
    )


def _is_of_one_cell(plan: Plan, choice: Choice, table: Table) -> bool:
    """Tell whether a figure is the cell of the one row that meets the conditions, as the lowest of one number is."""
    last, named = plan.steps[-1], choice.name is not None and choice.name.whole
    if not named or not isinstance(last, Aggregate) or last.measures[0].function in COUNTS:
        return False
    return table.rows.single(conditions_of(choice.binding.binds, table))


def _is_ordered(choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a text begins with "list" or an article, and the name of a column stands beside each number."""
    openings = table.vocabulary.questions.opening | table.vocabulary.unread.articles
    opens = bool(scene.words) and scene.words[0].text in openings
    numbers = [b for b in choice.binding.binds if b.mention.number is not None]
    return opens and all(b.near and not _counts_things(b, table) for b in numbers)


def _begins_with_answer(choice: Choice, table: Table) -> bool:
    """Tell whether the whole name of the answer's column opens a text with conditions: "score of the game on May 3".

    The "returned" of "returned rows in DE" says which ones, by `is_returned`, and asks for no such cell.
    """
    binds, name = choice.binding.binds, choice.name
    if not binds or name is None or not name.whole or name.start > 0:
        return False
    if name.strength < 1 and choice.column in flags_of(table.profile, table.language):
        return False
    numbers = [b for b in binds if b.mention.number is not None]
    return all(b.near and b.name is not None and b.name.start >= name.end for b in numbers)


def _counts_things(bind: Bind, table: Table) -> bool:
    """Tell whether a number stands before what it would be the number of: "the 2 gardens" are no garden 2."""
    named = bind.name is not None and bind.name.start >= bind.mention.end
    return bind.bound is None and named and table.context.is_code(bind.cells.column)


def _is_sure(choice: Choice, table: Table) -> bool:
    """Tell whether two or more conditions are each named, and some row is known to meet all of them."""
    binds, named = choice.binding.binds, choice.name is not None and choice.name.whole
    return named and len(binds) > 1 and choice.binding.met and all(b.near for b in binds)


def _figures_of_labels(plan: Plan, context: Context) -> tuple[str, ...]:
    """Say which columns are labels made of numbers, so that a figure of them may mean nothing."""
    measures = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    return tuple(
        f"`{measure.column.name}` is a label made of numbers, so its {measure.function.value} may mean nothing."
        for measure in measures
        if measure.column is not None and not takes(measure.function, measure.column.name, context)
    )


def _is_in_name(cue: Cue, choice: Choice) -> bool:
    """Tell whether a word such as "total" is a part of the name of the answer's column."""
    return choice.name is not None and choice.name.whole and {*range(cue.start, cue.end)} <= {*choice.name.words}


def _described(choice: Choice, scene: Scene, table: Table) -> frozenset[str]:
    """Return the columns whose name, behind an article, a condition on single values follows: "the rider with …"."""
    words, own = scene.words, table.vocabulary
    if any(b.bound is not None for b in choice.binding.binds):
        return frozenset()
    found = (n for n in scene.names if n.whole and n.start > 0 and n.end < len(words))
    clauses = own.conditional - own.joining
    return frozenset(
        n.column for n in found if words[n.start - 1].text in own.unread.articles and words[n.end].text in clauses
    )


def _called_like_the_order(scene: Scene, table: Table) -> frozenset[str]:
    """Return the columns that are called like the order which opens a text, where an article follows it."""
    own, words = table.vocabulary, scene.words
    orders = len(words) > 1 and words[0].text in own.questions.opening and words[1].text in own.unread.articles
    return frozenset(column for column, _ in table.names.matches(words[0].text)) if orders else frozenset()


def _names_one_row(choice: Choice, table: Table) -> bool:
    return any(b.bound is None and table.context.is_key(b.cells.column) for b in choice.binding.binds)


def _tells_time(question: str, table: Table) -> bool:
    """Tell whether a time of the day is named that stands in no cell: the 17 and the 30 of "17:30" are no numbers."""
    known = table.context.value_parts | {word for name in table.names.headers for word in value_words(name)}
    clocks = (found[0] for found in _CLOCK.finditer(question))
    return any(not known.issuperset(value_words(clock)) for clock in clocks)


def _uses_what_is_quoted(plan: Plan, question: str, profile: Profile) -> bool:
    """Tell whether a plan uses every column that a question names between backticks."""
    quoted = {token.text for token in tokenize(question) if token.kind is TokenKind.QUOTED}
    named = {name for name in profile.schema_.names if name in quoted and f"`{name}`" in question}
    return named <= {name for step in plan.steps for name in names_in(step)}


def _is_no_figure(looked: Looked, scene: Scene, table: Table) -> bool:
    """Tell whether cells are no answer: of yes and no to "how many", of rows within limits to "what percentage"."""
    if looked.asks_amount and looked.choice.column in flags_of(table.context.profile, table.language):
        return True
    opening = " ".join(word.text for word in scene.words[:2])
    shares = any(isinstance(meaning, m.Unsupported) for meaning in table.context.lexicon.meanings(opening))
    binds = looked.choice.binding.binds
    return shares and looked.is_cells and bool(binds) and all(bind.bound is not None for bind in binds)


def _is_by_any_date(looked: Looked, table: Table) -> bool:
    """Tell whether a day was found in one of several columns of dates, and no word of the question says in which."""
    dates = table.context.dates
    return len(dates) > 1 and any(
        bind.name is None and bind.cells.column in dates for bind in looked.choice.binding.binds
    )


def _doubt(choice: Choice, rest: LeftOver, plan: Plan) -> float:
    """Return the cost of a reading by itself: words left over, a column that is hardly named, values hardly bound."""
    cost = LEFT_OUT * len({word.casefold() for word in rest.unused}) + UNBOUND * len(choice.binding.unbound)
    if not choice.binding.met:
        cost += NO_ROW
    cost += HARDLY * sum(b.doubtful for b in choice.binding.binds)
    counts = any(isinstance(step, Aggregate) and step.measures[0].column is None for step in plan.steps)
    if counts:
        cost += LEFT_OUT_OF_COUNT * len({*rest.unused} & {*rest.unsaid})
    if (choice.name is None and not counts) or (choice.name is not None and choice.name.strength < HARDLY_NAMED):
        cost += HARDLY
    if choice.alone < w.UNNAMED + w.KIND and not counts:
        cost += HARDLY
    return cost


def _tells_when(column: str, table: Table) -> bool:
    """Tell whether a column holds times or years, not how many of them: `seasons run` says no time."""
    kinds = table.kinds[column]
    return "time" in kinds and ("number" not in kinds or holds_years(column, table))


def _is_said_in_part(other: Choice, choice: Choice, table: Table, said: Collection[str]) -> bool:
    """Tell whether the same words are the whole name of one column, and of the other's only some are said."""
    if other.name is None or choice.name is None or other.name.whole or not choice.name.whole:
        return False
    unsaid = {*table.names.headers[other.column].words} - table.vocabulary.questions.faint - {*said}
    return bool(unsaid) and {*other.name.words} <= {*range(choice.name.start, choice.name.end + 1)}


def _goes_on_behind(other: Choice, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether the word that both are named by ends one name only: "which team" asks for no `Home team score`."""
    if other.name is None or choice.name is None or other.name.words != choice.name.words:
        return False
    named = table.names.matches(scene.words[choice.name.words[-1]].text)
    heads = {column for column, place in named if place + 1 == len(table.names.headers[column].words)}
    return choice.column in heads and other.column not in heads


def _rivalry(
    looked: Looked, ranked: tuple[Choice, ...], drafts: list[Draft | None], scene: Scene, table: Table
) -> float:
    """Return the cost of another answer that is as likely: no number where "who" asks, a time where "when" does."""
    asks, said = scene.asks, {word.text for word in scene.words}
    others = [
        other.worth
        for other, made in zip(ranked, drafts, strict=True)
        if other is not looked.choice
        and (made is None or made.plan != looked.reading.plan)
        and not (asks == "person" and "number" in table.kinds[other.column])
        and not _is_said_in_part(other, looked.choice, table, said)
        and not _goes_on_behind(other, looked.choice, scene, table)
        and not (asks == "time" and _tells_when(looked.choice.column, table) and not _tells_when(other.column, table))
    ]
    margin = looked.choice.worth - max(others, default=-99.0)
    return RIVAL * max(0.0, CLEAR - margin)
