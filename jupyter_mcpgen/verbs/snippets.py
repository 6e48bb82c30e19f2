"""`snippets`: how a tool is called from Python, a notebook, a terminal and an AI client, as text to copy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolParameter
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.plan.visible import fenced
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

_VARIABLES, _FILES = ("df", "other"), ("data.csv", "other.csv")
_OPTIONS = ("--data", "--with")
_TYPED = re.compile(r"[^\s,'\"`$&|;<>(){}*?!#~\\]+")
"""A text that a terminal passes on as it is, and that is no list."""


@dataclass(frozen=True)
class Snippet:
    """A call of a tool as text: where it is written, and in which language."""

    label: str
    language: str
    text: str


def snippets(words: Sequence[str], registry: Registry) -> Said:
    """Show how a tool is called: `snippets NAME`."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("Which tool? `snippets NAME`. `list` shows the names.")
    parts = [f"{each.label}:\n\n{fenced(each.text, each.language)}" for each in calls_of(registry.tool(typed.words[0]))]
    return Said(text="\n\n".join(parts))


def calls_of(tool: PromotedTool) -> tuple[Snippet, ...]:
    """Return calls of a tool with its default values; what has none stands for what a person fills in."""
    given = [each for each in tool.spec.parameters if each.name not in DATA_PARAMETERS]
    tables = len(tool.spec.parameters) - len(given)
    form = Snippet("Form in a notebook", "python", _in_python(f"{tool.name}.form", tables, ()))
    return (
        Snippet("Python", "python", _in_python(tool.name, tables, given)),
        *((form,) if tables else ()),
        Snippet("Notebook", "", f"%mcpgen {_typed(tool.name, _VARIABLES[:tables], given)}"),
        Snippet("Command line", "sh", f"jupyter mcpgen {_typed(tool.name, _FILES[:tables], given)}"),
        Snippet("MCP", "json", _in_json(tool, given)),
    )


def _in_python(name: str, tables: int, given: Sequence[ToolParameter]) -> str:
    values = (f"{each.name}={'...' if each.required else repr(each.default)}" for each in given)
    return f"from jupyter_mcpgen import tools\n\ntools.{name}({', '.join([*_VARIABLES[:tables], *values])})"


def _typed(name: str, tables: Sequence[str], given: Sequence[ToolParameter]) -> str:
    data = (f"{option} {table}" for option, table in zip(_OPTIONS, tables, strict=False))
    return " ".join(["run", name, *data, *_pairs(given)])


def _pairs(given: Sequence[ToolParameter]) -> Iterator[str]:
    """Yield what can be typed; what cannot keeps its default."""
    for each in given:
        values = each.default if isinstance(each.default, list | tuple) else [each.default]
        texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
        if each.required:
            yield f"{each.name}=VALUE"
        elif texts and each.default is not None and all(_TYPED.fullmatch(text) for text in texts):
            yield f"{each.name}={','.join(texts)}"


def _in_json(tool: PromotedTool, given: Sequence[ToolParameter]) -> str:
    data = {
        each.name: f"/path/to/{_FILES[DATA_PARAMETERS.index(each.name)]}"
        for each in tool.spec.parameters
        if each.name in DATA_PARAMETERS
    }
    values = {each.name: each.default for each in given if each.required or each.default is not None}
    arguments: Mapping[str, Any] = {**data, **values}
    call = {"method": "tools/call", "params": {"name": tool.name, "arguments": arguments}}
    return json.dumps(call, indent=2, ensure_ascii=False)
