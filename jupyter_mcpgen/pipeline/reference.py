"""What an answer is held against: a second computation apart from the code of its tool, or why there is none.

Gates, trial and card ask the reference of a draft and never what kind of draft it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import Evidence
from jupyter_mcpgen.pipeline.generated import Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.sandbox.job import Answer

if TYPE_CHECKING:
    import pandas as pd


class Reference(Protocol):
    """The second computation of one draft."""

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

    def labelled(self, table: Table) -> Table:
        """Return a result with what people call its columns."""
        ...

    def chart(self, result: pd.DataFrame) -> dict[str, Any] | None:
        """Draw a checked result, if a chart fits it."""
        ...
