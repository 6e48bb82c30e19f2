"""The contract gate: the code of a tool promises exactly what its ToolSpec says, and nothing beside it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from jupyter_mcpgen.analysis.policy import parse
from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.model.spec import ToolParameter, ToolSpec
from jupyter_mcpgen.model.validation import Finding

GATE = "contract"
SECTIONS = {
    "WHEN TO USE THIS TOOL:": "when_to_use",
    "WHAT THIS TOOL DOES:": "what_it_does",
    "RETURNS:": "returns",
    "PREREQUISITES:": "prerequisites",
}
"""The headings of a tool's docstring and the fields of the ToolSpec that stand below them."""

NO_FUNCTION = Rule(
    "tool-function", "The code does not define one function named {subject}.", "Define it once, at the top level."
)
ASYNC = Rule("tool-async", "{subject} is `async`, and tools are called in a plain process.", "Use `def`.")
NO_SERVER = Rule("tool-server", "The code has no server object: {subject}.", 'Add `mcp = FastMCP("name")`.')
DECORATOR = Rule("tool-decorator", "{subject} is not decorated with `@mcp.tool()` alone.", "Decorate it so.")
EXTRA_TOOL = Rule("extra-tool", "{subject} offers another tool, and nobody asked for it.", "Remove it.")
REBOUND = Rule("tool-rebound", "{subject} is given another meaning.", "Choose another name.")
PARAMETERS = Rule("parameters", "The parameters differ from the spec: {subject}.", "Use the spec's, in its order.")
VARIADIC = Rule("parameters-variadic", "The function takes {subject}, which no schema describes.", "Name each one.")
ANNOTATION = Rule(
    "parameter-annotation", "{subject}.", "Write the spec's `Annotated[type, Field(description=…)]` as it is."
)
DEFAULT = Rule("parameter-default", "{subject}.", "Use the spec's default.")
RETURN_TYPE = Rule("return-type", "{subject}.", "Use the spec's return type.")
NO_DOCSTRING = Rule("docstring", "{subject} has no docstring.", "Add the summary and the four sections.")
NO_SUMMARY = Rule("docstring-summary", "The docstring of {subject} has no summary.", "Start it with one sentence.")
SECTION_MISSING = Rule("docstring-section", "The docstring has no section {subject}.", "Add the heading and its text.")
SECTION_TWICE = Rule("docstring-section-twice", "The docstring has the section {subject} twice.", "Keep one.")
SECTION_EMPTY = Rule("docstring-section-empty", "The section {subject} is empty.", "Write the spec's text below it.")
SECTION_DIFFERS = Rule("docstring-section-differs", "The section {subject} is not the spec's text.", "Copy it.")
INPUT_SCHEMA = Rule("input-schema", "The input schema does not fit the parameters: {subject}.", "Derive it from them.")
OUTPUT_SCHEMA = Rule("output-schema", "The output schema {subject}.", "Describe the result as an object.")


def check_contract(source: str, spec: ToolSpec) -> tuple[Finding, ...]:
    """Return every difference between the code of a tool and its spec, and every fault of the spec's schemas."""
    tree = parse(source)
    if isinstance(tree, Finding):
        return (tree.replace(gate=GATE),)
    return tuple(chain(_module(tree, spec), _input_schema(spec), _output_schema(spec)))


def _found(rule: Rule, subject: str, node: ast.AST | None = None) -> Finding:
    return rule.finding(subject, getattr(node, "lineno", None), GATE)


def _module(tree: ast.Module, spec: ToolSpec) -> Iterator[Finding]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [node for node in functions if node.name == spec.tool_name]
    if len(named) != 1 or named[0] not in tree.body:
        yield _found(NO_FUNCTION, f"`{spec.tool_name}`", named[-1] if named else None)
    else:
        yield from _function(named[0], spec)
    yield from _extra_tools(tree, named)
    yield from _server(tree, spec)


def _extra_tools(tree: ast.Module, named: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]) -> Iterator[Finding]:
    wanted = {id(below) for node in named for decorator in node.decorator_list for below in ast.walk(decorator)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="mcp"), attr=offer) if offer != "run" and id(node) not in wanted:
                yield _found(EXTRA_TOOL, f"`mcp.{offer}`", node)


def _server(tree: ast.Module, spec: ToolSpec) -> Iterator[Finding]:
    if not any(_makes_server(node) for node in tree.body):
        yield _found(NO_SERVER, "`mcp` is never made")
    servers = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and _rebinds(node, "mcp")]
    again = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and _rebinds(node, spec.tool_name)]
    for node in (*servers[1:], *again):
        yield _found(REBOUND, f"`{node.id}`", node)


def _rebinds(node: ast.Name, name: str) -> bool:
    return node.id == name and not isinstance(node.ctx, ast.Load)


def _makes_server(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id="mcp")], value=ast.Call(func=ast.Name(id="FastMCP"))):
            return True
    return False


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, spec: ToolSpec) -> Iterator[Finding]:
    subject = f"`{spec.tool_name}`"
    if isinstance(node, ast.AsyncFunctionDef):
        yield _found(ASYNC, subject, node)
    if [ast.unparse(decorator) for decorator in node.decorator_list] != ["mcp.tool()"]:
        yield _found(DECORATOR, subject, node)
    yield from _parameters(node, spec)
    yield from _return_type(node, spec)
    yield from _docstring(node, spec)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, spec: ToolSpec) -> Iterator[Finding]:
    arguments = node.args
    for variadic, stars in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if variadic:
            yield _found(VARIADIC, f"`{stars}{variadic.arg}`", node)
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    expected = [parameter.name for parameter in spec.parameters]
    if names != expected or arguments.posonlyargs or arguments.kwonlyargs:
        yield _found(PARAMETERS, f"`{ast.unparse(arguments)}` instead of `{', '.join(expected)}`", node)
        return
    first = len(arguments.args) - len(arguments.defaults)
    for position, (argument, parameter) in enumerate(zip(arguments.args, spec.parameters, strict=True)):
        yield from _annotation(argument, parameter)
        yield from _default(argument, arguments.defaults[position - first] if position >= first else None, parameter)


def _annotation(argument: ast.arg, parameter: ToolParameter) -> Iterator[Finding]:
    written = ast.unparse(argument.annotation) if argument.annotation else "nothing"
    if written != _normal(parameter.annotation):
        yield _found(ANNOTATION, f"`{parameter.name}` is annotated `{written}`, not `{parameter.annotation}`", argument)


def _normal(annotation: str) -> str:
    """Return an annotation in Python's own spelling, so that quotes, blanks and line breaks do not count."""
    tree = parse(annotation)
    return annotation if isinstance(tree, Finding) else ast.unparse(tree)


def _default(argument: ast.arg, default: ast.expr | None, parameter: ToolParameter) -> Iterator[Finding]:
    if parameter.required and default is None:
        return
    if parameter.required or default is None:
        wanted = "no default" if parameter.required else f"the default `{parameter.default!r}`"
        yield _found(DEFAULT, f"`{parameter.name}` must have {wanted}", argument)
    elif not _same_literal(default, parameter.default):
        written = ast.unparse(default)
        yield _found(DEFAULT, f"`{parameter.name}` defaults to `{written}`, not `{parameter.default!r}`", argument)


def _same_literal(node: ast.expr, value: Any) -> bool:
    """Return whether a literal has exactly a JSON value: `1`, `1.0` and `True` are three different ones."""
    try:
        return _canonical(ast.literal_eval(node)) == _canonical(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _return_type(node: ast.FunctionDef | ast.AsyncFunctionDef, spec: ToolSpec) -> Iterator[Finding]:
    written = ast.unparse(node.returns) if node.returns else "nothing"
    if written != _normal(spec.return_type):
        yield _found(RETURN_TYPE, f"`{spec.tool_name}` returns `{written}`, not `{spec.return_type}`", node)


def _docstring(node: ast.FunctionDef | ast.AsyncFunctionDef, spec: ToolSpec) -> Iterator[Finding]:
    docstring = ast.get_docstring(node)
    if not docstring:
        yield _found(NO_DOCSTRING, f"`{spec.tool_name}`", node)
        return
    summary, sections = _split(docstring)
    if not summary:
        yield _found(NO_SUMMARY, f"`{spec.tool_name}`", node)
    for heading, attribute in SECTIONS.items():
        yield from _section(heading, sections, getattr(spec, attribute), node)


def _split(docstring: str) -> tuple[str, list[tuple[str, str]]]:
    """Split a docstring at its headings into the summary and pairs of heading and text, whitespace normalised."""
    summary: list[str] = []
    sections: list[tuple[str, list[str]]] = []
    for line in docstring.splitlines():
        heading = next((h for h in SECTIONS if line.strip().startswith(h)), None)
        if heading:
            sections.append((heading, [line.strip().removeprefix(heading)]))
        else:
            (sections[-1][1] if sections else summary).append(line)
    return _plain(summary), [(heading, _plain(lines)) for heading, lines in sections]


def _plain(lines: Sequence[str]) -> str:
    return " ".join(" ".join(lines).split())


def _section(heading: str, sections: list[tuple[str, str]], expected: str, node: ast.AST) -> Iterator[Finding]:
    texts = [text for found, text in sections if found == heading]
    name = f"`{heading}`"
    if not texts:
        yield _found(SECTION_MISSING, name, node)
    elif len(texts) > 1:
        yield _found(SECTION_TWICE, name, node)
    elif not texts[0]:
        yield _found(SECTION_EMPTY, name, node)
    elif texts[0] != _plain(expected.splitlines()):
        yield _found(SECTION_DIFFERS, name, node)


def _input_schema(spec: ToolSpec) -> Iterator[Finding]:
    schema = spec.input_schema
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if schema.get("type") != "object" or not isinstance(properties, Mapping) or not isinstance(required, list):
        yield _found(INPUT_SCHEMA, "it is not the schema of an object")
        return
    names = [parameter.name for parameter in spec.parameters]
    if set(properties) != set(names):
        listed = ", ".join(f"`{name}`" for name in sorted(set(properties) ^ set(names)))
        yield _found(INPUT_SCHEMA, f"{listed} is on one side only")
    needed = {parameter.name for parameter in spec.parameters if parameter.required}
    if set(required) != needed:
        yield _found(INPUT_SCHEMA, f"it requires {sorted(required)}, the parameters {sorted(needed)}")
    for parameter in spec.parameters:
        if isinstance(part := properties.get(parameter.name), Mapping):
            yield from _property(parameter, part)


def _property(parameter: ToolParameter, schema: Mapping[str, Any]) -> Iterator[Finding]:
    expected = _json_types(_expression(parameter.type))
    described = _described_types(schema)
    if expected and described and expected != described:
        subject = f"`{parameter.name}` is `{parameter.type}`, the schema says {' or '.join(sorted(described))}"
        yield _found(INPUT_SCHEMA, subject)
    if schema.get("description", parameter.description) != parameter.description:
        yield _found(INPUT_SCHEMA, f"`{parameter.name}` is described in two ways")
    default = None if parameter.required else parameter.default
    if "default" in schema and (parameter.required or _canonical(schema["default"]) != _canonical(default)):
        yield _found(INPUT_SCHEMA, f"`{parameter.name}` has the default `{schema['default']!r}` there")


def _expression(text: str) -> ast.expr | None:
    tree = parse(text)
    match tree:
        case ast.Module(body=[ast.Expr(value=value)]):
            return value
    return None


_JSON_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    **dict.fromkeys(("list", "List", "tuple", "Tuple", "set", "Set", "Sequence"), "array"),
    **dict.fromkeys(("dict", "Dict", "Mapping"), "object"),
}


def _json_types(node: ast.expr | None) -> frozenset[str]:
    """Return the JSON types of a Python type, or none for one that says nothing about them."""
    match node:
        case ast.Constant(value=None):
            return frozenset({"null"})
        case ast.Name(id=name):
            return frozenset({_JSON_TYPES[name]} if name in _JSON_TYPES else ())
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([left, right])
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _union([inner, ast.Constant(None)])
        case ast.Subscript(value=ast.Name(id="Union"), slice=ast.Tuple(elts=several)):
            return _union(several)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
            return _value_types(values.elts if isinstance(values, ast.Tuple) else [values])
        case ast.Subscript(value=base):
            return _json_types(base)
    return frozenset()


def _union(parts: Sequence[ast.expr]) -> frozenset[str]:
    types = [_json_types(part) for part in parts]
    return frozenset().union(*types) if all(types) else frozenset()


def _value_types(values: Sequence[ast.expr]) -> frozenset[str]:
    constants = [value.value for value in values if isinstance(value, ast.Constant)]
    return frozenset(_JSON_TYPES.get(type(constant).__name__, "null") for constant in constants)


def _described_types(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the JSON types that a property schema allows, or none when it leaves them open."""
    if isinstance(choices := schema.get("anyOf"), list):
        parts = [_described_types(choice) for choice in choices if isinstance(choice, Mapping)]
        return frozenset().union(*parts) if all(parts) else frozenset()
    types = schema.get("type", [])
    return frozenset([types] if isinstance(types, str) else types)


def _output_schema(spec: ToolSpec) -> Iterator[Finding]:
    if spec.output_schema.get("type") != "object":
        yield _found(OUTPUT_SCHEMA, "is not the schema of an object")
    elif not isinstance(spec.output_schema.get("properties", {}), Mapping):
        yield _found(OUTPUT_SCHEMA, "has `properties` that are not named")
