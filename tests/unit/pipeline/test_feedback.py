"""A person's words and what they decide: the examples of rulings R1 to R8 and R50, literally."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.model.feedback import Decision, OutputVerdict, UserFeedback, read_decision, read_output_verdict
from jupyter_mcpgen.pipeline.feedback import Approve, Question, Reject, Undecided, read_answer
from jupyter_mcpgen.pipeline.services import Services
from tests.unit.pipeline.conftest import NOW

ACCEPTED, WRONG, UNSAID = OutputVerdict.ACCEPTED, OutputVerdict.REJECTED, OutputVerdict.PENDING


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        # R1: only "approve" approves
        ("approve", Decision.APPROVED),
        ("yes", Decision.PENDING),
        ("yes, looks good!", Decision.PENDING),
        ("looks good", Decision.PENDING),
        ("ship it", Decision.PENDING),
        ("ok", Decision.PENDING),
        ("sure", Decision.PENDING),
        # R2: punctuation and case do not count
        ("Approved!", Decision.APPROVED),
        ("approve.", Decision.APPROVED),
        ("approved, thank you", Decision.APPROVED),
        ("  APPROVE  ", Decision.APPROVED),
        ("“approve”", Decision.APPROVED),
        # R3: the first word decides, otherwise it is asked again
        ("yes approve", Decision.PENDING),
        ("I approve", Decision.PENDING),
        ("do not approve", Decision.PENDING),
        ("disapprove", Decision.PENDING),
        ("approval", Decision.PENDING),
        # R4: what takes it back is a whole word
        ("Approve the distribution tool", Decision.APPROVED),
        ("approve, the attribute is right", Decision.APPROVED),
        ("approve the notebook", Decision.APPROVED),
        ("approve, but rename it", Decision.REJECTED),
        ("approve... however", Decision.REJECTED),
        ("approve except the chart", Decision.REJECTED),
        ("approve although late", Decision.REJECTED),
        ("approve though", Decision.REJECTED),
        ("approve? no", Decision.REJECTED),
        ("approve not", Decision.REJECTED),
        ("approve or reject", Decision.REJECTED),
        # a clear no
        ("no", Decision.REJECTED),
        ("Reject: wrong column", Decision.REJECTED),
        # R8: silence never approves
        ("", Decision.PENDING),
        ("   ", Decision.PENDING),
        ("…", Decision.PENDING),
    ],
)
def test_only_the_first_word_approve_approves(answer: str, decision: Decision) -> None:
    assert read_decision(answer) is decision


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        # R5: the same cleaning, and a few words of agreement
        ("yes", ACCEPTED),
        ("Yes.", ACCEPTED),
        ("y", ACCEPTED),
        ("Correct.", ACCEPTED),
        ("good", ACCEPTED),
        ("looks good", ACCEPTED),
        ("Looks good!", ACCEPTED),
        ("yes, looks good!", ACCEPTED),
        # a clear no
        ("no", WRONG),
        ("No.", WRONG),
        ("n", WRONG),
        ("No, the column is wrong", WRONG),
        ("no - it counts rows", WRONG),
        ("“No!”", WRONG),
        ("wrong column", WRONG),
        ("incorrect", WRONG),
        ("reject: the filter is missing", WRONG),
        ("not correct", WRONG),
        ("looks bad", WRONG),
        # R50: whatever is unclear decides nothing
        ("ok", UNSAID),
        ("sure", UNSAID),
        ("Approve", UNSAID),
        ("hmm", UNSAID),
        ("maybe", UNSAID),
        ("fine", UNSAID),
        ("yes, but the dates are off", UNSAID),
        ("yes, however…", UNSAID),
        ("not sure", UNSAID),
        ("no idea", UNSAID),
        ("no problem", UNSAID),
        ("nothing wrong", UNSAID),
        ("what is severity?", UNSAID),
        # R8
        ("", UNSAID),
        ("  ", UNSAID),
    ],
)
def test_the_output_is_accepted_by_words_of_agreement(answer: str, verdict: OutputVerdict) -> None:
    assert read_output_verdict(answer) is verdict


def said(decision: Decision, output: OutputVerdict, notes: str) -> UserFeedback:
    return UserFeedback(output=output, decision=decision, notes=notes, timestamp=NOW, decided_by="ada")


def read(question: Question, answer: str, services: Services, earlier: UserFeedback | None = None) -> object:
    return read_answer(question, answer, None, earlier, "f" * 64, services, "ada")


def test_praise_accepts_the_output_and_keeps_nothing(services: Services) -> None:
    choice = read(Question.OUTPUT, "yes, looks good!", services)

    assert choice == Undecided(said(Decision.PENDING, ACCEPTED, "yes, looks good!"))


def test_accepting_the_output_without_keeping_the_tool_is_an_outcome_of_its_own(services: Services) -> None:
    accepted = said(Decision.PENDING, ACCEPTED, "yes")

    assert read(Question.REGISTRATION, "later", services, accepted) == Undecided(
        said(Decision.PENDING, ACCEPTED, "later")
    )
    assert read(Question.REGISTRATION, "no", services, accepted) == Reject(said(Decision.REJECTED, ACCEPTED, "no"))


def test_an_output_that_is_called_wrong_rejects_the_tool_with_it(services: Services) -> None:
    choice = read(Question.OUTPUT, "no, it counts crashes", services)

    assert choice == Reject(said(Decision.REJECTED, WRONG, "no, it counts crashes"))


def test_an_approval_is_bound_to_what_was_shown_and_accepts_it(services: Services) -> None:
    choice = read(Question.REGISTRATION, "approve", services)

    assert choice == Approve(said(Decision.APPROVED, ACCEPTED, "approve"), "f" * 64)


@pytest.mark.parametrize("answer", ["ok", "sure", "Approve", "hmm", "yes, but which year?"])
def test_an_unclear_answer_about_the_output_decides_nothing(answer: str, services: Services) -> None:
    choice = read(Question.OUTPUT, answer, services)

    assert choice == Undecided(said(Decision.PENDING, UNSAID, answer))


def test_an_unclear_answer_takes_no_earlier_one_back(services: Services) -> None:
    accepted = said(Decision.PENDING, ACCEPTED, "yes")

    assert read(Question.OUTPUT, "hmm", services, accepted) == Undecided(said(Decision.PENDING, ACCEPTED, "hmm"))


@pytest.mark.parametrize("question", list(Question))
def test_silence_decides_nothing(question: Question, services: Services) -> None:
    assert isinstance(read(question, "", services), Undecided)


def test_notes_are_kept_instead_of_the_answer(services: Services) -> None:
    choice = read_answer(Question.REGISTRATION, "reject", "wrong column", None, "f", services, "ada")

    assert choice == Reject(said(Decision.REJECTED, UNSAID, "wrong column"))
