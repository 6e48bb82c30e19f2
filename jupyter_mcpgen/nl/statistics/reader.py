"""Reads a question for a statistic: the readings it may have, a question back for columns, or a refusal."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.parts import collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.parsing.parse import Parsed, parse
from jupyter_mcpgen.nl.predicates import about
from jupyter_mcpgen.nl.reading import Asked, Reading, Refused
from jupyter_mcpgen.nl.refusal import MOST_WORDS, columns_near, nearest_column
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.statistics.choice import Choice
from jupyter_mcpgen.nl.statistics.figures import Figures, figures_in
from jupyter_mcpgen.nl.statistics.intervals import other_interval
from jupyter_mcpgen.nl.statistics.lacking import Lacking, two_kinds_of_groups
from jupyter_mcpgen.nl.statistics.named import (
    Named,
    conditions_of_sides,
    named_in,
    with_listed_groups,
    without_other_sides,
)
from jupyter_mcpgen.nl.statistics.plans import choices
from jupyter_mcpgen.nl.statistics.request import MOST_MISSING, OPPOSED, SURELY_A_NAME, Request, take_request
from jupyter_mcpgen.nl.statistics.vocabulary import Vocabulary, load_vocabulary
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import All, Compare, CompareOp, IsMissing, Predicate
from jupyter_mcpgen.plan.ops import Filter, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import Anova, KruskalWallis, TwoGroups

TOGETHER = (
    frozenset({"anova", "tukey", "difference", "related", "effect"}),
    frozenset({"t_test", "difference", "related", "effect"}),
    frozenset({"mann_whitney", "difference", "related", "effect"}),
    frozenset({"kruskal", "difference", "related", "effect"}),
    frozenset({"paired", "difference", "related"}),
    frozenset({"wilcoxon", "difference", "related"}),
    frozenset({"chi_square", "related", "relation", "difference"}),
    frozenset({"correlation", "matrix", "heatmap", "strongest", "related", "relation"}),
    frozenset({"regression", "effect", "related"}),
    frozenset({"covariance"}),
    frozenset({"normality", "shapiro"}),
    frozenset({"missing", "complete"}),
    frozenset({"outliers", "low_outliers"}),
    frozenset({"outliers", "high_outliers"}),
    *(frozenset({ask}) for ask in ("duplicates", "same", "cardinality", "quality", "histogram", "box_plot")),
    *(frozenset({ask}) for ask in ("quartiles", "confidence")),
)
"""What one answer can be about; anything else asked for in one breath is asked one after the other."""
_LISTED = frozenset({"anova", "tukey", "kruskal", "confidence"})
"""What is asked of any number of groups, also of those that are listed."""
MOST_COVERS = 12
WORST = 0.9
"""A way to read the rest of the question that costs more than this is not believed."""


def read_statistics(question: str, context: Context, language: str) -> tuple[Reading, ...] | Asked | Refused | None:
    """Return what a question asks of statistics; None when it asks for none, or for something else as well."""
    vocabulary = load_vocabulary(language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    request = take_request(tokens, vocabulary, context) if vocabulary is not None and tokens else None
    if request is None or vocabulary is None:
        return None
    if _asks_beyond(tokens, request, context) or _says_a_column(request, context):
        return None
    if "confidence" in request.asks and len(request.asks) > 1:
        return _answer_to(other_interval(), request)
    if not any(set(request.asks) <= together for together in TOGETHER) or request.said >= {"pearson", "spearman"}:
        several = f"“{request.words}” asks for several statistics at once."
        return Refused(f"{several} {_one_column_of_outliers(request, context) or 'Ask for one after the other.'}")
    rest, notes = corrected(request.rest, context)
    parsed = parse(rest, context)
    readings, lacking = _readings(request, parsed, notes, context)
    if readings:
        return readings
    if _is_weak(request, vocabulary):
        return None
    if lacking is not None:
        return _answer_to(lacking, request)
    return _refusal(request, parsed, tuple(token.text for token in rest), context)


def _answer_to(lacking: Lacking, request: Request) -> Asked | Refused:
    """Ask for what the question does not name; refuse, and record, what no plan can say."""
    if lacking.missing_capability is None:
        return Asked(lacking.sentence)
    return Refused(lacking.sentence, words=(request.words,), missing_capabilities=(lacking.missing_capability,))


def _one_column_of_outliers(request: Request, context: Context) -> str | None:
    """Return what to say where rows are to be left out as outliers, and several columns are named."""
    found = (i.meaning.name for i in link(request.rest, context) if isinstance(i.meaning, m.Column))
    numbers = [name for name in dict.fromkeys(found) if context.is_measure(name)]
    if "outliers" not in request.asks or len(numbers) < 2:
        return None
    return f"Outliers are those of one column: say which, for example “after removing outliers in {numbers[-1]}”."


def _asks_beyond(tokens: tuple[Token, ...], request: Request, context: Context) -> bool:
    """Tell whether something is asked for that no plan can say: the general reader refuses it by name."""
    items = link(tokens, context)
    names = [(i.start, i.end) for i in items if isinstance(i.meaning, m.Column | m.Value) and i.cost <= SURELY_A_NAME]
    return any(
        isinstance(item.meaning, m.Unsupported)
        and not any(start <= item.start and item.end <= end for start, end in names)
        and not any(start <= item.start < end and _is_ours(item, end, context) for start, end in request.spans)
        for item in items
    )


def _is_ours(item: Item, end: int, context: Context) -> bool:
    """Tell whether words are those of a statistic: "difference between" is, "covariance matrix" goes on behind it."""
    beyond = isinstance(item.meaning, m.Unsupported) and item.meaning.capability not in context.lexicon.asked_otherwise
    return not beyond or item.end <= end


def _says_a_column(request: Request, context: Context) -> bool:
    """Tell whether the "complete rows" are those of a column that is called so, and not all that lack nothing."""
    return request.asks == ("complete",) and any(
        word in context.full_names for word in request.words.casefold().split()
    )


def _is_weak(request: Request, vocabulary: Vocabulary) -> bool:
    return set(request.asks) <= vocabulary.weak


def _readings(
    request: Request, parsed: Parsed, notes: tuple[str, ...], context: Context
) -> tuple[tuple[Reading, ...], Lacking | None]:
    best: dict[str, Reading] = {}
    lacking: Lacking | None = None
    for cover in parsed.covers[:MOST_COVERS]:
        parts = collect(cover, context) if not cover.uncovered and cover.cost <= WORST else None
        figures = figures_in(parts, request, context) if parts is not None and not parts.doubts else None
        if isinstance(figures, Lacking):
            lacking = lacking or figures
            continue
        named = named_in(parts, context) if parts is not None and not parts.doubts else None
        named = figures.named if figures is not None else named
        if parts is None or named is None:
            continue
        if not _fits(request, named, context):
            break  # a costlier cover would only say it worse than the general grammar
        said = (*notes, *parts.assumptions, *(figures.notes if figures is not None else ()))
        if OPPOSED in request.said and named.sides is not None and set(named.labels) - {named.sides[0]}:
            lacking = lacking or two_kinds_of_groups(named)
            continue
        named = with_listed_groups(named) if _LISTED & set(request.asks) else without_other_sides(named)
        for choice in choices(request, named):
            if isinstance(choice, Lacking):
                lacking = lacking or choice
                continue
            reading = reading_of(_behind(figures, choice), named, cover.cost, said, context)
            if reading is not None:
                key = say_plan(reading.plan)
                best[key] = min(best.get(key, reading), reading, key=lambda found: found.cost)
    return tuple(sorted(best.values(), key=lambda found: (found.cost, say_plan(found.plan)))), lacking


def _behind(figures: Figures | None, choice: Choice) -> Choice:
    """Return a choice whose steps come after those that make the figures it is of."""
    return choice if figures is None else replace(choice, steps=(*figures.steps, *choice.steps))


def _fits(request: Request, named: Named, context: Context) -> bool:
    """Leave alone what the general grammar says better: rows with, or the number of, missing values of one column."""
    if "missing" not in request.asks or MOST_MISSING in request.said:
        return True
    if any(isinstance(condition, IsMissing) for condition in named.conditions):
        return False  # "missing values in the price column" is about one column, not about the rows that lack it
    if {"each_column", "columns_counted"} & request.said:
        return True
    if "grouped" in request.said and not ("any_row" in request.said and named.labels):
        return False  # missing values are counted by column, not by group
    if "any_row" in request.said:
        return True
    columns = (*named.numbers, *named.labels)
    if request.of_rows and not named.numbers and all(map(context.names_rows, named.labels)):
        return True
    counted_alone = "count" in request.said and len(columns) == 1
    return not counted_alone and request.before not in ("with", "without", "have", "has", "having", "no")


def reading_of(choice: Choice, named: Named, cost: float, notes: tuple[str, ...], context: Context) -> Reading | None:
    """Return a choice as a reading; None where the columns do not fit the statistic."""
    if _is_of_one_group(choice, named):
        return None  # a test of groups of which only one is left compares nothing
    sides = () if any(isinstance(step, TwoGroups) for step in choice.steps) else conditions_of_sides(named)
    steps: tuple[Step, ...] = (*_filter((*sides, *named.conditions)), *choice.steps)
    try:
        plan = Plan(source=context.profile.name, source_schema=context.profile.schema_, steps=steps, chart=choice.chart)
    except PlanError:
        return None  # these columns do not fit this statistic
    return Reading(plan=plan, label="", cost=round(cost + choice.cost, 4), assumptions=(*notes, *choice.notes))


def _is_of_one_group(choice: Choice, named: Named) -> bool:
    groups = {step.group.name for step in choice.steps if isinstance(step, TwoGroups | Anova | KruskalWallis)}
    fixed = [each for each in named.conditions if isinstance(each, Compare) and each.op is CompareOp.EQ]
    return any(about(condition) in groups for condition in fixed)


def _filter(conditions: tuple[Predicate, ...]) -> tuple[Filter, ...]:
    if not conditions:
        return ()
    return (Filter(predicate=conditions[0] if len(conditions) == 1 else All(terms=conditions)),)


def _refusal(request: Request, parsed: Parsed, rest: tuple[str, ...], context: Context) -> Refused:
    """Say which words beside the statistic were not understood."""
    words = _unread(parsed, rest)
    about = [_about(word, context) for word in words[:MOST_WORDS]]
    quoted = f" (“{request.words}”)" if request.words else ""
    sentences = [
        f"This asks for a statistic{quoted}, but I could not read the rest.",
        *(about or ["Name the columns as they are called, and one condition at a time."]),
        columns_near(words, context),
    ]
    return Refused(" ".join(sentences), words=words)


def _unread(parsed: Parsed, rest: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that no reading explains, or explains only by their place."""
    for cover in parsed.covers[:1]:
        assumed = [_assumed(item.meaning) for item in cover.items]
        return tuple(dict.fromkeys([*(rest[place] for place in cover.uncovered), *filter(None, assumed)]))
    return ()


def _assumed(meaning: m.Meaning) -> str | None:
    match meaning:
        case m.RowNoun(noun, True):
            return noun
        case m.Measured(noun=noun):
            return noun
        case m.NamedTable(words):
            return words
        case _:
            return None


def _about(word: str, context: Context) -> str:
    near = nearest_column(word, context)
    hint = f"; the nearest column is `{near}`." if near else "."
    return f"`{word}` is not a column or value of `{context.profile.name}`{hint}"
