"""Makes a tool of what a client offers: everything it says is held against its code, which stays as it was sent."""

from __future__ import annotations

import ast
import io
import json
import tokenize
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jupyter_mcpgen.analysis.chance import reasons_for_change
from jupyter_mcpgen.analysis.free_names import free_names
from jupyter_mcpgen.analysis.packages import imports_in, packages_in
from jupyter_mcpgen.analysis.policy import parse
from jupyter_mcpgen.authors.contract import CAPABILITIES, DEPENDENCIES
from jupyter_mcpgen.authors.signature import json_schema
from jupyter_mcpgen.errors import SchemaValidationError
from jupyter_mcpgen.model.offered import (
    OfferedParameter,
    OfferedResult,
    OfferedTool,
    Offering,
    SaidParameter,
    ToolLimits,
)
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, RESULT, STATUS, ToolParameter, ToolSpec
from jupyter_mcpgen.model.tool import CHANGES, FIGURES
from jupyter_mcpgen.model.validation import Finding
from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.registry.versions import FIRST
from jupyter_mcpgen.toolkit.vendor import helpers_source
from jupyter_mcpgen.wording import in_calls

OFFERED_FILE = "offered.json"
"""What the client said of the tool, beside its code."""
NOTEBOOK_READ = "cap:notebook.read"
_PYTHON_TYPES = {
    "string": "str",
    "number": "float",
    "integer": "int",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}
_ANY = "any"
_SHORTEST_DESCRIPTION = 10


@dataclass(frozen=True)
class OfferedContract:
    """What an offered tool promises, and what it needs."""

    spec: ToolSpec
    capabilities: tuple[str, ...]
    dependencies: tuple[str, ...]
    limitations: tuple[str, ...]


def completed(
    offering: Offering, client: str, mode: Literal["safe", "unsafe"], usual: ToolLimits, now: str
) -> OfferedTool:
    """Return a whole tool: what a client says, with what follows from the code where it says nothing.

    Raises `SchemaValidationError` for code that no tool can be made of, or that does something else than the client
    says.
    """
    name, source = offering.name, offering.source_code
    if source is None:
        raise SchemaValidationError(f"`source_code` is missing: the text of the function `{name}`.")
    _refuse_hidden(offering)
    function = _function(name, source)
    inferred = tuple(_inferred(function))
    known = {each.name: each for each in inferred}
    for said in offering.parameters or ():
        _refuse_other(said, known, name)
    said_of = inferred if offering.parameters is None else offering.parameters
    missing = known.keys() - {each.name for each in said_of}
    if missing:
        raise SchemaValidationError(
            f"`{name}` takes `{min(missing)}`, and `parameters` does not describe it. Add it, or leave all out."
        )
    capabilities = tuple(dict.fromkeys(offering.capabilities or ()))
    files = [each for each in DATA_PARAMETERS if each in known]
    if files and CAPABILITIES[0] not in capabilities:
        raise SchemaValidationError(
            f"`{name}` takes `{files[0]}`, the path of a data file. Ask for `{CAPABILITIES[0]}`, without which no "
            "file can be read."
        )
    return OfferedTool(
        name=name,
        version=offering.version or FIRST,
        description=offering.description or _described(function, name),
        author=offering.author or client,
        source_code=source,
        parameters=inferred
        if offering.parameters is None
        else tuple(known[said.name].said(said) for said in offering.parameters),
        returns=offering.returns or OfferedResult(type="any", description="What the function returns."),
        capabilities=capabilities,
        examples=offering.examples or (),
        tags=offering.tags or (),
        resource_limits=offering.resource_limits or usual,
        variables=_variables(name, source, capabilities),
        client=client,
        mode=mode,
        created_at=now,
        updated_at=now,
    )


def contract_of_offered(offered: OfferedTool) -> OfferedContract:
    """Return what an offered tool promises."""
    changes = reasons_for_change(offered.source_code)
    used = packages_in(offered.source_code)
    derived = (*((CHANGES,) if changes else ()), *((FIGURES,) if "matplotlib" in used else ()))
    returns = f"{offered.returns.description} ({offered.returns.type})"
    return OfferedContract(
        spec=ToolSpec(
            tool_name=offered.name,
            description=offered.description,
            input_schema=_input_schema(offered.parameters),
            output_schema=_output_schema(offered.returns),
            parameters=tuple(map(_parameter, offered.parameters)),
            return_type=_PYTHON_TYPES.get(offered.returns.type, "object"),
            when_to_use=offered.description,
            what_it_does=(
                f"Runs code that `{offered.author}` offered through an AI client. "
                f"{limits_in_words(offered.resource_limits)}"
            ),
            returns=returns,
            prerequisites=_prerequisites(offered.variables),
        ),
        capabilities=(*offered.capabilities, *derived),
        dependencies=tuple(sorted({*DEPENDENCIES, *used})),
        limitations=tuple(f"May give another result each time: {why}." for why in changes),
    )


def limits_in_words(limits: ToolLimits) -> str:
    """Say what a call may use and how often it may be made; it is part of the contract, so that a change of it asks."""
    return (
        f"A call takes at most {limits.timeout_seconds:g} s and {limits.memory_mb} MB beside its libraries. "
        f"There is a limit of {in_calls(limits.rate_limit_per_minute)} per minute."
    )


def package_of_offered(offered: OfferedTool) -> Package:
    """Return the files of an offered tool: its code as it was sent, and what the client said of it."""
    helpers = {"helpers.py": helpers_source()} if "helpers" in imports_in(offered.source_code) else {}
    return Package(
        files={
            "tool.py": offered.source_code,
            **helpers,
            "__init__.py": f'"""The tool `{offered.name}`; see `tool.py`."""\n',
            OFFERED_FILE: offered.model_dump_json(indent=2) + "\n",
        }
    )


def offered_in(package: Package) -> OfferedTool | None:
    """Return what a client said of the tool in a package, or None for a tool that no client made."""
    text = package.files.get(OFFERED_FILE)
    return None if text is None else OfferedTool.model_validate_json(text)


def _refuse_hidden(offering: Offering) -> None:
    """Refuse signs that a person does not see: who approves a tool must have seen all of it."""
    for field, value in offering.model_dump().items():
        for text in _texts(value):
            sign = _hidden_sign(text, is_code=field == "source_code")
            if sign is not None:
                told = unicodedata.name(sign, "a control character")
                raise SchemaValidationError(
                    f"`{field}` contains an invisible character, U+{ord(sign):04X} ({told}). Remove it: the "
                    "person who decides must see everything."
                )
    for name in _identifiers(offering.source_code or ""):
        if not name.isascii():
            raise SchemaValidationError(
                f"The code uses the name `{name}`, and letters of other scripts can look like others. "
                "Write names with the letters a to z."
            )


def _hidden_sign(text: str, *, is_code: bool) -> str | None:
    """Return a sign that does not show; those that join letters count in code alone, as some scripts need them."""
    plain = text.replace("\n", "").replace("\t", "")
    if not is_code and visible(plain) == plain:
        return None
    return next((sign for sign in plain if visible(sign) != sign), None)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                yield from (*_texts(key), *_texts(each))
        case list() | tuple():
            for each in value:
                yield from _texts(each)


def _identifiers(source: str) -> Iterator[str]:
    tree = parse(source)
    if isinstance(tree, Finding):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield from filter(None, (name, other))
    # Python reads a ligature as its letters, so that the tree holds other names than the text that a person reads
    signs = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from (sign.string for sign in signs if sign.type == tokenize.NAME)


def _function(name: str, source: str) -> ast.FunctionDef:
    tree = parse(source)
    if isinstance(tree, Finding):
        raise SchemaValidationError(f"`source_code` cannot be read: {tree.message} {tree.fix or ''}".rstrip())
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == name]
    if len(found) != 1 or isinstance(found[0], ast.AsyncFunctionDef):
        raise SchemaValidationError(
            f"`source_code` must define the function `{name}` once, with `def` at the top level. It defines "
            f"{_listed([n.name for n in tree.body if isinstance(n, ast.FunctionDef)])}."
        )
    arguments = found[0].args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        raise SchemaValidationError(f"`{name}` takes `*` or `/` parameters, which no schema describes. Name each one.")
    if found[0].decorator_list:
        raise SchemaValidationError(f"`{name}` is decorated, so another function may be called. Leave that out.")
    if any(_binds(node, name) for node in ast.walk(tree) if node is not found[0]):
        raise SchemaValidationError(
            f"`{name}` is given another meaning, so another function may be called. Choose another name there."
        )
    return found[0]


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=bound, ctx=ast.Store() | ast.Del()):
            return bound == name
        case ast.FunctionDef(name=bound) | ast.AsyncFunctionDef(name=bound) | ast.ClassDef(name=bound):
            return bound == name
        case ast.ExceptHandler(name=str(bound)) | ast.MatchAs(name=str(bound)) | ast.MatchStar(name=str(bound)):
            return bound == name
        case ast.alias(name=imported, asname=other):
            return (other or imported.partition(".")[0]) == name
    return False


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "no function"


def _inferred(function: ast.FunctionDef) -> Iterator[OfferedParameter]:
    arguments, defaults = function.args, dict[str, ast.expr]()
    tail = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    defaults |= {a.arg: d for a, d in zip(tail, arguments.defaults, strict=True)}
    defaults |= {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None}
    for argument in (*arguments.args, *arguments.kwonlyargs):
        default = defaults.get(argument.arg)
        yield OfferedParameter(
            name=argument.arg,
            type=_type_of(function.name, argument, default),
            description=f"{argument.arg.replace('_', ' ').strip().capitalize() or argument.arg}.",
            required=default is None,
            default=None if default is None else _literal(function.name, argument.arg, default),
        )


def _literal(function: str, parameter: str, default: ast.expr) -> Any:
    try:
        value = ast.literal_eval(default)
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise SchemaValidationError(
            f"The default of `{parameter}` in `{function}` is not a JSON value. Write a literal."
        ) from error
    return list(value) if isinstance(value, tuple) else value


def _type_of(function: str, argument: ast.arg, default: ast.expr | None) -> Any:
    """Return the JSON type of a parameter by its annotation, else by its default."""
    annotation = argument.annotation
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).endswith("Annotated"):
        annotation = annotation.slice.elts[0] if isinstance(annotation.slice, ast.Tuple) else annotation
    schema = None if annotation is None else json_schema(annotation)
    if annotation is not None and schema is None:
        raise SchemaValidationError(
            f"`{argument.arg}` of `{function}` is a `{ast.unparse(annotation)}`, which JSON does not have. Use "
            "numbers, text, booleans, lists and dicts."
        )
    kinds = [schema or {}, *(schema or {}).get("anyOf", [])]
    found = next((part["type"] for part in kinds if part.get("type") not in (None, "null")), None)
    if found is None and default is not None:
        found = _type_of_value(_literal(function, argument.arg, default))
    return found or _ANY


def _type_of_value(value: Any) -> str | None:
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
    return None


def _described(function: ast.FunctionDef, name: str) -> str:
    summary = " ".join((ast.get_docstring(function) or "").split("\n\n")[0].split())
    return summary[:500] if len(summary) >= _SHORTEST_DESCRIPTION else f"Runs `{name}`. The client gave no description."


def _refuse_other(said: SaidParameter, known: Mapping[str, OfferedParameter], function: str) -> None:
    own = known.get(said.name)
    if own is None:
        raise SchemaValidationError(
            f"`parameters` describes `{said.name}`, and `{function}` takes {_listed(list(known))}. Use the same names."
        )
    if said.required is not None and said.required != own.required:
        has = "no default" if own.required else "a default"
        raise SchemaValidationError(
            f"`parameters` says that `{said.name}` is {'required' if said.required else 'optional'}, and it has {has} "
            "in the code. Make both say the same."
        )
    if said.default is not None and said.default != own.default:
        raise SchemaValidationError(
            f"`{said.name}` has the default {said.default!r} in `parameters` and {own.default!r} in the code. "
            "Make both say the same."
        )


def _variables(name: str, source: str, capabilities: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the code reads from a notebook; raises where it may not read any."""
    try:
        found = free_names(source)
    except (SyntaxError, ValueError) as error:
        raise SchemaValidationError(f"`source_code` cannot be compiled: {error}.") from error
    if found and NOTEBOOK_READ not in capabilities:
        raise SchemaValidationError(
            f"`{name}` reads {_listed(found)}, which its code does not define. Take it as a parameter, or ask for "
            f"`{NOTEBOOK_READ}`: then the variable of the notebook is copied into each call."
        )
    return found


def _parameter(said: OfferedParameter) -> ToolParameter:
    return ToolParameter(
        name=said.name,
        type=_PYTHON_TYPES.get(said.type, "object"),
        description=said.description,
        required=said.required,
        default=said.default,
    )


def _input_schema(parameters: Sequence[OfferedParameter]) -> dict[str, Any]:
    properties = {
        each.name: {
            **_typed(each.type),
            "description": each.description,
            **({} if each.required else {"default": each.default}),
            **({} if each.enum is None else {"enum": list(each.enum)}),
        }
        for each in parameters
    }
    required = [each.name for each in parameters if each.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _output_schema(returns: OfferedResult) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            STATUS: {"type": "string", "const": "success"},
            RESULT: {**_typed(returns.type), "description": returns.description},
        },
        "required": [STATUS, RESULT],
    }


def _typed(kind: str) -> dict[str, Any]:
    return {} if kind == _ANY else {"type": kind}


def _prerequisites(variables: Sequence[str]) -> str:
    if not variables:
        return "None."
    return f"A notebook runs in which {_listed(variables)} {'is' if len(variables) == 1 else 'are'} defined."
