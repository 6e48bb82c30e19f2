"""Options are taken out of what was typed; the question keeps its words and quotes."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.verbs.perform import VERBS, usage
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options


def test_options_are_taken_out_wherever_they_stand() -> None:
    typed = split_options(["--data", "df", "what's", "new", "--name=mine", "--yes"], ("data", "name"), ("yes",))

    assert typed == Typed(("what's", "new"), {"data": "df", "name": "mine", "yes": "yes"})
    assert typed.text == "what's new"


@pytest.mark.parametrize("quote", ["'", '"'])
def test_the_value_of_an_option_may_have_blanks_in_quotes(quote: str) -> None:
    typed = split_options(
        ["--data", f"{quote}my", f"sales.csv{quote}", "units", f"--name={quote}a{quote}"], ("data", "name")
    )

    assert typed == Typed(("units",), {"data": "my sales.csv", "name": "a"})


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--dta", "df"], "`--data`"), (["x", "--data"], "needs a value"), (["--data", "'my", "df"], "Close the quote")],
)
def test_a_wrong_option_is_refused_with_the_right_ones(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        split_options(words, ("data",))


def test_help_shows_every_verb() -> None:
    shown = usage().text.replace("\\|", "|")

    assert all(verb.usage in shown for verb in VERBS.values())
