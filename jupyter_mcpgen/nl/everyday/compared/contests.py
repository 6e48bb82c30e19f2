"""Contests of two sides: how they ended ("home wins", "draws", "matches that A lost"), and what both sides scored."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.compared.matches import Sides, on_both, sides_of, turned
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.schema import ColumnType

HOME, AWAY, DRAW = "home", "away", "draw"
OTHER = {HOME: AWAY, AWAY: HOME, DRAW: DRAW}


@dataclass(frozen=True)
class Contest:
    """The columns of the two sides, of what each of them scored, and of the results with its values."""

    sides: Sides
    scores: Sides | None
    result: str
    values: dict[str, str]

    def ended(self, how: str, table: Table) -> str:
        """Return the condition on the rows that one side won, or none of them."""
        if self.result:
            return table.say("is_value", column=self.result, value=self.values.get(how, ""))
        first, second = self.scored(how)
        return table.say("equal_columns" if how == DRAW else "greater_column", first=first, second=second)

    def scored(self, side: str) -> Sides:
        """Return the columns of what one side scored and of what the other one did."""
        first, second = self.scores or ("", "")
        return (second, first) if side == AWAY else (first, second)

    def can_end(self, how: str) -> bool:
        """Tell whether the table says of a row that it ended so."""
        return how in self.values if self.result else self.scores is not None


def contest_of(table: Table) -> Contest | None:
    """Return the contest that each row of a table is, where it names two sides and says how it ended."""
    sides = sides_of(table)
    if sides is None:
        return None
    known = {name: _results_in(name, table) for name in table.context.column_words}
    told = [name for name, values in known.items() if {HOME, AWAY} <= values.keys()]
    result = told[0] if len(told) == 1 else ""
    scores = _scores(table)
    return Contest(sides, scores, result, known.get(result, {})) if result or scores else None


def _scores(table: Table) -> Sides | None:
    """Return the two columns of what each side scored, which are called alike but for their sides."""
    own = {name: words for name, words in table.context.column_words.items() if columns.is_figure(name, table)}
    scored = {words for words in own.values() if words[-1] in table.words("scored_in_contests")}
    by_words = {words: name for name, words in own.items()}
    pairs = [
        (by_words[words], by_words[other])
        for home, away in table.vocabulary.sides
        for words in scored
        if len(words) == len((home, words[-1]))
        and words[0] == home
        and (other := turned(words, home, away)) in by_words
    ]
    return pairs[0] if len(pairs) == 1 else None


def _results_in(name: str, table: Table) -> dict[str, str]:
    """Return the values of a column by the side that won; nothing where some value says anything else."""
    known = table.context.column(name)
    if table.context.type_of(name) is not ColumnType.TEXT or not known.complete:
        return {}
    said = {table.meaning("results_of_contests", str(value).casefold()): str(value) for value in known.values}
    return said if said.keys() <= OTHER.keys() and len(said) == len(known.values) else {}


def score_of_both(said: Speech, table: Table) -> Speech | None:
    """Say "goals per match" as those of both sides together, where neither side is named."""
    contest = contest_of(table)
    if contest is None or contest.scores is None or said.find(table.wording("one_side")) is not None:
        return None
    if any(on_both(word, contest.sides, table) for word in said.text.replace("?", " ").split()):
        return None
    first, second = contest.scores
    for found in said.find_all(table.wording("score_of_both")):
        if found["noun"] and table.context.plain(found.folded("noun")) != table.context.column_words[first][-1]:
            continue
        if found["row"] and not columns.is_row(found["row"], table, table.words("one_row")):
            continue
        way = "none" if found["none"] else "limit" if found["side"] else "mean" if found["row"] else "both"
        note = f"“{found.text.strip()}” is taken to be of both sides: `{first}` and `{second}`."
        return said.put(found, found.said(way, first=first, second=second, side=found.meant("side")), note)
    return None


def results(said: Speech, table: Table) -> Speech | None:
    """Say "home wins" and "matches that ended in a draw" by the column of results, or by the scores."""
    contest = contest_of(table)
    for found in said.find_all(table.wording("results")) if contest is not None else ():
        if contest is None or table.is_data(found.text.strip()):
            continue
        side = found.meant("place") or DRAW
        if found["end"] or found["n"]:
            return _by_how_much(said, found, side, contest)
        how = OTHER[side] if found["lost"] else side
        if not contest.can_end(how):
            continue
        condition = contest.ended(how, table)
        text = found.said("rows" if found["noun"] else "condition", condition=condition)
        made = said.put(found, text, f"“{found.text.strip()}” is taken to mean that {condition}.")
        team = made.find(table.wording("a_side")) if side != DRAW else None
        return made if team is None else made.put(team, f"`{contest.sides[side == AWAY]}`")
    return None


def _by_how_much(said: Speech, found: Found, side: str, contest: Contest) -> Speech | None:
    """Say "the biggest home win" by the difference of both scores."""
    if contest.scores is None:
        return None
    first, second = contest.scored(side)
    text = found.said("largest" if found["end"] else "by", first=first, second=second)
    return said.put(found, text, f"A win is as high as `{first}` minus `{second}`.")


def results_of_one(said: Speech, table: Table) -> Speech | None:
    """Say "how many matches did A win" as those in which A is on the side that won."""
    contest = contest_of(table)
    for found in said.find_all(table.wording("results_of_one")) if contest is not None else ():
        one = on_both(found["a"], contest.sides, table) if contest is not None else None
        if contest is None or one is None or (found["rows"] and not columns.is_row(found["rows"], table)):
            continue
        deed, place = found.meant("deed"), found.meant("place")
        places = (place,) if place else (HOME, AWAY)
        how = {HOME: (HOME, AWAY, DRAW), AWAY: (AWAY, HOME, DRAW)}
        ends = {at: dict(zip(("win", "loss", "draw"), how[at], strict=True))[deed] for at in places}
        if not all(map(contest.can_end, ends.values())):
            continue
        parts = [
            _in_a_place(one, contest.sides[at == AWAY], contest.ended(end, table), table) for at, end in ends.items()
        ]
        condition = parts[0] if place else table.say("either_of", first=parts[0], second=parts[1])
        note = f"“{one}” may be the `{contest.sides[0]}` or the `{contest.sides[1]}`." if not place else ""
        return said.saying(found.said(before=said.before(found), condition=condition, rest=said.behind(found)), note)
    return None


def _in_a_place(one: str, side: str, ended: str, table: Table) -> str:
    return table.say("both_of", first=table.say("is_value", column=side, value=one), second=ended)


def scored_at(said: Speech, table: Table) -> Speech | None:
    """Say "the most goals at home" by the columns of that side and of what it scored, or conceded."""
    contest = contest_of(table)
    for found in said.find_all(table.wording("scored_at")) if contest is not None else ():
        if contest is None or contest.scores is None:
            continue
        if table.context.plain(found.folded("noun")) != table.context.column_words[contest.scores[0]][-1]:
            continue
        one = on_both(found["a"], contest.sides, table) if found["a"] else None
        if found["a"] and one is None:
            continue
        place = found.meant("place")
        figure = contest.scored(place)[found.meant("deed") == "conceded"]
        parts = {"figure": figure, "side": contest.sides[place == AWAY], "a": one or "", "end": found.meant("end")}
        return said.put(found, found.said("one" if one else "most" if found["end"] else "each", **parts))
    return None
