"""Writes how a second table, the variable `other`, comes to the first: `merge`, a mask of matches, or `concat`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from jupyter_mcpgen.plan.emit.pandas_groups import argument, write_aggregate
from jupyter_mcpgen.plan.emit.pandas_writer import FRAME, Writer
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import ZERO_WHEN_EMPTY, AggregateFunction, Measure
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second, Summary, Union

OTHER = "other"
_FOUND = "found"


def write_second(second: Second, writer: Writer) -> None:
    """Write the table that is made of two; every later step works on it."""
    match second:
        case Join(how=JoinKind.SEMI | JoinKind.ANTI):
            _write_matches(second, writer)
        case Join():
            _write_merge(second, writer)
        case Union():
            writer.replace("stacked", f"pd.concat([{FRAME}, {OTHER}], ignore_index=True)")
            if second.mixed:
                kinds = ", ".join(f'{name!r}: "float64"' for name in second.mixed)
                writer.chain.append(f".astype({{{kinds}}})")
        case Summary():
            _write_summary(second, writer)
        case _:
            assert_never(second)


def _write_merge(join: Join, writer: Writer) -> None:
    """Write a merge; a row without a key is left out of the second table, because pandas pairs missing with missing."""
    first, second = _names(join, "first"), _names(join, "second")
    writer.statements.append(f"matches = {OTHER}.dropna(subset=[{', '.join(second)}]){_as_numbers(join, 'second')}")
    same = first == second
    on = f"on={_one_or_list(first)}" if same else f"left_on={_one_or_list(first)}, right_on={_one_or_list(second)}"
    clash = any(new != old for old, new in join.taken.items()) or any(p.first.parameter for p in join.keys)
    suffixes = f', suffixes=("", {join.suffix!r})' if clash else ""
    once = f', validate="{join.relation.value}"' if join.relation is not Relation.MANY_TO_MANY else ""
    frame = f"{FRAME}{_as_numbers(join, 'first')}"
    if join.how is not JoinKind.OUTER:
        writer.replace("joined", f'{frame}.merge(matches, how="{join.how.value}", {on}{suffixes}{once})')
        return
    # an outer merge of pandas orders the rows by their keys
    alone = f"{OTHER}[~{_is_in(join, OTHER, 'second', FRAME, 'first', writer)}]{_as_numbers(join, 'second')}"
    writer.statements += [
        f'joined = {frame}.merge(matches, how="left", {on}{suffixes}{once})',
        f'unmatched = {frame}.iloc[:0].merge({alone}, how="right", {on}{suffixes})',
    ]
    writer.replace("both", "pd.concat([joined, unmatched], ignore_index=True)")


def _write_summary(summary: Summary, writer: Writer) -> None:
    """Write figures of each key of the second table, merged to the first; `groupby` leaves out rows without a key."""
    first, second = _names(summary, "first"), _names(summary, "second")
    schema = summary.typed_schemas[1]
    named = {name: repr(name) for name in schema.names} | dict(zip(summary.grouped.by.names, second, strict=True))
    grouped = Writer(frame=f"{OTHER}{_as_numbers(summary, 'second')}", names=named)
    write_aggregate(summary.grouped, schema, grouped)
    if first != second:
        renamed = ", ".join(f"{own}: {new}" for own, new in zip(second, first, strict=True) if own != new)
        grouped.chain.append(f".rename(columns={{{renamed}}})")
    writer.statements += [*grouped.statements, f"summary = {grouped.value}"]
    frame = f"{FRAME}{_as_numbers(summary, 'first')}"
    once = f'validate="{summary.relation.value}"'
    figures = {figure.name: grouped.names[figure.name] for figure in summary.figures}
    sums = [figure.name for figure in summary.figures if _may_be_missing(figure)]
    mark = _FOUND
    while mark in writer.names or mark in figures:
        mark += "_"
    marked = f", indicator={mark!r}" if sums else ""
    writer.replace("joined", f'{frame}.merge(summary, how="left", on={_one_or_list(first)}, {once}{marked})')
    _fill_with_zero(summary.figures, figures, writer)
    if sums:
        # a key whose rows have no value keeps a missing sum
        no_rows = f'joined[{mark!r}] == "left_only"'
        cells = (argument(name, figures[name], f"joined[{figures[name]}].mask({no_rows}, 0)") for name in sums)
        writer.chain += [f".assign({', '.join(cells)})", f".drop(columns={mark!r})"]
    writer.names = {**writer.names, **figures}


def _may_be_missing(figure: Measure) -> bool:
    return figure.function is AggregateFunction.SUM


def _fill_with_zero(measures: tuple[Measure, ...], named: Mapping[str, str], writer: Writer) -> None:
    """Write that a count of no rows is 0."""
    counts = [named[m.name] for m in measures if m.function in ZERO_WHEN_EMPTY and not _may_be_missing(m)]
    if counts:
        writer.chain.append(f".fillna({{{', '.join(f'{name}: 0' for name in counts)}}})")
        kinds = ", ".join(f'{name}: "int64"' for name in counts)
        writer.chain.append(f".astype({{{kinds}}})")


def _write_matches(join: Join, writer: Writer) -> None:
    """Write the rows that have a match in the second table, or those that have none."""
    found = _is_in(join, FRAME, "first", OTHER, "second", writer)
    writer.replace("matched" if join.how is JoinKind.SEMI else "unmatched", f"{FRAME}[{_not(join)}{found}]")


def _is_in(join: Join, table: str, side: str, among: str, their_side: str, writer: Writer) -> str:
    """Return which rows of a table have a key that the other one has too; a missing key is in none."""
    own, theirs = _names(join, side), _names(join, their_side)
    if len(join.keys) == 1:
        number = '.astype("float64")' if join.is_mixed(join.keys[0]) else ""
        return f"{table}[{own[0]}]{number}.isin({among}[{theirs[0]}].dropna(){number})"
    known = f"{among}[[{', '.join(theirs)}]].dropna(){_as_numbers(join, their_side)}"
    writer.statements.append(f"known = pd.MultiIndex.from_frame({known})")
    return f"pd.MultiIndex.from_frame({table}[[{', '.join(own)}]]{_as_numbers(join, side)}).isin(known)"


def _not(join: Join) -> str:
    return "~" if join.how is JoinKind.ANTI else ""


def _names(join: Join | Summary, side: str) -> list[str]:
    return [_name(_column(pair, side)) for pair in join.keys]


def _column(pair: KeyPair, side: str) -> Col:
    return pair.first if side == "first" else pair.second


def _name(column: Col) -> str:
    return column.parameter or repr(column.name)


def _one_or_list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _as_numbers(join: Join | Summary, side: str) -> str:
    """Make real numbers of the keys that are whole numbers in one of the tables."""
    mixed = [_name(_column(pair, side)) for pair in join.keys if join.is_mixed(pair)]
    kinds = ", ".join(f'{name}: "float64"' for name in mixed)
    return f".astype({{{kinds}}})" if mixed else ""
