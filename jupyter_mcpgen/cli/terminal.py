"""Draws cards and tables in a terminal."""

from __future__ import annotations

from rich.console import Console, Group
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table as Grid
from rich.text import Text

from jupyter_mcpgen.cli.columns import written
from jupyter_mcpgen.cli.here import as_typed_here
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card, failed_gates, is_undecided, told_of_archived
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import Severity, Verdict, verdict_of
from jupyter_mcpgen.plan.visible import unobeyed

SHOWN_ROWS = 12
_MARKS = {Verdict.PASSED: ("✓", "green"), Verdict.NOT_APPLICABLE: ("–", "bold")}


def print_card(card: Card, console: Console, *, code: bool = False) -> None:
    """Print a card: reading, result, evidence, assumptions, and how to decide."""
    print_answer(card, console)
    print_rest(card, console, code=code)


def print_answer(card: Card, console: Console, *, table: bool = True) -> None:
    """Print what a card answers: reading, result and the evidence line. It does not wait for the gates of the tool."""
    console.print(
        Panel(_shown(card.reading, style="bold"), title=_shown(card.question), title_align="left", expand=False)
    )
    for number, chip in enumerate(card.chips, 1):
        console.print(_shown(f"  or ({number}) {chip.label}", style="dim"))
    if table and not card.text:
        print_table(card.table, console)
    elif table:
        console.print(unobeyed(card.text), markup=False, highlight=False, soft_wrap=True)
    sign, style = _MARKS.get(verdict_of(card.evidence), ("✗", "bold red"))
    console.print(_shown(f"{sign} {card.evidence_sentence}", style=style))
    if card.read_by and is_undecided(card):
        console.print(_shown(card.read_by))


def print_rest(card: Card, console: Console, *, code: bool = False) -> None:
    """Print the rest of a card: exceptions, assumptions, the other checks, and how to decide."""
    for finding in card.findings:
        if finding.severity is Severity.ERROR:
            console.print(_shown(f"  ✗ {finding.message}", style="bold red"))
    for note in card.notes:
        console.print(_shown(f"  {as_typed_here(note.sentence)}"))
    for label, texts in (("Assumed", card.assumptions), ("Not covered", card.limitations)):
        for text in texts:
            console.print(_shown(f"  {label}: {text}", style="dim"))
    if card.reasons:
        console.print(_shown("  Why trust this?", style="dim"))
    for item in card.reasons:
        console.print(_shown(f"    {'✓' if item.verdict is Verdict.PASSED else '–'} {item.sentence}", style="dim"))
    if card.diff is not None:
        print_diff(card.diff, console)
    told = " ".join(filter(None, [f"{card.sandbox}.", card.ran, *card.permissions]))
    console.print(_shown(f"  Sandbox: {told}", style="dim"))
    if card.verify:
        console.print(_shown(f"  Check again later: jupyter {card.verify}", style="dim"))
    if code:
        console.print(Syntax(unobeyed(card.code), "python", theme="ansi_dark", background_color="default"))
    console.print(_shown(_standing(card)))


def print_diff(diff: Diff, console: Console) -> None:
    """Print what the next version of a tool changes."""
    console.print(_shown(f"  What changes from v{diff.before}", style="bold"))
    for sentence in diff.sentences:
        console.print(_shown(f"    {sentence}"))
    if diff.code:
        console.print(Syntax(unobeyed(diff.code), "diff", theme="ansi_dark", background_color="default"))


def print_options(question: QuestionBack, console: Console) -> None:
    """Print the results of the readings of a question beside each other, where they have some."""
    shown = [
        Panel(
            Group(
                _shown(option.reading, style="bold"),
                _grid(option.table) if option.table is not None else _shown(option.without),
            ),
            title=f"({number})",
            title_align="left",
        )
        for number, option in enumerate(question.options, 1)
        if option.table is not None or option.without
    ]
    if shown:
        beside = Grid.grid(expand=True)
        for _ in shown:
            beside.add_column(ratio=1)
        beside.add_row(*shown)
        console.print(beside)


def print_table(table: Table, console: Console) -> None:
    """Print the first rows of a table; numbers stand to the right."""
    console.print(_grid(table))
    if table.total_rows > SHOWN_ROWS:
        console.print(_shown(f"showing {min(SHOWN_ROWS, len(table.rows))} of {table.total_rows:,} rows", style="dim"))


def _grid(table: Table) -> Grid:
    grid = Grid(header_style="bold", show_edge=False, pad_edge=False)
    for name, kind in zip(table.columns, table.types, strict=True):
        grid.add_column(_shown(name), justify="right" if kind in ("integer", "real", "year") else "left")
    shown = table.rows[:SHOWN_ROWS]
    columns = [
        written(name, kind, [row[place] for row in shown])
        for place, (name, kind) in enumerate(zip(table.columns, table.types, strict=True))
    ]
    for cells in zip(*columns, strict=True):
        grid.add_row(*map(_shown, cells))
    return grid


def _standing(card: Card) -> str:
    match card.status:
        case ToolStatus.STAGED:
            return (
                f"{card.tool_name} v{card.version} is pending as {card.card_id}. "
                f"Save it: jupyter mcpgen approve {card.card_id}. "
                f"Reject it: jupyter mcpgen reject {card.card_id} REASON."
            )
        case ToolStatus.REJECTED if failed_gates(card):
            return f"{card.tool_name} cannot be approved, because its checks did not pass."
        case ToolStatus.DRAFT:
            command = f"jupyter mcpgen approve {card.card_id}"
            return f"The checks of {card.tool_name} did not finish. Run them and save it: {command}."
        case ToolStatus.PROMOTED if card.reused:
            return f"Answered by your tool v{card.version}: {card.signature}"
        case ToolStatus.PROMOTED if card.archived is not None:
            told = told_of_archived(card, card.archived).replace("`", "")
            return f"{told} Make it active again: jupyter mcpgen rollback {card.tool_name} {card.version}."
        case ToolStatus.PROMOTED:
            return f"{card.tool_name} v{card.version} is live: {card.signature}"
        case _:
            return f"{card.tool_name} is {card.status.value.lower()}."


def _shown(text: str, style: str = "") -> Text:
    """Return text that is shown as it is: a cell may not repaint the evidence."""
    return Text(unobeyed(text), style=style)
