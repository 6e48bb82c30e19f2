"""Turns a choice into a plan: conditions, the answer's column, and the function that the cue words ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.lookup.binding import Bind
from jupyter_mcpgen.nl.lookup.choice import Choice, says_function
from jupyter_mcpgen.nl.lookup.counting import heads_the_table
from jupyter_mcpgen.nl.lookup.numbered import numbers_rows
from jupyter_mcpgen.nl.lookup.numbering import is_end_of_numbering
from jupyter_mcpgen.nl.lookup.opponents import names_whom, side_faced
from jupyter_mcpgen.nl.lookup.scene import Cue, Scene
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.together import asked_together
from jupyter_mcpgen.nl.lookup.words import plain_words
from jupyter_mcpgen.nl.meanings import RowNoun
from jupyter_mcpgen.nl.parsing.rules.numbers import period_named
from jupyter_mcpgen.nl.tables.counted_money import is_counted_money
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, IsIn, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Limit, Measure, Select, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

LABELLED_ROWS = 20
"""In a shorter table, numbers that never repeat say nothing."""
FIRST_YEAR, LAST_YEAR = 1500, 2100
_BEGINS_WITH_A_FIGURE = re.compile(r"\W{0,3}\d")
"""What a text that holds a figure looks like: `250 Nm` and `~$30`, but never `P01`."""
_BY_SIZE = (AggregateFunction.MIN, AggregateFunction.MAX)


@dataclass(frozen=True)
class Draft:
    """A plan with the words of the question that went into it."""

    plan: Plan
    used: frozenset[int]
    notes: tuple[str, ...] = ()


def draft(choice: Choice, scene: Scene, table: Table) -> Draft | None:
    """Return the plan of a choice, or None where a function does not fit the column."""
    used = {i for b in choice.binding.binds for i in range(b.mention.start, b.mention.end)}
    used |= {i for b in choice.binding.binds if b.bound for i in b.bound.words}
    used |= {i for b in choice.binding.binds if b.name for i in b.name.words}
    own = set(choice.name.words) if choice.name else set()
    used |= own | {i for cue in _described(choice, scene, table) for i in range(cue.start, cue.end)}
    if any(b.bound is not None and not table.context.is_number(b.cells.column) for b in choice.binding.binds):
        return None  # texts that write numbers are compared when the table is read with them as numbers
    faced = side_faced(choice, scene, table)
    if faced is not None and not names_whom(choice, faced):
        return None  # "which opponent scored 81": whose, and so on which side, is not said
    said = dict.fromkeys((b.cells.column, b.cells.values) for b in choice.binding.binds if b.bound is None)
    equal = [column for column, _ in said]  # what is said twice is one condition
    if len(set(equal)) < len(equal):
        return None  # no row has two values in one column: "Stella and Pelican" means either
    steps: list[Step] = []
    terms = tuple(dict.fromkeys(_predicate(b, table) for b in choice.binding.binds))
    if terms:
        steps.append(Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms)))
    result = _result(choice, scene, table, own)
    if result is None:
        return None
    ending, covered = result
    if choice.column in equal and isinstance(ending[-1], Select):
        return None  # the cells of a column that is held at one value tell only that value
    figured = holds_figures(choice.column, table) or _is_how_much(choice, scene, table)
    if scene.wants_figure and isinstance(ending[-1], Select) and not figured:
        return None  # no text and no date says how much
    plan = Plan(source=table.profile.name, source_schema=table.profile.schema_, steps=(*steps, *ending))
    return Draft(plan, frozenset(used | covered | {i for span in scene.counts for i in range(*span)}))


def _is_how_much(choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether "how much" leads to the whole name of a column of texts: its cells say how much torque there is."""
    name = choice.name
    led = name is not None and name.whole and name.start > 1 and not scene.counts
    text = table.context.type_of(choice.column) is ColumnType.TEXT
    return led and text and name is not None and scene.words[name.start - 1].text in table.vocabulary.questions.many


def _is_inside(count: tuple[int, int], choice: Choice) -> bool:
    """Tell whether "amount of" or the like stands inside the answer's name: "the highest amount of points"."""
    return choice.name is not None and choice.name.start < count[0] and count[1] < choice.name.end


def _described(choice: Choice, scene: Scene, table: Table) -> tuple[Cue, ...]:
    """Return the cues around the names of conditions: "a total score of 3-1", "a top prize of £9"."""
    ends = {b.name.end for b in choice.binding.binds if b.near and b.name and b.mention.end <= b.name.start}
    texts = [b for b in choice.binding.binds if table.context.type_of(b.cells.column) is ColumnType.TEXT]
    starts = {b.name.start for b in texts if b.near and b.name is not None}
    equal = (b for b in choice.binding.binds if b.near and b.name and b.bound is None)
    ends |= {b.name.start - 1 for b in equal if b.name and b.name.end <= b.mention.start}  # "the total points are 22"
    said = {(b.name.start, b.cells.column) for b in texts if b.name is not None}  # "who took the most high points"
    starts |= {c.end for c in scene.cues for start, text in said if c.end == start and says_function(c, text, table)}
    sums = AggregateFunction.SUM
    return tuple(c for c in scene.cues if c.end in starts or (c.function is sums and c.start in ends))


def _predicate(b: Bind, table: Table) -> Predicate:
    column, kind = Col(name=b.cells.column), table.context.type_of(b.cells.column)
    if b.bound is not None and b.mention.number is not None:
        return Compare(op=b.bound.op, left=column, right=_literal(b.mention.number, kind))
    values = tuple(dict.fromkeys(b.cells.values))
    if len(values) == 1:
        return Compare(op=CompareOp.EQ, left=column, right=_literal(values[0], kind))
    return IsIn(operand=column, values=tuple(_literal(value, kind) for value in values))


def _literal(value: str | int | float, kind: ColumnType) -> Lit:
    if isinstance(value, str):
        return Lit(value=value, type=kind)
    return Lit(value=value, type=ColumnType.INTEGER if isinstance(value, int) else ColumnType.REAL)


def _result(choice: Choice, scene: Scene, table: Table, own: set[int]) -> tuple[tuple[Step, ...], set[int]] | None:
    """Return the last steps, and the cue words that they come from."""
    column = choice.column
    number = table.context.is_number(column)
    taken = own | {i for b in choice.binding.binds if b.name for i in b.name.words}
    described = _described(choice, scene, table)
    cue = next((cue for cue in scene.cues if not taken & set(range(cue.start, cue.end)) and cue not in described), None)
    count = next(
        (
            s
            for s in scene.counts
            if not _is_inside(s, choice)
            if scene.words[s[0]].text in table.vocabulary.questions.how or not taken & set(range(*s))
        ),
        None,
    )
    cued = set(range(cue.start, cue.end)) if cue else set()
    said: set[int] = set()
    named_so = choice.name is not None and cue is not None and not number and choice.name.end == cue.start
    if cue is not None and (says_function(cue, column, table) or (named_so and cue.function is AggregateFunction.SUM)):
        cue, said, cued = None, cued, set()  # no text adds up: "the high bid total" is `High bid`
    measured = cue is not None and number and _target(cue, choice, scene, table) == column
    if count is not None and not measured and (cue is None or cue.start >= count[0]):
        return _counted(choice, count, scene, table, cue)
    if cue is None and scene.wants_figure and choice.name is not None and _adds_up_over_rows(column, choice, table):
        return (Aggregate(measures=(Measure(function=AggregateFunction.SUM, column=Col(name=column)),)),), said
    if cue is None:
        held = {i for b in choice.binding.binds if b.name for i in b.name.words}
        together = asked_together(choice, scene, table, held)
        columns = tuple(name.column for name in together) or (column,)
        return (Select(columns=Columns(names=columns)),), said | {i for name in together for i in name.words}
    target = _target(cue, choice, scene, table)
    if target not in (None, column):
        single = table.context.names_rows(column) or table.context.column(column).distinct == table.profile.rows
        if cue.function in _BY_SIZE and table.context.is_number(str(target)) and single:
            key = SortKey(column=str(target), descending=cue.function is AggregateFunction.MAX)
            words = {i for name in scene.names if name.column == target for i in name.words}
            return (Sort(keys=(key,)), Limit(count=1), Select(columns=Columns(names=(column,)))), cued | words
        return None
    if not number and not (_is_of_time(cue, scene, table) and table.context.type_of(column) is ColumnType.DATE):
        return None
    code = table.context.is_code(column) and cue.function in _BY_SIZE
    if code and _names_one_row(choice, table):
        return (Select(columns=Columns(names=(column,))),), cued  # the lowest of one cell is the cell
    if not is_end_of_numbering(cue, choice, scene, table):
        if code:
            return None  # "which member_id has the most rows" and "the most recent visit id" ask for no largest number
        few = table.context.column(column).role is Role.CATEGORY
        if few and _counts(cue, scene, table) and not _leads_to(cue, choice):
            return None  # "which year had the most releases" asks for no largest `release_year`
    extra = {i for span in scene.counts for i in range(*span)}
    return (Aggregate(measures=(Measure(function=cue.function, column=Col(name=column)),)),), cued | extra


def _names_one_row(choice: Choice, table: Table) -> bool:
    """Tell whether the name that tells the rows apart is said, so that one row is asked about."""
    equal = (b.cells.column for b in choice.binding.binds if b.bound is None)
    whole = (column for column in equal if table.context.type_of(column) is not ColumnType.INTEGER)
    return any(map(table.context.is_key, whole))


def _leads_to(cue: Cue, choice: Choice) -> bool:
    """Tell whether a name of several words goes on a superlative: "the most year built" is no year with the most."""
    return choice.name is not None and choice.name.whole and choice.name.start == cue.end and len(choice.name.words) > 1


def _counts(cue: Cue, scene: Scene, table: Table) -> bool:
    """Tell whether a superlative is one of how many there are: the "most" of years is not the last one."""
    said = " ".join(word.text for word in scene.words[cue.start : cue.end])
    return said in table.vocabulary.sizes_of_counts


def holds_figures(column: str, table: Table) -> bool:
    """Tell whether a column is of numbers, or of texts with numbers in them such as `250 Nm`."""
    context = table.context
    if context.type_of(column) is ColumnType.TEXT:
        if context.column(column).role is Role.IDENTIFIER:
            return False
        values = [str(value) for value in context.column(column).values]
        figures = [value for value in values if _BEGINS_WITH_A_FIGURE.match(value)]
        return figures[:1] == values[:1] or len(figures) * 2 > len(values)
    return context.is_number(column)


def _is_of_time(cue: Cue, scene: Scene, table: Table) -> bool:
    """Tell whether a function has an end of the dates: no day is the "smallest" one."""
    sizes = table.vocabulary.measured_sizes
    said = " ".join(word.text for word in scene.words[cue.start : cue.end])
    return cue.function in _BY_SIZE and said not in sizes


def _counted(
    choice: Choice, count: tuple[int, int], scene: Scene, table: Table, cue: Cue | None
) -> tuple[tuple[Step, ...], set[int]] | None:
    column, used = choice.column, set(range(*count))
    following = [
        i
        for i in range(count[1], min(count[1] + 3, len(scene.words)))
        if scene.words[i].text in table.vocabulary.distinct
    ]
    own = set(choice.name.words) if choice.name else set()
    counted = scene.words[count[0] : count[1] + 1]
    total = {i for i, word in enumerate(counted, count[0]) if word.text in table.vocabulary.left_over.total} - own
    used |= total
    named = choice.name is not None
    after = scene.words[count[1]].text if count[1] < len(scene.words) else ""
    said_more = choice.name is not None and not choice.name.whole and choice.name.start > count[1]
    if said_more and any(isinstance(meaning, RowNoun) for meaning in table.context.lexicon.meanings(after)):
        return None  # what is said of the rows narrows them, and is no figure
    if after in table.vocabulary.questions.occurrences and count[1] not in own and not said_more:
        return (Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)),), used | {count[1]}
    if choice.name is not None and after in table.vocabulary.questions.notings and choice.name.start == count[1] + 2:
        noted = Measure(function=AggregateFunction.COUNT, column=Col(name=column))  # "measurements of" a column
        return (Aggregate(measures=(noted,)),), used | {count[1]}
    if choice.name is not None and choice.name.start == count[1] and _is_one_of_few(column, choice, table):
        following = [count[1]]
    if following and named:
        return (
            Aggregate(measures=(Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(name=column)),)),
        ), used | set(following)
    says_row = table.context.is_called_as_rows(column)  # the number of a loan in `loans`
    holds_amounts = (table.context.is_number(column) or "figures" in table.kinds[column]) and not (
        says_row
        or numbers_rows(column, table)
        or _labels(column, table)
        or holds_years(column, table)
        or any(way.type is ColumnType.DATE for way in table.context.column(column).written)
    )
    if named and holds_amounts and not says_which(column, table) and not _is_of_measures(choice, scene, table):
        if is_counted_money(column, table.context) and table.profile.rows > LABELLED_ROWS:
            return (Aggregate(measures=(Measure(function=AggregateFunction.COUNT, column=Col(name=column)),)),), used
        if total and table.context.is_number(column):
            function = AggregateFunction.SUM if table.context.adds_up(column) else AggregateFunction.COUNT
            measure = Measure(function=function, column=Col(name=column) if function is AggregateFunction.SUM else None)
            return (Aggregate(measures=(measure,)),), used
        if _adds_up_over_rows(column, choice, table):
            return (Aggregate(measures=(Measure(function=AggregateFunction.SUM, column=Col(name=column)),)),), used
        return (Select(columns=Columns(names=(column,))),), used
    if said_more:
        return None  # "returned" in "how many items were returned" is more than a name for what is counted
    return (Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)),), used


def _is_one_of_few(column: str, choice: Choice, table: Table) -> bool:
    """Tell whether several rows share a year, a month or a thing of a column, which is what "how many" asks for."""
    shared = table.context.column(column).distinct < table.profile.rows
    period = column in table.context.years or period_named(column, table.context) is not None
    period = period and not _counts_periods(column, table)
    return _repeats(column, choice, table) or (shared and period)


def _counts_periods(column: str, table: Table) -> bool:
    """Tell whether a column says how many years or days there were: `Years served` with 12, not with 1998."""
    plural = any(singular(word) != word for word in plain_words(column))
    return plural and table.context.is_number(column) and not holds_years(column, table)


def _repeats(column: str, choice: Choice, table: Table) -> bool:
    """Tell whether a column of texts, wholly named, has the same thing in several of many rows: a customer's orders."""
    context = table.context
    whole = choice.name is not None and choice.name.whole and context.type_of(column) is ColumnType.TEXT
    if "figures" in table.kinds[column] and not says_which(column, table):
        return False  # 1,250 and "rained out" of `Attendance`: the figure is asked for
    apart = not (context.names_rows(column) or heads_the_table(column, context))  # each row of `races` is a race
    return whole and table.profile.rows > LABELLED_ROWS and apart


def _adds_up_over_rows(column: str, choice: Choice, table: Table) -> bool:
    """Tell whether "how many" asks for a total: many rows are likely to meet the conditions, and amounts add up."""
    context = table.context
    if table.profile.rows <= LABELLED_ROWS or not context.is_number(column):
        return False
    if any(b.bound is None and context.is_key(b.cells.column) for b in choice.binding.binds):
        return False
    return context.adds_up(column) is True or context.counts_things(column)


def says_which(column: str, table: Table) -> bool:
    """Tell whether a number says which one, such as `Week` or `Game`; `Games` says how many there were."""
    plurals = {singular(word) for word in plain_words(column) if singular(word) != word}
    if table.names.headers[column].words[-1].isdigit():
        return False  # `Round 1` holds what happened in that round
    return bool(table.vocabulary.ordinals & set(table.names.headers[column].words) - plurals)


def _is_of_measures(choice: Choice, scene: Scene, table: Table) -> bool:
    """Tell whether measures are counted as things: "how many heights" asks for no height."""
    nouns = [scene.words[i].text for i in (choice.name.words if choice.name else ())]
    return any(singular(noun) != noun and singular(noun) in table.vocabulary.measures for noun in nouns)


def _labels(column: str, table: Table) -> bool:
    """Tell whether the numbers of a column name its rows: how many of them there are is counted."""
    known, context = table.context.column(column), table.context
    if known.role is Role.IDENTIFIER:
        return True
    whole = context.type_of(column) is ColumnType.INTEGER and context.adds_up(column) is None and known.unit is None
    return whole and table.profile.rows >= LABELLED_ROWS and context.names_rows(column)


def holds_years(column: str, table: Table) -> bool:
    """Tell whether a column holds years: nothing that there are many of."""
    known = table.context.column(column)
    if "time" not in table.kinds[column] or known.minimum is None or known.maximum is None:
        return False
    return (
        table.context.type_of(column) is ColumnType.INTEGER
        and FIRST_YEAR <= known.minimum <= known.maximum <= LAST_YEAR
    )


def _target(cue: Cue, choice: Choice, scene: Scene, table: Table) -> str | None:
    """Return the column whose name follows a cue word closely; "which price is the highest one" is of the answer."""
    if cue.end < len(scene.words) and scene.words[cue.end].text in table.vocabulary.unread.pronouns:
        return choice.column if choice.name is not None and choice.name.end <= cue.start else None
    near: Iterator[str] = (
        name.column
        for name in scene.names
        if name.start >= cue.end
        and all(scene.words[i].text in table.vocabulary.light for i in range(cue.end, name.start))
        and name.start - cue.end <= 3
    )
    following = list(near)
    if choice.column in following:
        return choice.column
    return following[0] if following else None
