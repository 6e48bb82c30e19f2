"""Sentences beside a question say which rows it is about, what is done first and how it is judged; none is lost."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from jupyter_mcpgen.nl.reading import Answered, Refused
from jupyter_mcpgen.nl.sentences.vocabulary import load_sentences
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import CASES, table

SENTENCES = tomllib.loads(CASES.with_name("sentences.toml").read_text(encoding="utf-8"))["sentences"]
READ = [case for case in SENTENCES if "reading" in case]
REFUSED = [case for case in SENTENCES if "refused" in case]


@pytest.mark.parametrize("case", READ, ids=lambda case: case["question"])
def test_a_question_and_the_sentences_beside_it_are_one_plan(case: dict[str, Any]) -> None:
    understood = understand(case["question"], table("clinic_checks"))

    assert isinstance(understood, Answered), understood
    assert say_plan(understood.winner.plan) == case["reading"]
    assert set(case.get("notes", ())) <= set(understood.winner.assumptions)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["question"])
def test_a_sentence_that_would_change_the_answer_is_never_left_out(case: dict[str, str]) -> None:
    understood = understand(case["question"], table("clinic_checks"))

    assert isinstance(understood, Refused), understood
    assert case["refused"] in understood.message


def test_only_the_phrases_that_a_question_may_hold_are_compiled() -> None:
    vocabulary = load_sentences("en")
    assert vocabulary is not None
    within = [remark.within for remark in vocabulary.remarks]

    compiled = [len(each("total weight by clinic").pattern) for each in within]
    rounded = within[0]("Round the answer to three decimals.").search("Round the answer to three decimals.")

    assert max(compiled) < 30  # all of them together have more than 10,000 characters
    assert rounded is not None
    assert rounded.group() == "Round the answer to three decimals"
