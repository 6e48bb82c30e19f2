"""Which column an everyday word stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jupyter_mcpgen.model.profile import Kind, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of, repeats, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.mentions.naming import column_matches, worth_of_rows
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_known_by_row
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.words.adding_up import counts_others
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.plan.schema import ColumnType

SURELY, STEMMED, PERHAPS = 0.9, 0.75, 0.6
"""How surely words must name a column."""
MOST_WORDS = 3
"""Of how many words the name of a column of figures is looked for in a text."""


def named(text: str, table: Table, least: float = SURELY) -> str | None:
    """Return the one column that words name surely, or None."""
    words = list(split_name(text))
    called = [name for name in table.context.profile.schema_.names if words and list(split_name(name)) == words]
    if len(called) == 1:
        return called[0]
    if all(word.isdecimal() for word in words):
        return None  # "3" is no `O3`
    if len(words) == 1 and not table.context.columns_with(table.context.plain(words[0])):
        words = list(table.context.joined_names.get(words[0], words))  # "overtime" for `OverTime`
    found = {name for name, certainty in column_matches(words, table.context) if certainty >= least} if words else set()
    if not found and words:
        found = _called_the_name_of(words, table)
    return found.pop() if len(found) == 1 else None


def _called_the_name_of(words: list[str], table: Table) -> set[str]:
    """Return the column of names of what words say: `host_name` for "host", where no other column has a host."""
    own, plain = table.context.column_words, [table.context.plain(word) for word in words]
    called = {name for name, parts in own.items() if set(plain) & set(parts)}
    named = {(*plain, *noun) for noun in ((word,) for word in table.vocabulary.ranked.get("name", ()))}
    texts = {name for name in called if own[name] in named and table.context.type_of(name) is ColumnType.TEXT}
    return texts if all(name in texts or table.context.is_measure(name) for name in called) else set()


def ranking(words: Iterable[str], table: Table, *, dates: bool = False) -> str | None:
    """Return the number column (or date) that the first fitting word names; None when two are equally likely."""
    own = table.context.column_words
    for word in words:
        parts = [table.context.lexicon.base(part) for part in word.split()]
        fitting = [name for name in own if set(parts) <= set(own[name])]
        fitting = [name for name in fitting if _ranks(name, table, dates=dates)]
        fitting = [name for name in fitting if not tells_something_else(name, parts, table)]
        last = [name for name in fitting if parts[-1] in (own[name][-1], *_bare(name, table)[-1:])]
        whole = [name for name in fitting if not set(_bare(name, table)) - set(parts)]
        for choice in (whole, last, fitting):
            if len(choice) == 1:
                return choice[0]
        if fitting:
            return None
    return None


def tells_something_else(name: str, parts: list[str], table: Table) -> bool:
    """Tell whether a column is about a change of what words name, or about a time where they name any amount.

    `PercentSalaryHike` is no salary, and `TotalWorkingYears` no total of money.
    """
    own = set(table.context.column_words[name])
    if set(parts) <= table.context.lexicon.pieces and own & table.words("price"):
        return True  # `unit_price` is no number of units
    others = table.words("changes_of_figures")
    if set(parts) <= table.words("amounts_of_anything"):
        others |= table.words("times_taken")
        if _counts_things(name, table):
            return True
    return bool((set(table.context.column_words[name]) & others) - set(parts))


def _counts_things(name: str, table: Table) -> bool:
    """Tell whether the name of a number has a plural that is no money: `total_ads_seen` is no total paid."""
    lexicon, known = table.context.lexicon, table.context.column(name)
    words = [(word, lexicon.base(word)) for word in split_name(name)]
    plurals = {base for word, base in words if base != word or stem(word, lexicon.language) == word[:-1]}
    money = lexicon.nouns_of_money | lexicon.counted_money | table.words("takings")
    in_money = (known.unit or "").casefold() in lexicon.currencies
    return bool(plurals - {lexicon.base(word) for word in money}) and not in_money


def _bare(name: str, table: Table) -> list[str]:
    return [word for word in table.context.column_words[name] if word not in table.context.optional_words[name]]


def _ranks(name: str, table: Table, *, dates: bool) -> bool:
    if dates and table.context.type_of(name) is ColumnType.DATE:
        return True
    number = holds_numbers(name, table) and table.context.column(name).role is not Role.IDENTIFIER
    return number and not _is_flag(name, table)


def holds_numbers(name: str, table: Table) -> bool:
    """Tell whether a column holds numbers, also written as text: "90 min"."""
    return table.context.is_number(name) or any(way.type.is_number for way in table.context.column(name).written)


def _is_flag(name: str, table: Table) -> bool:
    context = table.context
    if context.type_of(name) is ColumnType.BOOLEAN or context.column(name).kind is Kind.TRUTH:
        return True
    return name in flags_of(context.profile, table.vocabulary.language)


def flags(table: Table) -> Iterator[str]:
    """Yield the columns that say yes or no, however they write it."""
    yield from (name for name in table.context.profile.schema_.names if _is_flag(name, table))


def flag_of(word: str, table: Table) -> str | None:
    """Return the yes-or-no column whose verb a word is a form of, or None."""
    if word in table.context.lexicon.truth_prefixes:
        return None  # "is there a correlation" says nothing of `is_member`
    found = [name for name in flags(table) if any(table.akin(word, own) for own in split_name(name))]
    if is_place(word, table) and any(len(split_name(name)) > 1 for name in found):
        return None  # "highest first" says nothing of `first_time_fix`
    return found[0] if len(found) == 1 else None


def flag_of_event(word: str, table: Table) -> str | None:
    """Return the yes-or-no column that is called by another word for the same: "left" for `attrition`."""
    same = {other for group in table.vocabulary.same_event if word in group for other in group}
    found = [name for name in flags(table) if same & set(table.context.column_words[name])]
    return found[0] if len(found) == 1 else None


def date_of(word: str, table: Table) -> str | None:
    """Return the date column whose verb a word is a form of, or None; of two, not that by which it is due."""
    dates = [name for name in table.context.profile.schema_.names if holds_dates(name, table)]
    language = table.context.lexicon.language
    found = [
        name
        for name in dates
        if any(table.akin(word, own) or stem(word, language) == stem(own, language) for own in split_name(name))
    ]
    due = table.words("words_of_due_dates") if len(found) > 1 else frozenset[str]()
    found = [name for name in found if not due & set(split_name(name))]
    return found[0] if len(found) == 1 else None


def money(wanted: Iterable[str], table: Table, unlike: str = "money_not") -> str | None:
    """Return the column that holds what a row is worth, not a price per piece or a charge on top."""
    context, others = table.context, table.words(unlike)
    for word in wanted:
        fitting = [
            name
            for name, own in context.column_words.items()
            if context.lexicon.base(word) in own and is_figure(name, table) and not set(own) & others
        ]
        fitting = [name for name in fitting if not tells_something_else(name, [context.lexicon.base(word)], table)]
        known = {name: (context.column(name), context.column_words[name]) for name in fitting}
        fitting = [name for name in fitting if not counts_others(*known[name], context.lexicon)]
        if len(fitting) == 1:
            return _paid_rather(fitting[0], table) if context.lexicon.base(word) in table.words("costs") else fitting[0]
    return None


def _paid_rather(cost: str, table: Table) -> str | None:
    """Return a cost, or what is paid for a row where a column is called so: a `fee` is no `translator_cost`.

    None where a column is called nothing but a cost beside it: either may be what a row is worth.
    """
    context, paid = table.context, table.words("paid_for_a_row")
    fees = [name for name in context.column_words if set(_bare_name(name, table)) <= paid and is_figure(name, table)]
    if not fees:
        return cost
    alone = set(_bare_name(cost, table)) <= table.words("costs")
    return fees[0] if len(fees) == 1 and not alone else None


def _bare_name(name: str, table: Table) -> tuple[str, ...]:
    """Return the words of a column's name without those of its unit."""
    unit = {table.context.plain(word) for word in split_name(table.context.column(name).unit or "")}
    own = table.context.column_words[name]
    return tuple(word for word in own if word not in unit) or own


def is_row(noun: str, table: Table, more: frozenset[str] = frozenset()) -> bool:
    """Tell whether a noun stands for a row of the table."""
    context, folded = table.context, noun.casefold()
    plain, own = context.plain(folded), context.profile.name
    if plain in context.named_several_times:
        return False  # each row of `campaigns` is of one week of a campaign
    if plain in context.row_nouns or folded in more or folded == own.casefold() or plain == context.lexicon.base(own):
        return True
    column = named(noun, table)
    return column is not None and context.names_rows(column) and not context.is_number(column)


def dates_rows(noun: str, table: Table) -> bool:
    """Tell whether the only date is called after a noun, and nothing else is: the rows of `visit_date` are visits."""
    context, plain = table.context, table.context.plain(noun.casefold())
    dates = [name for name in context.column_words if holds_dates(name, table)]
    if len(dates) != 1 or repeated_key(noun, table) is not None:
        return False
    called = [name for name, own in context.column_words.items() if plain in own]
    return called == dates and context.column_words[dates[0]][0] == plain


def label(text: str, table: Table) -> str | None:
    """Return the column of labels that words name, fit to group by."""
    column = named(text, table)
    if column is None or is_figure(column, table) or table.context.names_rows(column):
        return None
    return column if table.context.type_of(column) is not ColumnType.DATE else None


def part_of_label(noun: str, table: Table) -> str | None:
    """Return the one column that has a noun in its name, where it is one of labels: `salesRep` for "rep"."""
    called = tuple(table.context.columns_with(table.context.plain(noun.casefold())))
    return label(called[0], table) if len(called) == 1 else None


def entity(noun: str, table: Table) -> str | None:
    """Return the column that tells apart what a noun names, where each has several rows: `customer_id`, `shop`."""
    context, kinds = table.context, table.vocabulary.ranked
    plain = tuple(context.plain(word) for word in split_name(noun))
    own = context.column_words
    told = [name for name in own if told_apart(name, table) == plain]
    names = ((*plain, *rest) for rest in ((), *((name,) for name in (*kinds.get("names", ()), *kinds.get("mail", ())))))
    for fitting in (told, *([name for name, words in own.items() if words == called] for called in names)):
        grouping = [name for name in fitting if not context.is_measure(name) and not context.names_rows(name)]
        grouping = [name for name in grouping if not holds_dates(name, table)]
        if len(grouping) == 1:
            return grouping[0]
    return label(noun, table)


def repeated_key(noun: str, table: Table) -> str | None:
    """Return the identifier of what a noun names, where several rows share it: lines of one order."""
    fitting = [name for name in identifiers_of(noun, table) if repeats(name, table)]
    return fitting[0] if len(fitting) == 1 else None


def holds_dates(name: str, table: Table) -> bool:
    """Tell whether a column holds dates, also written as text."""
    written = table.context.column(name).written
    return table.context.type_of(name) is ColumnType.DATE or any(way.type is ColumnType.DATE for way in written)


def is_summed(name: str, table: Table) -> bool:
    """Tell whether a column's numbers are amounts or counts of things, so that groups are compared by their totals."""
    adds_up = table.context.adds_up(name)
    return adds_up is True or (adds_up is None and table.context.counts_things(name))


def is_known(word: str, table: Table) -> bool:
    """Tell whether a word is one of the data's or the language's."""
    plain = table.context.plain(word.casefold())
    return bool(
        word.casefold() in table.context.lexicon.words
        or word.casefold() in table.context.value_parts
        or plain in table.context.value_parts
        or table.context.columns_with(plain)
        or plain in table.context.row_nouns
    )


def is_period(text: str, table: Table) -> bool:
    """Tell whether words name a period, such as "hour of the day"."""
    return any(isinstance(meaning, m.Unit) for meaning in table.context.lexicon.meanings(text.casefold()))


def is_plural(noun: str, table: Table) -> bool:
    """Tell whether a noun, the last of some words, means several."""
    last = (noun.casefold().split() or [""])[-1]
    return last in table.words("plurals") or table.context.lexicon.base(last) != last


def may_be_lacking(name: str, table: Table) -> bool:
    """Tell whether "to have" a column is to have any value there, where no value says "no", and no number 0."""
    known, untrue = table.context.column(name), table.context.lexicon.untrue | table.context.lexicon.nothing
    says_no = any(untrue.intersection(str(value).casefold().split()[:1]) for value in known.values)
    says_no = says_no or (table.context.is_number(name) and (known.minimum == 0 or not known.nulls))
    return not _is_flag(name, table) and not says_no


def flag_named(text: str, table: Table, least: float = SURELY) -> str | None:
    """Return the yes-or-no column that words name, or None."""
    column = named(text, table, least)
    return column if column is not None and _is_flag(column, table) else None


def is_figure(name: str, table: Table) -> bool:
    """Tell whether a column is a measure, or a text that writes numbers: "$1,234.50"."""
    return table.context.is_measure(name) or (holds_numbers(name, table) and not table.context.is_number(name))


def worth_of_a_row(text: str, table: Table) -> str | None:
    """Return the column of what a row is worth, where words name the row: "bill" for `bill_amount`."""
    found = [name for name, _ in worth_of_rows(list(split_name(text)), table.context)]
    return found[0] if found else None


def figure(text: str, table: Table) -> str | None:
    """Return the column of figures that words name: a measure, and no yes or no."""
    column = named(text, table, SHORTENED)
    if column is None or not table.context.is_measure(column) or _is_flag(column, table):
        return None
    return column


def is_per_piece(name: str, table: Table) -> bool:
    """Tell whether a column is a figure of one of many pieces: `price_per_litre`, `unit_price`."""
    own, lexicon = table.context.column_words[name], table.context.lexicon
    if any(m.GroupWord(each=True) in lexicon.meanings(word) for word in own) or set(own) & lexicon.pieces:
        return True
    return bool(table.context.pieces) and table.words("price").issuperset(own)  # a bare `price` beside `qty`


def is_planned(name: str, table: Table) -> bool:
    """Tell whether a column holds what was planned, which nothing is made of: `target_units`."""
    return bool(set(table.context.column_words[name]) & table.words("planned"))


def is_place(word: str, table: Table) -> bool:
    """Tell whether a word counts off places: "third"."""
    return any(isinstance(meaning, m.Ordinal) for meaning in table.context.lexicon.meanings(word))


def is_person(noun: str, table: Table) -> bool:
    """Tell whether a noun means people, or the rows of the table."""
    persons = table.words("persons") | table.words("one_row") | table.words("we")
    plain = table.context.plain(noun.casefold())
    return noun.casefold() in persons or plain in persons or plain in table.context.row_nouns


def measured(text: str, table: Table) -> str | None:
    """Return the column of figures that words name, or that is called by another word for the same."""
    column = figure(text, table)
    return column if column is not None or is_of_the_data(text, table) else same_measure(text, table)


def same_measure(text: str, table: Table) -> str | None:
    """Return the one column of figures that is called by another word for the same."""
    groups = (group for group in table.vocabulary.synonyms if text.casefold() in group)
    same = {table.context.plain(other) for group in groups for other in group}
    own = table.context.column_words
    fitting = [name for name in own if same & set(own[name]) and is_figure(name, table) and not _is_flag(name, table)]
    whole = [name for name in fitting if set(own[name]) <= same]
    fitting = whole if len(whole) == 1 else fitting
    return fitting[0] if len(fitting) == 1 else None


def is_of_the_data(text: str, table: Table) -> bool:
    """Tell whether words are a value, or stand in a value or in the name of a column."""
    plain = table.context.plain(text.casefold())
    return table.is_data(text) or plain in table.context.value_parts or bool(table.context.columns_with(plain))


def last_figure(text: str, table: Table) -> str | None:
    """Return the column of figures that stands nearest to the end of some words."""
    words = [word.strip(",;:") for word in text.split()]
    for end in range(len(words), 0, -1):
        for width in range(min(MOST_WORDS, end), 0, -1):
            column = figure(" ".join(words[end - width : end]), table)
            if column is not None:
                return column
    return None


def other_key(group: str, table: Table) -> str | None:
    """Return the one identifier beside a group's own that several rows share: the order of which a row is a line."""
    keys = [name for name in table.context.column_words if told_apart(name, table) is not None and name != group]
    keys = [name for name in keys if not table.context.is_key(name)]
    if len(keys) != 1 or (
        is_known_by_row(group, keys[0], context=table.context) and not has_one_value(group, keys[0], table.context)
    ):
        return None  # an order is of one customer, but many drive one van
    return keys[0]
