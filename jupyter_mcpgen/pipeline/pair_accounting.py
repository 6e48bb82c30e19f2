"""What must add up where two tables become one: every row has a match or not, and no value counts several times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.agreement import RELATIVE_TOLERANCE
from jupyter_mcpgen.plan.english_sources import say_keys
from jupyter_mcpgen.plan.expressions import AnyOf, Col, IsMissing
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import Side, sides_of, weighed_measures
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Second, Union

_TOTALS = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})
"""Functions whose figure grows with every row that is there twice."""
_ROWS = (Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)),)


def account_second(plan: Plan, engine: Engine) -> tuple[Evidence, ...]:
    """Return where the rows of both tables went, and whether the values that are added up count once."""
    match plan.second:
        case Join() as join:
            with closing(engine.swapped()) as swapped:
                books = _Pair(plan.source, join, engine, swapped)
                totals = tuple(_totals(plan, books)) if join.how.adds_columns else ()
                return (*totals, _matches(books))
        case Union() as union:
            return (_stacked(plan, union, engine),)
        case None:
            return ()


@dataclass(frozen=True)
class _Pair:
    """Two tables that are joined, and the engines that count their rows: one as they are, one the other way round."""

    source: str
    join: Join
    engine: Engine
    engine_swapped: Engine

    @cached_property
    def swapped(self) -> _Pair:
        """The same tables the other way round."""
        keys = tuple(KeyPair(first=_plain(pair.second), second=_plain(pair.first)) for pair in self.join.keys)
        join = Join(
            other=self.source,
            first_schema=self.join.other_schema,
            other_schema=self.join.first_schema,
            keys=keys,
            how=self.join.how,
        )
        return _Pair(self.join.other, join, self.engine_swapped, self.engine)

    @cached_property
    def rows(self) -> int:
        """How many rows the first table has."""
        return int(self.of_first(_ROWS))

    @cached_property
    def without_match(self) -> int:
        """How many of them have no match."""
        return int(self.of(JoinKind.ANTI, _ROWS))

    @cached_property
    def without_key(self) -> int:
        """How many of them have no key."""
        missing = AnyOf(terms=tuple(IsMissing(operand=_plain(pair.first)) for pair in self.join.keys))
        return int(self.of_first((Filter(predicate=missing), *_ROWS)))

    @cached_property
    def pairs(self) -> int:
        """How many pairs of rows match."""
        return int(self.of(JoinKind.INNER, _ROWS))

    @cached_property
    def repeated(self) -> int:
        """How often a row of the first table is there again in the joined one."""
        return self.pairs - (self.rows - self.without_match)

    def of_first(self, steps: tuple[Step, ...]) -> float:
        """Return the figure that some steps give over the first table alone."""
        return self.engine.figure(Plan(source=self.source, source_schema=self.join.first_schema, steps=steps))

    def of(self, how: JoinKind, steps: tuple[Step, ...]) -> float:
        """Return the figure that some steps give over the table joined in a way."""
        second = _rejoined(self.join, how)
        return self.engine.figure(Plan(source=self.source, source_schema=second.schema_, second=second, steps=steps))


def _plain(column: Col) -> Col:
    return Col(name=column.name)


def _rejoined(join: Join, how: JoinKind) -> Join:
    return Join(
        other=join.other, first_schema=join.first_schema, other_schema=join.other_schema, keys=join.keys, how=how
    )


def _matches(books: _Pair) -> Evidence:
    """Say how many rows of each table have a match, and how many rows the joined table has."""
    join, found = books.join, books.rows - books.without_match
    sentences = [
        f"Matched by {say_keys(join)}: {found:,} of {books.rows:,} rows of `{books.source}` have a match in "
        f"`{join.other}`{_unmatched(books)}."
    ]
    expected = {
        JoinKind.LEFT: books.pairs + books.without_match,
        JoinKind.INNER: books.pairs,
        JoinKind.OUTER: books.pairs + books.without_match + books.swapped.without_match,
        JoinKind.SEMI: found,
        JoinKind.ANTI: books.without_match,
    }[join.how]
    holds = int(books.of(join.how, _ROWS)) == expected
    if join.how.adds_columns:
        sentences += _of_other(books)
    if not holds:
        sentences.append("The joined table has another number of rows than its pairs make.")
    if not found and books.rows:
        sentences.append("No key is in both tables: check that it is the right column, and written alike in both.")
    sound = holds and (found > 0 or not books.rows or join.how is JoinKind.ANTI)
    verdict = Verdict.PASSED if sound else Verdict.FAILED
    return Evidence(check="joined", verdict=verdict, sentence=" ".join(sentences), figure=found)


def _unmatched(books: _Pair) -> str:
    if not books.without_match:
        return ""
    lost = {
        JoinKind.LEFT: f", kept without values of `{books.join.other}`",
        JoinKind.OUTER: f", kept without values of `{books.join.other}`",
        JoinKind.INNER: ", left out",
    }.get(books.join.how, "")
    keyless = f" ({books.without_key:,} without a key)" if books.without_key else ""
    return f", {books.without_match:,} without{keyless}{lost}"


def _of_other(books: _Pair) -> Iterator[str]:
    other = books.swapped
    if other.without_match:
        kept = books.join.how is JoinKind.OUTER
        what = f"are kept without values of `{books.source}`" if kept else "are left out"
        yield f"{other.without_match:,} of {other.rows:,} rows of `{other.source}` match none and {what}."
    if books.repeated:
        yield (
            f"Careful: the key names several rows of `{other.source}`, so {books.pairs:,} pairs come of "
            f"{books.rows - books.without_match:,} rows of `{books.source}`, {books.repeated:,} of them repeated."
        )


def _totals(plan: Plan, books: _Pair) -> Iterator[Evidence]:
    """Yield, for each figure that weighs rows, whether the rows of its column's table are there once."""
    for measure in weighed_measures(plan):
        if measure.column is None:
            continue
        sides = sides_of(plan, measure.column.name)
        for side, pair in ((Side.FIRST, books), (Side.SECOND, books.swapped)):
            if side in sides:
                yield from _counted_once(plan, measure, pair, side)


def _counted_once(plan: Plan, measure: Measure, pair: _Pair, side: Side) -> Iterator[Evidence]:
    column = measure.column.name if measure.column is not None else ""
    own = _own_name(plan.second, column, side)
    if pair.repeated and measure.function in _TOTALS:
        yield Evidence(
            check=f"counted_once_{column}",
            verdict=Verdict.FAILED,
            sentence=(
                f"`{column}` would be counted several times: the join repeats rows of `{pair.source}` "
                f"{_times(pair.repeated)}.{_alone(own, measure, pair)} Compute this over `{pair.source}` alone, or add "
                f"up `{pair.join.other}` by its key first."
            ),
        )
    elif pair.repeated:
        yield Evidence(
            check=f"counted_once_{column}",
            verdict=Verdict.PASSED,
            sentence=(
                f"Careful: a row of `{pair.source}` weighs as often in `{measure.name}` as `{pair.join.other}` has "
                "rows for it."
            ),
        )
    elif own is not None and measure.function in _TOTALS:
        yield _reconciled(own, measure, pair)


def _times(number: int) -> str:
    return f"{number:,} time{'s' if number > 1 else ''}"


def _own_name(second: Second | None, column: str, side: Side) -> str | None:
    """Return what a column is called in its own table, None for one that a plan computes."""
    if not isinstance(second, Join):
        return None
    if side is Side.FIRST:
        merged = second.how is JoinKind.OUTER and column in {p.first.name for p in second.keys if p.is_one_column}
        return column if column in second.first_schema.names and not merged else None
    return next((old for old, new in second.taken.items() if new == column), None)


def _alone(own: str | None, measure: Measure, pair: _Pair) -> str:
    if own is None:
        return ""
    return f" Its total over `{pair.source}` is {_figure(pair.of_first(_total_of(own, measure)))}."


def _total_of(own: str, measure: Measure) -> tuple[Step, ...]:
    return (Aggregate(measures=(Measure(function=measure.function, column=Col(name=own)),)),)


def _reconciled(own: str, measure: Measure, pair: _Pair) -> Evidence:
    """Compare the total of a table with what its rows give in the joined table, with and without a match."""
    total = _total_of(own, measure)
    alone, matched, rest = pair.of_first(total), pair.of(JoinKind.INNER, total), pair.of(JoinKind.ANTI, total)
    if not math.isfinite(alone):
        sentence = f"`{own}` has values that are not finite, so its total says nothing."
        return Evidence(check=f"counted_once_{own}", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)
    size = max(abs(alone), abs(matched), abs(rest))
    equal = math.isclose(matched + rest, alone, rel_tol=RELATIVE_TOLERANCE * 10, abs_tol=size * RELATIVE_TOLERANCE)
    parts = f" ({_figure(matched)} in rows with a match, {_figure(rest)} in rows without)" if rest else ""
    says = f"counts once: {_figure(matched + rest)} {'=' if equal else '≠'} its total in `{pair.source}`{parts}"
    return Evidence(
        check=f"counted_once_{own}",
        verdict=Verdict.PASSED if equal else Verdict.FAILED,
        sentence=f"`{own}` {says}.",
        figure=alone,
    )


def _stacked(plan: Plan, union: Union, engine: Engine) -> Evidence:
    """Say how many rows come from each table, and which columns only one of them has."""
    first = _count(plan.source, union.first_schema, engine)
    with closing(engine.swapped()) as swapped:
        second = _count(union.other, union.other_schema, swapped)
    both = int(engine.figure(plan.with_steps(_ROWS)))
    holds = first + second == both
    lacking = ""
    if union.only_in_one:
        named = ", ".join(f"`{name}`" for name in union.only_in_one)
        lacking = f" Careful: {named} {'is' if len(union.only_in_one) == 1 else 'are'} in one of the two only."
    sign, sides = "=" if holds else "≠", f"{first:,} rows of `{plan.source}` and {second:,} of `{union.other}`"
    return Evidence(
        check="joined",
        verdict=Verdict.PASSED if holds else Verdict.FAILED,
        sentence=f"{sides} {sign} {both:,} rows.{lacking}",
        figure=both,
    )


def _count(source: str, schema: Schema, engine: Engine) -> int:
    return int(engine.figure(Plan(source=source, source_schema=schema, steps=_ROWS)))


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
