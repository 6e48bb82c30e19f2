"""What the hops between a question and a staged candidate hand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.run import RunArtifacts, Table
from jupyter_mcpgen.model.validation import Evidence


@dataclass(frozen=True)
class Draft:
    """A tool that is written and not yet checked."""

    intent: Intent
    contract: Contract
    package: Package


@dataclass(frozen=True)
class Trial:
    """The answer on the person's own data, with the evidence for it."""

    artifacts: RunArtifacts
    table: Table
    chart: dict[str, Any] | None
    evidence: tuple[Evidence, ...]
    result: pd.DataFrame | None = None
    """The whole result, of which `table` shows the first rows."""
