"""Every gate there is, in the order in which they run: what reads files before what runs code."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.contract import CONTRACT
from jupyter_mcpgen.pipeline.gates.determinism import DETERMINISM
from jupyter_mcpgen.pipeline.gates.gate import Gate
from jupyter_mcpgen.pipeline.gates.generalisation import GENERALISATION
from jupyter_mcpgen.pipeline.gates.generated_cases import GENERATED_CASES
from jupyter_mcpgen.pipeline.gates.lint import LINT
from jupyter_mcpgen.pipeline.gates.metamorphic import METAMORPHIC
from jupyter_mcpgen.pipeline.gates.mutation import MUTATION
from jupyter_mcpgen.pipeline.gates.packages import PACKAGES
from jupyter_mcpgen.pipeline.gates.policy import POLICY
from jupyter_mcpgen.pipeline.gates.quality import QUALITY
from jupyter_mcpgen.pipeline.gates.reference import REFERENCE
from jupyter_mcpgen.pipeline.gates.sandbox_run import SANDBOX_RUN
from jupyter_mcpgen.pipeline.gates.security import SECURITY
from jupyter_mcpgen.pipeline.gates.statistic_asked import STATISTIC_ASKED
from jupyter_mcpgen.pipeline.gates.subject import Files, Subject
from jupyter_mcpgen.pipeline.gates.totals import TOTALS
from jupyter_mcpgen.pipeline.gates.types import TYPES

GATES: tuple[Gate[Subject], ...] = (
    CONTRACT,
    POLICY,
    PACKAGES,
    LINT,
    SANDBOX_RUN,
    GENERATED_CASES,
    DETERMINISM,
    METAMORPHIC,
    GENERALISATION,
    MUTATION,
    STATISTIC_ASKED,
    REFERENCE,
    TOTALS,
)
"""The gates that a decision waits for; planted faults say how good the tests are, and block nothing."""

LATE: tuple[Gate[Files], ...] = (SECURITY, TYPES, QUALITY)
"""Those that it does not wait for: none of them blocks.

They run beside what a person does on a page, and before written code is approved.
"""
