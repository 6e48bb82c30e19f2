"""Reads a question over one table: tokens, phrases, covers, queries, plans, and the decision between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembly.answers import Answer, Planner
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.lookups import NO_ROW, Sought, show_the_same, sought
from jupyter_mcpgen.nl.assembly.query import query_of
from jupyter_mcpgen.nl.assembly.resolve import choices
from jupyter_mcpgen.nl.assembly.spared import NOTHING, UNREAD, LeftOut, Spared
from jupyter_mcpgen.nl.constraints.columns import columns_with_the_word, measures_mixed
from jupyter_mcpgen.nl.constraints.counted import busiest_by, what_is_counted
from jupyter_mcpgen.nl.constraints.dates import date_left_open, date_of_deed, date_of_figure, finer_than_dates
from jupyter_mcpgen.nl.constraints.doubtful import without_doubtful
from jupyter_mcpgen.nl.constraints.functions import best_or_largest, gaps_in_computed, sum_or_mean
from jupyter_mcpgen.nl.constraints.identifiers import (
    asks_for_rows_by_header,
    checks_who_is_first,
    compares_identifiers,
    compares_one_group,
    counts_before_rows,
    counts_one_by_one,
    each_of_nothing,
    figures_apart,
    joins_what_is_shown,
    lists_by,
    measures_an_adjective,
    nth_of_each,
    such_of_nothing,
)
from jupyter_mcpgen.nl.constraints.numbers import limits_without_numbers, number_of_no_row
from jupyter_mcpgen.nl.constraints.repeated import (
    above_average_of_things,
    amount_of_thing,
    both_of_thing,
    limit_of_row_or_thing,
    limit_of_rows_or_groups,
    never_or_once,
    nothing_else,
    spelled_short,
)
from jupyter_mcpgen.nl.constraints.totals import (
    currencies_mixed,
    level_of_several,
    levels_added_over_time,
    totals_so_far_added,
)
from jupyter_mcpgen.nl.constraints.verdict import Doubt, Offer, Refusal, Verdict
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.bins import BINS
from jupyter_mcpgen.nl.grammar.families.charts import CHARTS
from jupyter_mcpgen.nl.grammar.families.comparisons import COMPARISONS
from jupyter_mcpgen.nl.grammar.families.conditions import CONDITIONS
from jupyter_mcpgen.nl.grammar.families.courses import COURSES
from jupyter_mcpgen.nl.grammar.families.figures import FIGURES
from jupyter_mcpgen.nl.grammar.families.groups import GROUPS
from jupyter_mcpgen.nl.grammar.families.letters import LETTERS
from jupyter_mcpgen.nl.grammar.families.orders import ORDERS
from jupyter_mcpgen.nl.grammar.families.periods import PERIODS
from jupyter_mcpgen.nl.grammar.families.shares import SHARES
from jupyter_mcpgen.nl.grammar.families.superlatives import SUPERLATIVES
from jupyter_mcpgen.nl.grammar.rule import Rule
from jupyter_mcpgen.nl.grammar.table import Table, table_of
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.refusals import Unread, beyond, unreadable
from jupyter_mcpgen.nl.search.chart import Chart
from jupyter_mcpgen.nl.search.covers import Cover, covers
from jupyter_mcpgen.nl.search.edges import GOING_ON_RULE, OF_A_ROW, edges, skips
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.english import say_plan

RULES = tuple(
    rule
    for family in (
        CONDITIONS,
        PERIODS,
        FIGURES,
        SHARES,
        GROUPS,
        SUPERLATIVES,
        COURSES,
        COMPARISONS,
        CHARTS,
        ORDERS,
        BINS,
        LETTERS,
    )
    for rule in family.rules
)
EXCLUDED = (
    compares_identifiers,
    counts_one_by_one,
    each_of_nothing,
    lists_by,
    measures_an_adjective,
    joins_what_is_shown,
    counts_before_rows,
    figures_apart,
    checks_who_is_first,
    such_of_nothing,
    nth_of_each,
    asks_for_rows_by_header,
    compares_one_group,
)
"""What no reading does, however it was found."""
CONSTRAINTS: tuple[Callable[[Derivation, Table], Verdict | None], ...] = (
    finer_than_dates,
    number_of_no_row,
    limits_without_numbers,
    gaps_in_computed,
    levels_added_over_time,
    level_of_several,
    totals_so_far_added,
    currencies_mixed,
    date_left_open,
    date_of_figure,
    date_of_deed,
    sum_or_mean,
    best_or_largest,
    measures_mixed,
    what_is_counted,
    both_of_thing,
    busiest_by,
    limit_of_row_or_thing,
    limit_of_rows_or_groups,
    never_or_once,
    nothing_else,
    spelled_short,
    above_average_of_things,
    amount_of_thing,
    columns_with_the_word,
)
"""What the best reading must not do: it is refused, or a person says which of several is meant."""
CLEAR = 0.06
"""Two readings that are nearer than this are asked about."""
WORST = 0.6
"""A reading that costs more is not believed; `PER_WORD` more is allowed for each word."""
PER_WORD = 0.03
OFFERED = 0.4
MOST_OPTIONS = 5
MOST_CHIPS = 4


def derivations(question: str, profile: Profile, language: str = "en") -> tuple[tuple[Token, ...], list[Derivation]]:
    """Return the tokens of a question and the plans that it may mean, cheapest first."""
    table = table_of(profile, language)
    tokens = table.tokens(question)
    return tokens, derived(tokens, table)


def derived(
    tokens: Sequence[Token], table: Table, rules: Sequence[Rule] = RULES, more: Sequence[Phrase] = ()
) -> list[Derivation]:
    """Return the plans that tokens may mean by some rules, cheapest first; `more` are phrases to begin with."""
    found = (*edges(tokens, table), *more)
    costs = skips(tokens, found, table)
    chart = Chart(found, costs, rules, table, tokens)
    best: dict[str, Derivation] = {}
    joining = frozenset(edge.first for edge in found if edge.category is C.AND)
    plural = frozenset(
        at
        for at, token in enumerate(tokens)
        if token.text[1:].islower() and table.lexicon.morphology.is_plural(token.lower)
    )
    spared = Spared(tokens, found, costs, table)
    for cover in covers(chart, costs):
        for one in _plans(cover, joining, plural, tokens, spared, table):
            key = f"{say_plan(one.plan)} {one.plan.chart}"
            if key not in best or one.cost < best[key].cost:
                best[key] = one
    return sorted(best.values(), key=lambda one: one.cost)


def _plans(
    cover: Cover,
    joining: frozenset[int],
    plural: frozenset[int],
    tokens: Sequence[Token],
    spared: Spared,
    table: Table,
) -> Iterator[Derivation]:
    query = query_of(cover, joining, plural)
    if query is None:
        return
    words = tuple(token.lower for token in tokens)
    unread = tuple(words[at] for at in cover.unread)
    for choice in choices(query, table):
        try:
            plan = Planner(table).plan(choice.answer)
        except PlanError:
            continue
        missed = NO_ROW if table.met.none_is(choice.answer.tests) else 0.0
        kind = sought(choice.answer, query, table)
        left_out = spared.by(choice.answer, cover, kind) if kind is not None else NOTHING
        cost = round(cover.cost + choice.cost + missed - left_out.less, 4)
        going_on = tuple(tokens[one.last - 1].text for one in _walked(cover) if one.rule == GOING_ON_RULE)
        notes = (*LeftOut(words=(*left_out.words, *going_on)).notes, *choice.notes)
        found = Derivation(plan, choice.answer, query, cost, cover, left_out.less > 0, unread, notes, words)
        rules = {one.rule for one in found.phrases()}
        if kind in (None, Sought.FIGURE) and not rules.isdisjoint(OF_A_ROW):
            continue  # what nothing names is at best of a row
        if not any(excluded(found, table) for excluded in EXCLUDED):
            yield found


def _walked(cover: Cover) -> Iterator[Phrase]:
    """Yield the phrases of a cover, and everything they were made of."""
    return (one for phrase in cover.phrases for one in phrase.walk())


def read(question: str, profile: Profile, language: str = "en") -> Understanding:
    """Return what a question means over a table."""
    tokens, found = derivations(question, profile, language)
    return decide(found, tokens, table_of(profile, language))


def decide(
    found: Sequence[Derivation], tokens: Sequence[Token], table: Table, more: Sequence[Phrase] = ()
) -> Understanding:
    """Return what derivations mean, which are sorted by their costs: an answer, which of them is meant, a refusal."""
    return without_doubtful(_decided(found, tokens, table, more), table.profile)


def _decided(
    found: Sequence[Derivation], tokens: Sequence[Token], table: Table, more: Sequence[Phrase]
) -> Understanding:
    known = (*edges(tokens, table), *more)
    costs = skips(tokens, known, table)
    whole = whole_of(found, tokens, costs)
    if not whole:
        left_out = tuple(found[0].cover.unread) if found else tuple(range(len(tokens)))
        unread = Unread(tokens, known, costs, left_out, tuple(found[0].phrases()) if found else ())
        refused = unreadable(unread, table)
        if not found or not refused.words:
            return refused
        nearest = replace(_reading(found[0]), cost=found[0].cost - unread.cost)
        return replace(refused, nearest=nearest)
    winner, *others = whole
    too_far = beyond(tokens, winner.cover.unread, table)
    if too_far is not None:
        return too_far
    close = [one for one in others if one.cost - winner.cost < CLEAR]
    said = say_plan(winner.plan)
    rivals = [
        one for one in close if say_plan(one.plan) != said and not show_the_same(one.answer, winner.answer, table)
    ]
    if rivals:
        return asking_which([_reading(one) for one in (winner, *rivals)][:MOST_OPTIONS], how=IN_ITS_WORDS)
    offered: list[Reading] = []
    for constraint in CONSTRAINTS:
        match constraint(winner, table):
            case Refusal(reason, columns):
                return Refused(reason, columns)
            case Offer(answers):
                offered += _readings(answers, winner, table)
            case Doubt(answers, instead) if others_meant := _readings(answers, winner, table):
                meant = others_meant if instead else [_reading(winner), *others_meant]
                return asking_which(meant[:MOST_OPTIONS], how=IN_ITS_WORDS)
    near = [_reading(one) for one in others if one.cost - winner.cost < OFFERED][:MOST_CHIPS]
    return Answered(_reading(winner), (*offered, *near)[:MOST_CHIPS])


def _readings(answers: Sequence[Answer], winner: Derivation, table: Table) -> list[Reading]:
    """Return the answers that have a plan, as what may be meant beside the best one."""
    found = []
    for answer in answers:
        with suppress(PlanError):  # another answer does without it
            found.append(Reading(Planner(table).plan(answer), "", winner.cost, winner.notes))
    return found


def whole_of(found: Sequence[Derivation], tokens: Sequence[Token], costs: Sequence[float]) -> list[Derivation]:
    """Return the derivations that leave out no word that must be read, unless even the best is hardly meant."""
    whole = [one for one in found if one.looked_up or all(costs[at] < UNREAD for at in one.cover.unread)]
    return whole if whole and whole[0].cost <= WORST + PER_WORD * len(tokens) else []


def _reading(one: Derivation) -> Reading:
    return Reading(one.plan, "", one.cost, one.notes)
