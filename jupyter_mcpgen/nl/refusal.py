"""Says why a question was not answered: which words, what is nearest, what can be computed instead."""

from __future__ import annotations

import re
from dataclasses import replace

from rapidfuzz import fuzz, process

from jupyter_mcpgen.model.profile import ColumnProfile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.mentions.naming import column_matches
from jupyter_mcpgen.nl.mentions.values import is_common
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.parsing.parse import Cover, Parsed
from jupyter_mcpgen.nl.parsing.rules.numbers import takes
from jupyter_mcpgen.nl.reading import NEAREST, Reading, Refused
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.schema import ColumnType, Schema

MOST_NAMED = 3
"""How many columns a refusal lists, those that are called most like what was asked."""
MOST_WORDS = 6
"""How many words a refusal goes into."""
NEARLY_SURE = 0.1
"""A column is said to be of the wrong type only when it is named at most this uncertainly."""
_TYPE_NAMES = {
    ColumnType.TEXT: "text",
    ColumnType.BOOLEAN: "yes or no",
    ColumnType.DATE: "a date",
    ColumnType.INTEGER: "a number",
    ColumnType.REAL: "a number",
}
STAND_IN = "qzx"
"""What the names begin with that stand for a part of a question for a while."""
_UNCONNECTED_WORD = "could not be connected with the rest"
_NAME_IT = "Name what to compute, of which column, and by what: a sum, a mean or a count by a column."
_UNSURE = "I am not sure what {} means here."
_NOT_ALL = "This comes nearest to the question, and may not be all that it asks."
_UNCONNECTED = (
    m.Ordinal, m.Comparison, m.OrMore, m.HalfComparison, m.HalfMatch, m.Matching, m.Number, m.Scale, m.Range, m.Pending,
    m.Choice, m.Quote, m.MissingWord, m.Not, m.Between, m.TimeSide, m.Unit, m.PartValue, m.Span, m.Extreme,
    m.FirstWord, m.MostCommon, m.DistinctWord, m.Function, m.HowMuch, m.Truth, m.ColumnNoun, m.CountWhere,
    m.GroupWord, m.SpanPair, m.Commonest, m.Superlative, m.Best, m.WhereWord, m.SortWord, m.ListRows, m.ChartWord,
    m.Varies, m.Direction, m.Having, m.Relation,
)  # fmt: skip


def unsupported_in(tokens: tuple[Token, ...], context: Context) -> dict[str, str]:
    """Return what no plan can say, with the words that ask for it, unless they are part of a column or value."""
    items = link(tokens, context)
    names = [i for i in items if isinstance(i.meaning, m.Column | m.Value) and i.cost <= NEARLY_SURE]
    return {
        item.meaning.capability: " ".join(token.text for token in tokens[item.start : item.end])
        for item in items
        if isinstance(item.meaning, m.Unsupported)
        and not any(name.start <= item.start and item.end <= name.end for name in names)
        and not _is_done_in_a_column(item, tokens, context)
    }


def _is_done_in_a_column(item: Item, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a verb behind "did" is what a column tells, which is called so: "when did Ada join" of `Joined`."""
    if item.end - item.start > 1 or not any(token.lower in context.lexicon.doing for token in tokens[1 : item.start]):
        return False
    said = stem(tokens[item.start].lower, context.lexicon.language)
    headers = (split_name(name) for name in context.profile.schema_.names)
    return any(len(words) == 1 and stem(words[0], context.lexicon.language) == said for words in headers)


def refuse_unsupported(
    capabilities: tuple[str, ...], words: tuple[str, ...], tokens: tuple[Token, ...], context: Context
) -> Refused:
    """Return the refusal of something that no plan can say, or that is not read as it is asked for here."""
    otherwise = context.lexicon.asked_otherwise
    if all(capability in otherwise for capability in capabilities):
        quoted = ", ".join(f"“{word}”" for word in words)
        examples = " or ".join(f"“{otherwise[capability]}”" for capability in capabilities)
        return Refused(
            f"I can compute {' and '.join(capabilities)}, but could not read what is asked for here ({quoted}). Ask "
            f"in this way, with your own columns: {examples}.",
            words=words,
            missing_capabilities=tuple(
                f"{what}, as “{word}” asks for it" for what, word in zip(capabilities, words, strict=True)
            ),
        )
    named = any(isinstance(item.meaning, m.Column) for item in link(tokens, context))
    quoted = ", ".join(f"“{word}”" for word in words)
    columns = "" if named else " The question also names no column of the data: which ones should be used?"
    return Refused(
        f"The built-in planner cannot compute {' and '.join(capabilities)} yet ({quoted}); this is recorded as a "
        f"missing capability.{columns}",
        words=words,
        missing_capabilities=capabilities,
    )


def refuse_dateless(words: tuple[str, ...], context: Context) -> Refused:
    """Return the refusal to compare periods of a table that has none, or skips some; `words` is the question."""
    name = context.profile.name
    if len(context.years) == 1:
        years = context.column(context.years[0])
        return Refused(
            f"“{' '.join(words)}” goes from one year to the next, but `{years.name}` of `{name}` skips some years. "
            f"Name two years that it has, for example “from {years.minimum} to {years.maximum}”."
        )
    return Refused(
        f"“{' '.join(words)}” goes from one period to the next, but no column of `{name}` holds dates. Convert the "
        "column that orders the rows to dates, or ask for a measure that needs no order."
    )


def refuse(
    tokens: tuple[Token, ...], parsed: Parsed, nearest: Reading | None, context: Context, *, cut: bool
) -> Refused:
    """Return the refusal of a question that could not be read to the end."""
    misfits = _misfits(tokens, context)
    words = _unread(tokens, parsed)
    beyond = _within_groups(tokens, parsed.loose)
    parts = ["This question is too long: ask one thing at a time."] if cut else []
    if not misfits and not words and not beyond and not cut:
        parts = [_UNSURE.format(_doubtful(tokens, parsed) if nearest is not None else "this question")]
    parts += misfits[:2] or beyond[:1] or [_about(word, tokens, context) for word in words[:MOST_WORDS]]
    if len(words) > MOST_WORDS and not misfits:
        parts.append(f"{len(words) - MOST_WORDS} more words are unknown too.")
    if nearest is not None and nearest.plan.steps:
        parts.append(NEAREST.format(say_plan(nearest.plan)))
    elif not words and not misfits:
        parts.append(_NAME_IT)
    parts += [columns_near(words, context)] if nearest is None or not nearest.plan.steps else []
    return Refused(" ".join(parts), words=words, nearest=nearest)


def columns_near(words: tuple[str, ...], context: Context) -> str:
    """Return a sentence with the few columns that are called most like some words."""
    names, said = context.profile.schema_.names, " ".join(words).casefold()
    near = [name for name, *_ in process.extract(said, names, scorer=fuzz.WRatio, limit=MOST_NAMED)]
    more = f" and {len(names) - len(near)} more" if len(names) > len(near) else ""
    return f"Columns: {', '.join(f'`{name}`' for name in near)}{more}."


def quoting_what_was_typed(refused: Refused, question: str) -> Refused:
    """Return a refusal without sentences about words that nobody typed, or about names that stood in for some."""
    typed = set(re.findall(r"\w+", question.casefold()))
    unsaid = [word for word in refused.words if not typed.issuperset(re.findall(r"\w+", word.casefold()))]
    about = "|".join(re.escape(word) for word in unsaid) or "(?!)"
    kept = re.sub(rf"`(?:{about})` (?:{_UNCONNECTED_WORD}|is not a column or).*?\.(?= |$) ?", "", refused.message)
    doubted = re.match(_UNSURE.format("“(.+?)”"), kept)
    if doubted is not None and not typed.issuperset(re.findall(r"\w+", doubted[1].casefold())):
        kept = kept.replace(doubted[0], _UNSURE.format("this question"))
    words = tuple(word for word in refused.words if word not in unsaid)
    if kept != refused.message and not words:
        kept = f"{kept} {_NAME_IT}"
    message = " ".join(said for said in re.split(r"(?<=\.) (?=[^a-z])", kept) if STAND_IN not in said)
    return replace(refused, message=message, words=words)


def nearest_answer(refused: Refused, schema: Schema) -> Reading | None:
    """Return what a refusal names as the nearest that can be computed, with what it leaves out; None where it does not.

    There is none for what no plan can say: whatever is computed in its place would be taken for it. Nor is one over
    columns as they were read for a while, such as texts as numbers, and are not in the table of that schema.
    """
    nearest = refused.named or refused.nearest
    if nearest is None or refused.missing_capabilities or nearest.plan.source_schema != schema:
        return None
    if NEAREST.format(say_plan(nearest.plan)) not in refused.message:
        return None
    left_out = ", ".join(f"“{word}”" for word in refused.words)
    noted = f"{left_out} could not be read and is left out." if left_out else _NOT_ALL
    return replace(nearest, assumptions=(noted, *nearest.assumptions))


def _within_groups(tokens: tuple[Token, ...], covers: tuple[Cover, ...]) -> list[str]:
    """Say that the best few of each group cannot be had, where that is what was asked."""
    best = (m.Best, m.Commonest, m.Superlative)
    return [
        f"“{_text(item, tokens)}” within each group (“{_text(group, tokens)}”) cannot be computed yet."
        for cover in covers[:3]
        if not cover.uncovered
        for item in cover.items
        for group in cover.items
        if isinstance(item.meaning, best) and isinstance(group.meaning, m.Grouped)
    ]


def _unread(tokens: tuple[Token, ...], parsed: Parsed) -> tuple[str, ...]:
    """Return the words that no reading explains: unknown ones, else those that could not be connected."""
    if not parsed.loose:
        return ()
    cover = parsed.loose[0]
    unknown = [tokens[position].text for position in cover.uncovered]
    for item in cover.items:
        if isinstance(item.meaning, m.RowNoun) and item.meaning.assumed:
            unknown.append(_text(item, tokens))
        if isinstance(item.meaning, m.NamedTable):
            unknown.append(item.meaning.words)
    assumed = [
        meaning.noun
        for item in cover.items
        if isinstance(meaning := item.meaning, m.Measured) and meaning.noun is not None
    ]
    loose = [_text(item, tokens) for item in cover.items if isinstance(item.meaning, _UNCONNECTED)]
    left_out = [tokens[position].text for strict in parsed.covers[:1] for position in strict.uncovered]
    return tuple(dict.fromkeys((*unknown, *assumed) or loose or left_out))


def _doubtful(tokens: tuple[Token, ...], parsed: Parsed) -> str:
    """Return the words whose meaning is least sure in the best reading: those read with doubt, else a bare column."""
    cover = next((cover for cover in parsed.covers if not cover.uncovered and cover.items), None)
    if cover is None:
        return "this question"
    doubts = [
        (item.cost if item.cost >= NEARLY_SURE else 0, isinstance(item.meaning, m.Column)) for item in cover.items
    ]
    last = max(range(len(doubts)), key=lambda place: (doubts[place], place))
    return f"“{_text(cover.items[last], tokens)}”"


def _text(item: Item, tokens: tuple[Token, ...]) -> str:
    return " ".join(token.text for token in tokens[item.start : item.end])


def _about(word: str, tokens: tuple[Token, ...], context: Context) -> str:
    token = Token(word, TokenKind.WORD)
    common = is_common(token, context.lexicon) and not (word.isupper() and len(word) > 1)
    if any(isinstance(said, m.Extreme) and not said.counts for said in context.lexicon.meanings(word.casefold())):
        return f"`{word}` {_UNCONNECTED_WORD}: name the figure that is compared."
    if " " in word or common or not any(letter.isalpha() for letter in word):
        return f"`{word}` {_UNCONNECTED_WORD}."
    closed = _inside(word, context)
    if closed is not None and closed.hindrance is not None:
        return f"`{word}` is not a column: `{closed.name}` {closed.hindrance.reason}. {closed.hindrance.remedy}"
    said = [token.lower for token in tokens if context.lexicon.meanings(token.lower) != (m.Determiner(),)]
    place = said.index(word.casefold()) if word.casefold() in said else 0
    if place and said[place - 1] in context.lexicon.places and set(said[place + 1 :]) <= context.lexicon.table_nouns:
        return f"There is no table `{word}` here, and no column or value of `{context.profile.name}` is called so."
    near = nearest_column(word, context)
    hint = f"; the nearest column is `{near}`." if near else "."
    return f"`{word}` is not a column or value of `{context.profile.name}`{hint}"


def _misfits(tokens: tuple[Token, ...], context: Context) -> list[str]:
    """Say which columns are of the wrong type for what stands before or after them."""
    items = [item for item in link(tokens, context) if item.cost <= NEARLY_SURE]
    reached = _reached(tokens, context)
    found: dict[str, None] = {}
    for left in items:
        for right in items:
            if not left.end <= right.start <= reached[left.end]:
                continue
            number = right.end < len(tokens) and tokens[right.end].kind is TokenKind.NUMBER
            if number or not isinstance(right.meaning, m.Comparison):
                between = tokens[left.end : right.start]
                compares = any(_compares(token, context) for token in between)
                direct = all(_compares(token, context) for token in between)
                said = _misfit(left.meaning, right.meaning, (compares, direct), context)
                if said:
                    found[said] = None
    return list(found)


def _reached(tokens: tuple[Token, ...], context: Context) -> list[int]:
    """Return for each position how far one comes from it over filler and comparisons alone."""
    reached = list(range(len(tokens) + 1))
    for position in range(len(tokens) - 1, -1, -1):
        token = tokens[position]
        if context.lexicon.is_filler(token.lower) or _compares(token, context):
            reached[position] = reached[position + 1]
    return reached


def _compares(token: Token, context: Context) -> bool:
    return any(isinstance(meaning, m.Comparison) for meaning in context.lexicon.meanings(token.lower))


def _misfit(left: m.Meaning, right: m.Meaning, between: tuple[bool, bool], context: Context) -> str | None:
    compares, direct = between
    match left, right:
        case m.Function(function), m.Column(name) if not takes(function, name, context):
            return _no_function(function, name, context)
        case m.Column(name), m.Value(column, value) if compares and column != name:
            elsewhere = value not in context.column(name).values
            return f"`{value}` is a value of `{column}`, not of `{name}`." if elsewhere else None
        case m.Extreme(), m.Column(name) if context.column(name).role == "identifier" and context.is_number(name):
            return _no_function(AggregateFunction.MAX, name, context)
        case m.Column(name), m.Comparison(op) if direct and op not in (CompareOp.EQ, CompareOp.NE):
            if not context.is_number(name) and context.type_of(name) is not ColumnType.DATE:
                return _lacking(name, "order to compare numbers with", context)
            return None
        case _:
            return None


def _no_function(function: AggregateFunction, name: str, context: Context) -> str:
    said = _FUNCTIONS.get(function, function.value)
    if context.is_number(name):
        return f"`{name}` is a label made of numbers, so its {said} means nothing."
    return _lacking(name, said, context)


_FUNCTIONS = {
    AggregateFunction.STD: "standard deviation",
    AggregateFunction.VAR: "variance",
    AggregateFunction.SKEW: "skewness",
    AggregateFunction.KURT: "kurtosis",
    AggregateFunction.MIN: "smallest value",
    AggregateFunction.MAX: "largest value",
}


def _lacking(name: str, what: str, context: Context) -> str:
    """Say why a column lacks something, and the way out where there is one."""
    hindrance = context.column(name).hindrance
    if hindrance is None:
        return f"`{name}` is {_TYPE_NAMES[context.type_of(name)]}, so it has no {what}."
    return f"`{name}` {hindrance.reason}, so it has no {what}. {hindrance.remedy}"


def _inside(word: str, context: Context) -> ColumnProfile | None:
    """Return the column whose cells hold something of this name that is no column of its own."""
    folded = context.plain(word.casefold())
    for column in context.profile.columns:
        inside = column.hindrance.inside if column.hindrance is not None else ()
        if any(folded in {context.plain(part) for part in split_name(key)} for key in inside):
            return column
    return None


def nearest_column(word: str, context: Context) -> str | None:
    """Return the column that a word comes nearest to, or None."""
    matches = sorted(column_matches(list(split_name(word)), context), key=lambda match: -match[1])
    if matches:
        return matches[0][0]
    close = process.extractOne(word.casefold(), context.profile.schema_.names, scorer=fuzz.ratio, score_cutoff=70)
    return close[0] if close else None
