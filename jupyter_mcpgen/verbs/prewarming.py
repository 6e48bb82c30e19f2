"""`prewarm`: compile the WebAssembly runtimes ahead of time, because no call ever waits for that."""

from __future__ import annotations

import sys

from jupyter_mcpgen.errors import RuntimeNotReady
from jupyter_mcpgen.sandbox.wasm.artifacts import INSTALL
from jupyter_mcpgen.sandbox.wasm.prewarm import Prewarming, prewarm, prewarm_javascript
from jupyter_mcpgen.verbs.said import Said


def prewarm_runtimes() -> Said:
    """Compile both, JavaScript first because it takes seconds; interrupting it keeps what is whole."""
    try:
        seconds = prewarm_javascript()
        prewarm(_show)
    except ImportError as error:
        raise RuntimeNotReady(f"The package `{error.name}` is not installed. Run `{INSTALL}`.") from error
    finally:
        sys.stderr.write("\n")
    return Said(text=f"JavaScript ({seconds:.0f} s) and Python for WebAssembly are compiled and ready.")


def _show(step: Prewarming) -> None:
    # One line that is written over: the same in a terminal and below a cell.
    sys.stderr.write(f"\r{step.fraction:4.0%} {step.message:<90}")
    sys.stderr.flush()
