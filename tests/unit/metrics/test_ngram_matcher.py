"""BLEU has the values that other programs have, where they are right."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.metrics.ngram_matcher import (
    bleu_of,
    brevity_penalty,
    calculate_bleu,
    calculate_ngram_precision,
    calculate_weighted_ngram_score,
)
from jupyter_mcpgen.metrics.tokens import tokenize_code, tokens_of
from tests.laws import law
from tests.references import EXACT, PAIRS
from tests.strategies.programs import programs

WORDS = st.lists(st.sampled_from(["def", "x", "return", "(", ")", "="]), max_size=12)


SOURCES = [
    path
    for path in sorted((Path(__file__).parents[3] / "jupyter_mcpgen").glob("*/*.py"))
    if not re.search(r"""\b[fF][rR]?["']""", path.read_text(encoding="utf-8"))  # newer Pythons take f-strings apart
]
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
ENDS = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def standard_tokens(code: str) -> list[str]:
    """Return the tokens that the standard library finds, without statements of text alone."""
    statements: list[list[tokenize.TokenInfo]] = [[]]
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in ENDS:
            statements.append([])
        elif token.type not in LAYOUT:
            statements[-1].append(token)
    said = [each for each in statements if any(token.type != tokenize.STRING for token in each)]
    return [token.string for statement in said for token in statement]


def tokens(pair: dict[str, Any], kind: str) -> tuple[list[str], list[str]]:
    split = tokenize_code if kind == "python_tokens" else str.split
    return split(pair["candidate"]), split(pair["reference"])


@pytest.mark.parametrize("kind", ["python_tokens", "whitespace_tokens"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_precisions_and_the_brevity_penalty_are_those_of_the_references(pair: dict[str, Any], kind: str) -> None:
    candidate, reference = tokens(pair, kind)
    expected = pair[kind]

    precisions = [calculate_ngram_precision(candidate, reference, n) for n in range(1, 5)]

    assert precisions == [
        pytest.approx(of / number, abs=EXACT) if number else None for of, number in expected["precisions"]
    ]
    assert brevity_penalty(len(candidate), len(reference)) == pytest.approx(expected["brevity_penalty"], abs=EXACT)


@pytest.mark.parametrize("kind", ["python_tokens", "whitespace_tokens"])
@pytest.mark.parametrize("name", ["p1", "p2", "p3", "p4", "p6"])
def test_bleu_is_that_of_the_references(name: str, kind: str) -> None:
    candidate, reference = tokens(PAIRS[name], kind)

    score = bleu_of(candidate, reference).bleu_score

    assert score == pytest.approx(PAIRS[name][kind]["bleu_method1"], abs=EXACT)


def test_identical_code_is_1_however_short_it_is() -> None:
    assert calculate_bleu("def foo(): return x + y", "def foo(): return x + y").bleu_score == 1.0
    assert calculate_bleu("x = 1", "x = 1").bleu_score == 1.0
    assert calculate_bleu("x", "x").bleu_score == 1.0


def test_half_of_a_program_is_not_as_good_as_all_of_it() -> None:
    pair = PAIRS["p6"]

    bleu = calculate_bleu(pair["candidate"], pair["reference"])

    assert set(bleu.ngram_precision.values()) == {1.0}
    assert bleu.bleu_score == pytest.approx(0.384987, abs=EXACT)
    assert (calculate_weighted_ngram_score(pair["candidate"], pair["reference"]) or 1) < 0.6


def test_a_repeated_keyword_matches_only_as_often_as_the_reference_has_it() -> None:
    reference = "def f(x):\n    return x\n"

    score = calculate_weighted_ngram_score("def " * 50 + "return", reference)

    assert score is not None
    assert score < 0.1


def test_a_keyword_that_is_missing_counts_more_than_another_token() -> None:
    reference = "def f(x):\n    return x\n"
    without_keyword, without_name = reference.replace("return", "y"), reference.replace("f", "y", 1)

    scores = [calculate_weighted_ngram_score(code, reference) or 0 for code in (without_keyword, without_name)]
    level = calculate_weighted_ngram_score(without_keyword, reference, {"def": 1.0, "return": 1.0})

    assert level == pytest.approx(calculate_bleu(without_keyword, reference).bleu_score)
    assert scores[0] < (level or 0)
    assert scores[0] < scores[1]


def test_the_decorator_of_a_tool_has_a_weight_of_its_own() -> None:
    reference = "@mcp.run\ndef f():\n    pass\n"
    other = reference.replace("mcp", "app")

    usual = calculate_weighted_ngram_score(other, reference)
    level = calculate_weighted_ngram_score(other, reference, {"mcp": 1.0})

    assert (usual or 1) < (level or 0)


def test_the_weighted_score_ranks_the_pairs_as_the_references_do() -> None:
    scores = {
        name: calculate_weighted_ngram_score(pair["candidate"], pair["reference"]) for name, pair in PAIRS.items()
    }
    known = {name: pair["python_tokens"]["codebleu"]["weighted"] for name, pair in PAIRS.items() if name != "p5"}

    assert sorted(known, key=lambda name: scores[name] or 0) == sorted(known, key=known.__getitem__)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = a @ b | c & ~d % 2", ["x", "=", "a", "@", "b", "|", "c", "&", "~", "d", "%", "2"]),
        ("x = 'a # b'  # c", ["x", "=", "'a # b'"]),
        ("def f():\n    '''Says it.'''\n    return 1\n", ["def", "f", "(", ")", ":", "return", "1"]),
        ('"""Module."""\nx = """text"""\n', ["x", "=", '"""text"""']),
        ("    a = 10\n    b = a\n", ["a", "=", "10", "b", "=", "a"]),
        ("", []),
        ("# only a comment\n", []),
    ],
)
def test_tokens_are_those_of_python_without_comments_docstrings_and_layout(code: str, expected: list[str]) -> None:
    assert tokenize_code(code) == expected


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_tokens_are_those_of_the_standard_library(path: Path) -> None:
    code = path.read_text(encoding="utf-8")

    assert tokenize_code(code) == standard_tokens(code)


@pytest.mark.soak
@law(60)
@given(programs())
def test_tokens_of_random_programs_are_those_of_the_standard_library(code: str) -> None:
    assert tokenize_code(code) == standard_tokens(code)


@pytest.mark.parametrize("code", ["x = (1", "what ? is this", "x = 'open", "a\x00b"])
def test_what_is_no_python_is_split_at_white_space_and_says_so(code: str) -> None:
    tokens = tokens_of(code)

    assert (list(tokens.texts), tokens.is_python) == (code.split(), False)


def test_words_are_never_compared_with_tokens() -> None:
    assert calculate_bleu("x = (1", "x = (1").bleu_score == 1.0
    assert calculate_bleu("f(x) = (1", "f(x)").bleu_score == pytest.approx(1 / 3)


@pytest.mark.parametrize(("candidate", "reference", "score"), [("", "", None), ("", "x = 1", 0.0), ("x = 1", "", 0.0)])
def test_an_empty_text_is_like_nothing(candidate: str, reference: str, score: float | None) -> None:
    assert calculate_bleu(candidate, reference).bleu_score == score
    assert calculate_weighted_ngram_score(candidate, reference) == score


@law(100)
@given(WORDS, WORDS)
def test_every_score_is_between_0_and_1(candidate: list[str], reference: list[str]) -> None:
    bleu = bleu_of(candidate, reference)

    assert (bleu.bleu_score is None) == (not candidate and not reference)
    assert all(
        0 <= score <= 1 for score in (bleu.bleu_score or 0, bleu.brevity_penalty, *bleu.ngram_precision.values())
    )
    assert (bleu.bleu_score == 1.0) or candidate != reference or not candidate
