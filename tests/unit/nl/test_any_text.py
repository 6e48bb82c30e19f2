"""Whatever is typed, reading it ends soon, raises nothing, and gives the same answer in every process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.references import file_ref, read_frame
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.nl.words.lexicon import load_lexicon
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.english import say_plan
from tests.laws import law
from tests.unit.nl.questions import CASES, pairs, table

ROOT = Path(__file__).parents[3]
SMALL = ("sales", "employees", "orders", "visits", "energy", "matches")


def words_of(name: str) -> st.SearchStrategy[str]:
    """Words that mean something: of the language, of the columns, of the data, and numbers."""
    known = table(name)
    values = [str(value) for column in known.columns for value in column.values[:5]]
    phrases = sorted(load_lexicon().phrases)
    fillers = sorted(load_lexicon().filler)
    numbers = ["3", "2023", "2023-05-01", "-1.5", "50k", "1,000", '"x"', "(", ")", "or", "and", ",", ">="]
    return st.sampled_from([*phrases, *fillers, *known.schema_.names, *values, *numbers])


@law(60)
@given(st.sampled_from(SMALL), st.text(max_size=200))
def test_no_text_raises(name: str, text: str) -> None:
    assert isinstance(read(text, table(name)), Answered | Asked | Refused)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("energy", "how many rows are 59 and below"),
        ("matches", "3 or larger"),
        ("energy", 'x"" readings'),
        ("energy", "`` readings"),
    ],
)
def test_a_limit_at_the_very_end_and_quotation_marks_around_nothing_raise_nothing(name: str, text: str) -> None:
    assert isinstance(read(text, table(name)), Answered | Asked | Refused)


HEADERS = ("#", "%", "—", "№", "the", "1", "(x)")
"""Each is put over one table with every change, and over the others apart."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "header"),
    [
        pytest.param(name, header, marks=() if name == SMALL[place % len(SMALL)] else pytest.mark.soak)
        for place, header in enumerate(HEADERS)
        for name in SMALL
    ],
)
def test_a_header_without_a_word_raises_nothing(name: str, header: str) -> None:
    frame = read_frame(file_ref(CASES / "tables" / f"{name}.csv"))
    asked = [pair.question for pair in pairs() if pair.table == name][::30]

    for place in (0, frame.shape[1] // 2, frame.shape[1] - 1):
        named = [header if at == place else column for at, column in enumerate(frame.columns)]
        seen = profile(name, frame.set_axis(named, axis="columns"))
        assert all(isinstance(read(text, seen), Answered | Asked | Refused) for text in asked)


@law(100)
@given(st.sampled_from(SMALL).flatmap(lambda name: st.tuples(st.just(name), st.lists(words_of(name), max_size=14))))
def test_no_row_of_known_words_raises_and_no_column_is_invented(case: tuple[str, list[str]]) -> None:
    name, words = case

    understood = read(" ".join(words), table(name))

    if isinstance(understood, Answered):
        assert used_columns(understood.winner.plan) <= set(table(name).schema_.names)
        labels = [chip.label for chip in understood.alternatives]
        assert len(set(labels)) == len(labels)
        assert "" not in labels
    elif isinstance(understood, Asked):
        said = [say_plan(option.plan) for option in understood.options]
        assert len(set(said)) == len(said)


@law(60)
@given(st.sampled_from(pairs()), st.sampled_from(["zyxwv", "qwrtp", "blorptastic"]), st.integers(0, 20))
def test_an_unknown_word_anywhere_is_never_swallowed(pair: object, word: str, place: int) -> None:
    words = pair.question.split()  # type: ignore[attr-defined]
    words.insert(min(place, len(words)), word)

    understood = read(" ".join(words), table(pair.table))  # type: ignore[attr-defined]

    match understood:
        case Answered(winner):
            # left out of a look-up, or right before a noun for the table, the reading says so in a note of its own
            noted = rf"Not used: .*“{word}”.*|“([\w-]+ )*{word} [^”]*” is taken to describe the whole of .*"
            assert word in say_plan(winner.plan) or any(re.fullmatch(noted, note) for note in winner.assumptions)
        case Asked(question):
            assert word in question
        case Refused():
            pass


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SMALL)
def test_a_question_of_five_thousand_words_is_refused_as_too_long(name: str) -> None:
    column = table(name).schema_.names[2]

    understood = read(f"average {column} by region where " * 1_000, table(name))

    assert isinstance(understood, Refused)
    assert "too long" in understood.message


@pytest.mark.parametrize(
    "tables",
    [("matches",), pytest.param((), marks=[pytest.mark.soak, pytest.mark.timeout(600)])],
    ids=["sample", "all"],
)
def test_questions_are_read_alike_in_processes_with_different_hash_seeds(tables: tuple[str, ...]) -> None:
    script = f"from tests.unit.nl.questions import transcript; import sys; sys.stdout.write(transcript(*{tables}))"

    said = []
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
        found = subprocess.run(
            [sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, check=True
        )
        said.append(found.stdout.decode("utf-8"))

    assert said[0] == said[1]
    assert said[0].count("\n") >= sum(not tables or pair.table in tables for pair in pairs()) > 0


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("name", SMALL)
def test_a_hundred_thousand_random_texts_raise_nothing_and_take_bounded_work(name: str) -> None:
    random = Random(name)
    known = table(name)
    values = [str(value) for column in known.columns for value in column.values[:20]]
    words = [*load_lexicon().phrases, *load_lexicon().filler, *known.schema_.names, *values]

    for _ in range(100_000 // len(SMALL) + 1):
        chosen = [random.choice(words) for _ in range(random.randrange(30))]
        junk = "".join(chr(random.choice((random.randrange(32, 127), random.randrange(0x110000)))) for _ in range(8))
        chosen.insert(random.randrange(len(chosen) + 1), junk)
        assert isinstance(understand(" ".join(chosen), known), Answered | Asked | Refused)


@pytest.mark.soak
def test_a_long_row_of_values_is_cut_before_its_combinations_explode() -> None:
    known = table("seattle_weather")
    text = " or ".join(value for _ in range(12) for value in ("sun", "rain", "fog", "snow", "drizzle"))
    context = context_of(known, "en")

    parsed = parse(tokenize(text), context)

    assert not parsed.complete
