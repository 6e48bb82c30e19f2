"""Says why a question was not read: which words, what they come near to, and how to ask instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz, process

from jupyter_mcpgen.model.profile import ColumnProfile
from jupyter_mcpgen.nl.assembly.query import numbers_of
from jupyter_mcpgen.nl.assembly.spared import UNREAD
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import ORDERED
from jupyter_mcpgen.nl.grammar.meanings import Column
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.lexicon.reading import parts
from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.nl.schema.headers import split_words
from jupyter_mcpgen.nl.search.edges import UNKNOWN
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import MAX_TOKENS, Token, TokenKind
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.schema import ColumnType

MOST_NAMED = 3
"""How many columns a refusal lists, those that are called most like what was asked."""
MOST_WORDS = 6
"""How many words a refusal goes into."""
SURE = 0.15
"""A column is said to be of the wrong kind only when it is named at most this uncertainly."""
LIKE = 70
"""From 0 to 100, how alike a word and the name of a column must be written for that to be meant."""
MOST_GROUPS, MOST_LISTED = 60, 24
"""A column with more values is not offered as groups, and no more columns are listed."""
_NEEDS = {
    "anova": (1, 1),
    "tukey": (1, 1),
    "kruskal": (1, 1),
    "t_test": (1, 1),
    "mann_whitney": (1, 1),
    "chi_square": (0, 2),
    "correlation": (2, 0),
    "spearman": (2, 0),
    "regression": (2, 0),
    "normality": (1, 0),
}
"""How many columns of numbers and of groups a statistic is of."""
_NO_QUESTION = "There is no question. Ask for example: how many rows are there by month?"
_TOO_LONG = "This question is too long: ask one thing at a time."
_UNSURE = "I am not sure what this question means here."
_NAME_IT = "Name what to compute, of which column, and by what: a sum, a mean or a count by a column."
_KINDS = {
    ColumnType.TEXT: "text",
    ColumnType.BOOLEAN: "yes or no",
    ColumnType.DATE: "a date",
    ColumnType.INTEGER: "a number",
    ColumnType.REAL: "a number",
}
_FUNCTIONS = {AggregateFunction.STD: "standard deviation", AggregateFunction.VAR: "variance"}


@dataclass(frozen=True)
class Unread:
    """A question, what its words may be, and the places of those that the best reading leaves out."""

    tokens: Sequence[Token]
    edges: Sequence[Phrase]
    costs: Sequence[float]
    """What it costs to leave out each word."""
    places: tuple[int, ...]
    read: Sequence[Phrase] = ()
    """The words and names of the best reading."""

    @property
    def doubted(self) -> Phrase | None:
        """The column that is named least surely."""
        named = [one for one in self.read if one.category is C.TERM and one.cost > SURE]
        return max(named, key=lambda one: one.cost, default=None)

    @property
    def must(self) -> tuple[int, ...]:
        """The places of words that must be read."""
        return tuple(at for at in self.places if self.costs[at] >= UNREAD)

    @property
    def cost(self) -> float:
        """What all the words cost that are left out."""
        return sum(self.costs[at] for at in self.places)

    @property
    def unknown(self) -> tuple[int, ...]:
        """The places of words that name nothing at all, else of all that must be read."""
        return tuple(at for at in self.must if self.costs[at] >= UNKNOWN) or self.must


def unreadable(unread: Unread, table: Table) -> Refused:
    """Return the refusal of a question that could not be read to its end."""
    if not unread.tokens:
        return Refused(_NO_QUESTION)
    other = beyond(unread.tokens, unread.unknown, table) or _lacking(unread, table)
    if other is not None:
        return other
    told = [at for at in unread.must if not table.lexicon.is_function(unread.tokens[at].lower)]
    words = tuple(unread.tokens[at].text for at in told or unread.must)
    reasons = list(dict.fromkeys(_misfits(unread, table)))[:2]
    reasons = reasons or [_asked_otherwise(at, unread, table) for at in unread.unknown[:MOST_WORDS]]
    if len(unread.tokens) == MAX_TOKENS:
        reasons.insert(0, _TOO_LONG)
    if not reasons and unread.doubted is not None:
        words = (" ".join(token.text for token in unread.tokens[unread.doubted.first : unread.doubted.last]),)
        reasons = [_unlike(words[0], table, unread.doubted)]
    if not reasons:
        reasons = [_UNSURE, _NAME_IT, _columns_near(" ".join(token.text for token in unread.tokens), table)]
    return Refused(" ".join(reasons), words)


def beyond(tokens: Sequence[Token], left_out: Sequence[int], table: Table) -> Refused | None:
    """Return the refusal of what no plan can say, where a word that was left out asks for it."""
    capabilities: dict[str, str] = {}
    forms = [(token.lower, *table.lexicon.lemmas(token.lower)) for token in tokens]
    for capability, phrases in _unsupported(table.language):
        for phrase in phrases:
            for first in range(len(forms) - len(phrase) + 1):
                said = all(word in forms[first + step] for step, word in enumerate(phrase))
                if said and not set(range(first, first + len(phrase))).isdisjoint(left_out):
                    words = tokens[first : first + len(phrase)]
                    capabilities.setdefault(capability, " ".join(token.text for token in words))
    if not capabilities:
        return None
    quoted = ", ".join(f"“{words}”" for words in capabilities.values())
    return Refused(
        f"The built-in planner cannot compute {' and '.join(capabilities)} yet ({quoted}); this is recorded as a "
        "missing capability.",
        words=tuple(capabilities.values()),
        missing_capabilities=tuple(capabilities),
    )


def _lacking(unread: Unread, table: Table) -> Refused | None:
    """Return the question which columns a statistic is of, where a statistic is named and not enough of them are."""
    said = next((one for one in unread.edges if one.category is C.STATISTIC and one.meaning.meaning in _NEEDS), None)
    if said is None:
        return None
    named = {one.meaning.name for one in unread.edges if isinstance(one.meaning, Column) and one.cost <= SURE}
    amounts = numbers_of(table)
    numbers, groups = _NEEDS[said.meaning.meaning]
    if len(named & amounts) >= numbers and len(named - amounts) >= groups:
        return None
    labels = [name for name in table.names if name not in amounts and _makes_groups(name, table)]
    what = " and ".join([*(["number"] if numbers else []), *(["groups"] if groups else [])])
    sentences = [f"“{' '.join(token.text for token in unread.tokens[said.first : said.last])}”: which {what}?"]
    sentences += [f"Number columns: {_listed(sorted(amounts, key=table.names.index))}."] if numbers else []
    sentences += [f"Columns of groups: {_listed(labels)}."] if groups else []
    return Refused(" ".join(sentences))


def _makes_groups(name: str, table: Table) -> bool:
    return not table.is_date(name) and 1 < table.column(name).known.distinct <= MOST_GROUPS


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:MOST_LISTED]) if names else "none"


@lru_cache(maxsize=4)
def _unsupported(language: str) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    found = parts(language)["unsupported"].items()
    return tuple((name, tuple(tuple(phrase.split()) for phrase in phrases)) for name, phrases in found)


def _misfits(unread: Unread, table: Table) -> Iterator[str]:
    """Yield which columns cannot be added up or averaged, where a question asks for that."""
    for said in unread.edges:
        if said.category is not C.AGGREGATE or said.meaning.meaning not in tuple(AggregateFunction):
            continue
        function = AggregateFunction(said.meaning.meaning)
        behind = set(_following(said.last, unread))
        for term in unread.edges:
            named = term.first in behind and term.category is C.TERM and term.cost <= SURE
            if named and isinstance(term.meaning, Column) and function not in ORDERED:
                reason = _no_function(function, term.meaning.name, table)
                if reason is not None:
                    yield reason


def _following(place: int, unread: Unread) -> Iterator[int]:
    """Yield where the next phrase may begin: behind what is left out for nothing, such as an article or "of"."""
    small = {one.first for one in unread.edges if one.category is C.OF and one.last == one.first + 1}
    yield place
    while place < len(unread.tokens) and (unread.costs[place] < SURE or place in small):
        place += 1
        yield place


def _no_function(function: AggregateFunction, name: str, table: Table) -> str | None:
    said = _FUNCTIONS.get(function, function.value)
    hindrance = table.profile.column(name).hindrance
    if hindrance is not None:
        return f"`{name}` {hindrance.reason}, so it has no {said}. {hindrance.remedy}"
    if table.is_number(name):
        label = table.column(name).is_label
        return f"`{name}` is a label made of numbers, so its {said} means nothing." if label else None
    return f"`{name}` is {_KINDS[table.type_of(name)]}, so it has no {said}."


def _asked_otherwise(at: int, unread: Unread, table: Table) -> str:
    """Return what is wrong with a word, and how to ask for what it asks, where that can be computed."""
    examples = parts(table.language)["examples"]
    for one in unread.edges:
        if one.first <= at < one.last and one.category.value in examples:
            example = examples[one.category.value]
            said = " ".join(token.text for token in unread.tokens[one.first : one.last])
            return (
                f"I can compute {example['what']}, but could not read what is asked for here (“{said}”). Ask in this "
                f"way, with your own columns: “{example['ask']}”."
            )
    return _about(at, unread, table)


def _about(at: int, unread: Unread, table: Table) -> str:
    word = unread.tokens[at].text
    if unread.costs[at] < UNKNOWN or not any(map(str.isalpha, word)):
        return f"`{word}` could not be connected with the rest."
    name = table.profile.name
    ends = 0 < at == len(unread.tokens) - 1 and unread.tokens[at].kind is TokenKind.WORD
    if ends and _leads(unread.tokens[at - 1], table):
        return f"There is no table `{word}` here, and no column or value of `{name}` is called so."
    closed = _inside(word, table)
    if closed is not None and closed.hindrance is not None:
        return f"`{word}` is not a column: `{closed.name}` {closed.hindrance.reason}. {closed.hindrance.remedy}"
    return _unlike(word, table)


def _unlike(word: str, table: Table, meant: Phrase | None = None) -> str:
    meaning = meant.meaning if meant is not None else None
    near = meaning.name if isinstance(meaning, Column) else _nearest_column(word, table)
    hint = f"; the nearest column is `{near}`" if near else ""
    return f"`{word}` is not a column or value of `{table.profile.name}`{hint}."


def _leads(token: Token, table: Table) -> bool:
    """Tell whether the name of a table may stand behind a word: "in", "from"."""
    leads: list[str] = parts(table.language)["joins"]["words"]["leads"]
    return token.lower in leads


def _inside(word: str, table: Table) -> ColumnProfile | None:
    """Return the column whose cells hold something of this name that is no column of its own."""
    own = set(table.lexicon.lemmas(word.casefold()))
    for column in table.profile.columns:
        inside = column.hindrance.inside if column.hindrance is not None else ()
        if any(own & set(table.lexicon.lemmas(piece)) for key in inside for piece in split_words(key)):
            return column
    return None


def _nearest_column(word: str, table: Table) -> str | None:
    names = table.names
    close = process.extractOne(word.casefold(), names, scorer=fuzz.ratio, score_cutoff=LIKE, processor=str.casefold)
    if close is not None:
        return close[0]
    said = table.schema.column_index.matches(word.casefold())
    return table.schema.column_index.columns[min(said)].name if said else None


def _columns_near(said: str, table: Table) -> str:
    """Return a sentence with the few columns that are called most like some words."""
    near = [name for name, *_ in process.extract(said.casefold(), table.names, scorer=fuzz.WRatio, limit=MOST_NAMED)]
    more = f" and {len(table.names) - len(near)} more" if len(table.names) > len(near) else ""
    return f"Columns: {', '.join(f'`{name}`' for name in near)}{more}."
