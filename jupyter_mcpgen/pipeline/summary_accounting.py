"""What must add up where figures of a second table stand beside the rows of the first."""

from __future__ import annotations

import math
from collections.abc import Iterator

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.matching import RELATIVE_TOLERANCE
from jupyter_mcpgen.pipeline.pair import ROWS, Pair, plain
from jupyter_mcpgen.plan.english_sources import say_keys
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Distinct, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import weighed_measures
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Summary
from jupyter_mcpgen.wording import in_digits

_TOTALS = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})


def account_summary(plan: Plan, summary: Summary, engine: Engine, swapped: Engine) -> Iterator[Evidence]:
    """Yield where the rows of both tables went, and whether the figures give the totals of the second table."""
    keys = tuple(KeyPair(first=plain(pair.first), second=plain(pair.second)) for pair in summary.keys)
    schemas = {"first_schema": summary.first_schema, "other_schema": summary.other_schema}
    books = Pair(plan.source, Join(other=summary.other, keys=keys, **schemas), engine, swapped)
    yield _rows(plan, summary, books)
    for figure in summary.figures:
        if figure.function in _TOTALS:
            yield _counted_once(plan, figure, books)


def _rows(plan: Plan, summary: Summary, books: Pair) -> Evidence:
    """Say how many rows of each table have a match; the first table has as many rows as before."""
    found, other = books.rows - books.without_match, books.swapped
    keyless = f" ({books.without_key:,} without a key)" if books.without_key else ""
    has = "has" if books.without_match == 1 else "have"
    none = f", {books.without_match:,} {has} none{keyless}" if books.without_match else ""
    sentences = [
        f"Matched by {say_keys(summary)}: {found:,} of {books.rows:,} rows of `{books.source}` have rows in "
        f"`{summary.other}`{none}."
    ]
    if other.without_match:
        gone = f" ({other.without_key:,} without a key)" if other.without_key else ""
        sentences.append(
            f"{other.without_match:,} of {other.rows:,} rows of `{summary.other}` match none and are left out{gone}."
        )
    kept = int(books.engine.figure(plan.with_steps(ROWS))) == books.rows
    if not kept:
        sentences.append(f"The table has another number of rows than `{books.source}`.")
    if not found and books.rows:
        sentences.append("No key is in both tables: check that it is the right column, and written alike in both.")
    sound = kept and (found > 0 or not books.rows)
    verdict = Verdict.PASSED if sound else Verdict.FAILED
    place = Place.NOTE if books.without_match or len(sentences) > 1 else Place.FOLDED
    return Evidence(check="joined", verdict=verdict, sentence=" ".join(sentences), figure=found, place=place)


def _counted_once(plan: Plan, figure: Measure, books: Pair) -> Evidence:
    """Say whether a figure adds up; a plan that adds it up where rows share a key counts rows of the second again."""
    if not books.swapped.repeated:
        return _total(plan, figure, books)
    several = f"several rows of `{books.source}` share a key, so the same `{figure.name}` stands in each of them"
    if _is_added_up(plan, figure):
        said = f"`{figure.name}` would be counted several times: {several}."
        return Evidence(check=f"counted_once_{figure.name}", verdict=Verdict.FAILED, sentence=said)
    keys = tuple(pair.first.name for pair in books.join.keys)
    once = _total(plan, figure, books, Distinct(columns=Columns(names=(*keys, figure.name))))
    return once.model_copy(
        update={"sentence": f"Careful: {several}. Taken once per key, {once.sentence}", "place": Place.NOTE}
    )


def _is_added_up(plan: Plan, figure: Measure) -> bool:
    return any(
        measure.column is not None and measure.column.name == figure.name and measure.function in _TOTALS
        for measure in weighed_measures(plan)
    )


def _total(plan: Plan, figure: Measure, books: Pair, *only: Step) -> Evidence:
    """Compare a figure, added up over the first table, with that of the whole second table less what matches none."""
    alone = figure.model_copy(update={"column": plain(figure.column) if figure.column is not None else None})
    over_all = (Aggregate(measures=(alone,)),)
    whole, left_out = books.swapped.of_first(over_all), books.swapped.of(JoinKind.ANTI, over_all)
    added = Measure(function=AggregateFunction.SUM, column=Col(name=figure.name))
    shown = books.engine.figure(plan.with_steps((*only, Aggregate(measures=(added,)))))
    if not math.isfinite(whole):
        sentence = f"`{figure.name}` has values that are not finite, so its total says nothing."
        return Evidence(check=f"counted_once_{figure.name}", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)
    size = max(abs(whole), abs(left_out), abs(shown))
    equal = math.isclose(shown + left_out, whole, rel_tol=RELATIVE_TOLERANCE * 10, abs_tol=size * RELATIVE_TOLERANCE)
    what = f"{'total' if figure.function is AggregateFunction.SUM else 'number'} in `{books.join.other}`"
    parts = f" ({in_digits(shown)} beside rows, {in_digits(left_out)} in rows that match none)" if left_out else ""
    return Evidence(
        check=f"counted_once_{figure.name}",
        verdict=Verdict.PASSED if equal else Verdict.FAILED,
        sentence=f"`{figure.name}` adds up: {in_digits(shown + left_out)} {'=' if equal else '≠'} its {what}{parts}.",
        figure=shown,
    )
