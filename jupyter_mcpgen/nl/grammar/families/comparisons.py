"""What is set side by side: values of a column, periods, and the gap between two of them."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.conditions import negated
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Either,
    Entity,
    Gap,
    Holds,
    Is,
    Keys,
    Lacks,
    Number,
    Part,
    Period,
    Season,
    Sided,
    Sides,
    Term,
    Test,
    Within,
    Word,
    disjoint,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.stretches import month_of, of_year
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit

COMPARISONS = Family("comparisons")
rule = COMPARISONS.rule


@rule(C.SIDES, maybe(C.IN), C.PERIOD, C.VERSUS, maybe(C.IN), C.PERIOD)
def periods(
    table: Table, in_: Word | None, first: Period | Season, said: Word, at: Word | None, second: Period | Season
) -> Sides | None:
    """Read "2023 vs 2024", "in March compared with April 2024"."""
    return _sides((first, second))


@rule(C.SIDES, C.SIDES, C.VERSUS, C.PERIOD)
def one_more_period(table: Table, before: Sides, said: Word, period: Period | Season) -> Sides | None:
    """Read "2022 vs 2023 vs 2024"."""
    return _sides((*before.periods, period)) if before.periods else None


@rule(C.SIDES, C.COMPARE_VERB, maybe(C.BETWEEN), C.PERIOD, a(C.AND, C.TO, C.IN), C.PERIOD)
def periods_compared(
    table: Table, said: Word, between: Word | None, first: Period | Season, with_: Word, second: Period | Season
) -> Sides | None:
    """Read "compare Q1 with Q2 2024"."""
    return _sides((first, second))


@rule(C.SIDES, maybe(C.BETWEEN, C.IN), C.PERIOD, a(C.AND, C.IN), C.PERIOD, cost=0.1)
def periods_listed(
    table: Table, between: Word | None, first: Period | Season, said: Word, second: Period | Season
) -> Sides | None:
    """Read "March and April 2024", which only a comparison keeps apart."""
    found = _sides((first, second))
    return Sides(periods=found.periods, listed=True) if found is not None else None


@rule(C.SIDES, C.BETWEEN, C.VALUE)
def between_values(table: Table, said: Word, found: Is) -> Sides | None:
    """Read "between Leeds and York", which only a comparison asks for."""
    return Sides(test=found, listed=True) if found.apart and len(found.values) > 1 else None


# -- a condition and its opposite ------------------------------------------------------------------------------------

Said = tuple[tuple[str, ...], ...]


@rule(C.KEYS, C.TEST, maybe(C.ENTITY), C.VERSUS, C.TEST, spoken=True)
def opposites(table: Table, words: Said, first: Test, things: Entity | None, said: Word, second: Test) -> Keys | None:
    """Read "insured vs uninsured", "with a deposit vs without a deposit"."""
    truth = _truth(table, first, second)
    if truth is not None:
        return truth
    if not _excludes(first, second):
        return None
    return Keys((Sided(((_called(table, words[0]), first), (_called(table, words[3]), second))),))


@rule(C.KEYS, maybe(C.BETWEEN), C.TEST, C.AND, C.TEST, cost=0.03)
def yes_and_no(table: Table, between: Word | None, first: Test, said: Word, second: Test) -> Keys | None:
    """Read "between insured and uninsured hires"."""
    return _truth(table, first, second)


@rule(C.KEYS, C.TEST, C.VERSUS, C.NOT, cost=0.12, spoken=True)
def with_or_without(table: Table, words: Said, first: Test, said: Word, denied: Word) -> Keys | None:
    """Read "with a deposit vs without"."""
    truth = table.column(first.column).truth if isinstance(first, Is) else None
    if isinstance(first, Is) and truth is not None:
        return Keys((Column(first.column),))
    second = _opposite(first)
    name = _called(table, words[0])
    other = " ".join((*words[2], *name.split()[1:]))
    return Keys((Sided(((name, first), (other, second))),)) if second is not None else None


@rule(C.KEYS, C.TEST, maybe(C.ENTITY), C.VERSUS, C.REST, maybe(C.ENTITY, C.TERM))
def one_and_the_rest(
    table: Table, one: Test, such: Entity | None, said: Word, rest: Word, things: Entity | Term | None
) -> Keys | None:
    """Read "Leeds vs the rest", "North vs other regions"."""
    if not isinstance(one, Is) or one.negated or (isinstance(things, Column) and things.name != one.column):
        return None
    if table.column(one.column).truth is not None:
        return Keys((Column(one.column),))
    others = next(iter(table.listed("others")))
    second = Is(one.column, one.values, negated=True)
    return Keys((Sided(((str(one.values[0]), one), (others, second))),)) if len(one.values) == 1 else None


@rule(C.KEYS, C.PERIOD, C.VERSUS, a(C.PERIOD, C.UNIT), spoken=True)
def weekend_and_weekdays(
    table: Table, words: Said, first: Period | Season, said: Word, second: Period | Season | Part
) -> Keys | None:
    """Read "weekends vs weekdays"."""
    return _parts_of_week(table, words[0], words[2], first, second)


@rule(C.KEYS, C.UNIT, C.VERSUS, C.PERIOD, spoken=True)
def weekdays_and_weekend(table: Table, words: Said, first: Part, said: Word, second: Period | Season) -> Keys | None:
    """Read "weekday vs weekend"."""
    return _parts_of_week(table, words[0], words[2], first, second)


@rule(C.KEYS, C.PERIOD, a(C.VERSUS), maybe(C.IN), C.PERIOD, spoken=True)
def stretches(
    table: Table, words: Said, first: Period | Season, said: Word, at: Word | None, second: Period | Season
) -> Keys | None:
    """Read "H1 2023 vs H1 2024", stretches of time that are no periods of the calendar."""
    if isinstance(first, Season) and isinstance(second, Period) and second.unit is None:
        first = _months_in(first, second)
    if _sides((first, second)) is not None or not _apart(first, second):
        return None
    return Keys((Sided(tuple((" ".join(part), Within(one)) for part, one in ((words[0], first), (words[3], second)))),))


@rule(C.KEYS, C.SINCE, C.VERSUS, C.SINCE, C.PERIOD, spoken=True)
def before_and_after(
    table: Table, words: Said, one: Word, said: Word, other: Word, period: Period | Season
) -> Keys | None:
    """Read "before vs after March 2024", with what was in it."""
    if {one.meaning, other.meaning} != {"before", "after"} or isinstance(period, Season) or not period.end:
        return None
    ends = {"before": Period("", period.start), "after": Period(period.end, "")}
    when = " ".join(words[3])
    sides = [
        (f"{' '.join(part)} {when}", Within(ends[word.meaning])) for part, word in ((words[0], one), (words[2], other))
    ]
    return Keys((Sided((*sides, (when, Within(period)))),))


def _months_in(season: Season, period: Period) -> Period | Season:
    """Return the "H1" of "H1 vs H2 2024", where the year is said once."""
    if season.unit is not DateUnit.MONTH:
        return season
    year = int(period.start[:4])
    return Period(month_of(year, season.numbers[0]).start, month_of(year, season.numbers[-1]).end)


def _apart(first: Period | Season, second: Period | Season) -> bool:
    """Tell whether two months of every year, or two whole periods, have no date in common."""
    seasons = [one for one in (first, second) if isinstance(one, Season)]
    if any(one.unit is not DateUnit.MONTH for one in seasons):
        return False
    ends = [end for one in (first, second) if isinstance(one, Period) for end in (one.start, one.end)]
    return all(ends) and disjoint(first, second)


def _parts_of_week(
    table: Table, said: tuple[str, ...], then: tuple[str, ...], first: object, second: object
) -> Keys | None:
    found = tuple(_WEEK if isinstance(one, Part) and one.unit is DateUnit.WEEKDAY else one for one in (first, second))
    whole = all(isinstance(one, Season) and one.unit is DateUnit.WEEKDAY for one in found)
    numbers = [number for one in found if isinstance(one, Season) for number in one.numbers]
    if not whole or sorted(numbers) != list(range(1, 8)):
        return None
    names = [table.lexicon.lemmas(words[-1].lower())[-1] for words in (said, then)]
    sides = tuple((name, Within(one)) for name, one in zip(names, found, strict=True) if isinstance(one, Season))
    return Keys((Sided(sides),))


_WEEK = Season(DateUnit.WEEKDAY, (1, 2, 3, 4, 5))


def _truth(table: Table, first: Test, second: Test) -> Keys | None:
    """Return the column of which two conditions are yes and no."""
    if not isinstance(first, Is) or not isinstance(second, Is) or first.column != second.column:
        return None
    truth = table.column(first.column).truth
    values = {(one.values, one.negated) for one in (first, second)}
    known = truth is not None and values == {((truth[0],), False), ((truth[1],), False)}
    return Keys((Column(first.column),)) if known else None


def _excludes(first: Test, second: Test) -> bool:
    """Tell whether no row meets both of two conditions on the same value, one of which is the opposite of the other."""
    return second in (negated(first), _opposite(first)) or (
        isinstance(first, Holds)
        and isinstance(second, Holds)
        and first.left == second.left
        and first.right == second.right
        and {first.op, second.op} == {CompareOp.GT, CompareOp.EQ}
    )


def _opposite(test: Test) -> Test | None:
    """Return what holds for all other rows: none of it is zero, or nothing."""
    match test:
        case Holds(Column(name) as left, CompareOp.GT, Number(0)):
            return Either((Holds(left, CompareOp.EQ, Number(0)), Lacks(name)))
        case Lacks() | Holds():
            return negated(test)
        case _:
            return None


def _called(table: Table, words: tuple[str, ...]) -> str:
    """Return the words of a side without those that say nothing."""
    return " ".join(word for word in words if table.lexicon.skip_cost(word.lower()) != 0)


@rule(C.GAP, a(C.MINUS, words="difference"))
def gap(table: Table, said: Word) -> Gap:
    """Read "the difference in" of two that are compared."""
    return Gap()


def _sides(found: tuple[Period | Season, ...]) -> Sides | None:
    """Return periods of one kind; the year that the last one has holds for all."""
    last = found[-1]
    if isinstance(last, Period):
        found = tuple(of_year(one, last) or one if isinstance(one, Season) else one for one in found)
    alike = len({(type(one), one.unit) for one in found}) == 1 and found[0].unit is not None
    single = all(len(one.numbers) == 1 for one in found if isinstance(one, Season))
    return Sides(periods=found) if alike and single and len(set(found)) == len(found) else None
