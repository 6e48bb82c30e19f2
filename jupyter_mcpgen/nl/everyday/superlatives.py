"""Adjectives and verbs that rank by a column they do not name: "oldest employee", "who earns the most"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.kinship import akin
from jupyter_mcpgen.nl.everyday.speech import IN_ALL, NUMBERS, Speech, Table, any_of
from jupyter_mcpgen.nl.everyday.vocabulary import Quality
from jupyter_mcpgen.plan.schema import ColumnType

USUAL_KEPT = 10
_END = (
    r"in|of|for|from|at|by|with|who|that|which|under|over|above|below|per|each|is|are|was|were|and|since|on|to|"
    r"between|among|during|after|before|where|when|released|made|built"
)
_OPENING = re.compile(
    r"^(?:(?:who|what|which|where)(?:'s|\s+is|\s+are|\s+was|\s+were)?|show(?:\s+me)?|list|give(?:\s+me)?|find|get|"
    r"tell\s+me|name|return|display)?"
    r"(?:\s+all)?(?:\s*the)?\s*$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^(?:which|what|whose)\s+(?P<np>\w[\w-]*(?:\s\w+){0,2}?)\s+(?P<verb>is|was|are|were|has|have|had)\s+(?:the\s+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Rank:
    """A column to rank by, from which end, said by which word."""

    column: str
    descending: bool
    word: str

    @property
    def extreme(self) -> str:
        return "highest" if self.descending else "lowest"

    @property
    def end(self) -> str:
        return "top" if self.descending else "bottom"

    @property
    def note(self) -> str:
        return f"“{self.word}” is taken to mean the {self.extreme} `{self.column}`."


def by_quality(said: Speech, table: Table) -> Speech | None:
    """Say "the oldest employee" as the row with the highest `age`."""
    for quality in table.vocabulary.qualities:
        phrases = frozenset((*quality.highest, *quality.lowest))
        found = said.find(
            rf"\b(?:the\s+)?(?:(?:top\s+)?(?P<n>{NUMBERS})\s+)?(?P<word>{any_of(phrases)})\b(?:\s+(?P<m>{NUMBERS})\b)?"
        )
        if found is None or table.is_data(found["word"]):
            continue
        tail = said.text[found.end() :].strip(" ?.!")
        descending = found["word"].casefold() in quality.highest
        measured = _measure_behind(tail, table)
        if measured:
            return _before_its_column(said, found, descending)
        rank = _rank(quality, descending, found["word"], tail, table)
        if rank is not None:
            before = said.text[: found.start()]
            return _ranked(said, before, found["n"] or found["m"], tail, rank, table)
    return None


def _before_its_column(said: Speech, found: re.Match[str], descending: bool) -> Speech | None:
    """Say "longest delay" as the highest delay; words that the grammar knows before a column stay."""
    if found["word"].casefold() in ("largest", "smallest", "biggest") or found["n"]:
        return None
    return said.put(found, "the highest" if descending else "the lowest")


def _measure_behind(tail: str, table: Table) -> str | None:
    words = tail.split()
    for width in (3, 2, 1):
        name = columns.named(" ".join(words[:width]), table.context, 0.75) if len(words) >= width else None
        if name and columns.holds_numbers(name, table.context):
            return name
    return None


def _rank(quality: Quality, descending: bool, word: str, tail: str, table: Table) -> _Rank | None:
    column = columns.ranking(quality.columns, table.context)
    if "price" in quality.columns and tail.split()[:1] and tail.split()[0].casefold() in table.words("purchases"):
        ranked = table.vocabulary.ranked["money"]
        column = columns.money(ranked, table.words("money_not"), table.context) or column
    if column:
        return _Rank(column, descending, word)
    column = columns.ranking(quality.opposite, table.context, dates=True)
    return _Rank(column, not descending, word) if column else None


def _ranked(said: Speech, before: str, count: str | None, tail: str, rank: _Rank, table: Table) -> Speech | None:
    which = _WHICH.match(before)
    opening = _OPENING.match(before)
    phrase, rest = _noun_phrase(tail)
    one = which is not None and not phrase and not count and which["verb"].casefold() in ("is", "was", "has")
    if which and not phrase:
        phrase, before = which["np"], ""
    elif which and columns.label(which["np"], table.context) and phrase and _is_plural(phrase, table):
        return said.saying(f"which {which['np']} has the {rank.extreme} average `{rank.column}` {rest}", rank.note)
    elif not opening:
        if count or _asks_for_figure(before, table):
            return None  # "average price of the ten oldest" asks for no row
        row = f"row with the {rank.extreme} `{rank.column}` {_for(phrase, table)} {rest}"
        asked = _asked_of(before, table)
        if asked:
            return said.saying(row, rank.note, f"The whole row is shown, with its `{asked}`.")
        return said.saying(f"{before} the {row}", rank.note)
    if columns.is_period(phrase, table.context) or columns.is_period(f"{phrase} {rest}", table.context):
        return said.saying(f"which {phrase} {rest} has the {rank.extreme} average `{rank.column}`", rank.note)
    group = columns.label(phrase, table.context) if phrase else None
    if group is not None:
        figure = "total" if table.context.adds_up(rank.column) else "average"
        note = f"“{rank.word}” is taken to mean the {rank.extreme} {figure} `{rank.column}`."
        if count or (_is_plural(phrase, table) and not one):
            return said.saying(f"{rank.end} {count or USUAL_KEPT} {phrase} {rest} by {figure} `{rank.column}`", note)
        return said.saying(f"which {phrase} has the {rank.extreme} {figure} `{rank.column}` {rest}", note)
    return _ranked_rows(said, count, phrase, rest, rank, table)


def _ranked_rows(said: Speech, count: str | None, phrase: str, rest: str, rank: _Rank, table: Table) -> Speech | None:
    modifiers, noun = phrase.split()[:-1], (phrase.split() or [""])[-1]
    known = not noun or columns.is_row(noun, table.context, table.words("one_row"))
    if not known and not table.is_data(noun) and not table.is_data(table.context.lexicon.base(noun.casefold())):
        return None
    of = " ".join(modifiers if known else phrase.split())
    if table.context.type_of(rank.column) is ColumnType.DATE:
        where = f"{'for ' + of if of else ''} {rest}"
        way = "descending" if rank.descending else "ascending"
        return said.saying(f"first {count or 1} rows {where} sorted by `{rank.column}` {way}", rank.note)
    if count or (noun and _is_plural(phrase, table)):
        kept = "" if count else f" The first {USUAL_KEPT} are shown, because the question names no number."
        text = f"{rank.end} {count or USUAL_KEPT} {of} rows {rest} by `{rank.column}`"
        return said.saying(text, rank.note + kept)
    return said.saying(f"row with the {rank.extreme} `{rank.column}` {'for ' + of if of else ''} {rest}", rank.note)


def _asks_for_figure(before: str, table: Table) -> bool:
    """Tell whether a calculation or a count stands in words before a superlative."""
    words = [word.casefold() for word in re.findall(r"[^\W\d]+", before)]
    meanings = [meaning for word in words for meaning in table.context.lexicon.meanings(word)]
    return any(isinstance(meaning, m.Function | m.CountWord) for meaning in meanings)


def _asked_of(before: str, table: Table) -> str | None:
    """Return the column that the words before "the longest film" ask of it: "who directed"."""
    words = [word.casefold() for word in re.findall(r"[^\W\d]+", before)]
    own = table.context.column_words
    named = [name for name, parts in own.items() if any(akin(word, part) for word in words for part in parts)]
    if len(named) != 1:
        return None
    said = table.context.lexicon.words
    unknown = [word for word in words if word not in said and not any(akin(word, part) for part in own[named[0]])]
    return None if unknown else named[0]


def _for(phrase: str, table: Table) -> str:
    words = phrase.split()
    if words and columns.is_row(words[-1], table.context, table.words("one_row")):
        words = words[:-1]
    return f"for {' '.join(words)}" if words else ""


def _noun_phrase(tail: str) -> tuple[str, str]:
    """Return the nouns right behind an adjective, and the rest."""
    words = tail.split()
    end = next((i for i, word in enumerate(words) if re.fullmatch(rf"(?:{_END})", word.casefold())), len(words))
    return " ".join(words[:end]), " ".join(words[end:])


def _is_plural(phrase: str, table: Table) -> bool:
    noun = phrase.split()[-1].casefold() if phrase else ""
    return noun == "people" or table.context.lexicon.base(noun) != noun


def by_verb(said: Speech, table: Table) -> Speech | None:
    """Say "who earns the most" as the row with the highest `salary`, "which customer spent the most" by its total."""
    verbs = frozenset(table.vocabulary.verbs)
    found = said.find(
        rf"^(?P<who>who|which\s+(?P<np>\w+(?:\s\w+)?)|what\s+(?P<what>\w+))\s+(?P<verb>{any_of(verbs)})\s+(?:the\s+)?(?P<end>most|least)(?:\s+money)?(?=\s*[?.]?$|\s+(?:{_END})\b)"
    )
    if found is None:
        return None
    verb = found["verb"].casefold()
    wanted = table.vocabulary.verbs[verb]
    column = columns.money(wanted, table.words("money_not"), table.context) or columns.ranking(wanted, table.context)
    if column is None:
        return None
    rank = _Rank(column, found["end"].casefold() == "most", f"{found['verb']} the {found['end']}")
    rest = said.text[found.end() :].strip(" ?.")
    return _of_whom(said, found["np"] or found["what"], rank, rest, table)


def _of_whom(said: Speech, noun: str | None, rank: _Rank, rest: str, table: Table) -> Speech | None:
    """Rank the persons that a table groups its rows by, else its rows."""
    group = columns.label(noun, table.context) if noun else _person(table)
    if group is not None:
        in_all = re.search(IN_ALL, rest, re.IGNORECASE)
        rest = rest.replace(in_all[0], "") if in_all else rest
        figure = "average" if table.context.adds_up(rank.column) is False and not in_all else "total"
        note = f"“{rank.word}” is taken to mean the {rank.extreme} {figure} `{rank.column}`."
        return said.saying(f"which `{group}` has the {rank.extreme} {figure} `{rank.column}` {rest}", note)
    if noun and not columns.is_row(noun, table.context, table.words("one_row")):
        return None
    return said.saying(f"row with the {rank.extreme} `{rank.column}` {rest}", rank.note)


def _person(table: Table) -> str | None:
    """Return the column of labels that names persons, unless each row is one."""
    context = table.context
    names = [
        name
        for name, own in context.column_words.items()
        if own and own[-1] in table.words("persons") and not context.is_number(name)
    ]
    if any(context.names_rows(name) for name in names) or context.row_nouns & table.words("persons"):
        return None
    grouped = [name for name in names if context.type_of(name).value == "text"]
    return grouped[0] if len(grouped) == 1 else None


def who_has_most(said: Speech, table: Table) -> Speech | None:
    """Say "who has the highest score" as the row with the highest score, because a person is asked for."""
    found = said.find(
        r"^who\s+(?:has|had|have|got|scored|was|is)\s+(?:the\s+)?(?P<what>.*?)\b(?:the\s+)?(?P<end>highest|lowest|most|least|fewest|best|worst)\b\s*(?P<rest>.*)$"
    )
    if found is None:
        return None
    words = found["rest"].strip(" ?.").split()
    flag = columns.flag_of(words[0].casefold(), table.context) if words else None
    person = _person(table)
    if flag and person and found["end"].casefold() in ("most", "fewest", "least"):
        return said.saying(f"which `{person}` has the {found['end']} `{flag}` rows {' '.join(words[2:])}")
    if found["what"].strip():
        words = found["what"].split()
    for width in range(min(4, len(words)), 0, -1):
        column = columns.named(" ".join(words[:width]), table.context, 0.75) or _akin(words[:width], table)
        if (
            column
            and columns.ranking([*table.context.column_words[column][:1]], table.context) is None
            and not table.context.is_measure(column)
        ):
            continue
        if column and table.context.is_measure(column) and column not in set(columns.flags(table.context)):
            descending = found["end"].casefold() in ("highest", "most", "best")
            rest = "" if found["what"].strip() else " ".join(words[width:])
            return _of_whom(said, None, _Rank(column, descending, found["end"]), rest, table)
    return None


def _akin(words: list[str], table: Table) -> str | None:
    """Return the number column that shares its root with a word: "absent" and `absent_days`."""
    own = table.context.column_words
    found = [
        n
        for n, parts in own.items()
        if len(words) == 1 and words[0].casefold() in parts and table.context.is_measure(n)
    ]
    return found[0] if len(found) == 1 else None


def most_done(said: Speech, table: Table) -> Speech | None:
    """Say "most delayed flights" as those with the highest `delay`, "most borrowed title" as the most common one."""
    found = said.find(
        rf"\b(?:the\s+)?(?:(?P<n>{NUMBERS})\s+)?(?P<end>most|least)\s+(?P<verb>\w+(?:ed|ent|ght|ar|lt|ld))\s+(?P<tail>\w.*?)[?.]?$"
    )
    if found is None or (table.is_data(found["verb"]) and not columns.date_of(found["verb"].casefold(), table.context)):
        return None
    phrase, rest = _noun_phrase(found["tail"])
    descending = found["end"].casefold() == "most"
    verb = found["verb"].casefold()
    group = columns.label(phrase, table.context)
    own = table.context.column_words
    if group is not None and any(akin(verb, w) for n in own if table.context.is_measure(n) for w in own[n]):
        return None  # with a column of visitors, the most visited is not the one with the most rows
    if group is not None and (
        verb == "popular" or columns.date_of(verb, table.context) or not columns.is_known(verb, table.context)
    ):
        count = f"top {found['n']} {phrase} {rest} by number of rows" if found["n"] else ""
        order = "common" if descending else "least common"
        text = count or f"{'most ' if descending else ''}{order} {phrase} {rest}"
        return said.saying(text, f"“{found['end']} {verb}” is taken to mean {'most' if descending else 'fewest'} rows.")
    from_verb = [
        n
        for n, own in table.context.column_words.items()
        if table.context.is_measure(n) and any(akin(verb, w) for w in own)
    ]
    if len(from_verb) == 1 and phrase and from_verb[0] not in set(columns.flags(table.context)):
        rank = _Rank(from_verb[0], descending, f"{found['end']} {verb}")
        return _ranked_rows(said, found["n"], phrase, rest, rank, table)
    return None


def busiest(said: Speech, table: Table) -> Speech | None:
    """Say "busiest hour" as the hour with the most rows."""
    both = table.words("busy") | table.words("quiet")
    found = said.find(
        rf"^(?:what\s+(?:is|was)\s+|which\s+(?:is|was)\s+|show\s+me\s+)?(?:the\s+)?(?:(?P<n>{NUMBERS})\s+)?(?P<word>{any_of(both)})\s+(?P<of>\w.*?)[?.]?$"
    ) or said.find(
        rf"^(?:which|what)\s+(?P<of>\w+(?:\s+of\s+the\s+\w+)?)\s+(?:is|was)\s+(?:the\s+)?(?P<n>{NUMBERS})?(?P<word>{any_of(both)})\s*[?.]?$"
    )
    if found is None or table.is_data(found["word"]):
        return None
    busy = found["word"].casefold() in table.words("busy")
    note = f"“{found['word']}” is taken to mean the {'most' if busy else 'fewest'} rows."
    if found["n"]:
        return said.saying(f"{'top' if busy else 'bottom'} {found['n']} {found['of']} by number of rows", note)
    return said.saying(f"which {found['of']} has the {'most' if busy else 'fewest'} rows", note)


def most_of_what(said: Speech, table: Table) -> Speech | None:
    """Say "which branch lends the most novels" with "has", and "which member borrows the most" by rows."""
    found = said.find(
        r"^(?:which|what)\s+(?P<np>\w+)\s+(?P<verb>\w+)\s+(?P<end>the\s+(?:most|least|fewest|highest|lowest))\b(?P<rest>.*)$"
    )
    if found is None:
        return None
    group = columns.label(found["np"], table.context)
    verb = found["verb"].casefold()
    if group is None or verb in ("has", "had", "is", "was", "have", "are", "with"):
        return None
    rest = found["rest"].strip(" ?.")
    if rest:
        return said.saying(
            f"which {found['np']} has {found['end']} {rest}", f"“{verb}” is taken to mean no more than “has”."
        )
    if columns.date_of(verb, table.context):
        return said.saying(
            f"which {found['np']} has {found['end']} rows", f"“{verb} {found['end']}” is taken to mean rows."
        )
    return None


def top_rows(said: Speech, table: Table) -> Speech | None:
    """Say "top 10 pupils by maths" of rows, where each row is a pupil by the column of that name."""
    found = said.find(rf"\b(?P<end>top|bottom)\s+(?P<n>{NUMBERS})\s+(?P<noun>\w+)\s+by\b")
    column = columns.named(found["noun"], table.context) if found else None
    if found is None or column is None or not table.context.names_rows(column) or table.context.is_number(column):
        return None
    return said.put(found, f"{found['end']} {found['n']} rows by")


def best_average(said: Speech, table: Table) -> Speech | None:
    """Say "the best average in physics" as the highest average."""
    found = said.find(r"\b(?P<end>best|worst)\s+(?P<f>average|mean|median|total)(?:\s+in)?\b")
    if found is None:
        return None
    extreme = "highest" if found["end"].casefold() == "best" else "lowest"
    return said.put(found, f"{extreme} {found['f']}", f"“{found['end']}” is taken to mean the {extreme}.")


def name_them(said: Speech, table: Table) -> Speech | None:
    """Say "name the goalkeeper of …" as a list of them."""
    found = said.find(r"^name\s+(?=the\b|all\b)")
    return said.put(found, "list") if found else None
