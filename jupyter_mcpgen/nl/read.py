"""Reads a question about a table: ranked readings with a clear winner, or a question back, or a refusal."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.answers.asked_of_answer import read_asked_of_answer
from jupyter_mcpgen.nl.around.counted.takings import read_takings
from jupyter_mcpgen.nl.around.counted.unsaid_extremes import read_unsaid_extremes
from jupyter_mcpgen.nl.around.counted.unsaid_figures import read_unsaid_figures
from jupyter_mcpgen.nl.around.limits.limits_of_periods import read_limits_of_periods
from jupyter_mcpgen.nl.around.limits.rate_limits import read_rate_limits
from jupyter_mcpgen.nl.around.parts.per_unit import read_figures_per_unit
from jupyter_mcpgen.nl.around.parts.rest_as_other import read_rest_as_other
from jupyter_mcpgen.nl.around.parts.value_ratios import read_value_ratios
from jupyter_mcpgen.nl.around.parts.weighted_means import read_weighted_means
from jupyter_mcpgen.nl.around.parts_of_rows import read_joined_parts, read_parts_of_rows
from jupyter_mcpgen.nl.around.rows.flagging import read_flagged
from jupyter_mcpgen.nl.around.rows.in_both import read_in_both
from jupyter_mcpgen.nl.around.rows.long_tables import read_long_table
from jupyter_mcpgen.nl.around.rows.named_table import read_named_table
from jupyter_mcpgen.nl.around.rows.pieces_of_values import read_pieces_of_values
from jupyter_mcpgen.nl.around.rows.short_names import read_short_names
from jupyter_mcpgen.nl.around.rows.spelled_kinds import read_spelled_kinds
from jupyter_mcpgen.nl.around.rows.spelling_twins import read_spelling_twins
from jupyter_mcpgen.nl.around.rows.two_sides import read_two_sides
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.around.shares_of_entities import read_shares_of_entities
from jupyter_mcpgen.nl.around.shares_of_kinds import read_kinds_in_groups, read_kinds_of_some
from jupyter_mcpgen.nl.around.things.kinds_counted import read_kinds_counted
from jupyter_mcpgen.nl.around.things.only_such_rows import read_only_such_rows
from jupyter_mcpgen.nl.around.things.so_many_times import read_so_many_times
from jupyter_mcpgen.nl.around.things.without_rows import read_without_rows
from jupyter_mcpgen.nl.around.times.clocks_beside_days import read_clock_beside_day
from jupyter_mcpgen.nl.around.times.days_of_years import read_days_of_years
from jupyter_mcpgen.nl.around.times.empty_periods import read_empty_periods
from jupyter_mcpgen.nl.around.times.period_moves import read_period_moves
from jupyter_mcpgen.nl.around.times.periods_apart import read_periods_apart
from jupyter_mcpgen.nl.around.times.this_and_last import read_this_and_last
from jupyter_mcpgen.nl.around.times.years_and_months import read_year_and_month
from jupyter_mcpgen.nl.assembling.assemble import assemble
from jupyter_mcpgen.nl.comparing.limits import only_possible
from jupyter_mcpgen.nl.comparing.plans.shown import with_conditions_after
from jupyter_mcpgen.nl.comparing.reader import Attempt, attempts
from jupyter_mcpgen.nl.computed.reader import read_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.ends import read_ends
from jupyter_mcpgen.nl.entities.places import read_places
from jupyter_mcpgen.nl.entities.reader import read_entities
from jupyter_mcpgen.nl.everyday.amounts.per_so_many import read_per_so_many
from jupyter_mcpgen.nl.everyday.parts.ratios_of_many import read_ratios_of_many
from jupyter_mcpgen.nl.everyday.reader import read_everyday
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.lookup.reader import look_up
from jupyter_mcpgen.nl.lookup.settle import settle, settle_every_word, settle_statistic
from jupyter_mcpgen.nl.manner.dressing import read_looks
from jupyter_mcpgen.nl.manner.reader import manner_of, take_manner
from jupyter_mcpgen.nl.manner.undrawn import noting_undrawn
from jupyter_mcpgen.nl.manner.unordered import noting_unordered
from jupyter_mcpgen.nl.manner.wholes import of_a_whole
from jupyter_mcpgen.nl.manner.wishes import Manner
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.parsing.parse import Cover, parse
from jupyter_mcpgen.nl.pictures import same_picture
from jupyter_mcpgen.nl.predicates import mixes_months
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.refusal import refuse, refuse_dateless, refuse_unsupported, unsupported_in
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.statistics.reader import read_statistics
from jupyter_mcpgen.nl.tables.dates_of_deeds import by_its_date
from jupyter_mcpgen.nl.tables.flags import read_flags
from jupyter_mcpgen.nl.tables.written import read_written
from jupyter_mcpgen.nl.text.tokens import MAX_TOKENS, Token, tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import IsMissing, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, ChartKind, Derive, Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

CLEAR_MARGIN = 0.06
"""Two readings that are nearer than this are asked about."""
OFFERED = 0.5
"""Readings up to this much costlier than the winner are offered beside it."""
MAX_CHIPS = 4
MAX_OPTIONS = 5
"""How many readings a question back lists."""
WORST_ANSWER = 0.55
"""A reading costlier than this is not believed, only offered."""
SHORT = 12
"""A question of more words than this may cost a little more, because it holds more to doubt."""
PER_WORD = 0.01
"""How much more, for each word."""
OTHER_DATE = 0.1
"""What choosing rows by one date and grouping them by another costs."""
YES_AND_NO = 2
_AROUND_ITS_WORDS = (
    read_everyday,
    read_per_so_many,
    read_ratios_of_many,
    read_value_ratios,
    read_periods_apart,
    read_flagged,
    read_limits_of_periods,
    read_rate_limits,
    read_ends,
    read_takings,
    read_unsaid_extremes,
    read_unsaid_figures,
    read_this_and_last,
    read_so_many_times,
    read_only_such_rows,
    read_kinds_counted,
    read_without_rows,
    read_in_both,
    read_two_sides,
    read_period_moves,
    read_kinds_in_groups,
    read_figures_per_unit,
    read_weighted_means,
)
"""What reads a question in everyday words, the innermost first: the last of them sees it as it was typed."""
_AROUND_A_QUESTION = (
    read_clock_beside_day,
    read_year_and_month,
    read_asked_of_answer,
    read_rest_as_other,
    read_looks,
    read_days_of_years,
    read_named_table,
    read_spelled_kinds,
    read_spelling_twins,
    read_pieces_of_values,
    read_short_names,
    read_long_table,
)
"""What reads of which columns and of which table a question is, and how its answer is to look; the innermost first."""


def read(question: str, profile: Profile, language: str = "en") -> Understanding:
    """Return what a question means over a table. Deterministic; takes bounded time for any text."""
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    if _names_nothing(tokens, context):
        return refuse(tokens, parse(tokens, context), None, context, cut=False)
    meant = _around(_read_undressed, _AROUND_A_QUESTION)(question, profile, language)
    return noting_unordered(noting_undrawn(meant, question, context, language), context)


def _names_nothing(tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a question is a pronoun, and otherwise words that say nothing, or the table: "who are you"."""
    said = [token.lower for token in tokens if not context.lexicon.is_filler(token.lower)]
    own = {*context.lexicon.places, context.profile.name.casefold()} if said[1:] else set[str]()
    pronouns = {item.start for item in link(tokens[:1], context) if item.meaning == m.RowNoun("rows", pronoun=True)}
    return bool(pronouns) and set(said[1:]) <= own


def _around(read: Read, readers: tuple[Callable[..., Understanding], ...]) -> Read:
    """Return a reader with others around it, each of which may put the question to the one before it in other words."""
    return reduce(lambda inner, outer: partial(outer, read=inner), readers, read)


def _read_undressed(question: str, profile: Profile, language: str) -> Understanding:
    """Return what a question means that says nothing of the look of its chart."""
    said = _around(_read_as_written, _AROUND_ITS_WORDS)
    empty = read_empty_periods(question, profile, language) or read_joined_parts(question, profile, language, said)
    meant = empty or read_places(question, profile, language, partial(read_entities, read=said))
    sure = settled(meant, question, profile, language)
    part = None if isinstance(sure, Answered) else read_kinds_of_some(question, profile, language, said)
    if part is None and isinstance(sure, Refused):
        part = read_shares_of_entities(question, profile, language, said)
        part = part or read_parts_of_rows(question, profile, language, said)
    return sure if part is None else settled(part, question, profile, language)


def _read_as_written(question: str, profile: Profile, language: str) -> Understanding:
    """Return what a question means, with columns of texts or of 0 and 1 used as what they write where it needs that."""
    typed = partial(read_flags, read=_read_typed)
    return read_written(question, profile, language, partial(read_computed, read=typed))


def _read_typed(question: str, profile: Profile, language: str) -> Understanding:
    """Return what a question means over columns of the types that they have."""
    manner = manner_of(question, context_of(profile, language), language)
    if manner.purpose is not ChartKind.SCATTER:  # a scatter chart "of the correlation" asks for points
        match read_statistics(question, context_of(profile, language), language):
            case tuple() as readings:
                found = decide(list(readings), context_of(profile, language))
                return settle_statistic(found, look_up(question, profile, language))
            case Asked() | Refused() as answer:
                return answer
    parsed = _parsed(question, context_of(profile, language), language)
    if not manner.is_plain:  # a look-up gives cells, never a chart or an order, unless it uses their words, too
        return (
            settle_every_word(parsed, look_up(question, profile, language)) if isinstance(parsed, Refused) else parsed
        )
    return settle(parsed, look_up(question, profile, language))


def _parsed(question: str, context: Context, language: str) -> Understanding:
    """Return what the chart parser makes of a question."""
    tokens, notes = corrected(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context)
    if not tokens:
        return Refused("There is no question. Ask for example: how many rows are there by month?")
    whole_question = tokens
    manner, tokens = take_manner(whole_question, context, language)
    ways = attempts(tokens, context, language)
    dated = tuple(token.lower for token in whole_question)
    completed = _completed(ways, notes, context, manner, dated)
    if completed:
        return decide(completed, context)
    if ways and all(way.bare for way in ways):
        example = "Name them too, for example “… of sales by month”."
        return Refused(f"“{question.strip()}” compares figures, but names none. {example}")
    unsupported = unsupported_in(tokens, context)
    if unsupported:
        if ways and (unread := _unread_beside(ways[0], tokens, context)) is not None:
            return unread
        return refuse_unsupported(tuple(unsupported), tuple(unsupported.values()), tokens, context)
    parsed = parse(tokens, context)
    cut = len(tokens) == MAX_TOKENS or not parsed.complete
    lacking = _lacking(tokens, context)
    covers = tuple(cover for cover in parsed.covers if lacking is None or _says_what_lacks(cover))
    readings = _readings(covers, notes, context, manner, dated)
    whole = [reading for reading, uncovered in readings if not uncovered]
    if lacking is not None and not whole:
        return refuse_unsupported(("which groups have no such row",), (lacking,), tokens, context)
    if cut or not whole or whole[0].cost > WORST_ANSWER + PER_WORD * max(0, len(tokens) - SHORT):
        nearest = readings[0][0] if readings else None
        refused = refuse(tokens, parsed, nearest, context, cut=cut)
        if manner.is_plain or refused.words:
            return refused
        return refuse(whole_question, parse(whole_question, context), nearest, context, cut=cut)
    return decide(whole, context)


def _unread_beside(attempt: Attempt, typed: tuple[Token, ...], context: Context) -> Refused | None:
    """Refuse a comparison that can be made for the words beside it that cannot be read; None where all can."""
    if unsupported_in(attempt.tokens, context):
        return None
    refused = refuse(attempt.tokens, parse(attempt.tokens, context), None, context, cut=False)
    said = {token.text for token in typed}
    if refused.words and said.isdisjoint(refused.words):  # a period that the reader of comparisons put there
        dated = any(field.type is ColumnType.DATE for field in context.profile.schema_.fields)
        return None if dated else refuse_dateless(tuple(token.text for token in typed), context)
    return refused if refused.words else None


def _completed(
    ways: tuple[Attempt, ...], notes: tuple[str, ...], context: Context, manner: Manner, words: tuple[str, ...]
) -> list[Reading]:
    """Return the readings of a question that compares its figures; none when it does not, or not in a way we know."""
    found: dict[str, Reading] = {}
    for attempt in ways:
        if attempt.bare or unsupported_in(attempt.tokens, context):
            continue
        parsed = parse(attempt.tokens, context)
        meant: frozenset[str] | None = None
        for reading, uncovered in _readings(parsed.covers, notes, context, manner, words) if parsed.complete else ():
            cost = round(reading.cost + attempt.cost, 4)
            if uncovered or cost > WORST_ANSWER:
                continue
            figured = _figured(reading.plan)
            if meant is not None and figured and not figured & meant:
                continue  # what cannot be compared is not left for a column that is meant less
            try:
                plan = with_conditions_after(attempt.complete(reading.plan))
            except PlanError:
                meant = figured or meant
                continue  # figures that cannot be compared in this way are no reading
            key = say_plan(plan)
            if key not in found or cost < found[key].cost:
                assumptions = (*reading.assumptions, *attempt.notes)
                found[key] = replace(reading, plan=plan, cost=cost, assumptions=assumptions)
    return sorted(found.values(), key=lambda reading: (reading.cost, say_plan(reading.plan)))


def _figured(plan: Plan) -> frozenset[str]:
    """Return the columns of which a plan computes figures other than how many there are."""
    measures = (one for step in plan.steps if isinstance(step, Aggregate) for one in step.measures)
    counts = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
    return frozenset(one.column.name for one in measures if one.column is not None and one.function not in counts)


def _lacking(tokens: tuple[Token, ...], context: Context) -> str | None:
    """Return the words that ask for what has no row of a kind; that is more than the rows of other kinds."""
    items = link(tokens, context)
    for item in items:
        if isinstance(item.meaning, m.Lacking) and any(
            value.start == item.end and isinstance(value.meaning, m.Value) and _has_several(value.meaning, context)
            for value in items
        ):
            return " ".join(token.text for token in tokens[item.start : item.end])
    return None


def _says_what_lacks(cover: Cover) -> bool:
    return any(isinstance(item.meaning, m.Lacks) for item in cover.items)


def _has_several(value: m.Value, context: Context) -> bool:
    """Tell whether a value is one of several that a column has, not the yes or no of it."""
    return context.column(value.column).distinct > YES_AND_NO


def _readings(
    covers: tuple[Cover, ...], notes: tuple[str, ...], context: Context, manner: Manner, words: tuple[str, ...]
) -> list[tuple[Reading, tuple[int, ...]]]:
    """Return what covers mean, the surest first; of what is far behind a whole reading, nothing is ever shown."""
    best: dict[str, tuple[Reading, tuple[int, ...]]] = {}
    alike: set[object] = set()
    far = math.inf
    for cover in covers:
        if cover.cost > far:
            break  # they come in the order of their costs, and a reading costs no less than its cover
        if (said := cover.said) in alike:
            continue  # the same phrases with another filler word in one of them
        alike.add(said)
        for reading in assemble(cover, context, manner):
            if any(isinstance(step, Filter) and mixes_months(step.predicate) for step in reading.plan.steps):
                continue
            if _computes_what_is_missing(reading.plan):
                continue
            if _mixes_dates(reading.plan):
                reading = replace(reading, cost=round(reading.cost + OTHER_DATE, 4))
            reading = by_its_date(reading, words, context)
            key = f"{say_plan(reading.plan)} {reading.plan.chart}"  # what sounds alike is one choice to a person
            if key not in best or reading.cost < best[key][0].cost:
                best[key] = (replace(reading, assumptions=(*notes, *reading.assumptions)), cover.uncovered)
                far = far if cover.uncovered else min(far, reading.cost + OFFERED)
    return sorted(best.values(), key=lambda pair: (pair[0].cost, say_plan(pair[0].plan)))


def _computes_what_is_missing(plan: Plan) -> bool:
    """Tell whether a plan computes with a column of which it keeps the rows that have no value."""
    kept = [step.predicate for step in plan.steps if isinstance(step, Filter)]
    terms = [term for predicate in kept for term in terms_of(predicate)]
    gaps = {name for term in terms if isinstance(term, IsMissing) and not term.negated for name in names_in(term)}
    measures = [measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures]
    return any(measure.column is not None and measure.column.name in gaps for measure in measures)


def _mixes_dates(plan: Plan) -> bool:
    """Tell whether rows are chosen by one date and grouped by another."""
    schema = plan.source_schema
    dates = {field.name for field in schema.fields if field.type is ColumnType.DATE}
    chosen = {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step)} & dates
    grouped = {name for step in plan.steps if isinstance(step, Derive) for name in names_in(step.expression)} & dates
    return bool(chosen and grouped) and chosen != grouped


def decide(readings: list[Reading], context: Context) -> Understanding:
    """Return the clear winner of ranked readings with the near ones beside it, or the question which one is meant."""
    winner, *others = of_a_whole(only_possible(readings), CLEAR_MARGIN, context)
    others = [reading for reading in others if not same_picture(reading.plan, winner.plan, context)]
    rivals = [reading for reading in others if reading.cost - winner.cost < CLEAR_MARGIN]
    if rivals:
        options = (winner, *rivals)[:MAX_OPTIONS]
        notes = "".join(f" {note}" for note in winner.assumptions if all(note in o.assumptions for o in options))
        return asking_which(options, how=f" Ask again in its words.{notes}")
    if winner.doubts:
        return _ask_what_a_row_is(winner, context)
    near = [reading for reading in others if reading.cost - winner.cost <= OFFERED and not reading.doubts][:MAX_CHIPS]
    named = labels(winner.plan, tuple(reading.plan for reading in near))
    chips = tuple(replace(reading, label=label) for reading, label in zip(near, named, strict=True))
    return Answered(winner, chips, winner.no_chart)


def _ask_what_a_row_is(winner: Reading, context: Context) -> Asked:
    noun = winner.doubts[0]
    if context.lexicon.base(noun.casefold()) in context.lexicon.amounts:
        return Asked(
            f"“{noun}” may mean the rows of `{context.profile.name}` or one of their amounts. Ask with “rows” in its "
            f"place, or name the column; of rows, the reading is: {say_plan(winner.plan)}.",
            (winner,),
        )
    return Asked(
        f"Is each row of `{context.profile.name}` one of the “{noun}”? No column or value is called that. If so, ask "
        f"with “rows” in its place; the reading then is: {say_plan(winner.plan)}.",
        (winner,),
    )
