"""Calculations with the values of each row as columns: "quantity times unit price", "profit as revenue minus cost"."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Expression, Lit
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

SURELY_NAMED = 0.2
"""A column named more uncertainly than this is nothing to calculate with."""
PERHAPS_NAMED = 0.4
"""A word that may name a column even this uncertainly gives no name to a calculation."""
MOST_WORDS_OF_A_NAME = 4
_FIRST = (ArithmeticOp.MULTIPLY, ArithmeticOp.DIVIDE)
_CALCULATED: dict[ArithmeticOp, Callable[[float, float], float]] = {
    ArithmeticOp.ADD: operator.add,
    ArithmeticOp.SUBTRACT: operator.sub,
    ArithmeticOp.MULTIPLY: operator.mul,
}
_DASHES = frozenset({"-", "–", "−"})
_TWO_NUMBERS = [TokenKind.NUMBER, TokenKind.NUMBER]
_CALLED = {
    ArithmeticOp.ADD: "plus",
    ArithmeticOp.SUBTRACT: "minus",
    ArithmeticOp.MULTIPLY: "times",
    ArithmeticOp.DIVIDE: "divided_by",
}


@dataclass(frozen=True)
class _Term:
    """A column, a number or a calculation: where it stands, what it is called, and whether it adds up over rows."""

    start: int
    end: int
    value: Expression
    name: str
    adds_up: bool | None
    bounds: tuple[float, float] | None

    @property
    def is_number(self) -> bool:
        return isinstance(self.value, Lit)


def arithmetic_in(
    tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context
) -> Computed | None:
    """Return the first calculation with number columns that a question writes out, or None."""
    words = _Words(tokens, vocabulary, context)
    term = next((found for at in range(len(tokens)) if (found := words.calculation(at)) is not None), None)
    if term is None:
        return None
    called, before, after = words.naming(term)
    if called is None and (amount := words.divided_amount(term)) is not None:
        return _computed_amount(amount, tokens, profile)  # the rest divides its total by that of a column
    name = free_name(called or term.name, profile)
    column = Token(name, TokenKind.QUOTED)
    named = called is not None and (before, after) != (tokens[: term.start], tokens[term.end :])
    sums = _as_sums(term, before, after) if not named or _is_ratio_of_all(term, tokens, context) else None
    return Computed(
        name=name,
        type=ColumnType.REAL,
        step=Derive(name=name, expression=term.value),
        question=text_of((*before, column, *after)),
        adds_up=True if term.adds_up is None and called in context.lexicon.additive else term.adds_up,
        bounds=term.bounds,
        sooner=sums,
        required=sums is None or named,
    )


def _computed_amount(amount: _Term, tokens: tuple[Token, ...], profile: Profile) -> Computed:
    """Return an amount that is calculated for each row before its total is divided by another."""
    name = free_name(amount.name, profile)
    return Computed(
        name=name,
        type=ColumnType.REAL,
        step=Derive(name=name, expression=amount.value),
        question=text_of((*tokens[: amount.start], Token(name, TokenKind.QUOTED), *tokens[amount.end :])),
        adds_up=True,
        bounds=amount.bounds,
    )


@dataclass(frozen=True)
class Calculation:
    """What a text calculates with the values of each row, whether it adds up over rows, and what it lies within."""

    value: Expression
    adds_up: bool | None
    bounds: tuple[float, float] | None


def calculated(
    tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context, *, alone: bool = False
) -> Calculation | None:
    """Return the calculation that some words say from the first to the last; with `alone` also a single operand."""
    start = next((n for n, token in enumerate(tokens) if token.lower not in vocabulary.lists["before_figure"]), 0)
    words = _Words(tokens[start:], vocabulary, context)
    term = words.calculation(0) or (words.operand(0) if alone else None)
    if term is None or term.end != len(tokens) - start:
        return None
    return Calculation(term.value, term.adds_up, term.bounds)


def combined(first: Calculation, op: ArithmeticOp, second: Calculation) -> Calculation | None:
    """Return a calculation with two others; None where it can mean nothing."""
    terms = [_Term(0, 0, side.value, "", side.adds_up, side.bounds) for side in (first, second)]
    if not _goes_with(terms[0], op, terms[1]):
        return None
    term = _combined(terms[0], op, terms[1])
    return Calculation(term.value, term.adds_up, term.bounds)


def _is_ratio_of_all(term: _Term, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a named ratio is one of sums: no question for its average asks for that of the rows."""
    said = [meaning for token in tokens for meaning in context.lexicon.meanings(token.lower)]
    divided = isinstance(term.value, Arithmetic) and term.value.op is ArithmeticOp.DIVIDE
    return divided and not any(isinstance(meaning, m.Function | m.Extreme) for meaning in said)


def _as_sums(term: _Term, before: tuple[Token, ...], after: tuple[Token, ...]) -> str | None:
    """Return a question that takes one column off another, or divides by it, as the readers of two sums know it."""
    match term.value:
        case Arithmetic(
            op=ArithmeticOp.SUBTRACT | ArithmeticOp.DIVIDE as op, left=Col(name=first), right=Col(name=second)
        ):
            said = (Token(word, TokenKind.WORD) for word in _CALLED[op].split("_"))
            both = (Token(first, TokenKind.QUOTED), *said, Token(second, TokenKind.QUOTED))
            return text_of((*before, *both, *after))
        case _:
            return None


class _Words:
    """The words of a question, and the calculations that stand among them."""

    def __init__(self, tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> None:
        self._tokens = tokens
        self._vocabulary = vocabulary
        self._context = context
        self._items = link(tokens, context)

    def calculation(self, place: int) -> _Term | None:
        """Return the longest calculation that begins at a place."""
        if (both := self._of_two(place)) is not None:
            return both
        first = self._operand(place)
        if first is None:
            return None
        terms, operators = [first], list[ArithmeticOp]()
        while (found := self._operator(terms[-1].end)) is not None:
            following = self._operand(self._behind_articles(found[1]))
            if following is None or following.value == terms[-1].value:
                break
            operators.append(found[0])
            terms.append(following)
        if not operators:
            return first if isinstance(first.value, Arithmetic) else None
        if all(term.is_number for term in terms):
            return None
        terms, operators = _folded(terms, operators, _FIRST)
        pairs = zip(terms, operators, terms[1:], strict=False)
        if not all(_goes_with(*pair) for pair in pairs):
            return None
        return _folded(terms, operators, tuple(ArithmeticOp))[0][0]

    def divided_amount(self, term: _Term) -> _Term | None:
        """Return the amount that a calculation divides by a column: "quantity times price" of "… divided by weight"."""
        match term.value:
            case Arithmetic(op=ArithmeticOp.DIVIDE, left=Arithmetic(op=op), right=Col()) if op is ArithmeticOp.MULTIPLY:
                pass
            case _:
                return None
        for place in range(term.end - 1, term.start, -1):
            found = self._operator(place)
            if found is not None and found[0] is ArithmeticOp.DIVIDE:
                amount = _Words(self._tokens[:place], self._vocabulary, self._context).calculation(term.start)
                return amount if amount is not None and amount.end == place and amount.adds_up else None
        return None

    def _of_two(self, place: int) -> _Term | None:
        """Return "difference between revenue and cost"."""
        for key, op in (("difference", ArithmeticOp.SUBTRACT), ("product", ArithmeticOp.MULTIPLY)):
            start = self._behind(key, place)
            first = self._operand(self._behind_articles(start)) if start is not None else None
            joined = self._behind("joined", first.end) if first is not None else None
            second = self._operand(self._behind_articles(joined)) if joined is not None else None
            if first is None or second is None or first.is_number or second.is_number:
                continue
            if _goes_with(first, op, second):
                return replace(_combined(first, op, second), start=place)
        return None

    def _operator(self, place: int) -> tuple[ArithmeticOp, int] | None:
        around = [token.kind for token in (*self._tokens[place - 1 : place], *self._tokens[place + 1 : place + 2])]
        if self._tokens[place : place + 1] and self._tokens[place].text in _DASHES and around == _TWO_NUMBERS:
            return None  # "ages 5-9" are a range
        for op in ArithmeticOp:
            end = self._behind(op.name.casefold(), place)
            if end is not None:
                return op, end
        return None

    def _behind(self, key: str, place: int) -> int | None:
        """Return where a phrase of a list that begins at a place ends."""
        texts = [token.lower for token in self._tokens[place : place + 4]]
        phrases = (phrase.split() for phrase in self._vocabulary.lists[key])
        lengths = [len(phrase) for phrase in phrases if texts[: len(phrase)] == phrase]
        return place + max(lengths) if lengths else None

    def _behind_articles(self, place: int) -> int:
        while place < len(self._tokens) and self._tokens[place].lower in self._vocabulary.lists["before_figure"]:
            place += 1
        return place

    def operand(self, place: int) -> _Term | None:
        """Return the column or number that begins at a place."""
        return self._operand(place)

    def _operand(self, place: int) -> _Term | None:
        if place >= len(self._tokens):
            return None
        token = self._tokens[place]
        if token.kind is TokenKind.NUMBER:
            called = f"{token.number:g}".replace(".", "_")
            return _Term(place, place + 1, _literal(token.number), called, None, (token.number, token.number))
        for factor, words in self._vocabulary.factors.items():
            if token.lower in words:
                column = self._operand(self._behind_articles(place + 1))
                if column is None or column.is_number:
                    return None
                times = _Term(place, place + 1, _literal(factor), token.lower, None, (factor, factor))
                return replace(_combined(times, ArithmeticOp.MULTIPLY, column), name=f"{token.lower}_{column.name}")
        named = [
            (-item.end, item.cost, item.meaning.name)
            for item in self._items
            if item.start == place and isinstance(item.meaning, m.Column) and item.cost <= SURELY_NAMED
        ]
        named = [found for found in named if not self._operates(place, -found[0])]
        if not named or not self._context.is_measure(min(named)[2]):
            return None
        end, _, name = min(named)
        known = self._context.column(name)
        bounds = None if known.minimum is None or known.maximum is None else (known.minimum, known.maximum)
        return _Term(place, -end, Col(name=name), name, self._context.adds_up(name), bounds)

    def _operates(self, start: int, end: int) -> bool:
        """Tell whether the words of a mention hold an operator: "quantity times" names no column here."""
        return any(self._operator(place) is not None for place in range(start + 1, end))

    def naming(self, term: _Term) -> tuple[str | None, tuple[Token, ...], tuple[Token, ...]]:
        """Return the name that a question gives to a calculation, and the words before and behind its column."""
        tokens, start, end = self._tokens, term.start, term.end
        bracket = (
            start > 0 and tokens[start - 1].text == "(" and tokens[end : end + 1] == (Token(")", TokenKind.SYMBOL),)
        )
        if bracket:
            start, end = start - 1, end + 1
        linking = max((n for n in (3, 2, 1) if n <= start and self._behind("naming", start - n) == start), default=0)
        if bracket and not linking:
            begin = self._begins(start - 1)
            if begin < start:
                return "_".join(token.lower for token in tokens[begin:start]), tokens[:begin], tokens[end:]
            figure = any(isinstance(meaning, m.Function) for meaning in self._meanings_until(start))
            apart = [place for place in range(start) if self._is_new(place, adjacent=False)]
            if figure or not apart:
                return None, tokens[:start], tokens[end:]
            return tokens[apart[-1]].lower, tokens[: apart[-1]], (*tokens[apart[-1] + 1 : start], *tokens[end:])
        if linking:
            for place in range(start - linking - 1, -1, -1):
                if self._is_new(place, adjacent=place == start - linking - 1):
                    return tokens[place].lower, tokens[:place], (*tokens[place + 1 : start - linking], *tokens[end:])
        behind = self._behind("named_behind", end)
        if behind is not None and self._is_new(behind, adjacent=True) and not self._is_of(behind + 1):
            return tokens[behind].lower, tokens[:start], tokens[behind + 1 :]
        return None, tokens[:start], tokens[end:]

    def _is_of(self, place: int) -> bool:
        """Tell whether "of" stands at a place: "as percentage of cost" gives no name."""
        return place < len(self._tokens) and m.Of() in self._context.lexicon.meanings(self._tokens[place].lower)

    def _begins(self, place: int) -> int:
        """Return where the name begins that stands before a bracket: behind an article, a function or a superlative.

        "The power to weight ratio (horsepower divided by weight)" is about no column that its own words name. Where the
        words before it say something else, such as groups, the bracket has no name.
        """
        for begin in range(place + 1, max(0, place - MOST_WORDS_OF_A_NAME), -1):
            before = self._tokens[begin - 1]
            kinds = {type(meaning) for meaning in self._meanings_until(begin)} - {m.Unsupported}
            filler = self._context.lexicon.is_filler(before.lower) and m.To not in kinds
            if filler or kinds & {m.Function, m.Extreme, m.AmountOf, m.Determiner}:
                return begin
            if before.kind is not TokenKind.WORD or kinds - {m.To}:
                return place + 1
        return 0 if place < MOST_WORDS_OF_A_NAME else place + 1

    def _meanings_until(self, end: int) -> Iterator[m.Meaning]:
        """Yield what the words mean that end at a place, such as "standard deviation"."""
        for start in range(max(0, end - MOST_WORDS_OF_A_NAME), end):
            yield from self._context.lexicon.meanings(" ".join(token.lower for token in self._tokens[start:end]))

    def _is_new(self, place: int, *, adjacent: bool) -> bool:
        """Tell whether a word means nothing yet; right beside the calculation it may be a word of the language."""
        if not 0 <= place < len(self._tokens) or self._tokens[place].kind is not TokenKind.WORD:
            return False
        token = self._tokens[place]
        named = any(
            item.start <= place < item.end
            and item.cost <= PERHAPS_NAMED
            and isinstance(item.meaning, m.Column | m.Value)
            for item in self._items
        )
        common = bool(self._context.lexicon.meanings(token.lower))
        return not named and not self._context.lexicon.is_filler(token.lower) and (adjacent or not common)


def _literal(number: int | float) -> Lit:
    whole = float(number).is_integer()
    return Lit(value=int(number) if whole else number, type=ColumnType.INTEGER if whole else ColumnType.REAL)


def _folded(
    terms: list[_Term], operators: list[ArithmeticOp], chosen: tuple[ArithmeticOp, ...]
) -> tuple[list[_Term], list[ArithmeticOp]]:
    """Combine the terms between which some operators stand, from left to right."""
    kept, left = [terms[0]], list[ArithmeticOp]()
    for op, term in zip(operators, terms[1:], strict=True):
        if op in chosen:
            kept[-1] = _combined(kept[-1], op, term)
        else:
            kept.append(term)
            left.append(op)
    return kept, left


def _goes_with(first: _Term, op: ArithmeticOp, second: _Term) -> bool:
    """Tell whether a calculation can mean something: a rate is taken off no amount, and nothing off itself."""
    if first.value == second.value:
        return False
    return op in _FIRST or {first.adds_up, second.adds_up} != {True, False}


def _combined(first: _Term, op: ArithmeticOp, second: _Term) -> _Term:
    value = Arithmetic(op=op, left=first.value, right=second.value)
    name = f"{first.name}_{_CALLED[op]}_{second.name}"
    return _Term(first.start, second.end, value, name, _adds_up(first, op, second), _bounds(first, op, second))


def _bounds(first: _Term, op: ArithmeticOp, second: _Term) -> tuple[float, float] | None:
    """Return what a result cannot lie outside of; a division may give anything."""
    if first.bounds is None or second.bounds is None or op is ArithmeticOp.DIVIDE:
        return None
    ends = [_CALCULATED[op](one, other) for one in first.bounds for other in second.bounds]
    return min(ends), max(ends)


def _adds_up(first: _Term, op: ArithmeticOp, second: _Term) -> bool | None:
    """Tell whether a result adds up over rows: a price times a quantity does, a price minus a price does not."""
    if first.is_number or second.is_number:
        column = second if first.is_number else first
        return False if op is ArithmeticOp.DIVIDE and first.is_number else column.adds_up
    match op:
        case ArithmeticOp.DIVIDE:
            return False
        case ArithmeticOp.MULTIPLY:
            return True if (first.adds_up is True) is not (second.adds_up is True) else None
        case ArithmeticOp.ADD | ArithmeticOp.SUBTRACT:
            known = {first.adds_up, second.adds_up}
            return False if False in known else None if None in known else True
