"""`jupyter mcpgen demo`: the whole product once, from a question to a tool that an MCP client calls.

It works in a folder of its own, so that nobody's registry is touched, and leaves no process behind.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from jupyter_mcpgen import warming
from jupyter_mcpgen.cli.answers import answers
from jupyter_mcpgen.cli.terminal import print_card
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.feedback import Decision, Face, OutputVerdict
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.connect import Stdio
from jupyter_mcpgen.server.data_folders import remember
from jupyter_mcpgen.settings import load_settings
from jupyter_mcpgen.verbs.words import split_options

if TYPE_CHECKING:
    from fastmcp import Client

    from jupyter_mcpgen.runtime import Runtime

# The product and the MCP client are imported where they are needed: the server and the sandbox start before.

PATIENCE_SECONDS = 30.0
"""How long a server may take to hear of a tool."""


def demo(words: Sequence[str], console: Console) -> int:
    """Run the tour: `demo [--yes]`. Returns 0 also when nobody answered: the card is then staged."""
    say_yes = "yes" in split_options(words, (), ("yes",)).options
    home = Path(tempfile.mkdtemp(prefix="mcpgen-tour-"))
    settings = load_settings(overrides={"registry.path": home / "registry"}).values
    (home / "registry" / "active").mkdir(parents=True)  # what the server watches
    with ThreadPoolExecutor(1, thread_name_prefix="mcpgen-tour") as beside:
        starting = beside.submit(launch.start, home / "registry", folder=home / "server")
        try:
            warming.begin()

            from jupyter_mcpgen.runtime import build

            runtime = build(settings)
            card, table = _ask(runtime, home / "data", console)
            card = _decide(card, runtime, console, answers(say_yes, console))
            if card.status is ToolStatus.PROMOTED:
                _call(card, table, home, starting, console)
        finally:
            starting.exception()  # it may still be starting
            launch.stop(home / "server")
    _farewell(card, home, console)
    return 0


def _ask(runtime: Runtime, folder: Path, console: Console) -> tuple[Card, Path]:
    """Ask the question of a file in a folder, and return the card and the file."""
    from jupyter_mcpgen.data.demo import crashes, seattle_weather
    from jupyter_mcpgen.pipeline.draft import Reused

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
    folder.mkdir()
    table = folder / f"{name}.parquet"
    frame.to_parquet(table)
    outcome = runtime.ask(question, runtime.reference(str(table)))
    if isinstance(outcome, Reused):
        raise AssertionError("a fresh registry has no tool to use again")
    # The registry of this tour is not the one that the command on the card would look in.
    print_card(outcome.card.replace(verify=""), console, code=True)
    console.print(f"\nAnswered and checked in {time.perf_counter() - started:.1f} s.\n")
    return outcome.card, table


def _decide(card: Card, runtime: Runtime, console: Console, answer: Callable[[str], str]) -> Card:
    """Ask the two questions; a word that decides nothing leaves the card staged after a second try."""
    console.print("[bold]3.[/] Two questions.")
    for _ in range(2):
        card = runtime.answer(
            card.card_id,
            card.fingerprint,
            "output",
            answer("Is this output correct? [Yes/No] "),
            None,
            face=Face.TERMINAL,
        )
        if card.feedback.output is not OutputVerdict.PENDING:
            break
    if card.feedback.output is not OutputVerdict.ACCEPTED:
        return card
    for _ in range(2):
        reply = answer("Save it as a reusable tool? [Approve/Reject] ")
        card = runtime.answer(card.card_id, card.fingerprint, "registration", reply, None, face=Face.TERMINAL)
        if card.feedback.decision is not Decision.PENDING:
            break
    return card


def _call(card: Card, table: Path, home: Path, starting: Future[launch.ServerStatus], console: Console) -> None:
    console.print(f"\n[bold]4.[/] `{card.tool_name}` v{card.version} is live, and MCP clients can call it.")
    remember(home / "server", file=table)  # as `ask` does: clients may then name the files beside it
    asyncio.run(_call_both_ways(card.tool_name, str(table), home, starting, console))


async def _call_both_ways(
    name: str, path: str, home: Path, starting: Future[launch.ServerStatus], console: Console
) -> None:
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    import jupyter_mcpgen.server.schemas  # noqa: F401  the MCP client imports `jsonschema`, this does it quickly

    command, *arguments = Stdio(registry=home / "registry", state=home / "server").command
    async with Client(StdioTransport(command=command, args=list(arguments), keep_alive=False)) as stdio:
        running = await asyncio.wrap_future(starting)
        async with Client(running.url, auth=running.token.get_secret_value()) as http:
            await _call_over(http, f"HTTP at {running.url}", name, path, console)
        await _call_over(stdio, "stdio", name, path, console)


async def _call_over(client: Client[Any], way: str, name: str, path: str, console: Console) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):  # a server that ran before hears of the tool in milliseconds
        tools = await client.list_tools()
        while name not in {tool.name for tool in tools}:
            await asyncio.sleep(0.1)
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
            end = f"The answer is pending. Decide later: {environment} {_command()} approve {card.card_id}"
    console.print(f"\n{end}\nThe folder is {home / 'registry'}.", markup=False, soft_wrap=True)


def _command() -> str:
    """Return how this program is called again: `make demo` runs it from an environment that is not on `PATH`."""
    return "jupyter mcpgen" if shutil.which("jupyter-mcpgen") else str(Path(sys.argv[0]).resolve())
