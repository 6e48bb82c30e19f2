"""The commands: how each is written and what it does, and whether what was typed is one or a question."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.usage import described
from jupyter_mcpgen.verbs.words import UsageError

_NEAR = 0.7
"""How alike a mistyped word and a command are: `lst` and `list`, but not `first` and `list`."""


@dataclass(frozen=True)
class Command:
    """One thing to say: how it is written and what it does.

    A command with a bound on the words after it is also how a question begins: with more, it is a question.
    """

    usage: str
    meaning: str
    most_words: int | None = None


COMMANDS: Mapping[str, Command] = {
    "ask": Command(
        "ask [--data NAME|PATH] [--with NAME|PATH] [--name TOOL] [--json] [--csv] [--output FILE] QUESTION",
        "answer a question of a table, or of two",
    ),
    "why": Command("why [--data NAME|PATH] [--with NAME|PATH] [QUESTION]", "how a question was understood, with costs"),
    "list": Command("list", "the tools that are kept, and the cards that wait", 0),
    "show": Command("show ID|NAME", "a card, as it stands now", 1),
    "run": Command("run NAME --data NAME|PATH [--with NAME|PATH] [parameter=value …]", "call a tool"),
    "approve": Command("approve [ID] [--name TOOL] [NOTE]", "accept a result and save its tool"),
    "accept": Command("accept [ID] [NOTE]", "accept an output, keep no tool"),
    "reject": Command("reject [ID] [REASON]", "archive a card with the reason"),
    "pick": Command("pick [ID] NUMBER|LABEL", "answer in another reading"),
    "explain": Command("explain [ID] ROW [COLUMN]", "the rows behind a figure", 3),
    "reopen": Command("reopen ID", "let an expired card wait for a decision again"),
    "undo": Command("undo NAME", "take back the latest promotion of a tool"),
    "serve": Command("serve [--port N]", "start the MCP server"),
    "stop": Command("stop", "stop the MCP server"),
    "status": Command("status", "whether it runs, and how clients connect", 0),
    "config": Command("config", "every setting and where it came from"),
    "doctor": Command("doctor", "attack the sandbox and check the registry"),
    "prewarm": Command("prewarm", "compile the WebAssembly runtimes"),
    "help": Command("help [COMMAND]", "this list, or what a command takes", 1),
    "demo": Command("demo", "the sample frame `crashes`; in a terminal the whole tour, with `--yes` also its answers"),
    "eval": Command(
        "eval [--tables DIR] [--language en|de] [--force-best]",
        'in a terminal: answer lines of `{"id", "question", "table"}` from standard input, and keep nothing',
    ),
}
OF_A_FACE = ("demo", "eval")
"""What a notebook or a terminal does by itself."""


def command_of(words: Sequence[str]) -> str | None:
    """Return the command that was typed, or None where the words are a question."""
    first, *rest = words or ("help",)
    command = COMMANDS.get(first)
    if command is None or first in OF_A_FACE or _asks_to_run(first, rest):
        return None
    most = command.most_words
    return first if most is None or len(rest) <= most else None  # "show crashes where …" and "list all …" ask


def _asks_to_run(first: str, rest: Sequence[str]) -> bool:
    """Tell whether "run" begins a question, such as "run ANOVA across groups": no data and no parameter is given."""
    return first == "run" and len(rest) > 1 and not any("=" in word or word.startswith("--") for word in rest)


def refuse_mistyped(words: Sequence[str], tables: Collection[str] = (), *, follows: bool = False) -> None:
    """Raise `UsageError` for a single word that is neither a command nor a table: it is no question.

    Where a question `follows` another, one word may change it ("median"); one that is nearly a command does not.
    """
    (word,) = words if len(words) == 1 else ("",)
    if not word or len(word.split()) > 1 or word in tables or "/" in word or Path(word).suffix:
        return
    near = get_close_matches(word.casefold(), [*COMMANDS, *tables], n=1, cutoff=_NEAR)
    if near or not follows:
        hint = f" Did you mean `{near[0]}`?" if near else ""
        tables_too = " or table" if tables else ""
        raise UsageError(f"There is no command{tables_too} `{word}`.{hint} `%mcpgen help` lists the commands.")


def help_with(words: Sequence[str]) -> Said:
    """Say what a command takes, or list all of them."""
    known = COMMANDS.get(words[0]) if words else None
    if known is not None:
        return Said(text=described(known.usage, known.meaning))
    rows = "\n".join(f"| `{_cell(command.usage)}` | {command.meaning} |" for command in COMMANDS.values())
    return Said(
        text="Type a question of a table, or one of these after `%mcpgen` (in a terminal after `jupyter mcpgen`). "
        "`help COMMAND` says more.\n\n"
        f"| | |\n|---|---|\n{rows}"
    )


def _cell(text: str) -> str:
    """Escape what would end a Markdown cell."""
    return text.replace("|", "\\|")
