"""One command of the terminal: carried out by the verbs, printed with rich."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.markdown import Markdown

from jupyter_mcpgen.cli.terminal import print_card, print_table
from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.runtime import Runtime, current
from jupyter_mcpgen.verbs.perform import VERBS, help_with, perform
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.serving import stdio_command
from jupyter_mcpgen.verbs.usage import asks_for_help
from jupyter_mcpgen.verbs.words import UsageError


def run(words: Sequence[str]) -> int:
    """Carry out a command and print what it says."""
    console = Console(soft_wrap=False)
    try:
        if asks_for_help(words):
            return _print(help_with(words[:1]), console)
        if words[0] == "demo":
            from jupyter_mcpgen.cli.demo import demo  # deferred: the MCP client is needed for the tour only

            return demo(words[1:], console)
        if words[0] == "eval":
            from jupyter_mcpgen.cli.evaluate import evaluate  # deferred: used apart from everything else

            return evaluate(words[1:])
        if list(words[:2]) == ["serve", "--stdio"]:
            return _serve_stdio(current())
        if words[0] not in VERBS and " " not in words[0]:
            raise UsageError(f"There is no command `{words[0]}`. `jupyter mcpgen help` lists them.")
        return _print(perform(words, current(), {}), console)
    except UsageError as error:
        Console(stderr=True).print(_markdown(str(error)))
        return 2
    except McpgenError as error:
        Console(stderr=True).print(_markdown(str(error)))
        return 1


HERE, IN_A_NOTEBOOK = "jupyter mcpgen ", "%mcpgen "
"""What stands before a command in a terminal, and in the messages that are written for notebooks."""


def _print(said: Said, console: Console) -> int:
    if said.answer is not None:
        card = said.answer.stage().card
        if card is not None:
            print_card(card, console)
        else:
            console.print(_markdown(said.answer.question or said.answer.refusal or ""))
    if said.card is not None:
        print_card(said.card, console)
    if said.frame is not None:
        print_table(table_of(said.frame), console)
    if said.text:
        console.print(_markdown(said.text))
    return 0 if said.ok else 1


def _markdown(text: str) -> Markdown:
    """Return Markdown that only shows: names and values of a table stand in it."""
    return Markdown(unobeyed(as_typed_here(text)))


def as_typed_here(text: str) -> str:
    """Return a message with its commands as a terminal takes them; one that says both ways stays as it is."""
    return text if f"`{HERE}" in text else text.replace(f"`{IN_A_NOTEBOOK}", f"`{HERE}")


def _serve_stdio(runtime: Runtime) -> int:
    """Become the server process: a client that started us talks to it directly."""
    command = stdio_command(runtime)
    sys.stdout.flush()
    os.execv(command[0], list(command))  # noqa: S606  our own interpreter and module, no shell
    return 1
