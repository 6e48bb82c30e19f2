"""Tells what nouns say that no column is called: a figure, a time, anybody, the number of the answer."""

from __future__ import annotations

from collections.abc import Collection

from jupyter_mcpgen.nl.lookup.binding import Bind, conditions_of, goes_on_as_cells, leads_to_figure
from jupyter_mcpgen.nl.lookup.choice import Choice, goes_before
from jupyter_mcpgen.nl.lookup.names import EXACT, STEM, Name
from jupyter_mcpgen.nl.lookup.plans import holds_figures, says_which
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.standing import said_of_table
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.words import runs
from jupyter_mcpgen.nl.words.forms import singular


def is_told(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a noun says of a column that is used only what it holds anyway: "the latest founding date"."""
    read = choice, scene, table
    if says_what_cells_are(position, *read) or _is_number_of_answer(position, *read):
        return True
    if is_time_of_answer(position, *read) and not _names_a_column(position, scene, table):
        return True
    if _tells_to_compute(position, scene, table) or position in said_of_table(scene, table):
        return True
    if (
        _leads_to_a_value(position, *read)
        or _is_inside_a_name(position, *read)
        or _sums_up_a_cell(position, *read)
        or _wins_what_is_named(position, *read)
        or _goes_with_a_noun(position, *read)
        or _gains_a_share(position, *read)
    ):
        return True
    modifies = choice.name is not None and choice.name.start == position + 1
    if modifies and any(n.words == (position,) and goes_before(n, scene, table) for n in scene.names):
        return True
    return _is_per_unit(position, *read) or any(_is_cell_of(position, b, scene, table) for b in choice.binding.binds)


def is_held(position: int, scene: Scene, table: Table) -> bool:
    """Tell whether a word is what something is said to have, or to lack: "how many got a credit".

    An article before a noun for what each row is says nothing more: "the earliest week with a game at …".
    """
    own, place = table.vocabulary.unread, position - 1
    led = own.articles | table.vocabulary.questions.having
    if table.is_row_word(scene.words[position].text) and scene.words[place].text in led:
        return False
    while place > 0 and scene.words[place].text in own.articles:
        place -= 1
    return place >= 0 and scene.words[place].text in own.holding


def is_qualified_by_the_answer(position: int, choice: Choice) -> bool:
    """Tell whether part of the answer's name stands before a noun: "active accounts" are no `Active Seats`."""
    name = choice.name
    return name is not None and not name.whole and name.end == position


def _tells_to_compute(position: int, scene: Scene, table: Table) -> bool:
    """Tell whether an order to compute leads to a word for the figure: "count the average height" counts nothing."""
    own, words = table.vocabulary.unread, scene.words
    if position > 0 or words[0].text not in own.computing or len(words) == 1 or words[1].text not in own.articles:
        return False
    return any(cue.start == position + 2 for cue in scene.cues)


def _is_per_unit(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "per" leads to a word of a condition's header: "80 people per km2" of `Density (/km2)`."""
    faint = table.vocabulary.questions.faint & table.vocabulary.restricting
    if scene.words[position].text not in faint or position + 1 == len(scene.words):
        return False
    after = table.names.matches(scene.words[position + 1].text).items()
    used = {b.cells.column for b in choice.binding.binds}
    return any(sure == EXACT and column in used for (column, _), sure in after)


def _is_inside_a_name(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "number" stands inside a name that is used: "the total number of beds" of `Total beds`."""
    names = (choice.name, *(b.name for b in choice.binding.binds))
    inside = any(name is not None and name.whole and name.start < position < name.end for name in names)
    return inside and scene.words[position].text in table.vocabulary.left_over.number


def _leads_to_a_value(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a verb such as "shows" stands between the name of a condition and its value."""
    named = [(b.name.end, b.mention.start) for b in choice.binding.binds if b.near and b.name is not None]
    return scene.words[position].text in table.vocabulary.links and any(a <= position < b for a, b in named)


def _sums_up_a_cell(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "total" leads to a number that is one cell: "scored a total of 12", where nobody has two rows."""
    words, own = scene.words, table.vocabulary
    if words[position].text not in own.left_over.total or position + 2 >= len(words):
        return False
    if words[position - 1].text not in own.unread.articles or words[position + 1].text not in own.questions.of:
        return False
    once = table.context.column(choice.column).distinct == table.profile.rows
    return once and any(b.mention.start == position + 2 and b.near and b.bound is None for b in choice.binding.binds)


def _wins_what_is_named(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a verb stands between a name and the column that has it: "the year Ada won the silver"."""
    if scene.words[position].text not in table.vocabulary.outcomes:
        return False
    after = position + 1
    while after < len(scene.words) and scene.words[after].text in table.vocabulary.unread.articles:
        after += 1
    names = (b.name for b in choice.binding.binds if b.mention.end == position and b.mention.number is None)
    return any(name is not None and name.whole and name.start == after for name in names)


def _gains_a_share(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a verb leads from whom a column is named after to its share: "where Lark won 54 %" of `Lark %`."""
    if scene.words[position].text not in table.vocabulary.unread.gaining:
        return False
    said = (b for b in choice.binding.binds if b.bound is None and b.mention.start == position + 1)
    percent = table.vocabulary.left_over.percent
    return any(
        b.name is not None and b.name.end == position and scene.words[b.mention.end - 1].text in percent for b in said
    )


def _goes_with_a_noun(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a verb only says that somebody has what a noun names: "which college did Ada attend"."""
    if any(sure >= STEM for sure in table.names.matches(scene.words[position].text).values()):
        return False  # a column `Attended` says who did
    used = {choice.column, *(b.cells.column for b in choice.binding.binds)}
    headers = {word for column in used for word in table.names.headers[column].words}
    nouns = headers | {singular(word.text) for word in scene.words}
    verb = scene.words[position].text
    return any(verb in known.verbs and known.nouns & nouns for known in table.vocabulary.verbs)


def _names_a_column(position: int, scene: Scene, table: Table) -> bool:
    return EXACT in table.names.matches(scene.words[position].text).values()


def _is_number_of_answer(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "number" goes on the whole name of a column of numbers: "the highest total number" of `Total`."""
    name, word = choice.name, scene.words[position].text
    if word not in table.vocabulary.left_over.number or name is None or name.end != position or not name.whole:
        return False
    return table.context.is_number(choice.column) and not _names_a_column(position, scene, table)


def _is_cell_of(position: int, b: Bind, scene: Scene, table: Table) -> bool:
    """Tell whether a noun for any figure stands between a condition's name and its value: "a finals score of 12"."""
    if b.name is None or not b.near or not b.name.end <= position < b.mention.start:
        return False
    return goes_on_as_cells(position, table, scene) or leads_to_figure(position, b.name, b.mention, scene, table)


def _is_ordinal(header: str, table: Table) -> bool:
    """Tell whether a header is an adjective such as "2nd", which has a noun behind it in a question."""
    endings = table.context.lexicon.day_endings
    said = header.strip().casefold()
    return said.endswith(endings) and any(said.removesuffix(end).isdecimal() for end in endings)


def says_what_cells_are(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a noun only says that the answer holds figures: "the score for the interview"."""
    name, word = choice.name, scene.words[position].text
    if name is not None and name.end == position and _is_ordinal(name.column, table):
        return not table.names.matches(word) and word not in table.vocabulary.light  # "the 2nd gear" of `2nd`
    if singular(word) not in table.vocabulary.unread.cells or name is None or name.start == position + 1:
        return False
    between = scene.words[position + 1 : name.start]
    led = name.end == position or (bool(between) and all(word.text in table.vocabulary.light for word in between))
    own = not table.names.matches(word)
    year = name.whole and all(part.isdecimal() for part in table.names.headers[name.column].words)
    if own and led and year:
        return True  # "the result in 2012" is the cell of that year
    return own and led and holds_figures(name.column, table) and not says_which(name.column, table)


def is_common_noun(position: int, scene: Scene, table: Table) -> bool:
    """Tell whether a capital says nothing of a noun with a clause behind it: "the Birth Date of the Duchess with …".

    It does not where every name of a column inside the question has one.
    """
    inside = [name for name in scene.names if name.whole and name.start > 0]
    titled = len(inside) > 1 and all(_is_titled(name, scene, table) for name in inside)
    before, after = scene.words[position - 1].text, scene.words[position + 1 : position + 2]
    led = before in table.vocabulary.unread.articles and bool(after)
    return titled and led and after[0].text in table.vocabulary.conditional - table.vocabulary.joining


def _is_titled(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether the words of a name have capitals, but for those that have none in its header, as in `To par`."""
    words = [scene.words[i] for i in name.words]
    small = {*runs(name.column)} if name.column[:1].isupper() else set[str]()
    return all(word.is_capital or word.text in table.vocabulary.light or word.written in small for word in words)


def is_anybody(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "who" asks with a noun for anybody, and one column alone holds persons."""
    persons = [name for name, kinds in table.kinds.items() if "person" in kinds]
    anybody = singular(scene.words[position].text) in table.vocabulary.unread.anybody
    return anybody and scene.asks == "person" and persons == [choice.column]


def is_side_of_all_rows(position: int, scene: Scene, table: Table) -> bool:
    """Tell whether "the team" is the one side whose games all rows are: "when the team record was 3-1"."""
    told = bool(table.rival_columns) and scene.words[position].text in table.vocabulary.organisations
    led = position > 0 and scene.words[position - 1].text in table.vocabulary.unread.articles
    return told and led and position not in scene.asked_noun


def joins_a_name(position: int, columns: Collection[str], scene: Scene, table: Table) -> bool:
    """Tell whether a conjunction stands inside the name of a column: "state or country" is `State/Country`.

    It also does between one word and its plural: "what year or years".
    """
    words = scene.words
    if words[position].text not in table.vocabulary.left_over.joins or not 0 < position < len(words) - 1:
        return False
    before, after = words[position - 1].text, words[position + 1].text
    same = singular(before) == singular(after) and before != after
    return any(
        column in columns and column == other and (place != beside or same)
        for column, place in table.names.matches(before)
        for other, beside in table.names.matches(after)
    )


def is_time_of_answer(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a noun for a time stands at the answer, whose name says a time as well: "the year built"."""
    name, times = choice.name, table.vocabulary.kinds["time"]
    if name is None or scene.words[position].text not in times:
        return False
    if name.end == position:
        return "time" in table.kinds[name.column]  # "the founding date" of `Founded`
    return position + 1 in name.words and scene.words[position + 1].text in times


def is_time_of_condition(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a noun for a time goes on a condition's name, or leads to figures: "the years 1989-1993"."""
    if singular(scene.words[position].text) not in table.vocabulary.kinds["time"]:
        return False
    return any(_is_time_of(position, b, scene, table) for b in choice.binding.binds)


def _is_time_of(position: int, bound: Bind, scene: Scene, table: Table) -> bool:
    if bound.name is not None and bound.name.end == position and "time" in table.kinds[bound.cells.column]:
        return True
    value = scene.words[bound.mention.start : bound.mention.end]
    return bound.mention.start == position + 1 and all(word.has_digit for word in value)


def numbers_the_answer(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "number" follows the name of an answer without numbers: "episode number" for `Episode`."""
    name, column = choice.name, choice.column
    if scene.words[position].text not in table.vocabulary.left_over.number or name is None or name.end != position:
        return False
    return not (table.context.is_number(column) or "figures" in table.kinds[column])


def says_how_it_ended(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a word such as "lost" picks some of the rows that are shown: "the crowd when they lost to …"."""
    if scene.words[position].text not in table.vocabulary.outcomes or not choice.binding.binds:
        return False
    after = scene.words[position + 1].text if position + 1 < len(scene.words) else ""
    if after in table.vocabulary.limits.money and any(b.mention.start == position + 2 for b in choice.binding.binds):
        return False  # "who won $500" says what was won
    if _gains_the_answer(position, choice, scene, table):
        return False
    return table.rows.several(conditions_of(choice.binding.binds, table))


def _gains_the_answer(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a verb says whose an amount is that stands before it: "the most gold medals won by …"."""
    name, words = choice.name, scene.words
    if name is None or not name.whole or words[position].text not in table.vocabulary.unread.gaining:
        return False
    if says_which(choice.column, table) or not table.context.is_number(choice.column):
        return False
    between = [word.text for word in words[name.end : position]]
    return all(word in table.vocabulary.auxiliaries or _is_plural(word, table) for word in between)


def _is_plural(word: str, table: Table) -> bool:
    return singular(word) != word and not table.names.matches(word)


def qualifies_the_answer(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a word stands before the inexact name of an answer in numbers: a "loss rate" is no `rating`."""
    name = choice.name
    if name is None or name.start != position + 1 or not name.whole or name.strength >= EXACT:
        return False
    if scene.asks == "time" and "time" in table.kinds[choice.column]:
        return False  # "which year did the orchard open" asks for the `Year founded`
    return table.context.is_number(choice.column)
