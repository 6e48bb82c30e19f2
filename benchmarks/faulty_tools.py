"""Tools with a planted fault: the code of a faulty plan under the contract of the right one, run through the gates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.authors.code import write_package
from jupyter_mcpgen.authors.contract import contract_of
from jupyter_mcpgen.authors.naming import tool_name
from jupyter_mcpgen.model.intent import intent_of
from jupyter_mcpgen.pipeline.draft import PlannedDraft
from jupyter_mcpgen.pipeline.gates.generated_cases import GENERATED_CASES
from jupyter_mcpgen.pipeline.gates.subject import Subject
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.faults import Fault
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape, generalise
from tests.recorded import CASES, cases
from tests.sample_tables import material_for

FAMILIES = ("steps", "conditions", "tables", "statistics", "two_tables")
"""The case files of plans that are made into tools."""


@dataclass(frozen=True)
class Tool:
    """A right tool over tables of our own: what it was made of, and what it is tried with."""

    name: str
    draft: PlannedDraft
    material: Material

    @property
    def shape(self) -> Shape:
        """The shape of its plan."""
        return self.draft.contract.shape

    def with_fault(self, fault: Fault) -> Tool:
        """Return a tool that promises the same and computes something else."""
        wrong = replace(self.draft.contract, shape=Shape(plan=fault.plan, parameters=self.shape.parameters))
        return replace(self, draft=replace(self.draft, package=write_package(wrong)))

    def caught_by(self, services: Services) -> tuple[str, ...]:
        """Return the generated tables on which the gate of the generated cases finds the code wrong."""
        subject = Subject(
            package=self.draft.package, services=services, draft=self.draft, material=self.material, told=()
        )
        found = GENERATED_CASES.check(subject, GENERATED_CASES.seconds)
        return tuple(result.test_id for result in found.results if not result.passed)


def tools(*families: str) -> Iterator[Tool]:
    """Yield a tool for each plan of the case files that has a step."""
    for family in families or FAMILIES:
        for name, plan in cases(CASES / "emit" / f"{family}.toml"):
            if plan.steps or plan.second is not None:
                yield tool_of(name, plan)


def tool_of(name: str, plan: Plan) -> Tool:
    """Return the tool of a plan."""
    contract = contract_of(generalise(plan), tool_name(plan, frozenset()))
    intent = intent_of(plan, "table.parquet", (), ())
    return Tool(name, PlannedDraft(intent, contract, write_package(contract)), material_for(plan))
