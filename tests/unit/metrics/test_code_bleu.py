"""CodeBLEU is a weighted mean of the parts that exist, and says nothing of whether a program is right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.metrics.code_bleu import calculate_code_bleu
from jupyter_mcpgen.metrics.functional_correctness import validate_against_reference
from jupyter_mcpgen.model.validation import SemanticClosenessMetrics
from jupyter_mcpgen.scales import CodeBleuWeights
from tests.laws import law
from tests.references import EXACT, PAIRS, REFERENCES
from tests.strategies.programs import programs

CRASHES = pd.DataFrame({"a": ["x", "x", "y", "y", "y", "z"], "b": ["m", "n", "m", "m", "m", "n"]})
"""Groups of different sizes, and some of the same."""


def of(name: str) -> SemanticClosenessMetrics:
    return calculate_code_bleu(PAIRS[name]["candidate"], PAIRS[name]["reference"])


def run(code: str) -> Callable[..., Any]:
    defined: dict[str, Any] = {}
    exec(code, defined)  # noqa: S102  the pairs are our own
    return lambda data: defined["f"](data)  # whatever it calls its parameter


@pytest.mark.parametrize("name", ["p1", "p2", "p4", "p5"])
def test_parts_have_the_values_of_the_references_where_those_are_right(name: str) -> None:
    metrics, known = of(name), PAIRS[name]["python_tokens"]["codebleu"]

    assert metrics.dataflow_match_score == pytest.approx(known["dataflow"], abs=EXACT)
    if name != "p5":  # of three tokens that are the same, BLEU of the package is 0.56
        assert metrics.ngram_match_score == pytest.approx(known["ngram"], abs=EXACT)
    if name != "p4":
        assert metrics.ast_match_score == pytest.approx(known["syntax"], abs=EXACT)


def test_the_pairs_stand_in_the_order_of_the_references() -> None:
    scores = {name: of(name).code_bleu_score or 0 for name in PAIRS}

    assert scores["p1"] == scores["p5"] == 1.0
    assert scores["p4"] > scores["p2"] > scores["p6"] > scores["p3"] > 0


def test_a_wrong_program_is_more_alike_than_another_right_one_so_only_running_it_decides() -> None:
    def right(name: str) -> float | None:
        pair = PAIRS[name]
        return validate_against_reference(run(pair["candidate"]), run(pair["reference"]), [{"data": CRASHES}], ["n"])

    assert (of("p4").code_bleu_score or 0) > (of("p3").code_bleu_score or 0)
    assert (of("p6").code_bleu_score or 0) > (of("p3").code_bleu_score or 0)
    assert {name: right(name) for name in ("p1", "p2", "p3", "p4", "p6")} == {
        "p1": 1.0,
        "p2": 1.0,
        "p3": 1.0,
        "p4": 0.0,
        "p6": 0.0,
    }


@pytest.mark.parametrize("quirk", REFERENCES["quirks"][:-1], ids=lambda quirk: quirk["what"])
def test_what_the_package_gets_wrong_is_right(quirk: dict[str, Any]) -> None:
    metrics = calculate_code_bleu(quirk["candidate"], quirk["reference"])

    assert metrics.code_bleu_score == quirk["required"]
    if "required_dataflow" in quirk:
        assert metrics.dataflow_match_score is quirk["required_dataflow"]


@pytest.mark.parametrize(
    ("candidate", "reference", "score"),
    [("", "", None), ("# a", "", None), ("", "x = 1", 0.0), ("x = (1", "x = (1)", 0.0), ("x = (", "x = (", 0.0)],
)
def test_empty_and_broken_candidates_are_nothing(candidate: str, reference: str, score: float | None) -> None:
    assert calculate_code_bleu(candidate, reference).code_bleu_score == score


def test_a_text_that_is_no_python_is_told_apart() -> None:
    assert calculate_code_bleu("x = 1", "x = 1").tokenised
    assert not calculate_code_bleu("SELECT 'a", "SELECT 'b").tokenised


def test_the_score_is_the_weighted_mean_of_the_parts() -> None:
    weights = CodeBleuWeights(ngram=0, weighted_ngram=0, ast=3, dataflow=1)
    pair = PAIRS["p4"]

    metrics = calculate_code_bleu(pair["candidate"], pair["reference"], weights)

    assert metrics.weights == weights
    assert metrics.code_bleu_score == pytest.approx((3 * (metrics.ast_match_score or 0) + 1) / 4)


def test_a_part_that_does_not_exist_has_no_weight() -> None:
    metrics = calculate_code_bleu("print('a')", "print('b')")

    parts = (metrics.ngram_match_score, metrics.weighted_ngram_score, metrics.ast_match_score)
    assert metrics.dataflow_match_score is None
    assert metrics.code_bleu_score == pytest.approx(sum(part or 0 for part in parts) / 3)


def test_keyword_weights_are_those_of_the_specification_and_can_be_changed() -> None:
    assert calculate_code_bleu("x", "x", keyword_weights={"x": 3.0}).keyword_weights.items() >= {
        ("def", 2.0),
        ("mcp", 2.5),
        ("__default__", 1.0),
        ("x", 3.0),
    }


def test_the_work_grows_with_the_length_and_not_with_its_square() -> None:
    short, long = (_calls(_program(functions)) for functions in (20, 80))

    assert long < 4.4 * short


@law(40)
@given(programs(least=0), programs(least=0))
def test_all_figures_are_shares_and_the_same_program_is_1(one: str, other: str) -> None:
    metrics, same = calculate_code_bleu(one, other), calculate_code_bleu(one, one)

    figures = [value for value in metrics.model_dump().values() if isinstance(value, float)]
    assert all(0 <= value <= 1 for value in [*figures, *metrics.ngram_precision.values()])
    assert same.code_bleu_score == (1.0 if one else None)
    assert SemanticClosenessMetrics.model_validate_json(metrics.model_dump_json()) == metrics


def _program(functions: int) -> str:
    return "\n".join(
        f"def f{number}(df, n={number}):\n    out = df.groupby(['a', 'b{number}']).size()\n"
        f"    if n > {number}:\n        out = out.head(n)\n    return [x * n for x in out]\n"
        for number in range(functions)
    )


def _calls(code: str) -> int:
    """Return how many calls are made to compare a program with one that differs a little."""
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    other = code.replace("head", "tail")
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        calculate_code_bleu(code, other)
    finally:
        sys.setprofile(before)
    return made
