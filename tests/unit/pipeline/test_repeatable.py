"""A second run of a tool is held against the first; what cannot be compared is not counted as equal."""

from __future__ import annotations

import io
from concurrent.futures import Future

import pandas as pd
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline.beside import beside
from jupyter_mcpgen.pipeline.repeatable import repeats
from jupyter_mcpgen.sandbox.job import Answer, Outcome, Run, Usage
from jupyter_mcpgen.sandbox.policy import Level, Limits

CASES = ("typical", "empty")


def arrow(*figures: float) -> bytes:
    buffer = io.BytesIO()
    pd.DataFrame({"figure": figures}).to_feather(buffer, compression="uncompressed")
    return buffer.getvalue()


def run(*answers: Answer) -> Run:
    return Run(Outcome.COMPLETED, answers, "", "", Usage(0.1, 0.1, 1), Level.NAMESPACES)


def told(again: Run | Exception) -> Future[Run]:
    future: Future[Run] = Future()
    if isinstance(again, Run):
        future.set_result(again)
    else:
        future.set_exception(again)
    return future


FIRST = Answer("text", arrow(1.0, 2.0), {"rows_in": 2})


@pytest.mark.parametrize(
    "other",
    [
        FIRST,
        Answer("text", arrow(1.0, 2.0), {"rows_in": 2}, milliseconds=9.0),
        Answer("text", arrow(1.0, 2.0 + 1e-15), {"rows_in": 2}),
    ],
    ids=["the same", "slower", "added up in another order"],
)
def test_the_same_again_is_evidence(other: Answer) -> None:
    evidence, findings = repeats(run(FIRST, FIRST), told(run(FIRST, other)), CASES, Limits())

    assert (evidence.verdict, findings) == (Verdict.PASSED, ())


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Answer("text", arrow(2.0, 1.0), {"rows_in": 2}), "row 1 of `figure`: 1.0 against 2.0"),
        (Answer("text", None, {"rows_in": 2}), "a table against none"),
        (Answer("other", arrow(1.0, 2.0), {"rows_in": 2}), "another text"),
        (Answer("text", arrow(1.0, 2.0), {"rows_in": 3}), "other details"),
        (
            Answer("text", arrow(1.0, 2.0), {"rows_in": 2}, error_type="KeyError", error_message="'b'"),
            "`KeyError: 'b'`",
        ),
    ],
    ids=["rows in another order", "no table", "text", "details", "error"],
)
def test_anything_else_is_a_finding_that_names_the_table_and_the_difference(other: Answer, said: str) -> None:
    evidence, findings = repeats(run(FIRST, FIRST), told(run(FIRST, other)), CASES, Limits())

    assert (evidence.verdict, len(findings)) == (Verdict.FAILED, 1)
    assert "on the generated table `empty`" in findings[0].message
    assert said in findings[0].message


def test_a_second_run_that_gave_less_is_a_finding() -> None:
    evidence, findings = repeats(run(FIRST, FIRST), told(run(FIRST)), CASES, Limits())

    assert evidence.verdict is Verdict.FAILED
    assert "2 answers against 1" in findings[0].message


def test_a_second_run_that_could_not_be_made_is_not_counted_as_equal() -> None:
    evidence, findings = repeats(run(FIRST), told(SandboxError("No room.")), CASES, Limits())

    assert (evidence.verdict, findings) == (Verdict.NOT_RUN, ())
    assert "No room." in evidence.sentence


def test_the_second_run_goes_on_beside_the_block_and_is_over_after_it() -> None:
    with beside(lambda: run(FIRST)) as again:
        pass

    assert again.done()
