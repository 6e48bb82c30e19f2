"""Types: what mypy finds in the code, looking strictly."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.remarks import remarks
from jupyter_mcpgen.pipeline.gates.subject import Files


def _check(files: Files, _: float) -> Found:
    return remarks(files, "mypy", "types", "mypy finds no type error.")


TYPES = Gate("types", Needs.FILES, Cost.DEAR, blocking=False, seconds=30, check=_check)
