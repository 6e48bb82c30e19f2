"""A tool is tried once on 100,000 rows: a wrong answer there blocks it, a limit that it reaches does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.model import validation
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.validation import CaseEnd
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.test_own_tests import GAP, GAP_SQL, LOADS, SHAPES, Reader, Scribe
from tests.products import new_runtime


def asked(runtime: Runtime, author: Reader | Scribe) -> Card:
    vars(runtime)["services"] = replace(runtime.services, author=author)
    answer = runtime.ask("what the author reads", runtime.reference("loads", LOADS))
    assert isinstance(answer, Staged)
    return answer.card


def results(runtime: Runtime, card: Card) -> dict[str, validation.TestResult]:
    report = runtime.registry.candidate(card.card_id).validation_report
    assert report is not None
    assert report.code_metrics is not None
    return {result.test_id: result for result in report.code_metrics.functional_correctness.test_results}


def written(condition: str, then: str) -> Scribe:
    """Return an author whose right code does something else where a condition holds."""
    return Scribe(
        GAP.replace("    tons = df", f"    if {condition}:\n        {then}\n    tons = df"), Second(sql=GAP_SQL)
    )


@pytest.mark.soak
def test_every_tool_is_tried_on_100_000_rows(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)

    card = asked(runtime, Reader(SHAPES["sum"]))

    found = results(runtime, card)
    assert card.sound
    assert found["large"] == validation.TestResult(test_id="large", category="stress", passed=True)
    assert {result.category for result in found.values()} == {"edge", "normal", "stress"}
    told = next(item.sentence for item in card.evidence if item.check == "generated_tables")
    assert "one of 100,000 rows" in told


def test_an_answer_that_is_wrong_on_many_rows_alone_blocks(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)

    card = asked(runtime, written("len(df) > 1000", "df = df.head(1000)"))

    large = results(runtime, card)["large"]
    assert large.blocks
    assert large.ended is CaseEnd.ANSWERED
    assert not card.sound


@pytest.mark.soak
def test_a_limit_that_is_reached_on_many_rows_is_told_and_does_not_block(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)

    card = asked(runtime, written("len(df) > 1000", "df = df.assign(more=[[0] * 10**12])"))

    large = results(runtime, card)["large"]
    assert (large.passed, large.ended, large.blocks) == (False, CaseEnd.LIMIT, False)
    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert "Not finished on generated tables, as a limit was reached: large." in [n.sentence for n in card.notes] + [
        item.sentence for item in card.evidence
    ]


@pytest.mark.soak
@pytest.mark.parametrize("then", ["raise MemoryError", "df = df.assign(more=[[0] * 10**12])"])
def test_code_that_has_no_memory_for_a_small_table_is_not_excused(tmp_path: Path, then: str) -> None:
    runtime = new_runtime(tmp_path)

    card = asked(runtime, written("len(df) == 1", then))

    assert results(runtime, card)["single_row"].blocks
    assert not card.sound
