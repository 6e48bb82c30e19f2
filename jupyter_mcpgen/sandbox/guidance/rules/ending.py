"""How an execution ended and where it ran: all that advice about it may be read from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.sandbox.fuel.analysis import ImportHistory
from jupyter_mcpgen.sandbox.fuel.import_costs import REFERENCE, ImportCosts
from jupyter_mcpgen.sandbox.guidance.rules.javascript_host import QUICKJS, JavaScriptHost
from jupyter_mcpgen.sandbox.job import Outcome


def nowhere(_: str) -> str | None:
    """Know of no module."""
    return None


@dataclass(frozen=True)
class Surroundings:
    """Where the code ran, in the words that its author must use to change something.

    `memory_parameter` is `None` where nobody can ask for more; with `starts_programs` the code may start others.
    `beside` tells the file of a module that lies in the workspace or the data, where its name alone does not find it.
    """

    workspace: str = "/app"
    readable: tuple[str, ...] = ("/data",)
    beside: Callable[[str], str | None] = nowhere
    fuel_parameter: str = "fuel_budget"
    time_parameter: str = "timeout"
    memory_parameter: str | None = "memory_bytes"
    most_seconds: float = 300
    javascript: JavaScriptHost = QUICKJS
    starts_programs: bool = False


@dataclass(frozen=True)
class Bounds:
    """The limits that were in force and the fuel that was used; `None` where there was none or it is not known."""

    fuel_budget: int | None = None
    fuel_consumed: int | None = None
    fuel_unit: FuelUnit = FuelUnit.INSTRUCTIONS
    memory_bytes: int | None = None
    wall_seconds: float | None = None


@dataclass(frozen=True)
class Ending:
    """One execution that is over.

    `outcome` is the supervisor's word, `trap` the runtime's own message, `error_type` and `error_message` what a
    structured channel said of the program's exception, and `stderr` the program's. `names` are columns and files that
    exist, for did-you-mean. `has_too_many_tasks` is the supervisor's word as well; `is_uncompiled` says that the
    compiler made no program.
    """

    outcome: Outcome
    exit_code: int | None = None
    trap: str | None = None
    stderr: str | bytes = ""
    error_type: str | None = None
    error_message: str = ""
    code: str = ""
    language: str = "python"
    bounds: Bounds = Bounds()
    surroundings: Surroundings = Surroundings()
    history: ImportHistory = field(default_factory=ImportHistory)
    costs: ImportCosts = field(default_factory=lambda: REFERENCE)
    names: tuple[str, ...] = ()
    has_too_many_tasks: bool = False
    is_uncompiled: bool = False

    @property
    def succeeded(self) -> bool:
        """True when the code ran to its end without an error of its own, whatever it printed."""
        ended_well = self.outcome is Outcome.COMPLETED and self.exit_code in (0, None)
        return ended_well and not self.trap and not self.error_type
