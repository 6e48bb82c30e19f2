"""Valid values of the model, for tests that need a whole candidate and care about one part of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict, UserFeedback
from jupyter_mcpgen.model.package import Package, code_hash, fingerprint, spec_hash
from jupyter_mcpgen.model.run import RunArtifacts, Table
from jupyter_mcpgen.model.spec import ToolParameter, ToolSpec
from jupyter_mcpgen.model.tool import Approval, annotations_for
from jupyter_mcpgen.model.validation import Evidence, Place, ValidationReport, Verdict

CREATED_AT = "2026-01-22T10:00:00.000Z"
DECIDED_AT = "2026-01-22T10:30:00.000Z"


@dataclass(frozen=True)
class Draft:
    """What `Registry.stage` takes, made to fit together."""

    candidate: ToolCandidate
    package: Package
    card: Card

    @property
    def tool_id(self) -> str:
        """The id of the candidate."""
        return self.candidate.tool_id

    @property
    def parts(self) -> tuple[ToolCandidate, Package, Card]:
        """The three arguments of `Registry.stage`."""
        return self.candidate, self.package, self.card


def spec(name: str = "sum_by_group", **changes: Any) -> ToolSpec:
    """Return a contract with two parameters."""
    return ToolSpec(
        tool_name=name,
        description="Add up a column for each group.",
        input_schema={
            "type": "object",
            "properties": {"file_path": {"type": "string"}, "column": {"type": "string", "default": "injuries_fatal"}},
            "required": ["file_path"],
        },
        output_schema={"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]},
        parameters=(
            ToolParameter(name="file_path", type="str", description="Path of a CSV file"),
            ToolParameter(
                name="column", type="str", description="What is added up", required=False, default="injuries_fatal"
            ),
        ),
        when_to_use="To compare totals between groups.",
        what_it_does="Adds up the column for each group.",
        returns="A table of groups and totals.",
        prerequisites="A CSV file with the column.",
    ).replace(**changes)


def package(
    name: str = "sum_by_group", body: str = "return file_path + column", files: Mapping[str, str] | None = None
) -> Package:
    """Return a package whose tool has the given body, with further files."""
    code = f'def {name}(file_path: str, column: str = "injuries_fatal") -> str:\n    """Größe ✓."""\n    {body}\n'
    return Package(
        files={
            "tool.py": code,
            "helpers.py": '"""Vendored."""\n',
            "tests.py": "def test_it(): ...\n",
            "plan.json": json.dumps({"operation": "aggregate"}) + "\n",
            **(files or {}),
        }
    )


def draft(
    name: str = "sum_by_group",
    tool_id: str = "7c0f2a1e-0001",
    version: str = "1.0.0",
    *,
    body: str = "return file_path + column",
    contract: ToolSpec | None = None,
    capabilities: tuple[str, ...] = ("cap:files.read",),
    status: ToolStatus = ToolStatus.STAGED,
    sound: bool = True,
    created_at: str = CREATED_AT,
    files: Mapping[str, str] | None = None,
) -> Draft:
    """Return a candidate with its package and card whose hashes fit."""
    contract = contract or spec(name)
    parts = package(name, body, files)
    dependencies = ("pandas>=3",)
    hints = annotations_for(capabilities).model_dump()
    mark = fingerprint(contract, version, parts, hints, dependencies, capabilities)
    verdict = Verdict.PASSED if sound else Verdict.FAILED
    evidence = Evidence(
        check="control_total", verdict=verdict, sentence="389 = column total.", figure=389, place=Place.LINE
    )
    candidate = ToolCandidate(
        tool_id=tool_id,
        version=version,
        spec=contract,
        package_path="",
        code_hash=code_hash(parts),
        spec_hash=spec_hash(contract),
        fingerprint=mark,
        status=status,
        validation_report=ValidationReport(schema_ok=True, tests_ok=sound, sandbox_ok=True, evidence=(evidence,)),
        run_artifacts=RunArtifacts(
            result={"rows": [{"weather": "RAIN", "fatal": 36}]},
            sample_rows=({"weather": "RAIN", "fatal": 36},),
            execution_time_ms=12.5,
        ),
        created_at=created_at,
        created_by="embedded",
        dependencies=dependencies,
        capabilities=capabilities,
    )
    return Draft(candidate, parts, card_for(candidate, parts, sound=sound, evidence=(evidence,)))


def card_for(candidate: ToolCandidate, parts: Package, *, sound: bool, evidence: tuple[Evidence, ...] = ()) -> Card:
    """Return the card of a candidate."""
    return Card(
        card_id=candidate.tool_id,
        tool_name=candidate.spec.tool_name,
        version=candidate.version,
        fingerprint=candidate.fingerprint,
        question="how do fatal injuries vary by weather in crashes",
        data_name="crashes",
        reading="sum of injuries_fatal by weather_condition",
        status=candidate.status,
        sound=sound,
        table=Table(columns=("weather", "fatal"), types=("text", "integer"), rows=(("RAIN", 36),), total_rows=1),
        evidence_sentence="389 = column total.",
        evidence=evidence,
        code=parts.code,
        signature=f"{candidate.spec.tool_name}(file_path, column)",
        parameters=candidate.spec.parameters,
        capabilities=candidate.capabilities,
        sandbox="level 2",
        created_at=candidate.created_at,
    )


def approval(of: Draft, **changes: Any) -> Approval:
    """Return a person's approval of a draft, as it was shown."""
    return Approval(
        tool_name=of.candidate.spec.tool_name,
        version=of.candidate.version,
        fingerprint=of.candidate.fingerprint,
        approved_by="ada",
        approved_at=DECIDED_AT,
    ).replace(**changes)


def feedback(
    decision: Decision = Decision.PENDING, output: OutputVerdict = OutputVerdict.ACCEPTED, notes: str | None = None
) -> UserFeedback:
    """Return a person's answers."""
    return UserFeedback(output=output, decision=decision, notes=notes, timestamp=DECIDED_AT, decided_by="ada")


def approved() -> UserFeedback:
    """Return the answers of a person who keeps the tool."""
    return feedback(Decision.APPROVED)


def rejected(notes: str = "wrong column") -> UserFeedback:
    """Return the answers of a person who does not."""
    return feedback(Decision.REJECTED, OutputVerdict.REJECTED, notes)
