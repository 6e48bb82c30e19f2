"""Takes the words that ask for a statistic out of a question; what is left names columns, groups and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.statistics.vocabulary import Vocabulary
from jupyter_mcpgen.nl.tables.numbered_kinds import is_like_a_label
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import CompareOp

_TALK = frozenset({"talk", "differing", "signifying", "testing", "comparing"})
"""Words that leave open what follows them."""
_IMPLIED = (
    (frozenset({"normal", "testing"}), "normality"), (frozenset({"normal", "histogram"}), "normality"),
    (frozenset({"differing", "signifying"}), "difference"),
    (frozenset({"differing", "testing"}), "difference"), (frozenset({"comparing", "signifying"}), "difference"),
    (frozenset({"nonparametric"}), "difference"),
)  # fmt: skip
"""Remarks that together ask for a test, where nothing is asked for by name."""
_ONLY_WITH = {
    "negative": frozenset({"correlation", "strongest"}),
    "positive": frozenset({"correlation", "strongest"}),
    "normal": frozenset({"normality", "shapiro"}),
    "nonparametric": frozenset(
        {"difference", "related", "anova", "t_test", "paired", "kruskal", "mann_whitney", "wilcoxon"}
        | {"correlation", "strongest", "matrix"}
    ),
}
"""Remarks that are said of few things only; beside anything else they are part of the rest."""
_BINNED = (frozenset({"histogram", "bins"}), frozenset({"histogram", "equal_bins"}), frozenset({"count", "equal_bins"}))
"""What together asks for the counts of bins, where their number is said."""
_LIMITS = frozenset({"beyond", "short_of"})
"""Comparisons with a number that belongs to the statistic."""
_FIGURES = frozenset({"talk", "in_all"})
"""Remarks some of whose words are calculations elsewhere."""
_COUNTED = frozenset({"outliers", "low_outliers", "high_outliers", "missing", "duplicates", "histogram"})
"""What is asked for whose rows can be counted; beside anything else a count is a figure of its own."""
_OF_NUMBERS = frozenset({"correlation", "strongest", "regression", "covariance"})
_LACKING = frozenset({"missing", "complete"})
_COLUMNS = frozenset({"each_column", "columns_counted"})
_PARTS = frozenset({"share_of", "percent_of"})
MOST_MISSING = "most_missing"
"""Who lacks the most, which asks for missing values as well."""
_CORRELATIONS = frozenset({"spearman", "pearson"})
"""Methods of nothing but a correlation."""
PART = "part"
"""A part is asked for by the name of the statistic itself: the "missing rate"."""
OPPOSED = "opposed"
"""Values are set against each other, so that two of them are no mere condition."""
FAR = "far"
"""Many standard deviations from the mean: an outlier, whether it is called so or not."""
THRESHOLD = "threshold"
INTERVAL, LEVEL = "confidence", "level"
"""An interval, and how sure it is to hold the figure."""
_LEAST_LEVEL = 50
"""A number without a sign from here on is a level in percent."""
_ARTICLES = frozenset({"the", "a", "an", "different"})
SURELY_A_NAME = 0.1
"""A column or value named at most this uncertainly is no word of the language."""


@dataclass(frozen=True)
class Request:
    """What is asked for, by name; the words around it; and the rest of the question."""

    asks: tuple[str, ...]
    said: frozenset[str]
    """Methods and remarks beside it, such as `spearman` or `count`."""
    number: int | float | None
    """A number of bins, how far an outlier lies outside, the percent of values that are missing, or of confidence."""
    words: str
    """The words that ask, as they were written."""
    before: str
    """The word right before them."""
    rest: tuple[Token, ...]
    spans: tuple[tuple[int, int], ...]
    """Where the words that were taken out stood."""
    op: CompareOp | None = None
    """How something is compared with the number."""
    of_which: bool = False
    """True where it is asked which groups differ, not only whether they do."""
    of_rows: bool = False
    """True where rows are said to have what is asked for: "plants with missing values"."""


def take_request(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Request | None:
    """Return what a question asks for; None for a question that asks for no statistic."""
    if not _may_ask(tokens, vocabulary):
        return None
    request = take_words(tokens, vocabulary, context)
    if not request.asks and _CORRELATIONS & request.said:
        request = replace(request, asks=("correlation",))
    if not request.asks and MOST_MISSING in request.said:
        request = replace(request, asks=("missing",))
    if not request.asks and FAR in request.said and request.number is not None:
        request = replace(request, asks=("outliers",))
    return request if request.asks else None


def take_words(tokens: tuple[Token, ...], vocabulary: Vocabulary, context: Context) -> Request:
    """Return the words of statistics in a text and the rest of it, even where nothing is asked for."""
    taker = _Taker(tokens, vocabulary, context)
    taker.run()
    others = _not_meant(taker)
    if others & taker.said:
        taker = _Taker(tokens, vocabulary, context, others)
        taker.run()
    implied = _implied(taker)
    if implied is not None:
        taker.asks[implied] = None
    bins = taker.number is not None and any(pair <= taker.said for pair in _BINNED)
    asks = ("histogram",) if bins and not taker.asks else tuple(taker.asks)
    words, rest, said = " ".join(taker.words), tuple(taker.rest), frozenset(taker.said)
    has = any(word in vocabulary.holding for word in (taker.before, *(token.lower for token in rest)))
    of_rows = "any_row" in said or (has and not said & _COLUMNS)
    if any(word.lower() in vocabulary.parts for word in taker.words):
        said |= {PART}
    if any(token.lower in vocabulary.opposing for token in tokens):
        said |= {OPPOSED}
    of_which = any(token.lower in vocabulary.choosing for token in tokens)
    spans = tuple(taker.spans)
    return Request(asks, said, taker.number, words, taker.before, rest, spans, taker.op, of_which, of_rows)


def _implied(taker: _Taker) -> str | None:
    """Return what is asked for without its name."""
    if taker.asks:
        return None
    return next((ask for words, ask in _IMPLIED if words <= taker.said), None)


def _not_meant(taker: _Taker) -> frozenset[str]:
    """Return the remarks that say something else beside what is asked for: "percentage of" may begin a figure."""
    asks = set(taker.asks) or ({"missing"} if MOST_MISSING in taker.said else set())
    parts: frozenset[str] = frozenset() if asks & (_LACKING | {INTERVAL}) else _PARTS
    asks = asks or {implied for implied in (_implied(taker),) if implied is not None}
    parts |= {remark for remark, of in _ONLY_WITH.items() if not asks or not asks <= of}
    counts = frozenset({"count"}) if asks & _OF_NUMBERS and not asks & _COUNTED else frozenset()
    return parts | counts


def _may_ask(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> bool:
    """Tell at once, without looking at the columns, that most questions ask for no statistic."""
    words = tuple(_word(token) for token in tokens)
    names = {
        vocabulary.phrases.get(words[start : start + length])
        for start in range(len(words))
        for length in range(1, vocabulary.longest + 1)
    }
    pairs = (*(said for said, _ in _IMPLIED), *_BINNED)
    return bool(names & (vocabulary.asks | _CORRELATIONS | {FAR, MOST_MISSING})) or any(pair <= names for pair in pairs)


def _word(token: Token) -> str:
    return "-" if token.text == "–" else token.lower


@dataclass
class _Taker:
    """One pass over the tokens from left to right."""

    tokens: tuple[Token, ...]
    vocabulary: Vocabulary
    context: Context
    others: frozenset[str] = frozenset()
    """Remarks that are left to the reader of the rest."""
    asks: dict[str, None] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)
    number: int | float | None = None
    op: CompareOp | None = None
    words: list[str] = field(default_factory=list)
    before: str = ""
    rest: list[Token] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    _after_ask: bool = False
    _scored: bool = False
    """True right behind a method whose reach may follow: "z-scores above 3"."""
    _levelled: bool = False
    """True right behind words that a confidence level may follow: "at a confidence level of 99 %"."""
    _last: int = -1
    """Where the last kept token stands."""
    _pending: bool = False
    """True when something was taken out between two mentions, so that they must not run together."""

    def __post_init__(self) -> None:
        items = link(self.tokens, self.context)
        self._named_columns = [
            (item, item.meaning.name)
            for item in items
            if isinstance(item.meaning, m.Column) and item.cost <= SURELY_A_NAME
        ]
        self._columns = [item for item, _ in self._named_columns]
        self._values = [i for i in items if isinstance(i.meaning, m.Value) and i.cost <= SURELY_A_NAME]
        self._names = [*self._columns, *self._values]
        self._has_level = any(self._phrase(place)[1] == INTERVAL for place in range(len(self.tokens)))

    def run(self) -> None:
        """Read every token once."""
        place = 0
        while place < len(self.tokens):
            place = self._step(place)

    def _step(self, place: int) -> int:
        token = self.tokens[place]
        end, name = self._phrase(place)
        if name in _LIMITS and not self._counts_something(end) and not self._is_reach(end):
            name = None
        if name == THRESHOLD and not self._is_threshold(end):
            name = None
        if name == "quality" and self._computes((*self.tokens[:place], *self.tokens[end:])):
            name = None  # "average data quality by team" is about a column
        if name in (LEVEL, "other_figure") and not self._has_level:
            name = None
        if (name in _FIGURES and self._is_of_column(place, end)) or name in self.others:
            name = None
        if name is not None:
            self._take(place, end, name)
            return end
        if token.lower == self.vocabulary.between and not self._is_range(place):
            if self._groups_at(place + 1):
                self._group()
            return place + 1
        if self._after_ask and token.lower in self.vocabulary.connectors and not self._in_name(place, place + 1):
            self._pending = True
            if token.lower == self.vocabulary.grouping:
                self.said.add("grouped")
            return place + 1
        if token.lower in self.vocabulary.pairing and self._joins_columns(place):
            self._join()
            return place + 1
        if (after := self._behind_level(place)) > place:
            self.number = token.number * 100 if token.number < 1 else token.number
            self._drop_connectors()
            return after
        if self._counts_groups(place):
            return place + 1
        if self._counts_something(place) or self._is_reach(place):
            self.number = token.number
            self._drop_connectors()
            return place + 1
        self._keep(place)
        return place + 1

    def _keep(self, place: int) -> None:
        """Keep a token for the parser; two columns that lose the words between them are joined by "and"."""
        if self._is_filler(place):
            self.rest.append(self.tokens[place])
            return
        begins = any(item.start == place for item in self._columns)
        ends = any(item.end == self._last + 1 for item in self._columns)
        if self._pending and begins and ends and self.rest:
            self._join()
        self._pending = self._after_ask = self._scored = self._levelled = False
        self._last = place
        self.rest.append(self.tokens[place])

    def _is_filler(self, place: int) -> bool:
        return self.context.lexicon.is_filler(self.tokens[place].lower) and not self._in_name(place, place + 1)

    def _drop_connectors(self) -> None:
        """Drop what led to a method or a number that was taken out: "by z-score", "with 20 bins"."""
        while self.rest and self.rest[-1].lower in self.vocabulary.leading:
            self.rest.pop()

    def _join(self) -> None:
        self.rest.append(Token(self.vocabulary.conjunction, TokenKind.WORD))
        self._pending = False

    def _group(self) -> None:
        self.rest.append(Token(self.vocabulary.grouping, TokenKind.WORD))
        self._pending, self._last = False, -1

    def _phrase(self, place: int) -> tuple[int, str | None]:
        """Return where the longest phrase at a place ends, and what it stands for."""
        for end in range(min(len(self.tokens), place + self.vocabulary.longest), place, -1):
            words = tuple(_word(token) for token in self.tokens[place:end])
            name = self.vocabulary.phrases.get(words)
            if name is not None and not self._in_name(place, end) and not self._names_a_state(name, place, end):
                return end, name
        return place, None

    def _in_name(self, start: int, end: int) -> bool:
        return any(item.start <= start and end <= item.end for item in self._names)

    def _names_a_state(self, name: str, start: int, end: int) -> bool:
        """Tell whether "complete" in "complete orders" is a value of the table, and no remark on missing ones."""
        return name == "complete" and any(start <= item.start and item.end <= end for item in self._values)

    def _take(self, start: int, end: int, name: str) -> None:
        self._pending = True
        self.spans.append((start, end))
        if name == "groups_of":
            self._group()
        elif name in self.vocabulary.asks:
            if not self.asks and MOST_MISSING not in self.said:
                self.before = self.tokens[start - 1].lower if start else ""
            self._drop_connectors()
            self.asks[name] = None
            self._after_ask = True
            self._levelled = name == INTERVAL
        else:
            if name == MOST_MISSING and not self.asks:
                self.before = self.tokens[start - 1].lower if start else ""
            self.said.add(name)
            if name in _LIMITS:
                self.op = self._comparison(start, end)
            self._scored = name in ("z_score", THRESHOLD) or (name in _LIMITS and self._scored)
            self._levelled = self._levelled or name == LEVEL
            if name not in _TALK:
                self._drop_connectors()
            self._after_ask = self._after_ask or name in _TALK
        if name in self.vocabulary.asks:
            self.words += [token.text for token in self.tokens[start:end]]

    def _is_range(self, place: int) -> bool:
        return place + 1 < len(self.tokens) and self.tokens[place + 1].kind in (TokenKind.NUMBER, TokenKind.DATE)

    def _groups_at(self, place: int) -> bool:
        """Tell whether a column of groups begins at a place and nothing is set against it."""
        start = self._without_article(place)
        ends = [item.end for item, name in self._named_columns if item.start == start and self._makes_groups(name)]
        after = max(ends, default=len(self.tokens))
        if any(item.start == start and item.end > after for item in self._values):
            return False  # "Lab A" is a value, although "lab" is a column
        beside = after < len(self.tokens) and self.tokens[after].lower in self.vocabulary.pairing
        return bool(ends) and not beside

    def _makes_groups(self, name: str) -> bool:
        """Tell whether a column holds groups, also those that few whole numbers tell apart: between cylinders."""
        return not self.context.is_measure(name) or is_like_a_label(name, self.context)

    def _is_measure(self, name: str) -> bool:
        return self.context.is_measure(name)

    def _joins_columns(self, place: int) -> bool:
        start = self._without_article(place + 1)
        return any(item.end == place for item in self._columns) and any(item.start == start for item in self._columns)

    def _without_article(self, place: int) -> int:
        return place + 1 if place < len(self.tokens) and self.tokens[place].lower in _ARTICLES else place

    def _is_of_column(self, start: int, end: int) -> bool:
        """Tell whether words end in a calculation, right before a column: the "average" of "average price"."""
        ends = (" ".join(token.lower for token in self.tokens[place:end]) for place in range(start, end))
        computes = any(isinstance(meant, m.Function) for said in ends for meant in self.context.lexicon.meanings(said))
        return computes and any(
            item.start == self._without_article(end) and self._is_measure(name) for item, name in self._named_columns
        )

    def _computes(self, tokens: tuple[Token, ...]) -> bool:
        meanings = (meant for token in tokens for meant in self.context.lexicon.meanings(token.lower))
        return any(isinstance(meant, m.Function) for meant in meanings)

    def _counts_groups(self, place: int) -> bool:
        """Tell whether a number says no more than how many groups there are: "the three stations"."""
        meanings = self.context.lexicon.meanings(self.tokens[place].lower)
        number = next((meant.value for meant in meanings if isinstance(meant, m.Number)), None)
        follow = [name for item, name in self._named_columns if item.start == place + 1]
        return number is not None and any(
            self.context.column(name).distinct == number and not self._is_measure(name) for name in follow
        )

    def _behind_level(self, place: int) -> int:
        """Return where a confidence level at a place ends, and the place itself where there is none."""
        if self.tokens[place].kind is not TokenKind.NUMBER or not self._has_level:
            return place
        after, number = place + 1, self.tokens[place].number
        signed = after < len(self.tokens) and self.tokens[after].lower in self.vocabulary.percent
        if self._phrase(after)[1] in (INTERVAL, LEVEL) and (signed or number < 1 or number >= _LEAST_LEVEL):
            return after  # the words behind it begin with the sign, if there is one
        return after + 1 if self._levelled and signed else place

    def _is_threshold(self, place: int) -> bool:
        """Tell whether a number follows that says how far outside, by a method that was named."""
        named = bool({"z_score", "iqr"} & self.said) or self._scored
        return named and place < len(self.tokens) and self.tokens[place].kind is TokenKind.NUMBER

    def _is_reach(self, place: int) -> bool:
        return self._scored and place < len(self.tokens) and self.tokens[place].kind is TokenKind.NUMBER

    def _counts_something(self, place: int) -> bool:
        if place >= len(self.tokens) or self.tokens[place].kind is not TokenKind.NUMBER:
            return False
        counted = self._phrase(place + 1)[1]
        part = counted == "missing" and self.tokens[place + 1].lower in self.vocabulary.percent
        return part or counted in ("bins", "equal_bins", "deviations", "iqr", FAR)

    def _comparison(self, start: int, end: int) -> CompareOp | None:
        words = " ".join(token.lower for token in self.tokens[start:end])
        meanings = self.context.lexicon.meanings(words)
        return next((meant.op for meant in meanings if isinstance(meant, m.Comparison)), None)
