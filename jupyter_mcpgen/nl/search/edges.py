"""What each span of words may be before any rule: words that do something, columns, values, numbers, dates."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Column, Entity, Holds, Is, Keys, Lacks, Like, Number, Part, Word
from jupyter_mcpgen.nl.grammar.table import DURATION, Table
from jupyter_mcpgen.nl.lexicon.doing import doings_at
from jupyter_mcpgen.nl.lexicon.entries import Degree
from jupyter_mcpgen.nl.schema.costs import ONE_SIDE, VALUE_INFLECTED
from jupyter_mcpgen.nl.schema.mentions import (
    ColumnMention,
    ValueMention,
    column_mentions,
    truth_mentions,
    value_mentions,
)
from jupyter_mcpgen.nl.schema.row_nouns import DESCRIBES_SEVERAL, NAMED
from jupyter_mcpgen.nl.search.moments import WEEKEND, WORKDAYS, moments_at, year_in
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.search.said_again import said_again
from jupyter_mcpgen.nl.text.morphology import OF_NOUNS, Form
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit, MatchMode

GENERAL_ROW = 0.04
"""What it costs to take "records" for the rows."""
LIKE_ANOTHER_WORD = 0.15
"""A mention that costs so much is one by another word than that of the header."""
NAMED_BY_NUMBER = 0.5
"""What it costs to take a number for the column that is called so, such as `2021`, and not for a year or an amount."""
OTHER_MONEY = 0.4
"""What it costs to take a synonym for one of several columns of money: "spend" may be the cost or the price."""
SURELY_A_VALUE = 0.12
"""A mention of a value that costs no more is one, and no noun for rows that only other headers tell."""
LIKE_A_COLUMN = 0.1
"""A mention that costs less is that of a column, also where the word may be an order: "output by plant"."""
AS_ROWS = 0.15
LIKE_A_YEAR = 0.35
"""What it costs to take a number for an amount that looks like a year, where rows have dates."""
HEAD_OF_ROW = 0.05
"""What it costs to take the last word of a name of several words for the rows."""
LASTING = 0.05
"""What it costs to take "still" for rows that have not ended."""
BETWEEN_DATES = 0.1
"""What it costs to take a word such as "duration" for the time between two dates."""
SIGN = 0.02
GOING_ON, SURELY_NAMED = 0.12, 0.05
"""What it costs to take a noun for one that goes on a column's name."""
CELL, SMALL_CELL = 0.2, 0.35
"""What it costs to take a number for that of the cells of a column which nothing names."""
CELL_RULE, GOING_ON_RULE = "cell", "going on"
OF_A_ROW = frozenset({CELL_RULE, GOING_ON_RULE})
"""What is read so says at best something of a row that is named."""
TELLING = 3
"""A number of so many digits is hardly in a column by chance."""
MOST_COLUMNS_OF_CELL = 2
CALLED_SO = 0.3
"""What it costs to take a word for a count that a column is called."""
INSIDE = 0.2
"""What it costs to take a name for a part of the values of a column."""
ANYONE = 0.03
"""What it costs to take "people" for the persons that a column names."""
NOT_ASKED = 0.3
"""What it costs to take the word that a question begins with for one that only leads to a condition."""
UNQUOTED = 0.06
"""What each word of a text without quotes costs."""
MOST_WORDS_OF_TEXT = 4
MOST_WORDS_SAID = 5
"""How many words a phrase may have that says nothing of the table."""
WEIGHTY = 0.5
"""What leaving out a small word costs that changes what is asked, such as "by" or "not"."""
TO_US = 0.1
"""A word that costs no more to leave out may stand before an order: "can you please show"."""
_TURNED = frozenset({C.NOT})
"""Small words that turn a question round, so that none is left out."""
_PARTS = frozenset(",;.:?!")
_NO_PART_OF_A_NAME = frozenset({C.STATISTIC, C.AGGREGATE, C.MOST, C.OFTEN, C.CHART, C.ORDER, C.CHANGE, C.SHARE})
"""Words of these are no part of a longer value that nothing else of the question names."""
_WEIGHTY = frozenset({C.BY, C.NOT, C.OR, C.COMPARE, C.AGGREGATE, C.COUNT, C.MOST, C.SHARE, C.SINCE})
_TURNING = frozenset({C.COMPARE, C.BEHIND, C.NOT, C.SINCE, C.BETWEEN})
"""Phrases of several words that change what is asked: "at least", "up to", "apart from"."""
_SIDES = ("beginning", "ending")
_ASKS_FIRST = frozenset({C.ASKING, C.COUNT, C.HOW_MUCH})
_ASKED = frozenset({"who", "when", "where"})
CONTENT = 1.0
"""What leaving out a word costs that means something."""
UNKNOWN = 1.3
"""What leaving out a word costs that nothing knows."""


def edges(tokens: Sequence[Token], table: Table) -> tuple[Phrase, ...]:
    """Return the phrases that rules begin with."""
    lexicon = table.lexicon
    forms = [lexicon.lemmas(token.lower) if token.kind is TokenKind.WORD else (token.lower,) for token in tokens]
    found: list[Phrase] = []
    columns = tuple(
        one
        for one in column_mentions(tokens, table.schema)
        if table.is_called(one.column) and not _remains(tokens, one.first, table)
    )
    mentions = (*_valued(tokens, columns, table), *truth_mentions(tokens, table.schema))
    mentions = tuple(one for one in mentions if not _remains(tokens, one.first, table))
    sure = {at for one in mentions if one.cost == 0 for at in range(one.first, one.last)}
    shouted = all(token.text.isupper() for token in tokens if token.kind is TokenKind.WORD)
    measured = {one.first for one in columns if one.cost < LIKE_A_COLUMN and one.last == one.first + 1}
    for place in range(len(tokens)):
        behind_number = place > 0 and tokens[place - 1].kind is TokenKind.NUMBER
        words = _words(forms, place, table, behind_number=behind_number)
        following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
        code = place in sure and tokens[place].text.isupper() and not shouted and lexicon.is_function(following)
        found += (one for one in words if not code and (one.category is not C.LIST or place not in measured))
        found += _quantities(tokens, place, table)
        moments = tuple(moments_at(tokens, place, lexicon))
        longest = max((end for end, _ in moments), default=0)
        found += (Phrase(place, end, C.PERIOD, meant, 0.0, "period") for end, meant in moments if end == longest)
        found += (
            Phrase(place, place + 1, C.DIMENSION, one, 0.0, "dimension")
            for one in lexicon.dimension(tokens[place].lower)
        )
    rows = tuple(one for one in _rows(tokens, forms, table) if sure.isdisjoint(range(one.first, one.last - 1)))
    exact = {(one.first, one.last) for one in columns if one.cost in (0, ONE_SIDE) and _says_what(one.column, table)}
    called = {(one.first, one.last) for one in rows}
    does = {one.first for one in found if one.category in _NO_PART_OF_A_NAME}
    counts = {one.first for one in found if one.category in (C.COUNT, C.TALLY)}
    columns = tuple(said_again(columns, forms, does | counts | {first for first, _ in called}))
    found += (
        Phrase(one.first, one.last, C.TERM, Column(one.column), one.cost + _doubt(one, tokens, called, table), "column")
        for one in columns
        if (
            not (one.cost >= LIKE_ANOTHER_WORD and one.last == one.first + 1 and one.first in does)
            and not _amount_for_label(one, tokens, table)
        )
        or _is_short_for(table, one.column, tokens[one.first])
    )
    found += (
        Phrase(one.first, one.last, C.VALUE, Is(one.column, one.values), one.cost, "value")
        for one in mentions
        if one.cost == 0 or one.last > one.first + 1 or not (one.first in does or _compares(tokens[one.first], table))
    )
    found += _going_on(tokens, columns, found, table)
    found += _anyone(forms, table)
    found += _durations(forms, found, table)
    valued = {(one.first, one.last) for one in found if one.category is C.VALUE and one.cost <= SURELY_A_VALUE}
    found += (
        one
        for one in rows
        if (one.first, one.last) not in exact
        and not (one.cost >= DESCRIBES_SEVERAL and (one.first, one.last) in valued)
    )
    found += _lasting(tokens, table)
    found += _texts(tokens, found, table)
    found += _cells(tokens, found, table)
    found += _inside_values(tokens, found, table)
    begun = _asked_first(found)
    orders = {one.last for one in found if one.category is C.LIST and one.first == 0}
    asked = min((one.first for one in found if one.category in _ASKS_FIRST), default=len(tokens))
    return tuple(
        replace(one, cost=one.cost + NOT_ASKED)
        if (one.first < begun and one.category in (C.IN, C.WHERE))
        or _asks_again(one, asked)
        or _is_an_order(one, orders, tokens, table)
        else one
        for one in found
    )


def _remains(tokens: Sequence[Token], place: int, table: Table) -> bool:
    """Tell whether a word says what is still there, and not what went away: "how many are left", "do we have left"."""
    if not place or not table.lists("gone_or_there", tokens[place].lower):
        return False
    before = table.lexicon.lemmas(tokens[place - 1].lower)
    ours = place > 1 and table.lists("us", tokens[place - 2].lower)
    own = any(table.lists("us", lemma) or table.lists("staying", lemma) for lemma in before)
    return own or (ours and any(table.lists("led", lemma) for lemma in before))


def _valued(tokens: Sequence[Token], columns: Sequence[ColumnMention], table: Table) -> Iterator[ValueMention]:
    """Yield the values that are mentioned; a word that says what went away is one only beside its column's name."""
    for one in value_mentions(tokens, table.schema):
        beside = (
            other.first <= one.last + 1 and one.first <= other.last + 1
            for other in columns
            if other.column == one.column
        )
        if not table.lists("gone_or_there", tokens[one.first].lower) or one.last > one.first + 1 or any(beside):
            yield one


def _says_what(name: str, table: Table) -> bool:
    """Tell whether a column that is called as a row is what is meant: texts, and amounts of it such as votes."""
    return table.is_text(name) or table.column(name).adds_up


def _amount_for_label(mention: ColumnMention, tokens: Sequence[Token], table: Table) -> bool:
    """Tell whether a word for an amount would name a label by a synonym: "revenue" is no `receipt`."""
    word = tokens[mention.first].lower
    amount = mention.last == mention.first + 1 and table.is_money_word(word)
    return amount and mention.cost >= LIKE_ANOTHER_WORD and not table.is_number(mention.column)


def _is_an_order(phrase: Phrase, orders: set[int], tokens: Sequence[Token], table: Table) -> bool:
    """Tell whether a column is called as the order is that a question begins with: "name the club"."""
    article = phrase.last < len(tokens) and table.lists("articles", tokens[phrase.last].lower)
    return article and phrase.first == 0 and phrase.category is C.TERM and phrase.last in orders


def _asks_again(phrase: Phrase, asked: int) -> bool:
    """Tell whether "when" or "where" stands behind another question word, and so leads to a condition."""
    return phrase.first > asked and phrase.category is C.ASKING and phrase.meaning.meaning in _ASKED


def _is_short_for(table: Table, name: str, token: Token) -> bool:
    """Tell whether all of a column's name is short for a word: `Avg.` for "average"."""
    words = table.column(name).facts.words
    return len(words) == 1 and token.lower in words[0].full


def _asked_first(found: Sequence[Phrase]) -> int:
    """Return where a question word ends that a question begins with: "who", and "where" before a verb such as "was"."""
    asked = {one.last: one.meaning.meaning for one in found if one.category is C.ASKING and one.first == 0}
    verbs = {one.first for one in found if one.category in (C.ASKING, C.IS)}
    return max(
        (last for last, what in asked.items() if what in ("who", "which") or (what in _ASKED and last in verbs)),
        default=0,
    )


def _compares(token: Token, table: Table) -> bool:
    """Tell whether a word compares, so that it is no form of a value: "oldest" is not the "Old" of a name."""
    return any(one.degree is not Degree.POSITIVE for one in table.lexicon.dimension(token.lower))


def _doubt(mention: ColumnMention, tokens: Sequence[Token], called: set[tuple[int, int]], table: Table) -> float:
    """Return what it costs that a word for a column may say something else.

    A synonym may be that of another column of money, unless it has only one sense: "turnover" is a revenue, but "spend"
    may be the cost or the price. What a row is called is no column: "loans" are not the `loan_date`; but things that
    several rows are about are no rows: "customers" are those of the `customer_id`.
    """
    name = mention.column
    if name.isdecimal() and table.is_number(name) and tokens[mention.first].kind is TokenKind.NUMBER:
        return NAMED_BY_NUMBER
    money = table.column(name).facts.money and len(table.moneys) > 1
    if mention.cost >= LIKE_ANOTHER_WORD and money and _has_several_senses(tokens[mention.first : mention.last], table):
        return OTHER_MONEY
    if mention.cost == 0 or (mention.first, mention.last) not in called:
        return 0.0
    if name in table.repeated_things:
        return 0.0
    return AS_ROWS if table.is_date(name) or table.column(name).is_label or not table.is_number(name) else 0.0


def _has_several_senses(words: Sequence[Token], table: Table) -> bool:
    lemmas = (lemma for word in words for lemma in table.lexicon.lemmas(word.lower))
    return len({concept for lemma in lemmas for concept in table.lexicon.concepts(lemma)}) != 1


def skips(tokens: Sequence[Token], found: Sequence[Phrase], table: Table) -> tuple[float, ...]:
    """Return what it costs to leave out each word."""
    known = _places(one for one in found if one.rule != "text")
    weighty = _places(one for one in found if one.category in _WEIGHTY or _is_a_whole_name(one, table))
    weighty |= set(range(_asked_first(found)))
    numbers = _places(one for one in found if one.category is C.NUMBER)
    weighty |= {at for at in numbers if tokens[at].kind is TokenKind.SYMBOL}  # such as %
    for place, (token, following) in enumerate(pairwise(tokens)):
        if following.kind is TokenKind.NUMBER and table.lists("nearly", token.lower):
            weighty.add(place)
    if table.ends:
        ending = (at for at, one in enumerate(tokens) if any(table.lists(side, one.lower) for side in _SIDES))
        weighty.update(ending)
    costs = {place: _skip(token, place in known, place in weighty, table) for place, token in enumerate(tokens)}
    costs |= dict.fromkeys(_no_orders(tokens, table), CONTENT)
    turning = (one for one in found if one.category in _TURNING and one.last > one.first + 1 and one.rule == "word")
    costs |= {at: max(costs[at], CONTENT) for one in turning for at in range(one.first, one.last)}
    costs |= {one.first: CONTENT for one in found if one.category in _TURNED and one.rule == "word"}
    costs |= {one.first: CONTENT for one in found if one.rule == "column" and _is_no_order(one, tokens, table)}
    costs |= {at: CONTENT for at, one in enumerate(tokens) if any(_is_compared(one.lower, table))}
    does = _places(one for one in found if one.rule == "word")
    costs |= {one.first: CONTENT for one in found if _is_value_of_light_word(one, tokens, does, table)}
    costs |= dict.fromkeys(_signs(tokens), SIGN)
    named = {(one.first, one.last) for one in found if one.category in (C.VALUE, C.TERM) and one.cost <= SURELY_NAMED}
    costs |= _said_to_us(tokens, table, named)
    names = (one for one in found if one.rule == "column" and one.cost == 0 and one.last > one.first + 1)
    costs |= {at: max(costs[at], WEIGHTY) for at in _places(names)}  # "on hand" is the name of a column
    costs |= dict.fromkeys(_places(one for one in found if one.rule in ("period", "lasting")), UNKNOWN)
    return tuple(costs[place] for place in range(len(tokens)))


def _is_no_order(mention: Phrase, tokens: Sequence[Token], table: Table) -> bool:
    """Tell whether a word names a column of numbers, though it might be an order as well."""
    one = mention.last == mention.first + 1 and mention.cost < LIKE_A_COLUMN and table.is_number(mention.meaning.name)
    forms = [table.lexicon.lemmas(tokens[mention.first].lower)]
    return one and any(doing.category == C.LIST for _, doing in doings_at(forms, 0, table.language))


def _is_compared(word: str, table: Table) -> Iterator[bool]:
    """Yield whether each order that a word may ask for is that of two: "better"."""
    return (one.degree is Degree.COMPARATIVE for one in table.lexicon.judgement(word))


def _is_value_of_light_word(phrase: Phrase, tokens: Sequence[Token], does: Container[int], table: Table) -> bool:
    """Tell whether a word that says little elsewhere is a value: "present" of employees."""
    word, place = tokens[phrase.first], phrase.first
    light = table.lexicon.skip_cost(word.lower) is not None
    if phrase.rule != "value" or phrase.last > place + 1 or not light:
        return False
    if table.lists("addressed", word.lower):  # "show us" says nothing
        before = table.lexicon.lemmas(tokens[place - 1].lower) if place else ()
        return not any(table.lists("asking_too", lemma) for lemma in before)
    code = word.text.isupper() and place not in does
    return place > 0 and phrase.cost <= VALUE_INFLECTED and (code or not table.lexicon.is_function(word.lower))


def _no_orders(tokens: Sequence[Token], table: Table) -> Iterator[int]:
    """Yield where verbs stand that would say what to do elsewhere: "which orders did they return"."""
    forms = [table.lexicon.lemmas(token.lower) for token in tokens]
    for place, lemmas in enumerate(forms):
        order = any(doing.category == C.LIST for _, doing in doings_at(forms, place, table.language))
        noun = any(table.lists("asking_too", lemma) for lemma in lemmas)
        begins = tokens[place].text[:1].isupper()  # another sentence
        if order and not noun and not begins and not _may_order(forms, place, table):
            yield place


def _signs(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the signs that only say that a number is no negative one: "+119"."""
    for place, (sign, number) in enumerate(pairwise(tokens)):
        before = tokens[place - 1].kind if place else None
        if sign.text == "+" and number.kind is TokenKind.NUMBER and before is not TokenKind.NUMBER:
            yield place


def _is_a_whole_name(phrase: Phrase, table: Table) -> bool:
    """Tell whether a word is all of a column's name, however little it says elsewhere: `report`."""
    one_word = phrase.last == phrase.first + 1
    exact = phrase.category is C.TERM and phrase.rule == "column" and phrase.cost == 0
    return one_word and exact and len(table.column(phrase.meaning.name).facts.words) == 1


def _places(phrases: Iterable[Phrase]) -> set[int]:
    return {at for one in phrases for at in range(one.first, one.last)}


def _said_to_us(tokens: Sequence[Token], table: Table, named: Container[tuple[int, int]]) -> dict[int, float]:
    """Return the words of phrases that say nothing of the table, such as "could you", with what each costs.

    What ends with a column or value, as "in history" may, says something of it.
    """
    found: dict[int, float] = {}
    for size in range(2, MOST_WORDS_SAID + 1):
        for place in range(len(tokens) - size + 1):
            cost = table.lexicon.skip_cost(" ".join(token.lower for token in tokens[place : place + size]))
            ends = ((at, place + size) for at in range(place, place + size))
            if cost is not None and not any(span in named for span in ends):
                found |= dict.fromkeys(range(place, place + size), cost / size)
    return found


def _skip(token: Token, known: bool, weighty: bool, table: Table) -> float:
    if token.text == "%":
        return CONTENT
    if token.kind is TokenKind.SYMBOL:
        return 0.02 if token.text in ",;()-–" else CONTENT if weighty else 0.3
    if token.kind is not TokenKind.WORD:
        return UNKNOWN
    cost = table.lexicon.skip_cost(token.lower)
    if cost is not None and known and table.lists("amounts", token.lower):
        return CONTENT  # "output per machine"
    if cost is not None:
        return max(cost, WEIGHTY) if weighty and cost else cost
    return CONTENT if known else UNKNOWN


def _words(forms: Sequence[tuple[str, ...]], place: int, table: Table, *, behind_number: bool) -> Iterator[Phrase]:
    for end, doing in doings_at(forms, place, table.language):
        category = C(doing.category)
        match category:
            case C.UNIT:
                for part in _parts(DateUnit(doing.meaning), table):
                    yield Phrase(place, end, category, part, 0.0, "word")
            case C.EACH_UNIT:
                for part in _parts(DateUnit(doing.meaning), table):
                    yield Phrase(place, end, C.KEYS, Keys((part,)), 0.0, "word")
            case C.SEASON:
                yield Phrase(place, end, C.PERIOD, WEEKEND if doing.meaning == "weekend" else WORKDAYS, 0.0, "word")
            case C.ROW:
                cost = CALLED_SO if end == place + 1 and _is_a_name(forms[place], table, text=True) else GENERAL_ROW
                yield Phrase(place, end, C.ENTITY, Entity(word=doing.said), cost, "word")
            case C.LIST if not _may_order(forms, place, table):
                continue  # an order stands first: "the name" is a noun, and "did they return" asks what they did
            case C.COUNT if end > place + 1 and _is_a_name(forms[place], table):
                yield Phrase(place, end, category, Word(doing.meaning, doing.said), CALLED_SO, "word")
            case C.SHARE if (place and behind_number) or _names_rows(forms[place], table):
                continue  # "20 % off" is a number, and a row may be a part
            case _:
                yield Phrase(place, end, category, Word(doing.meaning, doing.said), 0.0, "word")


def _names_rows(forms: tuple[str, ...], table: Table) -> bool:
    return any(noun.cost == NAMED and noun.words[-1:] == (form,) for noun in table.schema.row.nouns for form in forms)


def _may_order(forms: Sequence[tuple[str, ...]], place: int, table: Table) -> bool:
    """Tell whether a word may say what to do: it stands first, behind words to us, or begins another part.

    What can be no verb of the rows, such as "list", may do so anywhere but behind an article.
    """
    if any(table.lists("asking_too", lemma) for lemma in forms[place]):
        return not place or not table.lists("articles", forms[place - 1][0])
    for lemmas in reversed(forms[:place]):
        word = lemmas[0]
        if word in _PARTS or table.lists("begins", word):
            return True
        cost = table.lexicon.skip_cost(word)
        if cost is None or cost > TO_US or table.lists("articles", word):
            return False
    return True


def _is_a_name(forms: tuple[str, ...], table: Table, *, text: bool = False) -> bool:
    """Tell whether a column begins with a word that counts elsewhere: the `frequency` of a station."""
    names = (one for one in table.names if not text or (table.is_text(one) and not table.column(one).is_identifier))
    firsts = (table.column(name).facts.words for name in names)
    return any(words[0].text in forms and words[0].heavy for words in firsts)


def _parts(unit: DateUnit, table: Table) -> Iterator[Part]:
    """Yield a unit of the date that tells when a row was; of a column of years where that is all there is."""
    if unit is DateUnit.START_OF_YEAR and table.own_year is not None:
        yield Part(unit, table.own_year)
    elif table.dates:
        yield Part(unit, table.dates[0])


def _quantities(tokens: Sequence[Token], place: int, table: Table) -> Iterator[Phrase]:
    token, lexicon = tokens[place], table.lexicon
    ordinal = lexicon.ordinal(token.lower)
    if ordinal is not None:
        yield Phrase(place, place + 1, C.ORDINAL, Number(ordinal, ordinal=True), 0.0, "number")
    value = float(token.number) if token.kind is TokenKind.NUMBER else lexicon.number(token.lower)
    if value is None:
        return
    end, times = place + 1, 1.0
    behind = lexicon.multiplier(tokens[end].lower) if end < len(tokens) else None
    if behind is not None and not table.columns_in(tokens[end].lower):
        times, value, end = behind, value * behind, end + 1
    cost = 0.0 if token.kind is TokenKind.NUMBER else 0.02
    if (table.dates or table.years) and year_in(token) is not None:
        cost = LIKE_A_YEAR
    yield Phrase(place, end, C.NUMBER, Number(value, times=times), cost, "number")
    for size in (2, 1):
        if end + size > len(tokens):
            continue
        phrase = " ".join(one.lower for one in tokens[end : end + size])
        unit = lexicon.unit(phrase)
        if unit is not None:
            yield Phrase(place, end + size, C.NUMBER, Number(value, phrase, times=times), 0.0, "number")
            break


def _rows(tokens: Sequence[Token], forms: Sequence[tuple[str, ...]], table: Table) -> Iterator[Phrase]:
    """Yield the nouns that a row is called; one that the table does not say is no verb: no "stay" in "stayed"."""
    analyses = table.lexicon.morphology.analyses
    nouns = [tuple(one.lemma for one in analyses(token.lower) if one.form in OF_NOUNS) for token in tokens]
    for noun in table.schema.row.nouns:
        if table.says_which_rows(noun):
            continue
        known = forms if noun.cost == NAMED else nouns
        yield from _called(noun.words, noun.cost, known)
        if len(noun.words) > 1:
            yield from _called(noun.words[-1:], noun.cost + HEAD_OF_ROW, known)
    name = table.profile.name.casefold()
    for place, token in enumerate(tokens):
        written = token.kind is TokenKind.QUOTED or not token.text.isalpha()
        if written and token.lower in (name, "_".join(name.split())):
            yield Phrase(place, place + 1, C.ENTITY, Entity(word=token.lower), 0.0, "row")


def _called(words: tuple[str, ...], cost: float, forms: Sequence[tuple[str, ...]]) -> Iterator[Phrase]:
    """Yield where the words of a noun stand."""
    size, said = len(words), " ".join(words)
    for place in range(len(forms) - size + 1):
        if all(word in forms[place + at] for at, word in enumerate(words)):
            yield Phrase(place, place + size, C.ENTITY, Entity(word=said), cost, "row")


def _durations(forms: Sequence[tuple[str, ...]], found: Sequence[Phrase], table: Table) -> Iterator[Phrase]:
    """Yield words for how long something took, where no column is called so but two dates tell it."""
    named = {one.first for one in found if one.rule == "word" or (one.category is C.TERM and one.cost < BETWEEN_DATES)}
    for place, lemmas in enumerate(forms):
        about = any(DURATION in (lemma, *table.lexicon.concepts(lemma)) for lemma in lemmas)
        if about and place not in named:
            yield from (Phrase(place, place + 1, C.TERM, one, BETWEEN_DATES, "duration") for one in table.durations)


def _inside_values(tokens: Sequence[Token], found: Sequence[Phrase], table: Table) -> Iterator[Phrase]:
    """Yield names that stand inside several values of one column, as a country does in addresses."""
    known = {at for one in found for at in range(one.first, one.last) if one.category is not C.TEXT}
    for first, token in enumerate(tokens):
        if first in known or not token.text[:1].isupper() or token.kind is not TokenKind.WORD:
            continue
        last = first + 1
        while last < len(tokens) and last not in known and tokens[last].text[:1].isupper():
            last += 1
        text = " ".join(one.text for one in tokens[first:last])
        columns = table.columns_with_part(text)
        if len(columns) == 1:
            yield Phrase(first, last, C.TEST, Like(columns[0], MatchMode.CONTAINS, text), INSIDE, "part")


def _going_on(
    tokens: Sequence[Token], columns: Sequence[ColumnMention], found: Sequence[Phrase], table: Table
) -> Iterator[Phrase]:
    """Yield columns with a noun behind their name that nothing else reads: "the preliminaries score"."""
    read = {one.first for one in found}
    named = {(one.first, one.last) for one in columns}
    for one in columns:
        free = one.last < len(tokens) and one.last not in read and (one.first, one.last + 1) not in named
        noun = tokens[one.last] if free else None
        if one.cost <= SURELY_NAMED and noun is not None and _may_go_on(noun, table):
            yield Phrase(one.first, one.last + 1, C.TERM, Column(one.column), one.cost + GOING_ON, GOING_ON_RULE)


def _may_go_on(noun: Token, table: Table) -> bool:
    """Tell whether a word may be a noun: no small word, and no form that only verbs have."""
    if noun.kind is not TokenKind.WORD or not noun.text.islower() or table.lexicon.skip_cost(noun.lower) is not None:
        return False
    return all(form in OF_NOUNS for _, form in table.lexicon.morphology.analyses(noun.lower))


def _cells(tokens: Sequence[Token], found: Sequence[Phrase], table: Table) -> Iterator[Phrase]:
    """Yield numbers that are those of cells, where one column or two have them: "the game with 7260 visitors"."""
    for one in found:
        if one.category is not C.NUMBER or one.last != one.first + 1 or not isinstance(one.meaning, Number):
            continue
        if year_in(tokens[one.first]) is not None and (table.dates or table.years):
            continue
        tests = [Holds(Column(name), CompareOp.EQ, one.meaning) for name in table.names if table.is_number(name)]
        known = [test for test in tests if table.met.of(test)]
        telling = len(tokens[one.first].text) >= TELLING
        cost = (CELL if telling else SMALL_CELL) + (CELL if len(known) > 1 else 0.0)
        if len(known) <= MOST_COLUMNS_OF_CELL:
            yield from (Phrase(one.first, one.last, C.TEST, test, cost, CELL_RULE) for test in known)


def _lasting(tokens: Sequence[Token], table: Table) -> Iterator[Phrase]:
    """Yield words such as "still", which say of rows with an end that they have none yet."""
    ends = [one.end for one in table.schema.intervals if table.column(one.end).nulls]
    for place, token in enumerate(tokens):
        if table.lists("lasting", token.lower):
            yield from (Phrase(place, place + 1, C.TEST, Lacks(name), LASTING, "lasting") for name in ends)


def _anyone(forms: Sequence[tuple[str, ...]], table: Table) -> Iterator[Phrase]:
    """Yield the columns that nouns mean which are of any person or place: "how many people"."""
    for place, lemmas in enumerate(forms):
        done = any(form is Form.PAST for _, form in table.lexicon.morphology.analyses(lemmas[0]))
        if done:
            continue  # "orders placed"
        if any(table.lexicon.generic(lemma) for lemma in lemmas):
            yield Phrase(place, place + 1, C.ANYBODY, Word(lemmas[0]), 0.0, "kind")
        for name in dict.fromkeys(name for lemma in lemmas if (name := table.any_of(lemma))):
            yield Phrase(place, place + 1, C.TERM, Column(name), ANYONE, "kind")


def _texts(tokens: Sequence[Token], found: Sequence[Phrase], table: Table) -> Iterator[Phrase]:
    """Yield words in quotes, and those behind a word such as "contains"."""
    for place, token in enumerate(tokens):
        if token.kind is TokenKind.QUOTED:
            yield Phrase(place, place + 1, C.TEXT, token.text, 0.0, "text")
    lettered = {one.last for one in found if one.category is C.LETTER}
    several = {place + 1 for place in range(1, len(tokens)) if any(place - 1 == at for at in lettered)}
    for place in (lettered | several) & set(range(len(tokens))):
        if len(tokens[place].text) == 1 and tokens[place].kind is TokenKind.WORD:
            yield Phrase(place, place + 1, C.TEXT, tokens[place].text, 0.0, "letter")
    for behind in {one.last for one in found if one.category is C.CONTAINS}:
        for end in range(behind + 1, min(behind + MOST_WORDS_OF_TEXT, len(tokens)) + 1):
            words = tokens[behind:end]
            rest = words[1:]
            if table.lexicon.is_function(words[-1].lower):
                continue
            name = all(word.text[:1].isupper() or word.kind is TokenKind.NUMBER for word in rest)
            if name and all(word.kind in (TokenKind.WORD, TokenKind.NUMBER) for word in words):
                said = " ".join(word.text for word in words)
                yield Phrase(behind, end, C.TEXT, said, UNQUOTED * len(words), "text")
