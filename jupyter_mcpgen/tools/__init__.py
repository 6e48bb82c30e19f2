"""The approved tools as Python functions: `jupyter_mcpgen.tools.sum_by_group(frame, value_column="…")`.

Each call is compared with its approval and runs in the sandbox, on a copy of the data. The modules of this package are
the built-in tools that the server offers, as values that know nothing of MCP.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import NoAnswer, UnknownTool
from jupyter_mcpgen.model.spec import DATA_PARAMETERS
from jupyter_mcpgen.runtime import current

if TYPE_CHECKING:
    from jupyter_mcpgen.model.tool import PromotedTool
    from jupyter_mcpgen.pipeline.verify import Verified


_MODULES = frozenset(module.name for module in pkgutil.iter_modules(__path__))
"""Our own modules; the registry reserves their names."""


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("_") or name in _MODULES:
        raise AttributeError(name)
    try:
        tool = current().registry.tool(name)
    except UnknownTool as error:
        raise AttributeError(str(error)) from error
    return function_of(tool)


def __dir__() -> list[str]:
    return [tool.name for tool in current().active()]


def function_of(tool: PromotedTool) -> Callable[..., Any]:
    """Return a function with the tool's own signature, documentation and name.

    It gives a data frame, or for a tool that takes no table the value that the tool gives.
    """

    def call(*data: Any, **arguments: Any) -> Any:
        bound = signature.bind(*data, **arguments)
        runtime = current()
        if not tables:
            return runtime.value_of_tool(tool.name, bound.arguments)
        given = {name: bound.arguments[name] for name in tables}
        own = {name: value for name, value in bound.arguments.items() if name not in given}
        table, *other = runtime.references_for(tool.name, named(given), own)
        return runtime.run_tool(tool.name, table, own, *other)

    def verify(data: Any, other: Any = None) -> Verified:
        """Check that the tool still gives its approved answer on the table, or the two, that it was approved for."""
        runtime = current()
        given = {"data": data} if other is None else {"data": data, "other": other}
        return runtime.verify(tool.name, *runtime.tables_for(tool.name, named(given)))

    def form(data: Any, other: Any = None) -> Any:
        """Return a form of the tool's parameters over a table, or two, whose answer changes with each field."""
        runtime = current()
        given = {"data": data} if other is None else {"data": data, "other": other}
        references = runtime.tables_for(tool.name, named(given))
        if len(given) != len(tables):
            takes = f"{len(tables)} table{'' if len(tables) == 1 else 's'}" if tables else "no table"
            raise NoAnswer(f"`{tool.name}` takes {takes}, so its form does too: `tools.{tool.name}.form(frame)`.")
        # only a notebook shows a form, so that this package stays below the notebook faces
        return import_module("jupyter_mcpgen.lab.form").form_of(tool.name, runtime, *references)

    tables = ["data", "other"][: sum(p.name in DATA_PARAMETERS for p in tool.spec.parameters)]
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in tables]
    rest = [
        inspect.Parameter(
            p.name,
            inspect.Parameter.KEYWORD_ONLY if tables else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if p.required else p.default,
        )
        for p in tool.spec.parameters
        if p.name not in DATA_PARAMETERS
    ]
    signature = inspect.Signature([*first, *rest])
    call.__name__ = call.__qualname__ = tool.name
    call.__doc__ = f"{tool.spec.description}\n\n{tool.spec.what_it_does}\n\nReturns: {tool.spec.returns}"
    call.__dict__.update(__signature__=signature, verify=verify, form=form)
    return call


def named(given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return tables with their names: each is a data frame that has the name of its parameter, or a path."""
    return [(str(value), None) if isinstance(value, str | Path) else (name, value) for name, value in given.items()]
