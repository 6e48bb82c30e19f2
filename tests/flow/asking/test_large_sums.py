"""A total beyond 64 bits is told as a sentence: what happened, to which column, what to do; no markup, path or SQL."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown, staged

SAID = ("`n` cannot be added up exactly", "a whole number of 64 bits", "decimal fractions")
UNSAID = ("<!--", "**", "##", "ToolFailed", "/big.parquet", "INT128", "LINE 1", "SELECT", "counts None")


@pytest.mark.parametrize("question", ["sum of n by k", "mean of n by k", "mean of n"])
def test_a_total_that_no_whole_number_holds_is_told_in_a_sentence(
    question: str, runtime: Runtime, tmp_path: Path
) -> None:
    pd.DataFrame({"n": [2**62, 2**62], "k": ["a", "a"]}).to_parquet(tmp_path / "big.parquet")

    data = runtime.reference(str(tmp_path / "big.parquet"))

    card = shown(runtime, runtime.compute(question, data))

    told = " ".join([card.evidence_sentence, *(item.sentence for item in card.evidence)])
    assert not is_sound(card.evidence)
    assert [words for words in SAID if words not in told] == []
    assert [words for words in UNSAID if words in told] == []
    assert ".." not in told


def test_an_answer_without_its_total_cannot_be_approved(runtime: Runtime, tmp_path: Path) -> None:
    pd.DataFrame({"n": [2**62, 2**62], "k": ["a", "a"]}).to_parquet(tmp_path / "big.parquet")

    card = staged(runtime.ask("sum of n by k", runtime.reference(str(tmp_path / "big.parquet"))))

    told = " ".join(item.sentence for item in card.evidence)
    assert not card.sound
    assert [words for words in UNSAID if words in told] == []
