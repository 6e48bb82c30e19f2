"""What analysts type short: "aov by channel", "what's the trend in visits", "gender split", "worst first"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.deeds.outcomes import outcome_of
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.ranked.worst import more_is_better, more_is_worse
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import date_of_event
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.everyday.times.course_of_rows import is_row
from jupyter_mcpgen.nl.everyday.times.periods import has_dates
from jupyter_mcpgen.nl.words.forms import owner

FEW_KINDS = 20
"""Of more values than this, "counts" rather says how many there are."""


def spelled_out(said: Speech, table: Table) -> Speech | None:
    """Say "aov" and "excl." in full, where the table has no such word."""
    for found in said.find_all(table.wording("spelled_out")):
        word = found.folded("word")
        if not columns.is_of_the_data(word, table):
            return said.put(
                found, found.said(full=found.meant("word")), f"“{word}” is read as “{found.meant('word')}”."
            )
    return None


def without_courtesy(said: Speech, table: Table) -> Speech | None:
    """Leave out a greeting, thanks, and what is polite only: "could you please show me"."""
    for found in said.find_all(table.wording("without_courtesy")):
        way = "asking" if found["asked"] else "nothing"
        if found.text.strip(" ,.!"):
            return said.put(found, found.said(way))
    return None


def how_high_on_average(said: Speech, table: Table) -> Speech | None:
    """Say "how long is the average stay" as "what is the average stay"."""
    found = said.find(table.wording("how_high_on_average"))
    return said.put(found, found.said()) if found else None


def how_high(said: Speech, table: Table) -> Speech | None:
    """Say "how big was the crowd in Ely" as "what was the crowd in Ely": a size of a figure is no other column.

    What adds up has its total as its size: "how big was the revenue in Ely".
    """
    found = said.find(table.wording("how_high"))
    column = columns.named(found["figure"], table, SHORTENED) if found else None
    if found is None or column is None or not columns.is_figure(column, table):
        return None
    whole = not found["end"] and table.context.adds_up(column) is True
    return said.put(found, found.said("total" if whole else "high"))


def counts_of_kinds(said: Speech, table: Table) -> Speech | None:
    """Say "region counts" as the number of rows of each region, where these are a few kinds and no persons."""
    found = said.find(table.wording("counts_of_kinds"))
    if found is None or columns.is_row(found["label"], table, table.words("persons")):
        return None
    column = columns.label(found["label"], table) or columns.part_of_label(found["label"], table)
    if column is None or table.context.column(column).distinct > FEW_KINDS:
        return None
    return said.put(found, found.said(column=column))


def kind_of_label(said: Speech, table: Table) -> Speech | None:
    """Say "each kind of result" as "each `result`", where nothing in the table is called a kind."""
    return _kinds("kind_of_label", said, table)


def number_of_kinds(said: Speech, table: Table) -> Speech | None:
    """Say "how many kinds of craft" as the number of different values of `craft`."""
    return _kinds("number_of_kinds", said, table)


def _kinds(wording: str, said: Speech, table: Table) -> Speech | None:
    found = said.find(table.wording(wording))
    column = columns.label(found["label"], table) if found else None
    if found is None or column is None or table.context.columns_with(table.context.plain(found.folded("kind"))):
        return None
    return said.put(found, found.said(column=column))


def of_each_row(said: Speech, table: Table) -> Speech | None:
    """Say "each member's fee" as "the fee of each member"."""
    found = said.find(table.wording("of_each_row"))
    noun = owner(found["owner"]) if found else None
    if found is None or noun is None or not columns.is_row(noun, table):
        return None
    return said.put(found, found.said(noun=noun)) if columns.named(found["what"], table) else None


def figure_beside(said: Speech, table: Table) -> Speech | None:
    """Say "revenue by week with a 4-week moving average" with nothing but a comma between the two."""
    found = said.find(table.wording("figure_beside"))
    return said.put(found, found.said()) if found else None


def left_out_behind(said: Speech, table: Table) -> Speech | None:
    """Say "cancelled excluded" as "excluding cancelled"."""
    found = said.find(table.wording("left_out_behind"))
    return said.put(found, found.said()) if found else None


def titled(said: Speech, table: Table) -> Speech | None:
    """Leave out a title before a question, of which no word is one of the table's: "seasonal pattern: …"."""
    found = said.find(table.wording("titled"))
    if found is None or any(columns.is_known(word, table) for word in found.folded("title").split()):
        return None
    return said.put(found, found.said(), f"“{found['title']}” is taken for a title.")


def asked_trend(said: Speech, table: Table) -> Speech | None:
    """Say "what's the trend in visits" and "how did sales develop" as the figure over time."""
    found = said.find(table.wording("asked_trend"))
    if found is None:
        return None
    if columns.is_row(found["what"], table):
        return said.put(found, found.said("rows"))
    column = columns.measured(found["what"], table)
    if column is None:
        return None
    way = "mean" if table.context.adds_up(column) is False else "sum"
    return said.put(found, found.said(way, column=column), _taken(found["what"], column, table))


def bare_rate(said: Speech, table: Table) -> Speech | None:
    """Say "churn by plan" as the churn rate, where a column says yes or no to it, or when."""
    found = said.find(table.wording("bare_rate"))
    noun = found.folded("noun") if found else ""
    if found is None or table.is_data(noun) or columns.named(noun, table, columns.STEMMED) is not None:
        return None
    flag, date = columns.flag_of_event(noun, table), date_of_event(noun, table)
    if flag is None:
        return said.put(found, found.said("dated")) if date is not None else None
    note = f"“{noun}” is taken to mean the share of rows where `{flag}` is true."
    return said.put(found, found.said("flag", column=flag), note)


def days_of_a_value(said: Speech, table: Table) -> Speech | None:
    """Leave out the "days" of "rainy vs sunny days", which only says that the rows are of days."""
    found = said.find(table.wording("days_of_a_value"))
    if found is None or not has_dates(table):
        return None
    both = [_values(found.folded(name), table) for name in ("one", "value")]
    return said.put(found, found.said()) if both[0] & both[1] else None


def kinds_of_a_label(said: Speech, table: Table) -> Speech | None:
    """Say "high performers vs low performers" as those two values of `performance`."""
    found = said.find(table.wording("kinds_of_a_label"))
    if found is None or found.folded("noun") != found.folded("noun_again"):
        return None
    both = _values(found.folded("one"), table) & _values(found.folded("value"), table)
    own = table.context.column_words
    fitting = [name for name in both if any(table.akin(found.folded("noun"), word) for word in own[name])]
    return said.put(found, found.said(column=fitting[0])) if len(fitting) == 1 else None


def _values(word: str, table: Table) -> set[str]:
    """Return the columns that have a value a word stands for."""
    known = {value.column for value in table.context.values.get(word, ())}
    outcome = outcome_of(word, table)
    return known | ({outcome.column} if outcome is not None else set())


def only_a_value(said: Speech, table: Table) -> Speech | None:
    """Say "search only" at the end as the rows of that value."""
    found = said.find(table.wording("only_a_value"))
    known = table.context.values.get(found.folded("value"), ()) if found else ()
    return said.put(found, found.said()) if found is not None and len(known) == 1 else None


def left_out(said: Speech, table: Table) -> Speech | None:
    """Say "excluding cancelled" as the rows that are not; what "and" joins to it is left out, too."""
    for found in said.find_each(table.wording("left_out")):
        side = side_of(found["word"], table)
        behind = said.behind(found).casefold().split()
        joined = bool(found["leaving"])
        if side is None or (joined and behind[0] in table.words("clauses") | table.words("leaving_out")):
            continue
        if not joined and behind and any(table.akin(behind[0], word) for word in _own_words(side[0], table)):
            continue  # "excluding gift wrapped" beside `gift wrap`
        holds = Term.FALSE if side[1] else Term.TRUE
        if not joined and _is_of_a_part(said, found, table):
            note = f"“{found.text}” is taken to mean that `{side[0]}` is {found.wording.terms[holds]}."
            return said.put(found, found.said("part", column=side[0], holds=holds), note)
        way = "first" if joined else "alone"
        return said.put(found, found.said(way, column=side[0], holds=holds), f"“{found.text}” leaves those rows out.")
    return None


def _is_of_a_part(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a part is asked for: of the bikes, how many are without insurance, and not of those without."""
    lacking = found.folded("lacking") in table.words("words_for_lack")
    return lacking and not table.words("nouns_of_parts").isdisjoint(said.before(found).casefold().split())


def _own_words(column: str, table: Table) -> tuple[str, ...]:
    return tuple(table.context.column_words[column])


def both_figures(said: Speech, table: Table) -> Speech | None:
    """Say "spend vs revenue per month" as the totals of both."""
    found = said.find(table.wording("both_figures"))
    both = [columns.measured(found[name], table) for name in ("one", "value")] if found else []
    if found is None or None in both or both[0] == both[1]:
        return None
    if any(table.context.adds_up(name) is not True for name in both if name is not None):
        return None
    return said.put(found, found.said(column=both[0] or "", other=both[1] or ""))


def rows_per_period(said: Speech, table: Table) -> Speech | None:
    """Say "tickets per day on average" as the average of their number on each day."""
    for found in said.find_each(table.wording("rows_per_period")):
        unit = found.meant("unit_word") if found["unit_word"] else found.folded("unit")
        what = found.folded("what")
        counted = columns.is_row(what, table) or (columns.is_plural(what, table) and is_row(what, table))
        context, noun = table.context, table.context.plain(what)
        of_amounts = noun in context.lexicon.amounts and noun not in context.row_nouns
        named = columns.named(what, table)
        written = named is not None and any(way.type.is_number for way in context.column(named).written)
        if of_amounts or written or columns.measured(what, table) is not None:
            continue  # "monthly average of takings" is of their amount
        if counted and columns.is_period(unit, table) and has_dates(table):
            return said.put(found, found.said(unit=unit))
    return None


def rows_per_group(said: Speech, table: Table) -> Speech | None:
    """Say "average tickets per agent" as the average of their number for each agent."""
    for found in said.find_each(table.wording("rows_per_group")):
        group = columns.entity(found["group"], table)
        key = columns.repeated_key(found["what"], table) if columns.is_plural(found["what"], table) else None
        if group is not None and key is not None and key != group:
            figure = table.say("number_of_different", column=key)
            return said.put(found, found.said("keyed", group=group, figure=figure))
        counted = columns.is_row(found["what"], table) and columns.is_plural(found["what"], table)
        if group is not None and counted and table.context.plain(found["what"]) not in table.context.lexicon.amounts:
            return said.put(found, found.said("rows", group=group))
    return None


def total_per_period_on_average(said: Speech, table: Table) -> Speech | None:
    """Say "total rainfall per day on average" as the average of the totals, and no total beside an average."""
    found = said.find(table.wording("total_per_period_on_average"))
    return None if found is None else said.put(found, found.said(what=found["what"], each=found["each"]))


def what_was_made(said: Speech, table: Table) -> Speech | None:
    """Say "output per shift" of the column of what was produced, even where the rows are called after the output."""
    found = said.find(table.wording("what_was_made"))
    if found is None or columns.named(found["noun"], table, columns.PERHAPS) is not None:
        return None
    column = columns.same_measure(found.folded("noun"), table)
    note = f"“{found['noun']}” is taken to be `{column}`."
    return said.put(found, found.said(column=column), note) if column is not None else None


def split_of(said: Speech, table: Table) -> Speech | None:
    """Say "gender split" and "revenue mix by channel" as the shares of its groups."""
    found = said.find(table.wording("split_of"))
    group = columns.label(found["by"], table) if found else None
    if found is None or group is None:
        return None
    if not found["what"] or columns.is_row(found["what"], table, table.words("one_row")):
        return said.put(found, found.said("rows", group=group))
    column = columns.measured(found["what"], table)
    if column is None or table.context.adds_up(column) is not True:
        return None
    return said.put(found, found.said("amount", column=column, group=group), _taken(found["what"], column, table))


def ordered_by_quality(said: Speech, table: Table) -> Speech | None:
    """Say "worst first" by the end that is worse of a figure; of one that may be good or bad, ask which is meant."""
    found = said.find(table.wording("ordered_by_quality"))
    column = columns.last_figure(said.before(found), table) if found else None
    if found is None or column is None:
        return None
    end, what = Term(found.meant("end")), f"`{column}`"
    other = Term.HIGHEST if end is Term.LOWEST else Term.LOWEST
    words = {word.strip(",").casefold() for word in said.before(found).split()}
    if table.words("missing_words") & words:
        if any(isinstance(meant, m.Function) for word in words for meant in table.context.lexicon.meanings(word)):
            return None  # the worst average, or the most of what is missing: not told apart here
        end, what = other, f"figure of what is missing in `{column}`"  # the worst of what is missing is the most of it
    elif more_is_worse(column, table):
        end = other
    elif not more_is_better(column, table):
        about = f"“{found.text.strip(', ')}” of `{column}` may mean the highest or the lowest first."
        return said.asking_back(about, *(said.put(found, found.said(end=way)).text for way in (end, other)))
    return said.put(found, found.said(end=end), f"“{found.text.strip(', ')}” is taken to mean the {end} {what} first.")


def drivers(said: Speech, table: Table) -> Speech | None:
    """Say "what drives price" as its correlations with all other number columns."""
    found = said.find(table.wording("drivers"))
    column = columns.measured(found["what"], table) if found else None
    if found is None or column is None:
        return None
    note = f"What goes together with `{column}` is shown; that does not say what causes it."
    return said.put(found, found.said(column=column), note)


def _taken(text: str, column: str, table: Table) -> str:
    """Say what a word was taken to mean, where the column is not called so."""
    return "" if columns.named(text, table) == column else f"“{text}” is taken to mean `{column}`."
