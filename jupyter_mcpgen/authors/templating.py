"""Fills the templates of tools; every text goes through `repr` or is made safe for a docstring."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from textwrap import wrap
from typing import TYPE_CHECKING

from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.plan.slots import Parameter

if TYPE_CHECKING:
    import jinja2

_DOCSTRING_WIDTH = 112


@cache
def environment() -> jinja2.Environment:
    """Return the templates with what they may call."""
    import jinja2  # deferred: 40 ms

    folder = str(files("jupyter_mcpgen.authors").joinpath("templates"))
    environment = jinja2.Environment(  # noqa: S701  Python source is written, not HTML; literals go through repr
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "literal": literal_of,
        "signature": _signature,
        "argument": _argument,
        "docstring": _docstring,
    }
    return environment


def default_of(parameter: ToolParameter) -> str:
    """Write the default of a parameter, if it has one."""
    if parameter.required:
        return ""
    value = tuple(parameter.default) if isinstance(parameter.default, list) else parameter.default
    return f" = {value!r}"


def literal_of(text: str) -> str:
    """Write a text as a literal."""
    return repr(text)


def _signature(parameter: Parameter) -> str:
    return f"{parameter.name}: {parameter.type.replace('Sequence', 'list')}"


def _argument(parameter: Parameter) -> str:
    value = f"list({parameter.name})" if parameter.type.startswith("Sequence") else parameter.name
    return f"{parameter.name}={value}"


def note_of(parameter: Parameter) -> str:
    """Write what a report notes of the value of a parameter."""
    value = f"', '.join(map(str, {parameter.name}))" if parameter.type.startswith("Sequence") else parameter.name
    return f'f"{parameter.name}: {{{value}}}"'


def _docstring(text: str) -> str:
    """Write a text inside a docstring, in lines of readable length; what could end it or hide in it is spelled out."""
    lines = [wrap(line, _DOCSTRING_WIDTH, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")]
    safe = "\n".join(part for parts in lines for part in parts).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in safe)
