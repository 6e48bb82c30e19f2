"""How surely some words name a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import EXACT, NAMES_OF_THINGS, SHORTENED, STEM, TOTAL_WORDS, Context
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.nl.words.shortened import shortens
from jupyter_mcpgen.plan.schema import ColumnType

PART_OF_NAME = 0.4
"""What naming only a small part of a column's name costs at most."""
WRITTEN_OUT = 0.9
"""How surely a whole name is meant with some of its words as they are, and the others written out: `lifeExp`."""
WITHOUT_TOTAL = 0.02
"""What leaving out a word such as "total" costs."""
ONE_OF_SEVERAL = 0.08
"""What a word costs that several columns share."""
ADDED_NOUN = 0.06
"""What a noun costs that the column's name does not have, as in "weather condition" for `weather`."""
NOUN_OF_ROWS = 0.2
"""What it costs to take the noun of the rows for what each is worth: an "average bill" by `bill_amount`."""
SHORTEST_UNIT = 2
"""A single letter is no unit that a question names a column by."""
ONLY_UNIT = 0.05
"""What naming a column by nothing but its unit costs, where no other is measured in it: "km" for `distance_km`."""
PERCENT = "%"
MOST_REMEMBERED = 2_048
"""How many spans of words are remembered with the columns that they may name."""


def column_matches(words: Sequence[str], context: Context) -> tuple[tuple[str, float], ...]:
    """Return the columns that a span of words may name, with a certainty from 0 to 1.

    Remembered for the last spans of words, because every reader asks about the same ones.
    """
    remembered, span = context.named, tuple(words)
    known = remembered.get(span)
    if known is None:
        if len(remembered) >= MOST_REMEMBERED:
            remembered.clear()
        known = remembered[span] = tuple(_not_of_the_named(words, tuple(_all_matches(list(words), context)), context))
    return known


def _not_of_the_named(
    words: Sequence[str], found: tuple[tuple[str, float], ...], context: Context
) -> Iterator[tuple[str, float]]:
    """Yield the columns but for the figures of what a noun names: an "item" is `item_name`, and never `item_total`.

    What a column counts is that column, and no figure of one of these.
    """
    noun = context.plain(words[0]) if len(words) == 1 else ""
    named = {name for name, _ in found if context.column_words[name] == (noun, "name")}
    told = any(context.type_of(name) is ColumnType.TEXT for name in named)
    counted = {name for name, _ in found if _is_number_of(noun, name, context)}
    for name, certainty in found:
        if counted and name not in counted and context.column_words[name][-1] != noun and context.is_measure(name):
            continue  # "units" are `units_sold`, and no `unit_price`
        if not told or context.column_words[name] == (noun,) or not context.is_measure(name):
            yield name, certainty


def _tells(word: str, context: Context) -> bool:
    """Tell whether a word says more than a filler word or a noun that fits any column."""
    return not context.lexicon.is_filler(word) and context.plain(word) not in context.lexicon.generic


def _is_number_of(noun: str, name: str, context: Context) -> bool:
    """Tell whether a column of whole numbers has the plural of a noun in its name: "unit" of `units_sold`."""
    plurals = [word for word in split_name(name) if word != noun and context.lexicon.base(word) == noun]
    return bool(plurals) and context.type_of(name) is ColumnType.INTEGER


def _all_matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    yield from _matches(words, context)
    for joined in _written_together(words, context):
        yield from _matches(joined, context)
    if len(words) > 1 and context.plain(words[0]) in context.row_nouns and not _has_every_word(words, context):
        for name, certainty in _matches(words[1:], context):
            if certainty >= EXACT - ADDED_NOUN:
                yield name, certainty - ADDED_NOUN  # "crime type" for the `Primary Type` of `crimes`
    last = context.plain(words[-1]) if words else ""
    adds_noun = len(words) > 1 and last in context.lexicon.generic and last not in context.full_names
    adds_noun = adds_noun and any(_tells(word, context) for word in words[:-1])  # "number of types" is no `order_no`
    if adds_noun and not _has_every_word(words, context):
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - ADDED_NOUN and not (context.is_measure(name) and context.columns_with(last)):
                yield name, certainty - ADDED_NOUN
    elif len(words) > 1 and last in context.lexicon.nouns_of_money and not context.columns_with(last):
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - ADDED_NOUN and context.is_of_money(name):
                yield name, certainty - ADDED_NOUN  # "freight revenue" for `freight_eur`
    elif len(words) > 1 and last in context.lexicon.intensive and not _has_every_word(words, context):
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - ADDED_NOUN and _is_percent(name, context):
                yield name, certainty - ADDED_NOUN  # "discount rate" for `discount_pct`
    elif len(words) > 1 and last in context.units_of_columns and not context.columns_with(last):
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - ADDED_NOUN and name in context.units_of_columns[last]:
                yield name, certainty  # "waiting minutes" for `waiting_min`


def _is_percent(name: str, context: Context) -> bool:
    known = context.column(name)
    return context.is_measure(name) and (known.kind is Kind.PERCENT or known.unit == PERCENT)


def worth_of_rows(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield the one measure that is called the amount of a row: "bill" for the `bill_amt` of `restaurant_bills`."""
    wanted = {context.plain(word) for word in words}
    if wanted <= context.row_nouns:
        fitting = [
            name
            for name, said in _beside(context.lexicon.nouns_of_money, context)
            if said == wanted and context.is_of_money(name)
        ]
        if len(fitting) == 1:
            yield fitting[0], EXACT - NOUN_OF_ROWS


def amount_of_the_table(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield the one measure that is called nothing but an amount: "expenses" for the `amount` of `expenses`."""
    wanted, of_table = {context.plain(word) for word in words}, split_name(context.profile.name)
    named = {context.lexicon.base(word) for word in of_table} & context.lexicon.amounts - context.row_nouns
    if wanted <= named - context.full_names:
        of_money = bool(wanted & (context.lexicon.nouns_of_money | context.lexicon.counted_money))
        fitting = [name for name, said in _beside(context.lexicon.bare_amounts, context) if not said]
        fitting = [name for name in fitting if context.is_of_money(name) or not of_money]
        if len(fitting) == 1:
            yield fitting[0], EXACT


def asks_for_rows(before: tuple[Token, ...], context: Context) -> bool:
    """Tell whether words before a noun ask for a list of rows, or how many there are."""
    meanings = context.lexicon.meanings
    listed = any(isinstance(one, m.ListRows) for token in before for one in meanings(token.lower))
    said = [" ".join(token.lower for token in before[-many:]) for many in (1, 2)]
    return listed or any(isinstance(one, m.CountWord) for phrase in said for one in meanings(phrase))


def _beside(nouns: frozenset[str], context: Context) -> Iterator[tuple[str, set[str]]]:
    """Yield the amounts, and what the name of each says beside its unit and some nouns."""
    for name, own in context.column_words.items():
        if context.is_of_money(name) or (context.is_measure(name) and context.adds_up(name) is not False):
            yield name, set(own) - nouns - {context.plain(word) for word in split_name(context.column(name).unit or "")}


def _has_every_word(words: list[str], context: Context) -> bool:
    """Tell whether a column has all of some words in its name: "lap time" is `lap_time_s`, and never `lap`."""
    columns = [context.columns_with(context.plain(word)) for word in words]
    return any(all(found.get(name) == EXACT for found in columns) for name in columns[0])


def _written_together(words: list[str], context: Context) -> Iterator[list[str]]:
    """Yield the words with two of them as one, as in `maritalstatus`, or `percap` for "per capita"."""
    for place in range(len(words) - 1):
        if words[place] in context.name_beginnings:
            whole = words[place] + context.plain(words[place + 1])
            if context.columns_with(whole):
                yield [*words[:place], whole, *words[place + 2 :]]


def _matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    wanted = list(context.written_out(words))
    spoken = [word for word in wanted if not context.lexicon.is_filler(word)] or wanted
    whole = tuple(wanted) in set(context.column_words.values())
    if not spoken or len(set(wanted)) < len(wanted):
        return
    if set(spoken) <= context.row_nouns and not (whole and len(wanted) > 1):
        return  # in a table of assets, `asset_make` is no asset, though "make" says little
    if all(_links(word, context) for word in spoken) and not whole and not _is_named_alone(wanted, context):
        return  # "from" alone is never `date_from`
    only_totals = set(spoken) <= TOTAL_WORDS
    language = context.lexicon.language
    stems = {stem(word, language) for word in wanted}
    said_first = context.lexicon.meanings(words[0]) if len(words) > 1 else ()
    calculates = any(isinstance(meaning, m.Function) for meaning in said_first)
    found: list[tuple[str, float, float, int]] = []
    of_things: set[str] = set()
    for name, level in _with_all(spoken, context):
        own, optional = context.column_words[name], context.optional_words[name]
        if calculates and own[-1] == wanted[0] and own[-1] in optional:
            continue  # "min delay" is the smallest `delay_min`, which is in minutes
        matched = {
            word
            for word in own
            if word in wanted
            or stem(word, language) in stems
            or (level == SHORTENED and any(shortens(word, said) for said in wanted))
        }
        if _is_only_behind_per(matched, name, context):
            continue  # "kg" alone is never `price_per_kg`
        if _is_only_a_period(matched, name, context, plural=_are_things(words, context)):
            continue  # "month" and "days" alone are never `day_of_month`
        rest = [word for word in own if word not in matched and word not in optional]
        if rest and level == SHORTENED:
            continue  # "expenses" alone is never `lifeExp`
        if rest and own[-1] in rest and own[-1] in context.lexicon.nouns_of_ranks and context.is_number(name):
            continue  # "height" is no `height_rank`
        if rest and own[0] in rest and own[0] in context.lexicon.before_states and _says_yes_or_no(name, context):
            continue  # "sales" are no `on_sale`
        if set(wanted) <= context.lexicon.ends_alone and not set(own) <= context.lexicon.ends_alone:
            continue  # "the last recipe" asks for no `last_made`
        if rest and own[-1] in rest and own[-1] in context.lexicon.intensive and _are_things(words, context):
            of_things.update({name} if own[-1] not in context.lexicon.ages else ())
        priced = (context.lexicon.intensive | context.lexicon.nouns_of_money).intersection(rest)
        if priced and own[0] in matched and matched <= context.lexicon.pieces and _are_things(words, context):
            of_things.add(name)  # with its unit behind it: `Unit Cost (GBP)`
        if rest and only_totals:
            continue  # "total" alone asks for a sum, not for `total_price`
        coverage = len(matched) / (len(matched) + len(rest))
        if rest and matched == set(wanted) and _is_only_in(matched, name, context):
            coverage = 1.0 - ONLY_UNIT
        if level == SHORTENED and any(context.columns_with(word).get(name) == EXACT for word in spoken):
            level = WRITTEN_OUT
        bare = WITHOUT_TOTAL if not rest and len(own) > len(matched) else 0.0
        certainty = level * (1.0 - PART_OF_NAME * (1.0 - coverage)) - bare
        measured_in = {context.plain(word) for word in split_name(context.column(name).unit or "")}
        found.append((name, certainty, coverage, len([word for word in own if word not in matched | measured_in])))
    if {name for name, *_ in found} <= of_things:
        return  # "units" are no `unit_price`; "customers over 60" are told by `customer_age`
    if any(certainty == EXACT for _, certainty, _, _ in found):
        found = [match for match in found if match[2] == 1.0]  # "units" is `units`, never `unit_price`
    if any(match[2] == 1.0 and not _is_per_so_many(match[0], context) for match in found):
        found = [match for match in found if not _is_per_so_many(match[0], context)]
    partial = sum(1 for _, _, coverage, _ in found if coverage < 1.0)
    barest = min((left_out for _, _, coverage, left_out in found if coverage == 1.0), default=0)
    shared = [certainty for name, certainty, coverage, _ in found if coverage < 1.0 and context.is_measure(name)]
    for name, certainty, coverage, left_out in found:
        if coverage < 1.0 and certainty in shared:
            certainty = max(shared)  # "wind" is no more of `wind_dir` than of `wind_gust_speed`
        longer = coverage == 1.0 and left_out > barest  # "order" is `order_id` rather than `order_item_id`
        yield name, certainty - (ONE_OF_SEVERAL if longer or (coverage < 1.0 and partial > 1) else 0.0)


def _are_things(words: list[str], context: Context) -> bool:
    """Tell whether words are one noun in the plural, which names things and not what is measured of them."""
    return len(words) == 1 and context.lexicon.base(words[0].casefold()) != words[0].casefold()


def _says_yes_or_no(name: str, context: Context) -> bool:
    return context.type_of(name) is ColumnType.BOOLEAN or context.column(name).kind is Kind.TRUTH


def _is_only_behind_per(words: set[str], name: str, context: Context) -> bool:
    """Tell whether words only say what a figure is one of each of."""
    of_each = (context.column(name).unit or "").partition("/")[2]
    if of_each and words <= {context.plain(word) for word in split_name(of_each)}:
        return True  # "word" alone is never `Rate (EUR/word)`
    own = split_name(name)
    place = _place_of_per(own, context)
    return place > 0 and words <= {context.plain(word) for word in own[place:]}


def _is_only_a_period(words: set[str], name: str, context: Context, *, plural: bool) -> bool:
    """Tell whether words only say of which period a part is told, or count periods: `arrival_day_of_month`."""
    own = [context.plain(word) for word in split_name(name)]
    places = (place for place, word in enumerate(own) if m.Of() in context.lexicon.meanings(word))
    place = next((place for place in places if 0 < place < len(own) - 1), 0)
    if place == 0 or not all(_is_period(own[i], context) for i in (place - 1, -1)):
        return False
    return words <= {*own[place + 1 :], *own[place - 1 : place * plural]}


def _is_period(word: str, context: Context) -> bool:
    return any(isinstance(meaning, m.Unit) for meaning in context.lexicon.meanings(word))


def _is_per_so_many(name: str, context: Context) -> bool:
    """Tell whether a column says how much there is of something in each of others: `reviews_per_month`."""
    return _place_of_per(split_name(name), context) > 0


def _place_of_per(words: Sequence[str], context: Context) -> int:
    """Return where "per" stands in a name, or 0."""
    return next((i for i, w in enumerate(words) if m.GroupWord(each=True) in context.lexicon.meanings(w)), 0)


def _is_only_in(words: set[str], name: str, context: Context) -> bool:
    """Tell whether words are the unit of a measure, and of no other: "km" of `distance_km`."""
    unit = context.column(name).unit
    if unit is None or len(unit) < SHORTEST_UNIT or {context.plain(word) for word in split_name(unit)} != words:
        return False
    same = [other.name for other in context.profile.columns if other.unit == unit]
    return same == [name] and context.is_measure(name) and not context.is_of_money(name)


def _links(word: str, context: Context) -> bool:
    """Tell whether a word only links others, such as "from" or "by"."""
    kinds = m.WhereWord | m.GroupWord | m.To | m.TimeSide | m.Between | m.Over
    meanings = context.lexicon.meanings(word)
    return context.lexicon.is_filler(word) or any(isinstance(meaning, kinds) for meaning in meanings)


def _is_named_alone(words: list[str], context: Context) -> bool:
    """Tell whether a column is called the name of what a verb of ours is as a noun: the "show" of `show_name`."""
    found = (own for name, own in context.column_words.items() if own[:-1] == tuple(words))
    return all(not _joins_or_parts(word, context) for word in words) and any(
        own[-1] in NAMES_OF_THINGS for own in found
    )


def _joins_or_parts(word: str, context: Context) -> bool:
    return any(not isinstance(meaning, m.Filler) for meaning in context.lexicon.meanings(word))


def _with_all(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield the columns that have every word in their names, with the certainty of the least sure one."""
    first, *others = (context.columns_with(word) for word in words)
    for name in context.column_words:
        if name in first and all(name in other for other in others):
            levels = (first[name], *(other[name] for other in others))
            level = min(levels)
            if STEM in levels and context.type_of(name) is ColumnType.TEXT:
                continue  # "insured visits" asks for some of them, not for `insurance`
            yield name, level
