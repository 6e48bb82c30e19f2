"""One year against another: "change in sales from 2021 to 2023 by region", "which region grew its sales the most"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.two_years import Ranking, Years, changed
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word, phrases_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.nl.tables.own_dates import year_of_rows
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import DateUnit

_NOUNS = ("growth", "rise", "drop", "changes", "apart")
CHANGING = ("grow", "fall", "change", "either", *_NOUNS)
"""The lists of words without one of which nothing changes."""
_LENGTH_OF_SPAN = 4
"""The words of "from 2021 to 2023"."""
_POSSESSIVE = ("'s", "’s")

Words = tuple[Token, ...]


@dataclass(frozen=True)
class _Said:
    """What changed, without the words of the change, and which groups are wanted."""

    what: Words
    relative: bool
    ranking: Ranking | None = None
    groups: Words = ()
    needs_years: bool = False
    """Without two years named, another reader knows better."""


def of_two_years(question: Question) -> Iterator[Attempt]:
    """Read a change between two years as the figures of both; without years named, as from the first to the last."""
    if "growth" not in question.tree:
        return
    named = _named_years(question.tokens, question)
    place = named[0] if named is not None else len(question.tokens)
    rest = (*question.tokens[:place], *question.tokens[place + _LENGTH_OF_SPAN :])
    said = _Reader(rest, question).said() if not any(map(_is_year, rest)) else None  # "since 2015" is another span
    if said is None or (said.needs_years and named is None):
        return
    if Question((*said.what, *said.groups), question.context, question.language).names_a_period:
        return  # "change in sales by month from 2021 to 2023" goes from month to month
    years = _years(named[1:] if named is not None else None, question)
    if years is None:
        return
    by, periods = as_word(question.tree["words"]["by"]), question.tree["periods"]
    asked = (*said.what, by, *said.groups) if said.groups else said.what
    if years.column is None:
        asked = (*asked, by, as_word(periods[DateUnit.START_OF_YEAR.value][0]))
    first_to_last = f"From {years.first}, the first year, to {years.last}, the last one."
    notes = () if named is not None else (first_to_last,)
    complete = partial(
        changed,
        context=question.context,
        years=years,
        relative=said.relative,
        ranking=said.ranking,
        counted=_names_several(said.what, question.context),
    )
    yield Attempt(asked, complete, notes)


def _names_several(what: Words, context: Context) -> bool:
    """Tell whether a number of something may have changed: of lots, and not of the harvest, which is an amount."""
    lexicon = context.lexicon
    meant = [(token.lower, meaning) for token in what for meaning in lexicon.meanings(token.lower)]
    if any(isinstance(meaning, m.CountWord | m.DistinctWord) for _, meaning in meant):
        return True
    rows = {word for word, meaning in meant if isinstance(meaning, m.RowNoun | m.TableNoun)}
    rows |= {token.lower for token in what if context.plain(token.lower) in context.row_nouns}
    return any(lexicon.base(word) != word for word in rows)


def _named_years(tokens: Words, question: Question) -> tuple[int, int, int] | None:
    """Return where "from 2021 to 2023" stands, and its years; None where nothing of the kind is said once."""
    words = question.tree["growth"]
    found = [
        (place, int(first.number), int(last.number))
        for place, (start, first, to, last) in enumerate(zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False))
        if start.lower in words["from"] and to.lower in words["to"] and _is_year(first) and _is_year(last)
    ]
    return found[0] if len(found) == 1 and found[0][1] < found[0][2] else None


def _is_year(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER and isinstance(token.number, int) and token.number in YEARS


def _years(named: tuple[int, int] | None, question: Question) -> Years | None:
    """Return the two years, with the only number column of years if no date tells them; None where one has no rows."""
    context = question.context
    if context.dates and year_of_rows(context, (token.lower for token in question.tokens)) is None:
        # the first and the last year of dates may have a few weeks only
        return None if named is None else Years(*named, column=None)
    if len(context.years) != 1 or (named is None and len(context.column_words[context.years[0]]) > 1):
        return None  # from the first `year_built` to the last one nothing changed
    known = context.column(context.years[0])
    if not isinstance(known.minimum, int) or not isinstance(known.maximum, int):
        return None
    first, last = named or (known.minimum, known.maximum)
    there = known.values if known.complete else range(known.minimum, known.maximum + 1)
    return Years(first, last, column=context.years[0]) if first < last and {first, last} <= set(there) else None


class _Reader:
    """Finds the words of a change in a question that has no years any more."""

    def __init__(self, tokens: Words, question: Question) -> None:
        self._tokens = tokens
        self._words = tuple(token.lower for token in tokens)
        self._tree = question.tree["growth"]
        self._asking = phrases_of(question.language, "how_much_changed")
        self._most = phrases_of(question.language, "changed_most")
        self._having = phrases_of(question.language, "having_changed")
        self._context = question.context
        self._by = question.tree["words"]["by"]

    def said(self) -> _Said | None:
        """Return what changed, in the first way of saying it that fits."""
        return self._how_much() or self._which_changed_most() or self._with_largest() or self._change_in()

    def _is(self, place: int, *keys: str) -> bool:
        """Tell whether a word is one of some lists, and no name of a column."""
        if not 0 <= place < len(self._words):
            return False
        word = self._words[place]
        return any(word in self._tree[key] for key in keys) and not self._context.columns_with(word)

    def _how_much(self) -> _Said | None:
        """Read "how much did revenue grow in Oslo"."""
        start = next((len(phrase) for phrase in self._asking if self._words[: len(phrase)] == phrase), None)
        places = range(1, len(self._words))
        said = [place for place in places if self._is(place, "grow", "fall", "change", "either")]
        verbs = [place for place in said if self._words[place - 1] not in self._tree["of"]]  # "in fall" is a season
        if start is None or len(verbs) != 1 or verbs[0] <= start or len(said) > 1:
            return None
        what, relative = self._without_percent((*self._tokens[start : verbs[0]], *self._tokens[verbs[0] + 1 :]))
        return _Said(what, relative)

    def _which_changed_most(self) -> _Said | None:
        """Read "which region grew its revenue the most", "which region's revenue fell the most"."""
        verbs = (p for p in range(len(self._words)) if self._is(p, "grow", "fall", "change", "either"))
        verb = next(verbs, None)
        if verb is None or verb < 2 or self._words[0] not in self._tree["which"]:
            return None
        behind = verb + 1
        most = next(((at, p) for at in range(behind, len(self._words)) for p in self._most if self._has(at, p)), None)
        if most is None:
            return None
        groups, before = self._tokens[1:verb], self._tokens[behind : most[0]]
        after = self._tokens[most[0] + len(most[1]) :]
        owner = next((place for place, token in enumerate(groups) if token.lower.endswith(_POSSESSIVE)), None)
        owned: Words = ()
        if owner is not None:
            owned, groups = groups[owner + 1 :], (*groups[:owner], as_word(groups[owner].text[:-2]))
        if before and before[0].lower in self._tree["its"]:
            before = before[1:]
        if after and after[0].lower in self._tree["of"] and not (owned or before):
            after = after[1:]
        what, relative = self._without_percent((*owned, *before, *after))
        if not groups or not what:
            return None
        # "which team gained the most points" asks for points, "… from 2019 to 2021" for a change
        return _Said(what, relative, self._ranking(verb, 1), groups, needs_years=self._is(verb, "either"))

    def _with_largest(self) -> _Said | None:
        """Read "region with the largest drop in sales", "top 3 regions by sales growth"."""
        noun = self._noun()
        if noun is None or noun < 2:
            return None
        largest = next((p for p in range(1, noun) if self._words[p] in self._tree["largest"]), None)
        if largest is not None:
            having = next((p for p in self._having if self._words[:largest][-len(p) :] == p), ())
            groups = self._tokens[: largest - len(having)] if having else ()
            groups = groups[1:] if groups and groups[0].lower in self._tree["which"] else groups
            count = 1 if groups and self._context.lexicon.base(groups[-1].lower) == groups[-1].lower else None
        else:
            largest = next((p for p in range(1, noun) if self._words[p] == self._by), None)
            if largest is None or self._words[0] not in self._tree["top"]:
                return None
            counted = self._tokens[1].kind is TokenKind.NUMBER and isinstance(self._tokens[1].number, int)
            count = int(self._tokens[1].number) if counted else None
            groups = self._tokens[2:largest] if counted else ()
        what, relative = self._what(noun, largest + 1)
        if not groups or not what:
            return None
        # "the match with the largest difference in score" compares no years
        return _Said(what, relative, self._ranking(noun, count), groups, needs_years=self._is(noun, "apart"))

    def _change_in(self) -> _Said | None:
        """Read "percent change in sales by region" and "sales growth by region", where two years are named."""
        noun = self._noun()
        if noun is None:
            return None
        first = next((p for p, word in enumerate(self._words) if word not in self._tree["opening"]), noun)
        what, relative = self._what(noun, min(first, noun))
        return _Said(what, relative, needs_years=True) if what else None

    def _noun(self) -> int | None:
        """Return where the only word for a change stands."""
        nouns = [place for place in range(len(self._words)) if self._is(place, *_NOUNS)]
        return nouns[0] if len(nouns) == 1 else None

    def _what(self, noun: int, start: int) -> tuple[Words, bool]:
        """Return what changed, which stands before the noun or behind it, and whether in percent."""
        end = noun + 1
        rate = self._words[end : end + 1] == (self._tree["rate"],)
        end += rate
        before = tuple(token for token in self._tokens[start:noun] if token.lower not in self._tree["percent"])
        percent = len(before) < noun - start
        behind = self._is(end, "of")
        if not before and not behind:
            return (), False
        end += behind and not before  # in "sales growth in Oslo" the rest says of which rows
        what, said = self._without_percent((*before, *self._tokens[end:]))
        return what, rate or percent or said or self._is(noun, "growth")

    def _has(self, place: int, phrase: tuple[str, ...]) -> bool:
        return self._words[place : place + len(phrase)] == phrase

    def _ranking(self, place: int, count: int | None) -> Ranking:
        falls = self._is(place, "fall", "drop") or self._words[place] in self._tree["down"]
        return Ranking(descending=not falls, only_so=not self._is(place, "change", "changes", "apart"), count=count)

    def _without_percent(self, tokens: Words) -> tuple[Words, bool]:
        """Return words without "in percent", and whether it was said."""
        words = tuple(token.lower for token in tokens)
        for place in range(1, len(words)):
            if words[place] in self._tree["percent"] and words[place - 1] in self._tree["in_percent"]:
                return (*tokens[: place - 1], *tokens[place + 1 :]), True
        return tokens, False
