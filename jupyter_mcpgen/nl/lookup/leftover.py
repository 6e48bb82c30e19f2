"""Finds the words of a question that a look-up reading leaves out, and those of them that may not be left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.lookup import telling
from jupyter_mcpgen.nl.lookup.asked import is_asked_for
from jupyter_mcpgen.nl.lookup.choice import Choice, asks_which_row, is_row_noun
from jupyter_mcpgen.nl.lookup.flagged import flagged_words, two_sided
from jupyter_mcpgen.nl.lookup.misplaced import misplaced_numbers
from jupyter_mcpgen.nl.lookup.names import EXACT, STEM, Name
from jupyter_mcpgen.nl.lookup.opponents import leads_to_two_sides
from jupyter_mcpgen.nl.lookup.plans import Draft, says_which
from jupyter_mcpgen.nl.lookup.predicative import is_predicate
from jupyter_mcpgen.nl.lookup.protagonist import protagonist_of
from jupyter_mcpgen.nl.lookup.scene import Scene, is_shouted
from jupyter_mcpgen.nl.lookup.searching import search_words
from jupyter_mcpgen.nl.lookup.sized import is_size_of_answer
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.vocabulary import LeftOverWords
from jupyter_mcpgen.nl.words.forms import singular, stem
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import Aggregate, Select
from jupyter_mcpgen.plan.schema import ColumnType

ALL_BUT = 4
"""How many words before "but" "all" may stand: "all the other regions but West"."""


@dataclass(frozen=True)
class LeftOver:
    """The words that nothing in a reading stands for, as they are written."""

    unused: tuple[str, ...]
    blocking: tuple[str, ...]
    """Those that may not be left out, because they narrow or turn the question."""
    unsaid: tuple[str, ...]
    """Those that no figure may leave out: they may say what it is of, and it shows no sign of them."""
    slight: int = 0
    """How many of the unused ones only say what a row is, or what is done in most."""


def left_over(made: Draft, choice: Choice, scene: Scene, table: Table) -> LeftOver:
    """Return what a reading leaves out of its question."""
    rest = _Rest(made, choice, scene, table)
    unused = [position for position in range(len(scene.words)) if not rest.is_covered(position)]
    misplaced = misplaced_numbers(choice, scene, table)
    counted = sorted({*rest.counted_beside(), *misplaced, *filter(rest.asks_for_a_name, range(len(scene.words)))})
    blocking = [*counted, *(position for position in unused if rest.is_blocking(position))]
    unsaid = [position for position in range(len(scene.words)) if rest.is_unsaid(position)]
    return LeftOver(
        tuple(scene.words[i].written for i in unused),
        (*scene.grouping, *(scene.words[i].written for i in blocking)),
        tuple(scene.words[i].written for i in unsaid),
        len({scene.words[i].written.casefold() for i in unused if i not in blocking and rest.is_slight(i)}),
    )


@dataclass(frozen=True)
class _Rest:
    """A reading beside its question, asked about one word after the other."""

    made: Draft
    choice: Choice
    scene: Scene
    table: Table

    @property
    def _read(self) -> tuple[Choice, Scene, Table]:
        return self.choice, self.scene, self.table

    def is_covered(self, position: int) -> bool:
        """Tell whether a word is used, says nothing of its own, or says what is used anyway."""
        word, names = self.scene.words[position], self.table.names
        if position in self.made.used or word.text in self.table.vocabulary.light:
            return True
        if position in self._nouns and is_row_noun(position, self.scene, self.table.vocabulary):
            return True  # the score of the *player* from …
        if any(
            column in self._columns and (sure == EXACT or not word.has_digit)
            for (column, _), sure in names.matches(word.text).items()
        ):
            return True  # part of a name that is used anyway: "aired on" beside `Original air date`
        if telling.is_told(position, *self._read):
            return True
        if telling.joins_a_name(position, self._columns, self.scene, self.table):
            return True
        return self._is_said_beside(position) or self._is_of_a_value(position)

    def is_blocking(self, position: int) -> bool:
        """Tell whether a word that is left over changes what is asked."""
        word, vocabulary = self.scene.words[position], self.table.vocabulary
        after_same = self._before(position) in self._own.same
        return (
            word.has_digit
            or word.quoted
            or (len(word.text) == 1 and word.text.isalpha())  # "with a value of n/a", "of class k"
            or word.text in vocabulary.restricting
            or (self._after(position) in vocabulary.limits.like_than and position + 2 in self.made.used)
            or self._before(position) in vocabulary.questions.how  # "how long was … in print" asks for no date
            or position in self._numbers
            or position in search_words(self.scene, self.table)
            or (position in self._flags and not self.table.is_row_word(word.text))
            or (position in self._measures and not after_same and not self.table.is_row_word(word.text))
            or (self._before(position) in self._own.choosing and bool(self.scene.cues))  # "which route has the most …"
            or self._tells_the_answer(position)
            or self._is_of_a_rival(position)
            or is_asked_for(position, self.choice, self.scene, self.table)
            or self._is_a_name_of_its_own(position)
            or telling.says_how_it_ended(position, self.choice, self.scene, self.table)
            or telling.numbers_the_answer(position, *self._read)
            or telling.qualifies_the_answer(position, *self._read)
        )

    def is_slight(self, position: int) -> bool:
        """Tell whether a word only says what a row is, or what is done in most: "the game played in …"."""
        word = self.scene.words[position].text
        known = word in self.table.vocabulary.doing or position in self._protagonist
        return known or self.table.is_row_word(word) or telling.says_what_cells_are(position, *self._read)

    def is_unsaid(self, position: int) -> bool:
        """Tell whether a word may say what a figure is of, and nothing in the reading says it."""
        if position in self.made.used:
            return False
        if self.is_covered(position):
            return is_predicate(position, self.scene, self.table, picks_rows=bool(self.choice.binding.binds))
        known = position in self._protagonist or telling.says_what_cells_are(position, *self._read)
        return not known and not self._is_harmless(position)

    def _is_harmless(self, position: int) -> bool:
        """Tell whether a word says nothing that a figure would not be of anyway."""
        word, table = self.scene.words[position].text, self.table
        own = table.vocabulary.unread
        if telling.is_held(position, self.scene, self.table):
            return False  # "bookings with no country" beside a `Booking No`, and "how many got a credit"
        if word in table.vocabulary.doing | own.moving:
            return not any(b.doubtful for b in self.choice.binding.binds)
        if word in own.gaining:
            return self._is_of_measure(position)
        akin = self._is_akin_to_rows(word) and not telling.is_qualified_by_the_answer(position, self.choice)
        known = word in own.idle or position in self._texts or self._is_kind(position) or akin
        times = (telling.is_time_of_answer, telling.is_time_of_condition)
        known = known or any(is_time(position, *self._read) for is_time in times)
        return known or self._says_what_a_row_is(position) or word in self._going_on

    def _is_akin_to_rows(self, word: str) -> bool:
        """Tell whether a word names the rows, or what is done in each: somebody borrows in `loans`."""
        context, language = self.table.context, self.table.context.lexicon.language
        if {word, singular(word)} & self.table.row_words:
            return True
        groups = self.table.vocabulary.groups
        own = groups.get(word, frozenset())
        return context.plain(word) in context.row_nouns or any(
            stem(word, language) == stem(noun, language) or own & groups.get(noun, frozenset())
            for noun in context.row_nouns
        )

    def _is_kind(self, position: int) -> bool:
        """Tell whether a word is a noun for who or where rows are: "players"; "did Ada skip" ends in a verb."""
        word, kinds = self.scene.words[position].text, self.table.vocabulary.kinds
        doing = position == len(self.scene.words) - 1 and any(v.end == position for v in self.scene.values)
        known = singular(word) in kinds["person"] | kinds["place"]  # no "died" or "opened" of a time
        return known and not (doing and singular(word) == word)

    def _says_what_a_row_is(self, position: int) -> bool:
        """Tell whether a noun for the row stands behind an article: "the game" of a place, "those games" of a year."""
        word, before, own = self.scene.words[position].text, self._before(position), self.table.vocabulary.unread
        return before in own.pointing or (before in own.articles and singular(word) == word)

    @cached_property
    def _going_on(self) -> frozenset[str]:
        """The plural nouns that somewhere go on a name: "gold medals" are `Gold`; "point guards" are no `Points`."""
        named = (name for name in self.scene.names if name.column in self._columns and name.whole)
        ends = {i + 1 for name in named if not self.table.context.counts_things(name.column) for i in name.words}
        texts = (word.text for i, word in enumerate(self.scene.words) if i in ends)
        plurals = frozenset(text for text in texts if singular(text) != text)
        return plurals | {singular(text) for text in plurals}

    def _is_of_measure(self, position: int) -> bool:
        """Tell whether a verb such as "score" only says whose the figure is, whose name stands before it."""
        name, steps = self.choice.name, self.made.plan.steps
        if any(isinstance(step, Aggregate) and step.measures[0].column is None for step in steps):
            return False  # rows are counted: "how many games did … win" are not all its games
        return name is not None and name.end <= position and self.table.context.is_number(self.choice.column)

    @cached_property
    def _texts(self) -> frozenset[int]:
        """The words that wholly name columns of texts: without a value they only say what the rows have."""
        context = self.table.context
        names = (name for name in self.scene.names if name.whole)
        return frozenset(i for n in names if context.type_of(n.column) is ColumnType.TEXT for i in n.words)

    def counted_beside(self) -> Iterator[int]:
        """Yield the words that say what a limit counts, where nothing names the column that was taken for it.

        "More than 25 animals" limits a number of rows, whatever column has numbers like 25.
        """
        ends = [(b.cells.column, b.bound.op) for b in self.choice.binding.binds if b.bound is not None]
        for b in self.choice.binding.binds:
            if b.bound is None:
                continue
            begins = any(
                word.text in self._own.between for i, word in enumerate(self.scene.words) if i in b.bound.words
            )
            if begins and (b.cells.column, CompareOp.LE) not in ends:
                yield b.mention.start  # "between 5 and 20 March" is no 5 of another column
            if not b.near:
                yield from self._nouns_after(b.mention.end, b.cells.column)

    def _nouns_after(self, end: int, column: str) -> Iterator[int]:
        """Yield the words after a limit on a column, as far as its phrase goes."""
        vocabulary = self.table.vocabulary
        for position in range(end, len(self.scene.words)):
            word = self.scene.words[position].text
            named = {known for known, _ in self.table.names.matches(word)}
            if position == end and named and column not in named:
                yield position
            if word in vocabulary.light or word in vocabulary.conditional:
                return
            if position not in self.made.used:
                yield position

    @property
    def _own(self) -> LeftOverWords:
        return self.table.vocabulary.left_over

    @cached_property
    def _bound(self) -> frozenset[str]:
        return frozenset(b.cells.column for b in self.choice.binding.binds)

    @cached_property
    def _columns(self) -> frozenset[str]:
        """The columns that the question names; an answer that nothing names is not one of them."""
        return self._bound | {self.choice.column} if self.choice.name else self._bound - {self.choice.column}

    @cached_property
    def _flags(self) -> frozenset[int]:
        return flagged_words(self.scene, self.table)

    @cached_property
    def _nouns(self) -> frozenset[int]:
        fields = self.table.profile.schema_.fields
        texts = {field.name for field in fields if field.type is ColumnType.TEXT} - two_sided(self.table)
        return frozenset(i for name in self.scene.names if name.column in texts and name.whole for i in name.words)

    @cached_property
    def _measures(self) -> frozenset[int]:
        return frozenset(
            i
            for name in self.scene.names
            if name.whole
            and name.strength >= STEM
            and self.table.context.is_measure(name.column)
            and not self._says_which_row(name)
            for i in name.words
        )

    @cached_property
    def _numbers(self) -> frozenset[int]:
        """Numerals above one: "the ten dearest" are not all."""
        lexicon = self.table.context.lexicon
        return frozenset(
            i
            for i, word in enumerate(self.scene.words)
            if any(isinstance(x, m.Number) and x.value > 1 for x in lexicon.meanings(word.text))
        )

    @cached_property
    def _protagonist(self) -> frozenset[int]:
        return protagonist_of(self.scene, self.made.used, {self.choice.column, *self._bound}, self.table)

    def _before(self, position: int) -> str:
        return self.scene.words[position - 1].text if position > 0 else ""

    def _after(self, position: int) -> str:
        return self.scene.words[position + 1].text if position + 1 < len(self.scene.words) else ""

    def _is_of_a_value(self, position: int) -> bool:
        """Tell whether a word is said again in a value that is used: "the Herons record … when the Ely Herons"."""
        word = self.scene.words[position].text
        if self.scene.words[position].has_digit or word in self.table.vocabulary.restricting:
            return False
        return any(
            word == self.scene.words[i].text
            for b in self.choice.binding.binds
            for i in range(b.mention.start, b.mention.end)
            if b.mention.end - b.mention.start > 1 and b.bound is None
        )

    def _is_said_beside(self, position: int) -> bool:
        """Tell whether what stands beside a word says all that it does."""
        word, own = self.scene.words[position].text, self._own
        if word == "#" and self._after(position)[:1].isdigit():
            return True  # "ranked #3"
        if word in own.but and not self._leaves_out(position):  # "…, but a position below 5": one condition more
            asks = self._after(position) in self.table.vocabulary.questions.asking  # "…, but what was the result"
            return asks or bool({position + 1, position + 2} & self.made.used)
        if word in own.between:
            return self._is_one_value(position + 1) or leads_to_two_sides(position + 1, *self._read)
        if word in own.beating:
            return any(b.mention.start == position + 1 and b.mention.number is None for b in self.choice.binding.binds)
        if word in own.same:
            return self._says_the_row(position + 1)
        if word in own.each:
            return self._lists_all(position + 1)
        if self._before(position) in self.table.vocabulary.questions.how:
            return is_size_of_answer(position, *self._read)
        before = {name.column for name in self.scene.names if name.end == position}
        if word in own.percent:
            return any("%" in str(v) for column in before for v in self.table.context.column(column).values[:1])
        return word in own.total and position - 1 in self.made.used and any(map(self.table.context.is_number, before))

    def _leaves_out(self, position: int) -> bool:
        """Tell whether "all" or the like stands before a "but"."""
        words = self.scene.words[max(position - ALL_BUT, 0) : position]
        return any(word.text in self._own.everything for word in words)

    def _is_one_value(self, start: int) -> bool:
        """Tell whether a value of several numbers begins here: "between 1985 - 1990" where that is one value."""
        return any(
            value.start == start and sum(self.scene.words[i].has_digit for i in range(value.start, value.end)) > 1
            for value in self.scene.values
        )

    def _says_the_row(self, start: int) -> bool:
        """Tell whether a column that has another value in each row is named here: the same value is the same row."""
        rows = self.table.profile.rows
        return any(
            name.start == start and name.whole and self.table.context.column(name.column).distinct == rows
            for name in self.scene.names
        )

    def _lists_all(self, start: int) -> bool:
        """Tell whether a row, or the answer that is listed, follows: "every entry", "every keeper of …"."""
        listed = isinstance(self.made.plan.steps[-1], Select)
        name, occurrences = self.choice.name, self.table.vocabulary.questions.occurrences
        row = start < len(self.scene.words) and self.scene.words[start].text in {*map(singular, occurrences)}
        return listed and (row or (name is not None and name.start == start))

    def _says_which_row(self, name: Name) -> bool:
        """Tell whether a number's name only says what each row is, as "the game" does where the games are numbered."""
        context = self.table.context
        numbered = context.type_of(name.column) is ColumnType.INTEGER and says_which(name.column, self.table)
        every = context.column(name.column).distinct == self.table.profile.rows
        articled = self._before(name.start) in self.table.vocabulary.articles or any(
            b.mention.end == name.start and b.bound is None for b in self.choice.binding.binds
        )
        return numbered and every and articled and len(name.words) == 1

    def _tells_the_answer(self, position: int) -> bool:
        """Tell whether a word says which person, time or place is asked for, where no name does: "who painted …"."""
        scene, vocabulary = self.scene, self.table.vocabulary
        if self.choice.name is not None or scene.asks is None or scene.words[position].text in vocabulary.doing:
            return False
        if self.table.is_row_word(scene.words[position].text) or self._is_called_so(position):
            return False
        if telling.is_side_of_all_rows(position, self.scene, self.table):
            return False
        if telling.is_anybody(position, *self._read):
            return False
        named = any(position in name.words for name in scene.names)
        subject = position == scene.focus and scene.asks != "person" and named  # "when was the game"
        return not subject and not is_row_noun(position, scene, vocabulary)

    def _is_called_so(self, position: int) -> bool:
        """Tell whether "which" asks with a noun for the rows, and their names answer."""
        named = self.choice.column in self.table.names_of_rows
        return named and position in self.scene.asked_noun and asks_which_row(self.scene, self.table)

    def _is_of_a_rival(self, position: int) -> bool:
        """Tell whether a word names another column that has a value of the question: the "Herons" of `Herons goals`."""
        rivals = {
            cells.column for b in self.choice.binding.binds if b.bound is None for cells in b.mention.cells
        } - self._bound
        found = self.table.names.matches(self.scene.words[position].text).items()
        return any(sure == EXACT and column in rivals for (column, _), sure in found)

    def _is_a_name_of_its_own(self, position: int) -> bool:
        """Tell whether a capital makes a name of a word that nobody knows."""
        word, table = self.scene.words[position], self.table
        common = table.names.matches(word.text) or word.text in table.vocabulary.groups or table.is_kind(word.text)
        named = word.is_capital and position > 0 and position not in self._protagonist
        named = named and not telling.is_common_noun(position, self.scene, table)
        return named and not common and not is_shouted(self.scene.words)

    def asks_for_a_name(self, position: int) -> bool:
        """Tell whether "which name" asks for what a figure is of: a figure alone is no answer."""
        asked = self.scene.words[position].text in self.table.vocabulary.naming
        figure = any(isinstance(step, Aggregate) for step in self.made.plan.steps)
        return asked and figure and self._before(position) in self._own.choosing
