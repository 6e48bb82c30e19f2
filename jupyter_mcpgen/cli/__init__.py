"""`jupyter mcpgen …`: the product in a terminal. It parses, calls and prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 when it was done, 1 when it was refused, 2 when it was not understood."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--version"]:
        from jupyter_mcpgen import __version__

        sys.stdout.write(f"jupyter-mcpgen {__version__}\n")
        return 0
    if words[:1] in ([], ["-h"], ["--help"]):
        words = ["help"]
    from jupyter_mcpgen.cli.command import run  # deferred: `--version` answers at once

    return run(words)
