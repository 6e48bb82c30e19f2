"""Ratios that have a name of their own: "conversion rate by store" is the conversions divided by the visits."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.gains import taken_and_cost
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import Ratio
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.plan import Plan

_OF_SUMS = "taken to mean the sum of `{}` divided by the sum of `{}`."
_OF_ROWS = "taken to mean `{}` divided by `{}` in each row."


def known_ratio(said: Speech, table: Table) -> Speech | None:
    """Say "conversion rate" and "ctr" as one total divided by another, where no column holds it."""
    for found in said.find_all(table.wording("known_ratio")):
        name = found.folded("name")
        ratio = table.vocabulary.ratios[name]
        if ratio.times > 1 or is_held(ratio, table):
            continue  # a column holds it, under one name or another
        if Speech(said.behind(found)).find(table.wording("beside_a_limit")):
            continue  # a ratio of sums is compared with no other figure yet
        part, whole = divided(ratio, table)
        if part is not None and whole is not None and part != whole:
            note = f"“{name}” is {_OF_SUMS.format(part, whole)}"
            end = _end(found.meant("end"), part, table) if found["end"] else None
            if end is not None:
                return said.put(found, found.said("ranked", end=end, part=part, whole=whole), note)
            return said.put(found, found.said("plain", part=part, whole=whole), note)
    return None


def won_of_played(said: Speech, table: Table) -> Speech | None:
    """Say "win percentage" as the part of the games played, or of those won, lost and drawn: no share of all wins."""
    found = said.find(table.wording("won_of_played"))
    if found is None or columns.named(found.text, table, SHORTENED) is not None:
        return None
    won, played, lost, drawn = (
        [
            name
            for name, own in table.context.column_words.items()
            if set(own) <= words and columns.is_figure(name, table)
        ]
        for words in map(table.words, ("games_won", "games_played", "games_lost", "games_drawn"))
    )
    if len(won) != 1:
        return None
    whole = played if len(played) == 1 else [*won, *lost, *drawn] if len(lost) == 1 and len(drawn) < 2 else []
    if not whole:
        return said.refusing(found.said("unknown", said=found.text, column=won[0]))
    of = table.wording("won_of_played").say("and", {}).join(f"`{name}`" for name in whole)
    note = f"“{found.text}” is taken to be the percentage of `{won[0]}` in {of}."
    return said.put(found, found.said("part", part=won[0], whole=of), note)


def is_held(ratio: Ratio, table: Table) -> bool:
    """Tell whether a column holds a ratio, under one of its names."""
    return any(table.is_data(other) or columns.named(other, table, SHORTENED) is not None for other in ratio.names)


def divided(ratio: Ratio, table: Table) -> tuple[str | None, str | None]:
    """Return the columns that a ratio divides, each where one is called so."""
    return _called(ratio.part, table, of_all=False), _called(ratio.whole, table, of_all=True)


def return_on_cost(said: Speech, table: Table) -> Speech | None:
    """Say "roi" as what was taken in less what it cost, divided by what it cost."""
    found = said.find(table.wording("return_on_cost"))
    both = taken_and_cost(table) if found is not None and not table.is_data(found["name"]) else None
    if found is None or both is None or columns.named(found["name"], table) is not None:
        return None
    taken, cost = both
    end = found.meant("end") if found["end"] else ""
    note = f"“{found['name']}” is taken to be `{taken}` minus `{cost}`, divided by `{cost}`."
    return said.put(found, found.said(end=end, taken=taken, cost=cost), note)


def ratio_of_two(said: Speech, table: Table) -> Speech | None:
    """Say "average loan to income ratio" as the average of one divided by the other, in each row."""
    for found in said.find_each(table.wording("ratio_of_two")):
        part, whole = (_amount(found[name], table) for name in ("part", "whole"))
        if part is None or whole is None or part == whole or columns.named(found.text, table) is not None:
            continue
        if said.behind(found).lstrip().startswith("("):
            return None  # what it is is said behind it
        way = found.meant("f") or "of_all"
        return said.put(found, found.said(way, part=part, whole=whole), *_averaged(found, part, whole))
    return None


def part_in_percent(said: Speech, table: Table) -> Speech | None:
    """Say "average tip percentage" as what percent each tip is of its bill, where no column holds it."""
    for found in said.find_each(table.wording("part_in_percent")):
        part = columns.figure(found["part"], table)
        whole = _called(table.vocabulary.ranked["bills"], table, of_all=False) if part is not None else None
        if (
            part is None
            or whole is None
            or part == whole
            or columns.named(f"{found['part']} percent", table) is not None
        ):
            continue
        grouped = found.meant("f") == "ends" and said.before(found).strip()
        way = "ends_of_groups" if grouped else found.meant("f") or "of_all"
        note = f"“{found.text}” is taken to be of `{part}` divided by `{whole}`."
        return said.put(found, found.said(way, part=part, whole=whole), note, *_averaged(found, part, whole))
    return None


def _averaged(found: Found, part: str, whole: str) -> tuple[str, ...]:
    """Return the note that a ratio of each row is looked at, where an average of it is asked for."""
    if found.meant("f") != "of_rows":
        return ()
    return (f"`{part}` is divided by `{whole}` in each row; of all rows together, ask for `{part}` per `{whole}`.",)


def _amount(text: str, table: Table) -> str | None:
    return columns.figure(text, table) or columns.worth_of_a_row(text, table)


def as_computed(note: str, plan: Plan) -> str:
    """Return what was assumed of a ratio as the plan has it: of two sums, or of each row, as in "the highest ctr"."""
    for step in plan.steps:
        match step:
            case Derive(expression=Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name=part), right=Col(name=whole))):
                note = note.replace(_OF_SUMS.format(part, whole), _OF_ROWS.format(part, whole))
            case _:
                pass
    return note


def _end(best: str, part: str, table: Table) -> Term:
    """Return the end that is the best, or the worst, one: of a cost, less is better."""
    less = bool(set(table.context.column_words[part]) & table.words("spent"))
    return Term.LOWEST if (best == Term.HIGHEST) == less else Term.HIGHEST


def _ends_in(noun: str, name: str, own: tuple[str, ...], table: Table) -> bool:
    """Tell whether a column's name ends in a noun of one word or more, in front of its unit: `spend_usd`."""
    context = table.context
    words = tuple(context.plain(word) for word in noun.split())
    unit = {context.plain(word) for word in split_name(context.column(name).unit or "")}
    bare = tuple(word for word in own if word not in unit) or own
    return bare[-len(words) :] == words


def _called(nouns: Iterable[str], table: Table, *, of_all: bool) -> str | None:
    """Return the one column that is called by the first fitting noun; a part of something is an amount."""
    context = table.context
    for noun in nouns:
        fitting = [
            name
            for name, own in context.column_words.items()
            if _ends_in(noun, name, own, table) and columns.is_figure(name, table)
        ]
        fitting = [name for name in fitting if not columns.is_planned(name, table)]
        fitting = [name for name in fitting if of_all or context.adds_up(name) is not False]
        if set(fitting) & set(columns.flags(table)):
            return None  # who converted is told of each row: the rate is a part of the rows
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None
