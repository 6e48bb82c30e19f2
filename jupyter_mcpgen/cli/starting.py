"""`jupyter mcpgen starter NAME…`: shows what is to be approved, and asks the person at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console

from jupyter_mcpgen.cli.answers import answers
from jupyter_mcpgen.cli.progress import progress_line
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.runtime import current
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.starting import YES, approve, make, read_words, starter

_APPROVE = "approve"


def install(words: Sequence[str], show: Callable[[str], None], console: Console) -> Said:
    """Make the tools that were named, show them, and install them if the person says so; without names list them.

    Where nobody answers, nothing is installed.
    """
    runtime, typed = current(), read_words(words)
    asks = bool(typed.words) and YES not in typed.options
    with progress_line(runtime.listeners):
        if not asks:
            return starter(words, runtime, Face.TERMINAL)
        made = make(typed.words, runtime)
    show(made.page())
    if not made.cards:
        return Said(ok=not made.failed)
    answer = answers(say_yes=False, console=console)
    number = f"{len(made.cards)} tool{'' if len(made.cards) == 1 else 's'}"
    if answer(f"Approve and sign {number}? [Approve/No] ").casefold() != _APPROVE:
        return Said(text="Nothing was installed.", ok=False)
    confirmed = [Confirms.UNCHECKED] if Confirms.UNCHECKED in typed.options else []
    if made.unchecked and not confirmed:
        names = ", ".join(card.tool_name for card in made.unchecked)
        read = answer(f"Nothing computes the results of {names} a second time. Did you read their code? [Yes/No] ")
        confirmed = [Confirms.UNCHECKED] if read.casefold() == YES else []
    return approve(made, confirmed, runtime, Face.TERMINAL)
