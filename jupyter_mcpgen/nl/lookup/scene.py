"""What stands in a question, before it is decided what is asked: values, names, comparisons, cue words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.lookup.amounts import Bound, bounds_in
from jupyter_mcpgen.nl.lookup.backticked import without_quotes_of_names
from jupyter_mcpgen.nl.lookup.counting import asks_how_many, counts_in
from jupyter_mcpgen.nl.lookup.names import EXACT, Name
from jupyter_mcpgen.nl.lookup.slips import without_slips
from jupyter_mcpgen.nl.lookup.table import Table
from jupyter_mcpgen.nl.lookup.values import PART, Mention
from jupyter_mcpgen.nl.lookup.vocabulary import QuestionWords, Vocabulary
from jupyter_mcpgen.nl.lookup.words import Number, Word, numbers_in, split_question
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.ops import AggregateFunction

LONGER_IS_BETTER = 1.3
"""A value of several words beats the values of its parts."""
SURELY = 0.99
"""How surely a longer name must be named to rule out one that lies inside it."""
MAX_GONE_ON = 2
"""How many words may stand between a value and the name behind it."""
WEAK = 0.25
"""What a common word is worth as a value where a column's name stands beside it."""


@dataclass(frozen=True)
class Cue:
    """A word that asks for a function."""

    function: AggregateFunction
    start: int
    end: int


@dataclass(frozen=True)
class Scene:
    """A question with everything found in it."""

    question: str
    words: tuple[Word, ...]
    values: tuple[Mention, ...]
    names: tuple[Name, ...]
    bounds: tuple[Bound, ...]
    cues: tuple[Cue, ...]
    counts: tuple[tuple[int, int], ...]
    """Where "how many" and the like stand."""
    focus: int
    """Where the name of what is wanted is expected to begin."""
    asks: str | None
    """The kind of answer that the question word wants."""

    notes: tuple[str, ...] = ()
    is_question: bool = False
    grouping: tuple[str, ...] = ()
    """Words that ask for a figure per group or for a second answer, which no look-up gives."""

    asked_start: int = 0
    """Where the first noun behind the question word, and behind a value there, begins."""
    asked_end: int = 0
    """Where the first noun behind the question word ends."""
    wants_figure: bool = False
    """It asks "how many" or "how much"."""

    @property
    def asked_noun(self) -> range:
        """Where the words stand that a question begins with behind its question word, up to the next light word.

        A value between the two, as in "which Dutch painter", says which ones.
        """
        return range(self.asked_start, self.asked_end)

    def bound_of(self, mention: Mention) -> Bound | None:
        """Return the comparison that a number belongs to."""
        return next((b for b in self.bounds if (b.number.start, b.number.end) == (mention.start, mention.end)), None)


def scene_of(question: str, table: Table) -> Scene:
    """Return what stands in a question."""
    words, notes = without_slips(split_question(question), table)
    words, within = without_quotes_of_names(question, words, table.profile.schema_.names)
    numbers = numbers_in(question, words, decimal_comma=table.context.lexicon.decimal_comma)
    numbers = tuple(number for number in numbers if number.start not in within)
    names = table.names.find(words)
    numbers += _spelt_numbers(words, names, table)
    mentions = (*table.values.find(question, words, numbers), *table.values.dates(question, words))
    values = _chosen([v for v in mentions if within.isdisjoint(range(v.start, v.end))], names, words, table)
    blocked = {i for value in values for i in range(value.start, value.end)} | _told(words, table)
    named = frozenset(i for name in table.names.find(words, blocked) for i in name.words)
    bounds = tuple(
        bound
        for bound in bounds_in(question, words, numbers, named, table.context.lexicon, table.vocabulary)
        if any((v.start, v.end) == (bound.number.start, bound.number.end) for v in values)
    )
    focus, asks = _focus(words, blocked, table)
    counts = counts_in(words, blocked, table)
    counting = {i for span in counts for i in range(*span)}
    found = tuple(n for n in _without_inner(table.names.find(words, blocked)) if not set(n.words) <= counting)
    of = (
        focus + 1 < len(words) and words[focus + 1].text in table.vocabulary.questions.of
    )  # the year of the debut is the debut
    if asks is None and not of and focus < len(words) and not any(focus in name.words for name in found):
        asks = next(
            (kind for kind, nouns in table.vocabulary.kinds.items() if singular(words[focus].text) in nouns), None
        )
    cues = _cues(words, blocked | {i for bound in bounds for i in bound.words}, table)
    counts = tuple(span for span in counts if asks_how_many(span, words, focus, asks, table.vocabulary.questions))
    asking = _is_question(question, words, blocked, table.vocabulary.questions)
    grouping = _grouping(words, found, blocked, table.vocabulary)
    grouping += tuple(words[i].written for i in _asked_besides(words, blocked, table.vocabulary))
    figure = bool(counts) or _asks_how_much(words, table.vocabulary.questions)
    noun = next((value.end for value in values if value.start == focus), focus)  # "which Dutch painter …"
    asked = next(
        (i for i in range(noun, len(words)) if i in blocked or words[i].text in table.vocabulary.light), len(words)
    )
    return Scene(
        question, words, values, found, bounds, cues, counts, focus, asks, notes, asking, grouping, noun, asked, figure
    )


def _told(words: tuple[Word, ...], table: Table) -> set[int]:
    """Return where an order stands that is a column's name elsewhere: "name the city" asks for no `Name`."""
    own = table.vocabulary
    orders = len(words) > 1 and words[0].text in own.questions.opening and words[1].text in own.unread.articles
    return {0} if orders else set()


def _asks_how_much(words: tuple[Word, ...], own: QuestionWords) -> bool:
    return any(word.text in own.how and after.text in own.many for word, after in pairwise(words))


def _is_question(question: str, words: tuple[Word, ...], blocked: set[int], own: QuestionWords) -> bool:
    if words and words[0].text in own.reasons and 0 not in blocked:
        return True
    if question.rstrip().endswith("?"):
        return True
    if any(word.text in own.orders for word in words[:4]):
        return True
    if any(first.text in own.polite and second.text in own.orders for first, second in pairwise(words)):
        return True  # "for team Otters please mention the coach"
    clauses = (i for i in range(len(words) - 1) if i == 0 or "," in question[words[i - 1].end : words[i].start])
    if any(f"{words[i].text} {words[i + 1].text}" in own.wishes for i in clauses):
        return True  # "for all of 2010, add up the points"
    return any(
        word.text in own.asking
        and i not in blocked
        and (i == 0 or word.text not in own.joining)
        and (word.text not in own.how or (i + 1 < len(words) and words[i + 1].text in own.amounts))
        for i, word in enumerate(words)
    )


def _grouping(
    words: tuple[Word, ...], names: tuple[Name, ...], values: set[int], vocabulary: Vocabulary
) -> tuple[str, ...]:
    """Return the "by" of "by region": a name follows it, and no value follows the name; so it is in "by name"."""
    starts = {name.start for name in names} - {name.start for name in names if name.end in values}
    inside = {i for name in names if name.whole for i in range(name.start, name.end)}  # `Range (varies with load)`
    starts -= {i + 1 for i in inside}
    starts |= {i for i, word in enumerate(words) if word.text in vocabulary.naming and i - 1 not in inside}
    by = vocabulary.questions.by
    return tuple(word.written for i, word in enumerate(words[:-1]) if word.text in by and i + 1 in starts)


def _asked_besides(words: tuple[Word, ...], values: set[int], vocabulary: Vocabulary) -> tuple[int, ...]:
    """Return the question words that ask for more behind an "and": "where was it and how many came"."""
    own, texts = vocabulary.questions, [word.text for word in words]
    asking = [
        i
        for i in range(len(words) - 1)
        if i not in values
        and texts[i] in own.asking
        and (texts[i] not in own.joining or texts[i + 1] in vocabulary.auxiliaries)
    ]
    return tuple(i for i in asking[1:] if texts[i - 1] in vocabulary.left_over.joins and texts[i] not in own.choosing)


def _without_inner(names: tuple[Name, ...]) -> tuple[Name, ...]:
    """Leave out the names that lie inside a longer one: "new points" is `New points`, never `Points`."""
    longer = [n for n in names if n.whole and n.strength > SURELY and len(n.words) == n.end - n.start > 1]
    return tuple(n for n in names if not any(set(n.words) < set(other.words) for other in longer))


def _spelt_numbers(words: tuple[Word, ...], names: tuple[Name, ...], table: Table) -> tuple[Number, ...]:
    """Return numbers written as words, where a number column's name stands beside them or "than" before them."""
    beside = {i for name in names if table.context.is_number(name.column) for i in (name.start - 1, name.end)}
    found = []
    for i, word in enumerate(words):
        value = next((x.value for x in table.context.lexicon.meanings(word.text) if isinstance(x, m.Number)), None)
        if value is not None and (i in beside or (i > 0 and words[i - 1].text in table.vocabulary.limits.than)):
            found.append(Number(i, i + 1, value))
    return tuple(found)


def _chosen(
    found: list[Mention], names: tuple[Name, ...], words: tuple[Word, ...], table: Table
) -> tuple[Mention, ...]:
    """Return the mentions that do not overlap and are worth most together."""
    best: list[tuple[float, tuple[Mention, ...]]] = [(0.0, ())] * (len(words) + 1)
    ending: dict[int, list[tuple[float, Mention]]] = {}
    for mention in found:
        worth = _worth(mention, names, words, table)
        if worth > 0:
            ending.setdefault(mention.end, []).append((worth, mention))
    for end in range(1, len(words) + 1):
        best[end] = best[end - 1]
        for worth, mention in ending.get(end, ()):
            total = best[mention.start][0] + worth
            if total > best[end][0] + 1e-9:
                best[end] = (total, (*best[mention.start][1], mention))
    return best[-1][1]


def _worth(mention: Mention, names: tuple[Name, ...], words: tuple[Word, ...], table: Table) -> float:
    span = words[mention.start : mention.end]
    positions = set(range(mention.start, mention.end))
    quoted = all(word.quoted for word in span)
    worth = float(len(span) ** LONGER_IS_BETTER)
    if not mention.cells:
        if all(_is_of_header(word, table) for word in span):
            return 0.0  # "in May of 2000" beside `Population (May, 2000)`
        worth *= 0.8
    elif all(cells.fit == PART for cells in mention.cells):
        worth *= 0.6
    if quoted:
        return worth + 0.5
    if mention.number is None and all(_is_common(word, table) for word in span):
        if (
            len(span) == 1
            and span[0].text in table.vocabulary.questions.indefinite
            and not span[0].is_capital
            and not _ends_phrase(mention, words, table)
        ):
            return 0.0
        if _only_links(mention, words, table):
            return 0.0  # "the position of the player": no position `OF`
        narrow = len(span) > 1 and any(word.text in table.vocabulary.restricting for word in span)
        if (
            not narrow
            and not _is_written_so(span, mention, words, table)
            and not _beside_a_name(mention, names, words, table)
        ):
            return 0.0
        worth *= WEAK
    for name in names:
        if (
            name.whole
            and positions <= set(name.words)
            and (len(name.words) > len(positions) or not _beside_a_name(mention, names, words, table))
        ):
            return 0.0
    named = {i for name in names for i in name.words if name.strength > 0.5}
    if mention.number is None and positions <= named:
        worth *= 0.5
    return worth


def _only_links(mention: Mention, words: tuple[Word, ...], table: Table) -> bool:
    """Tell whether a small word with no capital leads on from what is no link itself: the "of" of "position of …"."""
    span, links = words[mention.start : mention.end], table.vocabulary.links
    led = mention.start > 0 and words[mention.start - 1].text in links
    small = len(span) == 1 and len(span[0].text) > 1 and span[0].text in links and span[0].written.islower()
    return small and not led and mention.end < len(words)


def _is_of_header(word: Word, table: Table) -> bool:
    return EXACT in table.names.matches(word.text).values()


def _is_common(word: Word, table: Table) -> bool:
    return (
        (len(word.text) == 1 and word.text.isalpha())
        or word.text in table.vocabulary.light
        or word.text in table.vocabulary.restricting
        or singular(word.text) in table.vocabulary.left_over.number
    )


def _ends_phrase(mention: Mention, words: tuple[Word, ...], table: Table) -> bool:
    """Tell whether no noun can follow, so that "a" is a name: "class a and …"."""
    return mention.end == len(words) or words[mention.end].text in table.vocabulary.conditional


def is_shouted(words: tuple[Word, ...]) -> bool:
    """Tell whether capitals say nothing because nearly every word has one."""
    letters = [word for word in words if word.text.isalpha()]
    return sum(word.is_capital for word in letters) * 3 > len(letters) * 2


def _is_written_so(span: tuple[Word, ...], mention: Mention, words: tuple[Word, ...], table: Table) -> bool:
    """Tell whether capitals make a value of common words; who asks is always "I"."""
    if mention.start == 0 or is_shouted(words) or (len(span) == 1 and span[0].text in table.context.lexicon.asking):
        return False
    written = " ".join(word.written for word in span)
    return written[:1].isupper() and any(
        written in text or written in text.replace(".", "")
        for cells in mention.cells
        for text in map(str, cells.values)
    )


def _beside_a_name(mention: Mention, names: tuple[Name, ...], words: tuple[Word, ...], table: Table) -> bool:
    """Tell whether the name of a column that has the value stands right before it, or right after it."""
    columns = {cells.column for cells in mention.cells}
    for name in names:
        if name.column in columns and name.strength > 0.6:
            between = words[name.end : mention.start]
            gone_on = words[mention.end : name.start]
            goes_on = len(gone_on) <= MAX_GONE_ON and all(
                w.text in table.vocabulary.questions.as_ | table.vocabulary.unread.articles for w in gone_on
            )
            if name.start >= mention.end and name.whole and goes_on:
                return True  # "state authority", "a current end of term", "w as the 2002"
            if (
                name.end <= mention.start
                and len(between) <= 3
                and all(w.text in table.vocabulary.links for w in between)
            ):
                return True
    return False


def _cues(words: tuple[Word, ...], blocked: set[int], table: Table) -> tuple[Cue, ...]:
    found: list[Cue] = []
    position = 0
    while position < len(words):
        for width in (3, 2, 1):
            phrase = tuple(word.text for word in words[position : position + width])
            covered = set(range(position, position + width))
            followed = position + width in blocked or (
                position + width + 1 in blocked and words[position + width].text in table.vocabulary.questions.of
            )
            if phrase in table.vocabulary.functions and not covered & blocked and not followed:
                found.append(Cue(table.vocabulary.functions[phrase], position, position + width))
                position += width - 1
                break
        position += 1
    return tuple(found)


def _focus(words: tuple[Word, ...], blocked: set[int], table: Table) -> tuple[int, str | None]:
    """Return where the name of the answer is expected, and the kind of answer that is asked for."""
    texts, own = [word.text for word in words], table.vocabulary.questions
    asking = [i for i in range(len(words)) if i not in blocked and texts[i] in own.asking]
    first = _asking_word(words, asking, blocked, table.vocabulary)
    if first is None:
        first = -1
    kind = table.vocabulary.asks.get(texts[first]) if first >= 0 else None
    if kind == "place" and texts[-1] in own.origin_end and any("origin" in kinds for kinds in table.kinds.values()):
        kind = "origin"
    start = first + 1
    if first < 0 and texts and texts[0] in own.opening:
        start = 1
    elif first < 0 and " ".join(texts[:2]) in own.wishes:
        start = 2
    passed = (table.vocabulary.articles | own.many) - _nouns_of_columns(texts, table)
    begun = {name.start for name in table.names.find(words, blocked) if name.whole and len(name.words) > 1}
    begun &= {i for i, text in enumerate(texts) if text in own.sorts}  # "the type of lift" of `Lift type`
    while start < len(words) and texts[start] in passed and start not in blocked | begun:
        start += 1
    return start, kind


def _nouns_of_columns(texts: list[str], table: Table) -> frozenset[str]:
    """Return the nouns such as "type" that are whole names of columns here: "which type of lift" asks for the type."""
    headers = {header.words for header in table.names.headers.values()}
    return frozenset(text for text in texts if text in table.vocabulary.questions.sorts and (text,) in headers)


def _asking_word(words: tuple[Word, ...], asking: list[int], blocked: set[int], vocabulary: Vocabulary) -> int | None:
    """Return the question word that asks: "when X won, who lost" asks who, because no auxiliary follows "when"."""
    texts, own = [word.text for word in words], vocabulary.questions
    if not asking or asking[0] != 0:
        return _asking_inside(texts, asking, own)
    if texts[0] not in own.turning:
        return 0
    later = [
        i
        for i in asking
        if i > 2
        and texts[i] in own.later
        and (texts[i] in own.later_surely or words[i].start - words[i - 1].end > 1 or i - 1 in blocked)
    ]
    if not later and len(texts) > 1 and texts[1] not in vocabulary.auxiliaries:
        later = [i for i in asking if i > 2][-1:]  # "when X won the cup who won the shield"
    return later[0] if later else 0


def _asking_inside(texts: list[str], asking: list[int], own: QuestionWords) -> int | None:
    """Return the word that asks where none opens the question: "in which city …", "of X, what is …"."""
    asking = [i for i in asking if not (i and texts[i] in own.relative and texts[i - 1] in own.occurrences)]
    firm = [i for i in asking if texts[i] not in own.relative]  # "rows who work daily" asks for nobody
    plain = [i for i in firm if texts[i] not in own.choosing or i < 3 or texts[i - 1] in own.before_choosing]
    return next(iter(plain or firm or [i for i in asking if texts[i] not in own.joining]), None)
