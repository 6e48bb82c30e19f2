"""What a specification says of a component, and how its file is read: JSON, or YAML without tags and aliases."""

from __future__ import annotations

import ast
import builtins
import json
import keyword
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from packaging.requirements import InvalidRequirement, Requirement
from pydantic import AfterValidator, Field, ValidationError, model_validator

from jupyter_mcpgen.build.source_text import dedented, indented
from jupyter_mcpgen.build.synthesis.unfit import unfit
from jupyter_mcpgen.errors import UnfitSpecification
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.visible import visible

MOST_BYTES = 1_000_000
_NAME = r"^[a-z][a-z0-9_]{0,63}$"
_TYPES = {
    "string": "str",
    "number": "float",
    "integer": "int",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
    "any": "object",
}
_TAKEN = ("fastmcp", "pytest", "tests")
"""Modules that our templates use, or would make."""
TypeName = Literal["string", "number", "integer", "boolean", "array", "object", "any"]


def _name(text: str) -> str:
    if keyword.iskeyword(text) or keyword.issoftkeyword(text):
        raise ValueError(f"`{text}` is a word of Python")
    return text


def _free_name(text: str) -> str:
    if text in sys.stdlib_module_names or text in _TAKEN:
        raise ValueError(f"`{text}` is another module already")
    return _name(text)


def _function_name(text: str) -> str:
    if hasattr(builtins, text):
        raise ValueError(f"`{text}` is a function or type of Python, which the other code would lose; rename it")
    if text.startswith("test"):
        raise ValueError(f"`{text}` would be run as a test, as every name that begins with `test`; rename it")
    return _name(text)


def _import(text: str) -> str:
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        node = None
    if not isinstance(node, ast.Import | ast.ImportFrom):
        raise ValueError("it is no import statement, such as `import math` or `from math import pi`")
    return ast.unparse(node)


def _requirement(text: str) -> str:
    try:
        return str(Requirement(text))
    except InvalidRequirement as error:
        raise ValueError("it is no requirement, such as `pandas>=3`") from error


def _body(text: str) -> str:
    """Return the statements of a function, which end where it ends."""
    try:
        body = dedented(text.strip("\r\n"))
        if body is None:
            raise ValueError("a text in it would change; begin its statements at the left margin")
        found = ast.parse(f"def function():\n{indented(body)}\n").body
    except SyntaxError as error:
        raise ValueError(f"it is no Python: {error}") from error
    if len(found) != 1:
        raise ValueError("it does not end where the function ends")
    return body


Name = Annotated[str, Field(pattern=_NAME), AfterValidator(_name)]
FunctionName = Annotated[str, Field(pattern=_NAME), AfterValidator(_function_name)]
Words = Annotated[str, Field(min_length=1, max_length=2_000)]


class Parameter(Record):
    """One parameter of a function; one with a default may be left out."""

    name: Name
    type: TypeName = "any"
    description: Words
    required: bool = True
    default: Any = None

    @property
    def annotation(self) -> str:
        """The type in Python; a list or an object that may be left out is None then, as defaults are shared."""
        plain = _TYPES[self.type]
        return f"{plain} | None" if not self.required and (self.default is None or self.is_shared) else plain

    @property
    def is_shared(self) -> bool:
        """Whether calls would share the default."""
        return isinstance(self.default, list | dict)

    @model_validator(mode="after")
    def _required_without_default(self) -> Self:
        if self.required and self.default is not None:
            return self.replace(required=False)
        return self


class Returns(Record):
    """What a function returns."""

    type: TypeName = "any"
    description: Words = "The result."

    @property
    def annotation(self) -> str:
        """The type in Python."""
        return _TYPES[self.type]


class Example(Record):
    """A call with what it must give."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    result: Any


class Function(Record):
    """One function: `body` is its statements; without them it says that nobody wrote it yet."""

    name: FunctionName
    description: Words
    parameters: tuple[Parameter, ...] = ()
    returns: Returns = Returns()
    body: Annotated[str, Field(max_length=20_000), AfterValidator(_body)] | None = None
    examples: tuple[Example, ...] = ()

    @property
    def ordered(self) -> tuple[Parameter, ...]:
        """The parameters, those without a default first, as Python wants them."""
        return tuple(sorted(self.parameters, key=lambda each: not each.required))

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [each.name for each in self.parameters]
        if len(set(names)) < len(names):
            raise ValueError("two of its parameters have the same name")
        unknown = [name for each in self.examples for name in each.arguments if name not in names]
        if unknown:
            raise ValueError(f"an example gives `{unknown[0]}`, which is no parameter")
        return self


class Component(Record):
    """What is to be made."""

    name: Annotated[str, Field(pattern=_NAME), AfterValidator(_free_name)]
    description: Words
    version: Annotated[str, Field(pattern=r"^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}$")] = "0.1.0"
    language: str | None = None
    template: str | None = None
    imports: tuple[Annotated[str, AfterValidator(_import)], ...] = ()
    requirements: tuple[Annotated[str, AfterValidator(_requirement)], ...] = ()
    functions: Annotated[tuple[Function, ...], Field(min_length=1, max_length=100)]

    @property
    def has_floats(self) -> bool:
        """Whether an example gives a number that may differ in its last digits."""
        return any(_has_float(each.result) for function in self.functions for each in function.examples)

    @model_validator(mode="after")
    def _functions_differ(self) -> Self:
        names = [each.name for each in self.functions]
        if len(set(names)) < len(names):
            raise ValueError("two of its functions have the same name")
        if "mcp" in names:
            raise ValueError("`mcp` is the name of the server, so no function can have it")
        return self


_KEYS = tuple(key for record in (Component, Function, Parameter, Returns, Example) for key in record.model_fields)


def _has_float(value: object) -> bool:
    match value:
        case list():
            return any(map(_has_float, value))
        case dict():
            return any(map(_has_float, value.values()))
        case _:
            return isinstance(value, float)


def read_component(path: Path) -> Component:
    """Return what a file specifies; raises `UnfitSpecification` that names the place."""
    shown = visible(path.name)
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode()
    except OSError as error:
        raise UnfitSpecification(shown, f"it cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise UnfitSpecification(shown, "it is not UTF-8 text") from error
    if len(content) > MOST_BYTES:
        raise UnfitSpecification(shown, f"it has more than {MOST_BYTES:,} bytes")
    tree = _tree(shown, path.suffix.casefold(), text)
    try:
        return Component.model_validate(tree)
    except ValidationError as error:
        raise UnfitSpecification(shown, unfit(error, _KEYS)) from error


def _tree(shown: str, ending: str, text: str) -> Mapping[str, Any]:
    import yaml  # deferred: only specifications need it

    try:
        match ending:
            case ".json":
                tree = json.loads(text)
            case ".yaml" | ".yml":
                if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
                    raise UnfitSpecification(shown, "it has aliases (`*name`); write out what they stand for")
                tree = yaml.safe_load(text)
            case _:
                raise UnfitSpecification(shown, "its name ends in none of `.json`, `.yaml` and `.yml`")
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        first = visible(str(error).splitlines()[0])
        raise UnfitSpecification(shown, f"it cannot be read as {ending[1:].upper()}: {first}") from error
    if not isinstance(tree, Mapping):
        raise UnfitSpecification(shown, "it is no object with `name`, `description` and `functions`")
    return tree
