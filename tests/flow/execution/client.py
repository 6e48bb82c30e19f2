"""What a client of the tools that run code gets back, and what this machine lacks to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jupyter_mcpgen.sandbox.fuel.meter import has_monitoring
from jupyter_mcpgen.sandbox.programs.languages import available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.runtimes import RuntimeState, runtimes
from tests.levels import needs

MISSING = available()
READY = {one.name for one in runtimes() if one.state is RuntimeState.READY}
needs_programs = needs(ProgramSandbox().missing())
needs_node = pytest.mark.skipif(MISSING["javascript"] is not None, reason=str(MISSING["javascript"]))
needs_wasm = pytest.mark.skipif("wasm-python" not in READY, reason="Python in WebAssembly is not ready here")
COUNTED = "events" if has_monitoring() else "lines"
KEYS = {"stdout", "stderr", "exit_code", "execution_time", "status", "error_message", "metadata"}
DATA = "first,second\n1,2\n"


class Answer:
    """What a client got: the error flag, the text, and the structured content."""

    def __init__(self, result: Any) -> None:
        self.is_error: bool = result.is_error
        self.text: str = result.content[0].text
        self.data: dict[str, Any] = result.structured_content or {}

    @property
    def metadata(self) -> dict[str, Any]:
        """What is said besides the output."""
        found: dict[str, Any] = self.data["metadata"]
        return found


Call = Callable[..., Answer]
