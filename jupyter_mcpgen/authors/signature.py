"""Reads what a function takes and gives from its signature: the tables, the parameters, and the JSON of the result."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.analysis.policy import parse
from jupyter_mcpgen.errors import UnusableCode
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolParameter
from jupyter_mcpgen.model.validation import Finding

JsonSchema = Mapping[str, Any]
_TABLES = ("pd.DataFrame", "pandas.DataFrame", "DataFrame")
_PLAIN: Mapping[str, JsonSchema] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "object": {},
    "Any": {},
    "list": {"type": "array"},
    "Sequence": {"type": "array"},
    "tuple": {"type": "array"},
    "dict": {"type": "object"},
    "Mapping": {"type": "object"},
}


@dataclass(frozen=True)
class Signature:
    """A function: its name, the tables that it takes first, its other parameters, and what it gives.

    `result` is the JSON Schema of what it gives, or None for a table.
    """

    name: str
    tables: tuple[str, ...]
    parameters: tuple[ToolParameter, ...]
    schemas: Mapping[str, JsonSchema]
    result: JsonSchema | None
    returned: str
    summary: str
    line: str
    """The line that begins its definition."""


def signature_of(code: str) -> Signature:
    """Return the signature of the one public function in some code; raises `UnusableCode` for what no tool can have."""
    tree = parse(code)
    if isinstance(tree, Finding):
        raise UnusableCode(tree.message)
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    public = [node for node in functions if not node.name.startswith("_")]
    if len(public) != 1 or isinstance(public[0], ast.AsyncFunctionDef):
        raise UnusableCode(
            f"The code defines {len(public)} functions whose names do not begin with `_`. Define one, with `def`."
        )
    try:
        return _read(public[0])
    except RecursionError as error:
        raise UnusableCode(f"The signature of `{public[0].name}` is nested too deeply to be read.") from error


def _read(node: ast.FunctionDef) -> Signature:
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        raise UnusableCode(f"`{node.name}` takes `*` or `/` parameters. Name each parameter.")
    defaults: dict[str, ast.expr] = dict(
        zip(
            [a.arg for a in arguments.args][len(arguments.args) - len(arguments.defaults) :],
            arguments.defaults,
            strict=True,
        )
    )
    defaults |= {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None}
    tables: list[str] = []
    parameters: list[ToolParameter] = []
    schemas: dict[str, JsonSchema] = {}
    for argument in (*arguments.args, *arguments.kwonlyargs):
        if _is_table(argument.annotation):
            tables.append(argument.arg)
            continue
        parameter, schema = _parameter(node.name, argument, defaults.get(argument.arg))
        parameters.append(parameter)
        schemas[parameter.name] = schema
    if [a.arg for a in (*arguments.args, *arguments.kwonlyargs)][: len(tables)] != tables:
        raise UnusableCode(f"`{node.name}` takes a table after another parameter. Put the tables first.")
    if len(tables) > len(DATA_PARAMETERS):
        raise UnusableCode(f"`{node.name}` takes {len(tables)} tables. A tool takes at most {len(DATA_PARAMETERS)}.")
    if not tables:
        raise UnusableCode(f"`{node.name}` takes no table. Give it a parameter `df: pd.DataFrame`.")
    result = None if _is_table(node.returns) else _schema(node.name, "the result", node.returns)
    summary = (ast.get_docstring(node) or "").split("\n\n")[0]
    returned = ast.unparse(node.returns) if node.returns is not None else "None"
    return Signature(
        name=node.name,
        tables=tuple(tables),
        parameters=tuple(parameters),
        schemas=schemas,
        result=result,
        returned=returned,
        summary=" ".join(summary.split()),
        line=f"def {node.name}({ast.unparse(arguments)}) -> {returned}:",
    )


def _is_table(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) in _TABLES


def _parameter(function: str, argument: ast.arg, default: ast.expr | None) -> tuple[ToolParameter, JsonSchema]:
    name, annotation, description = argument.arg, argument.annotation, ""
    match annotation:
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, *notes])):
            annotation, description = inner, next(filter(None, map(_described, notes)), "")
    schema = _schema(function, f"`{name}`", annotation)
    written = ast.unparse(annotation) if annotation is not None else "object"
    description = description or f"{name.replace('_', ' ').strip().capitalize()}."
    if default is None:
        raise UnusableCode(f"`{name}` of `{function}` has no default. Give it the value that answers the question.")
    try:
        plain = _plain(ast.literal_eval(default))
    except (ValueError, TypeError) as error:
        raise UnusableCode(
            f"The default of `{name}` in `{function}` is no plain value. Write a literal that JSON can hold."
        ) from error
    return ToolParameter(name=name, type=written, description=description, required=False, default=plain), schema


def _plain(value: object) -> object:
    """Return a value as JSON holds it; raises `TypeError` for one that it cannot hold as it is."""
    match value:
        case list() | tuple():
            return [_plain(each) for each in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: _plain(each) for key, each in value.items()}
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
    raise TypeError(f"JSON cannot hold {value!r}")


def _described(note: ast.expr) -> str:
    """Return the description in a note of `Annotated[…]`: a text, or that of a `Field`."""
    match note:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(keywords=keywords):
            texts = (k.value.value for k in keywords if k.arg == "description" and isinstance(k.value, ast.Constant))
            return next((text for text in texts if isinstance(text, str)), "")
    return ""


def _schema(function: str, what: str, annotation: ast.expr | None) -> JsonSchema:
    if annotation is None:
        raise UnusableCode(f"{what[:1].upper()}{what[1:]} of `{function}` has no type. Annotate it, as in `int`.")
    found = json_schema(annotation)
    if found is None:
        raise UnusableCode(
            f"{what[:1].upper()}{what[1:]} of `{function}` is a `{ast.unparse(annotation)}`, which JSON cannot hold. "
            "Use numbers, text, booleans, lists and dicts of them, or `pd.DataFrame`."
        )
    return found


def json_schema(annotation: ast.expr) -> JsonSchema | None:
    """Return the JSON Schema of an annotation, or None for a type that JSON does not have."""
    match annotation:
        case ast.Constant(value=None):
            return _PLAIN["None"]
        case ast.Constant(value=str(text)):
            tree = parse(text)
            return None if isinstance(tree, Finding) else _of_expression(tree)
        case ast.Name(id=name):
            return _PLAIN.get(name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _any_of([left, right])
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _any_of([inner, ast.Constant(value=None)])
        case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
            listed = values.elts if isinstance(values, ast.Tuple) else [values]
            return {"enum": [value.value for value in listed if isinstance(value, ast.Constant)]}
        case ast.Subscript(value=ast.Name(id="list" | "Sequence"), slice=inner):
            items = json_schema(inner)
            return None if items is None else {"type": "array", "items": items}
        case ast.Subscript(value=ast.Name(id="dict" | "Mapping"), slice=ast.Tuple(elts=[ast.Name(id="str"), inner])):
            values_ = json_schema(inner)
            return None if values_ is None else {"type": "object", "additionalProperties": values_}
    return None


def _of_expression(tree: ast.Module) -> JsonSchema | None:
    match tree.body:
        case [ast.Expr(value=value)]:
            return json_schema(value)
    return None


def _any_of(parts: list[ast.expr]) -> JsonSchema | None:
    schemas = [json_schema(part) for part in parts]
    return None if any(schema is None for schema in schemas) else {"anyOf": schemas}
