"""Amounts said otherwise than by their columns: "average order value", "revenue per order", "over 10%", "pay gap"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED, TOTAL_WORDS, Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import cost_or
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.tables.counted_money import is_counted_money
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.ops import AggregateFunction

LARGEST_RATE = 0.2
"""Where no fraction is larger than this, a percentage below 1 is meant as one, too."""
ALL, PERCENT = 100, "%"
SHORTEST_RATE = 3
"""Of how many words the name of a rate is: `price_per_kg`."""
MOST_WORDS_OF_A_COLUMN = 3
_BOUNDS = (AggregateFunction.MIN, AggregateFunction.MAX)


def order_value(said: Speech, table: Table) -> Speech | None:
    """Say "average order value" as the average of the column that holds what an order is worth."""
    found = said.find(table.wording("order_value"))
    if found is None or not columns.is_row(found["noun"], table, table.words("purchases")):
        return None
    whole = f"{found['noun']} {found['value']}"
    if columns.named(whole, table, columns.STEMMED) or columns.repeated_key(found["noun"], table):
        return None  # a row may be only a part of one
    column, counted = columns.money(table.vocabulary.ranked["money"], table), _number_of_purchases(table)
    if column is None:
        return None
    if counted and counted != [column]:  # each row is of many of them, such as those of a day
        if len(counted) > 1 or column in counted:
            return None
        note = f"The {whole} is taken to be the sum of `{column}` divided by the sum of `{counted[0]}`."
        return said.put(found, found.said("of_many", column=column, counted=counted[0]), note)
    return said.put(found, found.said("of_rows", column=column), f"The {whole} is taken to be `{column}`.")


def _number_of_purchases(table: Table) -> list[str]:
    """Return the columns that count purchases: the `transactions` of each day."""
    own, purchases = table.context.column_words, table.words("purchases") - table.words("takings")
    counts = (name for name, words in own.items() if purchases.intersection(words[-1:]))
    figures = (name for name in counts if columns.is_figure(name, table))
    return [name for name in figures if table.context.adds_up(name) or table.context.counts_things(name)]


def how_much_spent(said: Speech, table: Table) -> Speech | None:
    """Say "how much did Acme spend" as the total of what was paid, for Acme."""
    found = said.find(table.wording("how_much_spent"))
    if found is None:
        return None
    behind = Speech(found["rest"]).find(table.wording("on_what"))
    column = columns.named(behind["what"], table, columns.STEMMED) if behind else None
    if column is not None and table.context.is_measure(column):
        return said.put(found, found.said("whole", column=column))
    verb = found.folded("verb") or found.folded("verb_of_gifts")
    column = columns.money(table.vocabulary.verbs.get(verb, table.vocabulary.ranked["money"]), table)
    if column is None:
        return None
    if found.folded("who").split()[0] in table.words("ourselves"):
        column = cost_or(column, verb, table)
    everybody = columns.is_plural(found["who"], table) and columns.is_person(found["who"], table)
    group = columns.entity(found["who"].split()[-1], table) if found["mean"] else None
    if group is not None and found.folded("who").split()[0] not in table.words("each_of_kinds"):
        ways = (found.said(way, column=column, group=group) for way in ("all_mean", "of_totals"))
        return said.asking_back(found.said("asked"), *ways)
    way = ("all" if everybody else "part") + ("_mean" if found["mean"] else "")
    return said.put(found, found.said(way, column=column), f"How much they {verb} is taken to be `{column}`.")


def per_row(said: Speech, table: Table) -> Speech | None:
    """Say "revenue per order" as the average of revenue, where a row is an order."""
    found = said.find(table.wording("per_row"))
    if found is None or columns.label(found["noun"], table) or found.folded("noun") in _headers(table):
        return None
    if columns.label(f"{found['noun']} {found['rest'].split(' ')[0]}", table):
        return None  # "per room type" is not per room
    if not (columns.is_row(found["noun"], table) or columns.dates_rows(found["noun"], table)):
        return None
    first, _, rest = found["what"].partition(" ")
    column = columns.named(found["what"], table, columns.STEMMED)
    if column is None and first.casefold() in table.words("total"):
        column = columns.named(rest, table, columns.STEMMED)
    if column is None or not columns.is_figure(column, table) or columns.repeated_key(found["noun"], table):
        return None
    note = f"Each row is one {found['noun']}, so `{column}` is averaged."
    lacking = f"Rows without `{column}` are left out of the average." if table.context.column(column).nulls else ""
    return said.put(found, found.said(column=column), note, lacking)


def _headers(table: Table) -> set[str]:
    """Return the columns as they are written: each is what a question groups by that names it."""
    return {name.casefold() for name in table.context.profile.schema_.names}


def number_per_row(said: Speech, table: Table) -> Speech | None:
    """Say "average number of parcels per shipment" as the average of `parcels`, where a row is a shipment."""
    found = said.find(table.wording("number_per_row"))
    if found is None or columns.label(found["noun"], table) or not columns.is_row(found["noun"], table):
        return None
    column = columns.figure(found["what"], table)
    if column is None:
        return None
    note = f"Each row is one {found['noun']}, and `{column}` tells how many."
    return said.put(found, found.said(f=Term(found.meant("f")), column=column), note)


def per_piece(said: Speech, table: Table) -> Speech | None:
    """Say "revenue per unit" by the column that counts the pieces, "cost per kwh" by the one measured in them."""
    found = said.find(table.wording("per_piece"))
    if found is None:
        return None
    noun, context = found.folded("noun"), table.context
    if _ends_a_name(noun, f"{said.before(found)} {found.text}", table):
        return None
    if (context.plain(noun),) in context.column_words.values():
        return None  # `pallets` is what pallets are, and not `damaged_pallets`
    whole = _counted_so(found["noun"], said.behind(found), table)
    if whole is not None:
        column, rest = whole
        way = "counted" if columns.is_summed(column, table) else "measured"
        return said.saying(f"{said.before(found)} {found.said(way, column=column)} {rest}")
    pieces = table.words("quantity") if noun in table.words("piece") else {noun}
    measures = [(name, own) for name, own in context.column_words.items() if context.is_measure(name)]
    measures = [(name, own) for name, own in measures if not _is_of_each_in(noun, name, table)]
    counts = ((name, own) for name, own in measures if own and own != (noun,) and own[-1] in pieces)
    so_many = [name for name, own in counts if not (_is_rate(own, context) or _is_bound(own, context))]
    fitting = [name for name in so_many if not columns.is_planned(name, table)]
    if fitting and any(_begins_with_them(name, pieces, table) for name in set(context.column_words) - set(fitting)):
        return None  # `pieces_made` beside `scrap_pieces`
    fitting = fitting or [name for name, own in measures if set(own) - TOTAL_WORDS == {noun} < set(own)]
    fitting = fitting or _counted_by_kin(noun, table)
    fitting = fitting or [name for name in context.column_words if _is_measured_in(noun, name, table)]
    if len(fitting) != 1:
        return None
    if len(context.dates) == 1 and columns.is_period(noun, table) and not context.adds_up(fitting[0]):
        return None  # with one date, "revenue per day" is of its days; a time that something took lies between two
    return said.put(found, found.said("counted" if context.adds_up(fitting[0]) else "measured", column=fitting[0]))


def rate_per_piece(said: Speech, table: Table) -> Speech | None:
    """Refuse "rate per night" where `rate` is one of each already: divided by `nights` it would be nothing."""
    for found in said.find_each(table.wording("rate_per_piece")):
        column, context = columns.figure(found["what"], table), table.context
        rated = column is not None and context.column_words[column][-1] in table.words("rate_nouns")
        if column is None or not (rated or columns.is_per_piece(column, table)):
            continue
        if _ends_a_name(found.folded("noun"), f"{said.before(found)} {found.text}", table):
            continue
        named = context.columns_with(context.plain(found.folded("noun")))
        if any(context.is_measure(name) for name in named if name != column):
            return said.refusing(found.said(column=column))
    return None


def _is_of_each_in(noun: str, name: str, table: Table) -> bool:
    """Tell whether a noun only stands behind the stroke of a unit: the "word" of a rate in EUR/word."""
    behind = (table.context.column(name).unit or "").partition("/")[2]
    return noun in {table.context.plain(word) for word in split_name(behind)}


def _begins_with_them(name: str, pieces: frozenset[str] | set[str], table: Table) -> bool:
    """Tell whether a column of figures begins with the plural of what is counted."""
    first, context = (split_name(name) or (name,))[0], table.context
    return context.is_measure(name) and context.plain(first) != first and context.plain(first) in pieces


def _ends_a_name(noun: str, text: str, table: Table) -> bool:
    """Tell whether "per kwh" ends a text with the whole name of a column: `Price per kWh` is divided by nothing."""
    context, words = table.context, [table.context.plain(word) for word in split_name(text)]
    named = (own for own in context.column_words.values() if own[-1:] == (context.plain(noun),))
    return any(len(own) >= SHORTEST_RATE and words[-len(own) :] == list(own) for own in named)


def _is_bound(own: tuple[str, ...], context: Context) -> bool:
    """Tell whether a column holds the least or the most there may be, and not how many there were."""
    said = (meaning for word in own for meaning in context.lexicon.meanings(word))
    return any(isinstance(meaning, m.Function) and meaning.function in _BOUNDS for meaning in said)


def _counted_so(noun: str, behind: str, table: Table) -> tuple[str, str] | None:
    """Return the count whose whole name begins with a noun, and the words behind it: `units_made`, "per unit made"."""
    words = behind.split()
    for width in range(min(MOST_WORDS_OF_A_COLUMN - 1, len(words)), 0, -1):
        called = " ".join((noun, *words[:width]))
        column = columns.figure(called, table)
        own = () if column is None else table.context.column_words[column]
        if column is not None and len(own) == width + 1 and table.context.adds_up(column) is not False:
            return column, " ".join(words[width:])
    return None


def _is_measured_in(unit: str, name: str, table: Table) -> bool:
    """Tell whether a column holds so many of a unit, called by it first: `kwh_used`."""
    own = table.context.column_words[name]
    said = len(own) > 1 and own[0] == unit and own[-1].endswith(table.context.lexicon.participles)
    begun = [words for words in table.context.column_words.values() if len(words) > 1 and words[0] == unit]
    return said and len(begun) == 1 and table.context.is_measure(name)  # `units_scrapped` beside `units_made` tells not


def _counted_by_kin(noun: str, table: Table) -> list[str]:
    """Return the counts that are called by another form of a noun that is no other word: a visitor's `visits`."""
    context = table.context
    if columns.is_known(noun, table):
        return []
    counts = [(name, own) for name, own in context.column_words.items() if context.is_measure(name) and len(own) == 1]
    return [name for name, own in counts if context.adds_up(name) and table.akin(noun, own[0])]


def _is_rate(own: tuple[str, ...], context: Context) -> bool:
    """Tell whether a column is called a figure per piece itself: nothing is divided by `price_per_tonne`."""
    return any(m.GroupWord(each=True) in context.lexicon.meanings(word) for word in own)


def percents(said: Speech, table: Table) -> Speech | None:
    """Say "10%" as 0.1 of a column of fractions, and as 10 of a column of percents."""
    found = said.find(table.wording("percents"))
    column = _number_named(said.before(found), table) if found else None
    if found is None or column is None:
        return None
    limit = of_percents(found["n"], column, table)
    return said.put(found, found.said(n=limit[0]), limit[1]) if limit is not None else None


def of_percents(n: str, column: str, table: Table) -> tuple[str, str] | None:
    """Return so many percent as a value of a column, and what was assumed; None where its values are no parts."""
    known, number = table.context.column(column), float(n)
    lowest, highest = known.minimum, known.maximum
    if not isinstance(lowest, int | float) or not isinstance(highest, int | float) or lowest < 0:
        return None
    if highest <= 1 and (number > 1 or (number < 1 and highest < LARGEST_RATE)):
        written = f"{number / 100:.6f}".rstrip("0").rstrip(".")
        return written, f"`{column}` holds fractions, so {n}% is {written}."
    paid = table.words("money") | table.words("paid_for_a_row")
    other = (known.unit or PERCENT) != PERCENT or table.context.adds_up(column) is True
    if highest > ALL or other or paid & set(table.context.column_words[column]):
        return None  # more than 50% of a fare is no fare above 50
    return n, f"`{column}` is taken to hold percents."


def _number_named(text: str, table: Table) -> str | None:
    """Return the number column that words name, the nearest to their end."""
    words = text.split()
    for end in range(len(words), 0, -1):
        for width in range(min(MOST_WORDS_OF_A_COLUMN, end), 0, -1):
            name = columns.named(" ".join(words[end - width : end]), table, columns.STEMMED)
            if name and table.context.is_number(name):
                return name
    return None


def in_units(said: Speech, table: Table) -> Speech | None:
    """Leave out the unit behind the name of a column that is measured in it: "cost in usd"."""
    wording, folded = table.wording("in_units"), said.text.casefold()
    if said.find(wording) is None:
        return None
    for name in table.context.profile.schema_.names:
        pieces = split_name(name)
        for cut in range(1, len(pieces)):
            phrase = wording.say("", {"of": " ".join(pieces[:cut]), "unit": " ".join(pieces[cut:])})
            found = re.search(rf"\b{re.escape(phrase)}\b", folded) if phrase in folded else None
            if found is not None and table.context.is_number(name):
                return said.saying(f"{said.text[: found.start()]} `{name}` {said.text[found.end() :]}")
    return None


def figures(said: Speech, table: Table) -> Speech | None:
    """Leave out a noun that adds nothing to the figures of a column: "maths scores"."""
    found = said.find(table.wording("figures"))
    column = columns.named(found["name"], table) if found else None
    if found is None or column is None or columns.named(found.text, table) or not table.context.is_measure(column):
        return None
    return said.put(found, found.said())


def pay_gap(said: Speech, table: Table) -> Speech | None:
    """Say "gender pay gap" and "pay gap between genders" as the average pay of each gender, side by side."""
    for found in said.find_each(table.wording("pay_gap")):
        label = columns.label(table.context.lexicon.base(found.folded("label")), table)
        what, pay = found.folded("what"), table.vocabulary.ranked["pay"]
        column = columns.ranking((what, *pay) if what in pay else (what,), table) if label is not None else None
        if label is not None and column is not None:
            note = f"The gap is shown as the average `{column}` of each `{label}`."
            return said.put(found, found.said("grouped" if found["by"] else "alone", column=column, group=label), note)
    return None


def doubted(said: Speech, table: Table) -> Speech | None:
    """Ask for a test where it is doubted that groups differ."""
    found = said.find(table.wording("doubted"))
    note = "A difference is looked for with a statistical test."
    return said.put(found, found.said("between" if found["a"] else "whole"), note) if found else None


def difference_in(said: Speech, table: Table) -> Speech | None:
    """Ask for the figures of two groups where their difference is a figure."""
    found = said.find(table.wording("difference_in"))
    if found is None:
        return None
    column = columns.named(found["what"], table, columns.STEMMED)
    adds_up = column is not None and table.context.adds_up(column) is True
    figure = Term.TOTAL if adds_up and not found["mean"] else Term.AVERAGE
    return said.put(found, found.said(figure=figure), f"The {figure}s are shown side by side, not subtracted.")


def missing_values(said: Speech, table: Table) -> Speech | None:
    """Say "how many values are missing" as the number of missing values."""
    found = said.find(table.wording("missing_values"))
    return said.put(found, found.said()) if found else None


def rows_lacking(said: Speech, table: Table) -> Speech | None:
    """Say "how many orders have no discount" as the rows where it is missing."""
    found = said.find(table.wording("rows_lacking"))
    column = columns.named(found["what"], table, columns.STEMMED) if found else None
    if found is None or column is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    if found.folded("what").split()[-1] in table.words("date") and not columns.holds_dates(column, table):
        return None  # a "review date" is no number of reviews
    known = table.context.column(column)
    has_zeros = table.context.is_number(column) and known.minimum == 0
    if has_zeros and known.nulls:
        return None  # none may be either of the two
    lexicon = table.context.lexicon
    spelled = [v for v in known.values if str(v).casefold() in lexicon.nothing | lexicon.denying_truth]
    if len(spelled) == 1 and not known.nulls:
        return said.put(found, found.said("spelled", column=column, value=str(spelled[0])))
    return said.put(found, found.said("zero" if has_zeros else "missing", column=column))


def cell_of(said: Speech, table: Table) -> Speech | None:
    """Ask "what is" of a column and the one row that a value names: "box office of Paper Kings"."""
    found = said.find(table.wording("cell_of"))
    if found is None or columns.named(found["what"], table) is None:
        return None
    values = table.context.values.get(" ".join(value_words(found["value"])), ())
    unique = values and all(table.context.names_rows(value.column) for value in values)
    return said.put(found, found.said(said=said.text)) if unique else None


def how_often(said: Speech, table: Table) -> Speech | None:
    """Say "how often was the status warning" as a number of rows."""
    found = said.find(table.wording("how_often"))
    return said.put(found, found.said()) if found else None


def verbs_compared(said: Speech, table: Table) -> Speech | None:
    """Say "earning less than 50k" and "delayed by more than 15 minutes" of the columns they are about."""
    found = said.find(table.wording("verbs_compared"))
    if found is None or columns.named(found["verb"], table, SHORTENED) or said.find(table.wording("in_all")):
        return None  # "spent more than 50 in total" limits no single row
    verb = found.folded("verb")
    wanted = table.vocabulary.verbs.get(verb)
    column = columns.ranking(wanted, table) if wanted else _measure_of(verb, table)
    if column is None or (wanted and table.context.pieces and columns.is_per_piece(column, table)):
        return None  # what several pieces cost is not the price of one
    note = f"“{verb}” is taken to be about `{column}`."
    if said.before(found).strip():
        said = said.put(found, found.said("with", column=column), note)
    else:  # "who earns more than 9000"
        said = said.saying(f"{found.said('rows', column=column)} {said.behind(found).rstrip(' ?.!')}", note)
    unit = said.find(table.wording("unit_of_a_number"))
    return said.put(unit, unit.said()) if unit and _is_unit_of(unit.folded("unit"), column) else said


def _measure_of(verb: str, table: Table) -> str | None:
    """Return the one measure whose name is a form of a verb."""
    context, skip = table.context, set(columns.flags(table))
    if columns.is_known(verb, table) and not context.columns_with(verb):
        return None
    measures = [name for name in context.column_words if context.is_measure(name) and name not in skip]
    found = [name for name in measures if any(table.akin(verb, word) for word in context.column_words[name])]
    return found[0] if len(found) == 1 else None


def _is_unit_of(unit: str, column: str) -> bool:
    """Tell whether a column is measured in a unit, by the end of its name."""
    last = (split_name(column) or (column,))[-1]
    return unit.startswith(last) or last.startswith(unit[:3])


def summed(said: Speech, table: Table) -> Speech | None:
    """Say "how many passengers flew to Cork" as the total of a column that adds up."""
    found = said.find(table.wording("summed"))
    column = columns.named(found["what"], table) if found and found["rest"] else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    if table.context.adds_up(column) is not True or columns.is_row(found["what"], table):
        return None
    if is_counted_money(column, table.context):
        return None  # "how many fines" asks for no sum of money
    verb = found.folded("verb")
    if verb and verb not in table.words("stay"):
        return None  # who died on the way is not everybody who was on it
    return said.put(found, found.said(column=column), f"“{verb}” is taken to say nothing more." if verb else "")


def stay(said: Speech, table: Table) -> Speech | None:
    """Leave out the "work" of "work in Sales"."""
    found = said.find(table.wording("stay"))
    if found is None or table.is_data(found.text) or Speech(said.before(found)).find(table.wording("asks_how_long")):
        return None
    if len(table.context.dates) > 1 and Speech(said.behind(found)).find(table.wording("begins_with_a_day")) is not None:
        return None  # by which of the dates somebody "stayed on 2023-07-15" the verb alone would say
    return said.put(found, found.said("way" if found["way"] else "gone"))
