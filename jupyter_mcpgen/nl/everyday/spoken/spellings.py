"""Values and columns under other words: "Saturday" for Sat, "third-class", "rated PG", "country" for a place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED, Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.nl.words.stored_values import value_words
from jupyter_mcpgen.plan.schema import ColumnType

SHORTEST = 2
"""A day's or month's abbreviation has at least this many letters."""
ENOUGH = 3
"""So many values of a column must be days or months before it is one of them."""
SHORTEST_VERB = 4
MOST_WORDS_OF_A_VALUE = 4
MOST_WORDS_BESIDE = 6
"""How far a value may go on before and behind one of its words."""
MOST_NAMES = 3
"""A value of more words is nobody's name."""
_SHORT = re.compile(r"[A-Za-z]{3,5}")
"""Names that may be made of the initials of words."""


def hyphened_places(said: Speech, table: Table) -> Speech | None:
    """Say "third-class passengers" without the hyphen, where a column is numbered so."""
    found = said.find(table.wording("hyphened_places"))
    if found is None or table.is_data(found.text) or columns.named(found["noun"], table, SHORTENED) is None:
        return None
    return said.put(found, found.said())


def abbreviated_days(said: Speech, table: Table) -> Speech | None:
    """Say "on Saturday" as the value `Sat` of the one column that holds days so."""
    return _abbreviated(said, "abbreviated_days", "days", table)


def abbreviated_months(said: Speech, table: Table) -> Speech | None:
    """Say "in March" as the value `Mar` of the one column that holds months so."""
    return _abbreviated(said, "abbreviated_months", "months", table)


def _abbreviated(said: Speech, rule: str, names: str, table: Table) -> Speech | None:
    context, changed = table.context, said
    if said.find(table.wording(rule)) is None or context.dates:
        return None
    texts = [name for name in context.column_words if context.type_of(name) is ColumnType.TEXT]
    holding = [name for name in texts if _abbreviate(_texts(name, table), table.choices(names).values())]
    if len(holding) != 1:
        return None
    values = _texts(holding[0], table)
    for _ in range(len(values)):
        for found in changed.find_all(table.wording(rule)):
            name = found.folded("name")
            short = [v for v in values if name.startswith(v.casefold()) and name != v.casefold()]
            if len(short) == 1:
                note = f"“{found.text}” is taken to be “{short[0]}” of `{holding[0]}`."
                changed = changed.put(found, short[0], note)
                break
    return changed if changed is not said else None


def _texts(column: str, table: Table) -> list[str]:
    return [str(value) for value in table.context.column(column).values]


def _abbreviate(values: list[str], names: Iterable[frozenset[str]]) -> bool:
    """Tell whether all of enough values are beginnings, each of one day or month."""
    spelt = [tuple(words) for words in names]
    return len(set(values)) >= ENOUGH and all(
        len(value) >= SHORTEST and sum(any(word.startswith(value.casefold()) for word in words) for words in spelt) == 1
        for value in values
    )


def said_of_a_value(said: Speech, table: Table) -> Speech | None:
    """Say "rated PG" and "embarked at C" by the column that the verb is of and its value."""
    for found in said.find_all(table.wording("said_of_a_value")):
        value, behind = _value_of_verb(found.folded("verb"), said.behind(found), table)
        if value is not None:
            text = found.said(column=value.column, value=str(value.value))
            return said.saying(f"{said.before(found)} {text} {behind}")
    return None


def _value_of_verb(verb: str, text: str, table: Table) -> tuple[m.Value | None, str]:
    """Return the value at the beginning of a text whose column a verb is of, and the text behind it."""
    words = re.findall(r"[\w&-]+", text) if len(verb) >= SHORTEST_VERB else []
    for width in range(min(MOST_WORDS_OF_A_VALUE, len(words)), 0, -1):
        phrase = " ".join(words[:width])
        known = table.context.values.get(" ".join(value_words(phrase)), ())
        values = [value for value in known if _is_of(verb, value.column, table)]
        if len(values) == 1 and text.startswith(phrase):
            return values[0], text[len(phrase) :]
    return None, text


def _is_of(verb: str, column: str, table: Table) -> bool:
    """Tell whether a column is called by a form of a verb."""
    language = table.context.lexicon.language
    own = table.context.column_words[column]
    return any(table.akin(verb, word) or stem(verb, language) == stem(word, language) for word in own)


def said_of_a_date(said: Speech, table: Table) -> Speech | None:
    """Say "orders shipped in 2016" by the one column of dates that the verb is of."""
    found = said.find(table.wording("said_of_a_date"))
    if found is None or (found["stated"] and said.find(table.wording("a_share"))):
        return None  # "what percentage of lost parcels were sent in 2024" asks for those of 2024
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    fitting = [name for name in dates if _is_of(found.folded("verb"), name, table)]
    way = next((key for key, part in (("by", "unit"), ("between", "last"), ("day", "day")) if found[part]), "when")
    return said.put(found, found.said(way, column=fitting[0])) if len(fitting) == 1 else None


def done_by_rows(said: Speech, table: Table) -> Speech | None:
    """Say "the fare paid by passengers" as the fare of passengers, where each row is one."""
    found = said.find(table.wording("done_by_rows"))
    return said.put(found, found.said()) if found and columns.is_row(found["noun"], table) else None


def other_words(said: Speech, table: Table) -> Speech | None:
    """Say "weight" as `body_mass`, where nothing is called a weight and one column is called by a word for the same."""
    context = table.context
    for found in said.find_all(table.wording("other_words")):
        word = context.plain(found.folded("word"))
        of_the_table = {context.plain(own) for own in split_name(context.profile.name)}
        taken = context.row_nouns | context.value_parts | of_the_table
        if table.is_data(found["word"]) or word in taken or context.columns_with(word):
            continue
        counted = bool(said.before(found).strip()) or word != found.folded("word")
        told = said.word_before(found) in table.words("said_of_lengths")
        if word in table.words("things_that_last") and counted and not told:
            continue  # the "number of stays" is no number of `Nights`, as the "longest stay" is one
        phrases = {other for group in table.vocabulary.synonyms if found.folded("word") in group for other in group}
        same = {context.plain(other) for other in phrases} - {word}
        others = set(columns.flags(table))  # `on_sale` is no revenue, and an `expense_date` no spending
        if word in context.lexicon.amounts:
            others |= {name for name in context.column_words if columns.holds_dates(name, table)}
        fitting = [name for name, own in context.column_words.items() if same & set(own) and name not in others]
        fitting = fitting or [name for name in context.column_words if " ".join(split_name(name)) in phrases - others]
        whole = [name for name in fitting if set(context.column_words[name]) <= same]
        fitting = whole if len(whole) == 1 else fitting
        if fitting and found.folded("word") in table.words("units_of_measure") and context.column(fitting[0]).unit:
            continue  # miles are no `mileage_km`
        if len(fitting) == 1 and (columns.is_figure(fitting[0], table) or not context.names_rows(fitting[0])):
            unit = ", whose unit is not told" if found.folded("word") in table.words("units_of_measure") else ""
            note = f"“{found['word']}” is taken to mean `{fitting[0]}`{unit}."
            return said.put(found, found.said("column", column=fitting[0]), note)
        shared = set[str].intersection(*(set(context.column_words[name]) for name in fitting)) if fitting else set()
        shared &= same
        if len(fitting) > 1 and shared and all(columns.is_figure(name, table) for name in fitting):
            word = min(shared)  # which of them is meant will be asked
            return said.put(found, found.said("shared", shared=word), f"“{found['word']}” is read as “{word}”.")
    return None


def number_per_period(said: Speech, table: Table) -> Speech | None:
    """Say "number of visits per month" as the column `visits_per_month`, whose values are no visits of a month."""
    for found in said.find_each(table.wording("number_per_period")):
        column = columns.figure(found["what"], table)
        whole = column is not None and " ".join(split_name(column)) == found.folded("what")
        if column is not None and whole and columns.is_per_piece(column, table):
            return said.put(found, found.said(column=column))
    return None


def called_by_kind(said: Speech, table: Table) -> Speech | None:
    """Say "payment method" as `payment_type`, where nothing is called a method and one column tells the type of it."""
    context, kinds = table.context, table.words("kinds_of_ways")
    for found in said.find_all(table.wording("called_by_kind")):
        noun, kind = context.plain(found.folded("noun")), context.plain(found.folded("kind"))
        if context.columns_with(kind) or table.is_data(found.text) or kind in context.value_parts:
            continue
        own = {name: words for name, words in context.column_words.items() if len(words) == 2 and words[0] == noun}
        fitting = [name for name, words in own.items() if words[1] in kinds and not context.is_measure(name)]
        if len(fitting) == 1:
            return said.put(found, found.said(column=fitting[0]), f"“{found.text}” is taken to mean `{fitting[0]}`.")
    return None


def countries(said: Speech, table: Table) -> Speech | None:
    """Say "country" by the one column that holds countries, whatever it is called."""
    found = said.find(table.wording("countries"))
    context = table.context
    if found is None or table.is_data(found.text) or columns.named(found.text, table, columns.PERHAPS):
        return None
    places = [name for name in context.column_words if context.column(name).kind is Kind.COUNTRY]
    if len(places) != 1:
        return None
    return said.put(found, found.said(column=places[0]), f"“{found.text}” is taken to mean `{places[0]}`.")


def initials(said: Speech, table: Table) -> Speech | None:
    """Say "click-through rate" as `CTR`, where one column is called by the initials of the words."""
    context = table.context
    short = {name.casefold(): name for name in context.profile.schema_.names if _SHORT.fullmatch(name)}
    for found in said.find_all(table.wording("initials")) if short else ():
        name = short.get("".join(word[0] for word in split_name(found.text)))
        if name is not None and not table.is_data(found.text):
            return said.put(found, found.said(column=name), f"“{found.text}” is taken to mean `{name}`.")
    return None


_ENDS = (".", "!", "?")
"""What a sentence ends in: behind it a capital makes no name."""


def names_in_part(said: Speech, table: Table) -> Speech | None:
    """Say "Priya" as “Priya Nair”, where no other value begins or ends with that name."""
    context, notes, text = table.context, list[str](), said.text
    for found in reversed(list(said.find_all(table.wording("names_in_part")))):
        word = found["word"].removesuffix("'s").removesuffix("’s")
        folded = word.casefold()
        if folded in table.words("quarters") and any(columns.holds_dates(name, table) for name in context.column_words):
            continue  # "in Q2" is no campaign called after its quarter
        opens = not said.before(found).rstrip() or said.before(found).rstrip().endswith(_ENDS)
        said_first = folded in context.lexicon.words or context.lexicon.is_filler(folded)
        known = said_first if opens else context.lexicon.meanings(folded)
        if not word[:1].isupper() or folded in context.values or known:
            continue
        if _is_inside_a_value(said.before(found), said.behind(found), word, context):
            continue  # the whole name is said already
        whole = {value for values in context.values.values() for value in values if _is_name_in(word, value.value)}
        beside = {part.casefold() for value in whole for part in re.findall(r"\w+", value.value)} - {folded}
        said_beside = {part.casefold() for part in re.findall(r"\w+", text)}
        if len(whole) != 1 or context.columns_with(context.plain(folded)) or beside & said_beside:
            continue
        name = whole.pop()
        if not context.column(name.column).complete:
            continue  # another one of that name may not be known
        notes.append(f"“{word}” is taken to be {name.value} of `{name.column}`.")
        has_words = beside & context.lexicon.words
        named = f'"{name.value}"' if has_words else name.value
        ending = found["word"][len(word) :] if named == name.value else ""
        text = f"{text[: found.start]}{named}{ending}{text[found.start + len(found.text) :]}"
    return said.saying(text, *reversed(notes)) if notes else None


def _is_inside_a_value(before: str, behind: str, word: str, context: Context) -> bool:
    """Tell whether a word with its neighbours is a value of the table."""
    earlier, later = value_words(before)[-MOST_WORDS_BESIDE:], value_words(behind)[:MOST_WORDS_BESIDE]
    spans = ((start, end) for start in range(len(earlier) + 1) for end in range(len(later) + 1))
    texts = (" ".join((*earlier[start:], *value_words(word), *later[:end])) for start, end in spans)
    return any(text in context.values for text in texts)


def possessives_of_values(said: Speech, table: Table) -> Speech | None:
    """Say "Hull's total weight" as the total weight for Hull; in the middle of a question, without the ending."""
    changed = said
    for found in reversed(list(said.find_all(table.wording("possessives_of_values")))):
        before = said.before(found).split()
        widths = range(min(MOST_NAMES, len(before)), -1, -1)
        named = next(
            (width for width in widths if _is_value((*before[len(before) - width :], found["word"]), table)), None
        )
        if named is None:
            continue
        opening, name = before[: len(before) - named], " ".join((*before[len(before) - named :], found["word"]))
        rest = changed.text[found.end :].rstrip("?.! ")
        if all(word.casefold() in table.words("opening_a_total") for word in opening):
            changed = changed.saying(found.said("first", opening=" ".join(opening), rest=rest, name=name))
        else:
            changed = changed.saying(f"{changed.text[: found.start]}{found['word']} {changed.text[found.end :]}")
    return changed if changed is not said else None


def _is_value(words: tuple[str, ...], table: Table) -> bool:
    """Tell whether words are a value of the table."""
    return " ".join(value_words(" ".join(words))) in table.context.values


def _is_name_in(word: str, value: str) -> bool:
    """Tell whether a word is the first or the last one of a value of a few words."""
    parts = value.split()
    return 1 < len(parts) <= MOST_NAMES and word in (parts[0], parts[-1])


def not_in_full(said: Speech, table: Table) -> Speech | None:
    """Say "didn't" as "did not", unless a value of the table is written so."""
    found = said.find(table.wording("not_in_full"))
    if found is None or found.folded("denial") in table.context.value_parts:
        return None
    return said.put(found, found.meant("denial"))


def peoples(said: Speech, table: Table) -> Speech | None:
    """Say "french" as the one value of the table that is called after the country; a word of the data stays."""
    for found in said.find_all(table.wording("peoples")):
        word = found.folded("word")
        names = table.vocabulary.peoples[word]
        places = [value for name in names for value in table.context.values.get(name, ())]
        if table.is_data(found["word"]) or len({(place.column, place.value) for place in places}) != 1:
            continue
        place = places[0]
        note = f"“{found['word']}” is taken to mean that `{place.column}` is {place.value}."
        return said.put(found, found.said(value=f'"{place.value}"'), note)
    return None
