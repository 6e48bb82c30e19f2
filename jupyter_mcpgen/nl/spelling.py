"""Corrects slips of the keyboard in words that are otherwise unknown, and says so; a doubtful slip is left alone."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import OSA

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.compounds import separated
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.mentions.values import is_common, is_name
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.nl.words.shortened import shortens

SHORTEST = 5
"""Shorter words are one letter apart too often; of a word one letter shorter, only a vowel may be missing."""
SURE_LENGTH = 7
"""In a word of the language this long, one wrong letter of any kind is a slip."""
_VOWELS = frozenset("aeiou")


def corrected(tokens: tuple[Token, ...], context: Context) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """Return the tokens with compounds split, codes as quotes, slips corrected, and a note for each slip."""
    found: list[Token] = []
    notes: list[str] = []
    apart = separated(tokens, context)
    for place, token in enumerate(apart):
        if _is_a_code(token, tokens, context) and _stands_for_a_value(place, apart, context):
            found.append(Token(token.text, TokenKind.QUOTED))
            continue
        meant = _meant(token, context) or _shortened(place, apart, context)
        found.append(Token(meant, token.kind) if meant else token)
        if meant:
            notes.append(f"“{token.text}” is read as “{meant}”.")
    return tuple(found), tuple(notes)


def _is_a_code(token: Token, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a small word is a value in capitals among other words: "US" or "IN", and not "us" or "in"."""
    written = token.kind is TokenKind.WORD and len(token.text) > 1 and token.text == token.text.upper()
    return (
        written
        and is_name(token, context)
        and is_common(token, context.lexicon)
        and any(other.text != other.text.upper() for other in tokens)
    )


def _stands_for_a_value(place: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether what stands around a small word lets it be a value: "in OR" and "OR orders", not "TX OR CA"."""
    if not context.lexicon.meanings(tokens[place].lower):
        return True  # "US" links nothing
    before = tokens[place - 1] if place else None
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    if before is None or (is_common(before, context.lexicon) and not is_name(before, context)):
        return True
    own = {word for value in context.values.get(tokens[place].lower, ()) for word in context.column_words[value.column]}
    words = own | context.row_nouns
    return context.plain(before.lower) in own or (behind is not None and context.plain(behind.lower) in words)


def _meant(token: Token, context: Context) -> str | None:
    word = token.lower
    if token.kind is not TokenKind.WORD or len(word) < SHORTEST - 1 or not word.isalpha() or _is_known(word, context):
        return None
    if len(word) < SHORTEST:
        lacking = {near for near in _near(word, context.lexicon.words) if _lacks_inner_vowel(word, near)}
        return lacking.pop() if len(lacking) == 1 and _is_a_figure(lacking, context) and token.text == word else None
    columns = {part for name in context.profile.schema_.names for part in split_name(name)}
    columns |= {part for words in context.column_words.values() for part in words}
    columns |= set(split_name(context.profile.name))
    spoken = word in context.lexicon.spoken
    candidates = (
        *((near, _is_slip(word, near) or len(near) >= SURE_LENGTH) for near in _near(word, context.lexicon.words)),
        *((near, _is_slip(word, near) and not spoken) for near in _near(word, columns)),
        *((near, _is_swap(word, near) and not spoken) for near in _near(word, context.value_parts)),
    )
    meant = {near for near, likely in candidates if likely}
    return meant.pop() if len(meant) == 1 and word not in meant else None


def _shortened(place: int, tokens: tuple[Token, ...], context: Context) -> str | None:
    """Return the one word of a column's name that a short form behind a calculation or "by" stands for: "sum rev"."""
    word, before = tokens[place].lower, tokens[place - 1].lower if place else ""
    asked = any(isinstance(meaning, m.Function | m.GroupWord) for meaning in context.lexicon.meanings(before))
    if not asked or tokens[place].text != word or not word.isalpha() or _is_known(word, context):
        return None
    own = {part for name in context.profile.schema_.names for part in split_name(name) if shortens(word, part)}
    return own.pop() if len(own) == 1 and context.lexicon.language == "english" else None


def _near(word: str, known: Iterable[str]) -> list[str]:
    near = process.extract(word, sorted(known), scorer=OSA.distance, score_cutoff=1, limit=4)
    return [other for other, _, _ in near if other[0] == word[0] and len(other) >= SHORTEST]


def _is_known(word: str, context: Context) -> bool:
    plain = context.plain(word)
    lexicon = context.lexicon
    known = {word, plain} & lexicon.words or plain in lexicon.generic  # "status" is no slip of "stats"
    named = context.columns_with(plain) or plain in context.row_nouns
    return bool(known or named or word in context.value_parts or plain in context.value_parts) or any(
        stem(word, context.lexicon.language) == stem(part, context.lexicon.language)
        for part in _near(word, context.value_parts)
    )


def _is_slip(word: str, near: str) -> bool:
    """Tell whether two words differ as slips do: swapped or doubled letters, or a vowel lost, added or changed."""
    if _is_swap(word, near):
        return True
    if len(word) == len(near):
        return all(a == b or (a in _VOWELS and b in _VOWELS) for a, b in zip(word, near, strict=True))
    return _extra_letter(word, near) in _VOWELS


def _is_a_figure(words: set[str], context: Context) -> bool:
    """Tell whether words name a calculation: a short name is not taken for any other word of the language."""
    meanings = [meaning for word in words for meaning in context.lexicon.meanings(word)]
    return any(isinstance(meaning, m.Function) for meaning in meanings)


def _lacks_inner_vowel(word: str, near: str) -> bool:
    """Tell whether a short word is a longer one without a vowel that is not its last letter: "totl"."""
    return len(near) > len(word) and _extra_letter(word, near) in _VOWELS and near[-1] == word[-1]


def _is_swap(word: str, near: str) -> bool:
    """Tell whether two words differ by letters swapped or doubled."""
    if len(word) == len(near):
        return sorted(word) == sorted(near)
    longer = max(word, near, key=len)
    extra = _extra_letter(word, near)
    return extra * 2 in longer and longer.replace(extra * 2, extra, 1) == min(word, near, key=len)


def _extra_letter(word: str, near: str) -> str:
    longer, shorter = (word, near) if len(word) > len(near) else (near, word)
    place = next((i for i, letter in enumerate(shorter) if letter != longer[i]), len(shorter))
    return longer[place]
