"""Ask a question of your data in a notebook, check the evidence, keep the answer as a validated MCP tool.

`ask` answers a question from Python, `tools` holds the approved tools as functions. Nothing heavy is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mcpgen import tools
    from jupyter_mcpgen.answer import Answer

__version__ = "0.1.0"
__all__ = ["ask", "tools"]


def ask(
    question: str,
    data: Any,
    other: Any = None,
    *,
    data_name: str = "data",
    other_name: str = "other",
    name: str | None = None,
    follow: bool = False,
) -> Answer:
    """Answer a question of a table: a pandas, polars or Arrow table, or the path of a file.

    `other` is a second table, for questions such as "total amount by country in data joined with other"; the question
    calls the tables by `data_name` and `other_name`, or by the names of their files. `name` is a name for the new tool.
    With `follow=True`, "now by month" or "only the north" changes the question that was asked before of the same table.

    Returns an `Answer` with `df`, `chart`, `code` and evidence; a question that was asked back or refused says so in
    it. Raises a `McpgenError` for data that cannot be read.
    """
    import sys
    from pathlib import Path

    if "jupyter_mcpgen.runtime" not in sys.modules:
        from jupyter_mcpgen import warming

        warming.begin()  # its processes import pandas while this one imports the rest
    from jupyter_mcpgen.answer import answer_to  # deferred: loads pandas and the planner
    from jupyter_mcpgen.runtime import current

    runtime = current()
    given = [(data_name, data), *([(other_name, other)] if other is not None else [])]
    references = [
        runtime.reference(str(table)) if isinstance(table, str | Path) else runtime.reference(called, table)
        for called, table in given
    ]
    variables = {called: table for called, table in given if not isinstance(table, str | Path)}
    return answer_to(runtime, question, *references, name=name, variables=variables, follow=follow).stage()


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add `%mcpgen` to a notebook: `%load_ext jupyter_mcpgen`."""
    from jupyter_mcpgen.magics import load  # deferred: IPython only

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take `%mcpgen` out of a notebook again: `%unload_ext jupyter_mcpgen`."""
    from jupyter_mcpgen.magics import unload  # deferred: IPython only

    unload(shell)


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "jupyter-mcpgen"}]


def __getattr__(name: str) -> Any:
    if name == "tools":
        from importlib import import_module

        return import_module("jupyter_mcpgen.tools")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
