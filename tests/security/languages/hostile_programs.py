"""How hostile programs are run: in which languages, behind which walls, with how much room."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Status
from jupyter_mcpgen.sandbox.identity import Identity
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs

needs_programs = needs(ProgramSandbox().missing())
MISSING = available()
ROOMY = ExecutionLimits(time_seconds=60, cpu_cores=4)
ONE = ProgramSandbox(layers=ALL_LAYERS).missing()
needs_namespaces = needs(ONE, ALL_LAYERS)
STRONGEST = ALL_LAYERS if ONE is None else WITHOUT_NAMESPACES
"""The walls there are here, for promises that hang on the language and not on the level."""
EACH_LANGUAGE = [
    pytest.param(name, marks=pytest.mark.skipif(MISSING[name] is not None, reason=str(MISSING[name])))
    for name in LANGUAGES
]
needs_compiler = pytest.mark.skipif(MISSING["c"] is not None, reason=str(MISSING["c"]))


class SameUser(ProgramSandbox):
    """Keeps the user of the host, as it is for everybody but root: then nothing is refused by ownership."""

    def identity(self, needed: tuple[Path, ...]) -> Identity:
        """Return the host's own user."""
        return Identity(None, "the host's own user")


def executor(folder: Path, layers: frozenset[Layer], kind: type[ProgramSandbox] = SameUser) -> Executor:
    return Executor(sandbox=kind(layers=layers), pages=Pages(folder / "output"))


def attempts(run: Execution) -> dict[str, str]:
    assert run.status is Status.SUCCESS, run
    return dict(line.split(" ", 1) for line in run.stdout.splitlines())
