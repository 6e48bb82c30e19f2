"""One command of the terminal: carried out by the verbs, printed with rich."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from jupyter_mcpgen.cli.figures import take_folder, told_figures
from jupyter_mcpgen.cli.here import as_typed_here
from jupyter_mcpgen.cli.rows import Rows, take_rows
from jupyter_mcpgen.errors import McpgenError, QuestionStopped
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.verbs.commands import command_of, help_with, question_of, refuse_mistyped, refuse_more_words
from jupyter_mcpgen.verbs.said import NOT_AGREED, Proposal, Said
from jupyter_mcpgen.verbs.usage import asks_for_help
from jupyter_mcpgen.verbs.words import UsageError

# Modules that load pydantic, the registry, pandas or the planner are imported where they are needed: `help` loads none
# of them, `list` and `status` only the first two.


def run(words: Sequence[str]) -> int:
    """Carry out a command and print what it says."""
    try:
        if asks_for_help(words):
            return _print(help_with(words[:1]))
        if words[0] == "demo":
            from jupyter_mcpgen.cli.demo import demo

            return demo(words[1:], Console(soft_wrap=False))
        if words[0] == "starter":
            from jupyter_mcpgen.cli.starting import install

            console = Console(soft_wrap=False)
            return _print(install(words[1:], lambda text: console.print(_markdown(text)), console))
        if words[0] == "eval":
            from jupyter_mcpgen.cli.evaluate import evaluate

            return evaluate(words[1:])
        if list(words[:2]) == ["serve", "--stdio"]:
            return _serve_stdio(words[2:])
        rows, folder = None, None
        if command_of(words) in _RUNNING:
            rows, words = take_rows(words)
            folder, words = take_folder(words)
        return _print(_said(words), rows, folder)
    except UsageError as error:
        _complain(str(error))
        return 2
    except QuestionStopped:
        raise KeyboardInterrupt from None
    except McpgenError as error:
        _complain(str(error))
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        _complain(_said_of(error))
        return 1


_RUNNING = (None, "ask", "sql", "run", "pick", "adjust", "edit", "result")
"""What runs a tool; no command is a question."""


def _said(words: Sequence[str]) -> Said:
    command = command_of(words)
    if command == "help":
        return help_with(words[1:])
    if command is None:
        refuse_mistyped(words)
    refuse_more_words(words)
    from jupyter_mcpgen.opening import open_configured
    from jupyter_mcpgen.settings import load_settings
    from jupyter_mcpgen.verbs.standing import STANDING

    if command is not None and command in STANDING:
        settings = load_settings().values
        return STANDING[command](words[1:], settings, open_configured(settings, indexed=False))
    if command in _RUNNING:
        from jupyter_mcpgen import warming

        warming.begin()  # its processes import pandas while this one imports the rest
    from jupyter_mcpgen.cli.progress import progress_line
    from jupyter_mcpgen.model.feedback import Face
    from jupyter_mcpgen.runtime import current
    from jupyter_mcpgen.verbs.perform import perform

    runtime, question = current(), question_of(words)
    if question is not None:
        from jupyter_mcpgen.asking_lines import AskingLines

        return AskingLines(question).attend(lambda course: perform(words, runtime, {}, Face.TERMINAL, course))
    with progress_line(runtime.listeners):
        return perform(words, runtime, {}, Face.TERMINAL)


def _print(said: Said, rows: Rows | None = None, folder: Path | None = None) -> int:
    """Print what was said; where rows are wanted, standard output has the rows alone."""
    console = Console(soft_wrap=False, stderr=rows is not None)
    card = said.card if said.answer is None else said.answer.card
    if card is not None:
        from jupyter_mcpgen.cli.terminal import print_answer, print_rest

        print_answer(card, console, table=rows is None)
        for line in told_figures(card.figures, folder):
            console.print(_markdown(line))
        if said.answer is not None:  # its code is tested while a person reads
            from jupyter_mcpgen.asking_lines import AskingLines

            card = said.answer.stage_while(AskingLines(card.question).attend).card or card
        print_rest(card, console)
    elif said.answer is not None:
        console.print(_markdown(said.answer.question or said.answer.refusal or ""))
        if said.answer.question_back is not None:
            from jupyter_mcpgen.cli.terminal import print_options

            print_options(said.answer.question_back, console)
    if said.frame is not None and rows is None:
        from jupyter_mcpgen.cli.terminal import print_table
        from jupyter_mcpgen.pipeline.trial import table_of

        print_table(table_of(said.frame), console)
    alone = said.code if said.secret is None else f"{said.secret.get_secret_value()}\n"
    if alone:  # alone on standard output, to be kept in a file or handed on
        if said.text:
            _complain(said.text)
        sys.stdout.write(alone if alone.endswith("\n") else f"{alone}\n")
    elif said.text:
        console.print(_markdown(said.text))
    if said.proposal is not None:
        return _proposed(said.proposal, console)
    for line in told_figures(said.figures, folder):
        console.print(_markdown(line))
    if rows is not None and (said.frame is not None or card is not None):
        wanted = said.all_rows if said.ok else None
        told = "No rows were written, because the checks failed." if wanted is None else rows.write(wanted)
        console.print(_markdown(told))
    return 0 if said.ok else 1


def _proposed(proposal: Proposal, console: Console) -> int:
    """Ask a person at the terminal, and do what was proposed if they agree; nobody's answer is a no."""
    if not (sys.stdin is not None and sys.stdin.isatty()):
        console.print(_markdown(NOT_AGREED))
        return 1
    console.print(f"{proposal.question} [y/N] ", end="", markup=False)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        console.print("Nothing was changed.")
        return 1
    return _print(proposal.carry_out())


def _said_of(error: OSError) -> str:
    if error.filename is None and isinstance(error, FileNotFoundError):
        return "The current folder does not exist any more. Go to another one and try again."
    place = f"`{error.filename}`: " if error.filename else ""
    return f"{place}{error.strerror or error}."


def _complain(text: str) -> None:
    Console(stderr=True).print(_markdown(text))


def _markdown(text: str) -> Markdown:
    """Return Markdown that only shows: names and values of a table stand in it."""
    return Markdown(unobeyed(as_typed_here(text)))


def _serve_stdio(words: Sequence[str]) -> int:
    """Become the server process: a client that started us talks to it directly."""
    if words:
        raise UsageError(f"`serve --stdio` takes no other arguments, so remove `{words[0]}`.")
    from jupyter_mcpgen.registry.store import Registry
    from jupyter_mcpgen.settings import load_settings
    from jupyter_mcpgen.verbs.serving import stdio_command

    command = stdio_command(Registry(load_settings().values.registry_path))
    sys.stdout.flush()
    os.execv(command[0], list(command))  # noqa: S606  our own interpreter and module, no shell
    return 1
