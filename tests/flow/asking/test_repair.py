"""Code that a gate failed is repaired by who wrote it, a few times at most; what stays wrong is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy, Privacy
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.validation import ValidationReport
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from tests.fakes.model import ScriptedModel
from tests.flow.asking.test_faulty_tools import ask_faulty
from tests.flow.asking.test_written_drafts import GAP_SQL, LOADS, MEDIAN_GAP, Scribe

WRONG = MEDIAN_GAP.replace("median()", "mean()")
CRASHES = MEDIAN_GAP.replace('["tons"]', '["weight"]')
LISTS = MEDIAN_GAP.replace("tons.max() - tons.median()", "tons.min() - tons.median()")
OF_EIGHT = MEDIAN_GAP.replace("    tons = df", "    df = df.head(7) if len(df) == 8 else df\n    tons = df")
"""Wrong on tables of eight rows alone, so that only the tool's own tests show it."""
SPREAD_SQL = "SELECT quarry, mad(tons) AS spread FROM loads WHERE quarry IS NOT NULL GROUP BY quarry"
SPREAD = '''
import pandas as pd


def spread_of_loads(df: pd.DataFrame) -> pd.DataFrame:
    """Return how far the loads of each quarry lie from their median, by the median."""
    loads = df.groupby("quarry")["tons"]
    return loads.agg(lambda tons: (tons - tons.median()).abs().median()).reset_index(name="spread")
'''


@dataclass(frozen=True)
class Repairer(Scribe):
    """An author who writes the next of several codes whenever one is to be repaired."""

    drafts: Sequence[str] = ()
    told: list[Diagnostics] = field(default_factory=list)

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Return the next code."""
        self.told.append(diagnostics)
        return intent.replace(code=self.drafts[min(len(self.told), len(self.drafts)) - 1])


def asked(runtime: Runtime, first: str, *drafts: str, most: int = 3) -> tuple[Staged, ValidationReport, Repairer]:
    author = Repairer(first, Second(sql=GAP_SQL), drafts=drafts)
    vars(runtime)["services"] = replace(runtime.services, author=author, most_repairs=most)
    staged = runtime.ask("how far below its largest is the median load", runtime.reference("loads", LOADS))
    assert isinstance(staged, Staged)
    report = runtime.registry.candidate(staged.card.card_id).validation_report
    assert report is not None
    return staged, report, author


@pytest.mark.every_run("an unknown column")
@pytest.mark.parametrize("first", [WRONG, CRASHES], ids=["another function", "an unknown column"])
def test_code_that_is_repaired_is_staged_with_what_that_changed(runtime: Runtime, first: str) -> None:
    staged, report, author = asked(runtime, first, MEDIAN_GAP)

    card = staged.card
    assert (card.status, card.sound) == (ToolStatus.STAGED, True), card.evidence_sentence
    assert card.table.rows == (("Nord", 1.75), ("Sued", 2.375))
    assert staged.computed.trial.table == card.table
    assert "median()" in card.code
    assert any(item.sentence.startswith("The code was repaired once, after checks had failed") for item in card.notes)
    (round_,) = report.repairs
    assert (round_.iteration, round_.test_pass_rate.after, round_.failed_gates) == (1, 1.0, ())
    assert (round_.test_pass_rate.delta or 0) > 0
    (told,) = author.told
    assert told.failed_tests
    assert told.runtime_errors or told.differences


@pytest.mark.soak
def test_code_that_fails_its_own_tests_is_repaired(runtime: Runtime) -> None:
    staged, report, author = asked(runtime, OF_EIGHT, MEDIAN_GAP)

    assert (staged.card.status, staged.card.sound) == (ToolStatus.STAGED, True), staged.card.evidence_sentence
    assert "head(7)" not in staged.card.code
    (told,) = author.told
    assert any("fails a test of its own" in said for said in told.differences)
    assert "own_tests" in [gate.gate for gate in report.gates]


@pytest.mark.soak
def test_what_is_still_wrong_after_three_rounds_is_rejected_with_the_best_of_them(runtime: Runtime) -> None:
    staged, report, author = asked(runtime, CRASHES, WRONG, LISTS, CRASHES + "\n\n# again\n")

    assert staged.card.status is ToolStatus.REJECTED
    assert len(author.told) == len(report.repairs) == 3
    assert 'weight"' not in staged.card.code
    assert runtime.registry.staged() == ()


@pytest.mark.soak
def test_repair_stops_when_it_repeats_itself(runtime: Runtime) -> None:
    staged, report, author = asked(runtime, WRONG, LISTS, WRONG)

    assert staged.card.status is ToolStatus.REJECTED
    assert (len(author.told), len(report.repairs)) == (2, 1)


@pytest.mark.soak
def test_how_often_code_is_repaired_is_a_setting(runtime: Runtime) -> None:
    staged, report, author = asked(runtime, WRONG, MEDIAN_GAP, most=0)

    assert (staged.card.status, author.told, report.repairs) == (ToolStatus.REJECTED, [], ())


@pytest.mark.soak
def test_sound_code_is_not_repaired(runtime: Runtime) -> None:
    _, report, author = asked(runtime, MEDIAN_GAP, WRONG)

    assert (author.told, report.repairs) == ([], ())


@pytest.mark.soak
def test_the_planners_own_code_is_never_repaired_and_its_fault_is_said_to_be_ours(
    runtime: Runtime, accidents: DataRef
) -> None:
    card = ask_faulty(runtime, accidents, ".mean()", ".sum()")

    assert card.status is ToolStatus.REJECTED
    assert "The fault is in jupyter-mcpgen, not in your question or your data." in card.evidence_sentence


@pytest.mark.every_run("rows")
@pytest.mark.parametrize("privacy", [Privacy.NONE, pytest.param(Privacy.MASKED, marks=pytest.mark.soak), Privacy.ROWS])
def test_who_repairs_sees_what_is_wrong_and_never_the_sql_nor_more_values_than_allowed(
    runtime: Runtime, privacy: Privacy
) -> None:
    sql = {
        "notes": "", "kind": "sql", "sql": SPREAD_SQL, "reading": "spread", "chart": None, "assumptions": [],
        "message": None, "options": [], "missing": [],
    }  # fmt: skip
    model = ScriptedModel(
        {
            "sql": [sql],
            "code": [{"notes": "", "code": SPREAD.replace("median", "mean")}],
            "repair_code": [{"notes": "", "code": SPREAD}],
        }
    )
    author = ModelledAuthor("played", lambda: model, Policy(privacy))
    vars(runtime)["services"] = replace(runtime.services, author=author)

    staged = runtime.ask("how far below its largest is the median load", runtime.reference("loads", LOADS))

    assert isinstance(staged, Staged)
    (prompt,) = [prompt for prompt in model.asked if prompt.name == "repair_code"]
    text = "\n".join(message.content for message in prompt.messages)
    assert staged.card.sound, staged.card.evidence_sentence
    assert "(tons - tons.mean()).abs().mean()" in text
    assert "typical" in text
    assert "SELECT" not in text
    assert ("'Nord' against" in text) == (privacy is Privacy.ROWS)
