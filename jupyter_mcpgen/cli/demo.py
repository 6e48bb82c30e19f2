"""`jupyter mcpgen demo`: the whole product once, from a question to a tool that an MCP client calls.

It works in a folder of its own, so that nobody's registry is touched, and leaves no process behind.
"""

from __future__ import annotations

import asyncio
import getpass
import select
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from rich.console import Console

from jupyter_mcpgen.cli.terminal import print_card
from jupyter_mcpgen.data.demo import crashes, seattle_weather
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.pipeline.flow import Reused
from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.connect import Stdio
from jupyter_mcpgen.settings import load_settings
from jupyter_mcpgen.verbs.words import split_options

PATIENCE_SECONDS = 2.0
"""How long answers are waited for when standard input is not a terminal."""


def demo(words: Sequence[str], console: Console) -> int:
    """Run the tour: `demo [--yes]`. Returns 0 also when nobody answered: the card is then staged."""
    say_yes = "yes" in split_options(words, (), ("yes",)).options
    home = Path(tempfile.gettempdir()) / f"mcpgen-tour-{getpass.getuser()}"
    shutil.rmtree(home, ignore_errors=True)
    runtime = build(load_settings(overrides={"registry.path": home / "registry"}).values)
    card, path = _ask(runtime, console)
    card = _decide(card, runtime, console, _answers(say_yes, console))
    if card.status is ToolStatus.PROMOTED:
        _serve_and_call(card, path, runtime, home / "server", console)
    _farewell(card, home, console)
    return 0


def _ask(runtime: Runtime, console: Console) -> tuple[Card, str]:
    try:
        name, frame, question = (
            "seattle_weather",
            seattle_weather(),
            "total precipitation by weather in seattle_weather",
        )
        console.print(f"[bold]1.[/] A real table: {len(frame):,} days of weather in Seattle.")
    except DataError:
        name, frame, question = "crashes", crashes(), "how do fatal injuries vary by weather in crashes"
        console.print(f"[bold]1.[/] A synthetic table of {len(frame):,} crashes (`vega_datasets` is not installed).")
    console.print(f'[bold]2.[/] The question: "{question}"\n')
    started = time.perf_counter()
    reference = runtime.reference(name, frame)
    outcome = runtime.ask(question, reference)
    if isinstance(outcome, Reused):
        raise AssertionError("a fresh registry has no tool to use again")
    print_card(outcome.card, console, code=True)
    console.print(f"\nAnswered, checked and staged in {time.perf_counter() - started:.1f} s.\n")
    return outcome.card, reference.path


def _decide(card: Card, runtime: Runtime, console: Console, answer: Callable[[str], str]) -> Card:
    """Ask the two questions; a word that decides nothing leaves the card staged after a second try."""
    console.print("[bold]3.[/] Two questions.")
    for _ in range(2):
        card = runtime.answer(
            card.card_id, card.fingerprint, "output", answer("Is this output correct? [Yes/No] "), None
        )
        if card.feedback.output is not OutputVerdict.PENDING:
            break
    if card.feedback.output is not OutputVerdict.ACCEPTED:
        return card
    for _ in range(2):
        reply = answer("Save it as a reusable tool? [Approve/Reject] ")
        card = runtime.answer(card.card_id, card.fingerprint, "registration", reply, None)
        if card.feedback.decision is not Decision.PENDING:
            break
    return card


def _answers(say_yes: bool, console: Console) -> Callable[[str], str]:
    """Return who answers: `--yes`, a person at a terminal, or the lines of standard input; silence is no answer."""

    def from_option(prompt: str) -> str:
        answer = "Approve" if "Approve" in prompt else "Yes"
        console.print(f"   {prompt}{answer}   (--yes)", markup=False)
        return answer

    def from_input(prompt: str) -> str:
        console.print(f"   {prompt}", end="", markup=False)
        if not sys.stdin.isatty() and not select.select([sys.stdin], [], [], PATIENCE_SECONDS)[0]:
            console.print("(nobody answers)", markup=False)
            return ""
        line = sys.stdin.readline().strip()
        if not sys.stdin.isatty():
            console.print(line or "(nobody answers)", markup=False)
        return line

    return from_option if say_yes else from_input


def _serve_and_call(card: Card, path: str, runtime: Runtime, state: Path, console: Console) -> None:
    console.print(f"\n[bold]4.[/] `{card.tool_name}` v{card.version} is promoted. The MCP server starts.")
    running = launch.start(runtime.registry.root, folder=state)
    try:
        client: Client[Any] = Client(running.url, auth=running.token.get_secret_value())
        asyncio.run(_call(client, f"HTTP at {running.url}", card.tool_name, path, console))
    finally:
        launch.stop(state)
    command, *arguments = Stdio(registry=runtime.registry.root, state=state).command
    stdio: Client[Any] = Client(StdioTransport(command=command, args=list(arguments)))
    asyncio.run(_call(stdio, "stdio", card.tool_name, path, console))


async def _call(client: Client[Any], way: str, name: str, path: str, console: Console) -> None:
    async with client:
        tools = await client.list_tools()
        started = time.perf_counter()
        result = await client.call_tool(name, {"file_path": path})
        spent = (time.perf_counter() - started) * 1000
    rows = (result.structured_content or {}).get("row_count")
    console.print(
        f"   Over {way}: {len(tools)} tools listed, `{name}` answered with {rows} rows in {spent:.0f} ms.", markup=False
    )


def _farewell(card: Card, home: Path, console: Console) -> None:
    match card.status:
        case ToolStatus.PROMOTED:
            end = "The server has stopped; the tool stays in the registry."
        case ToolStatus.REJECTED:
            end = "The tool is archived with the reason and cannot be called."
        case _:
            environment = f"MCPGEN_REGISTRY__PATH={home / 'registry'}"
            end = f"The card is staged. Decide later: {environment} jupyter mcpgen approve {card.card_id}"
    console.print(f"\n{end}\nEverything lies in {home / 'registry'}.", markup=False, soft_wrap=True)
