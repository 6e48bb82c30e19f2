"""The words of a language, read from its data file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.words.entries import entries_of
from jupyter_mcpgen.nl.words.forms import base_form, stem
from jupyter_mcpgen.nl.words.jargon import Jargon
from jupyter_mcpgen.nl.words.outcomes_told import OutcomesTold
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.precomputed import LANGUAGES, precomputed, words_of

MAX_PHRASE_WORDS = 6


@dataclass(frozen=True)
class Lexicon:
    """Phrases with their meanings, the words that carry none, and nouns by how their numbers combine.

    `generic` holds nouns that a question may add to a column's name, `abbreviations` short forms in column names.
    """

    language: str
    phrases: Mapping[str, tuple[Meaning, ...]]
    filler: frozenset[str]
    deeds: frozenset[str]
    """Of these, verbs that may be left out only where they are asked of us: not in "did they draw"."""
    doing: frozenset[str]
    """What stands before who does it, such as "did"."""
    asking: frozenset[str]
    """Those who ask us, such as "I"."""
    words: frozenset[str]
    """Every single word that some phrase is made of."""
    spoken: frozenset[str]
    """Every word that stands in any data file of the language: none of them is a slip for a word of the data."""
    table_nouns: frozenset[str]
    additive: frozenset[str]
    intensive: frozenset[str]
    levels_at_the_end: frozenset[str]
    concentrations: frozenset[str]
    """What air and water are polluted with, as the words of a column's name: "pm 10"."""
    units_of_masses: frozenset[str]
    """Words in a column's name that tell how much came out of something."""
    units_of_levels: frozenset[str]
    levels: frozenset[str]
    """Nouns for what there is at a time, which adds up over things but never over times: a population, a stock."""
    flows: frozenset[str]
    running_totals: frozenset[str]
    """What the name of a column that runs up says of it, wherever it stands."""
    totals_so_far: frozenset[str]
    """The same, where another column says what is new."""
    increments: frozenset[str]
    """What the name of that other column says."""
    """Words in a column's name that tell what came or went between two times, and no level: "sold" of `stock_sold`."""
    states_at_times: frozenset[str]
    """Words in the name of a number of things that tell how many there were at a time: `Active Users`."""
    ages: frozenset[str]
    """Of these, the nouns for how old somebody is, which a number beside a noun for people may be."""
    places: frozenset[str]
    """Words after which the table's own name is the table."""
    amounts: frozenset[str]
    """Nouns that mean an event and its amount alike, such as "sale": rows are never counted by them unasked."""
    pieces: frozenset[str]
    """What columns of quantities are called."""
    nouns_of_money: frozenset[str]
    """Nouns that add nothing to the name of a column of money."""
    counted_money: frozenset[str]
    """Nouns for one amount of money, whose plural means several of them and no larger one: "how many budgets"."""
    bare_amounts: frozenset[str]
    """Nouns in a column's name that say no more than that it holds an amount."""
    currencies: frozenset[str]
    """The units of columns of money."""
    scales_in_names: Mapping[str, int]
    """What words in the name of a column say of the size of its units, and letters beside a currency."""
    letters_of_scales: Mapping[str, int]
    nouns_of_ranks: frozenset[str]
    """Nouns for a place in an order, which is no amount of what it is of: a `height_rank` is no height."""
    ends_alone: frozenset[str]
    """Words for the end of an order, which alone name no column: "last" is no `last_made`."""
    before_states: frozenset[str]
    """What begins the name of a yes-or-no column together with what it is no name of: the "on" of `on_sale`."""
    nouns_of_figures: frozenset[str]
    """Last nouns of columns that a question leaves out: the "score" of `csat_score`."""
    having_some: Mapping[str, str]
    """What is said of rows with some of a figure, by what its column is called: "late" of `delay_min`."""
    having_none: Mapping[str, str]
    """The same of rows with none of it: "on time"."""
    participles: tuple[str, ...]
    """How words end that say so of any figure: "discounted"."""
    one_piece: frozenset[str]
    put_in: frozenset[tuple[str, ...]]
    """Whole names of amounts that were put in, in plain words, which add up though they are times: the hours."""
    """First words of columns that hold a figure of one piece, such as `unit_cost`."""
    generic: frozenset[str]
    never_bent: frozenset[str]
    """Words of which no other form is meant: a "rate" is no `rating`."""
    states: frozenset[str]
    """Participles that tell the state of some rows where they are said with one of `being`."""
    being: frozenset[str]
    signs_of_deals: frozenset[str]
    """What columns of bought and sold things are called."""
    events: frozenset[str]
    """Nouns for what happens once: each row with a `Complaint Type` is a complaint."""
    same_thing: tuple[frozenset[str], ...]
    rows_told: tuple[RowsTold, ...]
    truth_prefixes: frozenset[str]
    denying: frozenset[str]
    """Words in a column's name that turn the next one round, such as the "not" of `not_returned`."""
    denying_truth: frozenset[str]
    """Words that do so in the name of a yes-or-no column only, such as "no"."""
    untrue: frozenset[str]
    """Words that say of a condition that it does not hold."""
    nothing: frozenset[str]
    """Values that say of a row that it has none, such as "none"."""
    person_words: frozenset[str]
    """Words that ask for a name, such as "who"."""
    choosing_words: frozenset[str]
    """Words that ask which one it is, such as "which"."""
    amount_words: frozenset[str]
    """Words that ask for an amount, and never for a date."""
    moment_words: frozenset[str]
    """Words that ask for a time, such as "when"."""
    place_words: frozenset[str]
    """Words that ask for a place, such as "where"."""
    beginnings_of_rows: frozenset[str]
    """Stems of words for the moment at which a row is made, such as "created"."""
    making: frozenset[str]
    """What a question says of rows that were made, such as "opened"."""
    first_moments: frozenset[str]
    """Stems of words for the moment at which something begins, in a table that also holds when it ends."""
    later_moments: frozenset[str]
    """Stems of words for what happens to it later, such as "closed"."""
    abbreviations: Mapping[str, str]
    saying_which: frozenset[str]
    """Words before a noun in a column's name that say no more than which of several is meant: "primary"."""
    short_in_names: Mapping[str, str]
    """Short forms that are such only where a column's name has them: `int_rate`."""
    jargon: tuple[Jargon, ...]
    outcomes: OutcomesTold
    units_behind_per: Mapping[str, str]
    compounds: Mapping[str, str]
    """First parts of compounds that are calculations, with the word that says the same alone."""
    decimal_comma: bool
    """True where a number is written `1.234,5` and a date `31.12.2024`."""
    asked_otherwise: Mapping[str, str]
    """How to ask for what can be computed, where a question asks for it in words that are not read."""
    day_endings: tuple[str, ...]
    """What stands behind the number of a day: the "th" of "12th"."""
    pointing: frozenset[str]
    """What points back at the rows of an answer where the question names no others before it: "they", "of those"."""
    pointing_at_last: frozenset[str]
    whole_again: frozenset[str]
    sorting: frozenset[str]
    counting_again: frozenset[str]
    """Questions for the number of what was shown before, such as "how many are there"."""
    follow_up_phrases: tuple[str, ...]
    """What points back to the question before, longest first."""
    in_place_of: frozenset[str]
    """What stands before the part of an answer that gives way."""
    sequence: frozenset[str]
    """What begins a next step."""
    first_step: frozenset[str]
    keeping: frozenset[str]
    """What asks for the rows that meet a condition, at the beginning of a step."""
    dropping: frozenset[str]
    """What asks for the other rows."""
    adding: frozenset[str]
    """Those that leave what was there and add to it."""
    narrowing: frozenset[str]
    """Those that keep some of the rows: what follows is a condition."""
    trailing: frozenset[str]
    """Those that may stand at the end."""

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What some longer phrase begins with."""
        split = (phrase.split(" ") for phrase in self.phrases)
        return frozenset(" ".join(words[:end]) for words in split for end in range(1, len(words)))

    @cached_property
    def months(self) -> Mapping[str, int]:
        """The months by their names and by what shortens these to at least three letters."""
        names = {
            phrase: meaning.number
            for phrase, meanings in self.phrases.items()
            for meaning in meanings
            if isinstance(meaning, m.PartValue) and meaning.unit is DateUnit.MONTH
        }
        short = {name[:length]: number for name, number in names.items() for length in range(3, len(name))}
        return short | names

    def meanings(self, phrase: str) -> tuple[Meaning, ...]:
        """Return what a lower-case phrase may mean."""
        return self.phrases.get(phrase, ())

    def base(self, word: str) -> str:
        """Return a lower-case noun without its plural ending."""
        return base_form(word, self.language)

    def is_filler(self, word: str) -> bool:
        """Tell whether a lower-case word may be left out."""
        return word in self.filler


@lru_cache(maxsize=4)
def load_lexicon(language: str = "en") -> Lexicon:
    """Return a language's lexicon; read once per process because the file never changes under us."""
    tree = words_of(language)
    return _build(_written_out(tree, tree.get("endings", [""])), frozenset(_spoken(language)))


def _spoken(language: str) -> list[str]:
    """Return every word that stands in a file of the language: none of them is a misspelt word of a table."""
    sources = (LANGUAGES / f"{language}.toml", *sorted(LANGUAGES.glob(f"{language}_*.toml")))
    text = re.compile(r"[^\W\d_]+")
    found: list[str] = precomputed(
        f"{language}_spoken",
        sources,
        lambda: sorted(
            {word for file in sources for word in text.findall(file.read_text(encoding="utf-8").casefold())}
        ),
    )
    return found


def _written_out(part: Any, endings: Sequence[str]) -> Any:
    """Return a part of the data file folded to lower case, with each `~` replaced by every ending of the language."""
    match part:
        case dict():
            return {key: _written_out(value, endings) for key, value in part.items()}
        case list() if all(isinstance(entry, str) for entry in part):
            return [
                entry.replace("~", end).casefold() for entry in part for end in (endings if "~" in entry else ("",))
            ]
        case list():
            return [_written_out(entry, endings) for entry in part]
        case _:
            return part


def _by_phrase(said: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return what each phrase is said of."""
    return {phrase: word for word, phrases in said.items() for phrase in phrases}


def _build(tree: Mapping[str, Any], spoken: frozenset[str]) -> Lexicon:
    language = tree["stemmer"]
    phrases: dict[str, list[Meaning]] = {}
    for phrase, meaning in entries_of(tree):
        phrases.setdefault(phrase, []).append(meaning)
    return Lexicon(
        language=language,
        phrases={phrase: tuple(found) for phrase, found in phrases.items()},
        filler=frozenset(tree["filler"]),
        deeds=frozenset(tree.get("deeds", ())),
        doing=frozenset(tree.get("doing", ())),
        asking=frozenset(tree.get("asking", ())),
        words=frozenset(word for phrase in (*phrases, *tree["filler"]) for word in phrase.split()),
        spoken=spoken,
        table_nouns=frozenset(tree["table"]),
        additive=frozenset(base_form(word, language) for word in tree["additive"]),
        intensive=frozenset(base_form(word, language) for word in tree["intensive"]),
        levels_at_the_end=frozenset(tree.get("levels_at_the_end", ())),
        concentrations=frozenset(tree.get("concentrations", ())),
        units_of_masses=frozenset(tree.get("units_of_masses", ())),
        units_of_levels=frozenset(tree.get("units_of_levels", ())),
        events=frozenset(tree.get("events", ())),
        levels=frozenset(base_form(word, language) for word in tree["levels"]),
        flows=frozenset(tree.get("flows", ())),
        running_totals=frozenset(tree.get("running_totals", ())),
        totals_so_far=frozenset(tree.get("totals_so_far", ())),
        increments=frozenset(tree.get("increments", ())),
        states_at_times=frozenset(tree.get("states_at_times", ())),
        ages=frozenset(base_form(word, language) for word in tree["ages"]),
        amounts=frozenset(tree["amounts"]),
        places=frozenset(tree["places"]),
        pieces=frozenset(tree.get("pieces", ())),
        nouns_of_money=frozenset(tree.get("nouns_of_money", ())),
        counted_money=frozenset(tree.get("counted_money", ())),
        bare_amounts=frozenset(tree.get("bare_amounts", ())),
        currencies=frozenset(tree.get("currencies", ())),
        scales_in_names=tree.get("scales_in_names", {}),
        letters_of_scales=tree.get("letters_of_scales", {}),
        nouns_of_ranks=frozenset(tree.get("nouns_of_ranks", ())),
        ends_alone=frozenset(tree.get("ends_alone", ())),
        before_states=frozenset(tree.get("before_states", ())),
        nouns_of_figures=frozenset(tree.get("nouns_of_figures", ())),
        asked_otherwise=dict(tree.get("asked_otherwise", {})),
        having_some=_by_phrase(tree.get("having_some", {})),
        having_none=_by_phrase(tree.get("having_none", {})),
        participles=tuple(tree.get("participles", ())),
        one_piece=frozenset(tree.get("one_piece", ())),
        put_in=frozenset(tuple(name.split()) for name in tree.get("put_in", ())),
        generic=frozenset(base_form(word, language) for word in tree["generic"]),
        never_bent=frozenset(tree.get("never_bent", ())),
        states=frozenset(tree.get("states", ())),
        being=frozenset(tree.get("being", ())),
        signs_of_deals=frozenset(tree.get("signs_of_deals", ())),
        same_thing=tuple(frozenset(words) for words in tree["same_thing"]),
        rows_told=tuple(
            RowsTold(frozenset(one["rows"]), tuple(frozenset(signs) for signs in one["columns"]))
            for one in tree.get("rows_told", {}).values()
        ),
        truth_prefixes=frozenset(tree["truth_prefixes"]),
        denying=frozenset(tree["denying"]),
        denying_truth=frozenset(tree["denying_truth"]),
        untrue=frozenset(tree["false_words"]),
        nothing=frozenset(tree.get("none_words", ())),
        person_words=frozenset(tree["person_words"]),
        choosing_words=frozenset(tree.get("choosing_words", ())),
        amount_words=frozenset(tree.get("amount_words", ())),
        moment_words=frozenset(tree.get("moment_words", ())),
        place_words=frozenset(tree.get("place_words", ())),
        beginnings_of_rows=frozenset(stem(word, language) for word in tree["beginnings_of_rows"]),
        making=frozenset(tree["making"]),
        first_moments=frozenset(stem(word, language) for word in tree.get("first_moments", ())),
        later_moments=frozenset(stem(word, language) for word in tree["later_moments"]),
        abbreviations=tree["abbreviations"],
        short_in_names=tree.get("short_in_names", {}),
        jargon=tuple(Jargon(**one) for one in tree.get("jargon", {}).values()),
        outcomes=_outcomes(tree.get("outcomes", {})),
        saying_which=frozenset(tree.get("saying_which", ())),
        units_behind_per=tree.get("units_behind_per", {}),
        compounds=tree.get("compounds", {}),
        decimal_comma=tree.get("decimal_comma", False),
        day_endings=tuple(tree.get("day_endings", ())),
        pointing=frozenset(tree.get("pointing", ())),
        pointing_at_last=frozenset(tree.get("pointing_at_last", ())),
        whole_again=frozenset(tree.get("whole_again", ())),
        sorting=frozenset(tree.get("sorting", ())),
        counting_again=frozenset(tree.get("counting_again", ())),
        follow_up_phrases=tuple(sorted(_follow_ups(tree), key=lambda phrase: (-len(phrase.split()), phrase))),
        in_place_of=frozenset(tree["in_place_of"]),
        sequence=frozenset(tree["steps"]["next"]),
        first_step=frozenset(tree["steps"]["first"]),
        keeping=frozenset(tree["steps"]["keep"]),
        dropping=frozenset(tree["steps"]["drop"]),
        adding=frozenset(tree["follow_up"]["adding"]),
        narrowing=frozenset(tree["follow_up"]["narrowing"]),
        trailing=frozenset(tree["follow_up"]["trailing"]),
    )


def _outcomes(tree: Mapping[str, Any]) -> OutcomesTold:
    return OutcomesTold(frozenset(tree.get("bare", ())), tree.get("subjects", {}), tree.get("states", {}))


def _follow_ups(tree: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(phrase for phrases in tree["follow_up"].values() for phrase in phrases)


@dataclass(frozen=True)
class RowsTold:
    """Nouns for a row, in the singular, and the words of which each has to stand in the name of some column."""

    nouns: frozenset[str]
    signs: tuple[frozenset[str], ...]
