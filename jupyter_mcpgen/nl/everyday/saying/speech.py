"""A question on its way into the table's own words: the text so far, and what was assumed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.everyday.saying.kinship import akin
from jupyter_mcpgen.nl.everyday.saying.phrases import words_in
from jupyter_mcpgen.nl.everyday.saying.vocabulary import Vocabulary, load_vocabulary
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Wording, find_all

_NOT_WORDED = Wording()


@dataclass(frozen=True)
class Speech:
    """The text of a question, and the assumptions behind its words."""

    text: str
    notes: tuple[str, ...] = ()
    refusal: str = ""
    """Why the question cannot be answered, where a rule knows what it asks for and that nothing gives it."""
    ways: tuple[str, ...] = ()
    """The question in other words for each of its meanings, where a rule knows that any of them may be meant."""
    asking: str = ""
    """What is asked back where there are several ways, in front of them."""

    def find(self, wording: Wording) -> Found | None:
        """Return where the first fitting phrase of a rule stands, outside quotation marks and in any case."""
        return next(self.find_each(wording), None)

    def find_each(self, wording: Wording) -> Iterator[Found]:
        """Yield the first place of each phrase of a rule, where it has one."""
        said = words_in(self.text)
        for phrase in wording.phrases:
            if phrase.may_stand_among(said):
                yield from islice(find_all(self.text, phrase, wording), 1)

    def find_all(self, wording: Wording) -> Iterator[Found]:
        """Yield every place of every phrase of a rule."""
        said = words_in(self.text)
        for phrase in wording.phrases:
            if phrase.may_stand_among(said):
                yield from find_all(self.text, phrase, wording)

    def put(self, found: Found, words: str, *notes: str) -> Speech:
        """Return the question with other words in the place of a phrase."""
        return self.saying(f"{self.before(found)} {words} {self.behind(found)}", *notes)

    def saying(self, text: str, *notes: str) -> Speech:
        """Return the question said in wholly other words."""
        return Speech(_tidy(text), (*self.notes, *notes))

    def refusing(self, message: str) -> Speech:
        """Return the question as one that cannot be answered, and why."""
        return replace(self, refusal=message)

    def asking_back(self, about: str, *ways: str) -> Speech:
        """Return the question as one of which one of several meanings has to be chosen, and what it is asked about."""
        return replace(self, asking=about, ways=tuple(_tidy(way) for way in ways))

    def before(self, found: Found) -> str:
        """Return the text before a phrase."""
        return self.text[: found.start]

    def word_before(self, found: Found) -> str:
        """Return the last word before a phrase, in lower case."""
        return (self.before(found).casefold().split() or [""])[-1]

    def behind(self, found: Found) -> str:
        """Return the text behind a phrase."""
        return self.text[found.end :]


@dataclass(frozen=True)
class Table:
    """What a rule may look at: the table with the language, and the everyday words."""

    context: Context
    vocabulary: Vocabulary

    def wording(self, rule: str) -> Wording:
        """Return how a rule is worded; a language that has no words for it has no phrases."""
        return self.vocabulary.wordings.get(rule, _NOT_WORDED)

    def say(self, way: str, **parts: str) -> str:
        """Say in the planner's words what several rules say."""
        return self.vocabulary.sayings.say(way, parts)

    def words(self, key: str) -> frozenset[str]:
        """Return a list of words by its key; none where the language has no such list."""
        return self.vocabulary.words(key)

    def endings(self, kind: str) -> frozenset[str]:
        """Return the endings of a kind of words; none where the language has none of it."""
        return self.vocabulary.lists.endings.get(kind, frozenset())

    def meaning(self, key: str, word: str) -> str:
        """Return which choice of a list a word stands for, or the word where it stands for none."""
        return self.vocabulary.lists.meanings(key).get(word, word)

    def groups(self, text: str) -> bool:
        """Tell whether words group rows: "by", "for each"."""
        return Speech(text).find(self.wording("grouped")) is not None

    def asks_for_figure(self, text: str) -> bool:
        """Tell whether a calculation, a count or a part of the rows is asked for in words."""
        words = [word for word in (part.strip("?.,!") for part in text.casefold().split()) if word.isalpha()]
        said = [*words, *(f"{one} {other}" for one, other in pairwise(words))]  # "how many"
        meanings = (meaning for phrase in said for meaning in self.context.lexicon.meanings(phrase))
        return any(isinstance(meaning, m.Function | m.CountWord) for meaning in meanings)

    def choices(self, key: str) -> Mapping[str, frozenset[str]]:
        """Return the words of a list of choices by what they mean; none where the language has no such list."""
        return self.vocabulary.lists.choices.get(key, {})

    def akin(self, first: str, second: str) -> bool:
        """Tell whether two lower-case words are forms of one verb."""
        return akin(first, second, self.vocabulary.kinship)

    def is_data(self, phrase: str) -> bool:
        """Tell whether a phrase, or a single word of the data, is a value or the whole name of a column."""
        folded = phrase.casefold().replace("-", " ")
        own = {" ".join(words) for words in self.context.column_words.values()}
        return folded in self.context.values or folded in own


def table_of(profile: Profile, language: str) -> Table:
    """Return what rules may look at of a table, with the everyday words of a language."""
    return Table(context_of(profile, language), load_vocabulary(language))


def _tidy(text: str) -> str:
    return re.sub(r"\s+([?,.])", r"\1", re.sub(r"\s+", " ", text)).strip()
