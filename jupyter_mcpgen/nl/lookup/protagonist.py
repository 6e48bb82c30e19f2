"""Finds whom a table of one side's matches is about: "the Herons" played every one, and no column says so."""

from __future__ import annotations

from collections.abc import Collection

from jupyter_mcpgen.nl.lookup.scene import Scene, is_shouted
from jupyter_mcpgen.nl.lookup.table import Table


def protagonist_of(scene: Scene, used: Collection[int], columns: Collection[str], table: Table) -> frozenset[int]:
    """Return the words of the one name that is the side which no row names: the other side is in `columns`.

    Where nothing says or asks who the other side is, the name may be that one, unless it stands as who does something:
    "did the Herons have a record of …". Where two names are left over, or one
    of them stands behind "against", it is not known which side they are.
    """
    if is_shouted(scene.words) or not table.rival_columns:
        return frozenset()
    runs = _names_in(scene, used, table)
    if not table.rival_columns & {*columns} and (
        scene.asks == "person" or not all(_acts(run, scene, table) or _has(run, scene, used, table) for run in runs)
    ):
        return frozenset()  # "who did the Herons lose to" asks for the other side
    spelt = {tuple(scene.words[i].text for i in run) for run in runs}
    if len(spelt) != 1 or any(_faces(run, scene, table) for run in runs):
        return frozenset()
    return frozenset(i for run in runs for i in run)


def _acts(run: list[int], scene: Scene, table: Table) -> bool:
    """Tell whether a name is who does something: "did the Herons have a record of …"."""
    before = [word.text for word in scene.words[max(run[0] - 2, 0) : run[0]]]
    return len(before) > 1 and before[0] in table.vocabulary.acting and before[1] in table.vocabulary.unread.articles


def _has(run: list[int], scene: Scene, used: Collection[int], table: Table) -> bool:
    """Tell whether a condition says what a name has, as in "the Herons' record", in a table that names nobody."""
    if table.tells_rows:
        return False
    own, end = table.vocabulary.questions, run[-1] + 1
    after = [word.text for word in scene.words[end : end + 3]]
    if not after or after[0] not in own.having | own.possessive:
        return end in used and scene.words[run[0] - 1].text in table.vocabulary.unread.articles
    articled = len(after) > 1 and after[1] in table.vocabulary.unread.articles
    return end + 1 + articled in used


def _names_in(scene: Scene, used: Collection[int], table: Table) -> list[list[int]]:
    """Return the runs of capital words that nothing stands for."""
    runs: list[list[int]] = []
    for i, word in enumerate(scene.words):
        known = i in used or table.knows(word.text) or word.has_digit or word.quoted
        if i and runs and runs[-1][-1] == i - 1 and word.is_capital and i not in used:
            runs[-1].append(i)  # also a part of the name that a row has, such as that of an event
        elif i and not known and word.is_capital:
            runs.append([i])
    return runs


def _faces(run: list[int], scene: Scene, table: Table) -> bool:
    """Tell whether "against" or the like stands before a name; "the opponent the Herons played" is somebody else."""
    before = [word.text for word in scene.words[max(run[0] - 2, 0) : run[0]]]
    after = scene.words[run[-1] + 1].text if run[-1] + 1 < len(scene.words) else ""
    own = table.vocabulary
    if len(before) > 1 and before[0] in own.opponents and before[1] in own.unread.articles and after in own.doing:
        return False
    return any(word in table.vocabulary.facing for word in before)
