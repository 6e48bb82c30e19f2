"""Follow-ups: "now by month", "only 2020", "as a line chart", "top 5" change the answer before them.

A question is a follow-up when it says so ("now …", "what about …") or when it is a fragment that has no subject of its
own. Its words are read by the chart that reads questions; what they say takes the place of what was there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembly.answers import Answer, Listing, OneStep, Planner
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.expressions import Columns
from jupyter_mcpgen.nl.assembly.query import Query, query_of
from jupyter_mcpgen.nl.assembly.spared import UNREAD
from jupyter_mcpgen.nl.dialogue.change import Change, dated_as_before, gone_of, of_whom
from jupyter_mcpgen.nl.dialogue.changes import changed
from jupyter_mcpgen.nl.dialogue.cues import Cue, cue_of, lists, phrases_at
from jupyter_mcpgen.nl.dialogue.edits import EDITS, Widened
from jupyter_mcpgen.nl.dialogue.kept_conditions import columns_of
from jupyter_mcpgen.nl.dialogue.plan_edits import edited
from jupyter_mcpgen.nl.dialogue.recovered import answer_of
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Figure, Term, Word
from jupyter_mcpgen.nl.grammar.table import Table, table_of
from jupyter_mcpgen.nl.planner import EXCLUDED, RULES, decide
from jupyter_mcpgen.nl.reading import Refused, Understanding
from jupyter_mcpgen.nl.search.chart import Chart
from jupyter_mcpgen.nl.search.covers import Cover, covers
from jupyter_mcpgen.nl.search.edges import WEIGHTY, edges, skips
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.plan import Plan

UNCHANGED = "The answer before is already so."
MOST_WORDS = 14
MOST_UNSAID = 7
"""A longer text is a question of its own, also one of fewer words that does not point back."""
_RULES = (*RULES, *EDITS.rules)
_NEAR, _CLEARLY, _LIKELY, _NEVER = 0.05, 0.04, 0.2, 9.0
"""How much more than words with a subject of their own a change may cost that is said to be one, and how much less one
has to cost that is not; and how much more than the likeliest change, as what does not fit is refused."""


@dataclass(frozen=True)
class Changes:
    """The words of a follow-up without those that point back, and the plans that they may make of the one before."""

    tokens: tuple[Token, ...]
    found: tuple[Derivation, ...]
    table: Table


def follow_up(question: str, earlier: tuple[str, Plan], profile: Profile, language: str = "en") -> Understanding | None:
    """Return the earlier answer as the question changes it; None when the question stands for itself.

    A change that the earlier answer has no place for is refused, because the words alone would mean something else.
    """
    changes = changes_found(question, earlier, profile, language)
    if changes is None:
        return None
    if not changes.found:
        return Refused(
            f"I read “{question}” as a change of “{earlier[0]}”, but could not apply it. Ask the whole question in one "
            "sentence."
        )
    return decide(changes.found, changes.tokens, changes.table)


def changes_found(question: str, earlier: tuple[str, Plan], profile: Profile, language: str = "en") -> Changes | None:
    """Return the plans that a question may make of the one before it; None when the question stands for itself."""
    asked, plan = earlier
    if (plan.source, plan.source_schema) != (profile.name, profile.schema_):
        return None
    table = table_of(profile, language)
    cue, tokens = cue_of(tokenize(question), language)
    answer = answer_of(plan, table)
    short = len(tokens) <= (MOST_WORDS if cue.said else MOST_UNSAID)
    said = tuple(_changes(tokens, cue, answer, table)) if short else ()
    if not said:
        return None
    found: dict[str, Derivation] = {}
    for cover, change in said:
        for one in _derived(plan, answer, cover, change, asked, tokens, table):
            key = f"{say_plan(one.plan)} {one.plan.chart}"
            if key not in found or one.cost < found[key].cost:
                found[key] = one
    return Changes(tokens, tuple(sorted(found.values(), key=lambda one: one.cost)), table)


def _changes(tokens: Sequence[Token], cue: Cue, answer: Answer | None, table: Table) -> Iterator[tuple[Cover, Change]]:
    """Yield what the words may say of the answer before, the likeliest first; nothing for a question of its own."""
    if not tokens:
        if cue.no_chart:
            yield Cover((), (), 0.0), Change(Query(), (), cue)
        return
    found = (*edges(tokens, table), *_of_dialogue(tokens, table))
    costs = skips(tokens, found, table)
    beside = lists("beside", tokens[0].lower, table.language)
    changes: list[tuple[Cover, Change]] = []
    whole = _NEVER
    for cover in covers(Chart(found, costs, _RULES, table, tokens), costs):
        if any(costs[at] >= UNREAD for at in cover.unread) or not cover.phrases:
            continue
        rest = tuple(phrase for phrase in cover.phrases if phrase.category is not C.EDIT)
        query = query_of(Cover(rest, cover.unread, cover.cost))
        if query is None:
            continue
        edits = tuple(one.meaning for one in cover.phrases if one.category is C.EDIT)
        query = of_whom(query, table) if _begins_with_condition(cover) else query
        query = _without_yardstick(query, table)
        own = replace(cue, said=True, adds=True) if beside and _only_figures(query) else cue
        change = Change(query, edits, own, _counts_alone(cover, tokens), _named_first(cover))
        if change.is_whole or (change.has_subject and not own.said) or _starts_anew(change, answer):
            heeded = all(costs[at] < WEIGHTY for at in cover.unread)
            whole = min(whole, cover.cost) if heeded else whole
        else:
            changes.append((cover, change))
    least = min((cover.cost for cover, _ in changes), default=_NEVER) + _LIKELY
    most = min(least, whole + (_NEAR if cue.said else -_CLEARLY))
    yield from (one for one in changes if one[0].cost < most)


def _without_yardstick(query: Query, table: Table) -> Query:
    """Take "top 2 by charge" apart, which names nothing but what the groups are ranked by."""
    extreme = query.extreme
    alone = extreme is not None and query == Query(extreme=extreme, tests=query.tests)
    if extreme is None or not alone or not isinstance(extreme.by, Term) or not table.lists("top", extreme.word):
        return query
    return replace(query, extreme=replace(extreme, by=None), keys=(extreme.by,))


def _starts_anew(change: Change, answer: Answer | None) -> bool:
    """Tell whether words ask for what the answer before has no place for, so that they stand for themselves."""
    query = change.query
    if query.statistic is not None and not (isinstance(answer, OneStep) and (change.cue.said or not query.keys)):
        return True
    known = columns_of(answer.tests) if answer is not None else frozenset()
    widened = (edit.column for edit in change.edits if isinstance(edit, Widened))
    return any(column not in known for column in widened) and not change.cue.said


def _begins_with_condition(cover: Cover) -> bool:
    """Tell whether words begin with "without …", "for …" or "in …", so that they name no subject."""
    first = cover.phrases[0]
    leads = (part.category for part in first.walk() if part.first == first.first and part.last == first.first + 1)
    return first.category is C.TEST and any(category in (C.NOT, C.IN, C.WHERE) for category in leads)


def _named_first(cover: Cover) -> bool:
    """Tell whether words begin with what a condition is about, or name rows in one: "claims bigger than average"."""
    first = cover.phrases[0]
    leaves = (part for part in first.walk() if part.first == first.first and not part.parts)
    if first.category is C.TEST and any(leaf.category in (C.TERM, C.ENTITY) for leaf in leaves):
        return True
    tests = (phrase for phrase in cover.phrases if phrase.category is C.TEST)
    rows = any(part.category is C.ENTITY for phrase in tests for part in phrase.walk())
    return rows and not _begins_with_condition(cover)


def _only_figures(query: Query) -> bool:
    return bool(query.figures or query.terms) and query == Query(figures=query.figures, terms=query.terms)


def _counts_alone(cover: Cover, tokens: Sequence[Token]) -> bool:
    """Tell whether rows are counted without a word for what they are; a name that is not read may be one."""
    if any(tokens[at].text[:1].isupper() for at in cover.unread):
        return False
    figures = [phrase for phrase in cover.phrases if phrase.category is C.FIGURE]
    named = (part for phrase in figures for part in phrase.walk() if part.category in (C.ENTITY, C.TERM, C.TEST))
    counted = all(isinstance(one.meaning, Figure) and one.meaning.function is F.COUNT for one in figures)
    return bool(figures) and counted and not any(named) and not any(p.category is C.ENTITY for p in cover.phrases)


def _of_dialogue(tokens: Sequence[Token], table: Table) -> Iterator[Phrase]:
    said = [token.lower for token in tokens]
    for place in range(len(tokens)):
        end = phrases_at("year_before", said, place, table.language)
        if end:
            yield Phrase(place, end, C.CUE, Word("year_before", " ".join(said[place:end])), 0.0, "word")
    for place, token in enumerate(tokens):
        for name in ("all", "alphabetical", "reverse"):
            if lists(name, token.lower, table.language):
                yield Phrase(place, place + 1, C.CUE, Word(name, token.lower), 0.0, "word")


def _derived(
    plan: Plan,
    answer: Answer | None,
    cover: Cover,
    change: Change,
    asked: str,
    tokens: Sequence[Token],
    table: Table,
) -> Iterator[Derivation]:
    unread = tuple(tokens[at].lower for at in cover.unread)
    followed = f"Read as a follow-up to “{asked}”."
    if answer is None:
        query = of_whom(dated_as_before(change.query, Listing(), table), table)
        ends = edited(plan, replace(change, query=query), table)
        if ends is not None and ends != plan:
            yield Derivation(ends, Listing(query.tests), query, round(cover.cost, 4), cover, False, unread, (followed,))
        return
    for choice in changed(answer, change, table):
        try:
            made = Planner(table).plan(choice.answer)
        except PlanError:
            continue
        if change.cue.no_chart:
            made = made.with_steps(made.steps)
        if change.query.kind is not None and (made.chart is None or made.chart.kind is not change.query.kind):
            continue
        notes: tuple[str, ...] = (followed, *_no_longer(answer, choice.answer, table), *choice.notes)
        if made == plan and change.query.entities:
            continue  # what was named was not heeded
        if made == plan:
            notes = (*notes, UNCHANGED)
        cost = round(cover.cost + choice.cost, 4)
        found = Derivation(made, choice.answer, change.query, cost, cover, False, unread, notes)
        if not any(excluded(found, table) for excluded in EXCLUDED):
            yield found


def _no_longer(before: Answer, now: Answer, table: Table) -> Iterator[str]:
    for test in gone_of(before.tests, now):
        yield f"No longer: {say_predicate(Columns(table).predicate(test))}."
