"""`show`, `run`, `verify`: a card as it stands, and a call of a tool that was kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.card_text import escaped
from jupyter_mcpgen.errors import ColumnsRenamed, ToolFailed
from jupyter_mcpgen.model.figure import Figure, figure_of, is_figure
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, OTHER_DATA_PARAMETER
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.pipeline.recheck import Recheck
from jupyter_mcpgen.plan.visible import fenced
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.finding import Found, find_table, in_sheet
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options
from jupyter_mcpgen.wording import typed_option

if TYPE_CHECKING:
    import pandas as pd

_OR_NOTHING = " | None"
_AS_FOUND = "auto"
"""What is typed where a tool is to find something itself."""


def show(words: Sequence[str], runtime: Runtime) -> Said:
    """Show a card by its id or by the name of its tool: `show ID|NAME`."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("What do you want to see? `show ID` or `show NAME`. `list` shows both.")
    return Said(card=runtime.card_named(typed.words[0]))


def run(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Call an active tool: `run NAME --data NAME|PATH [--sheet SHEET] [--with NAME|PATH] [parameter=value …]`."""
    typed = split_options(words, ("data", "sheet", "with"))
    if not typed.words:
        raise UsageError("Which tool? `run NAME --data TABLE [parameter=value …]`.")
    name, *pairs = typed.words
    tool = runtime.registry.tool(name)
    if not any(parameter.name in DATA_PARAMETERS for parameter in tool.spec.parameters):
        return _value(tool, pairs, typed.options, runtime)
    found = in_sheet(find_table("", typed.options.get("data"), namespace), typed.options.get("sheet"))
    types = {parameter.name: parameter.type for parameter in tool.spec.parameters}
    arguments = dict(_argument(pair, types) for pair in pairs)
    second = typed.options.get("with")
    if (second is not None) is not (OTHER_DATA_PARAMETER in types):
        needs = "works on two tables: name the second one with `--with`" if second is None else "works on one table"
        raise UsageError(f"`{name}` {needs}.")
    tables = (found,) if second is None else (found, find_table("", second, namespace))
    try:
        named = [(table.name, table.variable) for table in tables]
        data, *other = runtime.references_for(name, named, arguments)
        frame = runtime.run_tool(name, data, arguments, *other)
    except ColumnsRenamed as error:
        raise ToolFailed(_how_to_map(error, name, tables)) from error
    on = " and ".join(f"`{table.name}`" for table in tables)
    read = "".join(f" {note}" for note in frame.attrs["mcpgen"].get("read", ()))
    return Said(text=f"`{name}` v{tool.version} on {on}:{read}", frame=frame, figures=_drawn(frame))


def _how_to_map(error: ColumnsRenamed, name: str, tables: Sequence[Found]) -> str:
    """Say what went wrong, and what to type if the columns only have other names now."""
    written = {key: value if isinstance(value, list) else [value] for key, value in error.arguments.items()}
    texts = {key: [v if isinstance(v, str) else json.dumps(v) for v in values] for key, values in written.items()}
    if any(re.search(r"[\s,'\"]", text) for values in texts.values() for text in values):
        return str(error)  # such a value cannot be typed after `run`
    pairs = " ".join(f"{key}={','.join(values)}" for key, values in texts.items())
    options = " ".join(typed_option(name, table.name) for name, table in zip(("data", "with"), tables, strict=False))
    return f"{error.why} If these are the same columns under other names: `%mcpgen run {name} {options} {pairs}`."


def _value(tool: PromotedTool, pairs: Sequence[str], options: Mapping[str, str], runtime: Runtime) -> Said:
    """Call a tool that takes no table, and show the value that it gives."""
    if options:
        raise UsageError(f"`{tool.name}` takes no table. `run {tool.name} parameter=value …`.")
    types = {parameter.name: parameter.type for parameter in tool.spec.parameters}
    value = runtime.value_of_tool(tool.name, dict(_argument(pair, types) for pair in pairs))
    shown = fenced(json.dumps(value, ensure_ascii=False, indent=2), "json")
    return Said(text=f"`{tool.name}` v{tool.version} gives:\n\n{shown}")


def verify(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Check that a card or a tool still gives its answer: `verify ID|NAME --data NAME|PATH [--sheet SHEET] …`."""
    typed = split_options(words, ("data", "sheet", "with"))
    if len(typed.words) != 1 or "data" not in typed.options:
        raise UsageError("What is to be verified, and on which data? `verify ID --data TABLE`, or `verify NAME …`.")
    named = [typed.options[each] for each in ("data", "with") if each in typed.options]
    first, *rest = (find_table("", name, namespace) for name in named)
    found = [in_sheet(first, typed.options.get("sheet")), *rest]
    wanted, tables = typed.words[0], [(each.name, each.variable) for each in found]
    verified = runtime.verify(wanted, *runtime.tables_for(wanted, tables))
    return Said(text=verified.sentence, ok=verified.same)


def recheck(words: Sequence[str], runtime: Runtime) -> Said:
    """Check that tools still give the answers that were approved, on the same data: `recheck [NAME …]`.

    Data that is gone or was changed since says nothing about a tool.
    """
    found = list(runtime.recheck(split_options(words, ()).words))
    if not found:
        return Said(text="You have no tools yet.")
    lines = ["| tool | | |", "|---|---|---|"]
    lines += [f"| `{each.name}` v{each.version} | {each.outcome} | {escaped(each.sentence)} |" for each in found]
    return Said(text="\n".join(lines), ok=all(each.outcome is not Recheck.DIFFERS for each in found))


def _drawn(frame: pd.DataFrame) -> tuple[Figure, ...]:
    """Return the figures among the files that a tool left."""
    files = [(Path(path).name, Path(path).read_bytes()) for path in frame.attrs["mcpgen"].get("files", ())]
    return tuple(figure_of(name, content) for name, content in files if is_figure(content))


def _argument(pair: str, types: Mapping[str, str]) -> tuple[str, Any]:
    name, equals, text = pair.partition("=")
    if not equals or name not in types or name in DATA_PARAMETERS:
        known = ", ".join(f"`{each}`" for each in types if each not in DATA_PARAMETERS) or "none"
        raise UsageError(f"`{pair}` is not a parameter of this tool. Write `parameter=value`. Parameters: {known}.")
    type_ = types[name]
    if type_.startswith("Sequence"):
        return name, text.split(",")
    plain = type_.removesuffix(_OR_NOTHING)
    if plain != type_ and text == _AS_FOUND:
        return name, None
    return name, text if plain == "str" else _parsed(name, text, type_)


def _parsed(name: str, text: str, type_: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"`{name}` takes a value of type {type_}, not `{text}`.") from error
