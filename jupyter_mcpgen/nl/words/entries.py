"""What the phrases of a language's data file mean: which of its tables holds words of which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit, MatchMode
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind


def entries_of(tree: Mapping[str, Any]) -> Iterator[tuple[str, Meaning]]:
    """Yield every phrase of a language with what it means, from the tables of its data file."""
    for key, meaning in _SIMPLE.items():
        yield from ((phrase, meaning) for phrase in tree.get(key, ()))
    for table, make in _TABLES.items():
        for name, phrases in tree.get(table, {}).items():
            yield from ((phrase, make(name)) for phrase in phrases)
    for name, words in tree["calendar"].items():
        yield from ((word, m.PartValue(DateUnit(name), number)) for number, word in enumerate(words, 1))
    for of, operators in tree.get("comparisons_of", {}).items():
        yield from (
            (phrase, m.Comparison(CompareOp(op), of)) for op, phrases in operators.items() for phrase in phrases
        )
    for name, numbered in _OF_DAYS.items():
        for numbers, words in tree.get(name, {}).items():
            yield from ((word, numbered(word, tuple(int(n) for n in numbers.split()))) for word in words)
    yield from ((word, m.Describing(word)) for word in tree.get("describing", ()))
    yield from ((word, m.Describing(word, deals=True)) for word in tree.get("dealing", ()))
    yield from ((word.casefold(), m.Number(number)) for word, number in tree["numbers"].items())
    yield from ((word, m.Ordinal(number)) for word, number in tree.get("ordinals", {}).items())
    yield from ((word, m.Scale(factor)) for word, factor in tree["scales"].items())


_TABLES: Mapping[str, Callable[[str], Meaning]] = {
    "functions": lambda name: m.Function(AggregateFunction(name)),
    "functions_of_dates": lambda name: m.Function(AggregateFunction(name), dates_only=True),
    "comparisons": lambda name: m.Comparison(CompareOp(name)),
    "comparisons_with_constants": lambda name: m.Comparison(CompareOp(name), with_constants=True),
    "comparisons_leaving_out": lambda name: m.Comparison(CompareOp(name), wide=True),
    "comparisons_after": lambda name: m.OrMore(CompareOp(name)),
    "times": lambda name: m.TimeSide(CompareOp(name)),
    "matches": lambda name: m.Matching(MatchMode(name)),
    "units": lambda name: m.Unit(DateUnit(name)),
    "unit_adjectives": lambda name: m.Unit(DateUnit(name), adjective=True),
    "charts": lambda name: m.ChartWord(ChartKind(name)),
    "spreads": lambda name: m.ChartWord(ChartKind(name), spread=True),
    "unsupported": m.Unsupported,
}

_OF_DAYS: Mapping[str, Callable[[str, tuple[int, ...]], Meaning]] = {
    "half_days": lambda word, numbers: m.HalfDay(numbers[0]),
    "clocks": lambda word, numbers: m.Clock(numbers[0]),
    "parts_of_day": lambda word, numbers: m.Hours(numbers[0], numbers[1], word),
    "seasons": m.Season,
}
"""Words by the numbers of hours or months that they stand for."""

_SIMPLE: Mapping[str, Meaning] = {
    "filler_phrases": m.Filler(),
    "rows": m.RowNoun("rows"),
    "pronouns": m.RowNoun("rows", pronoun=True),
    "table": m.TableNoun(),
    "column_noun": m.ColumnNoun(),
    "list_rows": m.ListRows(),
    "by": m.GroupWord(),
    "each": m.GroupWord(each=True),
    "where": m.WhereWord(),
    "conjunction": m.And(),
    "disjunction": m.Or(),
    "joint_denial": m.Nor(),
    "to": m.To(),
    "then": m.Then(),
    "of": m.Of(),
    "determiner": m.Determiner(),
    "versus": m.Versus(),
    "negation": m.Not(),
    "exclusion": m.Not(wide=True),
    "lacking": m.Lacking(),
    "count": m.CountWord(),
    "count_after": m.CountWord(trailing=True),
    "missing": m.MissingWord(),
    "distinct_values": m.DistinctWord(),
    "overview": m.Overview(),
    "varies": m.Varies(),
    "no_chart": m.NoChart(),
    "highest": m.Extreme(descending=True),
    "lowest": m.Extreme(descending=False),
    "most": m.Extreme(descending=True, counts=True),
    "fewest": m.Extreme(descending=False, counts=True),
    "top": m.Extreme(descending=True, ranks=True),
    "bottom": m.Extreme(descending=False, ranks=True),
    "first": m.FirstWord(),
    "most_common": m.MostCommon(descending=True),
    "most_common_label": m.MostCommon(descending=True, of_labels=True),
    "least_common": m.MostCommon(descending=False),
    "descending": m.Direction(descending=True),
    "ascending": m.Direction(descending=False),
    "sort": m.SortWord(),
    "between": m.Between(),
    "how_much": m.HowMuch(),
    "relation": m.Relation(),
    "true_words": m.Truth(value=True),
    "x_axis": m.Axis("x"),
    "y_axis": m.Axis("y"),
    "over": m.Over(),
    "each_one": m.EachOne(),
    "group_verbs": m.GroupVerb(),
    "amount_of": m.AmountOf(),
    "in_words": m.InWord(),
    "row_tails": m.RowTail(),
    "letter_words": m.LetterWord(),
    "false_words": m.Truth(value=False),
}
