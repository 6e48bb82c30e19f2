"""What must add up where two tables become one: every row has a match or not, and no value counts several times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.matching import RELATIVE_TOLERANCE
from jupyter_mcpgen.pipeline.pair import ROWS, Pair
from jupyter_mcpgen.pipeline.summary_accounting import account_summary
from jupyter_mcpgen.plan.english_sources import say_keys
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import Side, is_multiplied, sides_of, weighed_measures
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, Second, Summary, Union
from jupyter_mcpgen.wording import in_digits

_TOTALS = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})
"""Functions whose figure grows with every row that is there twice."""


def account_second(plan: Plan, engine: Engine) -> tuple[Evidence, ...]:
    """Return where the rows of both tables went, and whether the values that are added up count once."""
    match plan.second:
        case Join() as join:
            with closing(engine.swapped()) as swapped:
                books = Pair(plan.source, join, engine, swapped)
                totals = tuple(_totals(plan, books)) if join.how.adds_columns else ()
                return (*totals, _matches(books))
        case Union() as union:
            return (_stacked(plan, union, engine),)
        case Summary() as summary:
            with closing(engine.swapped()) as swapped:
                return tuple(account_summary(plan, summary, engine, swapped))
        case None:
            return ()


def _matches(books: Pair) -> Evidence:
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
    holds = int(books.of(join.how, ROWS)) == expected
    if join.how.adds_columns:
        sentences += _of_other(books)
    if not holds:
        sentences.append("The joined table has another number of rows than its pairs make.")
    if not found and books.rows:
        sentences.append("No key is in both tables: check that it is the right column, and written alike in both.")
    sound = holds and (found > 0 or not books.rows or join.how is JoinKind.ANTI)
    verdict = Verdict.PASSED if sound else Verdict.FAILED
    whole = not books.without_match and len(sentences) == 1
    place = Place.FOLDED if whole else Place.NOTE
    return Evidence(check="joined", verdict=verdict, sentence=" ".join(sentences), figure=found, place=place)


def _unmatched(books: Pair) -> str:
    if not books.without_match:
        return ""
    lost = {
        JoinKind.LEFT: f", kept without values of `{books.join.other}`",
        JoinKind.OUTER: f", kept without values of `{books.join.other}`",
        JoinKind.INNER: ", left out",
    }.get(books.join.how, "")
    keyless = f" ({books.without_key:,} without a key)" if books.without_key else ""
    return f", {books.without_match:,} without{keyless}{lost}"


def _of_other(books: Pair) -> Iterator[str]:
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


def _totals(plan: Plan, books: Pair) -> Iterator[Evidence]:
    """Yield, for each figure that weighs rows, whether the rows of its column's table are there once."""
    for measure in weighed_measures(plan):
        if measure.column is None:
            continue
        sides, both = sides_of(plan, measure.column.name), ((Side.FIRST, books), (Side.SECOND, books.swapped))
        own = [pair for side, pair in both if not pair.repeated and is_multiplied(plan, measure.column.name, side)]
        if own:
            yield _multiplied(measure.column.name, own[0])
            continue
        for side, pair in both:
            if side in sides:
                yield from _counted_once(plan, measure, pair, side)


def _multiplied(column: str, whole: Pair) -> Evidence:
    """Return that each row of a table has one value, by which what the other table has for it is multiplied."""
    return Evidence(
        check=f"counted_once_{column}",
        verdict=Verdict.PASSED,
        sentence=(
            f"`{column}` is each row's of `{whole.source}`, multiplied by what `{whole.join.other}` has for it; the "
            "join repeats none of these rows."
        ),
    )


def _counted_once(plan: Plan, measure: Measure, pair: Pair, side: Side) -> Iterator[Evidence]:
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
            place=Place.NOTE,
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


def _alone(own: str | None, measure: Measure, pair: Pair) -> str:
    if own is None:
        return ""
    return f" Its total over `{pair.source}` is {in_digits(pair.of_first(_total_of(own, measure)))}."


def _total_of(own: str, measure: Measure) -> tuple[Step, ...]:
    return (Aggregate(measures=(Measure(function=measure.function, column=Col(name=own)),)),)


def _reconciled(own: str, measure: Measure, pair: Pair) -> Evidence:
    """Compare the total of a table with what its rows give in the joined table, with and without a match."""
    total = _total_of(own, measure)
    alone, matched, rest = pair.of_first(total), pair.of(JoinKind.INNER, total), pair.of(JoinKind.ANTI, total)
    if not math.isfinite(alone):
        sentence = f"`{own}` has values that are not finite, so its total says nothing."
        return Evidence(check=f"counted_once_{own}", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)
    size = max(abs(alone), abs(matched), abs(rest))
    equal = math.isclose(matched + rest, alone, rel_tol=RELATIVE_TOLERANCE * 10, abs_tol=size * RELATIVE_TOLERANCE)
    parts = f" ({in_digits(matched)} in rows with a match, {in_digits(rest)} in rows without)" if rest else ""
    says = f"counts once: {in_digits(matched + rest)} {'=' if equal else '≠'} its total in `{pair.source}`{parts}"
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
    both = int(engine.figure(plan.with_steps(ROWS)))
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
        place=Place.NOTE,
    )


def _count(source: str, schema: Schema, engine: Engine) -> int:
    return int(engine.figure(Plan(source=source, source_schema=schema, steps=ROWS)))
