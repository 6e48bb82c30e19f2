"""Adjectives that rank by a column they do not name: "the oldest employee", "the ten cheapest flats"."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.amounts.ranges import two_ends
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.kinship import akin
from jupyter_mcpgen.nl.everyday.saying.ranks import (
    USUAL_KEPT,
    Rank,
    noun_phrase,
    ranked_groups,
    ranked_persons,
    ranked_rows,
)
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import Quality
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import DateUnit

MOST_WORDS_OF_A_COLUMN = 3
MOST_WAYS = 4
"""How many columns of one name are offered."""


def by_quality(said: Speech, table: Table) -> Speech | None:
    """Say "the oldest employee" as the row with the highest `age`."""
    for found in said.find_all(table.wording("by_quality")):
        if table.is_data(found["word"]) or said.word_before(found) in table.words("ends_of_an_order"):
            continue
        quality, highest = table.vocabulary.by_adjective[found.folded("word")]
        tail = said.behind(found).strip(" ?.!")
        one = bool(found["m"]) and _is_of_one(tail, table)  # the cheapest 4 bed house
        measure = None if one else _measure_named(tail, table)
        if measure is not None:
            turned = bool(set(table.context.column_words[measure]) & set(quality.opposite))
            if found["n"] or found["m"]:
                return _several_of_its_column(said, found, Rank(measure, highest is not turned, found["word"]), table)
            return _before_its_column(said, found, highest is not turned, table)
        if _names_other_texts(quality, tail, table):
            return None  # "longest duration" of texts that are no numbers asks for no other column
        several = _measures_named(tail, table)
        if several:
            ranks = (Rank(name, highest, found["word"]) for name in several)
            return _one_of(said, found, [_ranked(said, found, _behind_first(tail), rank, table) for rank in ranks])
        rank = _rank(quality, highest, found["word"], tail, table)
        if rank is not None and _is_age_of_another(rank, tail, table):
            continue
        if rank is not None:
            ranked = _ranked(said, found, tail, rank, table)
            return _by_time_or_speed(said, found, ranked, rank, table) if ranked is not None else None
        ranks = (Rank(name, highest, found["word"]) for name in _called_alike(quality.columns, table))
        return _one_of(said, found, [_ranked(said, found, tail, rank, table) for rank in ranks])
    return None


def _is_age_of_another(rank: Rank, tail: str, table: Table) -> bool:
    """Tell whether an age is that of a person, such as `Holder Age`, and what is oldest is a claim."""
    noun = (noun_phrase(tail, table)[0].split() or [""])[-1]
    *whose, last = table.context.column_words[rank.column]
    if last not in table.words("of_a_person") or not whose:
        return False
    person = table.context.plain(noun.casefold()) in table.words("persons")
    return not person and columns.is_row(noun, table) and table.context.plain(noun.casefold()) not in whose


def _names_other_texts(quality: Quality, tail: str, table: Table) -> bool:
    """Tell whether a word for a quality, which is the whole name of a column of texts, follows its adjective."""
    first = (tail.split() or [""])[0].strip("?.,")
    column = columns.named(first, table) if table.context.plain(first.casefold()) in quality.columns else None
    return column is not None and not columns.holds_numbers(column, table) and not columns.holds_dates(column, table)


def _measures_named(tail: str, table: Table) -> list[str]:
    """Return the columns of figures that an adjective stands before, where they are several: "longest delays"."""
    first = (tail.split() or [""])[0].strip("?.,")
    if columns.is_row(first, table, table.words("one_row")) or table.is_data(first):
        return []
    return _called_alike((table.context.plain(first.casefold()),), table)


def _called_alike(words: Sequence[str], table: Table) -> list[str]:
    """Return the columns of figures whose names end with the first word that any does, where they are several."""
    figures = [name for name in table.context.column_words if columns.is_figure(name, table)]
    for word in words:
        found = [name for name in figures if table.context.column_words[name][-1:] == (word,)]
        if found:
            return found[:MOST_WAYS] if len(found) > 1 else []
    return []


def _behind_first(tail: str) -> str:
    return " ".join(tail.split()[1:])


def _one_of(said: Speech, found: Found, ranked: list[Speech | None]) -> Speech | None:
    """Ask which of several rankings is meant, where there are several."""
    ways = [way.text for way in ranked if way is not None]
    return said.asking_back(f"“{found['word']}” may be said of several columns.", *ways) if len(ways) > 1 else None


def _by_time_or_speed(said: Speech, found: Found, ranked: Speech, rank: Rank, table: Table) -> Speech:
    """Ask whether the slowest route has the longest time or the lowest speed, where each row has a distance as well."""
    context = table.context
    figures = [name for name in context.column_words if columns.is_figure(name, table) and name != rank.column]
    far = [name for name in figures if set(context.column_words[name]) & table.words("nouns_of_distances")]
    slow = found.folded("word") in table.words("fast_or_slow")
    if not slow or len(far) != 1 or set(context.column_words[rank.column]) & table.words("speeds"):
        return ranked
    ends = (found.wording.terms[Term.HIGHEST], found.wording.terms[Term.LOWEST])
    own, other = ends if rank.descending else reversed(ends)
    per = found.said("speed", column=far[0], by=rank.column)
    speed = ranked.text.replace(f"`{rank.column}`", per).replace(own, other)
    about = f"“{found['word']}” may be told by how long it took, or by how far it went in that time."
    return said.asking_back(about, ranked.text, speed)


def by_kin_quality(said: Speech, table: Table) -> Speech | None:
    """Say "the happiest country" as that with the highest `happiness`, "least generous" by `generosity`."""
    for found in said.find_all(table.wording("by_kin_quality")):
        adjective = found.folded("adjective")
        superlative = bool(found["end"]) or adjective.endswith(tuple(table.endings("superlatives")))
        if not superlative or columns.is_plural(adjective, table) or _is_a_name(adjective, table):
            continue
        column = _of_quality(adjective, table)
        if column is not None:
            highest = not found["end"] or found.meant("end") == Term.HIGHEST
            word = f"{found['end']} {found['adjective']}".strip()
            return _ranked(said, found, said.behind(found).strip(" ?.!"), Rank(column, highest, word), table)
    return None


def _is_a_name(word: str, table: Table) -> bool:
    """Tell whether a word is one of the language's, of a value, of a column's name, or of what the rows are."""
    context = table.context
    called = (word in own for own in context.column_words.values())
    return word in context.lexicon.words or word in context.value_parts or word in context.row_nouns or any(called)


def _of_quality(adjective: str, table: Table) -> str | None:
    """Return the one column of figures that is called by the noun of an adjective; a rank is no figure.

    What a name has in brackets says how it is measured, which may be the other way round.
    """
    kinship, own = table.vocabulary.kinship_of_qualities, table.context.column_words
    figures = (name for name in own if columns.is_figure(name, table))
    amounts = [name for name in figures if not set(own[name]) & table.words("ranks_of_rows")]
    found = [name for name in amounts if any(akin(adjective, w, kinship) for w in split_name(name.partition("(")[0]))]
    return found[0] if len(found) == 1 else None


def _measure_named(tail: str, table: Table) -> str | None:
    """Return the column of numbers that an adjective stands before: "longest delay"."""
    words = tail.split()
    widths = range(min(MOST_WORDS_OF_A_COLUMN, len(words)), 0, -1)
    names = (columns.named(" ".join(words[:width]), table, columns.STEMMED) for width in widths)
    return next((name for name in names if name and columns.is_figure(name, table)), None)


def _before_its_column(said: Speech, found: Found, highest: bool, table: Table) -> Speech | None:
    """Say "longest delay" as the highest delay, "fastest time" as the lowest.

    Words that the grammar knows before a column stay.
    """
    if found.folded("word") in table.words("said_of_any_column") or found["n"]:
        return None
    return said.put(found, found.said("its_column", end=Term.HIGHEST if highest else Term.LOWEST))


def _several_of_its_column(said: Speech, found: Found, rank: Rank, table: Table) -> Speech | None:
    """Say "5 longest waits" as the 5 rows with the highest of that column."""
    words = said.behind(found).strip(" ?.!").split()
    sizes = range(min(MOST_WORDS_OF_A_COLUMN, len(words)), 0, -1)
    size = next(size for size in sizes if columns.named(" ".join(words[:size]), table, columns.STEMMED) == rank.column)
    rest = " ".join(words[size:])
    if not Speech(said.before(found)).find(table.wording("an_opening")) or table.groups(rest):
        return None
    if rest and words[size].casefold() not in table.words("clauses"):
        return None
    return ranked_rows(said, found["n"] or found["m"], "", rest, rank, table)


def _rank(quality: Quality, highest: bool, word: str, tail: str, table: Table) -> Rank | None:
    column = columns.ranking(quality.columns, table)
    bought = (tail.casefold().split() or [""])[0] in table.words("purchases")
    priced = bool(table.words("price") & set(quality.columns))
    if priced and (bought or (column is not None and _of_a_row(tail, table) and columns.is_per_piece(column, table))):
        column = columns.money(table.vocabulary.ranked["money"], table) or column
    if column:
        return Rank(column, highest, word)
    column = _end_of(quality, table, highest=highest)
    if column:
        return Rank(column, highest, word)
    column = columns.ranking(quality.opposite, table, dates=True)
    return Rank(column, not highest, word) if column else None


def _end_of(quality: Quality, table: Table, *, highest: bool) -> str | None:
    """Return the one column of that end of a figure, beside one of the other: the hottest day has a `temp_max`."""
    for word in quality.columns:
        ends = two_ends(word, table)
        if ends is not None:
            return ends[1] if highest else ends[0]
    return None


def _of_a_row(tail: str, table: Table) -> bool:
    """Tell whether a noun for a row is said right behind: "the most expensive order", and no station."""
    first = (tail.split() or [""])[0].strip("?.,")
    return columns.is_row(first, table, table.words("one_row"))


def _ranked(said: Speech, found: Found, tail: str, rank: Rank, table: Table) -> Speech | None:
    """Say what a superlative ranks: rows, groups or periods, by the words around it."""
    before, count = said.before(found), found["n"] or found["m"]
    if found["m"] and _is_of_one(tail, table):
        count, tail = "", f"{found['m']} {tail}"
    which = Speech(before).find(table.wording("which_is"))
    phrase, rest = noun_phrase(tail, table)
    rank, rest = _by_its_figure(rank, rest, table)
    averaged = Speech(rest).find(table.wording("said_on_average"))
    rest = rest if averaged is None else Speech(rest).behind(averaged)
    one = which is not None and not phrase and not count and bool(which["one"])
    if which and not phrase:
        phrase = which["np"]
    elif which and columns.label(which["np"], table) and phrase and columns.is_plural(phrase, table):
        if not columns.is_row(phrase.split()[-1], table, table.words("one_row")):
            return None  # what is longest is not said of the rows: "which airline has the longest queues"
        return said.saying(found.said("plural", group=which["np"], rest=rest, **rank.parts), rank.note)
    elif not Speech(before).find(table.wording("an_opening")):
        return None if count else _row_among_words(said, found, phrase, rest, rank, table)
    if _is_a_row_per_day(phrase, table):
        return ranked_rows(said, count, phrase, rest, rank, table)
    if count and columns.is_period(phrase, table):  # "3 wettest days"
        return ranked_groups(said, phrase, rest, rank, table, count=count, several=True)
    if columns.is_period(phrase, table) or columns.is_period(f"{phrase} {rest}", table):
        if columns.is_summed(rank.column, table):  # "wettest month"
            note = f"“{rank.word}” is taken to mean the {rank.extreme} total `{rank.column}`."
            return said.saying(found.said("in_all", group=f"{phrase} {rest}", rest="", **rank.parts), note)
        return said.saying(found.said("plural", group=f"{phrase} {rest}", rest="", **rank.parts), rank.note)
    group = columns.label(phrase, table) or persons.persons_called(phrase, table) if phrase else None
    if phrase and not group and not count and _is_told_of_each(phrase.split()[-1], rank.column, table):
        kind = " ".join(phrase.split()[:-1])  # the heaviest female athlete
        of = table.say("for", of=kind) if kind else ""
        return said.saying(found.said("row", of=of, rest=rest, **rank.parts), rank.note)
    if phrase and group and group in columns.flags(table):
        kept = f"{table.say('rows_that_are', column=group)} {rest}"
        counted = count or (str(USUAL_KEPT) if columns.is_plural(phrase, table) else "")
        return ranked_rows(said, counted, "", kept, rank, table)  # the oldest smoker is one of those who smoke
    if phrase and group:
        several = bool(count) or (columns.is_plural(phrase, table) and not one)
        told_of_rows = found.folded("word") in table.words("said_of_deeds") and table.context.names_rows(group) is False
        if persons.names_persons(group, table) and not columns.is_summed(rank.column, table) and not told_of_rows:
            if not several:
                return said.saying(found.said("row", of="", rest=rest, **rank.parts), rank.note)
            return ranked_persons(said, f"`{group}`", rest, rank, table, count=count)
        return ranked_groups(said, phrase, rest, rank, table, count=count, several=several)
    return ranked_rows(said, count, phrase, rest, rank, table)


def _is_of_one(tail: str, table: Table) -> bool:
    """Tell whether the nouns right behind a number are those of one thing: "4 bed house"."""
    words = noun_phrase(tail, table)[0].split()
    return len(words) > 1 and not any(columns.is_plural(word, table) for word in words[1:])


def _by_its_figure(rank: Rank, rest: str, table: Table) -> tuple[Rank, str]:
    """Return the figure that is said to rank, whatever its adjective is: "longest flight by distance"."""
    for found in Speech(rest).find_each(table.wording("by_its_figure")):
        column = columns.figure(found["what"], table)
        if column is not None:
            return Rank(column, rank.descending, rank.word), Speech(rest).behind(found)
    return rank, rest


def _is_a_row_per_day(phrase: str, table: Table) -> bool:
    """Tell whether a noun is the day that each row is of."""
    meanings = table.context.lexicon.meanings(table.context.lexicon.base(phrase.casefold()))
    return m.Unit(DateUnit.START_OF_DAY) in meanings and table.context.has_a_row_per_day


def _is_told_of_each(noun: str, column: str, table: Table) -> bool:
    """Tell whether a column, such as an age, tells of what a noun names and has several rows of: the oldest patient."""
    own = columns.repeated_key(noun, table) is not None and not columns.is_plural(noun, table)
    return own and not columns.is_summed(column, table)


def _row_among_words(said: Speech, found: Found, phrase: str, rest: str, rank: Rank, table: Table) -> Speech | None:
    """Say "who directed the longest film" as its row; the average price of the oldest asks for no row."""
    before = said.before(found)
    if table.asks_for_figure(before):
        return None
    words = phrase.split()
    if words and columns.is_row(words[-1], table, table.words("one_row")):
        words = words[:-1]
    of = table.say("for", of=" ".join(words)) if words else ""
    asked = _asked_of(before, table)
    if asked:
        row = found.said("row", of=of, rest=rest, **rank.parts)
        return said.saying(row, rank.note, f"The whole row is shown, with its `{asked}`.")
    return said.saying(found.said("named_row", before=before, of=of, rest=rest, **rank.parts), rank.note)


def _asked_of(before: str, table: Table) -> str | None:
    """Return the column that the words before "the longest film" ask of it: "who directed"."""
    words, own = _words(before), table.context.column_words
    named = [name for name, parts in own.items() if any(table.akin(word, part) for word in words for part in parts)]
    if len(named) != 1:
        return None
    known = table.context.lexicon.words
    others = [word for word in words if not any(table.akin(word, part) for part in own[named[0]])]
    if table.words("states_said_shortly") & set(others):
        return None  # how long a machine was down is not how long it ran
    return named[0] if known.issuperset(others) else None


def _words(text: str) -> list[str]:
    return [word for word in (part.strip("?.,!") for part in text.casefold().split()) if word.isalpha()]
