"""Every gate there is, in the order in which they run: what reads files before what runs code, cheap before dear."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.contract import CONTRACT
from jupyter_mcpgen.pipeline.gates.determinism import DETERMINISM
from jupyter_mcpgen.pipeline.gates.gate import Gate
from jupyter_mcpgen.pipeline.gates.generalisation import GENERALISATION
from jupyter_mcpgen.pipeline.gates.generated_cases import GENERATED_CASES
from jupyter_mcpgen.pipeline.gates.lint import LINT
from jupyter_mcpgen.pipeline.gates.metamorphic import METAMORPHIC
from jupyter_mcpgen.pipeline.gates.packages import PACKAGES
from jupyter_mcpgen.pipeline.gates.policy import POLICY
from jupyter_mcpgen.pipeline.gates.reference import REFERENCE
from jupyter_mcpgen.pipeline.gates.sandbox_run import SANDBOX_RUN
from jupyter_mcpgen.pipeline.gates.totals import TOTALS

GATES: tuple[Gate, ...] = (
    CONTRACT,
    POLICY,
    PACKAGES,
    LINT,
    SANDBOX_RUN,
    GENERATED_CASES,
    DETERMINISM,
    METAMORPHIC,
    GENERALISATION,
    REFERENCE,
    TOTALS,
)
