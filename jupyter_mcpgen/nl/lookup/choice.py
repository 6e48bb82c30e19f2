"""Decides which column a question asks for, together with the columns of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.nl.lookup import weights as w
from jupyter_mcpgen.nl.lookup.binding import Binding, bind
from jupyter_mcpgen.nl.lookup.names import Name
from jupyter_mcpgen.nl.lookup.scene import Scene
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
        worth = alone + binding.worth + _left_over(binding, reserved, scene, table)
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
                    + w.PER_NAME_WORD * (len(name.words) - 1)
                    + _place(name, scene, table)
                    + (0.0 if _is_done(name, scene, table) else _kind(column, scene, table)),
                )
        unnamed = w.UNNAMED + _kind(column, scene, table) + _hour(column, scene, table)
        if column == table.subject:
            unnamed += w.SUBJECT
        if column in table.names_of_rows and asks_which_row(scene, table):
            unnamed += w.NAME_OF_ROW
        yield column, None, unnamed


def _asks_otherwise(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether what looks like a name only asks: "when" is no `Year joined`, "who was drafted" no `Pick`."""
    if not name.whole and all(scene.words[i].text in table.vocabulary.asks for i in name.words):
        return True
    if not name.whole and all(scene.words[i].text in table.vocabulary.left_over.percent for i in name.words):
        return True  # "what percent of jackets came back" asks for no `discount_pct`
    if not name.whole and _is_what_happened(name, scene, table):
        return True
    before = scene.words[name.start - 1].text if name.start else ""
    if before in table.vocabulary.left_over.total and table.names.headers[name.column].words == ("number",):
        return True  # "the total number for Crook" asks how many, not for a `#`
    number = scene.asks == "person" and "number" in table.kinds[name.column]
    return number and table.is_row_word(scene.words[name.start].text)


def _is_what_happened(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether "which" asks for one of a kind, and a name says what became of it: "which pilot was hired"."""
    own = table.vocabulary
    asked = scene.focus > 0 and scene.words[scene.focus - 1].text in own.questions.which
    kind = next((v for v in scene.values if v.start == scene.focus), None) if asked else None
    return kind is not None and name.start > kind.end and scene.words[kind.end].text in own.auxiliaries


def _is_done(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a name ends the question as what somebody did: "where did Quill finish" asks for `Finish`."""
    acting = any(word.text in table.vocabulary.acting for word in scene.words[: name.start])
    return scene.asks == "place" and name.whole and name.end == len(scene.words) and acting


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
    if not asked or asked.start == 0 or scene.words[asked.start - 1].text not in table.vocabulary.questions.which:
        return False
    if any({*asked} & {*name.words} for name in scene.names):
        return False
    return not table.tells_rows or table.context.plain(scene.words[asked.stop - 1].text) in table.context.row_nouns


def _left_over(binding: Binding, reserved: frozenset[int], scene: Scene, table: Table) -> float:
    used = set(reserved)
    for b in binding.binds:
        used |= {
            *range(b.mention.start, b.mention.end),
            *(b.bound.words if b.bound else ()),
            *(b.name.words if b.name else ()),
        }
    named = {i for name in scene.names if name.strength > STRONG for i in name.words}
    cued = {i for cue in scene.cues for i in range(cue.start, cue.end)}
    worth = 0.0
    for position, word in enumerate(scene.words):
        if position in used or position in cued or (word.text in table.vocabulary.light and position not in named):
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
    if _owns(name, scene, table):
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


def _owns(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a possessive leads on from a name to that of another column; "which team's score" asks which."""
    if name.start and scene.words[name.start - 1].text in table.vocabulary.questions.which:
        return False
    after = scene.words[name.end].text if name.end < len(scene.words) else ""
    return after in table.vocabulary.questions.possessive and any(
        other.start <= name.end + 1 < other.end and other.column != name.column and other.strength > PLAIN
        for other in scene.names
    )
