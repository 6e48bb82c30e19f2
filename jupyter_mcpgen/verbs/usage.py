"""What a command takes: every part of how it is written, explained once for all commands that have it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_HELP = ("--help", "-h")
_PART = re.compile(r"--[a-z-]+(?: [A-Za-z|]+)?|[A-Z]+=[A-Z]+|[A-Z][A-Z|]+|[a-z]+=[a-z]+")

PARTS: Mapping[str, str] = {
    "--data NAME|PATH": "the table: a notebook variable or a file; quote a path that has spaces",
    "NAME|PATH": "a notebook variable or a file; without it, the table of the latest question, or the only one",
    "--delimiter SIGN": "what stands between the fields of a text file: one sign, or `tab`",
    "--encoding ENCODING": "the encoding of a text file, such as `cp1252`",
    "--header LINE": "the line of a text file on which the names of the columns stand, or `none`",
    "--skip LINES": "how many lines at the start of a text file are left out",
    "--footer ROWS": "how many rows at the end of a text file are left out",
    "--na WORDS": "words that stand for a missing value in a text file, separated by commas",
    "--decimal MARK": "the mark before decimals in a text file: `point` or `comma`",
    "--thousands MARK": "what stands between thousands in a text file: `point`, `comma`, `space` or `apostrophe`",
    "--dates ORDER": "how a text file writes dates: `day-first`, `month-first`, or a format such as `%d/%m/%Y`; `auto` "
    "after any of these nine options lets the file decide, and what you say of a file is remembered",
    "--with NAME|PATH": "a second table to join or append",
    "--sheet SHEET": "the sheet, member or table of a file that has several; `book.xlsx#Costs` means the same",
    "--name TOOL": "the name of the tool, if you approve the answer; that of a tool you have makes its next version",
    "--as-read": "the question is meant as the model alone read it",
    "--unchecked": "you checked the calculation yourself, because nothing else did",
    "--yes": "agree without being asked: approve and sign the tools that you named, or write the file of the client "
    "or the component",
    "--author NAME": "who reads the question: `ladder` (the planner, then the model), `planner`, `model` or `both`",
    "--key-env VARIABLE": "the environment variable that holds the key of the model server",
    "NAME|URL": "a model on this machine, or the address of a model server",
    "--json": "in a terminal: print all rows as JSON to standard output; everything else goes to standard error",
    "--csv": "in a terminal: print all rows as CSV, in the same way",
    "--output FILE": "in a terminal: save all rows to a `.csv`, `.json` or `.parquet` file, or to `.xlsx` "
    "if `openpyxl` is installed",
    "PATH": "a file with source code, or a folder of a project",
    "--exclude GLOB": "files to leave out, such as `**/tests/**`; separate several with commas",
    "GATE=VALUE": "a threshold, such as `max_errors=5`; the gates are `max_complexity` (10), `min_maintainability` "
    "(50), `max_errors` (0) and `max_warnings` (50)",
    "--to FILE": "where to write; it ends in `.html`, `.md` or `.json`",
    "TARGET": "what to make: `tool:NAME` (a package), `script:NAME`, `notebook:NAME` or `docker:NAME` of a tool, with "
    "`@VERSION` behind it for another approved version; `server:NAME` or `docs:all` of all tools; `module:PATH`",
    "BUILD": "the id of a build, as `build` or `trigger_build` says it",
    "--to DIR": "the folder to write into; the default is `dist` in this folder, of `synthesize` this folder",
    "SPEC|WISH": "a `.json` or `.yaml` file that specifies a component, or words that say what the model is to write",
    "--template TEMPLATE": "`python_module` (the default), `mcp_tool`, `fastmcp_server`, `pytest_suite`, or your own",
    "--clean": "build even if the same was built before and is unchanged",
    "--skip-tests": "do not run the tool's tests in the sandbox first",
    "--sql": "the second computation, in the SQL of DuckDB, instead of pandas",
    "--save DIR": "in a terminal: save the figures that the code draws in this folder",
    "QUESTION": "the question in plain words: `how do fatal injuries vary by weather in crashes`",
    "SELECT": "one SELECT in the SQL of DuckDB; its tables are notebook variables or files: `FROM 'sales.csv'`",
    "WORDS": "words in any order; a tool fits that has one of them, and those that fit best come first",
    "ID|NAME": "the id of an answer, or the name of a tool",
    "ID": "the id of an answer, as `list` shows it; without it, the latest answer of this notebook",
    "NAME": "the name of a tool, as `list` shows it, or `starter`",
    "VERSION": "a version, as `versions` lists it, such as `1.1.0`",
    "NOTE": "a remark, saved with your decision",
    "REASON": "what is wrong with the answer, saved with it",
    "NUMBER|LABEL": "the interpretation, by its number or its text",
    "FILE|CODE": "a Python file with the changed code; in a notebook also the code, below the first line of the cell",
    "ROW": "the row of the result, starting at 1",
    "COLUMN": "the column of the result, if the row has several values",
    "parameter=value": "an argument of the tool; separate list items with commas; defaults apply to the rest",
    "PART=VALUE": "a part of the interpretation with its new value, such as `calculation=mean`; separate several "
    "columns or values with commas, and leave the value empty to take the part out",
    "--port N": "the port to listen on; 0 picks a free one",
    "--tables DIR": "the folder that holds the tables",
    "--language en|de": "the language of the questions",
    "--force-best": "use the likeliest interpretation instead of asking back",
    "OPTION": "`auto_correct_json`, `dynamic_tools`, `elicitation` or `unsafe`",
    "CLIENT": "`claude` (Claude Desktop), `claude-code`, `cursor`, `vscode`, `windsurf`, `zed` or `gemini`; without "
    "it, all of them and which are connected",
    "--http": "connect to the server that runs, with a token; without it, the client starts a server that joins it",
    "--install": "show what changes in the client's own file, ask, and write it; other entries and comments stay",
    "--remove": "take the entry out again, and revoke its token",
    "TOKEN": "a name for the token, such as that of the client: letters, digits, `.`, `_` and `-`",
    "TOKEN|ID": "the name or the id of a token, as `token list` shows it",
    "--scope call|admin": "`call` (the default) calls tools and runs code; `admin` also offers, changes and takes back "
    "tools, and builds what is used without us",
    "--days N": "days until the token expires; the default is 30",
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
    return f"{head}\n\n{parts}\n\n[ ] = optional" if "[" in usage else f"{head}\n\n{parts}"
