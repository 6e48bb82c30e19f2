"""How far a question is, as text: for pages without our extension, for saved notebooks and for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from jupyter_mcpgen import card_text
from jupyter_mcpgen.model.asking import Asking, AskingState, StepState, StepTime
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.wording import in_milliseconds

STOPPED = "Stopped."
FIRST = "First result, by SQL. It is being checked:"
INTERRUPT = "To stop it, interrupt the kernel."
_STATES = {
    StepState.WAITING: "{step}",
    StepState.RUNNING: "{step} …",
    StepState.DONE: "{step} {time}",
    StepState.SKIPPED: "{step} –",
    StepState.STOPPED: "{step} stopped",
}


def plain(asking: Asking) -> str:
    """Return it for a terminal, or the answer where that is there."""
    if asking.card is not None and asking.state is AskingState.GOING:
        return card_text.plain(asking.card)
    first = [FIRST, card_text.plain_table(asking.first)] if asking.first is not None else []
    return unobeyed("\n".join([*_lines(asking), *first]))


def markdown(asking: Asking) -> str:
    """Return it as Markdown, or the answer where that is there."""
    if asking.card is not None and asking.state is AskingState.GOING:
        return card_text.markdown(asking.card)
    first = [FIRST, card_text.markdown_table(asking.first)] if asking.first is not None else []
    return "\n\n".join([*(card_text.escaped(line) for line in _lines(asking)), *first])


def html(asking: Asking) -> str:
    """Return it as HTML without scripts, or the answer where that is there."""
    if asking.card is not None and asking.state is AskingState.GOING:
        return card_text.html(asking.card)
    first = "" if asking.first is None else f"<div>{FIRST}</div>{card_text.html_table(asking.first)}"
    return "".join(f"<div>{escape(line)}</div>" for line in _lines(asking)) + first


def strip_of(asking: Asking) -> str:
    """Return the steps on one line: `read 0.2 seconds · write 3.1 ms · check … · run`."""
    return " · ".join(map(_said, asking.steps))


def _lines(asking: Asking) -> Iterator[str]:
    yield asking.question
    if asking.reading:
        yield f"Read as: {asking.reading}"
    if asking.chips:
        yield f"Or: {'; '.join(chip.label for chip in asking.chips if not chip.chosen)}"
    yield asking.doing or strip_of(asking)
    if asking.state is AskingState.STOPPED:
        yield STOPPED
    elif asking.state is AskingState.GOING:
        yield INTERRUPT


def _said(step: StepTime) -> str:
    return _STATES[step.state].format(step=step.step.value, time=in_milliseconds(step.milliseconds))
