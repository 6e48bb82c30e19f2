"""Tells whether a word that a look-up leaves out is the noun that is asked for."""

from __future__ import annotations

from itertools import pairwise

from jupyter_mcpgen.nl.lookup.choice import Choice, asks_which_row
from jupyter_mcpgen.nl.lookup.names import Name
from jupyter_mcpgen.nl.lookup.scene import Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.words.forms import singular


def is_asked_for(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether a noun says what is asked for, and the answer's name stands only in a condition behind it."""
    name = choice.name
    if scene.asks == "person" and "number" in table.kinds[choice.column]:
        return True  # "who was the game played against" asks for no number of a game
    if position not in scene.asked_noun or (name is not None and name.start < scene.asked_noun.stop):
        return False
    if any(word.text in table.vocabulary.asks for word in scene.words[: scene.focus]):
        return False  # "when was the ship that … launched" asks for the time
    if table.is_row_word(scene.words[position].text) and any(position == end for _, end in scene.counts):
        return False  # "how many games" counts the rows
    if name is None:
        return scene.asks is None and not asks_which_row(scene, table)  # "what is the mascot" is no name of a row
    kinds = {kind for kind, nouns in table.vocabulary.kinds.items() if singular(scene.words[position].text) in nouns}
    if table.is_row_word(scene.words[position].text) or table.kinds[name.column] & kinds:
        return False
    return (
        _is_owned_by(name, scene, table)
        or _is_in_condition(name, scene, table)
        or _names_another(position, choice, scene, table)
    )


def _is_owned_by(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether "of the" leads from what is asked to the noun of the rows: "the colour of the bridge"."""
    before = [scene.words[i].text for i in range(scene.asked_noun.stop, name.start)]
    own = table.vocabulary.questions.of, table.vocabulary.unread.articles
    return len(before) == len(own) and all(word in words for word, words in zip(before, own, strict=True))


def _is_in_condition(name: Name, scene: Scene, table: Table) -> bool:
    """Tell whether a clause, or a preposition with an article, stands before a name: "… used in the title"."""
    before = [scene.words[i].text for i in range(scene.asked_noun.stop, name.start)]
    leading, articles = table.vocabulary.left_over.leading, table.vocabulary.unread.articles
    led = any(word in leading and after in articles for word, after in pairwise(before))
    return led or any(word in table.vocabulary.clauses for word in before)


def _names_another(position: int, choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether the last asked word names another column, and no "of" or possessive goes on behind it."""
    end, own = scene.asked_noun.stop, table.vocabulary.questions
    after = scene.words[end].text if end < len(scene.words) else ""
    if position != end - 1 or after in own.of or after in own.possessive:
        return False
    return any(name.column != choice.column and position in name.words for name in scene.names)
