"""Figures and groups set against each other: "mean vs median fare", "how much more did Oslo make than Bergen"."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.everyday.times.periods import has_dates


def two_functions(said: Speech, table: Table) -> Speech | None:
    """Say "mean vs median fare" as the mean and the median of it."""
    found = said.find(table.wording("two_functions"))
    if found is None or found.folded("one") == found.folded("other"):
        return None
    if any(columns.is_of_the_data(found[name], table) for name in ("one", "other")):
        return None
    return said.put(found, found.said())


def range_of_figure(said: Speech, table: Table) -> Speech | None:
    """Say "fare range by class" as the range of the fare."""
    found = said.find(table.wording("range_of_figure"))
    if found is None or columns.figure(found["what"], table) is None:
        return None
    return None if columns.named(f"{found['what']} range", table) else said.put(found, found.said())


def apart_in(said: Speech, table: Table) -> Speech | None:
    """Say "difference between Oslo and Bergen in average fare" as the difference in it between the two."""
    found = said.find(table.wording("apart_in"))
    if found is None or shared_column(found, table) is None or columns.last_figure(found["what"], table) is None:
        return None
    return said.put(found, found.said())


def higher_of_two(said: Speech, table: Table) -> Speech | None:
    """Say "which shop has a higher average fare, Oslo or Bergen" as the average of one vs the other."""
    for found in said.find_each(table.wording("higher_of_two")):
        column = shared_column(found, table)
        what = columns.figure(found["what"], table) if found["what"] else _done(found, table)
        if found["adjective"]:
            quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
            what = columns.ranking(quality.columns, table)
        if column is None or what is None or (found["group"] and columns.entity(found["group"], table) != column):
            continue
        summed = _is_total(what, found, table)
        figure = table.vocabulary.sayings.terms[Term.TOTAL if summed else Term.AVERAGE]
        return said.put(found, found.said(figure=figure, what=f"`{what}`"))
    return None


def higher_in_one_period(said: Speech, table: Table) -> Speech | None:
    """Say "were sales higher in 2024 than in 2023" as the sales of one vs the other."""
    for found in said.find_each(table.wording("higher_in_one_period")):
        if columns.figure(found["what"], table) is None or not has_dates(table):
            continue
        if found["week"] and found.meant("week") == found.meant("other_week"):
            continue
        week = "week_mean" if found["figure"] else "week"
        return said.put(found, found.said(week if found["week"] else "periods"))
    return None


def three_values(said: Speech, table: Table) -> Speech | None:
    """Say "Oslo vs Bergen vs Turku" as each of the three."""
    for found in said.find_all(table.wording("three_values")):
        named = [dict(values_called(found[name], table)) for name in ("one", "two", "other")]
        shared = set.intersection(*map(set, named))
        column = next(iter(shared)) if len(shared) == 1 else None
        if column is not None and len({values[column] for values in named}) == len(named):
            a, b, c = (values[column] for values in named)
            return said.put(found, found.said(column=column, a=a, b=b, c=c))
    return None


def more_rows_than(said: Speech, table: Table) -> Speech | None:
    """Say "does Oslo have more orders than Bergen" as the number of rows of one vs the other."""
    for found in said.find_each(table.wording("more_rows_than")):
        column = shared_column(found, table)
        if column is None or not columns.is_row(found["rows"], table):
            continue
        if found["group"] and columns.entity(found["group"], table) != column:
            continue
        if found["deed"] and not _makes_rows(found.folded("deed"), table):
            continue
        return said.put(found, found.said("apart" if found["how_many"] else "both"))
    return None


def _makes_rows(verb: str, table: Table) -> bool:
    """Tell whether a verb says only how rows came to be: nothing else is told by it, such as that they were paid."""
    if side_of(verb, table) is not None or measure_of_verb(verb, table) is not None:
        return False
    made = columns.date_of(verb, table) is not None or verb in table.words("deeds_of_rows")
    return made or any(table.akin(verb, noun) for noun in table.context.row_nouns)


def how_much_more(said: Speech, table: Table) -> Speech | None:
    """Say "how much more did Oslo make than Bergen" as the difference of their totals."""
    for found in said.find_each(table.wording("how_much_more")):
        shared = shared_column(found, table)
        if shared is None:
            continue
        if found["what"] and found["verb"] and not _says_only_that(found.folded("verb"), table):
            continue  # what somebody lost or sent back is not all of it
        column = _by_quality(found, table) if found["adjective"] else _compared_by(found, table)
        if column is None:
            refused = _not_said(found, table)
            return said.refusing(refused) if refused else None
        summed = _is_total(column, found, table)
        figure = table.vocabulary.sayings.terms[Term.TOTAL if summed else Term.AVERAGE]
        way = "relative" if found["in_percent_verb"] or found["in_percent"] else "absolute"
        one, other = (dict(values_called(found[name], table))[shared] for name in ("one", "other"))
        return said.put(found, found.said(way, figure=figure, column=column, one=one, other=other))
    return None


def several_qualities(said: Speech, table: Table) -> Speech | None:
    """Refuse "are e-bikes more expensive", where several columns hold a cost, and name these."""
    for rule in ("more_than_others", "unsaid_rival"):
        for found in said.find_each(table.wording(rule)):
            if not found["adjective"] or not found["a"] or not values_called(found["a"], table):
                continue
            quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
            fitting = _fitting(quality.columns, table) if columns.ranking(quality.columns, table) is None else []
            if len(fitting) > 1:
                listed = ", ".join(f"`{name}`" for name in fitting)
                wording = table.wording("several_qualities")
                parts = {"said": found["adjective"], "named": listed, "first": fitting[0], "a": found["a"]}
                return said.refusing(wording.say("refused", parts))
    return None


def _fitting(words: Iterable[str], table: Table) -> list[str]:
    """Return the columns of figures that the first fitting word is in the names of."""
    own = {name: parts for name, parts in table.context.column_words.items() if columns.is_figure(name, table)}
    named = ([name for name in own if table.context.lexicon.base(word) in own[name]] for word in words)
    return next((names for names in named if names), [])


def _is_total(column: str, found: Found, table: Table) -> bool:
    """Tell whether groups are compared by their totals: by amounts, and by what each did in all."""
    if found["figure"] or found["adjective"] or table.context.adds_up(column) is False:
        return False
    adding = table.words("taking_in") | table.words("adding_up") | table.words("spending_verbs")
    did = bool(found["in_percent_verb"]) or found.folded("verb") in adding
    return did or columns.is_summed(column, table)


def shared_column(found: Found, table: Table) -> str | None:
    """Return the one column that has both of two names as values; None where there is none, or several."""
    one, other = ({column for column, _ in values_called(found[name], table)} for name in ("one", "other"))
    return next(iter(one & other)) if len(one & other) == 1 else None


def taken_in(table: Table) -> str | None:
    """Return the column of what was taken in; None where two may be it, or one holds what was gained of it."""
    ranked = table.vocabulary.ranked
    gains = set(ranked["gain"])
    own = {name: set(parts) for name, parts in table.context.column_words.items() if _may_add_up(name, table)}
    if any(parts & gains for parts in own.values()):
        return None
    for word in (*ranked["gross"], *ranked["amounts_taken"], *ranked["paid_for_a_row"]):
        fitting = [name for name, parts in own.items() if table.context.lexicon.base(word) in parts]
        if fitting:
            return columns.money((word,), table) if len(fitting) == 1 else None
    return None


def _may_add_up(name: str, table: Table) -> bool:
    """Tell whether a column holds amounts of which a total may be taken."""
    return columns.is_figure(name, table) and table.context.adds_up(name) is not False


def _by_quality(found: Found, table: Table) -> str | None:
    """Return the column that "longer" ranks by: the one that says what they do so, or what is called after it."""
    quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
    done = measure_of_verb(found.folded("verb"), table) if found["verb"] else None
    return done or columns.ranking(quality.columns, table)


def _compared_by(found: Found, table: Table) -> str | None:
    if found["what"]:
        return columns.measured(found["what"], table)
    return taken_in(table) if found["in_percent_verb"] else _done(found, table)


def _done(found: Found, table: Table) -> str | None:
    """Return the column of what a verb says that one of two did more."""
    verb = found.folded("verb")
    return taken_in(table) if verb in table.words("taking_in") else measure_of_verb(verb, table)


def _says_only_that(verb: str, table: Table) -> bool:
    """Tell whether a verb says of a figure no more than that it is there: "carried" of passengers."""
    lists = ("taking_in", "adding_up", "spending_verbs", "carrying_verbs", "deeds_of_rows")
    return any(verb in table.words(words) for words in lists) and side_of(verb, table) is None


def _not_said(found: Found, table: Table) -> str:
    """Refuse a verb that may be about several columns, and name these; nothing where a word says which is meant."""
    if found["what"] or found.folded("verb") not in table.words("taking_in"):
        return ""
    flags = set(columns.flags(table))
    named = [name for name in table.context.column_words if _may_add_up(name, table) and name not in flags]
    if not named:
        return ""
    listed = ", ".join(f"`{name}`" for name in named)
    return found.said("refused", said=found["verb"] or found["in_percent_verb"], named=listed, first=named[0])
