"""What `%load_ext jupyter_mcpgen` adds to the start of IPython."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place

REPEATS = 7
SHELL = "from IPython.core.interactiveshell import InteractiveShell; shell = InteractiveShell.instance()"
LOAD = "shell.run_line_magic('load_ext', 'jupyter_mcpgen')"


def rows(place: Place) -> Iterator[Row]:
    """Measure a process that starts IPython, with and without the extension."""

    def loaded() -> float:
        return elapsed(lambda: place.python("-c", f"{SHELL}; {LOAD}"))

    def bare() -> float:
        return elapsed(lambda: place.python("-c", SHELL))

    loaded()
    bare()
    ours, reference = in_turns((loaded, bare), REPEATS)
    yield Row("IPython start and `%load_ext jupyter_mcpgen`", ours, "IPython start alone", reference)
