"""The card as a MIME bundle: data for our extension, and the card as text for every page that does not have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jupyter_mcpgen import asking_text, overview_text
from jupyter_mcpgen.card_text import escaped, html, markdown, markdown_table, plain, plain_table
from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.lab.messages import CARD_MIME, OVERVIEW_MIME, QUESTION_MIME
from jupyter_mcpgen.model.asking import Asking
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.overview import Overview
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.plan.visible import unobeyed, without_pictures

_NO_ANSWER = "**No answer.** "


def bundle(card: Card) -> dict[str, Any]:
    """Return what `display` publishes for a card, with `raw=True`."""
    return {
        CARD_MIME: card.model_dump(mode="json"),
        "text/html": html(card),
        "text/markdown": markdown(card),
        "text/plain": plain(card),
    }


def asking_bundle(asking: Asking) -> dict[str, Any]:
    """Return what `display` publishes for a question on its way, with `raw=True`.

    It has the type of a card, so that a page keeps what it shows when the card comes.
    """
    return {
        CARD_MIME: asking.model_dump(mode="json"),
        "text/html": asking_text.html(asking),
        "text/markdown": asking_text.markdown(asking),
        "text/plain": asking_text.plain(asking),
    }


def failure_bundle(error: McpgenError) -> dict[str, Any]:
    """Return what `display` publishes where something could not be done, with `raw=True`."""
    said = f"**Not done.** {error}"
    return {"text/markdown": without_pictures(said), "text/plain": unobeyed(said)}


def question_bundle(question: QuestionBack) -> dict[str, Any]:
    """Return what `display` publishes for a question asked back, with `raw=True`."""
    how = f"Or pick a reading by its number: %mcpgen pick {question.question_id} 1" if question.options else ""
    start = _NO_ANSWER if question.is_refusal else ""
    text = escaped(question.text) if question.options else without_pictures(question.text)
    written = [f"{start}{text}", *_options(question, markdown_table), escaped(how), question.way_on]
    typed = [f"{start}{question.text}", *_options(question, plain_table), how, question.way_on.replace("`", "")]
    return {
        QUESTION_MIME: question.model_dump(mode="json"),
        "text/markdown": "\n\n".join(filter(None, written)),
        "text/plain": unobeyed("\n".join(filter(None, typed))),
    }


def overview_bundle(overview: Overview) -> dict[str, Any]:
    """Return what `display` publishes for a first look at a table, with `raw=True`."""
    return {
        OVERVIEW_MIME: overview.model_dump(mode="json"),
        "text/markdown": overview_text.markdown(overview),
        "text/plain": overview_text.plain(overview),
    }


def _options(question: QuestionBack, write: Callable[[Table], str]) -> Iterator[str]:
    """Yield the results of the readings that have some, each under its number."""
    for number, option in enumerate(question.options, 1):
        if option.table is not None or option.without:
            yield f"({number}) {escaped(option.reading) if write is markdown_table else option.reading}"
            yield write(option.table) if option.table is not None else option.without
