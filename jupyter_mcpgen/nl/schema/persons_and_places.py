"""Which columns name persons or places, so that "who" and "where" find them."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.lexicon.reading import NounKind
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.schema.headers import HeaderWord
from jupyter_mcpgen.nl.schema.row_nouns import Named
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary
from jupyter_mcpgen.nl.text.morphology import Form
from jupyter_mcpgen.plan.schema import ColumnType

_PLACES = (Kind.PLACE, Kind.COUNTRY)


def find_persons(columns: Sequence[Named], lexicon: Lexicon, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the columns of persons: those with names before those with identifiers, in the order of the table."""
    texts = [one for one in columns if one.type is ColumnType.TEXT and one.additivity is not Additivity.IDENTIFIER]
    others = [one for one in columns if one.additivity is Additivity.IDENTIFIER]
    return tuple(
        column.name
        for column in (*texts, *others)
        if _is_of(NounKind.PERSON, column.words, lexicon, vocabulary) or _names_doer(column.words, lexicon, vocabulary)
    )


def find_places(
    columns: Sequence[Named], profile: Profile, lexicon: Lexicon, vocabulary: Vocabulary
) -> tuple[str, ...]:
    """Return the columns of places: those called "place", those of known ones, those with a noun for one."""
    texts = [column for column in columns if column.type is ColumnType.TEXT]
    known = [column.name for column in texts if profile.column(column.name).kind in _PLACES]
    called = [column.name for column in texts if _is_of(NounKind.PLACE, column.words, lexicon, vocabulary)]
    plain = [one.name for one in texts if any(NounKind.PLACE in lexicon.generic(word) for word in one.words[-1].lemmas)]
    return tuple(dict.fromkeys((*plain, *known, *called)))


def _is_of(kind: NounKind, words: Sequence[HeaderWord], lexicon: Lexicon, vocabulary: Vocabulary) -> bool:
    """Tell whether the noun that the other words describe is of a kind, with words such as "name" or "id" behind it."""
    inner = next((place for place, word in enumerate(words) if word.function and place), len(words))
    told = vocabulary.words
    for place in reversed(range(inner)):
        word = words[place]
        own = any(lexicon.concepts(lemma) for lemma in word.lemmas)
        meant = word.lemmas if own else (*word.lemmas, *word.full)
        if any(kind in lexicon.kinds(one) for one in meant):
            return True
        if not word.known & (told.naming | told.identifiers):
            return False
    return False


def _names_doer(words: Sequence[HeaderWord], lexicon: Lexicon, vocabulary: Vocabulary) -> bool:
    """Tell whether a header says who did something: `directed by`."""
    if len(words) < 2 or words[-1].text not in vocabulary.words.doers:
        return False
    return any(one.form is Form.PAST for one in lexicon.morphology.analyses(words[-2].text))
