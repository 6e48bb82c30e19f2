"""Ratios of so many at a time: "crashes per 1000 downloads", "burglaries per 100k inhabitants"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.amounts.sizes import population
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Lit
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Step
from jupyter_mcpgen.plan.schema import ColumnType

TENS = 10
BETWEEN_NAMES = "_per_"
"""What stands between the names of two columns in the name of their ratio."""


def read_per_so_many(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with a ratio told for each 10, 100, 1000, … of what it is divided by."""
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("per_so_many")) if table is not None else None
    many = so_many(found) if found is not None else None
    if table is None or found is None or many is None:
        return read(question, profile, language)
    divided = _divided_by(found, table)
    if divided is None:
        return read(question, profile, language)
    text, note = divided
    meant = read(Speech(question).put(found, text).text, profile, language)
    match meant:
        case Answered(winner) if (made := _so_many_times(winner, many)) is not None:
            return Answered(replace(made, assumptions=(*note, *made.assumptions)))
        case Asked(text, options):
            each = tuple(one for option in options if (one := _so_many_times(option, many)) is not None)
            return Asked(text, each) if len(each) == len(options) > 0 else read(question, profile, language)
        case _:
            return read(question, profile, language)


def _divided_by(found: Found, table: Table) -> tuple[str, tuple[str, ...]] | None:
    """Return the words that divide by the column of which there are so many, with a note where it is called otherwise.

    None where no column counts it.
    """
    words = found["noun"].split()
    for width in range(len(words), 0, -1):
        said = " ".join(words[:width])
        column = columns.figure(said, table)
        note: tuple[str, ...] = ()
        if column is None and said.casefold() in table.words("inhabitants") and not columns.is_of_the_data(said, table):
            column = population(table)
            note = (f"“{said}” are taken to be `{column}`.",)
        if column is not None:
            way = "counted" if table.context.adds_up(column) else "measured"
            return found.said(way, column=column, rest=" ".join(words[width:])), note
    return None


def so_many(found: Found) -> int | None:
    """Return of how many at a time a ratio is told; None where that is no power of ten."""
    digits = (found.folded("m") or "1").replace(",", "")
    thousands = "000" if digits.endswith("k") else ""
    digits = digits.removesuffix("k") + thousands
    if not digits.isdecimal():
        return None
    number = int(digits) * int(found.meant("scale") if found["scale"] else 1)
    return number if number >= TENS and str(number).rstrip("0") == "1" else None


def _so_many_times(reading: Reading, many: int) -> Reading | None:
    """Return a reading whose only ratio is multiplied; None where it has none, or none of figures of groups."""
    steps = reading.plan.steps
    places = [place for place, step in enumerate(steps) if isinstance(step, Derive) and _is_ratio(step)]
    if len(places) != 1 or not any(isinstance(step, Aggregate) for step in steps[: places[0]]):
        return None
    place, ratio = places[0], steps[places[0]]
    if not isinstance(ratio, Derive) or BETWEEN_NAMES not in ratio.name:
        return None
    name = ratio.name.replace(BETWEEN_NAMES, f"{BETWEEN_NAMES}{many}_", 1)
    called = {ratio.name: name}
    times = Arithmetic(op=ArithmeticOp.MULTIPLY, left=ratio.expression, right=Lit(value=many, type=ColumnType.INTEGER))
    behind = tuple(called_otherwise(step, called) for step in steps[place + 1 :])
    made: tuple[Step, ...] = (*steps[:place], Derive(name=name, expression=times), *behind)
    chart = called_otherwise(reading.plan.chart, called) if reading.plan.chart is not None else None
    plan = reading.plan
    own = plan.tried(made, chart)
    if own is None:
        return None
    return replace(reading, plan=own, label=reading.label.replace(ratio.name, name))


def _is_ratio(step: Derive) -> bool:
    match step.expression:
        case Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(), right=Col()):
            return True
        case _:
            return False
