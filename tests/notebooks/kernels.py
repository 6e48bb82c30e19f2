"""A kernel for one test, and what its cells show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # they cost more than a second in each process
    from nbclient import NotebookClient
    from nbformat import NotebookNode

SECONDS_PER_CELL = 120


class Run:
    """Runs sources in one kernel and returns what they printed."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client

    def __call__(self, *sources: str) -> str:
        """Run the sources one after the other, and return what they printed."""
        return "\n".join(text_of(self.cell(source)) for source in sources)

    def cell(self, source: str) -> NotebookNode:
        """Run one cell and return it with its outputs."""
        from nbformat.v4 import new_code_cell

        self.client.nb.cells.append(new_code_cell(source))
        return self.client.execute_cell(self.client.nb.cells[-1], len(self.client.nb.cells) - 1)


@contextmanager
def kernel(environment: Mapping[str, str], folder: Path) -> Iterator[Run]:
    """Start a kernel for one test."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_notebook

    client = NotebookClient(new_notebook(), timeout=SECONDS_PER_CELL, resources={"metadata": {"path": str(folder)}})
    with client.setup_kernel(env=dict(environment)):
        yield Run(client)


def text_of(cell: NotebookNode) -> str:
    """Everything that a cell printed, with the names of the richer forms that came with it; an error fails the test."""
    parts = []
    for output in cell.outputs:
        assert output.output_type != "error", "\n".join(output.get("traceback", []))
        data = output.get("data", {})
        parts += [output.get("text", ""), str(data.get("text/plain", "")), *data]
    return "\n".join(parts)
