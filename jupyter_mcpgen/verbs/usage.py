"""What a command takes: every part of how it is written, explained once for all commands that have it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_HELP = ("--help", "-h")
_PART = re.compile(r"--[a-z-]+(?: [A-Za-z|]+)?|[A-Z][A-Z|]+|[a-z]+=[a-z]+")

PARTS: Mapping[str, str] = {
    "--data NAME|PATH": "the table: a variable of the notebook, or a file; quote a path with blanks",
    "--with NAME|PATH": "a second table, which the question joins or puts below the first",
    "--name TOOL": "what to call the tool, if the card is approved",
    "--json": "in a terminal: all rows of the result as JSON on standard output, everything else on standard error",
    "--csv": "in a terminal: the same as CSV",
    "--output FILE": "in a terminal: all rows into a file that ends in `.csv`, `.json` or `.parquet`, or in `.xlsx` "
    "where `openpyxl` is installed",
    "QUESTION": "the question in plain words: `how do fatal injuries vary by weather in crashes`",
    "ID|NAME": "the id of a card, or the name of a tool",
    "ID": "the id of a card, as `list` shows it; needed when several cards wait",
    "NAME": "the name of a tool, as `list` shows it",
    "NOTE": "a remark that is kept with the decision",
    "REASON": "what is wrong with the answer; kept with the archived card",
    "NUMBER|LABEL": "which of the other readings, by its number or its words",
    "ROW": "the row of the result, counted from 1",
    "COLUMN": "the figure of that row, if it has several",
    "parameter=value": "an argument of the tool; lists with commas, and what is left out keeps its default",
    "--port N": "the port to listen at; 0 takes a free one",
    "--tables DIR": "the folder that the tables of the questions lie in",
    "--language en|de": "the language of the questions",
    "--force-best": "answer in the likeliest reading where a person would be asked back",
    "COMMAND": "one of the commands",
}


def asks_for_help(words: Sequence[str]) -> bool:
    """Tell whether what was typed asks what a command takes: `--help` anywhere, `-h` as the last word."""
    return _HELP[0] in words or tuple(words[-1:]) == _HELP[1:]


def parts_of(usage: str) -> list[str]:
    """Return the parts that a person fills in, in their order."""
    return list(dict.fromkeys(_PART.findall(usage)))


def described(usage: str, meaning: str) -> str:
    """Say in Markdown how a command is written, what it does, and what each part of it is."""
    parts = "\n".join(f"- `{part}`: {PARTS[part]}" for part in parts_of(usage))
    head = f"`{usage}`: {meaning}."
    return f"{head}\n\n{parts}\n\nWhat stands in brackets may be left out." if "[" in usage else f"{head}\n\n{parts}"
