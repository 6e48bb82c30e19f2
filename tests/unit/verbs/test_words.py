"""Options are taken out of what was typed; the question keeps its words and quotes."""

from __future__ import annotations

from typing import cast

import pytest

from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.perform import OF_A_FACE, VERBS, help_with, perform
from jupyter_mcpgen.verbs.usage import PARTS, asks_for_help, parts_of
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options

NO_RUNTIME = cast("Runtime", None)
"""Help needs none."""


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
    shown = help_with(()).text.replace("\\|", "|")

    assert all(verb.usage in shown for verb in VERBS.values())
    assert all(usage in shown for usage, _ in OF_A_FACE.values())


@pytest.mark.parametrize("name", [*VERBS, *OF_A_FACE])
def test_every_command_says_what_it_takes_and_does_nothing_else(name: str) -> None:
    typed = [[name, "--help"], [name, "-h"], [name, "3", "looks", "right", "-h"]]

    (said,) = {*(perform(words, NO_RUNTIME, {}).text for words in typed), help_with([name]).text}
    usage, meaning = OF_A_FACE[name] if name in OF_A_FACE else (VERBS[name].usage, VERBS[name].meaning)
    assert said.startswith(f"`{usage}`: {meaning}.")
    assert all(f"- `{part}`: {PARTS[part]}" in said for part in parts_of(usage))


def test_every_part_that_is_explained_stands_in_a_command() -> None:
    usages = [*(verb.usage for verb in VERBS.values()), *(usage for usage, _ in OF_A_FACE.values())]

    assert {part for usage in usages for part in parts_of(usage)} == set(PARTS)


@pytest.mark.parametrize(
    ("typed", "asks"), [("--help", True), ("-h", True), ("ask --data df --help", True), ("ask", False), ("", False),
                        ("approve 3 -h", True), ("undo 3 looks right -h", True), ("what is the mean of h -h", True),
                        ("what is the mean of h", False), ("approve 3 -h is an amount", False)],
)  # fmt: skip
def test_help_is_asked_for_by_its_option(typed: str, asks: bool) -> None:
    assert asks_for_help(typed.split()) is asks
