"""Decides which column a question asks for, together with the columns of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.lookup import weights as w
from jupyter_mcpgen.nl.lookup.binding import Binding, bind
from jupyter_mcpgen.nl.lookup.names import EXACT, STEM, Name
from jupyter_mcpgen.nl.lookup.scene import Cue, Scene
from jupyter_mcpgen.nl.lookup.standing import said_of_table
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.vocabulary import Vocabulary

STRONG = 0.6
PLAIN = 0.45
"""What names a column in part, and not by another word."""
MAX_ANSWERS = 16
"""How many answers are weighed together with the conditions."""


@dataclass(frozen=True)
class Choice:
    """A column that may answer, with its name in the question and the conditions that go with it."""

    column: str
    name: Name | None
    binding: Binding
    worth: float
    alone: float
    """What the column is worth without the conditions."""


def choices(scene: Scene, table: Table) -> tuple[Choice, ...]:
    """Return the likely answers, best first, one for each column."""
    candidates = sorted(_candidates(scene, table), key=lambda c: -c[2])[:MAX_ANSWERS]
    best: dict[str, Choice] = {}
    remembered: dict[tuple[str, frozenset[int]], Binding] = {}
    for column, name, alone in candidates:
        reserved = frozenset(name.words) if name else frozenset()
        binding = remembered.get((column, reserved))
        if binding is None:
            binding = remembered[column, reserved] = bind(scene, table, column, reserved)
        worth = alone + binding.worth + _left_over(column, binding, reserved, scene, table)
        if name is not None and _is_said_by_a_cue(name, scene, table):
            worth, name = worth + w.NAMED * (STEM - name.strength), replace(name, whole=True, strength=STEM)
        if name is not None and _modifies_a_condition(name, binding):
            worth += w.IN_CONDITION
        if name is not None and _is_of_its_side(name, binding, scene, table):
            worth, name = worth + w.OF_ITS_SIDE, replace(name, whole=True, strength=max(name.strength, STEM))
        choice = Choice(column, name, binding, worth, alone)
        if column not in best or choice.worth > best[column].worth:
            best[column] = choice
    return tuple(sorted(best.values(), key=lambda c: -c.worth))


def _candidates(scene: Scene, table: Table) -> Iterator[tuple[str, Name | None, float]]:
    for column in table.profile.schema_.names:
        for name in scene.names:
            if name.column == column and not _asks_otherwise(name, scene, table):
                yield (
                    column,
                    name,
                    w.NAMED * name.strength
                    + w.PER_NAME_WORD * _more_words(name, scene, table)
                    + _place(name, scene, table)
                    + (0.0 if _is_done(name, scene, table) else _kind(column, scene, table))
                    + (w.NO_AGENT if _is_no_agent(name, scene, table) else 0.0),
                )
        unnamed = w.UNNAMED + _kind(column, scene, table) + _hour(column, scene, table)
        if column == table.subject:
            unnamed += w.SUBJECT
        if column in table.names_of_rows and asks_which_row(scene, table):
            unnamed += w.NAME_OF_ROW
        yield column, None, unnamed


def _more_words(name: Name, scene: Scene, table: Table) -> int:
    """Return how many words more than one count for a name: none for a number where "who" or "when" asks."""
    counts = scene.asks is not None and bool(table.kinds[name.column] & {"number", "figures"})
    return 0 if counts else len(name.words) - 1


def _asks_otherwise(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether what looks like a name only asks: "when" is no `Year joined`, "who was drafted" no `Pick`."""
    if all(scene.words[i].text in table.vocabulary.asks for i in name.words) and (
        not name.whole or scene.asks == "origin"
    ):
        return True  # nor is "where … from" a `Location`
    if scene.asks in ("place", "origin") and all(scene.words[i].text in table.vocabulary.doing for i in name.words):
        return True  # "where do the Herons play" asks for no number that they `Played`
    if not name.whole and all(scene.words[i].text in table.vocabulary.left_over.percent for i in name.words):
        return True  # "what percent of jackets came back" asks for no `discount_pct`
    if not name.whole and _is_what_happened(name, scene, table):
        return True
    if _is_of_what_is_counted(name, scene, table):
        return True
    before = scene.words[name.start - 1].text if name.start else ""
    if before in table.vocabulary.left_over.total and table.names.headers[name.column].words == ("number",):
        return True  # "the total number for Crook" asks how many, not for a `#`
    if "number" in table.kinds[name.column] and table.names_of_rows and _is_named_by(name, scene, table):
        return True  # "the name of the episode" is its `Title`, and no `Episode #`
    number = scene.asks == "person" and "number" in table.kinds[name.column]
    return number and table.is_row_word(scene.words[name.start].text)


def _is_named_by(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether "the name of the" leads to a name."""
    own, start = table.vocabulary, name.start
    while start > 0 and scene.words[start - 1].text in own.unread.articles:
        start -= 1
    before = [word.text for word in scene.words[max(start - 2, 0) : start]]
    return len(before) > 1 and before[0] in own.naming and before[1] in own.questions.of


def _is_of_what_is_counted(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether rows are counted, and a name is in a condition: "how many times was the size 8"."""
    own, texts = table.vocabulary.questions, [word.text for word in scene.words]
    nouns = [end for _, end in scene.counts if end + 1 < len(texts) and texts[end] in own.occurrences]
    return any(end < name.start and texts[end + 1] not in own.of for end in nouns)


def _is_what_happened(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether "which" asks for one of a kind, and a name says what became of it: "which pilot was hired"."""
    own = table.vocabulary
    asked = scene.focus > 0 and scene.words[scene.focus - 1].text in own.questions.which
    kind = next((v for v in scene.values if v.start == scene.focus), None) if asked else None
    return kind is not None and name.start > kind.end and scene.words[kind.end].text in own.auxiliaries


def _is_no_agent(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether "who" asks for whoever did something to what a name says: "who won the event".

    Of a verb that says nothing by itself it does not: "who made the decision" asks for the `Decision`.
    """
    if scene.asks != "person" or table.kinds[name.column] & {"person", "organisation"}:
        return False
    between = [word.text for word in scene.words[scene.focus : name.start]]
    acts = (
        len(between) > 1
        and between[-1] in table.vocabulary.unread.articles
        and between[0] not in table.vocabulary.light | table.vocabulary.doing
    )
    return acts and any("person" in kinds for kinds in table.kinds.values())


def _is_done(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a name ends the question as what somebody did: "where did Quill finish" asks for `Finish`."""
    acting = any(word.text in table.vocabulary.acting for word in scene.words[: name.start])
    ends = name.end == said_of_table(scene, table).start
    return scene.asks == "place" and name.whole and ends and acting


def _hour(column: str, scene: Scene, table: Table) -> float:
    """Return what a column of hours is worth where "when" asks and another column tells the day."""
    hours = table.vocabulary.hours
    if scene.asks != "time" or not set(table.names.headers[column].words) <= hours:
        return 0.0
    days = (name for name, kinds in table.kinds.items() if "time" in kinds)
    return w.HOUR if any(not set(table.names.headers[name].words) <= hours for name in days) else 0.0


def _kind(column: str, scene: Scene, table: Table) -> float:
    if scene.asks is None:
        return 0.0
    kinds = table.kinds[column]
    if scene.asks in kinds:
        return w.KIND_OF_MANY if scene.asks == "person" and "organisation" in kinds else w.KIND
    if kinds & {"number", "figures"} or (scene.asks == "person" and kinds == {"time"}):
        return w.NUMBER_FOR_KIND if scene.asks == "person" else w.NUMBER_FOR_TIME_OR_PLACE
    return w.OTHER_AGENT if scene.asks == "person" else w.OTHER_TIME_OR_PLACE


def asks_which_row(scene: Scene, table: Table) -> bool:
    """Tell whether a noun that is no column follows "which": what is asked for is the name of a row."""
    asked = scene.asked_noun
    if not asked or scene.focus == 0 or scene.words[scene.focus - 1].text not in table.vocabulary.questions.which:
        return False
    if any({*asked} & {*name.words} for name in scene.names):
        return False
    return not table.tells_rows or table.context.plain(scene.words[asked.stop - 1].text) in table.context.row_nouns


def _left_over(column: str, binding: Binding, reserved: frozenset[int], scene: Scene, table: Table) -> float:
    used = set(reserved)
    for b in binding.binds:
        used |= {
            *range(b.mention.start, b.mention.end),
            *(b.bound.words if b.bound else ()),
            *(b.name.words if b.name else ()),
        }
    if reserved:
        said = {scene.words[i].text for i in reserved}
        used |= {i for i in _of_header(column, scene, table) if scene.words[i].text not in said}
    named = {i for name in scene.names if name.strength > STRONG for i in name.words}
    cued = {i for cue in scene.cues for i in range(cue.start, cue.end)}
    worth = 0.0
    for position, word in enumerate(scene.words):
        faint = position not in named or word.text in table.vocabulary.questions.faint
        if position in used or position in cued or (word.text in table.vocabulary.light and faint):
            continue
        if word.has_digit:
            worth += w.LEFT_OVER_FIGURE
        elif (
            position == scene.focus
            and position > 0
            and scene.words[position - 1].text in table.vocabulary.questions.how
        ):
            worth += w.LEFT_OVER_MEASURE
        elif position in named:
            subject = position == scene.focus and scene.asks in ("time", "place", "origin")  # "when was the game"
            worth += w.ROW_NOUN if subject or is_row_noun(position, scene, table.vocabulary) else w.LEFT_OVER_NAME
        else:
            worth += w.LEFT_OVER
    return worth


def _is_said_by_a_cue(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a superlative says the rest of a name: "the most rebounds" of `High rebounds`."""
    if name.whole or name.strength >= STEM or table.context.is_number(name.column):
        return False
    rest = len(table.names.headers[name.column].words) - len(name.words)
    return rest == 1 and any(c.end == name.start and says_function(c, name.column, table) for c in scene.cues)


def _modifies_a_condition(name: Name, binding: Binding) -> bool:
    """Tell whether a noun stands right before the name of a condition: "the team record was 3-1" asks for no team."""
    return any(b.near and b.name is not None and b.name.start == name.end for b in binding.binds)


def _is_of_its_side(name: Name, binding: Binding, scene: Scene, table: Table) -> bool:
    """Tell whether a condition says whose score is asked for: that of a `Home team` is `Home team score`.

    A word for the other side, such as "against", may turn it round.
    """
    facing = (table.vocabulary.facing | table.vocabulary.opponents) - table.vocabulary.light
    faced = facing | table.vocabulary.doing  # "when playing Brae at home" is of the other side
    before = (scene.words[b.mention.start - 1].text for b in binding.binds if b.mention.start)
    if name.whole or any(word.text in facing for word in scene.words) or any(text in faced for text in before):
        return False
    own, said = {*table.names.headers[name.column].words}, {scene.words[i].text for i in name.words}
    sides = ({*table.names.headers[b.cells.column].words} for b in binding.binds if b.bound is None)
    return any(side < own <= side | said or (own < side and own & said) for side in sides)


def _of_header(column: str, scene: Scene, table: Table) -> set[int]:
    """Return the words that a column's header has, wherever they stand: "… in 2001" of `Population (2001)`."""
    matches = (table.names.matches(word.text).items() for word in scene.words)
    return {i for i, found in enumerate(matches) if any(sure == EXACT for (name, _), sure in found if name == column)}


def says_function(cue: Cue, column: str, table: Table) -> bool:
    """Tell whether a column's own name says the function: "the most …" of `Maximum …` or `High …` is the column."""
    functions, words = table.vocabulary.functions, table.names.headers[column].words
    text = not table.context.is_number(column)
    return any(
        functions.get((word,)) is cue.function or (text and functions.get((f"{word}est",)) is cue.function)
        for word in words
    )


def is_row_noun(position: int, scene: Scene, vocabulary: Vocabulary) -> bool:
    """Tell whether a name says what the rows are rather than a part of the answer: "the score of the player"."""
    own = vocabulary.questions
    before = [word.text for word in scene.words[max(position - 2, 0) : position]]
    if before and before[-1] in own.of_rows:
        return True
    return len(before) == 2 and before[0] in own.before_rows and before[1] in own.articles


def _place(name: Name, scene: Scene, table: Table) -> float:
    worth = 0.0
    if name.start < scene.focus:
        worth = w.BEFORE_FOCUS
    else:
        between = [scene.words[i].text for i in range(scene.focus, name.start)]
        distance = sum(word not in table.vocabulary.light for word in between) + 0.34 * sum(
            word in table.vocabulary.light for word in between
        )
        worth = w.AT_FOCUS[int(distance)] if distance < len(w.AT_FOCUS) else w.AWAY
        if scene.asks in ("time", "place", "origin") and scene.asks not in table.kinds[name.column]:
            worth = w.AWAY  # "when was the game": the game is not what is asked
        if is_row_noun(name.start, scene, table.vocabulary) and any(
            scene.focus <= other.start and other.end <= name.start and other.column != name.column
            for other in scene.names
            if other.strength > PLAIN
        ):
            worth = w.AWAY  # "the draught of the ship": the ship says which row
    if _leads_to_value(name, scene):
        worth += w.IN_CONDITION
    if _owns(name, scene, table) or goes_before(name, scene, table):
        worth = min(worth, w.AWAY)  # "the away team's score"
    before = scene.words[name.start - 1].text if name.start else ""
    if before in table.vocabulary.questions.nouns:
        worth += w.ASKED_NOUN
    earlier = name.start - 1
    while earlier >= 0 and scene.words[earlier].text in table.vocabulary.articles - table.vocabulary.questions.having:
        earlier -= 1
    if (
        earlier >= 0
        and earlier >= scene.focus - 1
        and scene.words[earlier].text in table.vocabulary.conditional
        and before not in table.vocabulary.questions.nouns
    ):
        worth += w.IN_CONDITION
    return worth


def _leads_to_value(name: Name, scene: Scene) -> bool:
    """Tell whether a value follows that another column has, which is called so, too: "which team scored 4.11"."""
    value = next((v for v in scene.values if v.start == name.end and v.cells), None)
    if value is None or name.whole or any(cells.column == name.column for cells in value.cells):
        return False
    columns = {cells.column for cells in value.cells}
    return any(other.column in columns and other.words[-1] == name.words[-1] for other in scene.names)


def goes_before(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a noun only goes before the one that is asked for: "the car make" is the `Make` of a `Car`."""
    following = scene.words[name.end + 1].text if name.end + 1 < len(scene.words) else ""
    heads = {other.column for other in scene.names if other.words == (name.end,) and other.strength >= EXACT}
    heads = {head for head in heads if not table.kinds[head] & {"number", "figures", "time"}}
    known = table.vocabulary  # "which team won in 2005" asks for the team
    ends = known.auxiliaries - known.after["time"] | known.questions.of
    own = len(name.words) == 1 and name.end in scene.asked_noun and following in ends
    return own and bool(heads) and name.column not in heads


def _owns(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a possessive leads on from a name to that of another column; "which team's score" asks which."""
    if name.start and scene.words[name.start - 1].text in table.vocabulary.questions.which:
        return False
    after = scene.words[name.end].text if name.end < len(scene.words) else ""
    return after in table.vocabulary.questions.possessive and any(
        other.start <= name.end + 1 < other.end and other.column != name.column and other.strength > PLAIN
        for other in scene.names
    )
