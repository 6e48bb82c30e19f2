"""Options are taken out of what was typed; the question keeps its words and quotes."""

from __future__ import annotations

from typing import cast

import pytest

from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.commands import (
    COMMANDS,
    OF_A_FACE,
    help_with,
    refuse_mistyped,
    refuse_more_words,
    words_of,
)
from jupyter_mcpgen.verbs.perform import ASKING, DECIDING, VERBS, perform
from jupyter_mcpgen.verbs.standing import STANDING
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
    ("text", "words"),
    [
        ("sum of  x\nin df", ["sum", "of", "x", "in", "df"]),
        ("sql SELECT 'a  b'\nFROM df", ["sql", "SELECT 'a  b'\nFROM df"]),
        ("sql --data df\n-- all\nSELECT 1", ["sql", "--data", "df", "-- all\nSELECT 1"]),
        ("sql --data='my  df' --name x  SELECT 1", ["sql", "--data='my", "df'", "--name", "x", "SELECT 1"]),
        ("sql", ["sql"]),
        ("sql --help", ["sql", "--help"]),
        ("", []),
    ],
)
def test_sql_keeps_its_blanks_and_lines(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--dta", "df"], "`--data`"),
        (["x", "--data"], "needs a value"),
        (["--data", "'my", "df"], "Add the closing quote"),
    ],
)
def test_a_wrong_option_is_refused_with_the_right_ones(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        split_options(words, ("data",))


def test_help_shows_every_verb() -> None:
    shown = help_with(()).text.replace("\\|", "|")

    assert all(command.usage in shown for command in COMMANDS.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_takes_and_does_nothing_else(name: str) -> None:
    typed = [[name, "--help"], [name, "-h"], [name, "3", "looks", "right", "-h"]]

    (said,) = {*(perform(words, NO_RUNTIME, {}).text for words in typed), help_with([name]).text}
    command = COMMANDS[name]
    assert said.startswith(f"`{command.usage}`: {command.meaning}.")
    assert all(f"- `{part}`: {PARTS[part]}" in said for part in parts_of(command.usage))


def test_every_part_that_is_explained_stands_in_a_command() -> None:
    assert {part for command in COMMANDS.values() for part in parts_of(command.usage)} == set(PARTS)


def test_every_command_is_carried_out_by_something() -> None:
    assert {*VERBS, *ASKING, *DECIDING, *STANDING, *OF_A_FACE} == set(COMMANDS)


@pytest.mark.parametrize(
    ("word", "meant"), [("lst", "list"), ("aprove", "approve"), ("hlep", "help"), ("salse", "sales")]
)
def test_one_word_that_is_nearly_a_command_or_a_table_is_no_question(word: str, meant: str) -> None:
    for follows in (False, True):
        with pytest.raises(UsageError, match=f"`{word}`. Did you mean `{meant}`?"):
            refuse_mistyped([word], ["sales"], follows=follows)


def test_a_word_after_a_command_of_files_is_a_path_unless_it_is_a_table_or_changes_a_question() -> None:
    refuse_mistyped(["analyze", "sales"], ["sales"])
    refuse_mistyped(["analyze", "returns"], ["sales"], follows=True)

    with pytest.raises(UsageError, match="There is no file or folder `nothere` here"):
        refuse_mistyped(["analyze", "nothere"], ["sales"])


@pytest.mark.parametrize("typed", ["sales", "days.csv", "./days", "total units", "aprove the sales"])
def test_a_table_a_path_and_several_words_may_be_a_question(typed: str) -> None:
    refuse_mistyped(typed.split(), ["sales"])


@pytest.mark.parametrize(
    "typed", ["list all sales", "status by day", "ask total", "stop", "undo sales", "total config"]
)
def test_only_a_command_that_takes_no_words_refuses_more(typed: str) -> None:
    refuse_more_words(typed.split())

    with pytest.raises(UsageError, match="`stop` takes no other words, so remove `it now`"):
        refuse_more_words(["stop", "it", "now"])


def test_one_word_is_a_question_only_where_it_may_change_the_one_before() -> None:
    refuse_mistyped(["median"], ["sales"], follows=True)

    with pytest.raises(UsageError, match="There is no command or table `median`"):
        refuse_mistyped(["median"], ["sales"])


@pytest.mark.parametrize(
    ("typed", "asks"), [("--help", True), ("-h", True), ("ask --data df --help", True), ("ask", False), ("", False),
                        ("approve 3 -h", True), ("undo 3 looks right -h", True), ("what is the mean of h -h", True),
                        ("what is the mean of h", False), ("approve 3 -h is an amount", False)],
)  # fmt: skip
def test_help_is_asked_for_by_its_option(typed: str, asks: bool) -> None:
    assert asks_for_help(typed.split()) is asks
