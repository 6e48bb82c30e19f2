"""A card in a terminal says each piece of evidence once, and what failed always."""

from __future__ import annotations

import io

from rich.console import Console

from jupyter_mcpgen.cli.here import as_typed_here
from jupyter_mcpgen.cli.terminal import print_card
from jupyter_mcpgen.errors import UnknownTool
from tests.builders import draft


def drawn(*, sound: bool) -> str:
    out = io.StringIO()
    print_card(draft(sound=sound).card, Console(file=out, width=120))
    return out.getvalue()


def test_a_check_that_the_sentence_of_the_card_says_is_not_said_again() -> None:
    assert drawn(sound=True).count("389 = column total.") == 1


def test_a_check_that_failed_is_said_once_and_marked() -> None:
    shown = drawn(sound=False)

    assert "✗ 389 = column total." in shown
    assert shown.count("389 = column total.") == 1


def test_a_message_for_notebooks_names_its_command_as_a_terminal_takes_it() -> None:
    assert "`jupyter mcpgen list` shows all of them." in as_typed_here(str(UnknownTool("mean_prce")))


def test_a_message_that_says_both_ways_stays_as_it_is() -> None:
    both = "Run `jupyter mcpgen prewarm`, or `%mcpgen prewarm` in a notebook."

    assert as_typed_here(both) == both
