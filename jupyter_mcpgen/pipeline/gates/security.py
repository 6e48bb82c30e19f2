"""Security: what bandit finds in the code; what a tool may do is a matter of the policy and the sandbox."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.remarks import remarks
from jupyter_mcpgen.pipeline.gates.subject import Files


def _check(files: Files, _: float) -> Found:
    return remarks(files, "bandit", "security", "bandit finds nothing unsafe.")


SECURITY = Gate("security", Needs.FILES, Cost.DEAR, blocking=False, seconds=30, check=_check)
