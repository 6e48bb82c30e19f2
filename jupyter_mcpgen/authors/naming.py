"""Names of tools, from the shape of their plans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import accumulate

from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import DatePart
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Pivot,
    Resample,
    Sort,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, JoinKind, Summary, Union
from jupyter_mcpgen.plan.statistics import (
    Anova,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    LinearRegression,
    MeanInterval,
    Normality,
    OutlierMethod,
    Outliers,
    OutlierSide,
    Statistic,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)

_LONGEST = 60
_SHORT = {AggregateFunction.COUNT: "count", AggregateFunction.COUNT_DISTINCT: "count_distinct"}


def tool_name(plan: Plan, taken: Set[str]) -> str:
    """Return a name such as `sum_by_group`, or a more specific one where that belongs to another tool.

    The columns are named then, the conditions, the order and the table, alone and together. A name never ends in a
    number that only tells it apart; when every word of the plan is used up, the most specific name is returned, and
    the person is asked for another when the tool is saved.
    """
    general = "_".join([*_words(plan), *_of_two(plan)])
    columns = _named_columns(plan)
    return first_free(general, ["_".join(columns), *_details(plan), f"in_{plan.source}", *columns], taken)


def first_free(general: str, details: Sequence[str], taken: Set[str]) -> str:
    """Return the first name that is free: the general one, then with more and more details, then with each alone.

    Details that do not fit are cut last of all. Without a free name it is the longest one.
    """
    slugs = [slug for detail in dict.fromkeys(details) if (slug := _slug(detail))]
    start = _shortened(general)
    whole = [*accumulate(slugs, _with, initial=start), *(_with(start, slug) for slug in slugs)]
    names = [*whole, *accumulate(slugs, _with_words_of, initial=start)]
    return next((name for name in names if name not in taken), max(names, key=len))


def _with(name: str, slug: str) -> str:
    """Return a name with a detail, or without it where it does not fit or is said already."""
    longer = f"{name}_{slug}"
    return name if len(longer) > _LONGEST or f"_{slug}_" in f"{name}_" else longer


def _with_words_of(name: str, slug: str) -> str:
    """Return a name with as many words of a detail as fit."""
    words = slug.split("_")
    fitting = (_with(name, "_".join(words[:count])) for count in range(len(words), 0, -1))
    return next((longer for longer in fitting if longer != name), name)


def _details(plan: Plan) -> Iterator[str]:
    """Yield what a plan says besides its operations and columns: conditions and order, in words."""
    for step in plan.steps:
        match step:
            case Filter():
                yield say_predicate(step.predicate)
            case Sort() | TopPerGroup():
                yield "_then_".join(f"{'largest' if key.descending else 'smallest'} {key.column}" for key in step.keys)
            case Limit():
                yield f"first {step.count}"
            case Derive():
                yield f"with {step.name}"
            case _:
                pass
    if plan.chart is not None:
        yield f"as {plan.chart.kind.value}"


def _named_columns(plan: Plan) -> list[str]:
    """Return the columns that a plan works on, in the table's order."""
    used = used_columns(plan)
    return [name for name in plan.source_schema.names if name in used]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")


def _shortened(name: str) -> str:
    return name[:_LONGEST].rstrip("_")


def _of_two(plan: Plan) -> list[str]:
    """Say how a second table comes in."""
    match plan.second:
        case None:
            return []
        case Union():
            return ["of_both"]
        case Join(how=JoinKind.ANTI):
            return ["without_match"]
        case Join(how=JoinKind.SEMI):
            return ["with_match"]
        case Join(how=JoinKind.OUTER):
            return ["fully_joined"]
        case Join():
            return ["joined"]
        case Summary():
            functions = dict.fromkeys(_SHORT.get(m.function, m.function.value) for m in plan.second.measures)
            return ["with", "_and_".join(functions), "of_other"]


def _words(plan: Plan) -> list[str]:
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    describes = any(isinstance(step, Describe) for step in plan.steps)
    limited = any(isinstance(step, Limit) for step in plan.steps)
    filtered = any(isinstance(step, Filter) for step in plan.steps)
    words = ["top"] if limited or any(isinstance(step, TopPerGroup) for step in plan.steps) else []
    words += dict.fromkeys(step.function.value for step in plan.steps if isinstance(step, Window))
    remade = next((step for step in plan.steps if isinstance(step, Resample | Pivot | Distinct)), None)
    tested = next((step for step in plan.steps if isinstance(step, Statistic)), None)
    if aggregate is None and remade is not None:
        words += _remade(remade)
    elif aggregate is None and tested is not None:
        words += _tested(tested)
    elif aggregate is not None:
        words += ["count", *_tested(tested)] if tested is not None else _measures(aggregate)
        words += ["by", *_keys(plan, aggregate)] if aggregate.by.names else []
    elif describes:
        grouped = any(isinstance(step, Describe) and step.by.names for step in plan.steps)
        words.append("describe_groups" if grouped else "describe_columns")
    elif any(isinstance(step, Sort) for step in plan.steps):
        words.append("rows" if limited else "sorted_rows")
    else:
        words.append("rows" if filtered or limited or isinstance(plan.second, Summary) else "select_columns")
    return [*words, "where"] if filtered else words


def _tested(step: Statistic) -> list[str]:
    match step:
        case TwoGroups() | TwoColumns():
            return ["t_test" if step.test is TwoSampleTest.WELCH else step.test.value, step.kind]
        case Anova(post_hoc=True):
            return ["anova_with_tukey_hsd"]
        case Correlations() | CorrelationMatrix():
            grouped = isinstance(step, Correlations) and step.by.names
            method = [] if step.method is CorrelationMethod.PEARSON else [step.method.value]
            return [*method, step.kind, *(["by_group"] if grouped else [])]
        case LinearRegression() | Normality() | MeanInterval():
            return [step.kind, *(["by_group"] if step.by.names else [])]
        case Outliers():
            method = ["z_score"] if step.method is OutlierMethod.Z_SCORE else []
            side = [] if step.side is OutlierSide.BOTH else [step.side.value]
            return ["_".join([*method, *side, "outliers", *(["by_group"] if step.by.names else [])])]
        case _:
            return [step.kind]


def _remade(step: Resample | Pivot | Distinct) -> list[str]:
    match step:
        case Resample():
            functions = dict.fromkeys(measure.function.value for measure in step.measures)
            groups = ["and_group"] if step.by.names else []
            return ["_and_".join(functions), "per", step.unit.value.removeprefix("start_of_"), *groups]
        case Pivot():
            return [step.measure.function.value, "pivot"]
        case Distinct():
            return ["distinct_values"]


def _measures(aggregate: Aggregate) -> list[str]:
    functions = dict.fromkeys(_SHORT.get(m.function, m.function.value) for m in aggregate.measures)
    whole = not aggregate.by.names and len(functions) == 1 and next(iter(functions)) == "count"
    return ["count_rows"] if whole else ["_and_".join(functions), *([] if aggregate.by.names else ["of_column"])]


def _keys(plan: Plan, aggregate: Aggregate) -> list[str]:
    units = {
        step.name: step.expression.unit.value.removeprefix("start_of_")
        for step in plan.steps
        if isinstance(step, Derive) and isinstance(step.expression, DatePart)
    }
    return ["_and_".join(dict.fromkeys(units.get(name, "group") for name in aggregate.by.names))]
