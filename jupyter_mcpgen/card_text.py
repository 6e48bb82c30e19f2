"""The card as text: HTML and Markdown for pages without our extension and for MCP clients, plain for a terminal.

The saved notebook, nbconvert, a viewer on the web and a terminal all show the answer and its evidence; they also say
how to decide without a button. Whatever comes from data or from a person is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card, failed_gates, is_undecided, told_of_archived
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.feedback import OutputVerdict
from jupyter_mcpgen.model.figure import Figure
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import Evidence, Severity, Verdict, verdict_of
from jupyter_mcpgen.plan.visible import fenced, unobeyed
from jupyter_mcpgen.wording import in_name

_ROWS_SHOWN = 20
_MIDNIGHT = re.compile(r"\d{4}-\d\d-\d\dT00:00:00")
_SIGNS = {Verdict.PASSED: "✓", Verdict.FAILED: "✗", Verdict.NOT_RUN: "✗", Verdict.NOT_APPLICABLE: "–"}
_GOOD, _BAD, _NEITHER = "#1a7f37", "#b42318", "inherit"
_WHY = "Why trust this?"
_NUMBERS = ("year", "int", "real", "float", "number", "decimal")

# styles stand on the elements, because viewers that clean HTML keep them and drop style sheets
_CARD = (
    "font:14px/1.5 system-ui,sans-serif;max-width:760px;border:1px solid rgba(128,128,128,.35);"
    "border-radius:8px;padding:14px 16px"
)
_LAST = "margin-top:10px;padding-top:8px;border-top:1px solid rgba(128,128,128,.25)"
_QUIET = "opacity:.72;font-size:12.5px"
_CELL = "padding:2px 12px 2px 0;border-bottom:1px solid rgba(128,128,128,.2);font-variant-numeric:tabular-nums"


def html(card: Card) -> str:
    """Return the static card as one self-contained element, without scripts."""
    others = _others(card, _unquoted)
    parts = [
        f'<div style="{_QUIET}">{escape(card.question)}</div>',
        f'<div style="font-size:16px;font-weight:600;margin:2px 0 10px">{escape(card.reading)}</div>',
        _html_result(card),
        *map(_html_figure, card.figures),
        _html_evidence(card),
        *(f'<div style="{_QUIET};margin-top:2px">{_as_code(text)}</div>' for text in filter(None, [others])),
        *map(_html_diff, filter(None, [card.diff])),
        f'<details style="margin-top:8px"><summary>Code of {escape(card.tool_name)}</summary>'
        f'<pre style="font-size:12px;overflow:auto"><code>{escape(card.code)}</code></pre></details>',
        f'<div style="{_LAST}">{_as_code(_standing(card, _unquoted))}</div>',
    ]
    return f'<div role="region" aria-label="{escape(_title(card))}" style="{_CARD}">{"".join(parts)}</div>'


def markdown(card: Card) -> str:
    """Return the card as Markdown."""
    lines = [
        f"**{escaped(card.reading)}**",
        fenced(card.text) if card.text else markdown_table(card.table),
        escaped(_caption(card)),
        "\n".join(f"- Figure: {escaped(figure.told)}" for figure in card.figures),
        escaped(_line(card)),
        "\n".join(f"- {escaped(text)}" for text in _notes(card)),
        "\n".join([f"{_WHY}", "", *(f"- {escaped(_told(item))}" for item in card.reasons)]) if card.reasons else "",
        _others(card, escaped),
        "" if card.diff is None else _md_diff(card.diff),
        _standing(card, escaped),
    ]
    return "\n\n".join(filter(None, lines))


def markdown_table(table: Table, most: int = _ROWS_SHOWN) -> str:
    """Return the first rows of a table as Markdown."""
    columns = [escaped(column) for column in table.headers]
    rule = ["---:" if _is_number(kind) else ":---" for kind in table.types]
    rows = [[escaped(cell) for cell in row] for row in _cells(table, most)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [columns, rule, *rows])


def plain(card: Card) -> str:
    """Return the card for a terminal."""
    lines = [
        card.reading,
        card.text or plain_table(card.table),
        _caption(card),
        *(f"Figure: {figure.told}" for figure in card.figures),
        _line(card),
        *(f"  {text}" for text in _notes(card)),
        *([_WHY, *(f"  {_told(item)}" for item in card.reasons)] if card.reasons else []),
        _others(card).replace("`", ""),
        "" if card.diff is None else _plain_diff(card.diff),
        _standing(card).replace("`", ""),
    ]
    return unobeyed("\n".join(filter(None, lines)))


def _html_diff(diff: Diff) -> str:
    sentences = "".join(f"<li>{_as_code(sentence)}</li>" for sentence in diff.sentences)
    code = f'<pre style="font-size:12px;overflow:auto"><code>{escape(diff.code)}</code></pre>' if diff.code else ""
    return (
        f'<details open style="margin-top:8px"><summary>{escape(_changes_from(diff))}</summary>'
        f"<ul>{sentences}</ul>{code}</details>"
    )


def _md_diff(diff: Diff) -> str:
    code = ["", fenced(diff.code, "diff")] if diff.code else []
    return "\n".join([_changes_from(diff), "", *(f"- {escaped(each)}" for each in diff.sentences), *code])


def _plain_diff(diff: Diff) -> str:
    return "\n".join([_changes_from(diff), *(f"  {each}" for each in diff.sentences), diff.code.rstrip()]).rstrip()


def _changes_from(diff: Diff) -> str:
    return f"What changes from v{diff.before}"


def _title(card: Card) -> str:
    return f"Answer: {card.reading}"


def _others(card: Card, quote: Callable[[str], str] = str) -> str:
    """Say how else the question can be read, and how to switch; nothing once the card is decided."""
    if not card.chips or not (card.status is ToolStatus.STAGED or failed_gates(card)):
        return ""
    listed = "; ".join(f"({number}) {quote(chip.label)}" for number, chip in enumerate(card.chips, 1))
    return f"Other readings: {listed}. Switch with `%mcpgen pick {card.card_id} 1`."


def _standing(card: Card, quote: Callable[[str], str] = str) -> str:
    """Say where the card stands and what can be done from here; backticks mark commands, `quote` makes notes safe."""
    name, card_id = card.tool_name, card.card_id
    notes = f" Reason: {quote(card.feedback.notes)}" if card.feedback.notes else ""
    if card.reused:
        return f"Answered by your tool v{card.version}: `{card.signature}`."
    if card.status is ToolStatus.DRAFT:
        return (
            "Testing the code behind this answer. You can save it as a tool when that is done. "
            f"If it was interrupted, `%mcpgen approve {card_id}` runs the tests first."
        )
    if card.archived is not None:
        again = f"`%mcpgen rollback {name} {card.version}` makes it active again."
        return f"{told_of_archived(card, card.archived)} {again}"
    if card.status is ToolStatus.PROMOTED:
        return f"`{name}` {card.version} is live: Python `tools.{name}(…)`, MCP tool `{name}`."
    is_rejected = card.status is ToolStatus.REJECTED and not failed_gates(card)
    if is_rejected or card.feedback.output is OutputVerdict.REJECTED:
        return f"`{name}` was rejected and is kept in the archive.{notes}"
    if not card.sound:
        return f"`{name}` cannot be saved as a tool: its checks did not pass. Ask the question in other words."
    return (
        f"Nothing is saved yet. If the output is correct, `%mcpgen approve {card_id}` makes it a reusable tool; "
        f"`%mcpgen reject {card_id}` refuses it. In a terminal: `jupyter mcpgen approve {card_id}`."
    )


def _as_code(text: str) -> str:
    """Return a text as HTML, with the parts between backticks as code."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if index % 2 else piece for index, piece in enumerate(pieces))


def _unquoted(text: str) -> str:
    return text.replace("`", "'")


def html_table(table: Table) -> str:
    """Return the first rows of a table as HTML."""
    align = ["right" if _is_number(kind) else "left" for kind in table.types]
    head = "".join(
        f'<th style="{_CELL};text-align:{side}">{escape(column)}</th>'
        for column, side in zip(table.headers, align, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_CELL};text-align:{side}">{escape(cell)}</td>' for cell, side in zip(row, align, strict=True)
        )
        + "</tr>"
        for row in _cells(table, _ROWS_SHOWN)
    )
    rows = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<table style="border-collapse:collapse;margin:0">{rows}</table>'


def _html_result(card: Card) -> str:
    """Return the result as a table, or as the text that was asked for, and what is said of it."""
    text = f'<pre style="font-size:12px;overflow:auto;margin:0">{escape(card.text)}</pre>'
    return f'{text if card.text else html_table(card.table)}<div style="{_QUIET}">{escape(_caption(card))}</div>'


def _html_figure(figure: Figure) -> str:
    """Return a figure as an image with its data in the page; a larger one is named."""
    if not figure.content:
        return f'<div style="{_QUIET}">{escape(figure.told)}</div>'
    source = f"data:{escape(figure.type)};base64,{escape(figure.content)}"
    return f'<img alt="{escape(figure.name)}" style="max-width:100%;margin-top:8px" src="{source}">'


def _html_evidence(card: Card) -> str:
    verdict = verdict_of(card.evidence)
    tone = {Verdict.PASSED: _GOOD, Verdict.NOT_APPLICABLE: _NEITHER}.get(verdict, _BAD)
    notes = "".join(f'<div style="{_QUIET};margin-top:2px">{_as_code(text)}</div>' for text in _notes(card))
    items = "".join(f"<li>{_as_code(text)}</li>" for text in _reasons(card))
    why = f'<details style="margin-top:8px"><summary>{_WHY}</summary><ul>{items}</ul></details>' if items else ""
    asked = f" {escape(card.read_by)}" if is_undecided(card) else ""
    line = _as_code(f"{_SIGNS[verdict]} {card.evidence_sentence}")
    return f'<div style="margin-top:10px"><span style="color:{tone}">{line}</span>{asked}</div>{notes}{why}'


def _line(card: Card) -> str:
    """Return the one line of evidence, and beside it who read the question while that can still be answered."""
    sign = _SIGNS[verdict_of(card.evidence)]
    asked = card.read_by if is_undecided(card) else ""
    return " ".join(filter(None, [sign, card.evidence_sentence, asked]))


def _notes(card: Card) -> Iterator[str]:
    """Yield what the line of evidence does not say and a reader has to know."""
    yield from (f"{_SIGNS[Verdict.FAILED]} {item.message}" for item in card.findings if item.severity is Severity.ERROR)
    yield from (item.sentence for item in card.notes)
    yield from (f"Assumed: {text}" for text in card.assumptions)
    yield from (f"Not covered: {text}" for text in card.limitations)


def _reasons(card: Card) -> Iterator[str]:
    """Yield the checks that are folded away, and how to make them again later."""
    yield from map(_told, card.reasons)
    if card.verify and card.reasons:
        yield f"Check again later: `%{card.verify}`"


def _told(item: Evidence) -> str:
    """Return a check that is folded away: one that does not exist for this answer has no sign of having passed."""
    return f"{_SIGNS[Verdict.PASSED] if item.verdict is Verdict.PASSED else '·'} {item.sentence}"


def plain_table(table: Table, most: int = _ROWS_SHOWN) -> str:
    """Return the first rows of a table for a terminal."""
    rows = [list(table.columns), *_cells(table, most)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]
    right = [_is_number(kind) for kind in table.types]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    )


def _caption(card: Card) -> str:
    """Return how many rows of the result are shown, and how the code ran."""
    table = card.table
    shown = len(table.rows) if card.text else min(len(table.rows), _ROWS_SHOWN)
    part = f"Showing {shown:,} of {table.total_rows:,} rows." if shown < table.total_rows else ""
    return " ".join(filter(None, [part, card.ran]))


def _cells(table: Table, most: int) -> list[list[str]]:
    return [
        [in_name(value, kind) or _cell(_whole(value, kind)) for value, kind in zip(row, table.types, strict=True)]
        for row in table.rows[:most]
    ]


def _whole(value: Any, kind: str) -> Any:
    """Return a large whole number, which travels as text, as the number that it is."""
    return int(value) if kind == "integer" and isinstance(value, str) else value


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, str) and _MIDNIGHT.fullmatch(value):
        return value[:10]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return " ".join(str(value).split())
    # years and other small whole numbers stay as they are
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return f"{value:,.6g}" if abs(value) < 1_000 else f"{value:,.2f}"


def _is_number(kind: str) -> bool:
    return kind.lower().startswith(_NUMBERS)


def escaped(text: str) -> str:
    """Return text on one line, in which no character is Markdown."""
    one_line = " ".join(text.split())
    return "".join(f"\\{mark}" if mark in "\\|*_`<>[]#" else mark for mark in one_line)


def diff_in_markdown(diff: Diff) -> str:
    """Write a difference as sentences and a block of code that nothing in it can end."""
    sentences = "\n".join(f"- {sentence}" for sentence in diff.sentences)
    return f"{sentences}\n\n{fenced(diff.code, 'diff')}" if diff.code else sentences
