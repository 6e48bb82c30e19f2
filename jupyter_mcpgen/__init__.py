"""Ask a question of your data in a notebook, check the evidence, keep the answer as a validated MCP tool.

`ask` answers a question from Python, `tools` holds the approved tools as functions; `versions`, `diff`, `rollback` and
`unpublish` are about the versions of a tool. Nothing heavy is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mcpgen import tools
    from jupyter_mcpgen.answer import Answer
    from jupyter_mcpgen.model.diff import Diff
    from jupyter_mcpgen.model.tool import PromotedTool
    from jupyter_mcpgen.pipeline.course import Course

__version__ = "0.1.0"
__all__ = ["ask", "diff", "rollback", "tools", "unpublish", "versions"]


def ask(
    question: str,
    data: Any,
    other: Any = None,
    *,
    data_name: str = "data",
    other_name: str = "other",
    name: str | None = None,
    sheet: str | None = None,
    read: Mapping[str, Any] | None = None,
    follow: bool = False,
) -> Answer:
    """Answer a question of a table: a pandas, polars, Dask or Arrow table, or the path of a file.

    `sheet` names the sheet, member or table of a file that has several; `book.xlsx#Costs` means the same.
    `read` says how a text file is written, now and whenever it is named again, in what its text leaves open:
    `{"delimiter": ";", "encoding": "cp1252", "header": 8, "skip": 0, "footer": 2, "missing": ["none"]}`, any of these;
    the header is the line of the names, 0 for none.
    `other` is a second table, for questions such as "total amount by country in data joined with other"; the question
    calls the tables by `data_name` and `other_name`, or by the names of their files. `name` is a name for the new tool.
    The name of a tool of yours makes the draft of its next version; `answer.diff` says what it changes.
    With `follow=True`, "now by month" or "only the north" changes the question that was asked before of the same table.

    Returns an `Answer` with `df`, `chart`, `code` and evidence; a question that was asked back or refused says so in
    it. Raises a `McpgenError` for data that cannot be read. An interrupt ends it, and nothing of it is kept.
    """
    import sys
    from pathlib import Path

    if "jupyter_mcpgen.runtime" not in sys.modules:
        from jupyter_mcpgen import warming

        warming.begin()  # its processes import pandas while this one imports the rest
    from jupyter_mcpgen.answer import answer_to  # deferred: loads pandas and the planner
    from jupyter_mcpgen.attending import attend
    from jupyter_mcpgen.errors import QuestionStopped
    from jupyter_mcpgen.magics import NOTHING_KEPT, Stopped
    from jupyter_mcpgen.model.request import ReadOptions
    from jupyter_mcpgen.runtime import current
    from jupyter_mcpgen.sandbox.cancellation import Cancellation

    runtime = current()
    if (sheet is not None or read is not None) and not isinstance(data, str | Path):
        raise ValueError("`sheet` and `read` are about a file, and `data` is a table already. Leave them out.")
    if read is not None:
        runtime.read_so(str(data), ReadOptions.of(read))
    data = data if sheet is None else f"{data}#{sheet}"
    given = [(data_name, data), *([(other_name, other)] if other is not None else [])]
    references = [
        runtime.reference(str(table)) if isinstance(table, str | Path) else runtime.reference(called, table)
        for called, table in given
    ]
    variables = {called: table for called, table in given if not isinstance(table, str | Path)}

    def compute(course: Course) -> Answer:
        return answer_to(runtime, question, *references, name=name, variables=variables, follow=follow, course=course)

    def watch(work: Callable[[Course], Answer]) -> Answer:
        return attend(work, lambda events: None, Cancellation())

    try:
        return watch(compute).stage_while(watch)
    except QuestionStopped:
        raise Stopped(NOTHING_KEPT) from None


def versions(name: str) -> tuple[PromotedTool, ...]:
    """Return the approved versions of a tool, newest first, active or in the archive."""
    from jupyter_mcpgen.runtime import current  # deferred, as below: loads the product

    return current().registry.versions(name)


def diff(name: str, before: str | None = None, after: str | None = None) -> Diff:
    """Return what changes between two versions of a tool; without versions, between the latest two."""
    from jupyter_mcpgen.runtime import current

    return current().diff(name, before, after)


def rollback(name: str, version: str | None = None) -> PromotedTool:
    """Make an earlier version of a tool active again, or bring an unpublished tool back, and return it."""
    from jupyter_mcpgen.runtime import current

    return current().rollback(name, version)


def unpublish(name: str) -> None:
    """Put a tool into the archive, from where `rollback` brings it back."""
    from jupyter_mcpgen.runtime import current

    current().unpublish(name)


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
