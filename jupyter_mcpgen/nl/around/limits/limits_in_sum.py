"""Groups whose amount passes a limit: "clerks with profit below 0" compares the total of each clerk.

Read row by row, a clerk with one such row would be among them, whatever all of the rows come to.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.around.limits.compared_in_sum import group_asked_for
from jupyter_mcpgen.nl.around.limits.limits import amounts_limited, limits_of, products_in
from jupyter_mcpgen.nl.comparing.plans.figures import redrawn, renamed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_told_of_each, may_be_told_of_each
from jupyter_mcpgen.nl.tables.levels_at_times import is_level
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, Parse, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Distinct, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan

MOST_BETWEEN = 4
"""A limit begins at most so many words before its number: "classes that have more than 30"."""
OF_EACH = "`{0}` may be said of each `{1}`, in whose rows it is the same, or be added up over these rows. "
LIMITED = "{}: added up for each `{}`; a limit is one of the total, not of single rows."


def limiting_sums(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, with the limit on an amount as one on the total of each group where groups are asked for."""
    if not isinstance(meant, Answered) or names_single_rows(question, context, language):
        return meant
    in_all = says_in_all(question, context, language)
    if in_all and (counted := _counted_in_groups(meant.winner, context)) is not None:
        return counted
    group = group_asked_for(meant.winner.plan, question, context, language)
    if group is not None and group in context.column_words and context.is_key(group):
        return meant  # each has one row
    if group is not None and (mixed := _mixed(meant.winner.plan, context)) is not None:
        rows, total = (f"`{name}`" for name in mixed)
        return Refused(
            f"The limit of {rows} is on single rows, and the limit of {total} on the total of each `{group}`. Ask "
            "with one of the two limits at a time."
        )
    made = _in_sum(meant.winner, group, context, surely=not in_all) if group is not None else None
    if made is None:
        return meant
    if group is not None and not in_all and (name := _may_be_of_each(meant.winner.plan, group, context)) is not None:
        return asking_which((meant.winner, made), OF_EACH.format(name, group))
    other = replace(meant.winner, label=labels(made.plan, (meant.winner.plan,))[0])
    return replace(meant, winner=made, alternatives=(other, *meant.alternatives))


def says_in_all(question: str, context: Context, language: str) -> bool:
    """Tell whether a question asks for something of all rows together: "in total", "altogether"."""
    said = " ".join(token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma))
    return any(f" {words} " in f" {said} " for words in load_vocabulary(language).words("in_all"))


def _may_be_of_each(plan: Plan, group: str, context: Context) -> str | None:
    """Return an amount with a limit that is the same in all rows of each group, maybe by chance; None for none."""
    chosen = [step for step in plan.steps if isinstance(step, Filter)] if group in context.column_words else []
    names = [limit.column for step in chosen for limit in amounts_limited(step.predicate, context)]
    return next((name for name in names if may_be_told_of_each(name, group, context)), None)


def limiting_rows(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, with the limit on the total of groups as one of rows where these are said to have it.

    "Schools with classes over 30 students" have one such class, whatever their students come to.
    """
    said = _rows_said(question, context, language) if isinstance(meant, Answered) else None
    if said is None or not isinstance(meant, Answered):
        return meant
    made = _in_rows(meant.winner, columns.repeated_key(said, Table(context, load_vocabulary(language))), context)
    if made is None:
        return meant
    other = replace(meant.winner, label=labels(made.plan, (meant.winner.plan,))[0])
    return replace(meant, winner=made, alternatives=(other, *meant.alternatives))


def _rows_said(question: str, context: Context, language: str) -> str | None:
    """Return the noun of rows behind other words and right before a limit: "classes over 30", "orders with over 30".

    What has several rows of its own, such as an order with its lines, is said in the same way.
    """
    vocabulary = load_vocabulary(language)
    table = Table(context, vocabulary)
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    if vocabulary.words("of_totals") & set(words):
        return None
    places = [
        at
        for at, word in enumerate(words)
        if at and (context.plain(word) in context.row_nouns or columns.repeated_key(word, table) is not None)
    ]
    numbers = [at for at, word in enumerate(words) if word[0].isdigit()]
    first = numbers[0] if len(numbers) == 1 else 0
    near = [place for place in places if 0 < first - place <= MOST_BETWEEN]
    return next((words[place] for place in near if words[place - 1] in vocabulary.words("before_rows_had")), None)


def _in_rows(reading: Reading, key: str | None, context: Context) -> Reading | None:
    """Return the groups that have a row, or a thing of several rows, which keeps a limit.

    None where not the total of each group is limited alone.
    """
    match reading.plan.steps:
        case (
            *before,
            Aggregate(by=Columns(names=(group,)), measures=(Measure(column=Col(name=name), where=None) as total,)),
            Filter(predicate=Compare(left=Col(name=limited)) as limit) as of_total,
            Sort(),
        ) if total.function is AggregateFunction.SUM and limited == total.name and group in context.column_words:
            of_row = Filter(predicate=limit.model_copy(update={"left": Col(name=name)}))
            of_each = Aggregate(by=Columns(names=(group, key or group)), measures=(total,))
            kept: tuple[Step, ...] = (of_each, of_total) if key is not None else (of_row,)
            steps = (*before, *kept, Distinct(columns=Columns(names=(group,))), Sort(keys=(SortKey(column=group),)))
        case (
            *before,
            Filter(predicate=Compare() as limit),
            Distinct(columns=Columns(names=(group,))) as once,
            Sort() as sort,
        ):
            limits = list(amounts_limited(limit, context))
            if key is None or len(limits) != 1:
                return None
            total = Measure(function=AggregateFunction.SUM, column=Col(name=limits[0].column))
            of_each = Aggregate(by=Columns(names=(group, key)), measures=(total,))
            steps = (*before, of_each, Filter(predicate=limits[0].on_figure(total.name)), once, sort)
        case _:
            return None
    plan = reading.plan.with_steps(steps)
    one = f"the total of one of its `{key}`" if key is not None else "one of its rows"
    note = f"A `{group}` is listed where {one} keeps the limit; ask for its total to limit that."
    untrue = {LIMITED.format(f"`{name}`", group) for name in context.column_words}
    kept_notes = (other for other in reading.assumptions if other not in untrue)
    return replace(reading, plan=plan, assumptions=(*kept_notes, note))


def part_in_sum(plan: Plan, key: str, context: Context) -> tuple[Plan, str] | None:
    """Return a plan of the part of things whose totals keep a limit, and the amount; None where no limit says which.

    In the plan, it is a part of the rows: "share of orders over 1000" over the lines of orders.
    """
    place = next((place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)), None)
    step = plan.steps[place] if place is not None else None
    if place is None or not isinstance(step, Aggregate) or len(step.measures) != 1 or step.measures[0].where is None:
        return None
    limits = list(amounts_limited(step.measures[0].where, context))
    if len(limits) != 1 or len(tuple(terms_of(step.measures[0].where))) != 1:
        return None
    if is_told_of_each(limits[0].column, key, context):
        return None  # "share of households with more than 3 members" over the visits of each
    total = Measure(function=AggregateFunction.SUM, column=Col(name=limits[0].column))
    of_each = Aggregate(by=Columns(names=(*step.by.names, key)), measures=(total,))
    part = step.measures[0].model_copy(update={"where": limits[0].on_figure(total.name)})
    over = step.model_copy(update={"measures": (part,)})
    made = plan.tried((*plan.steps[:place], of_each, over, *plan.steps[place + 1 :]), plan.chart)
    if made is None:
        return None
    return made, limits[0].column


def names_single_rows(text: str, context: Context, language: str) -> bool:
    """Tell whether a text is about single rows: "clerks with orders above 300", "with any revenue above 300"."""
    single = load_vocabulary(language).words("single_rows")
    words = [token.lower for token in tokenize(text, decimal_comma=context.lexicon.decimal_comma)]
    return any(word in single or context.plain(word) in context.row_nouns for word in words)


def _counted_in_groups(reading: Reading, context: Context) -> Answered | Asked | None:
    """Return the number of things in each group whose totals keep a limit; None where no things in groups are limited.

    Where a thing has rows in several groups, its total may be that of each group, or that of all its rows.
    """
    steps = reading.plan.steps
    place = next((place for place, step in enumerate(steps) if isinstance(step, Aggregate)), len(steps))
    counted = steps[place] if place < len(steps) else None
    if not isinstance(counted, Aggregate) or not counted.by.names or len(counted.measures) != 1:
        return None
    key, chosen = counted.measures[0].column, [step for step in steps[:place] if isinstance(step, Filter)]
    if counted.measures[0].function is not AggregateFunction.COUNT_DISTINCT or key is None or len(chosen) != place:
        return None
    limits = [one for step in chosen for one in amounts_limited(step.predicate, context, surely=False)]
    if len(limits) != 1 or not all(isinstance(step, Sort) for step in steps[place + 1 :]):
        return None
    total = Measure(function=AggregateFunction.SUM, column=Col(name=limits[0].column))
    number = Measure(function=AggregateFunction.COUNT, column=None)
    others = [term for step in chosen for term in terms_of(step.predicate) if term is not limits[0].term]
    kept = (*(Filter(predicate=term) for term in others),)
    over = Filter(predicate=limits[0].on_figure(total.name))
    called = {counted.measures[0].name: number.name}
    of_each = Aggregate(by=Columns(names=(*counted.by.names, key.name)), measures=(total,))
    behind = renamed(steps[place + 1 :], called)
    try:
        within = reading.plan.with_steps(
            (*kept, of_each, over, Aggregate(by=counted.by, measures=(number,)), *behind),
            redrawn(reading.plan.chart, called),
        )
        each = Aggregate(by=Columns(names=(key.name,)), measures=(total,))
        whole = reading.plan.with_steps((*kept, each, over, Aggregate(by=Columns(names=()), measures=(number,))))
    except PlanError:
        return None
    note = LIMITED.format(f"`{limits[0].column}`", key.name)
    in_each = replace(reading, plan=within, assumptions=(*reading.assumptions, note))
    known = set(counted.by.names) <= set(context.column_words)
    if known and all(has_one_value(name, key.name, context) for name in counted.by.names):
        return Answered(in_each)
    return asking_which((in_each, replace(reading, plan=whole, assumptions=(note,))))


def _in_sum(reading: Reading, group: str, context: Context, *, surely: bool) -> Reading | None:
    """Return the groups whose totals keep the limits; None where no amount of rows is limited by a number."""
    steps = reading.plan.steps
    place = next(place for place, step in enumerate(steps) if isinstance(step, Aggregate | Distinct))
    chosen = [step for step in steps[:place] if isinstance(step, Filter)]
    products = products_in(steps[:place], context)
    texts = [s for s in steps[:place] if isinstance(s, Derive) and isinstance(s.expression, Parse)]
    derived = [s for s in steps[:place] if isinstance(s, Derive) and (s in texts or s.name in products)]
    if len(chosen) + len(derived) != place or not _only_counts(steps[place:]):
        return None
    terms = [term for step in chosen for term in terms_of(step.predicate)]
    found = (amounts_limited(step.predicate, context, surely=surely, products=products) for step in chosen)
    limits = [limit for limits_found in found for limit in limits_found]
    names = tuple(dict.fromkeys(limit.column for limit in limits))
    listed = isinstance(steps[place], Distinct)
    own = [name for name in names if name in context.column_words]
    if not names or (listed and any(is_level(name, context) for name in own)):
        return None  # "districts with a population over 1000 in 2015" has one row of each
    if group in context.column_words and any(is_told_of_each(name, group, context) for name in own):
        return None  # "households with more than 3 members" over the visits of each
    totals = {name: Measure(function=AggregateFunction.SUM, column=Col(name=name)) for name in names}
    limiting = [limit.term for limit in limits]
    made: list[Step] = [*derived, *(Filter(predicate=term) for term in terms if term not in limiting)]
    made.append(Aggregate(by=Columns(names=(group,)), measures=tuple(totals.values())))
    made.extend(Filter(predicate=limit.on_figure(totals[limit.column].name)) for limit in limits)
    if group in reading.plan.result_schema.names:
        made.append(Sort(keys=(SortKey(column=totals[names[0]].name, descending=True),)))
    else:  # how many there are was asked
        made.append(Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, column=None),)))
    added = ", ".join(f"`{name}`" for name in names)
    note = LIMITED.format(added, group)
    read = (said for said in reading.assumptions if texts and any(f"`{name}` is read" in said for name in names))
    kept = reading.assumptions if products else tuple(read)
    return reading.with_steps(tuple(made), assumptions=(*kept, note))  # the groups have the name of a sum


def _mixed(plan: Plan, context: Context) -> tuple[str, str] | None:
    """Return an amount that is limited in rows, and another one whose total is limited as well; None for none."""
    limited: list[str] = []
    totals: dict[str, str] = {}
    for step in plan.steps:
        match step:
            case Aggregate(measures=measures):
                totals = {
                    one.name: one.column.name
                    for one in measures
                    if one.column is not None and one.function is AggregateFunction.SUM
                }
            case Filter(predicate=predicate):
                after = [totals[limit.column] for limit in limits_of(predicate) if limit.column in totals]
                if limited and after:
                    return limited[0], after[0]
                limited += [limit.column for limit in amounts_limited(predicate, context)]
    return None


def _only_counts(steps: tuple[Step, ...]) -> bool:
    """Tell whether steps count rows or groups, or list groups, and order them; another figure is one of the rows."""
    first, *behind = steps
    plain = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
    counted = isinstance(first, Aggregate) and all(measure.function in plain for measure in first.measures)
    return (counted or isinstance(first, Distinct)) and all(isinstance(step, Sort) for step in behind)
