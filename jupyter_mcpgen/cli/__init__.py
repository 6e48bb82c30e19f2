"""`jupyter mcpgen …`: the product in a terminal. It parses, calls and prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
"""What a shell expects of a command that Ctrl-C ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 when it was done, 1 when it was refused, 2 when it was not understood."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0].partition("=")[0] == "--config":
        option, _, path = words.pop(0).partition("=")
        path = path or (words.pop(0) if words else "")
        if not path:
            sys.stderr.write(f"Name a file of settings after `{option}`.\n")
            return 2
        # the processes that a command starts, such as a server, have the same settings
        os.environ["MCPGEN_CONFIG"] = os.path.abspath(os.path.expanduser(path))
    if words[:1] == ["--version"]:
        from jupyter_mcpgen import __version__

        sys.stdout.write(f"jupyter-mcpgen {__version__}\n")
        return 0
    if words[:1] in ([], ["-h"], ["--help"]):
        words = ["help"]
    try:
        from jupyter_mcpgen.cli.command import run  # deferred: `--version` answers at once

        return run(words)
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone, as `head` does; the interpreter flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
