"""The table of verbs: the first word chooses one, anything else is a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.settings import load_settings
from jupyter_mcpgen.verbs import asking, deciding, explaining, health, library, prewarming, serving
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.usage import asks_for_help, described

Namespace = Mapping[str, object]


@dataclass(frozen=True)
class Verb:
    """One thing to say: how it is written, what it does, and the function that does it."""

    usage: str
    meaning: str
    carry_out: Callable[[Sequence[str], Runtime, Namespace], Said]


VERBS: Mapping[str, Verb] = {
    "ask": Verb(
        "ask [--data NAME|PATH] [--with NAME|PATH] [--name TOOL] QUESTION",
        "answer a question of a table, or of two",
        asking.ask,
    ),
    "why": Verb(
        "why [--data NAME|PATH] [--with NAME|PATH] [QUESTION]",
        "how a question was understood, with costs",
        asking.why,
    ),
    "list": Verb("list", "the tools that are kept, and the cards that wait", lambda w, r, n: library.list_tools(r)),
    "show": Verb("show ID|NAME", "a card, as it stands now", lambda w, r, n: library.show(w, r)),
    "run": Verb("run NAME --data NAME|PATH [--with NAME|PATH] [parameter=value …]", "call a tool", library.run),
    "approve": Verb(
        "approve [ID] [--name NAME] [NOTE]", "accept a result and save its tool", lambda w, r, n: deciding.approve(w, r)
    ),
    "accept": Verb("accept [ID] [NOTE]", "accept an output, keep no tool", lambda w, r, n: deciding.accept(w, r)),
    "reject": Verb("reject [ID] [REASON]", "archive a card with the reason", lambda w, r, n: deciding.reject(w, r)),
    "pick": Verb("pick [ID] NUMBER|LABEL", "answer in another reading", deciding.pick),
    "explain": Verb("explain [ID] ROW [COLUMN]", "the rows behind a figure", lambda w, r, n: explaining.explain(w, r)),
    "undo": Verb("undo NAME", "take back the latest promotion of a tool", lambda w, r, n: deciding.undo(w, r)),
    "serve": Verb("serve [--port N]", "start the MCP server", lambda w, r, n: serving.serve(w, r)),
    "stop": Verb("stop", "stop the MCP server", lambda w, r, n: serving.stop()),
    "status": Verb("status", "whether it runs, and how clients connect", lambda w, r, n: serving.status(r)),
    "config": Verb("config", "every setting and where it came from", lambda w, r, n: health.config(load_settings())),
    "doctor": Verb("doctor", "attack the sandbox and check the registry", lambda w, r, n: health.doctor(r)),
    "prewarm": Verb("prewarm", "compile the WebAssembly runtimes", lambda w, r, n: prewarming.prewarm_runtimes()),
    "help": Verb("help [COMMAND]", "this list, or what a command takes", lambda w, r, n: help_with(w)),
}

OF_A_FACE: Mapping[str, tuple[str, str]] = {
    "demo": ("demo", "the sample frame `crashes`; in a terminal the whole tour, with `--yes` also its answers"),
    "eval": (
        "eval [--tables DIR] [--language en|de] [--force-best]",
        'in a terminal: answer lines of `{"id", "question", "table"}` from standard input, and keep nothing',
    ),
}
"""What a notebook or a terminal does by itself: how it is written, and what it does."""


_MOST_WORDS = {"list": 0, "show": 1, "explain": 3, "status": 0, "help": 1}
"""Verbs that are also how a question begins: with more words than these, it is a question."""


def perform(words: Sequence[str], runtime: Runtime, namespace: Namespace) -> Said:
    """Carry out what was typed; words that begin with no verb are a question.

    Raises a `McpgenError` whose message is meant for the person who typed.
    """
    if asks_for_help(words):
        return help_with(words[:1])
    first, *rest = words or ("help",)
    verb = VERBS.get(first)
    if verb is None or len(rest) > _MOST_WORDS.get(first, len(rest)) or _asks_to_run(first, rest):
        return asking.ask(words, runtime, namespace)  # "show crashes where …" and "list all …" are questions
    return verb.carry_out(rest, runtime, namespace)


def _asks_to_run(first: str, rest: Sequence[str]) -> bool:
    """Tell whether "run" begins a question, such as "run ANOVA across groups": no data and no parameter is given."""
    return first == "run" and len(rest) > 1 and not any("=" in word or word.startswith("--") for word in rest)


def help_with(words: Sequence[str]) -> Said:
    """Say what a command takes, or list all of them."""
    known = {**{name: (verb.usage, verb.meaning) for name, verb in VERBS.items()}, **OF_A_FACE}
    if words and words[0] in known:
        return Said(text=described(*known[words[0]]))
    rows = "\n".join(f"| `{_cell(usage)}` | {meaning} |" for usage, meaning in known.values())
    return Said(
        text="Type a question of a table, or one of these after `%mcpgen` (in a terminal after `jupyter mcpgen`). "
        "`help COMMAND` says more.\n\n"
        f"| | |\n|---|---|\n{rows}"
    )


def _cell(text: str) -> str:
    """Escape what would end a Markdown cell."""
    return text.replace("|", "\\|")
