"""Makes a tool of code that a model or a person wrote: its contract from the signature, its files around the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

from jupyter_mcpgen.analysis.chance import reasons_for_change
from jupyter_mcpgen.analysis.layout import formatted, lines_of
from jupyter_mcpgen.analysis.packages import packages_in
from jupyter_mcpgen.authors.author import WrittenContract
from jupyter_mcpgen.authors.contract import CAPABILITIES, DEPENDENCIES, FILE_PARAMETER, OTHER_PARAMETER, OUTPUT_SCHEMA
from jupyter_mcpgen.authors.naming import first_free
from jupyter_mcpgen.authors.reading_files import assignments_of, helpers_for, notes_of, variables_of
from jupyter_mcpgen.authors.signature import Signature, signature_of
from jupyter_mcpgen.authors.templating import default_of, environment
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.spec import RESULT, ToolParameter, ToolSpec
from jupyter_mcpgen.model.tool import CHANGES, FIGURES
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.toolkit.vendor import helpers_source

_GENERIC = frozenset({"analyze", "main", "run", "compute", "answer"})
_INNER = ("analyze", "compute")
"""What the function is called where the tool has its name."""
_LONGEST_NAME = 40
_FILES = (FILE_PARAMETER, OTHER_PARAMETER)


def contract_of_written(intent: WrittenIntent, name: str | None, taken: Set[str]) -> WrittenContract:
    """Return what the code of an intent promises; raises `UnusableCode` for a signature that no tool can have."""
    signature = signature_of(intent.code)
    parameters = (*_FILES[: len(signature.tables)], *signature.parameters)
    description = _sentence(intent.reading)
    is_table = signature.result is None
    changes = reasons_for_change(intent.code)
    return WrittenContract(
        spec=ToolSpec(
            tool_name=name or _name(signature, intent, taken),
            description=description,
            input_schema=_input_schema(signature, parameters),
            output_schema=OUTPUT_SCHEMA if is_table else _output_schema(signature),
            parameters=parameters,
            return_type="str" if is_table else signature.returned,
            when_to_use=f"To get this: {description}",
            what_it_does=signature.summary or description,
            returns=_returns(signature, changes),
            prerequisites="The file exists and can be read as a table.",
        ),
        intent=intent,
        capabilities=(*capabilities_of(intent.code), *((CHANGES,) if changes else ())),
        dependencies=tuple(sorted({*DEPENDENCIES, *packages_in(intent.code)})),
        limitations=(*intent.limitations, *(f"May give another result each time: {why}." for why in changes)),
    )


def capabilities_of(code: str) -> tuple[str, ...]:
    """Return what the sandbox must grant some code: the data, the packages that it imports, and its figures."""
    used = packages_in(code)
    figures = (FIGURES,) if "matplotlib" in used else ()
    return (*CAPABILITIES, *(f"cap:python.{name}" for name in used), *figures)


def write_written(contract: WrittenContract) -> Package:
    """Return the files of a tool around its code."""
    return Package(
        files={
            "tool.py": formatted(_tool(contract)),
            "helpers.py": helpers_source(),
            "spec.json": contract.spec.model_dump_json(indent=2) + "\n",
            "requirements.txt": "".join(f"{name}\n" for name in contract.dependencies),
            "__init__.py": f'"""The tool `{contract.spec.tool_name}`; see `tool.py`."""\n',
        }
    )


def _tool(contract: WrittenContract) -> str:
    signature = signature_of(contract.intent.code)
    is_table = signature.result is None
    function = next(name for name in (signature.name, *_INNER) if name != contract.spec.tool_name)
    imports, code = _without_imports(_renamed(contract.intent.code, signature.name, function))
    called = [*signature.tables, *(f"{p.name}={_argument(p)}" for p in signature.parameters)]
    return (
        environment()
        .get_template("written.py.jinja")
        .render(
            spec=contract.spec,
            default=default_of,
            imports=imports,
            code=code,
            function=function,
            arguments=", ".join(called),
            tables=[(file.name, table) for file, table in zip(_FILES, signature.tables, strict=False)],
            is_table=is_table,
            readings=assignments_of(contract.spec),
            read_so=variables_of(contract.spec),
            notes=notes_of(contract.spec),
            helpers=sorted(_helpers(contract.spec, is_table=is_table)),
        )
    )


def _helpers(spec: ToolSpec, *, is_table: bool) -> Iterator[str]:
    """Yield what the tool imports of `helpers.py`."""
    yield from ("load_csv_data_with_types", "validate_file_and_columns")
    if is_table:
        yield from ("Report", *helpers_for(spec))
    elif variables_of(spec):
        yield "Reading"


def _argument(parameter: ToolParameter) -> str:
    """Return what is passed on; a default that is a list stands as a tuple in the signature of the tool."""
    return f"list({parameter.name})" if isinstance(parameter.default, list) else parameter.name


def _without_imports(code: str) -> tuple[list[str], str]:
    """Return the imports of some code, without those that every tool has, and the rest as it was written."""
    tree = ast.parse(code)
    lines = lines_of(code)
    moved = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in reversed(moved):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        before, after = lines[first].encode()[: node.col_offset], lines[last].encode()[node.end_col_offset :]
        is_alone = not before.strip() and not after.partition(b"#")[0].strip()
        rest = "" if is_alone else f"{before.decode()}pass{after.decode()}"
        lines[first : last + 1] = [rest, *("" for _ in range(first, last))]
    ours = {"import pandas as pd", "from typing import Annotated", "from pydantic import Field"}
    return [line for line in dict.fromkeys(map(ast.unparse, moved)) if line not in ours], "\n".join(lines).strip()


def _renamed(code: str, old: str, new: str) -> str:
    """Return the code with its function under another name, wherever that is named."""
    if old == new:
        return code
    lines = lines_of(code)
    for row, column in sorted(_places(code, old), reverse=True):
        line = lines[row].encode()
        lines[row] = (line[:column] + new.encode() + line[column + len(old.encode()) :]).decode()
    return "\n".join(lines)


def _places(code: str, name: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name) and node.id == name:
            yield node.lineno - 1, node.col_offset
        elif isinstance(node, ast.FunctionDef) and node.name == name:
            yield node.lineno - 1, node.col_offset + len("def ")


def _name(signature: Signature, intent: WrittenIntent, taken: Set[str]) -> str:
    """Return what the function is called, or where that says nothing or is taken, the words of the reading."""
    words = re.findall(r"[a-z][a-z0-9]*", intent.reading.lower())
    if signature.name not in _GENERIC:
        return first_free(signature.name, words, taken)
    name = ""
    for word in words:
        if len(name) + len(word) >= _LONGEST_NAME:
            break
        name = f"{name}_{word}" if name else word
    return first_free(name or "written_tool", [*words, Path(intent.input).stem], taken)


def _input_schema(signature: Signature, parameters: tuple[ToolParameter, ...]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for parameter in parameters:
        schema = dict(signature.schemas.get(parameter.name, {"type": "string"}))
        schema["description"] = parameter.description
        properties[parameter.name] = schema if parameter.required else {**schema, "default": parameter.default}
    required = [parameter.name for parameter in parameters if parameter.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _output_schema(signature: Signature) -> dict[str, Any]:
    return {"type": "object", "properties": {RESULT: dict(signature.result or {})}, "required": [RESULT]}


def _returns(signature: Signature, changes: tuple[str, ...]) -> str:
    what = (
        "A Markdown table with the result, how many rows came in, and a JSON footer with the same."
        if signature.result is None
        else f"A value of the type `{signature.returned}`."
    )
    return f"{what} The same call may give another result: {' and '.join(changes)}." if changes else what


def _sentence(text: str) -> str:
    plain = " ".join(text.split()).rstrip(".")
    return f"{plain[:1].upper()}{plain[1:]}."
