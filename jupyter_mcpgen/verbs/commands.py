"""The commands: how each is written and what it does, and whether what was typed is one or a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from jupyter_mcpgen.verbs.reading_options import READING_OPTIONS
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.usage import asks_for_help, described
from jupyter_mcpgen.verbs.words import UsageError, split_options

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
    is_verbatim: bool = False
    """True where the words after the options are one text, whose blanks and lines mean something."""
    is_of_path: bool = False
    """True where a file or folder comes first: "report sales by region" is a question, unless there is a `sales`."""


_READING = (
    "[--delimiter SIGN] [--encoding ENCODING] [--header LINE] [--skip LINES] [--footer ROWS] [--na WORDS] "
    "[--decimal MARK] [--thousands MARK] [--dates ORDER]"
)
"""How a text file is written."""

COMMANDS: Mapping[str, Command] = {
    "ask": Command(
        f"ask [--data NAME|PATH] [--sheet SHEET] {_READING} [--with NAME|PATH] [--name TOOL] [--author NAME] [--json] "
        "[--csv] [--output FILE] [--save DIR] QUESTION",
        "answer a question about one or two tables",
    ),
    "sql": Command(
        "sql [--data NAME|PATH] [--with NAME|PATH] [--name TOOL] [--json] [--csv] [--output FILE] SELECT …",
        "answer a SELECT over one or two tables, with the same checks as a question",
        is_verbatim=True,
    ),
    "why": Command(
        f"why [--data NAME|PATH] [--sheet SHEET] {_READING} [--with NAME|PATH] [QUESTION]",
        "show how a question was understood",
    ),
    "explore": Command(
        f"explore {_READING} [NAME|PATH]", "show what the columns of a table hold, and five questions to ask of it", 1
    ),
    "list": Command("list", "list your tools and the pending answers", 0),
    "search": Command("search WORDS", "find tools by words in their names, descriptions, questions and parameters"),
    "rebuild": Command("rebuild [NAME …]", "list the tools in the registry's folder again, as after a `git pull`"),
    "show": Command("show ID|NAME", "show the card of an answer or a tool", 1),
    "run": Command(
        "run NAME --data NAME|PATH [--sheet SHEET] [--with NAME|PATH] [--save DIR] [parameter=value …]", "call a tool"
    ),
    "verify": Command(
        "verify ID|NAME --data NAME|PATH [--sheet SHEET] [--with NAME|PATH]",
        "check that an answer or a tool still gives the same on the same data",
    ),
    "recheck": Command(
        "recheck [NAME …]", "check all tools, or some, on the data they were approved on, as after an update of pandas"
    ),
    "approve": Command(
        "approve [ID] [--name TOOL] [--as-read] [--unchecked] [NOTE]", "accept the answer and save it as a tool"
    ),
    "accept": Command("accept [ID] [NOTE]", "accept the answer without saving a tool"),
    "reject": Command("reject [ID] [REASON]", "reject the answer and archive it with your reason"),
    "pick": Command("pick [ID] NUMBER|LABEL", "choose another interpretation of the question"),
    "adjust": Command("adjust [ID] [PART=VALUE …]", "change parts of the interpretation, or list them"),
    "edit": Command(
        "edit ID|NAME [FILE|CODE]",
        "show the code of an answer, or answer by code that you changed",
        is_verbatim=True,
    ),
    "explain": Command("explain [ID] ROW [COLUMN]", "show the rows behind a result", 3),
    "result": Command("result [ID|NAME] [--json] [--csv] [--output FILE]", "show or write all rows of an answer", 1),
    "code": Command("code [ID|NAME] [--sql]", "show the code of an answer as it runs in a cell", 2),
    "inbox": Command("inbox [ID]", "list the tools that AI clients offer, or show one of them with its code", 1),
    "consent": Command(
        "consent [ID|NAME allow|always|decline|forget] [--unchecked] [REASON]",
        "decide about a tool that an AI client offers, or list what you always allow",
    ),
    "reopen": Command("reopen ID", "reopen an expired answer so that you can decide about it"),
    "undo": Command("undo NAME", "take back the latest approval of a tool; its answer is pending again"),
    "versions": Command("versions NAME", "list the versions of a tool: active, archived and pending", 1),
    "diff": Command("diff NAME [VERSION [VERSION]]", "show what changes between two versions of a tool", 3),
    "rollback": Command("rollback NAME [VERSION]", "make an earlier version of a tool active again"),
    "unpublish": Command("unpublish NAME", "archive a tool; `rollback` brings it back"),
    "starter": Command(
        "starter [NAME …|all] [--yes] [--unchecked]",
        "list the tools that come with jupyter-mcpgen, or install some after you approve them",
    ),
    "snippets": Command(
        "snippets NAME", "show how to call a tool from Python, a notebook, a terminal and an AI client", 1
    ),
    "build": Command(
        "build TARGET [--to DIR] [--clean] [--skip-tests] | cancel BUILD",
        "make a package, a script or a notebook of a tool, to use without jupyter-mcpgen",
    ),
    "export": Command("export NAME [--to DIR] [--clean] [--skip-tests]", "the same as `build tool:NAME`"),
    "synthesize": Command(
        "synthesize SPEC|WISH [--template TEMPLATE] [--to DIR] [--yes]",
        "make a Python component from a specification, or from words with the language model, after you saw its files",
    ),
    "activity": Command("activity [NAME]", "show the latest entries of the audit log, of all tools or of one", 1),
    "stats": Command("stats", "show what was generated, approved, rejected and called, and how often that failed", 0),
    "analyze": Command(
        "analyze PATH [--exclude GLOB]", "look for flaws in source code, and measure it", is_of_path=True
    ),
    "gates": Command(
        "gates PATH [--exclude GLOB] [GATE=VALUE …]", "hold source code against quality gates", is_of_path=True
    ),
    "report": Command(
        "report PATH [--exclude GLOB] [--to FILE]", "write a report on source code as a web page", is_of_path=True
    ),
    "debug": Command("debug PATH", "run a program in the sandbox and fix it if it fails", is_of_path=True),
    "model": Command(
        "model [use NAME|URL [NAME] [--key-env VARIABLE] | test | off]",
        "show, choose, test or switch off the language model",
        4,
    ),
    "preview": Command(
        f"preview [--data NAME|PATH] [--sheet SHEET] {_READING} [--with NAME|PATH] QUESTION",
        "show what a question would send to the language model",
    ),
    "serve": Command("serve [--port N]", "start the MCP server"),
    "stop": Command("stop", "stop the MCP server"),
    "restart": Command("restart", "stop the MCP server and start it again, with the settings as they are now", 0),
    "option": Command(
        "option [OPTION [on|off]]", "list what can be switched on and off for AI clients, or switch one", 2
    ),
    "status": Command("status", "show whether the server runs and how clients connect", 0),
    "connect": Command(
        "connect [CLIENT] [--http] [--install|--remove] [--yes]",
        "show what to put into the configuration of an AI client, write it there or remove it",
        4,
    ),
    "token": Command(
        "token [list | create TOKEN [--scope call|admin] [--days N] | revoke TOKEN|ID]",
        "list, make or revoke the tokens of clients",
        6,
    ),
    "config": Command("config", "show every setting and where its value comes from"),
    "doctor": Command("doctor", "test the sandbox with real attacks and check the registry"),
    "prewarm": Command("prewarm", "compile the WebAssembly runtimes ahead of time"),
    "help": Command("help [COMMAND]", "list the commands, or explain one", 1),
    "demo": Command("demo", "load the sample table `crashes`; in a terminal, run the tour (`--yes` answers for you)"),
    "eval": Command(
        "eval [--tables DIR] [--language en|de] [--author NAME] [--force-best]",
        'in a terminal: answer one `{"id", "question", "table"}` per line of standard input, and save nothing',
    ),
}
OPTIONS_OF_A_TABLE = ("data", "sheet", "with", *READING_OPTIONS)
OPTIONS_OF_A_QUESTION = (*OPTIONS_OF_A_TABLE, "name", "author")
OF_A_FACE = ("demo", "eval")
"""What a notebook or a terminal does by itself."""


_LEADING_OPTIONS = re.compile(r"""(?:--[a-z]+(?:=|\s+)(?:"[^"]*"|'[^']*'|\S+)\s*)*""")


_OPTION = re.compile(r"(--[a-z-]+)( [A-Z|]+)?")
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*')(?!\S)|\S+""")


def takes_text(line: str) -> bool:
    """Tell whether a line begins with a command that takes what follows as one text."""
    command = COMMANDS.get(next(iter(line.split()), ""))
    return command is not None and command.is_verbatim


def words_of(text: str) -> list[str]:
    """Split what was typed in a notebook into words; the text of a command that takes it as it is stays whole."""
    words = text.split()
    command = COMMANDS.get(words[0]) if words else None
    if command is not None and command.most_words is not None:
        whole = [_unquoted(word) for word in _WORD.findall(text)]
        is_command = _words_beside_options(command, whole[1:]) <= command.most_words
        return whole if is_command else words  # of a question the quotes mean something
    if command is None or not command.is_verbatim or asks_for_help(words):
        return words
    rest = text.strip().removeprefix(words[0]).strip()
    options = _LEADING_OPTIONS.match(rest)
    end = options.end() if options is not None else 0
    return [words[0], *rest[:end].split(), *filter(None, [rest[end:]])]


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 2 and word[0] == word[-1] and word[0] in "'\"" else word


def command_of(words: Sequence[str]) -> str | None:
    """Return the command that was typed, or None where the words are a question."""
    first, *rest = words or ("help",)
    command = COMMANDS.get(first)
    if command is None or first in OF_A_FACE or _asks_to_run(first, rest) or _asks_to_build(first, rest):
        return None
    if command.is_of_path and not _names_a_path(rest):
        return None
    most = command.most_words
    is_command = most is None or _words_beside_options(command, rest) <= most
    return first if is_command else None  # "show crashes where …" and "list all …" ask


def _words_beside_options(command: Command, rest: Sequence[str]) -> int:
    """Return how many words there are that are neither an option of a command nor the value of one."""
    takes = dict(_OPTION.findall(command.usage))
    count, is_value = 0, False
    for word in rest:
        name, _, value = word.partition("=")
        if is_value or name not in takes:
            count += not is_value
            is_value = False
        else:
            is_value = bool(takes[name]) and not value
    return count


def _names_a_path(rest: Sequence[str]) -> bool:
    first = next((word for word in rest if not word.startswith("--")), "")
    return not rest or "/" in first or Path(first).suffix != "" or Path(first).exists()


def question_of(words: Sequence[str]) -> str | None:
    """Return what is asked, without its options, or None where what was typed is a command or a wish for help."""
    command = command_of(words)
    if asks_for_help(words) or command not in (None, "ask", "sql"):
        return None
    asked = words[1:] if command is not None else words
    try:
        return split_options(asked, OPTIONS_OF_A_QUESTION, leading=command == "sql").text
    except UsageError:  # whoever answers it says what is wrong
        return " ".join(asked)


def refuse_more_words(words: Sequence[str]) -> None:
    """Raise `UsageError` for words after a command that takes none and that begins no question."""
    first, *rest = words or ("help",)
    known = COMMANDS.get(first)
    if rest and known is not None and known.usage == first and known.most_words is None:
        raise UsageError(
            f"`{first}` takes no other words, so remove `{' '.join(rest)}`, or begin a question with `ask`."
        )


def _asks_to_run(first: str, rest: Sequence[str]) -> bool:
    """Tell whether "run" begins a question, such as "run ANOVA across groups": no data and no parameter is given."""
    return first == "run" and len(rest) > 1 and not any("=" in word or word.startswith("--") for word in rest)


def _asks_to_build(first: str, rest: Sequence[str]) -> bool:
    """Tell whether "build" or "export" begins a question, such as "build a chart of sales": no target is named."""
    words = [word for word in rest if not word.startswith("--")]
    is_command = first not in ("build", "export") or len(rest) < 2 or rest[0] == "cancel" or len(words) < len(rest)
    return not is_command


def refuse_mistyped(words: Sequence[str], tables: Collection[str] = (), *, follows: bool = False) -> None:
    """Raise `UsageError` for a single word that is neither a command nor a table: it is no question.

    Where a question `follows` another, one word may change it ("median"); one that is nearly a command does not. After
    a command that takes a path, a single word is one that is not there.
    """
    match words:
        case (verb, name) if verb in COMMANDS and COMMANDS[verb].is_of_path and name not in tables and not follows:
            raise UsageError(f"There is no file or folder `{name}` here. `{COMMANDS[verb].usage}`: check the path.")
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
        text="Ask about a table, or use a command. Type it after `%mcpgen`, or in a terminal after `jupyter mcpgen`. "
        "`help COMMAND` explains a command.\n\n"
        f"| | |\n|---|---|\n{rows}"
    )


def _cell(text: str) -> str:
    """Escape what would end a Markdown cell."""
    return text.replace("|", "\\|")
