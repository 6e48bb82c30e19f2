"""Parts of a whole: "share of revenue by region", "percentage of orders that were returned"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.shares import beside_its_count, shared
from jupyter_mcpgen.nl.comparing.question import Attempt, Found, Question
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Limit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

OTHER_WHOLE = 0.3
"""What another whole costs than the one that the words around a condition suggest."""


def of_shares(question: Question) -> Iterator[Attempt]:
    """Read a share as the figures that it is the share of, or as a count of what meets a condition."""
    rest, ending = question.cut("of_total")
    if ending is None and question.find("share") is not None:
        question, in_percent = question.cut("in_percent")
        rest = question
    else:
        in_percent = None
    found, percent = None, ending is not None
    if ending is None:
        found, percent = question.find("percent"), True
        if found is None:
            found, percent = question.find("share"), in_percent is not None
        if found is None:
            return
    cut, counted = (rest.tokens, None) if found is None else _both(question, found)
    says_which = _says_which(question)
    each = {word for phrase in question.tree["phrases"]["per"] for word in phrase.split()}
    if found is not None and found.end < len(question.tokens) and question.tokens[found.end].lower in each:
        says_which = not _says_what_of_each(question, found)  # "share of each status": the parts of one whole
    ways = product([each for each in (cut, counted) if each is not None], (True, False), _narrowings(question, found))
    first = _names_a_value_first(question)
    date_named = _names_a_date_alone(question)
    open_ = not says_which and (date_named or _leaves_the_whole_open(question))
    for tokens, rate, narrowed in ways:
        within = _within(rest)
        share = partial(
            shared,
            percent=percent,
            within=within,
            rate=rate,
            narrowed=narrowed,
            value_first=first,
            date_named=date_named,
            lacking=question.lacking,
        )
        complete = partial(_of_what_was_asked, share=share, question=question)
        kept = _without_coming(tokens, question)
        again = Question(kept, question.context, question.language)
        inner = again.find("within")
        asked = again.without(inner, question.tree["words"]["by"]) if inner is not None else kept
        empty = Question(cut, question.context, question.language).is_empty
        yield Attempt(asked, complete, cost=OTHER_WHOLE if rate is says_which and not open_ else 0.0, bare=empty)


def _says_which(question: Question) -> bool:
    """Tell whether "where" says of which rows; not in "percentage of rows where it is open by team", one for each."""
    narrowing = question.tree["words"]["narrowing"]
    place = next((place for place, token in enumerate(question.tokens) if token.lower in narrowing), None)
    if place is None:
        return _narrows_behind_groups(question)
    items = link(question.tokens, question.context)
    if any(isinstance(i.meaning, m.Extreme) and i.start < place for i in items):
        return False  # "the shop with the highest share of rows where it is open" has a share of its own
    grouped = [i.start for i in items if isinstance(i.meaning, m.GroupWord)]
    return not grouped or min(grouped) < place


def _says_what_of_each(question: Question, found: Found) -> bool:
    """Tell whether a share is of the rows of each group: "open share per ward", "what share of each ward is open"."""
    before = link(question.tokens[: found.start], question.context)
    behind = question.tokens[found.end :]
    return any(isinstance(one.meaning, m.Value | m.Truth | m.PartValue) for one in before) or any(
        token.lower in question.tree["words"]["verbs"] for token in behind
    )


def _narrows_behind_groups(question: Question) -> bool:
    """Tell whether only what stands behind the groups says of which rows: "share of orders by kind in Hill"."""
    items, verbs = link(question.tokens, question.context), question.tree["words"]["verbs"]
    grouped = min((item.start for item in items if isinstance(item.meaning, m.GroupWord)), default=None)
    said = [i for i in items if isinstance(i.meaning, m.Value | m.Comparison | m.Quote | m.Truth | m.PartValue)]
    said += [item for item in question.columns if grouped is not None and item.end <= grouped]
    if grouped is None or not said or any(token.lower in verbs for token in question.tokens[grouped:]):
        return False
    return all(
        item.start > grouped and _is_behind(item.start, ("inside", "about", "on_days"), question) for item in said
    )


def _narrowings(question: Question, found: Found | None) -> tuple[bool, ...]:
    """Return whether the first condition says what is asked of the others; both where nothing in the question tells.

    "Share of lost parcels where the courier is A" asks for the first, "of the lost parcels, what share is from A" for
    the last, and "share of parcels where the courier is A that are lost", too: a second verb begins what is asked,
    unless it says which rows these are: "for customers that have …".
    """
    words = [token.lower for token in question.tokens]
    tree = question.tree["words"]
    verbs = [place for place, word in enumerate(words) if word in tree["verbs"]]
    place = next((place for place, word in enumerate(words) if word in tree["narrowing"]), None)
    if found is None:
        return (place is not None,)
    if verbs and place is None and _asks_for_both(words[verbs[-1] :], question):
        return ()
    if place is None:
        return (False,) if found.start > 0 or any(verb >= found.end for verb in verbs) else (False, True)
    if place - 1 in verbs or (place > found.end and _only_done(place - 1, question)):
        return (False,)  # "what share of bills in Hill is where … is missing": what is behind the verb is asked
    chosen = next((at for at in range(place, len(words)) if words[at] in tree.get("choosing", ())), len(words))
    joined = sum(word in tree["joining"] for word in words[place:chosen])
    return (place > found.start and sum(place < verb < chosen for verb in verbs) <= 1 + joined,)


def _only_done(place: int, question: Question) -> bool:
    """Tell whether a participle before a condition says nothing of the table itself: "made where channel is web"."""
    items = link(question.tokens, question.context)
    said = [i for i in items if isinstance(i.meaning, m.Column | m.Value | m.Truth | m.RowNoun | m.Describing)]
    verbs = question.context.lexicon.is_filler(question.tokens[place].lower)
    return verbs and not any(item.start <= place < item.end for item in said)


def _asks_for_both(words: list[str], question: Question) -> bool:
    """Tell whether two things are asked of the same rows: "are vaccinated and registered"."""
    tree = question.tree
    grouping = {tree["words"]["by"], *(word for phrase in tree["phrases"]["per"] for word in phrase.split())}
    end = next((place for place, word in enumerate(words) if word in grouping), len(words))
    return tree["words"]["joining"][0] in words[:end]


def _of_what_was_asked(plan: Plan, share: Callable[[Plan], Plan], question: Question) -> Plan:
    """Say the figures of a plan as shares; refuse those of a yes-or-no column taken for an amount or for groups."""
    context = question.context
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    if aggregate is not None:
        flags = flags_of(context.profile, question.language)
        added = {measure.column.name for measure in aggregate.measures if measure.column is not None}
        if any(_is_said_of_rows(name, question) for name in added):
            raise PlanError("What a verb says of rows is no figure of theirs.")
        if added & flags:
            raise PlanError("A share of rows that say yes is no share of a sum or of a count of values.")
        said = [name for name in aggregate.by.names if name in context.profile.schema_.names]
        met = any(isinstance(step, Filter) for step in plan.steps)
        ranked = any(isinstance(step, Limit) for step in plan.steps)
        if any(_is_had(name, question) for name in said):
            raise PlanError("What rows have is no group of them.")
        grouped = question.names_groups or (not said and _names_a_period(question))
        if aggregate.by.names and met and not ranked and not grouped:
            raise PlanError("Of rows that meet a condition, only a word such as “by” asks for groups.")
        if met and _asks_for_a_date(question):
            raise PlanError("Which rows lie in a stretch of time is not asked of others yet.")
        truths = [
            name
            for name in said
            if context.column(name).kind is Kind.TRUTH or context.type_of(name) is ColumnType.BOOLEAN
        ]
        if any(_is_predicate(name, question) for name in truths):
            raise PlanError("A yes-or-no column behind a verb is a condition.")
    return beside_its_count(share(plan)) if _asks_for_the_number(question) else share(plan)


def _asks_for_the_number(question: Question) -> bool:
    """Tell whether the number is asked for beside the share: "number and share of", "how many …, and what share"."""
    joining, counting = question.tree["words"]["beside"], question.tree["words"]["counting"]
    words = [token.lower for token in question.tokens]
    return any(word in counting for word in words) and any(word in joining for word in words)


def _names_a_value_first(question: Question) -> bool:
    """Tell whether a value stands before the words that make groups: "share of revenue from Pastry by month".

    "Share of votes in Hill by party" is one of the votes in Hill; by month, Hill has a share of its own in each.
    """
    items = link(question.tokens, question.context)
    grouped = min((item.start for item in items if isinstance(item.meaning, m.GroupWord)), default=0)
    said = [item for item in items if item.end <= grouped and _is_a_condition(item.meaning, question)]
    if not question.names_a_period:
        said = [item for item in said if not _is_inside(item.start, question)]
    return bool(said)


def _leaves_the_whole_open(question: Question) -> bool:
    """Tell whether "share of orders in Hill by kind" may be one of the orders in Hill, or one of those of each kind.

    "What share of orders is in Hill" asks it of all of them, and by month Hill has a share of its own in each.
    """
    items = link(question.tokens, question.context)
    grouped = min((item.start for item in items if isinstance(item.meaning, m.GroupWord)), default=0)
    places = [i.start for i in items if i.end <= grouped and isinstance(i.meaning, m.Value)]
    inside = [place for place in places if _is_inside(place, question)]
    verbs = question.tree["words"]["verbs"]
    asked = any(token.lower in verbs for token in question.tokens[: max(inside, default=0)])
    return bool(inside) and len(inside) == len(places) and not asked and not question.names_a_period


def _names_a_date_alone(question: Question) -> bool:
    """Tell whether only a named date chooses the rows: "share of jobs paid in 2024 by client", beside other dates.

    That may be asked of the jobs of each client, or of which clients those of 2024 are.
    """
    items, dates = link(question.tokens, question.context), question.context.dates
    grouped = min((item.start for item in items if isinstance(item.meaning, m.GroupWord)), default=0)
    before = [item for item in items if item.end <= grouped]
    named = [item for item in before if item.meaning in [m.Column(name) for name in dates]]
    places = {i.start for i in named}
    said = [i for i in before if isinstance(i.meaning, m.Value | m.Quote | m.Truth | m.Comparison)]
    others = any(i.start not in places for i in said)
    years = any(isinstance(i.meaning, m.Number) and i.meaning.value in YEARS for i in before)
    timed = years or any(isinstance(i.meaning, m.Span | m.Unit) for i in before)
    return bool(named) and not others and timed


def _is_inside(place: int, question: Question) -> bool:
    """Tell whether a place follows a word for where something is: "in the Hill ward"."""
    return _is_behind(place, ("inside",), question)


def _is_behind(place: int, keys: tuple[str, ...], question: Question) -> bool:
    """Tell whether a place follows a word of some lists, and perhaps an article."""
    words = {word for key in keys for word in question.tree["words"].get(key, ())}
    before = [token.lower for token in question.tokens[:place]]
    while before and before[-1] in question.tree["words"].get("articles", ()):
        before.pop()
    return bool(before) and before[-1] in words


def _is_a_condition(meaning: m.Meaning, question: Question) -> bool:
    """Tell whether a value is named, or a column of yes and no, which is said of some rows."""
    context = question.context
    said = isinstance(meaning, m.Column) and context.type_of(meaning.name) is ColumnType.BOOLEAN
    return said or isinstance(meaning, m.Value)


def _asks_for_a_date(question: Question) -> bool:
    """Tell whether only a date stands behind the last verb, and something else is said before it."""
    context, verbs = question.context, question.tree["words"]["verbs"]
    place = max((place for place, token in enumerate(question.tokens) if token.lower in verbs), default=None)
    if place is None:
        return False
    items = link(question.tokens, context)
    dated = (m.Span, m.PartValue, m.Unit)
    said = [i for i in items if isinstance(i.meaning, m.Value | m.Quote | m.Truth | m.Comparison)]
    said += [i for i in question.columns if i.meaning not in [m.Column(name) for name in context.dates]]
    behind = any(item.start > place for item in said)
    years = any(isinstance(i.meaning, m.Number) and i.meaning.value in YEARS for i in items if i.start > place)
    return not behind and bool(said) and (years or any(isinstance(i.meaning, dated) for i in items if i.start > place))


def _names_a_period(question: Question) -> bool:
    """Tell whether a word other than a column's name stands for a period."""
    named = {place for item in question.columns for place in range(item.start, item.end)}
    others = tuple(token for place, token in enumerate(question.tokens) if place not in named)
    return Question(others, question.context, question.language).names_a_period


def _is_predicate(name: str, question: Question) -> bool:
    """Tell whether a column's name stands behind a verb, or makes no groups because nothing asks for any."""
    if not question.names_groups:
        return True
    verbs = {*question.tree["words"]["verbs"], *question.tree["words"]["narrowing"]}
    named = [item.start for item in question.columns if item.meaning == m.Column(name)]
    return any(start > 0 and question.tokens[start - 1].lower in verbs for start in named)


def _is_said_of_rows(name: str, question: Question) -> bool:
    """Tell whether only a verb that is said of rows names a column: "invoices that were paid", "invoices paid"."""
    being = question.tree["words"]["being"]
    items = link(question.tokens, question.context)
    rows = {item.end for item in items if isinstance(item.meaning, m.RowNoun) and not item.meaning.assumed}
    columns = [
        item
        for item in items
        if isinstance(item.meaning, m.Column) and not question.context.is_measure(item.meaning.name)
    ]
    verbs = {item.start for item in items if isinstance(item.meaning, m.Describing)} | {one.start for one in columns}
    named = [item.start for item in items if item.meaning == m.Column(name)]
    said = [
        place
        for place in named
        if (place in rows and place in verbs) or (place and question.tokens[place - 1].lower in being)
    ]
    return bool(named) and said == named and any(end <= named[0] for end in rows)


def _is_had(name: str, question: Question) -> bool:
    """Tell whether rows are said to have a column: "what percentage of kites have a kite height"."""
    having = question.tree["words"]["having"]
    named = [item.start for item in question.columns if item.meaning == m.Column(name)]
    before = [[token.lower for token in question.tokens[max(0, start - 2) : start]] for start in named]
    light = question.context.lexicon.is_filler
    return any(words and (words[-1] in having or (words[0] in having and light(words[-1]))) for words in before)


def _within(question: Question) -> str | None:
    """Return the column whose values each are a whole of their own."""
    found = question.find("within")
    if found is None:
        return None
    after = [item for item in question.columns if item.start >= found.end]
    column = min(after, key=lambda item: item.start).meaning if after else None
    return column.name if isinstance(column, m.Column) else None


def _both(question: Question, found: Found) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    return question.without(found), question.without(found, *question.tree["words"]["counted"])


def _without_coming(tokens: tuple[Token, ...], question: Question) -> tuple[Token, ...]:
    """Leave out the verb of "comes from"."""
    words = question.tree["words"]
    return tuple(
        token
        for place, token in enumerate(tokens)
        if not (token.lower in words["comes"] and place + 1 < len(tokens) and tokens[place + 1].lower == words["from"])
    )
