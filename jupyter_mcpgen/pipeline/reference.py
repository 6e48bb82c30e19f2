"""What an answer is held against: a second computation apart from the code of its tool, or why there is none.

Gates, trial and card ask the reference of a draft and never what kind of draft it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import Evidence
from jupyter_mcpgen.pipeline.generated import Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.sandbox.job import Answer

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Expected:
    """What a reference gives on one generated table, and how the rows and figures of it add up where that is known."""

    table: pd.DataFrame
    is_ordered: bool
    rows_in: int | None = None
    rows_used: int | None = None
    totals: Mapping[str, float] = field(default_factory=dict)


class Reference(Protocol):
    """The second computation of one draft."""

    @property
    def origin(self) -> str:
        """Where expected rows come from, for who reads the tests of a tool."""
        ...

    @property
    def is_ordered(self) -> bool:
        """True where the order of the rows is a part of the result."""
        ...

    @property
    def computes(self) -> bool:
        """False where nothing computes a result a second time."""
        ...

    def first_result(self, material: Material) -> pd.DataFrame | None:
        """Return what it gives on the person's data, where that takes less time than the code of the tool."""
        ...

    def evidence(self, answer: Answer, result: pd.DataFrame, material: Material) -> tuple[Evidence, ...]:
        """Hold a result on the person's data against the reference, and say what else can be accounted for."""
        ...

    def effects(self, files: Sequence[str], material: Material) -> tuple[Evidence, ...]:
        """Say what a run could read and what files it left, as they were found after it."""
        ...

    def cases(self, material: Material) -> dict[Case, Tables]:
        """Return the generated tables that the code is tried on."""
        ...

    def refused(self, tables: Tables) -> dict[str, Tables]:
        """Return the tables that the code must refuse, by name; made from the typical ones."""
        ...

    def small(self, material: Material) -> dict[str, Tables]:
        """Return tables of a few invented rows that say what the code does, by name, the ordinary one first."""
        ...

    def expected(self, given: Sequence[Tables], material: Material) -> list[Expected | None]:
        """Return what the reference gives on each of them; None where it gives nothing."""
        ...

    def differences(
        self, given: Sequence[Tables], results: Sequence[pd.DataFrame | None], material: Material
    ) -> list[str | None]:
        """Return for each of the generated tables how the result on it differs from the reference, None where not."""
        ...

    def variations(self, tables: Tables) -> dict[str, Tables]:
        """Return tables that differ from the typical ones in a way that has no meaning, by name."""
        ...

    def elsewhere(self, material: Material) -> dict[str, Tables]:
        """Return tables with other columns that the code is called for, by name, under arguments that say which."""
        ...

    def relations(
        self, base: pd.DataFrame | None, varied: Mapping[str, pd.DataFrame | None], tables: Tables
    ) -> tuple[Evidence, ...]:
        """Say what those variations did to the result; a result that is None could not be computed."""
        ...

    def planted_faults(
        self, cases: Mapping[Case, Tables], material: Material, clock: Callable[[], float], seconds: float
    ) -> tuple[Evidence, ...]:
        """Say whether generated tables would show planted faults, as many as there is time for; nothing without any."""
        ...

    def labelled(self, table: Table) -> Table:
        """Return a result with what people call its columns."""
        ...

    def chart(self, result: pd.DataFrame) -> dict[str, Any] | None:
        """Draw a checked result, if a chart fits it."""
        ...
