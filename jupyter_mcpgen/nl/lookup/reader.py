"""Reads a look-up question: the answer's column, the conditions, the words that were not used."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, value_words
from jupyter_mcpgen.nl.lookup import weights as w
from jupyter_mcpgen.nl.lookup.choice import Choice, choices, is_row_noun
from jupyter_mcpgen.nl.lookup.names import EXACT, STEM, Name
from jupyter_mcpgen.nl.lookup.plans import Draft, draft, says_which
from jupyter_mcpgen.nl.lookup.protagonist import protagonist_of
from jupyter_mcpgen.nl.lookup.scene import Cue, Scene, is_shouted, scene_of
from jupyter_mcpgen.nl.lookup.table import Table, table_of
from jupyter_mcpgen.nl.parsing.rules.numbers import takes
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.words.tokens import MAX_TOKENS
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MAX_READINGS = 5
_JOINS = frozenset({"or", "and"})
_PERCENT = frozenset({"percent", "percentage", "%"})
_ALL = frozenset({"all", "any", "every", "everything", "everyone", "nothing", "none", "nobody", "no", "not"})
"""After these, "but" leaves something out."""
ALL_BUT = 4
"""How many words before "but" they may stand: "all the other regions but West"."""
WRITTEN = frozenset({"en"})
"""The languages that have the words of look-up questions."""
TWO_SIDES = 2
"""A column of at most so many values says yes or no of a row, so its name is a condition."""
LEFT_OUT = 0.12
"""What each word that is not used costs."""
LEFT_OUT_OF_COUNT = 0.45
"""A word that is not used may say which rows are meant, and a count shows no sign of it."""
NO_ROW = 0.6
"""No row meets the conditions: more likely they are misread."""
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
    is_of_one_row: bool = False
    """A condition names the one row that has a value, and the answer's column need not add up."""

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
    if _searches(scene, table):
        return ()  # a piece of a text is looked for, not a cell
    asking = scene.is_question
    harmless = table.vocabulary.doing | _row_words(scene, table)
    found: list[Looked] = []
    ranked = choices(scene, table)[:MAX_READINGS]
    drafts = [draft(choice, scene, table) for choice in ranked]
    for choice, made in zip(ranked, drafts, strict=True):
        if made is not None:
            unused, blocking = _unused(made, choice, scene, table)
            if not any(step.kind == "filter" for step in made.plan.steps):
                blocking = (*blocking, *unused)  # a whole column answers no question of which words are left over
            notes = scene.notes
            notes += (f"Not used: {', '.join(f'“{word}”' for word in unused)}.",) if unused else ()
            notes += _figures_of_labels(made.plan, table.context)
            cost = _doubt(choice, unused, made.plan, harmless)
            found.append(
                Looked(
                    Reading(made.plan, "", cost, notes),
                    choice,
                    unused,
                    blocking,
                    asking,
                    bool(scene.counts) or any(not _is_in_name(cue, choice) for cue in scene.cues),
                    scene.asks is not None,
                    choice.name is not None and any(choice.name.start == span[1] for span in scene.counts),
                    table.context.adds_up(choice.column) is None and _names_one_row(choice, table),
                )
            )
    return tuple(
        replace(looked, reading=replace(looked.reading, cost=looked.reading.cost + _rivalry(looked, ranked, drafts)))
        for looked in found
    )


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


def _names_one_row(choice: Choice, table: Table) -> bool:
    return any(b.bound is None and table.context.is_key(b.cells.column) for b in choice.binding.binds)


def _searches(scene: Scene, table: Table) -> bool:
    """Tell whether a text in quotation marks is what others contain, begin or end with, and no value itself."""
    lexicon, words = table.context.lexicon, scene.words
    return any(
        word.quoted
        and " ".join(value_words(word.written)) not in table.context.values
        and any(
            isinstance(meaning, m.Matching)
            for width in (1, 2)
            for meaning in lexicon.meanings(" ".join(before.text for before in words[max(0, i - width) : i]))
        )
        for i, word in enumerate(words)
    )


def _doubt(choice: Choice, unused: tuple[str, ...], plan: Plan, harmless: Collection[str]) -> float:
    """Return the cost of a reading by itself: words left over, a column that is hardly named, values hardly bound."""
    cost = LEFT_OUT * len(unused) + UNBOUND * len(choice.binding.unbound)
    if not choice.binding.met:
        cost += NO_ROW
    cost += HARDLY * sum(b.doubtful for b in choice.binding.binds)
    counts = any(isinstance(step, Aggregate) and step.measures[0].column is None for step in plan.steps)
    if counts:
        cost += LEFT_OUT_OF_COUNT * sum(word.casefold() not in harmless for word in unused)
    if (choice.name is None and not counts) or (choice.name is not None and choice.name.strength < HARDLY_NAMED):
        cost += HARDLY
    if choice.alone < w.UNNAMED + w.KIND:
        cost += HARDLY
    return cost


def _row_words(scene: Scene, table: Table) -> frozenset[str]:
    """Return the words that wholly name columns of texts: without a value they only say what the rows have."""
    names = (name for name in scene.names if name.whole and table.context.type_of(name.column) is ColumnType.TEXT)
    return frozenset(scene.words[i].written.casefold() for name in names for i in name.words)


def _rivalry(looked: Looked, ranked: tuple[Choice, ...], drafts: list[Draft | None]) -> float:
    """Return the cost of another answer that is about as likely."""
    others = [
        other.worth
        for other, made in zip(ranked, drafts, strict=True)
        if other is not looked.choice and (made is None or made.plan != looked.reading.plan)
    ]
    margin = looked.choice.worth - max(others, default=-99.0)
    return RIVAL * max(0.0, CLEAR - margin)


def _joins(position: int, scene: Scene, columns: Collection[str], table: Table) -> bool:
    """Tell whether the words on either side belong to the name of one column that is used."""
    if not 0 < position < len(scene.words) - 1:
        return False
    before, after = (table.names.matches(scene.words[i].text) for i in (position - 1, position + 1))
    return any(
        column in columns and column == other and place != beside for column, place in before for other, beside in after
    )


def _is_explained(position: int, scene: Scene, used: Collection[int], table: Table) -> bool:
    """Tell whether what stands beside a word that nothing stands for says all that it does."""
    word, words = scene.words[position], scene.words
    following = words[position + 1].text if position + 1 < len(words) else ""
    if word.text == "#" and following[:1].isdigit():
        return True  # "ranked #3"
    if (
        word.text == "but"
        and position > 0
        and not any(before.text in _ALL for before in words[max(position - ALL_BUT, 0) : position])
    ):
        return any(i in used for i in (position + 1, position + 2))  # "…, but a position below 5" is one condition more
    if word.text == "between":
        return any(  # "between 1985 - 1990" where that is one value
            value.start == position + 1 and sum(words[i].has_digit for i in range(value.start, value.end)) > 1
            for value in scene.values
        )
    if word.text == "same":  # the same row, where each row has its own
        rows = table.profile.rows
        return any(
            name.start == position + 1 and name.whole and table.context.column(name.column).distinct == rows
            for name in scene.names
        )
    before = {name.column for name in scene.names if name.end == position}
    if word.text in _PERCENT:
        return any("%" in str(v) for column in before for v in table.context.column(column).values[:1])
    return word.text == "total" and any(table.context.is_number(column) for column in before) and position - 1 in used


def _numbers_text(position: int, choice: Choice, table: Table) -> bool:
    """Tell whether "number" follows the name of an answer that holds no numbers: "episode number" for `Episode`."""
    if choice.name is None or choice.name.end != position:
        return False
    return not (table.context.is_number(choice.column) or "figures" in table.kinds[choice.column])


def _is_numeral(word: str, table: Table) -> bool:
    """Tell whether a word is a number above one: "the ten dearest" are not all."""
    return any(isinstance(x, m.Number) and x.value > 1 for x in table.context.lexicon.meanings(word))


def _says_which_row(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a number's name only says what each row is, as "the game" does where the games are numbered."""
    context, words = table.context, scene.words
    numbered = context.type_of(name.column) is ColumnType.INTEGER and says_which(name.column, table)
    every = context.column(name.column).distinct == table.profile.rows
    articled = name.start > 0 and words[name.start - 1].text in table.vocabulary.articles
    return numbered and every and articled and len(name.words) == 1


def _counted_beside(made: Draft, choice: Choice, scene: Scene, table: Table) -> Iterator[int]:
    """Yield the words that say what a limit counts, where nothing names the column that was taken for it.

    "More than 25 animals" limits a number of rows, whatever column has numbers like 25.
    """
    ends = [(b.cells.column, b.bound.op) for b in choice.binding.binds if b.bound is not None]
    for b in choice.binding.binds:
        if b.bound is None:
            continue
        begins = "between" in [word.text for i, word in enumerate(scene.words) if i in b.bound.words]
        if begins and (b.cells.column, CompareOp.LE) not in ends:
            yield b.mention.start  # "between 5 and 20 March" is no 5 of another column
        if b.near:
            continue
        for position in range(b.mention.end, len(scene.words)):
            word = scene.words[position].text
            named = {column for (column, _), _ in table.names.matches(word).items()}
            if position == b.mention.end and named and b.cells.column not in named:
                yield position
            if word in table.vocabulary.light or word in table.vocabulary.conditional:
                break
            if position not in made.used:
                yield position


def _unused(made: Draft, choice: Choice, scene: Scene, table: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that a reading leaves out, and those of them that may not be left out."""
    counted = sorted(set(_counted_beside(made, choice, scene, table)))
    unused, blocking = [], [*scene.grouping, *(scene.words[i].written for i in counted)]
    shouted = is_shouted(scene.words)
    columns = {choice.column, *(b.cells.column for b in choice.binding.binds)} - {
        None if choice.name else choice.column
    }
    bound = {b.cells.column for b in choice.binding.binds}
    protagonist = protagonist_of(scene, made.used, {choice.column, *bound}, table)
    few = {name for name in table.profile.schema_.names if table.context.column(name).distinct <= TWO_SIDES}
    texts = {f.name for f in table.profile.schema_.fields if f.type is ColumnType.TEXT} - few
    nouns = {i for name in scene.names if name.column in texts and name.whole for i in name.words}
    flags = {i for name in scene.names if name.column in few for i in name.words}
    measures = {
        i
        for name in scene.names
        if name.whole
        and name.strength >= STEM
        and table.context.is_measure(name.column)
        and not _says_which_row(name, scene, table)
        for i in name.words
    }
    numbers = {i for i, word in enumerate(scene.words) if _is_numeral(word.text, table)}
    for position, word in enumerate(scene.words):
        if position in made.used or word.text in table.vocabulary.light:
            continue
        if position in nouns and is_row_noun(position, scene):
            continue  # the score of the *player* from …
        known = table.names.matches(word.text)
        if any(column in columns and (sure == EXACT or not word.has_digit) for (column, _), sure in known.items()):
            continue  # part of a name that is used anyway: "aired on" beside `Original air date`
        if word.text in _JOINS and _joins(position, scene, columns, table):
            continue  # "state or country" is `State/Country`
        if _is_explained(position, scene, made.used, table):
            continue
        unused.append(word.written)
        if position > 0 and scene.words[position - 1].text == "which" and scene.cues:
            blocking.append(word.written)  # "which route has the most …" is no question for the most alone
        common = table.names.matches(word.text) or word.text in table.vocabulary.groups or table.is_kind(word.text)
        capital = word.is_capital and position > 0 and not shouted and not common and position not in protagonist
        counts = word.text == "number" and _numbers_text(position, choice, table)
        stops = word.has_digit or word.quoted or word.text in table.vocabulary.restricting
        name = choice.name
        if name is not None and name.start == position + 1 and name.whole and name.strength < EXACT:
            stops = stops or table.context.is_number(choice.column)  # a "loss rate" is no `rating`
        same = position > 0 and scene.words[position - 1].text == "same"
        stops = stops or position in flags | numbers or (position in measures and not same)
        if stops or capital or counts:
            blocking.append(word.written)
    return tuple(unused), tuple(blocking)
