"""A tool that computes something else, fails or does harm is shown and cannot be kept; a kept one says why it fails."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.errors import DataTooLarge, ToolFailed, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.model.validation import MetricName, QualityTier, StagingPriority, Verdict
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, Waiting, keep, staged
from tests.products import new_runtime


@dataclass(frozen=True)
class FaultyAuthor:
    """An author whose code is not what its contract says."""

    replaced: str
    by: str
    honest: EmbeddedAuthor = field(default_factory=EmbeddedAuthor)
    name: str = "faulty"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Intent:
        """Read a request honestly."""
        return self.honest.understand(request, profile, other)

    def specify(self, intent: Intent, taken: Set[str], name: str | None = None) -> Contract:
        """Promise the right thing."""
        return self.honest.specify(intent, taken, name)

    def write(self, contract: Contract) -> Package:
        """Write something else."""
        package = self.honest.write(contract)
        assert self.replaced in package.code
        return Package(files={**package.files, "tool.py": package.code.replace(self.replaced, self.by)})


def ask_faulty(
    runtime: Runtime, data: DataRef, replaced: str, by: str, question: str = "average severity by weather"
) -> Card:
    services = replace(runtime.services, author=FaultyAuthor(replaced, by))
    request = Request(request_id="r", question=question, data=data, asked_at="2026-01-22T10:00:00")
    return staged(flow.ask(request, services))


@pytest.mark.every_run("a row lost")
@pytest.mark.parametrize(
    ("replaced", "by"),
    [
        (".mean()", ".median()"),
        (".mean()", ".sum()"),
        ("df.groupby", "df.head(4).groupby"),
        ("ignore_index=True)", "ignore_index=True).head(2)"),
        ("analyze(df, ", "analyze(df.dropna(), "),
    ],
    ids=["median for mean", "sum for mean", "a row lost", "groups lost", "rows without a value lost"],
)
def test_a_tool_that_computes_something_else_is_shown_and_cannot_be_kept(
    runtime: Runtime, accidents: DataRef, replaced: str, by: str
) -> None:
    card = ask_faulty(runtime, accidents, replaced, by)

    assert not card.sound
    failed = [item.sentence for item in card.evidence if item.verdict is Verdict.FAILED]
    assert failed
    assert all(said.startswith("Failed ") for said in failed if "generated tables" in said)
    assert all(". The first: " in said for said in failed if "generated tables" in said)
    with pytest.raises(UnsoundApproval, match=r"cannot be approved: .*Ask the question in other words"):
        keep(runtime, card)
    assert runtime.active() == ()
    assert runtime.card(card.card_id).status is ToolStatus.REJECTED


@pytest.mark.soak
def test_a_tool_that_counts_other_rows_than_the_reference_cannot_be_kept(runtime: Runtime, accidents: DataRef) -> None:
    card = ask_faulty(runtime, accidents, "rows_used=len(used)", "rows_used=len(used) + 1")

    failed = [item for item in card.evidence if item.verdict is Verdict.FAILED]
    assert [item.check for item in failed] == ["rows_used", "own_fault"]
    assert failed[0].sentence == "The tool says that it used 6 rows, but SQL counts 5."
    with pytest.raises(UnsoundApproval):
        keep(runtime, card)


def test_a_kept_tool_refuses_a_table_beyond_the_limits(waiting: Waiting, tmp_path: Path) -> None:
    card, many = waiting.card, tmp_path / "many.csv"
    keep(waiting.runtime, card)
    many.write_text(ACCIDENTS + "NV,1,Rain,2024-01-06\n")
    small = new_runtime(tmp_path, waiting.runtime.registry.root, **{"sandbox.max_rows": 5})

    allowed = small.call_tool(card.tool_name, {"file_path": waiting.data.path})

    assert not allowed.failed
    with pytest.raises(DataTooLarge, match=r"`many.csv` has 6 rows; at most 5 rows are read"):
        small.call_tool(card.tool_name, {"file_path": str(many)})
    with pytest.raises(DataTooLarge):
        small.run_tool(card.tool_name, small.reference(str(many)), {})


@pytest.mark.soak
def test_a_tool_whose_answer_hangs_on_the_order_of_a_set_cannot_be_kept(runtime: Runtime, accidents: DataRef) -> None:
    letters = "{''.join(set('abcdefghijkl'))}"  # the table is right, and what is said of it differs

    card = ask_faulty(runtime, accidents, 'f"value_column: {value_column}"', f'f"value_column: {letters}"')

    failed = [item for item in card.evidence if item.verdict is Verdict.FAILED]
    assert [item.check for item in failed] == ["repeatable", "own_fault"]
    assert "fresh process: another result, on the generated table `typical`" in failed[0].sentence
    assert [(found.gate, found.rule) for found in card.findings] == [("behaviour", "not-repeatable")]
    assert not card.sound
    with pytest.raises(UnsoundApproval, match="fresh process: another result"):
        keep(runtime, card)


def test_code_that_a_gate_refuses_is_shown_and_never_run(runtime: Runtime, accidents: DataRef, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    code = f'import os\n\nos.system("touch {canary}")\n\nimport pandas as pd'

    card = ask_faulty(runtime, accidents, "import pandas as pd", code)

    assert not card.sound
    assert "os.system" in card.code
    assert any(finding.gate == "policy" and "os" in finding.message for finding in card.findings)
    assert "so it was not run" in card.evidence_sentence
    assert not canary.exists()
    with pytest.raises(UnsoundApproval):
        keep(runtime, card)


@pytest.mark.soak
def test_a_tool_that_fails_on_the_data_is_shown_with_the_reason(runtime: Runtime, accidents: DataRef) -> None:
    card = ask_faulty(runtime, accidents, "df.groupby", "df.missing.groupby")

    assert not card.sound
    assert "AttributeError" in card.evidence_sentence
    with pytest.raises(UnsoundApproval):
        keep(runtime, card)


def test_an_active_tool_says_why_it_gave_no_result(waiting: Waiting, tmp_path: Path) -> None:
    runtime, card, accidents = waiting.runtime, waiting.card, waiting.data
    keep(runtime, card)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")

    answer = runtime.call_tool(card.tool_name, {"file_path": str(tmp_path / "other.csv")})

    assert answer.failed
    assert "no column `severity`" in answer.text
    with pytest.raises(ToolFailed, match=r"no column `wether`.*did you mean `weather`"):
        runtime.run_tool(card.tool_name, accidents, {"group_by_columns": ["wether"]})
    with pytest.raises(ToolFailed, match="must be a list of at least 1 column"):
        runtime.run_tool(card.tool_name, accidents, {"group_by_columns": "weather"})


def test_the_report_holds_the_figures_that_were_measured_and_leaves_the_others_out(asked: Waiting) -> None:
    report = asked.runtime.registry.candidate(asked.card.card_id).validation_report

    assert report is not None
    assert report.code_metrics is not None
    figures, correct = report.code_metrics, report.code_metrics.functional_correctness
    assert correct.test_cases_total == len(correct.test_results) == len(report.logs) > 0
    assert figures.test_pass_rate == correct.test_case_pass_rate == 1.0
    assert (correct.reference_solution_similarity, correct.correctness_score, figures.overall_score) == (1.0, 1.0, 1.0)
    assert (figures.semantic_closeness, figures.pass_at_k) == (None, {})
    assert figures.measured == (MetricName.FUNCTIONAL_CORRECTNESS, MetricName.TEST_PASS_RATE)
    assert (figures.quality_tier, figures.staging_priority) == (QualityTier.EXCELLENT, StagingPriority.HIGH)


def test_a_card_says_its_score_among_its_reasons_and_from_how_many_parts(asked: Waiting) -> None:
    (said,) = (item for item in asked.card.reasons if item.check == "score")

    assert said.sentence == (
        "Passed 12 of 12 cases; all that have a reference agree with it. "
        "Score 1.00 (EXCELLENT), from 2 of 4 parts (no reference code, one candidate)."
    )
    assert said.sentence not in asked.card.evidence_sentence


@pytest.mark.soak
def test_a_faulty_tool_is_poor_and_its_score_has_the_weights_of_the_settings(
    accidents: DataRef, tmp_path: Path
) -> None:
    weights = {"validation.metric_weights.functional_correctness": 0}
    runtime = new_runtime(tmp_path, **weights)

    card = ask_faulty(runtime, accidents, ".mean()", ".sum()")

    report = runtime.registry.candidate(card.card_id).validation_report
    assert report is not None
    assert report.code_metrics is not None
    figures = report.code_metrics
    assert figures.functional_correctness.correctness_score != figures.test_pass_rate
    assert figures.overall_score == figures.test_pass_rate
    assert (figures.quality_tier, figures.staging_priority) == (QualityTier.POOR, None)
    (said,) = (item for item in card.reasons if item.check == "score")
    assert "Score 0.42 (POOR)" in said.sentence
    assert not card.sound
