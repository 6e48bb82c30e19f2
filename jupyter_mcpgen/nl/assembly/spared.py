"""Words that a look-up may leave unread, because they can only say more of the row that was named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.assembly.lookups import Sought
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Holds, Is, Within
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.lexicon.entries import Degree
from jupyter_mcpgen.nl.schema.costs import VALUE_INFLECTED
from jupyter_mcpgen.nl.search.covers import Cover
from jupyter_mcpgen.nl.search.edges import GOING_ON_RULE
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.morphology import Form
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

SPARED, MOST_SPARED = 0.15, 3
"""What a word costs that can be spared, and how many may be."""
SPARED_OF_SEVERAL = 0.25
"""What it costs where several rows are meant, of which the word may pick some."""
OF_A_NAME = 0.04
"""What a word costs that the name of a column has which is used anyway."""
UNREAD = 0.95
"""A word that costs so much to leave out must be read."""
_IDLE = frozenset({C.LIST, C.IN, C.WHERE, C.IS, C.OF, C.ASKING, C.AND, C.ROW, C.KIND, C.ABOUT, C.TO, C.PER, C.EACH_ONE,
                   C.VERSUS, C.OVER, C.AXIS, C.LETTER, C.PURPOSE, C.ANYBODY, C.BETWEEN})  # fmt: skip
"""What words do that may be left unread."""


@dataclass(frozen=True)
class LeftOut:
    """What unread words cost less, and those of them that the answer has to name."""

    less: float = 0.0
    words: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentence that names them beside the answer."""
        quoted = ", ".join(f"“{word}”" for word in self.words)
        return (f"Not used: {quoted}.",) if quoted else ()


NOTHING = LeftOut()


class Spared:
    """A question asked which of its words a look-up may leave unread."""

    def __init__(self, tokens: Sequence[Token], edges: Sequence[Phrase], costs: Sequence[float], table: Table) -> None:
        self._tokens, self._costs, self._table = tokens, costs, table
        self._edges: dict[int, list[Phrase]] = {}
        for edge in edges:
            for at in range(edge.first, edge.last):
                self._edges.setdefault(at, []).append(edge)
        self._shouted = all(token.text.isupper() for token in tokens if token.kind is TokenKind.WORD)

    def by(self, answer: Answer, cover: Cover, kind: Sought) -> LeftOut:
        """Return what the unread words of a look-up cost less; nothing where one of them may not be left unread."""
        unread = [at for at in cover.unread if self._costs[at] >= UNREAD]
        shown, tested = _columns_of(answer)
        found = [self._cost(at, shown, shown | tested, kind) for at in unread]
        costs = [cost for cost in found if cost is not None]
        most = MOST_SPARED if kind is Sought.ONE_ROW else 1
        if len(costs) < len(found):
            return NOTHING
        told = [
            self._tokens[at].text
            for at, cost in zip(unread, costs, strict=True)
            if cost > OF_A_NAME or self._only_goes_on(at)
        ]
        words = {word.casefold(): word for word in reversed(told)}  # as it was written first
        if len(words) > most:
            return NOTHING
        less = sum(self._costs[at] - cost for at, cost in zip(unread, costs, strict=True))
        return LeftOut(less, tuple(words.values())[::-1])

    def _cost(self, at: int, shown: frozenset[str], used: frozenset[str], kind: Sought) -> float | None:
        """Return what a word costs that is left unread; None where it may name other rows or ask something else."""
        token, edges = self._tokens[at], self._edges.get(at, [])
        index = self._table.schema.column_index
        same = [
            index.columns[number].name for number, costs in index.matches(token.lower).items() if 0.0 in costs.values()
        ]
        if not used.isdisjoint(same):
            return OF_A_NAME
        if token.kind is not TokenKind.WORD or not (token.text.islower() or self._shouted or at == 0):
            return None
        if len(token.text) == 1 or self._is_said_of_column(at):
            return None
        own = (one.meaning.name for one in edges if isinstance(one.meaning, Column))
        if not used.isdisjoint(own):
            return OF_A_NAME
        judged = bool(self._table.lexicon.judgement(token.lower))
        if self._is_asked(at) or self._says_when(at, kind) or judged or self._is_unit_behind(at):
            return None
        if any(one.category is C.MOST for one in edges) or self._describes(at, shown):
            return None
        if any(one.category is C.VALUE and one.cost <= VALUE_INFLECTED for one in edges):
            return None  # it picks other rows
        if any(self._says_more(edge, used, kind) for edge in edges) and not self._is_of_the(at):
            return None
        if kind is Sought.FIGURE and not self._is_row_noun(at):
            return None
        if kind is Sought.ANYBODY and not any(one.category is C.IS for one in self._edges.get(at - 1, [])):
            return None  # who did something may be somebody else
        return SPARED if kind is Sought.ONE_ROW else SPARED_OF_SEVERAL

    def _describes(self, at: int, shown: frozenset[str]) -> bool:
        """Tell whether a word says which of something a column is that is called by its last word: "extra points"."""
        behind = [one for one in self._edges.get(at + 1, []) if one.first == at + 1 and one.category is C.TERM]
        told = (one for one in behind if isinstance(one.meaning, Column) and one.meaning.name in shown)
        plain = all(form is Form.PLAIN for _, form in self._table.lexicon.morphology.analyses(self._tokens[at].lower))
        return plain and any(one.cost > 0 for one in told)

    def _is_unit_behind(self, at: int) -> bool:
        """Tell whether a word says the unit of what is asked: "in pounds", "half an hour"."""
        if self._table.lexicon.unit(self._tokens[at].lower) is None or at == 0:
            return False
        before = at - 1 - self._table.lists("articles", self._tokens[at - 1].lower)
        return any(one.category in (C.IN, C.NUMBER) for one in self._edges.get(before, []))

    def _only_goes_on(self, at: int) -> bool:
        """Tell whether a word is taken for part of a column's name only because it stands behind that."""
        edges = self._edges.get(at, [])
        return bool(edges) and all(one.rule == GOING_ON_RULE for one in edges)

    def _is_of_the(self, at: int) -> bool:
        """Tell whether a noun follows "of the" and so says what the row is: "the loss of the *game*"."""
        lexicon, tokens = self._table.lexicon, self._tokens
        article = at > 1 and lexicon.is_function(tokens[at - 1].lower) and lexicon.skip_cost(tokens[at - 1].lower) == 0
        return article and any(one.category is C.OF for one in self._edges.get(at - 2, []))

    def _is_row_noun(self, at: int) -> bool:
        """Tell whether a noun stands between an article or preposition and a condition: "for the *player* with"."""
        before = self._edges.get(at - 1, []) if at else []
        led = at > 0 and (
            self._table.lists("articles", self._tokens[at - 1].lower) or any(one.category is C.OF for one in before)
        )
        following = self._edges.get(at + 1, [])
        return led and any(one.first == at + 1 and one.category in (C.WHERE, C.IN, C.PERIOD) for one in following)

    def _says_when(self, at: int, kind: Sought) -> bool:
        """Tell whether a word says more of a period: "earliest 2020", "the winter of 2020", "left in 2020"."""
        lexicon = self._table.lexicon
        small, following = at + 1, self._edges.get(at + 1, [])
        if any(one.category is C.PERIOD for one in self._edges.get(at, [])):
            return False
        while small < len(self._tokens) and lexicon.skip_cost(self._tokens[small].lower):
            if self._begins(small, C.IN) or self._begins(small, C.IS):
                break
            small += 1
        if self._begins(small, C.PERIOD):
            return True
        dated = any(one.category is C.IN for one in following) and self._begins(at + 2, C.PERIOD)
        owned = dated and any(
            one.category is C.OF and self._table.lists("owning", one.meaning.said) for one in following
        )
        done = any(form is Form.PAST for _, form in lexicon.morphology.analyses(self._tokens[at].lower))
        return owned or (dated and done and kind is not Sought.ONE_ROW)

    def _says_more(self, edge: Phrase, used: frozenset[str], kind: Sought) -> bool:
        """Tell whether a word does something, or names something that the answer does not use."""
        match edge.category:
            case _ if edge.rule == GOING_ON_RULE:
                return False
            case C.DIMENSION:
                return bool(edge.meaning.degree is not Degree.POSITIVE)
            case C.TERM if isinstance(edge.meaning, Column):
                surely = kind is not Sought.ONE_ROW or edge.cost <= SAID
                return surely and edge.meaning.name not in used
            case C.TERM | C.ENTITY | C.VALUE | C.UNIT | C.TEST:
                return False
            case category:
                return category not in _IDLE

    def _is_asked(self, at: int) -> bool:
        """Tell whether a noun follows "which" or "how", and so is what is asked for."""
        before = self._edges.get(at - 1, []) if at else []
        asking = (one for one in before if one.last == at and one.category in (C.ASKING, C.COUNT, C.HOW_MUCH))
        return any(one.meaning.meaning in _NOUN for one in asking) or self._is_behind_question(at)

    def _is_said_of_column(self, at: int) -> bool:
        """Tell whether a word stands where the value of a column is said: "with a grade of *unclear*"."""
        if at < 2 or not any(one.category is C.IS for one in self._edges.get(at - 1, [])):
            return False
        analyses = self._table.lexicon.morphology.analyses(self._tokens[at].lower)
        if any(form is Form.PAST for _, form in analyses):
            return False  # "which district was established"
        named = self._edges.get(at - 2, [])
        return any(one.category is C.TERM and one.last == at - 1 and one.cost <= OF_A_NAME for one in named)

    def _is_behind_question(self, at: int) -> bool:
        """Tell whether nothing but small or unread words parts a noun from "what is" or "name": it is asked for."""
        analyses = self._table.lexicon.morphology.analyses(self._tokens[at].lower)
        of_any = self._begins(at + 1, C.OF) and any(self._table.lists("cells", lemma) for lemma, _ in analyses)
        if of_any or any(form is Form.POSSESSIVE for _, form in analyses):
            return False  # "what is the name of the", "what is the team's"
        for place in range(at - 1, -1, -1):
            edges = self._edges.get(place, [])
            if any(one.category is C.LIST or _asks_what(one) for one in edges):
                return True
            if place < at - 2 and any(one.category is C.ASKING and one.meaning.meaning == "who" for one in edges):
                return True  # "who is the keeper", but not "who was hired"
            lexicon, word = self._table.lexicon, self._tokens[place].lower
            article = lexicon.is_function(word) and lexicon.skip_cost(word) == 0
            if not article or any(one.category is C.ASKING for one in edges):
                return False
        return False

    def _begins(self, at: int, category: C) -> bool:
        return any(one.first == at and one.category is category for one in self._edges.get(at, []))


SAID = 0.2
"""A mention of a column that costs no more names it."""
_NOUN = frozenset({"which", "rows", "amount"})


def _asks_what(phrase: Phrase) -> bool:
    return phrase.category is C.ASKING and phrase.meaning.meaning in _NOUN


def _columns_of(answer: Answer) -> tuple[frozenset[str], frozenset[str]]:
    """Return the columns that an answer shows, and those that it looks at."""
    shown = answer.columns if isinstance(answer, Listing) else ()
    if isinstance(answer, Grouping):
        terms = (one.term for one in answer.measures if isinstance(one, Figure))
        shown = tuple(term.name for term in terms if isinstance(term, Column))
    tested = []
    for test in answer.tests:
        match test:
            case Is(column):
                tested.append(column)
            case Holds(Column(name)):
                tested.append(name)
            case Within(_, date):
                tested.append(date)
    return frozenset(shown), frozenset(tested)
